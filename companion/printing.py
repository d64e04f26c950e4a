"""Writes a game's sheets as vector PDF in true millimetres."""

from collections.abc import Callable, Iterable
from pathlib import Path

from fpdf import FPDF
from fpdf.enums import PathPaintRule, StrokeCapStyle, StrokeJoinStyle
from fpdf.prefs import ViewerPreferences

from companion.art import Area, Line, Shape, Words
from companion.game import AnyGame, Unreadable
from companion.sheets import PAPERS, Bundle, Picture, Sheet, bundles

_POINTS_PER_MM = 72 / 25.4

_PLAIN = str.maketrans({"–": "-", "—": "-", "−": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "…": "..."})
"""PDF's own Helvetica knows Latin letters only; these have a plain stand-in."""


def print_sheets(
    game: AnyGame,
    paper: str,
    out: Path,
    *,
    only: Iterable[str] = (),
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> list[Path]:
    """Write one PDF for the tiles, one for the board or mat, one for the corner cards; answers their paths.

    ``only`` names the bundles wanted (``tiles``, ``board`` or ``mat``, ``corners``); ``progress`` is told after each
    side how many of how many are drawn. Raises `Unreadable` for a paper or a bundle there is not.
    """
    if paper not in PAPERS:
        raise Unreadable(f"there is no paper {paper!r}; there are: {', '.join(PAPERS)}", "paper")
    offered = bundles(game, PAPERS[paper])
    wanted = set(only) or {bundle.name for bundle in offered}
    if unknown := wanted - {bundle.name for bundle in offered}:
        names = ", ".join(bundle.name for bundle in offered)
        raise Unreadable(f"{game.title} has no {', '.join(sorted(unknown))} to print; it has: {names}", "only")
    chosen = [bundle for bundle in offered if bundle.name in wanted]
    out.mkdir(parents=True, exist_ok=True)
    total, done, paths = sum(len(bundle.sheets) for bundle in chosen), 0, []
    for bundle in chosen:
        pdf = _document(bundle)
        for sheet in bundle.sheets:
            _draw_sheet(pdf, sheet)
            done += 1
            progress(done, total)
        path = out / f"{game.name}-{bundle.name}-{paper}.pdf"
        pdf.output(str(path))
        paths.append(path)
    return paths


def _document(bundle: Bundle) -> FPDF:
    paper = bundle.sheets[0].paper
    pdf = FPDF(unit="mm", format=(paper.width_mm, paper.height_mm))
    pdf.set_auto_page_break(False)
    pdf.set_margin(0)
    pdf.set_title(bundle.title)
    pdf.set_creator("table companion")
    pdf.viewer_preferences = ViewerPreferences(
        print_scaling="None", duplex="DuplexFlipLongEdge" if bundle.two_sided else "Simplex", display_doc_title=True
    )
    return pdf


def _draw_sheet(pdf: FPDF, sheet: Sheet) -> None:
    pdf.add_page()
    for picture in sheet.pictures:
        _draw_picture(pdf, picture)
    for shape in sheet.shapes:
        _draw(pdf, shape)


def _draw_picture(pdf: FPDF, picture: Picture) -> None:
    left, top, right, bottom = picture.window
    with pdf.rect_clip(left, top, right - left, bottom - top):
        for shape in picture.shapes:
            _draw(pdf, shape)


def _draw(pdf: FPDF, shape: Shape) -> None:
    match shape:
        case Area():
            _fill(pdf, shape)
        case Line():
            _stroke(pdf, shape)
        case Words():
            _write(pdf, shape)


def _fill(pdf: FPDF, area: Area) -> None:
    with pdf.new_path(paint_rule=PathPaintRule.FILL_EVENODD) as path:
        path.style.fill_color = area.colour
        for outline in area.outlines:
            path.move_to(*outline[0])
            for point in outline[1:]:
                path.line_to(*point)
            path.close()


def _stroke(pdf: FPDF, line: Line) -> None:
    with pdf.new_path(paint_rule=PathPaintRule.STROKE) as path:
        path.style.auto_close = False
        path.style.stroke_color = line.colour
        path.style.stroke_width = line.width
        path.style.stroke_cap_style = StrokeCapStyle.ROUND
        path.style.stroke_join_style = StrokeJoinStyle.ROUND
        path.move_to(*line.points[0])
        for point in line.points[1:]:
            path.line_to(*point)


def _write(pdf: FPDF, words: Words) -> None:
    text = latin(words.words)
    pdf.set_font("Helvetica", "B" if words.bold else "", words.size * _POINTS_PER_MM)
    pdf.set_text_color(words.colour)
    x, y = words.at
    begin = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[words.anchor] * pdf.get_string_width(text)
    with pdf.rotation(-words.angle_deg, x, y):
        pdf.text(begin, y, text)


def latin(words: str) -> str:
    """The words in letters that every printer has; raises ``ValueError`` where there is no stand-in."""
    plain = words.translate(_PLAIN)
    if not plain.isascii() and any(ord(letter) > 255 for letter in plain):
        raise ValueError(f"{words!r} cannot be printed: the PDF's own font has Latin letters only")
    return plain
