"""Where the command starts. Until its main function is reached, Ctrl-C ends the process at once and without a word.

An interrupt in the middle of an import leaves a traceback at best; there is nothing yet to report or to lose.
"""

from __future__ import annotations

import os
from typing import NoReturn

from nonosat.interrupts import plain_interrupts


def run() -> NoReturn:
    """The console script ``nonosat``.

    One thread for numpy's OpenBLAS, which no command multiplies matrices by: to start the others takes a sixth of the
    CPU time of an easy solve, and processes with threads are no good to fork.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with plain_interrupts():
        from nonosat.cli.main import main
    main()
