"""Where the command starts. Until its main function is reached, Ctrl-C ends the process at once and without a word.

An interrupt in the middle of an import leaves a traceback at best; there is nothing yet to report or to lose.
"""

from __future__ import annotations

import gc
import os
from typing import NoReturn

from nonosat.interrupts import plain_interrupts


def run() -> NoReturn:
    """The console script ``nonosat``.

    One thread for numpy's OpenBLAS, which no command multiplies matrices by: to start the others takes a sixth of the
    CPU time of an easy solve, and processes with threads are no good to fork. The collector of cycles looks for them
    seldom: imports make many objects and no garbage, and it would take a tenth of an easy solve.
    """
    gc.set_threshold(50_000)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with plain_interrupts():
        from nonosat.cli.main import main
    main()
