"""The worker that holds a camera of the Raspberry Pi: a small stream to watch with, a full picture to read from.

It runs by itself under the system's Python, where ``python3-picamera2`` lives, and needs nothing of the companion
but `wire`, which is beside it and tells the protocol. Its commands:

``start``
    ``camera`` (its number), ``rate``, and if wished ``picture`` (the size of the full one) and ``locked`` (controls)
``still``
    the full picture, begun after the command, is put into the memory for it
``focus``
    the lens sweeps, stops where the table is sharpest and stays there
``lock``
    exposure and white balance stay as they are now
``unlock``
    the camera sees to both again
``status``
    the sensor, its mode and what it does
``stop``
    the end

It never guards against a call that does not return, since after a fault of the cable even ``stop()`` may not: its
owner kills it. It opens the camera with the sensor's own tuning, so lens shading stays corrected.
"""

from collections.abc import Iterator
from typing import Any

from wire import Gone, Owner, Picture, Refused, owner_from_arguments, serve

SENSORS = {
    "imx219": "Camera Module 2",
    "imx708": "Camera Module 3",
    "imx477": "HQ Camera",
    "imx296": "Global Shutter Camera",
}
WATCH_WIDTH = 1024
BUFFERS = 3
"""One is filled, one is waited for, one is copied; full pictures are too large for more."""
LATE = 8
"""A control acts so many pictures after it was set: some were begun before it, and the sensor takes its time."""
MOST_LATE = 30
"""After so many it will not act any more."""
MOST_SWEPT = 500
"""A lens above a plain table may take half a minute to sweep, at ten pictures a second."""
LIGHT = ("ExposureTime", "AnalogueGain", "ColourGains")
ACTING = (*LIGHT, "LensPosition")
"""The controls of which a picture tells with which values it was taken."""
STEADY = 5
"""So many pictures in a row alike, and the automatic controls have come to rest."""
MOST_UNSTEADY = 50

Words = dict[str, Any]


