"""What pages load: styles, modules, icons and the faces of tiles; all from here, nothing from outside."""

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

from flask import Blueprint, Response, abort, current_app, jsonify, request

from companion.registry import game_named, games
from web.house import house
from web.roles import Role, open_to, say

pages = Blueprint("assets", __name__)

FOLDER = Path(__file__).parent.parent / "static"
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png"}
_TILE = re.compile(r"[\w!/-]{1,40}", re.ASCII)
"""What the names of tiles are written with; nothing that leads out of a folder."""
FOR_EVER = "public, max-age=31536000, immutable"


@cache
def built() -> str:
    """A word that changes whenever anything that pages load does."""
    art = (file for game in games().values() for file in sorted(game.folder.glob("art/*.svg")))
    digest = sha256()
    for name, held in sorted(_files().items()):
        digest.update(name.encode() + held)
    for file in art:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


@pages.get("/static/<built>/<name>")
@open_to(Role.SPECTATOR)
def static(built: str, name: str) -> Response:
    if name not in _files():
        abort(404)
    answer = Response(_files()[name], mimetype=KINDS[Path(name).suffix])
    if built == current_app.config["BUILT"]:
        answer.headers["Cache-Control"] = FOR_EVER
    return answer


@pages.get("/faces/<game>")
@open_to(Role.SPECTATOR)
def face(game: str) -> Response:
    """The face of a tile; an SVG that may load nothing."""
    tile = request.args.get("tile", "")
    if not _TILE.fullmatch(tile):
        abort(404)
    try:
        drawn = _face(game, tile, request.args.get("owner", "") or None)
    except (LookupError, ValueError, OSError):
        abort(404)
    return Response(drawn, mimetype="image/svg+xml", headers={"Cache-Control": "public, max-age=86400"})


@pages.get("/favicon.ico")
@open_to(Role.SPECTATOR)
def favicon() -> Response:
    return Response(_files()["icon-192.png"], mimetype="image/png", headers={"Cache-Control": "public, max-age=86400"})


@pages.get("/manifest.webmanifest")
@open_to(Role.SPECTATOR)
def manifest() -> Response:
    """What a browser needs to put the page on a home screen."""
    held = house().settings.now.name or say("app.name")
    folder = f"/static/{current_app.config['BUILT']}"
    icons = [
        {"src": f"{folder}/icon-192.png", "sizes": "192x192", "type": "image/png"},
        {"src": f"{folder}/icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "any maskable"},
    ]
    answer = jsonify(
        name=held,
        short_name=say("app.name"),
        start_url="/",
        display="standalone",
        background_color="#f7f1e3",
        theme_color="#1e2230",
        icons=icons,
    )
    answer.mimetype = "application/manifest+json"
    return answer


@cache
def _files() -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in FOLDER.iterdir() if file.suffix in KINDS}


@cache
def _face(name: str, tile: str, owner: str | None) -> str:
    game = game_named(name)
    if game.face is None:
        raise KeyError(tile)
    if owner is not None and owner not in {seat for seats in game.seats.values() for seat in seats}:
        raise KeyError(owner)
    return game.face(tile, owner)
