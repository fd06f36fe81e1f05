"""Compiled code run in a process of its own, in which every index is checked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def checked(code: str) -> None:
    """Run ``code``, which may import what is in this folder; it must end by printing "fine"."""
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "PYTHONPATH": str(Path(__file__).parent)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout == "fine\n", done.stderr
