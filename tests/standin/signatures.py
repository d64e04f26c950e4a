"""What of picamera2 the Pi's worker calls, as the real package declares it: keeps the stand-in honest.

``python -m tests.standin.signatures FOLDER`` writes the list from an unpacked picamera2; nothing is imported.
"""

import ast
import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
LIST = HERE / "signatures.json"
USED = {
    "Picamera2": [
        "__init__",
        "camera_controls",
        "camera_properties",
        "capture_metadata",
        "capture_request",
        "close",
        "configure",
        "create_video_configuration",
        "global_camera_info",
        "sensor_modes",
        "set_controls",
        "start",
        "stop",
        "stream_configuration",
    ],
    "CompletedRequest": ["get_metadata", "make_array", "release"],
}


def signatures(*files):
    """The used functions with the names of their arguments; ``=`` marks one that may be left out."""
    found = {}
    for file in files:
        for kind in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(kind, ast.ClassDef) and kind.name in USED:
                for function in kind.body:
                    if isinstance(function, ast.FunctionDef) and function.name in USED[kind.name]:
                        found[f"{kind.name}.{function.name}"] = _written(function)
    return found


def _written(function):
    given = function.args.args
    needed = len(given) - len(function.args.defaults)
    arguments = [f"{argument.arg}{'=' * (place >= needed)}" for place, argument in enumerate(given)]
    kinds = [mark.id for mark in function.decorator_list if isinstance(mark, ast.Name) and mark.id != "overload"]
    return " ".join([*kinds, f"({', '.join(arguments)})"])


def real(folder):
    return signatures(folder / "picamera2.py", folder / "request.py")


if __name__ == "__main__":
    LIST.write_text(json.dumps(real(Path(sys.argv[1])), indent=2, sort_keys=True) + "\n", encoding="utf-8")
