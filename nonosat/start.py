"""Where the command starts. Until its main function is reached, Ctrl-C ends the process at once and without a word.

An interrupt in the middle of an import leaves a traceback at best; there is nothing yet to report or to lose.
"""

from __future__ import annotations

from typing import NoReturn

from nonosat.interrupts import plain_interrupts


def run() -> NoReturn:
    """The console script ``nonosat``."""
    with plain_interrupts():
        from nonosat.cli.main import main
    main()
