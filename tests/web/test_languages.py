"""Every word in every language: what the games say, what pages show, and that a file is all that a language takes."""

import json
import re
import time
from string import Formatter

import pytest

from companion.draw import says_piece
from companion.game import Unreadable, judge, legal_moves
from companion.registry import games
from companion.said import Said, called, joined, listed, say, sentence
from companion.scenes import scenes
from tests.patterns import patterns
from tests.web.conftest import House
from web import words
from web.books import book
from web.view import by_name
from web.words import FOLDER, is_english, is_wordless, languages, spoken

FOREIGN = sorted(file.stem for file in FOLDER.glob("*.toml") if file.stem != "en")
EVERY_GAME = pytest.mark.parametrize("game", games().values(), ids=games())


def gaps(pattern):
    return {gap for _, gap, _, _ in Formatter().parse(pattern) if gap is not None}


@pytest.mark.parametrize("language", FOREIGN)
def test_everything_the_companion_can_say_is_translated_and_nothing_else(language):
    wanted = {pattern for pattern in patterns() if not is_wordless(pattern)}
    own = languages()[language].sentences
    assert wanted - own.keys() == set()
    assert own.keys() - patterns().keys() == set()


@pytest.mark.parametrize("language", FOREIGN)
def test_a_translated_sentence_has_the_gaps_of_the_english_one(language):
    for english, own in languages()[language].sentences.items():
        assert own.strip(), english
        assert gaps(own) == gaps(english), english


@pytest.mark.parametrize("language", ["en", *FOREIGN])
def test_a_language_has_the_same_words_with_the_same_gaps(language):
    english, own = languages()["en"].words, languages()[language].words
    assert own.keys() == english.keys()
    for key, said in own.items():
        assert said.strip(), key
        assert gaps(said) == gaps(english[key]), key


@EVERY_GAME
@pytest.mark.parametrize("language", FOREIGN)
def test_a_rule_book_is_translated_whole(game, language):
    own, told = book(game, language), languages()[language].books[game.name]
    assert all(own.rules[clause.number].says != clause.says for clause in game.rulebook)
    assert all(own.rules[clause.number].silent == clause.silent for clause in game.rulebook)
    assert all(own.settles(option) != option.says for option in game.options)
    assert told["rules"].keys() == game.rulebook.clauses.keys()
    assert told["chapters"].keys() == game.rulebook.chapters.keys()
    assert told["options"].keys() == {option.name for option in game.options}
    assert told["choices"].keys() <= {choice for option in game.options for choice in option.choices}


@EVERY_GAME
def test_whatever_a_game_says_in_its_scenes_and_playthroughs_can_be_said_in_every_language(game):
    told = [*_scenes_say(game), *_playthroughs_say(game)]
    assert len({str(said) for said in told}) > 20
    for said in told:
        assert isinstance(said, Said), said
        assert list(_words_in_gaps(said, _names(game))) == [], said
        for language in FOREIGN:
            assert not is_english(said, language), said
            assert "{" not in spoken(said, language)


def test_a_sentence_is_its_english_text_and_can_be_said_by_other_patterns():
    slides = say("{mover} slides {start} to {to}", mover=called("white"), start="a1", to="a2")
    assert slides == "White slides a1 to a2"
    assert json.dumps(slides) == '"White slides a1 to a2"'
    assert spoken(slides, "de") == "Weiß schiebt von a1 nach a2"
    assert spoken(slides, "en") == slides


def test_lists_and_counts_are_said_in_other_languages_too():
    assert spoken(listed([called("white"), called("black"), "a1"]), "de") == "Weiß, Schwarz und a1"
    assert spoken(joined([called("white"), called("black")], "{some} or {more}"), "de") == "Weiß oder Schwarz"
    assert listed(["a1"]) == "a1"
    assert joined([]) == ""


def test_numbers_are_written_as_a_language_writes_them():
    told = say("{expected:.1f} points on average over all unseen cards, {n} now", expected=2.5, n=3)
    assert told.startswith("2.5 points")
    assert "2,5 Punkte" in spoken(told, "de")


def test_a_persons_name_stands_wherever_a_seat_is_spoken_of():
    class Card:
        player, called = "black", "Zed"

    told = by_name(say("{winner} wins: {mover} cannot slide", winner=called("white"), mover=called("black")), [Card])
    assert told == "White wins: Zed cannot slide"
    assert spoken(told, "de") == "Weiß gewinnt: Zed kann nicht schieben"
    assert by_name("as typed", [Card]) == "as typed"


