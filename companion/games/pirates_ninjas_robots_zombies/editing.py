"""Pirates, Ninjas, Robots & Zombies: what is to be said of a tile, and another set of 54 as players write it."""

from collections.abc import Sequence

from companion.games.pirates_ninjas_robots_zombies.quarters import (
    ENEMIES,
    ENEMY_NAMES,
    ICON_NAMES,
    ITEM_NAMES,
    TEAM_NAMES,
    TEAMS,
    Face,
    icon_of,
    is_base,
    kind,
    looks,
    quarters_of,
    read_face,
)
from companion.games.pirates_ninjas_robots_zombies.rules import PLAY_TILES
from companion.own_tiles import Editing, Entry, Number, Word


def understand(entries: Sequence[Entry]) -> Sequence[Entry]:
    """The tiles with all that follows from their names, if there are as many as the rules have."""
    known: dict[str, str] = {}
    for name in (entry["name"] for entry in entries):
        if read_face(name) != name:
            raise ValueError(f"{name!r} is no tile; a name is its quarters by rows and its icon, such as PN/zKo")
        if (same := known.setdefault(kind(name), name)) != name:
            raise ValueError(f"{name} is {same}, turned: write {same}, and how many copies there are")
    understood = [_completed(entry) for entry in entries]
    count = sum(entry.get("copies", 1) for entry in understood if not is_base(entry["name"]))
    if count != PLAY_TILES:
        raise ValueError(f"a set has {PLAY_TILES} play tiles (1.3), not {count}: give others more or fewer copies")
    return understood


def entry_of(face: Face) -> Entry:
    """All that is to be said of a tile follows from what is printed on it."""
    entry: Entry = {"name": face, "title": _title(face), "letter": face, "turns": len(looks(face))}
    if is_base(face):
        return {**entry, "team": TEAM_NAMES[face[0]].lower(), "both_sides": True}
    return {**entry, "icon": str(ICON_NAMES[icon_of(face)])} if icon_of(face) else entry


def _completed(entry: Entry) -> Entry:
    """Of a base there is always one."""
    return {**entry_of(entry["name"]), **entry, **({"copies": 1} if is_base(entry["name"]) else {})}


def _title(face: Face) -> str:
    if is_base(face):
        return f"{TEAM_NAMES[face[0]]} base"
    pictures = {team: TEAM_NAMES[team] for team in TEAMS}
    pictures |= {team.lower(): ITEM_NAMES[team] for team in TEAMS} | {
        ENEMIES[team]: ENEMY_NAMES[team] for team in TEAMS
    }
    north_west, north_east, south_west, south_east = (pictures[letter] for letter in quarters_of(face))
    icon = f", {ICON_NAMES[icon_of(face)]}" if icon_of(face) else ""
    return f"{north_west} {north_east} / {south_west} {south_east}{icon}"


EDITING = Editing(keys={"title": Word(), "copies": Number()}, understand=understand, only=True)
