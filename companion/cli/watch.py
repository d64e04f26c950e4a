"""Following a table in the terminal: a camera, a simulated table, or pictures that were taken before."""

import json
import shlex
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Group
from rich.live import Live
from rich.text import Text

from companion.cli import paper
from companion.cli.state import evidence_option, players_option, state_option, threads_option
from companion.doctor.bundle import leave_out
from companion.evidence import FOLDER, Evidence
from companion.game import AnyGame, Unreadable
from companion.live import Camera, Now, Question, Table
from companion.phones import Phones, phones_in
from companion.record import as_json
from companion.registry import game_named
from companion.session import Standing
from companion.store import Store

if TYPE_CHECKING:
    from companion.cli.following import Following
    from vision.sources import Source
    from vision.watching import Read

_STATES = {
    Camera.WATCHING: "watching",
    Camera.HAND: "a hand is over the table",
    Camera.SETTLING: "the table settles",
    Camera.READING: "reading",
    Camera.NEEDS_YOU: "needs you",
    Camera.LOST: "no camera",
    Camera.PAUSED: "paused",
    Camera.MANUAL: "no camera",
}
_CALLS = (Camera.NEEDS_YOU, Camera.LOST)
"""When the camera can do nothing without people."""
_LAST_MOVES = 6


def reader_of(game: AnyGame, threads: int = 2) -> "Read":
    """The reader of a game's printed set."""
    from vision.memory import keep_little
    from vision.reader import Reader

    keep_little()
    return Reader(game, threads=threads).read


def open_table(source: str, table: Table) -> tuple["Source", Callable[[float], None]]:
    """A source, and what else is told before each of its frames; a simulated game goes on where its record ends."""
    from vision.sources import open_source

    kind, _, rest = source.partition(":")
    if kind != "sim":
        truth = _filmed_truth(Path(rest.partition("?")[0])) if kind == "video" else ()
        return open_source(source), phones_in(truth, table) if truth else lambda now: None
    from urllib.parse import parse_qsl

    from vision.waiting import open_waiting

    name, _, settings = rest.partition("?")
    wishes = {"live": "yes", **dict(parse_qsl(settings, keep_blank_values=True))}
    game, standing = game_named(name), table.now.standing
    position = None
    if standing is not None and standing.game is game and not standing.outcome.over:
        position = game.write_position(standing.state)
    simulated = open_waiting("sim", name, wishes, position)
    return simulated, Phones(table, game, simulated.truth).tell


def _filmed_truth(film: Path) -> Sequence[dict[str, Any]]:
    """What happened in a simulated game while it was filmed; nothing where no truth lies beside the film."""
    from vision.recorded import truth_beside

    beside = truth_beside(film.expanduser())
    try:
        return [json.loads(line) for line in beside.read_text(encoding="utf-8").splitlines()]
    except FileNotFoundError:
        return ()
    except (OSError, ValueError):
        raise Unreadable(f"{beside} cannot be read: make the film again, or take that file away", "source") from None


def following_of(
    table: Table, frames: "Source", game: str | None, players: int | None, evidence: Evidence, threads: int
) -> "Following":
    """What follows the frames of a source."""
    from functools import partial

    from companion.cli.following import Following
    from vision.sources import full_picture, gives_photos, lock_meanwhile

    return Following(
        table,
        partial(reader_of, threads=threads),
        game=game_named(game) if game else None,
        players=players,
        evidence=evidence,
        full=partial(full_picture, frames),
        calibrated=partial(lock_meanwhile, frames),
        photos=gives_photos(frames),
    )


@click.command()
@click.option("--source", required=True, metavar="SOURCE", help="Such as picamera:, v4l2:0, an address, sim:zhizhu.")
@click.option("--game", "game_name", default=None, metavar="GAME", help="By the markers of the mat if left out.")
@players_option
@click.option("--moves", type=click.IntRange(1), default=None, help="Stop after so many moves.")
@threads_option
@evidence_option
@state_option
def watch(
    source: str,
    game_name: str | None,
    players: int | None,
    moves: int | None,
    threads: int,
    evidence_mb: int,
    state: Path,
) -> None:
    """Follow the game under a camera: board, moves with rulings, score; Ctrl-C ends it."""
    is_simulated = source.startswith("sim:")
    folder = state / "simulated" if is_simulated else state
    with _table(folder) as table, ExitStack() as closing:
        frames, tell = open_table(source, table)
        closing.callback(frames.close)
        following = following_of(table, frames, game_name, players, _pictures(folder, evidence_mb), threads)
        with _shown(source) as show, suppress(KeyboardInterrupt):
            for _ in _followed(following, frames, tell):
                show(table.now)
                if moves is not None and table.now.standing and len(table.now.standing.moves) >= moves:
                    break
        _report(table.now, following.unanswered)
    if is_simulated:
        click.echo(f"Its record is apart from your games: companion record list --state {shlex.quote(str(folder))}")


@click.command()
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.option("--game", "game_name", default=None, metavar="GAME", help="By the markers of the mat if left out.")
@players_option
@click.option("--fast", is_flag=True, help="As fast as it goes instead of at the camera's pace.")
@click.option("--interval", type=click.FloatRange(0.01), default=None, help="Seconds between the photos of a folder.")
@click.option("--json", "with_json", is_flag=True, help="The record of the game and what is left to ask, for programs.")
@click.option("--state", type=click.Path(file_okay=False, path_type=Path), default=None, help="Keep the record here.")
@threads_option
@evidence_option
def replay(
    file: Path,
    game_name: str | None,
    players: int | None,
    fast: bool,
    interval: float | None,
    with_json: bool,
    state: Path | None,
    threads: int,
    evidence_mb: int,
) -> None:
    """Follow the game in a video, in a folder of photos or in one photo, as if it were played now."""
    with ExitStack() as closing:
        folder = state or Path(closing.enter_context(tempfile.TemporaryDirectory()))
        table = closing.enter_context(_table(folder, anew=True))
        frames, tell = open_table(_recording(file, fast, interval), table)
        closing.callback(frames.close)
        following = following_of(table, frames, game_name, players, _pictures(folder, evidence_mb), threads)
        log = _Log()
        for _ in _followed(following, frames, tell):
            if not with_json:
                log.show(table.now)
        if with_json:
            click.echo(json.dumps(_record(table, following.unanswered)))
        else:
            _report(table.now, following.unanswered)


