"""Learns a player's own tiles from photos or from pictures of their faces, without any training."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np

from companion.game import AnyGame, Unreadable
from companion.said import say
from companion.table import Piece, Place
from companion.tiles import Catalogue
from vision.classify import Seen
from vision.crops import FACE, SIDE, cut
from vision.frame import Frame, Pixels
from vision.gallery import Gallery, Name, Vectors
from vision.names import EMPTY, QUARTERED, label_of
from vision.plane import Plane, Rectified
from vision.quarters import is_quartered, parts_of, turned
from vision.reader import Candidate, Reader
from vision.sets import Reference, Sets

Embed = Callable[[Pixels], Seen]
"""An `Embedder`, or a reader's own."""
CLOSE = 0.96
"""Two tiles nearer than this, as a cosine, are as much alike as two photos of one tile: they will be mixed up."""
_SHARPNESS = 70.0
"""References from the same camera and lamp are nearer than a printed set's: smaller distances tell tiles apart."""
_SURELY = 0.5
"""How sure the finder is of a tile that is learned."""
_FREE = 32
"""So many of the free places of a photo are kept, the most different ones."""


def pieces_of(catalogue: Catalogue) -> list[Piece]:
    """Every piece that has to be shown, in the order of the catalogue; whose it is only where its face tells."""
    owners = {tile.name: (None,) if catalogue.owner_by_turn else tile.owners or (None,) for tile in catalogue}
    return [Piece(tile.name, owner) for tile in catalogue for owner in owners[tile.name]]


def laid_in_order(game: AnyGame, pieces: Sequence[Piece]) -> dict[Place, Piece]:
    """Where tiles are asked to lie on a board: on its first places, in the order of the board."""
    return dict(zip(game.board.places, pieces, strict=False))


def learn(reader: Reader, frame: Frame, plane: Plane, laid: Mapping[Place, Piece]) -> list[Reference]:
    """References from a photo of a board whose tiles are known by place; its other places show what free ones are."""
    view = reader.view(frame, plane)
    spots = {spot.place: spot for spot in reader.candidates(view, plane, None)[0] if spot.place is not None}
    if unknown := laid.keys() - spots.keys():
        raise Unreadable(f"{reader.game.title} has no place {', '.join(sorted(unknown))} in this photo", "names")
    if missing := _missing(reader, view, [spots[place] for place in laid]):
        raise Unreadable(
            f"no tile is to be seen on {', '.join(missing)}: lay it there, or say what lies in each photo with --names",
            "names",
        )
    known = [_reference(reader.game, view, spots[place], piece) for place, piece in laid.items()]
    free = [spot for place, spot in spots.items() if place not in laid and place in reader.game.board.places]
    if not free:
        return known
    crops = reader.crops(view, free)
    embedded = reader.embed(crops).embedded
    return known + [Reference(EMPTY, None, crops[i]) for i in _most_different(embedded, _FREE)]


def learn_in_order(
    reader: Reader, frame: Frame, plane: Plane, pieces: Sequence[Piece], more: bool = False
) -> list[Reference]:
    """References from a photo of tiles laid in rows on a table without a board: from the far left, row by row.

    Where ``more`` photos follow, the last of the pieces may be missing in this one.
    """
    view, spots = _found(reader, frame, plane)
    if len(spots) > len(pieces) or (len(spots) < len(pieces) and not more):
        raise Unreadable(
            f"{len(spots)} tiles are to be seen and {len(pieces)} are named: lay just these in straight rows, "
            "or name the ones that lie there with --names",
            "names",
        )
    ordered = _in_rows(spots, min(reader.game.catalogue.size_mm))
    return [_reference(reader.game, view, spot, piece) for spot, piece in zip(ordered, pieces, strict=False)]


def learn_alone(reader: Reader, frame: Frame, plane: Plane, piece: Piece) -> Reference:
    """A reference from a photo in which one tile lies in the middle of the table."""
    view, spots = _found(reader, frame, plane)
    if not spots:
        raise Unreadable(say("no tile is to be seen: lay it in the middle of the table, face up"), "photo")
    middle = min(spots, key=lambda spot: math.hypot(spot.x_mm, spot.y_mm))
    return _reference(reader.game, view, middle, piece)


