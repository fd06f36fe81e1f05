"""What Ctrl-C does while nothing of ours could answer to it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import current_thread, main_thread
from types import FrameType

_FATAL: ContextVar[bool] = ContextVar("_FATAL", default=False)
_ANSWERED: ContextVar[bool] = ContextVar("_ANSWERED", default=False)


@contextmanager
def plain_interrupts() -> Iterator[None]:
    """Ctrl-C ends the process, as it would any other program's (unless it is ignored altogether)."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is not signal.default_int_handler or current_thread() is not main_thread():
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


@contextmanager
def late_interrupts() -> Iterator[None]:
    """Ctrl-C waits until the end of this context: what is done in it must be done whole.

    The main thread alone is interrupted by Python, others need no such thing.
    """
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler) or current_thread() is not main_thread():
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if came:
            handler(*came[0])


@contextmanager
def answered_interrupts() -> Iterator[None]:
    """Within this context Ctrl-C is answered at once while a SAT solver works: it works in a fork of this process.

    For programs with a single thread, such as the command line; a fork of a library's process may cost a lot.
    """
    token = _ANSWERED.set(hasattr(os, "fork"))
    try:
        yield
    finally:
        _ANSWERED.reset(token)


def answered() -> bool:
    """Are SAT solvers to work in a fork of this process?"""
    return _ANSWERED.get()


@contextmanager
def fatal_interrupts() -> Iterator[None]:
    """As ``answered_interrupts``; and Ctrl-C may end the process while compiled code is loaded: nothing else can.

    For programs that end anyway and lose nothing by it, such as the command line. A library must not.
    """
    token = _FATAL.set(True)
    try:
        with answered_interrupts():
            yield
    finally:
        _FATAL.reset(token)


def fatal() -> bool:
    """May Ctrl-C end the process?"""
    return _FATAL.get()


@contextmanager
def loading() -> Iterator[None]:
    """What Ctrl-C does while compiled code is loaded or made: the end of the process, where that is allowed.

    numba and LLVM call back into Python at that time, and an exception raised there is printed and forgotten.
    """
    if not fatal():
        yield
        return
    with plain_interrupts():
        yield
