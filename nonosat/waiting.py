"""What this process waits for that no search tells of, such as native code that is compiled, and who hears of it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

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
