"""Stands in for picamera2, as its manual says that it behaves: late controls, metadata, automatic light, faults.

Which sensor is attached and what is wrong with it stand in ``STANDIN_SENSOR`` and ``STANDIN_FAULT``.
"""

import json
import os
import time

import numpy as np
from libcamera import ColorSpace, controls

LATE = 8
"""A control acts so many pictures after it was set, at the latest: those in flight, and what the sensor takes."""
SWEEP = (0.0, 4.0, 8.0, 2.0, 1.0)
"""Where the lens goes before it comes to rest."""
LIGHT = {"ExposureTime": 12000, "AnalogueGain": 2.0, "ColourGains": (1.8, 1.5)}
"""What the automatic controls come to."""
TABLE_DIOPTRES = 1.6

_ALWAYS = {
    "AeEnable": (False, True, True),
    "AwbEnable": (False, True, None),
    "AnalogueGain": (1.0, 16.0, 1.0),
    "ColourGains": (0.0, 32.0, None),
    "ExposureTime": (1, 66666, 20000),
    "FrameDurationLimits": (33333, 120000, 33333),
    "NoiseReductionMode": (0, 4, 0),
    "ScalerCrop": ((0, 0, 64, 64), (0, 0, 65535, 65535), (0, 0, 65535, 65535)),
}
_LENS = {"AfMode": (0, 2, 0), "AfTrigger": (0, 1, 0), "LensPosition": (0.0, 32.0, 1.0)}


def _mode(size, fps, crop, depth):
    return {"size": size, "fps": fps, "crop_limits": crop, "bit_depth": depth, "exposure_limits": (9, 11767556, 20000)}


_IMX219, _IMX708, _IMX477, _IMX296 = (0, 0, 3280, 2464), (0, 0, 4608, 2592), (0, 0, 4056, 3040), (0, 0, 1456, 1088)
MODES = {
    "imx219": [
        _mode((640, 480), 206.65, (1000, 752, 1280, 960), 8),
        _mode((1640, 1232), 83.7, _IMX219, 8),
        _mode((1920, 1080), 47.57, (680, 692, 1920, 1080), 8),
        _mode((3280, 2464), 21.19, _IMX219, 8),
        _mode((640, 480), 103.33, (1000, 752, 1280, 960), 10),
        _mode((1640, 1232), 41.85, _IMX219, 10),
        _mode((1920, 1080), 47.57, (680, 692, 1920, 1080), 10),
        _mode((3280, 2464), 21.19, _IMX219, 10),
    ],
    "imx708": [
        _mode((1536, 864), 120.13, (768, 432, 3072, 1728), 10),
        _mode((2304, 1296), 56.03, _IMX708, 10),
        _mode((4608, 2592), 14.35, _IMX708, 10),
    ],
    "imx477": [
        _mode((1332, 990), 120.05, (696, 528, 2664, 1980), 10),
        _mode((2028, 1080), 50.03, (0, 440, 4056, 2160), 12),
        _mode((2028, 1520), 40.01, _IMX477, 12),
        _mode((4056, 3040), 10.0, _IMX477, 12),
    ],
    "imx296": [_mode((1456, 1088), 60.38, _IMX296, 10)],
}


def _sensor():
    return os.environ.get("STANDIN_SENSOR", "imx708")


def _fault():
    return os.environ.get("STANDIN_FAULT", "")


