"""Processes that were started under a test and are still there, told by a mark in their environment."""

from __future__ import annotations

import contextlib
import os
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

from nonosat.runs import isolation

NAME, VALUE = "NONOSAT_TEST_MARK", uuid.uuid4().hex


@contextlib.contextmanager
def marked() -> Iterator[None]:
    """Every process that is started meanwhile carries the mark."""
    isolation.POOL.close()
    os.environ[NAME] = VALUE
    yield
    isolation.POOL.close()
    del os.environ[NAME]


def strays() -> list[int]:
    """Processes with the mark that are not an idle zygote."""
    idle = {zygote.process.pid for zygote in isolation.POOL.idle}
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            mark = f"{NAME}={VALUE}".encode()
            if mark in (path / "environ").read_bytes() and int(path.name) not in idle | {os.getpid()}:
                found.append(int(path.name))
    return found


def settled(condition: Callable[[], bool], within_s: float = 120.0) -> bool:
    """Wait until ``condition`` holds; the time-out only ends what hangs."""
    until = time.monotonic() + within_s
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)
    return condition()