def learn_face(game: AnyGame, face: Pixels, piece: Piece) -> list[Reference]:
    """References from a clean picture of a face, such as a scan: as it would lie on a dark and on a light table."""
    width, height = game.catalogue.size_mm
    scale = FACE / min(width, height)
    shrunk = cv2.resize(face, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
    middle = Candidate(None, 0.0, 0.0, 0.0, None)
    origin = (-width / 2 - _RIM / scale, -height / 2 - _RIM / scale)
    references = []
    for ground in _GROUNDS:
        framed = cv2.copyMakeBorder(shrunk, *[_RIM] * 4, cv2.BORDER_CONSTANT, value=(ground,) * 3)
        view = Rectified(np.asarray(framed, np.uint8), 1 / scale, origin, Frame(face, 0.0, 0))
        references.append(_reference(game, view, middle, piece))
    return references


_RIM, _GROUNDS = 8, (70.0, 190.0)
"""Pixels around a scanned face, and how bright tables are."""


def gallery_of(references: Sequence[Reference], catalogue: Catalogue, embed: Embed) -> Gallery:
    """The references in every turn in which a tile may lie, and those of the parts of tiles that have such."""
    shown = [(one, turn, said) for one in references for turn, said in _turns(catalogue, one.tile).items()]
    if not shown:
        raise Unreadable(say("there is no reference in this set that can be used: enrol it again"), "set")
    seen = embed(np.stack([np.rot90(one.crop, -turn) for one, turn, _ in shown]))
    names, vectors = [], []
    for (one, turn, said), embedded, parts in zip(shown, seen.embedded, seen.parts, strict=True):
        quartered = is_quartered(one.tile)
        names += [Name(QUARTERED) if quartered else Name(one.tile, one.owner, said)]
        vectors += [embedded]
        if quartered:
            names += [Name(part) for part in parts_of(turned(one.tile, turn))]
            vectors += [*parts]
    return Gallery(tuple(names), np.stack(vectors), _SHARPNESS)


def enrolled_gallery(sets: Sets, game: AnyGame, name: str, embed: Embed) -> tuple[Gallery, list[str]]:
    """A player's set ready to read with, and what has to be said about it."""
    references, said = sets.load(game.name, name)
    return gallery_of(references, game.catalogue, embed), said


def too_close(gallery: Gallery) -> list[tuple[float, Name, Name]]:
    """Pairs of different tiles that will be taken for each other, the closest first."""
    tiles = sorted({(name.tile, name.owner or "") for name in gallery.names if name.tile != EMPTY})
    rows = {tile: [i for i, n in enumerate(gallery.names) if (n.tile, n.owner or "") == tile] for tile in tiles}
    alike = [pair for pair in combinations(tiles, 2) if _kind(pair[0][0]) == _kind(pair[1][0])]
    pairs = [_closest(gallery, rows[one], rows[two]) for one, two in alike]
    return [pair for pair in sorted(pairs, key=lambda pair: -pair[0]) if pair[0] > CLOSE]


def _closest(gallery: Gallery, one: Sequence[int], other: Sequence[int]) -> tuple[float, Name, Name]:
    """How alike two tiles are in the turns in which they are most; the second with its turn when the first is upright,
    if turns say anything of both."""
    near = gallery.vectors[one] @ gallery.vectors[other].T
    row, column = np.unravel_index(near.argmax(), near.shape)
    first, second = gallery.names[one[row]], gallery.names[other[column]]
    turned = all(len({gallery.names[i].turn for i in rows}) > 1 for rows in (one, other))
    turn = (second.turn - first.turn) % 4 if turned else 0
    return float(near.max()), replace(first, turn=0), replace(second, turn=turn)


def _kind(shown: str) -> str:
    """Parts are only ever compared with parts of their kind."""
    return next((word for word in ("quarters", "quarter", "icon") if shown.startswith(f"{word} ") or shown == word), "")


def close_names(gallery: Gallery) -> dict[str, tuple[str, ...]]:
    """For each tile the others that it will be taken for."""
    close: dict[str, tuple[str, ...]] = {}
    for _, one, other in too_close(gallery):
        close[one.tile] = (*close.get(one.tile, ()), other.tile)
        close[other.tile] = (*close.get(other.tile, ()), one.tile)
    return close


def side_by_side(references: Sequence[Reference], names: Sequence[Name]) -> Pixels:
    """One picture of each of these tiles or parts, turned as named, in a row."""
    shown = [next(p for one in references if (p := _pictured(one, name)) is not None) for name in names]
    return sheet([np.rot90(crop, -name.turn) for crop, name in zip(shown, names, strict=True)], len(shown))


def _pictured(reference: Reference, name: Name) -> Pixels | None:
    """What a reference shows of a tile or a part of one."""
    if not is_quartered(reference.tile):
        return reference.crop if (reference.tile, reference.owner) == (name.tile, name.owner) else None
    parts = parts_of(reference.tile)
    if name.tile not in parts:
        return None
    if name.tile.startswith("icon "):
        part = reference.crop[SIDE // 4 : -SIDE // 4, SIDE // 4 : -SIDE // 4]
    else:
        part = np.rot90(reference.crop, parts.index(name.tile))[: SIDE // 2, : SIDE // 2]
    return np.asarray(cv2.resize(part, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC), np.uint8)


def sheet(crops: Sequence[Pixels], across: int = 8, larger: int = 2) -> Pixels:
    """Crops in rows on white."""
    side = larger * SIDE + 8
    page = np.full((side * -(-len(crops) // across) + 8, side * min(across, len(crops)) + 8, 3), 255, np.uint8)
    for i, crop in enumerate(crops):
        top, left = 8 + i // across * side, 8 + i % across * side
        enlarged = cv2.resize(crop, None, fx=larger, fy=larger, interpolation=cv2.INTER_CUBIC)
        page[top : top + larger * SIDE, left : left + larger * SIDE] = enlarged
    return page


def _found(reader: Reader, frame: Frame, plane: Plane) -> tuple[Rectified, list[Candidate]]:
    """What both networks take for a tile, whichever it is."""
    view = reader.view(frame, plane)
    spots = [spot for spot in reader.candidates(view, plane, None)[0] if spot.found and spot.found.score > _SURELY]
    states = reader.look_at(view, spots).states
    return view, [spot for spot, state in zip(spots, states, strict=True) if state.argmax() == 0]


def _missing(reader: Reader, view: Rectified, spots: Sequence[Candidate]) -> list[Place]:
    """Places that neither network sees a tile on."""
    states = reader.look_at(view, spots).states
    seen = zip(spots, states, strict=True)
    return [str(spot.place) for spot, state in seen if spot.found is None and state.argmax() != 0]


def _reference(game: AnyGame, view: Rectified, spot: Candidate, piece: Piece) -> Reference:
    """The tile upright; whose it is only where its face tells."""
    turn = spot.turn_deg + 90 * (piece.facing or 0)
    owner = label_of(game, piece.tile, piece.owner, 0).split("|")[2]
    crop = cut(view, [(spot.x_mm, spot.y_mm)], [turn], game.catalogue.size_mm)[0]
    return Reference(piece.tile, owner or None, crop)


def _turns(catalogue: Catalogue, tile: str) -> dict[int, int]:
    """The quarter turns in which a reference is shown, and what each of them says of the tile."""
    if catalogue.shape == "disc" or tile == EMPTY or is_quartered(tile):
        return dict.fromkeys(range(4), 0)
    if catalogue.shape == "card":
        return {0: 0, 2: 2}
    turns = catalogue[tile].turns if tile in catalogue else 4
    return {turn: turn % turns for turn in range(4)}


def _most_different(embedded: Vectors, most: int) -> list[int]:
    """One after the other, always the one that is least like those before."""
    chosen = [0]
    nearest = embedded @ embedded[0]
    while len(chosen) < min(most, len(embedded)):
        chosen.append(int(nearest.argmin()))
        nearest = np.maximum(nearest, embedded @ embedded[chosen[-1]])
    return chosen


def _in_rows(spots: Sequence[Candidate], height_mm: float) -> list[Candidate]:
    """From the far left, row by row; a row is what lies no further down than half a tile from its first."""
    left, rows = sorted(spots, key=lambda spot: spot.y_mm), []
    while left:
        row = [spot for spot in left if spot.y_mm <= left[0].y_mm + height_mm / 2]
        left = [spot for spot in left if spot not in row]
        rows += sorted(row, key=lambda spot: spot.x_mm)
    return rows
