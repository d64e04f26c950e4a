"""The table: points, whose turn it is, the board, the camera and the last moves; and the same for a TV."""

from flask import Blueprint, render_template
from segno import make as make_qr

from web.house import house
from web.roles import Role, open_to, viewer
from web.stream import parts

pages = Blueprint("table", __name__)


@pages.get("/")
@open_to(Role.SPECTATOR)
def table() -> str:
    now, who = house().table.now, viewer()
    return render_template("table.html", parts=parts(now, who), now=now, page="table")


@pages.get("/tv")
@open_to(Role.SPECTATOR)
def tv() -> str:
    now, who = house().table.now, viewer()
    address = house().addresses[0]
    return render_template("tv.html", parts=parts(now, who, tv=True), now=now, address=address, qr=qr_code(address))


@pages.get("/more")
@open_to(Role.SPECTATOR)
def more() -> str:
    return render_template("more.html", page="more")


def qr_code(address: str) -> str:
    """A QR code as SVG that takes the colours of the page."""
    return make_qr(address, error="m").svg_inline(scale=4, border=2, dark="#1e2230", light="#ffffff", omitsize=True)