class Picamera2:
    """A camera of the Pi that is not there."""

    @staticmethod
    def global_camera_info():
        if _fault() == "none attached":
            return []
        return [{"Model": _sensor(), "Location": 2, "Rotation": 180, "Id": f"/base/i2c@1/{_sensor()}@1a", "Num": 0}]

    def __init__(self, camera_num=0, verbose_console=None, tuning=None, allocator=None):
        assert tuning is None, "another tuning may leave lens shading uncorrected"
        if _fault() == "in use":
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.started = False
        self._kind = _sensor().split("_")[0]
        self._configuration = {}
        self._acting = {"ExposureTime": 20000, "AnalogueGain": 1.0, "ColourGains": (1.0, 1.0), "LensPosition": 1.0}
        self._automatic = {"AeEnable": True, "AwbEnable": True}
        self._af_state = controls.AfStateEnum.Idle
        self._coming = []
        self._frame = 0
        self._due = 0.0

    @property
    def camera_properties(self):
        return {"Model": _sensor(), "PixelArraySize": MODES[self._kind][-1]["size"]}

    @property
    def camera_controls(self):
        return _ALWAYS | (_LENS if self._kind == "imx708" else {})

    @property
    def sensor_modes(self):
        assert not self.started, "reading the modes configures the camera anew"
        time.sleep(0.05)
        return MODES[self._kind]

    def create_video_configuration(
        self,
        main={},  # noqa: B006 - as it is there
        lores=None,
        raw={},  # noqa: B006
        transform=None,
        colour_space=None,
        buffer_count=6,
        controls={},  # noqa: B006
        display="main",
        encode="main",
        queue=True,
        sensor={},  # noqa: B006
        use_case="video",
    ):
        assert isinstance(colour_space, ColorSpace)
        assert set(sensor) <= {"output_size", "bit_depth"}
        return {"main": main, "lores": lores, "controls": controls, "sensor": sensor, "buffer_count": buffer_count}

    def configure(self, camera_config=None):
        for name in ("main", "lores"):
            size = camera_config[name]["size"]
            if type(size) is not tuple or size[0] % 2 or size[1] % 2:
                raise RuntimeError("width and height should be even")
        if camera_config["lores"]["size"] > camera_config["main"]["size"]:
            raise RuntimeError("lores stream dimensions may not exceed main stream")
        if _fault() == "little memory" and camera_config["sensor"]["output_size"][0] > 3000:
            raise OSError(12, "Cannot allocate memory")
        self._configuration = camera_config
        self._take_now(self._checked(camera_config["controls"]))

    def stream_configuration(self, name="main"):
        return self._configuration[name]

    def start(self, config=None, show_preview=False):
        assert config is None
        assert self._configuration
        self.started, self._due = True, time.monotonic() + 0.1

    def stop(self):
        if _fault() == "stop never returns":
            time.sleep(600)
        self.started = False

    def close(self):
        self.stop()

    def set_controls(self, controls):
        self._coming.append((self._frame + LATE, self._checked(controls)))

    def capture_request(self, wait=None, signal_function=None, flush=None):
        self._next()
        return CompletedRequest(self._configuration, self._metadata(), self._frame)

    def capture_metadata(self, wait=None, signal_function=None):
        self._next()
        return self._metadata()

    def _checked(self, wanted):
        for name in wanted:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        _note(wanted)
        return wanted

    def _take_now(self, wanted):
        for name in self._automatic:
            self._automatic[name] = wanted.get(name, self._automatic[name])
        self._acting |= {name: value for name, value in wanted.items() if name in self._acting and value}
        if "AfMode" in wanted:
            assert isinstance(wanted["AfMode"], controls.AfModeEnum)
        if wanted.get("AfTrigger") is controls.AfTriggerEnum.Start:
            assert wanted["AfMode"] is controls.AfModeEnum.Auto, "only then does a trigger act"
            self._af_state = controls.AfStateEnum.Scanning
            self._sweep = iter(SWEEP * (10 if _fault() == "slow focus" else 1))

    def _next(self):
        """Wait for the next picture."""
        assert self.started
        if self._frame == 8 and _fault() in ("capture hangs", "stop never returns"):
            time.sleep(600)
        if self._frame == 8 and _fault() == "crashes":
            os.abort()
        self._frame += 1
        self._due = max(self._due + self._configuration["controls"]["FrameDurationLimits"][0] / 1e6, time.monotonic())
        time.sleep(max(0.0, self._due - time.monotonic()))
        for acts, wanted in [coming for coming in self._coming if coming[0] <= self._frame]:
            self._take_now(wanted)
            self._coming.remove((acts, wanted))
        self._adapt()
        self._move_lens()

    def _move_lens(self):
        """A step of the sweep, and at its end what came of it."""
        if self._af_state is controls.AfStateEnum.Scanning:
            self._acting["LensPosition"] = next(self._sweep, TABLE_DIOPTRES)
            if self._acting["LensPosition"] == TABLE_DIOPTRES:
                failed = _fault() == "no focus"
                self._af_state = controls.AfStateEnum.Failed if failed else controls.AfStateEnum.Focused

    def _adapt(self):
        """The automatic controls come nearer to what the light wants."""
        names = ["ExposureTime", "AnalogueGain"] if self._automatic["AeEnable"] else []
        for name in names:
            self._acting[name] += (LIGHT[name] - self._acting[name]) * 0.5
        if self._automatic["AwbEnable"]:
            pairs = zip(self._acting["ColourGains"], LIGHT["ColourGains"], strict=True)
            self._acting["ColourGains"] = tuple(gain + (goal - gain) * 0.5 for gain, goal in pairs)

    def _metadata(self):
        seen = self._acting | {"SensorTimestamp": time.monotonic_ns(), "Lux": 310.0, "ColourTemperature": 4100}
        seen["ExposureTime"] = int(seen["ExposureTime"]) // 14 * 14  # in whole lines of the sensor
        if self._kind != "imx708":
            del seen["LensPosition"]
        else:
            seen["AfState"] = int(self._af_state)
        return seen


class CompletedRequest:
    """A picture with its two streams; green in the full one, bright as it was exposed in the small one."""

    def __init__(self, configuration, metadata, number):
        self._configuration, self._seen = configuration, metadata
        self._released = False

    def get_metadata(self):
        return dict(self._seen)

    def make_array(self, name):
        assert not self._released
        width, height = self._configuration[name]["size"]
        if name == "main":
            return np.tile(np.array([10, 200, 30], np.uint8), (height, width, 1))  # B, G, R
        stride = -(-width // 64) * 64
        planes = np.full((height * 3 // 2, stride), 128, np.uint8)
        planes[:height] = min(235, self._seen["ExposureTime"] * self._seen["AnalogueGain"] / 200)
        return planes

    def release(self):
        assert not self._released
        self._released = True


def _note(wanted):
    """Write down which controls were set, for the test to read."""
    if file := os.environ.get("STANDIN_NOTES"):
        with open(file, "a", encoding="utf-8") as notes:
            notes.write(json.dumps(wanted, default=str) + "\n")
