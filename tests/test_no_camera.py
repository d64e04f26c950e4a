"""Without a camera above the table a phone's photo is read all the same."""

import cv2
import pytest

from companion.cli.watch import reader_of
from companion.eyes import CannotSee
from tests.test_reading import shot
from vision.eyes import TableEyes
from vision.no_camera import NoCamera


def test_a_photo_is_read_and_everything_else_says_that_there_is_no_picture():
    eyes = TableEyes("none", NoCamera(), reader_of)
    pixels, layout, _ = shot("zhizhu", clutter=0)
    jpeg = cv2.imencode(".jpg", pixels)[1].tobytes()
    assert dict(eyes.read_photo(jpeg, "zhizhu").seen) == dict(layout)
    assert eyes.crop("a1") is None
    for asked in (eyes.picture, eyes.view, eyes.look_again, eyes.calibrate):
        with pytest.raises(CannotSee):
            asked()