def test_a_sentence_begins_with_a_capital_letter_in_every_language():
    told = sentence(say("no chain is closed here"))
    assert told == "No chain is closed here"
    assert spoken(told, "de") == "Hier wird keine Kette geschlossen"


def test_what_a_language_leaves_out_is_english_and_marked_so(tongue, house):
    assert is_english(say("no chain is closed here"), "eo")
    assert not is_english(say("{place} is taken", place="a1"), "eo")
    phone = house.begin("a1", "c1")
    assert 'lang="en"' in phone.get("/ask?move=b1-b2", **{"Accept-Language": "eo"}).get_data(as_text=True)


def test_a_file_is_all_that_a_language_takes(tongue, house):
    phone = house.begin("a1")
    assert ">Esperanto</button>" in phone.page("/more")
    assert phone.post("/api/language", {"language": "eo"}).status_code == 200
    assert '<html lang="eo"' in phone.page("/")
    assert "Tablo" in phone.page("/")
    assert "a1 estas okupita" in phone.page("/ask?move=a1").casefold()
    assert "Dum vi havas pecon en la mano" in phone.page("/rules")


@EVERY_GAME
def test_no_page_of_a_german_phone_shows_a_word_of_english(game, tmp_path):
    """Every page of a game under way, with a few moves, one of them illegal, and a house rule switched."""
    house = House(tmp_path)
    try:
        house.table.begin(game.name, game.seats[min(game.seats)], {}, {}, "begin-german", dealt=True)
        seat = game.to_move(house.table.now.standing.state)
        phone = house.owner()
        assert phone.post("/api/sit", {"seat": seat}).status_code == 200
        assert phone.post("/api/advice", {"on": True}).status_code == 200
        _play(house, phone, legal=6)
        for path in _pages(house):
            shown = phone.get(path, **{"Accept-Language": "de"}).get_data(as_text=True)
            assert '<html lang="de"' in shown or "<html" not in shown
            assert 'lang="en"' not in shown.replace('<button class="button small" lang="en"', ""), path
            assert _english(_text(shown), game) == set(), path
    finally:
        house.close()


def test_what_goes_wrong_is_told_in_german(house):
    phone = house.begin("a1")
    german = {"Accept-Language": "de"}
    refused = phone.post("/api/move", {"move": "zz", "player": "black", "request": "request-german"}, **german)
    assert refused.get_json()["says"].startswith("„zz“ ist kein Zug")
    assert "„zz“ ist kein Zug" in phone.get("/ask?move=zz", **german).get_data(as_text=True)


@pytest.fixture
def tongue(tmp_path, monkeypatch):
    """A third language with few words, in a folder beside the others."""
    folder = tmp_path / "words"
    folder.mkdir()
    for file in FOLDER.glob("*.toml"):
        (folder / file.name).write_bytes(file.read_bytes())
    (folder / "eo.toml").write_text(
        '[app]\nlanguage = "Esperanto"\n[nav]\ntable = "Tablo"\n'
        '[sentences.zhizhu]\n"{place} is taken" = "{place} estas okupita"\n'
        '[books.zhizhu.rules]\n"2.2" = "Dum vi havas pecon en la mano, vi metas ĝin."\n',
        encoding="utf-8",
    )
    monkeypatch.setattr(words, "FOLDER", folder)
    _forget()
    yield
    monkeypatch.undo()
    _forget()


def _forget():
    from web.books import _read

    languages.cache_clear()
    _read.cache_clear()


def _scenes_say(game):
    for scene in scenes(game):
        state = game.read_position(scene.position)
        yield from _says(game, state, scene.judge)


def _playthroughs_say(game):
    for file in sorted((game.folder / "playthroughs").glob("*.txt")):
        head, *rest = file.read_text(encoding="utf-8").splitlines()
        state = game.read_position(json.loads(head))
        moves = [line.split("  ")[1] for line in rest if line[0].isdigit()]
        for ply, move in enumerate(moves[:200]):
            yield from _says(game, state, [move] if ply % 4 else [move, "no move at all"], advised=ply % 40 == 0)
            state = game.play(state, game.read_move(move, state))
        yield from _says(game, state, [])


def _says(game, state, moves, advised=False):
    """All that is said of a position, but what people are called who sit at no seat of the game."""
    people = {called(player): player for player in game.players(state) if player not in _names(game)}
    yield from (said.with_names(people) if people else said for said in _all_said(game, state, moves, advised))


