import pytest

from companion.animals import ORDER, outline
from companion.art import drawing


def _drawn(name, **tones):
    return drawing(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{outline(name, **tones)}</svg>')


@pytest.mark.parametrize("name", ORDER)
def test_every_animal_is_drawn(name):
    assert len(_drawn(name).shapes) > 5


@pytest.mark.parametrize("name", ORDER)
def test_a_painted_animal_has_the_same_shapes_in_other_colours(name):
    plain, painted = _drawn(name), _drawn(name, body="#00ff00", dark="#000000")
    assert len(plain.shapes) == len(painted.shapes)
    assert "#00ff00" in {shape.colour for shape in painted.shapes}
    assert "#1e2230" not in {shape.colour for shape in painted.shapes}


def test_two_tones_may_trade_their_colours():
    traded = _drawn("pig", body="#e0685a", warm="#8a93a3")
    plain = _drawn("pig")
    assert [shape.colour for shape in traded.shapes] != [shape.colour for shape in plain.shapes]
    assert {shape.colour for shape in traded.shapes} == {shape.colour for shape in plain.shapes}
