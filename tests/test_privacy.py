"""Nothing leaves the table: what a library would count about its use is not even begun."""

import os
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).parent.parent


def test_a_network_that_is_run_leaves_nothing_in_the_home(tmp_path):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORT_"))}
    run = "from vision.locate import session; session('finder', 1)"
    subprocess.run([sys.executable, "-c", run], cwd=TOP, env={**environment, "HOME": str(tmp_path)}, check=True)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
