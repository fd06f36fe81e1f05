"""One line by itself: all that its clue and what is known of its cells imply. Complete, with colours, compiled.

A dynamic program over (run, boundary), all boundaries at once as the bits of words: boundary p lies before cell p, so a
line of n cells has the boundaries 0..n. Forwards, ``ready[k]`` holds the boundaries at which run k may start as far as
the cells before it go; backwards, ``left`` those from which run k and the later ones can be completed. A value is
possible in a cell iff two such boundaries meet there.

Blanks are walked over by one addition, whose carry runs through the cells that may be blank (as in Myers' bit-vector
algorithm, JACM 46, 1999); backwards by doubling steps (Kogge and Stone's prefix scheme), since carries know one
direction only. Where a run of length L fits is found by doubling shifts too. So a line takes O(runs * log(length)) word
operations.

``may``: uint64 words, from index ``at`` on; for each value v (0 is blank) as many words as a line has (``length // 64 +
1``, since there is a boundary more than cells), whose bits are the cells that may have v. The answer goes to ``out``,
in the same layout; it is a subset of what was given.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nonosat.puzzles.nonogram import Clue
from nonosat.solvers.propagation.long_lines import settle_long
from nonosat.solvers.propagation.short_lines import settle_short
from nonosat.solvers.propagation.two_words import settle_two


def settled(clue: Clue, may: npt.ArrayLike) -> npt.NDArray[np.bool_] | None:
    """What a line of ``clue`` may be: Booleans of shape (values, cells), as ``may``, which says what is known before.

    None: nothing fits. ``settle_short`` does it for up to 63 cells, ``settle_two`` up to 127, ``settle_long`` for more.

    >>> from nonosat.puzzles.nonogram import Run
    >>> settled((Run(3),), np.ones((2, 4)))[1].astype(int).tolist()
    [1, 1, 1, 1]
    >>> settled((Run(3),), np.ones((2, 4)))[0].astype(int).tolist()  # the two in the middle can't be blank
    [1, 0, 0, 1]
    """
    before = np.asarray(may, dtype=bool)
    values, size = before.shape
    words = size // 64 + 1
    padded = np.zeros((values, words * 64), dtype=bool)
    padded[:, :size] = before
    given = np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64).ravel()
    runs = len(clue)
    length = np.array([run.length for run in clue], dtype=np.uint64)
    colour = np.array([run.colour for run in clue], dtype=np.int64)
    ready, fit = np.zeros((runs + 1) * words, np.uint64), np.zeros((runs + 1) * words, np.uint64)
    out, spares = np.zeros(values * words, np.uint64), np.zeros((4, words), np.uint64)
    if words == 1:
        fine = settle_short(given, 0, size, length, colour, 0, runs, ready, fit, out)
    elif words == 2:
        fine = settle_two(given, 0, size, length, colour, 0, runs, ready, fit, out)
    else:
        fine = settle_long(given, 0, words, 0, size, length, colour, 0, runs, ready, fit, out, spares)
    if not fine:
        return None
    bits = np.unpackbits(out.astype("<u8").view(np.uint8), bitorder="little")
    return bits.reshape(values, -1)[:, :size].astype(bool)
