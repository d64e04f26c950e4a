"""ZU Tiles: the effects, one small function a tile, in a file a creature; every file here is found by being here."""

import importlib
import pkgutil

for _file in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_file.name}")
