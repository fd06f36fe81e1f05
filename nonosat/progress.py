"""A line on the terminal that says how far a long run is.

Most solvers hold Python's global lock while they solve, so that no thread of this process could draw it: a forked
child does. It must be started before numpy is imported (forking a process with threads is asking for trouble).
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator

# What this process waits for that no search tells of, such as native code that is compiled, and who hears of it.


_listeners: list[Callable[[str], None]] = []


@contextlib.contextmanager
def listening(listener: Callable[[str], None]) -> Iterator[None]:
    """``listener`` hears what is told within this context."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def tell(what: str) -> None:
    """Tell what is waited for to who came last; with nobody there to standard error, if somebody looks at it."""
    if _listeners:
        _listeners[-1](what)
    elif sys.stderr is not None and sys.stderr.isatty():
        print(what, file=sys.stderr, flush=True)


_noticed: set[str] = set()
_of_a_run = False


def notice(what: str) -> None:
    """Write a line to standard error, once a process; in a process of a run, where none is read, ``tell`` it."""
    if what not in _noticed:
        _noticed.add(what)
        if _of_a_run:
            tell(what)
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
    """Shows the last text that it was called with, and the time, on stderr; without a terminal it does nothing."""

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
        """Erase the line, and come back when that is done: something else is to be printed."""
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
        except BrokenPipeError:  # somebody ended the child: a run does not end for want of its progress
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
    """The child: an empty line of news asks to erase; the end of the news too."""
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
