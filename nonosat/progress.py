"""A line on the terminal that shows the progress of a long run.

Most solvers hold Python's global lock while they solve, so no thread of this process could draw the line: a forked
child draws it. Fork it before numpy is imported; forking a process with threads may deadlock.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator

# Announcements of what this process waits for and no search reports, such as native code that is compiled.


_listeners: list[Callable[[str], None]] = []


@contextlib.contextmanager
def listening(listener: Callable[[str], None]) -> Iterator[None]:
    """Announcements in this context go to ``listener``."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def announce(what: str) -> None:
    """Announce what is waited for to the last listener; without one on standard error, if that is a terminal."""
    if _listeners:
        _listeners[-1](what)
    elif sys.stderr is not None and sys.stderr.isatty():
        print(what, file=sys.stderr, flush=True)


_noticed: set[str] = set()
_of_a_run = False


def notice(what: str) -> None:
    """Write a line to standard error, once a process; in a process of a run, where none is read, announce it."""
    if what not in _noticed:
        _noticed.add(what)
        if _of_a_run:
            announce(what)
        elif sys.stderr is not None:
            print(what, file=sys.stderr, flush=True)


def in_a_run() -> None:
    """Declare that this process, and each fork of it, carries out a run for another process."""
    global _of_a_run
    _of_a_run = True


_FIRST_S = 0.7
_EVERY_S = 0.2
_PATIENCE_S = 1.0
_ERASE = b"\r\x1b[K"


class Ticker:
    """Shows the last text that it was called with, and the time, on stderr. Without a terminal it does nothing."""

    def __init__(self) -> None:
        self._child, self._news, self._done = 0, -1, -1
        if sys.stderr is None or not sys.stderr.isatty() or not hasattr(os, "fork"):
            return
        reader, self._news = os.pipe()
        self._done, ack = os.pipe()
        self._child = os.fork()
        if self._child == 0:
            try:
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent answers to it, and its end closes the pipe
                os.close(self._news)
                os.close(self._done)
                _draw(reader, ack)
            finally:
                os._exit(0)
        os.close(reader)
        os.close(ack)

    def __call__(self, text: str) -> None:
        """Show ``text`` from now on."""
        self._send(text.replace("\n", " ")[:200] or " ")

    def hide(self) -> None:
        """Erase the line, so that something else can be printed; return when that is done."""
        if self._send("") and select.select([self._done], [], [], _PATIENCE_S)[0]:
            os.read(self._done, 1)

    def close(self) -> None:
        """Erase the line for good."""
        if self._child:
            for fd in (self._news, self._done):
                os.close(fd)
            os.waitpid(self._child, 0)
            self._child = 0

    def _send(self, text: str) -> bool:
        if not self._child:
            return False
        try:
            os.write(self._news, (text + "\n").encode())
        except BrokenPipeError:  # the child was killed: a run goes on without its progress
            return False
        return True


@contextlib.contextmanager
def ticker() -> Iterator[Ticker]:
    """A ``Ticker`` that is closed at the end."""
    show = Ticker()
    try:
        with listening(show):
            yield show
    finally:
        show.close()


def _draw(reader: int, ack: int) -> None:
    """The child's loop. An empty line on ``reader`` erases what is drawn; so does the end of ``reader``."""
    begin, text, drawn = time.monotonic(), "", False
    while True:
        ready, _, _ = select.select([reader], [], [], _EVERY_S)
        if ready:
            data = os.read(reader, 1 << 16)
            lines = data.decode(errors="replace").split("\n")[:-1]
            if not data or "" in lines:
                if drawn:
                    os.write(2, _ERASE)
                    drawn = False
                if not data:
                    return
                os.write(ack, b"." * lines.count(""))
            if lines:
                text = lines[-1]
        if text and time.monotonic() - begin >= _FIRST_S:
            os.write(2, _ERASE + f"{text} · {time.monotonic() - begin:.0f} s".encode())
            drawn = True