def _all_said(game, state, moves, advised):
    for move in moves:
        try:
            yield judge(game, state, game.read_move(move, state)).says
        except Unreadable as unreadable:
            yield unreadable.says
    yield game.outcome(state).says
    yield from (item.says for item in game.score(state).items)
    yield from (mark.says for mark in game.marks(state))
    yield from (say("{tile}!", tile=says_piece(game, piece)) for piece in game.layout(state).values())
    if advised and game.to_move(state) is not None:
        yield from (best.because for best in game.advise(state, 0.02, time.monotonic))


def _names(game):
    return {seat for seats in game.seats.values() for seat in seats}


def _words_in_gaps(said, names):
    """What stands in a gap as it is and looks like a word: notation has no three small letters in a row but names."""
    for name, gap in said.gaps.items():
        if isinstance(gap, Said):
            yield from _words_in_gaps(gap, names)
        elif isinstance(gap, str) and name not in ("text", "examples", "example", "targets"):
            yield from (word for word in re.findall(r"[a-z]{3,}", gap) if word not in names)


def _play(house, phone, legal):
    """Some moves that are legal, and then one that is not."""
    for _ in range(legal):
        standing = house.table.now.standing
        game, state = standing.game, standing.state
        written = [game.write_move(move, state) for move in legal_moves(game, state)]
        move = max(written[:400], key=len) if len(standing.moves) % 2 else written[len(written) // 2]
        assert phone.change("/api/move", move=move, player=game.to_move(state)).status_code == 200
    standing = house.table.now.standing
    game, state = standing.game, standing.state
    broken = next(move for move in game.conceivable(state) if not judge(game, state, move).legal)
    move = game.write_move(broken, state)
    assert phone.change("/api/move", move=move, player=game.to_move(state)).status_code == 200


def _pages(house):
    standing = house.table.now.standing
    game, state = standing.game, standing.state
    place = next(iter(game.layout(state)), next(iter(game.board.places), "0,0"))
    moves = [game.write_move(move, state) for move in legal_moves(game, state)[:3]]
    broken = standing.moves[-1]
    yield from ("/", "/tv", "/ask", "/advice", "/advice/moves", "/history", "/more", "/why", "/tell", "/undo", "/rules")
    yield from ("/correct", f"/correct?place={place}", f"/correct?place={place}&nothing=1", "/join", "/games")
    yield from ("/setup", f"/setup?game={game.name}", "/sheet/1", "/hand", f"/why/move/{broken.number}", "/nowhere")
    yield from (f"/why/move/{move.number}" for move in standing.moves)
    yield from (f"/why?item={number}" for number in range(min(4, len(standing.score.items))))
    yield from (f"/ask?move={_quoted(move)}" for move in (*moves, broken.move, "zz"))
    yield f"/ask?at={_quoted(place)}"


def _quoted(word):
    from urllib.parse import quote

    return quote(word)


def _text(page):
    """What a page shows or reads out, without what is typed, notation and code."""
    page = re.sub(r"<(script|style|head)\b.*?</\1>", " ", page, flags=re.DOTALL)
    page = re.sub(r'<(b|small|span|a|h1|label)[^>]*class="(move|chip)[^"]*".*?</\1>', " ", page, flags=re.DOTALL)
    page = re.sub(r'<button class="button small" lang="en".*?</button>|&[lg]t;\w+', " ", page)
    spoken_too = " ".join(re.findall(r'(?:aria-label|alt|title|placeholder)="([^"]*)"', page))
    return re.sub(r"<[^>]*>", " ", page) + " " + spoken_too


def _english(text, game):
    """The words that no German sentence has; what is printed on a tile in English is called so in every language."""
    for printed in {str(tile.title) for tile in game.catalogue} & set(languages()["de"].sentences.values()):
        text = text.replace(printed, "")
    return set(re.findall(r"[A-Za-z']+", text)) & _ENGLISH


_ENGLISH = frozenset(
    re.findall(
        r"\w+",
        """the and with from takes places slides plays turn turns piece pieces tile tiles point points card cards White
        Black South North East wins game is are has have no not of to for by on legal illegal empty nothing move moves
        player players board hand stock closes deploys shifts facing threat cover section base draws discards recruits
        builds completes square squares Battle Creature captured you your this that it""",
    )
)
