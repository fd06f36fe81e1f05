"""What a measurement was made on, in one line. Only what is named here is ever told of a machine."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def machine() -> str:
    """The processor, its cores and memory, and the Python: ``Intel(R) Xeon(R), 2 cores, 24 GiB, CPython 3.11.7``."""
    parts = [cpu_model(), f"{os.cpu_count()} cores"]
    if (memory := memory_gib()) is not None:
        parts.append(f"{memory:.0f} GiB")
    return ", ".join((*parts, python()))


def python() -> str:
    """Which Python this is: ``CPython 3.11.7``."""
    return f"{platform.python_implementation()} {platform.python_version()}"


def cpu_model() -> str:
    """As Linux tells it; elsewhere as Python does."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    for line in lines:
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return " ".join(value.split())
    return platform.processor() or platform.machine()


def memory_gib() -> float | None:
    """Physical memory."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    except (ValueError, OSError, AttributeError):
        return None
