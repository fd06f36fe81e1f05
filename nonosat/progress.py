"""A line on the terminal that says how far a long run is.

Most solvers hold Python's global lock while they solve, so that no thread of this process could draw it: a forked
child does. It must be started before numpy is imported (forking a process with threads is asking for trouble).
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_FIRST_S = 0.7
_EVERY_S = 0.2


@contextmanager
def ticker() -> Iterator[Callable[[str], None]]:
    """Shows the last text that it was called with, and the time, on stderr; does nothing if that is no terminal."""
    if not sys.stderr.isatty() or not hasattr(os, "fork"):
        yield lambda text: None
        return
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent answers to it, and its end closes the pipe
            os.close(writer)
            _draw(reader)
        finally:
            os._exit(0)
    os.close(reader)
    try:
        yield lambda text: _send(writer, text)
    finally:
        os.close(writer)
        os.waitpid(child, 0)


def _send(writer: int, text: str) -> None:
    os.write(writer, (text.replace("\n", " ")[:200] + "\n").encode())


def _draw(reader: int) -> None:
    begin, text, drawn = time.monotonic(), "", False
    while True:
        ready, _, _ = select.select([reader], [], [], _EVERY_S)
        if ready:
            data = os.read(reader, 1 << 16)
            if not data:
                break
            text = data.decode().rstrip("\n").rpartition("\n")[2]
        seconds = time.monotonic() - begin
        if seconds >= _FIRST_S:
            os.write(2, f"\r\x1b[K{text} · {seconds:.0f} s".encode())
            drawn = True
            if ready:
                time.sleep(_EVERY_S)  # a stream of news must not become a stream of drawing
    if drawn:
        os.write(2, b"\r\x1b[K")
