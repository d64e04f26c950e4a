"""Learns a player's own tiles from photos or from pictures of their faces, without any training."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

import cv2
import numpy as np

from companion.game import AnyGame, Unreadable
from companion.table import Piece, Place
from companion.tiles import Catalogue
from vision.crops import FACE, SIDE
from vision.frame import Frame, Pixels
from vision.gallery import Gallery, Name, Vectors
from vision.names import EMPTY
from vision.plane import Plane
from vision.reader import Candidate, Reader
from vision.sets import Reference

Embed = Callable[[Pixels], tuple[Vectors, Any]]
"""An `Embedder`, or a reader's own."""
CLOSE = 0.96
"""Two tiles nearer than this, as a cosine, are as much alike as two photos of one tile: they will be mixed up."""
_SHARPNESS = 70.0
"""References from the same camera and lamp are nearer than a printed set's: smaller distances tell tiles apart."""
_FREE = 24
"""So many of the free places of a photo are kept, the most different ones."""


def laid_in_order(game: AnyGame, pieces: Sequence[Piece]) -> dict[Place, Piece]:
    """Where tiles are asked to lie on a board: on its first places, in the order of the board."""
    places = list(game.board.places)
    if len(pieces) > len(places):
        raise Unreadable(f"{game.title} has {len(places)} places: lay {len(pieces)} tiles in several photos", "names")
    return dict(zip(places, pieces, strict=False))


def learn(reader: Reader, frame: Frame, plane: Plane, laid: Mapping[Place, Piece]) -> list[Reference]:
    """References from a photo of a board whose tiles are known by place; its other places show what free ones are."""
    view = reader.view(frame, plane)
    spots = [spot for spot in reader.candidates(view, plane, None)[0] if spot.place is not None]
    if unknown := laid.keys() - {spot.place for spot in spots}:
        raise Unreadable(f"{reader.game.title} has no place {', '.join(sorted(unknown))}", "names")
    crops = reader.crops(view, spots)
    known = [
        _reference(laid[str(spot.place)], crop) for spot, crop in zip(spots, crops, strict=True) if spot.place in laid
    ]
    free = np.stack([crop for spot, crop in zip(spots, crops, strict=True) if spot.place not in laid] or [crops[0]])
    if len(spots) == len(laid):
        return known
    embedded, _ = reader.embed(free)
    return known + [Reference(EMPTY, None, free[i]) for i in _most_different(embedded, _FREE)]


def learn_in_order(reader: Reader, frame: Frame, plane: Plane, pieces: Sequence[Piece]) -> list[Reference]:
    """References from a photo of tiles laid in rows on a table without a board: from the far left, row by row."""
    view = reader.view(frame, plane)
    spots = [spot for spot in reader.candidates(view, plane, None)[0] if spot.found is not None]
    if len(spots) != len(pieces):
        raise Unreadable(
            f"{len(spots)} tiles are to be seen and {len(pieces)} were named: lay just these in rows, "
            "clear of each other, or name them with --names",
            "names",
        )
    ordered = _in_rows(spots, min(reader.game.catalogue.size_mm))
    return [_reference(piece, crop) for piece, crop in zip(pieces, reader.crops(view, ordered), strict=True)]


def learn_face(face: Pixels, piece: Piece) -> Reference:
    """A reference from a clean picture of a face, such as a scan, on ground like the paper's edge."""
    shrunk = cv2.resize(face, (FACE, FACE), interpolation=cv2.INTER_AREA)
    rim = (SIDE - FACE) // 2
    return _reference(piece, cv2.copyMakeBorder(shrunk, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=_GROUND))


_GROUND = (150, 150, 150)


def gallery_of(references: Sequence[Reference], catalogue: Catalogue, embed: Embed) -> Gallery:
    """The references in every turn in which a tile may lie."""
    names: list[Name] = []
    crops: list[Pixels] = []
    for reference in references:
        for turn in range(0, 4, 2 if catalogue.shape == "card" else 1):
            names.append(Name(reference.tile, reference.owner, turn % _turns(catalogue, reference.tile)))
            crops.append(np.rot90(reference.crop, -turn))
    if not crops:
        raise Unreadable("there is no reference in this set that can be used: enrol it again", "set")
    vectors, _ = embed(np.stack(crops))
    return Gallery(tuple(names), vectors, _SHARPNESS)


def too_close(gallery: Gallery) -> list[tuple[float, Name, Name]]:
    """Pairs of different tiles that will be taken for each other, the closest first."""
    tiles = sorted({(name.tile, name.owner or "") for name in gallery.names if name.tile != EMPTY})
    rows = {tile: [i for i, n in enumerate(gallery.names) if (n.tile, n.owner or "") == tile] for tile in tiles}
    near = gallery.vectors @ gallery.vectors.T
    pairs = [(float(near[np.ix_(rows[one], rows[two])].max()), one, two) for one, two in combinations(tiles, 2)]
    return [
        (cosine, Name(one[0], one[1] or None), Name(two[0], two[1] or None))
        for cosine, one, two in sorted(pairs, reverse=True)
        if cosine > CLOSE
    ]


def side_by_side(references: Sequence[Reference], names: Sequence[Name]) -> Pixels:
    """One picture of each of these tiles, in a row."""
    shown = [next(r.crop for r in references if (r.tile, r.owner) == (n.tile, n.owner)) for n in names]
    return sheet(shown, len(shown))


def sheet(crops: Sequence[Pixels], across: int = 8, larger: int = 2) -> Pixels:
    """Crops in rows on white."""
    side = larger * SIDE + 8
    page = np.full((side * -(-len(crops) // across) + 8, side * min(across, len(crops)) + 8, 3), 255, np.uint8)
    for i, crop in enumerate(crops):
        top, left = 8 + i // across * side, 8 + i % across * side
        enlarged = cv2.resize(crop, None, fx=larger, fy=larger, interpolation=cv2.INTER_CUBIC)
        page[top : top + larger * SIDE, left : left + larger * SIDE] = enlarged
    return page


def _reference(piece: Piece, crop: Pixels) -> Reference:
    """Upright: a tile that lay turned is turned back."""
    return Reference(piece.tile, piece.owner, np.ascontiguousarray(np.rot90(crop, piece.facing or 0)))


def _turns(catalogue: Catalogue, tile: str) -> int:
    if catalogue.shape == "disc" or tile == EMPTY:
        return 1
    return catalogue[tile].turns if tile in catalogue and catalogue.shape != "card" else 4


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
