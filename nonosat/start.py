"""Where the command starts. Until ``run`` is reached, and while a solver is imported, Ctrl-C ends the process at once.

An interrupt in the middle of an import leaves a traceback at best; there is nothing yet that could be told or lost.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


@contextmanager
def plain_interrupts() -> Iterator[None]:
    """Ctrl-C ends the process, as it would any other program's (unless it is ignored altogether)."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def run() -> NoReturn:
    """The console script ``nonosat``."""
    with plain_interrupts():
        from nonosat.cli import main
    main()