class PiCamera:
    """One camera from its start to its end."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner
        self._camera: Any = None
        self._sensor = ""
        self._mode: Words = {}
        self._rate = 10.0
        self._number = 0
        self._seen: Words = {}
        self._locked: Words = {}

    def start(self, command: Words) -> Words:
        self._rate = float(command["rate"])
        self._camera = _opened(int(command["camera"]))
        self._sensor = self._camera.camera_properties["Model"].split("_")[0]
        self._locked = command.get("locked", {})
        for mode in modes_by_worth(self._camera.sensor_modes, self._rate):
            try:
                self._run(mode, command.get("picture") or mode["size"])
            except (RuntimeError, OSError):
                continue  # A Pi with little memory may have room for a smaller mode.
            self._mode = mode
            return {}
        raise Gone("The Pi has too little memory for this camera: close other programs.")

    def picture(self) -> Picture:
        request = self._camera.capture_request()
        try:
            self._seen = request.get_metadata()
            planes = request.make_array("lores")
        finally:
            request.release()
        self._number += 1
        width, height = self._camera.stream_configuration("lores")["size"]
        return Picture(self._number, _taken(self._seen), width, height, planes.shape[1], "I420", planes.data)

    def still(self, command: Words) -> Words:
        request = self._camera.capture_request(flush=True)
        try:
            taken, rows = _taken(request.get_metadata()), request.make_array("main")
        finally:
            request.release()
        self._number += 1
        height, width = rows.shape[:2]
        # What picamera2 calls RGB888 lies as B, G, R in memory, which is what is wanted.
        self._owner.still.put(Picture(self._number, taken, width, height, 3 * width, "BGR", rows.data))
        return {"still": self._number}

    def focus(self, command: Words) -> Words:
        from libcamera import controls

        if not self._has_lens():
            raise Refused(
                "The {camera} has no motor: turn its lens by hand until the picture is sharp.", camera=self._name()
            )
        self._camera.set_controls({"AfMode": controls.AfModeEnum.Auto, "AfTrigger": controls.AfTriggerEnum.Start})
        position = self._swept()
        self._change({"AfMode": controls.AfModeEnum.Manual, "LensPosition": position})
        self._locked = {**self._locked, "LensPosition": position}
        return {"locked": self._locked}

    def lock(self, command: Words) -> Words:
        self._owner.say(busy="The camera is getting used to the light.")
        now = self._steady()
        held = {name: now[name] for name in LIGHT if name in now}
        self._change({"AeEnable": False, "AwbEnable": False, **held})
        self._locked = {**self._locked, **held}
        return {"locked": self._locked}

    def unlock(self, command: Words) -> Words:
        self._owner.say(busy="The camera is getting used to the light.")
        # Nought is how a time and a gain are given back; AeEnable alone does not do it with every libcamera.
        self._change({"AeEnable": True, "AwbEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0})
        self._steady()
        self._locked = {name: value for name, value in self._locked.items() if name == "LensPosition"}
        return {"locked": self._locked}

    def status(self, command: Words) -> Words:
        told = (*ACTING, "ColourTemperature", "Lux")
        return {
            "camera": self._name(),
            "sensor": self._sensor,
            "mode": self._mode["size"],
            "picture": self._camera.stream_configuration("main")["size"],
            "watch": self._camera.stream_configuration("lores")["size"],
            "rate": self._rate,
            "lens": self._has_lens(),
            "locked": self._locked,
            "now": {name: self._seen[name] for name in told if name in self._seen},
        }

    def stop(self) -> None:
        if self._camera is not None:
            self._camera.stop()
            self._camera.close()

    def _run(self, mode: Words, size: tuple[int, int]) -> None:
        from libcamera import ColorSpace

        width, height = size
        watch = min(WATCH_WIDTH, width)
        configuration = self._camera.create_video_configuration(
            main={"size": (width, height), "format": "RGB888"},
            lores={"size": (watch, watch * height // width // 2 * 2), "format": "YUV420"},
            colour_space=ColorSpace.Smpte170m(),  # the one that OpenCV takes I420 to be in
            buffer_count=BUFFERS,
            sensor={"output_size": mode["size"], "bit_depth": mode["bit_depth"]},
            controls=self._known({"FrameDurationLimits": (round(1e6 / self._rate),) * 2, **self._held()}),
        )
        self._camera.configure(configuration)
        self._camera.start()

    def _held(self) -> Words:
        """The controls as they were locked before this worker was started again."""
        from libcamera import controls

        held = {name: tuple(value) if isinstance(value, list) else value for name, value in self._locked.items()}
        if "ExposureTime" in held:
            held |= {"AeEnable": False, "AwbEnable": False}
        # Until it is locked the lens follows what it sees: on a blurred picture no table would ever be found.
        mode = controls.AfModeEnum
        return held | {"AfMode": mode.Manual if "LensPosition" in held else mode.Continuous}

    def _known(self, wanted: Words) -> Words:
        """Those controls that this sensor has: to set another one is an error."""
        return {name: value for name, value in wanted.items() if name in self._camera.camera_controls}

    def _change(self, wanted: Words) -> None:
        """Set controls, and pass over the pictures until they act."""
        wanted = self._known(wanted)
        self._camera.set_controls(wanted)
        for _ in range(LATE):
            self._camera.capture_metadata()
        for _ in range(MOST_LATE):
            seen = self._camera.capture_metadata()
            if all(_alike(seen[name], wanted[name]) for name in ACTING if wanted.get(name) and name in seen):
                return
        raise Refused("The camera does not take its settings: try again.")

    def _swept(self) -> float:
        """Where the lens comes to rest; ``autofocus_cycle`` would wait in silence, and be taken to hang."""
        from libcamera import controls

        state = controls.AfStateEnum
        scanning = False
        for _ in range(MOST_SWEPT):
            self._owner.say(busy="The camera is finding its focus.")
            seen = self._camera.capture_metadata()
            if scanning and seen["AfState"] == state.Focused:
                return float(seen["LensPosition"])
            if scanning and seen["AfState"] != state.Scanning:
                break
            scanning = seen["AfState"] == state.Scanning
        raise Refused("The camera finds no focus: lay the printed mat under its middle and give it more light.")

    def _steady(self) -> Words:
        """What the automatic controls have come to, when it stays the same for some pictures."""
        alike, last = 0, self._camera.capture_metadata()
        for _ in range(MOST_UNSTEADY):
            seen = self._camera.capture_metadata()
            alike = alike + 1 if all(map(_alike, _light(seen), _light(last))) else 0
            last = seen
            if alike == STEADY:
                break
        return dict(last)

    def _has_lens(self) -> bool:
        return all(name in self._camera.camera_controls for name in ("AfMode", "LensPosition"))

    def _name(self) -> str:
        return SENSORS.get(self._sensor, self._sensor)


def modes_by_worth(modes: list[Words], rate: float) -> list[Words]:
    """The modes that see all there is at this rate, the finest first; then slower ones."""
    modes = [mode for mode in modes if "crop_limits" in mode]
    widest = max(_area(mode["crop_limits"][2:]) for mode in modes)
    # Some modes cut a few rows off; they still see the whole table.
    whole = [mode for mode in modes if _area(mode["crop_limits"][2:]) > 0.95 * widest]
    return sorted(whole, key=lambda mode: (mode["fps"] < rate - 0.5, -_area(mode["size"]), -mode["bit_depth"]))


def _opened(number: int) -> Any:
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise Gone("picamera2 is missing ({error}): run sudo apt install python3-picamera2.", error=error) from None
    attached = [camera for camera in Picamera2.global_camera_info() if "/usb" not in camera["Id"]]
    if not attached:
        raise Gone("The Pi finds no camera: switch it off, push the ribbon cable in at both ends, and on again.")
    if number >= len(attached):
        raise Gone(
            "The Pi has no camera {number}: it finds {n}, and picamera: is the first.", number=number, n=len(attached)
        )
    try:
        return Picamera2(number)
    except RuntimeError as error:
        raise Gone("The Pi's camera cannot be opened ({error}): another program may hold it.", error=error) from None


def _taken(seen: Words) -> float:
    """When the sensor began with a picture, by the clock of `time.monotonic`."""
    return float(seen["SensorTimestamp"]) / 1e9


def _light(seen: Words) -> Iterator[float]:
    """What the automatic controls change: how much light is taken, and how much red and blue."""
    yield seen.get("ExposureTime", 1) * seen.get("AnalogueGain", 1.0)
    yield from seen.get("ColourGains", ())


def _alike(one: Any, other: Any) -> bool:
    """Whether two values of a control are the same but for how a sensor rounds them."""
    if isinstance(one, (tuple, list)):
        return all(map(_alike, one, other))
    return bool(abs(one - other) <= 0.02 * max(abs(one), abs(other)))


def _area(size: Any) -> int:
    return int(size[0] * size[1])


def main() -> None:
    owner = owner_from_arguments()
    camera = PiCamera(owner)
    names = ("start", "still", "focus", "lock", "unlock", "status")
    serve(owner, {name: getattr(camera, name) for name in names}, camera.picture)
    camera.stop()


if __name__ == "__main__":
    main()