def _pictures(folder: Path, evidence_mb: int) -> Evidence:
    return Evidence(folder / FOLDER, evidence_mb * 1_000_000)


def _recording(file: Path, fast: bool, interval: float | None) -> str:
    """The words of a source for what was filmed or photographed before."""
    from vision.recorded import PHOTOS

    if file.suffix.lower() in PHOTOS and not file.is_dir():
        return f"photo:{file}"
    settings = [f"pace={'fast' if fast else 'live'}"] + ([f"interval={interval}"] if interval and file.is_dir() else [])
    return f"{'photos' if file.is_dir() else 'video'}:{file}?{'&'.join(settings)}"


@contextmanager
def _shown(source: str) -> Iterator[Callable[[Now], None]]:
    """A page that is drawn anew in a terminal; elsewhere, as in a log, each move when it comes."""
    if paper.console.is_terminal:
        with Live(console=paper.console, refresh_per_second=8) as live:
            yield lambda now: live.update(_page(now))
        return
    click.echo(f"Watching {leave_out(source, ()).partition('?')[0]}")
    yield _Log().show


@contextmanager
def _table(folder: Path, anew: bool = False) -> Iterator[Table]:
    with Store(folder) as store:
        for sentence in store.said:
            click.echo(sentence, err=True)
        table = Table(store, camera=Camera.SETTLING, anew=anew)
        try:
            yield table
        finally:
            table.close()


def _followed(following: "Following", frames: "Source", tell: Callable[[float], None]) -> Iterator[None]:
    from vision.frame import Frame

    for frame in frames:
        if isinstance(frame, Frame):
            tell(frame.taken)
        following.take(frame)
        yield


def _page(now: Now) -> Group:
    """The terminal's view of a table, the newest move and the board below it: a small terminal cuts off the end."""
    says = Text(_STATES[now.camera], "bold yellow" if now.camera in _CALLS else "bold cyan")
    if now.camera_says:
        says.append(f"  {now.camera_says}", "yellow")
    standing = now.standing
    if standing is None:
        return Group(says, Text("No game has begun yet.", "dim"))
    last = standing.moves[-1].ruling.places if standing.moves else ()
    lit = tuple(place for place in last if place in standing.game.board.places)
    lines = [_move(standing, i) for i in reversed(range(len(standing.moves)))][:_LAST_MOVES]
    points = "   ".join(f"{standing.called(name)} {points}" for name, points in standing.score.points.items())
    return Group(
        says,
        Text(points, "cyan"),
        paper.outcome(standing.outcome),
        *lines,
        paper.board(standing.game, standing.state, lit),
    )


def _move(standing: Standing, i: int) -> Text:
    move = standing.moves[i]
    who = f"{i + 1}. {standing.called(move.player)} " if move.player else f"{i + 1}. "
    return Text(who).append_text(paper.ruling(standing.game, move.move, move.ruling))


class _Log:
    """A table in lines: every move once, and what the camera needs once until there is another move."""

    def __init__(self) -> None:
        self._last = (0, 0)
        """The numbers of the game and of the move that were told last."""
        self._said: set[str] = set()

    def show(self, now: Now) -> None:
        """Print what is new."""
        if now.standing is not None and now.game is not None:
            self._tell_moves(now.standing, now.game)
        if (says := _needs(now)) and says not in self._said:
            self._said.add(says)
            paper.console.print(Text(says, "yellow"))

    def _tell_moves(self, standing: Standing, game: int) -> None:
        for i, move in enumerate(standing.moves):
            if (game, move.number) > self._last:
                self._last = (game, move.number)
                self._said.clear()
                paper.console.print(_move(standing, i))


def _needs(now: Now) -> str:
    """What the camera says while it can do nothing by itself."""
    return now.camera_says if now.camera in _CALLS else ""


def _report(now: Now, unanswered: Sequence[Question]) -> None:
    """How the game stands, and what is still to be asked: the same whether it was watched or replayed."""
    standing = now.standing
    if standing is None:
        why = _needs(now) or "Is the mat in the picture, and the table laid out for a game?"
        raise click.ClickException(f"No game was seen. {why}")
    paper.console.print(paper.board(standing.game, standing.state))
    for i in range(len(standing.moves)):
        paper.console.print(_move(standing, i))
    paper.console.print(paper.score(standing.score))
    paper.console.print(paper.outcome(standing.outcome))
    for question in unanswered:
        paper.console.print(Text(f"Still to be answered: {question.says}", "yellow"))
    if not unanswered and (says := _needs(now)):
        paper.console.print(Text(says, "yellow"))


def _record(table: Table, unanswered: Sequence[Question]) -> dict[str, Any] | None:
    """The record of the game, and what is still to be asked."""
    number = table.now.game
    if number is None:
        return None
    told = as_json(table.store.game(number), table.store.entries(number))
    return {**told, "questions": [question.as_json() for question in unanswered]}


COMMANDS = (watch, replay)
