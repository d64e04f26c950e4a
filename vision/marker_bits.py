"""Writes ``companion/markers.toml``, the bits of the printed markers, from OpenCV's dictionary."""

import sys

import cv2

DICTIONARY = cv2.aruco.DICT_4X4_50


def marker_bits() -> str:
    """The text of ``companion/markers.toml``: four rows of four for each marker, 1 is white."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    lines = [
        "# ArUco's DICT_4X4_50, rows from the top, 1 is white; a black border of one module goes around it.",
        "# Made by `python -m vision.marker_bits > companion/markers.toml`.",
        'dictionary = "DICT_4X4_50"',
        "",
        "[bits]",
    ]
    for number in range(dictionary.bytesList.shape[0]):
        inside = cv2.aruco.generateImageMarker(dictionary, number, 6)[1:-1, 1:-1]
        lines.append(f'{number} = "{" ".join("".join("01"[bool(bit)] for bit in row) for row in inside)}"')
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(marker_bits())
