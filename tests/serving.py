"""The page as its command starts it, in a process of its own."""

import re
import signal
import subprocess
import sys
from contextlib import contextmanager


@contextmanager
def served(environment, *words):
    """The address of the page, and a list in which is found, once it was stopped, what it said as an error."""
    serving = subprocess.Popen(
        [sys.executable, "-m", "companion", "serve", *words],
        env={**environment, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    said = []
    try:
        yield next(found[0] for line in serving.stdout if (found := re.search(r"http://127\S+/", line))), said
    finally:
        serving.send_signal(signal.SIGTERM)
        said.append(serving.communicate(timeout=20)[1])
