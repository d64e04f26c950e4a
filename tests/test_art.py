import math

import pytest

from companion.art import Area, Line, Words, drawing


def _svg(inside, box="0 0 10 10"):
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{inside}</svg>'


def _size(outline):
    return (
        abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(outline, outline[1:] + outline[:1], strict=True))) / 2
    )


def test_shapes_come_lowest_first_in_millimetres():
    read = drawing(
        _svg('<rect width="4" height="2" fill="#ff0000"/><line x1="0" y1="0" x2="3" y2="4" stroke="#00ff00"/>')
    )
    assert (read.width, read.height) == (10, 10)
    assert [type(shape) for shape in read.shapes] == [Area, Line]
    assert _size(read.shapes[0].outlines[0]) == 8
    assert read.shapes[1].points == ((0, 0), (3, 4))


def test_groups_pass_on_colour_and_place():
    inside = '<g transform="translate(5 5) rotate(90) scale(2)" fill="#123456"><polygon points="0,0 1,0 1,1"/></g>'
    (area,) = drawing(_svg(inside)).shapes
    assert area.colour == "#123456"
    assert [(round(x, 6), round(y, 6)) for x, y in area.outlines[0]] == [(5, 5), (5, 7), (3, 7)]


@pytest.mark.parametrize(
    ("path", "size"),
    [
        ("M0 0h4v4h-4z", 16),
        ("M0,0 L4,0 4,4 0,4 Z", 16),
        ("M3 5 A2 2 0 1 1 7 5 A2 2 0 1 1 3 5 Z", math.pi * 4),
        ("M0 5 C0 2.2386 2.2386 0 5 0 S10 2.2386 10 5 7.7614 10 5 10 0 7.7614 0 5Z", math.pi * 25),
        ("M0 0 Q5 10 10 0 Z", 2 / 3 * 10 * 5),
    ],
)
def test_paths_enclose_what_they_should(path, size):
    (area,) = drawing(_svg(f'<path d="{path}"/>')).shapes
    assert _size(area.outlines[0]) == pytest.approx(size, rel=0.02)


def test_a_path_of_two_outlines_is_one_area_with_a_hole():
    (area,) = drawing(_svg('<path d="M0 0h9v9h-9zM3 3h3v3h-3z"/>')).shapes
    assert len(area.outlines) == 2


def test_words_keep_their_anchor_size_and_angle():
    text = '<text x="5" y="5" font-size="3" text-anchor="middle" font-weight="bold">Ox</text>'
    (words,) = drawing(_svg(f'<g transform="rotate(90 5 5)">{text}</g>')).shapes
    assert words == Words((5.0, 5.0), "Ox", 3.0, "#000000", "middle", True, 90.0)


@pytest.mark.parametrize(
    "inside",
    [
        '<use href="#a"/>',
        '<rect fill="red" width="1" height="1"/>',
        '<g style="fill:#000000"/>',
        '<g transform="skewX(3)"/>',
    ],
)
def test_what_not_every_drawer_can_show_is_refused(inside):
    with pytest.raises(ValueError, match=r"drawings|colour"):
        drawing(_svg(inside))
