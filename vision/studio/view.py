"""What the lens draws of a stage: from moment to moment only what changed is drawn anew."""

from dataclasses import dataclass, replace

from vision.frame import Pixels
from vision.studio.hands import Arm
from vision.studio.render import Laid, Studio
from vision.studio.sensor import softened
from vision.studio.setting import Setting
from vision.studio.stage import Stage


@dataclass(frozen=True, slots=True, eq=False)
class Resting:
    """A table without hands, as long as it looks the same: before light, under light, and through the lens."""

    looks: object
    laid: Laid
    sharp: Pixels
    soft: Pixels


class View:
    """A camera's pictures of a stage, at their full size or at a part of it."""

    def __init__(self, setting: Setting, share: float = 1.0) -> None:
        camera, sensor = setting.camera, setting.sensor
        size = (round(camera.size[0] * share), round(camera.size[1] * share))
        self.setting = replace(
            setting,
            camera=replace(camera, size=size, focal_px=camera.focal_px * share),
            sensor=replace(sensor, soft_px=sensor.soft_px * share),
        )
        self.studio = Studio(self.setting)
        self._share = share
        self._resting: Resting | None = None

    def drawn(self, stage: Stage, brightness: float) -> Pixels:
        """The stage as it is now, before the sensor."""
        table, held, arms = self.resting(stage, brightness), stage.held(), [self._smeared(arm) for arm in stage.arms()]
        if not held and not arms:
            return table.soft
        return softened(self.studio.with_hands(table.sharp, table.laid, held, arms, brightness), self.setting.sensor)

    def resting(self, stage: Stage, brightness: float) -> Resting:
        """What lies on the table."""
        looks = (stage.changes, brightness)
        if self._resting is None or self._resting.looks != looks:
            laid = self.studio.laid(stage.shot())
            sharp = self.studio.finished(laid, (), brightness)
            self._resting = Resting(looks, laid, sharp, softened(sharp, self.setting.sensor))
        return self._resting

    def _smeared(self, arm: Arm) -> Arm:
        """An arm smears over as many pixels less as the picture is smaller."""
        return replace(arm, smear_px=(arm.smear_px[0] * self._share, arm.smear_px[1] * self._share))
