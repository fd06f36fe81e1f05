"""Dives and SAT together: a dive lays the cells that beliefs are surest of, SAT the others; or SAT lays all, by turns.

A whole dive fails where one cell of hundreds was laid wrongly, and SAT by itself knows nothing of the picture as a
whole. With those cells laid that beliefs are surest of, a few hundred conflicts mostly tell whether there is a picture
that has them, and what the solver learns by that stays true. How far a dive is to go is not known beforehand: the
further it goes, the likelier a cell is wrong; the sooner it ends, the more SAT has to do. So they go differently far.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import count
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nonosat.solvers.answer import Event
from nonosat.solvers.sat.search import Stage

if TYPE_CHECKING:
    from nonosat.solvers.propagation.dives import Dives

TRIES, CONFLICTS, MOST_CONFLICTS = 20, 20, 10**9
"""The first turn: dives that SAT completes, and, for each line, conflicts of SAT alone. Later turns double.

Where so many dives as in the first are stuck one after the other, beliefs say little: SAT's turn comes then, and in the
next turn after half as many.
"""
BUDGET, MORE = 4, 0.2
"""Conflicts for each line to complete the first dive, and how many more each later one has."""
LEAST, DEPTHS, SPREAD, MOST = 8, 13, 7, 0.85
"""How much a dive leaves unknown: ``LEAST`` to ``LEAST + DEPTHS - 1`` times the root of what is when it begins, each
time ``SPREAD`` more (cyclically), but at most this share of it."""


class Turns:
    """The stages of SAT's search on a board of so many ``lines``. ``led``: a dive began what SAT is at."""

    def __init__(self, dives: Dives, lines: int) -> None:
        self.dives, self.lines, self.tries, self.stuck, self.led = dives, lines, 0, 0, False

    def __iter__(self) -> Iterator[Stage]:
        patience = TRIES
        for turn in count():
            self.led, self.stuck = True, 0
            for _ in range(TRIES << turn):
                if self.stuck == patience:
                    break
                yield Stage(int((BUDGET + MORE * self.tries) * self.lines), begin=self.begun)
            self.led, patience = False, TRIES if self.stuck < patience else max(1, patience // 2)
            yield Stage(min(CONFLICTS * self.lines << turn, MOST_CONFLICTS))

    def begun(self) -> Generator[Event, None, npt.NDArray[np.int64] | None]:
        """Give what the next dive has laid when it has gone far enough, or None."""
        opened = self.dives.unknown
        left = (LEAST + SPREAD * self.tries % DEPTHS) * sqrt(opened)
        self.tries += 1
        cells = yield from self.dives.partly(int(min(left, MOST * opened)))
        self.stuck = self.stuck + 1 if cells is None else 0
        return cells
