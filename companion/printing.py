"""Writes a game's sheets as vector PDF in true millimetres."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from fpdf import FPDF
from fpdf.prefs import ViewerPreferences

from companion.art import Area, Line, Point, Shape, Words
from companion.game import AnyGame, Unreadable
from companion.sheets import PAPERS, Bundle, Sheet, bundles

_POINTS_PER_MM = 72 / 25.4

_PLAIN = str.maketrans({"–": "-", "—": "-", "−": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "„": '"', "…": "..."})
"""PDF's own Helvetica knows Latin letters only; these have a plain stand-in."""


def print_sheets(
    game: AnyGame,
    paper: str,
    out: Path,
    *,
    only: Iterable[str] = (),
    progress: Callable[[int, int], None] = lambda done, of: None,
    speak: Callable[[str], str] = str,
) -> list[Path]:
    """Write one PDF for the tiles, one for the board or mat, one for the corner cards; answers their paths.

    ``only`` names the bundles wanted (``tiles``, ``board`` or ``mat``, ``corners``); ``progress`` is told after each
    side how many of how many are drawn; ``speak`` says what is written around the things to be cut out in another
    language. Raises `Unreadable` for a paper or a bundle there is not.
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
            _draw_sheet(pdf, sheet, speak)
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


def _draw_sheet(pdf: FPDF, sheet: Sheet, speak: Callable[[str], str]) -> None:
    pdf.add_page()
    for picture in sheet.pictures:
        left, top, right, bottom = picture.window
        clip = pdf.elliptic_clip if picture.is_round else pdf.rect_clip
        with clip(left, top, right - left, bottom - top):
            _draw(pdf, picture.shapes, picture.at)
    _draw(pdf, tuple(_said(shape, speak) for shape in sheet.shapes))


def _draw(pdf: FPDF, shapes: tuple[Shape, ...], at: Point = (0.0, 0.0)) -> None:
    """Lowest first. Paths go into the page as PDF's own operators: fpdf's path objects take several times as long."""
    # From millimetres below the sheet's top edge to points above its bottom edge.
    matrix = f"{pdf.k:.6f} 0 0 {-pdf.k:.6f} {at[0] * pdf.k:.4f} {(pdf.h - at[1]) * pdf.k:.4f} cm"
    for painted in _operators(shapes):
        if isinstance(painted, Words):
            _write(pdf, painted, at)
        else:
            pdf._out(f"q {matrix} {painted} Q")


@lru_cache(maxsize=512)
def _operators(shapes: tuple[Shape, ...]) -> tuple[str | Words, ...]:
    """Paths as PDF paints them, words as they are; a face that comes often is worked out once."""
    return tuple(_operator(shape) for shape in shapes)


def _operator(shape: Shape) -> str | Words:
    match shape:
        case Area():
            return _filled(shape)
        case Line():
            return _stroked(shape)
        case Words():
            return shape


def _filled(area: Area) -> str:
    outlines = " ".join(f"{_course(outline)} h" for outline in area.outlines)
    return f"{_rgb(area.colour)} rg {outlines} f*"


def _stroked(line: Line) -> str:
    return f"{_rgb(line.colour)} RG {line.width:.3f} w 1 J 1 j {_course(line.points)} S"


def _course(points: Sequence[Point]) -> str:
    (x, y), *rest = points
    return f"{x:.3f} {y:.3f} m " + " ".join(f"{x:.3f} {y:.3f} l" for x, y in rest)


def _rgb(colour: str) -> str:
    return " ".join(f"{int(colour[i : i + 2], 16) / 255:.4f}" for i in (1, 3, 5))


def _write(pdf: FPDF, words: Words, at: Point) -> None:
    text = latin(words.words)
    pdf.set_font("Helvetica", "B" if words.bold else "", words.size * _POINTS_PER_MM)
    pdf.set_text_color(words.colour)
    x, y = words.at[0] + at[0], words.at[1] + at[1]
    begin = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[words.anchor] * pdf.get_string_width(text)
    with pdf.rotation(-words.angle_deg, x, y):
        pdf.text(begin, y, text)


def _said(shape: Shape, speak: Callable[[str], str]) -> Shape:
    return replace(shape, words=speak(shape.words)) if isinstance(shape, Words) else shape


def latin(words: str) -> str:
    """The words in letters that every printer has; raises ``ValueError`` where there is no stand-in."""
    plain = words.translate(_PLAIN)
    if not plain.isascii() and any(ord(letter) > 255 for letter in plain):
        raise ValueError(f"{words!r} cannot be printed: the PDF's own font has Latin letters only")
    return plain
