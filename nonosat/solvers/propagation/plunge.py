"""A picture by laying cells one by one, filled first, for boards on which nearly any way leads to one; compiled.

Lines that keep many fillings each until some cells are known (permutations, cycles through all lines, what is left of a
board at 50 %) teach probes nothing, and beliefs see all values alike; but a depth-first search without either is full
after a few guesses. On other boards it runs into contradictions at once, and ends after ``DEAD_ENDS`` of them: it costs
some lines a contradiction, so that it can be tried first.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np
import numpy.typing as npt

from nonosat.solvers.answer import Event, Glimpse, Statistics
from nonosat.solvers.compiled import compiled, ready
from nonosat.solvers.propagation.board import CONTRADICTIONS, LINES, NEVER, TRAIL, Board, cells_of
from nonosat.solvers.propagation.changes import mark_changed, undo
from nonosat.solvers.propagation.near import CHOICES, DEPTH, FOUND, LEFT, NONE, Near, change, choose
from nonosat.solvers.propagation.propagate import DEAD, PAUSED, propagate
from nonosat.solvers.watched import Pace, glimpse

DEAD_ENDS = 10
"""Contradictions after which it ends."""
EVERY = 2_000
"""Lines settled until the compiled code comes back."""


@compiled
def plunge(b: Board, t: Near, dead: int, budget: int) -> int:
    """Lay cells until the board is FOUND full, without a picture (NONE), or LEFT after ``dead`` contradictions in all.

    PAUSED after ``budget`` lines. Nothing waits afterwards. What is LEFT is without guesses, but what refuting the
    first ones has told.
    """
    until = b.state[LINES] + budget
    while True:
        if propagate(b, NEVER) == DEAD:
            if t.state[DEPTH] == 0:
                return NONE
            if b.state[CONTRADICTIONS] >= dead:
                undo(b, t.mark[0])
                return LEFT
            change(b, t)
        elif b.state[LINES] > until:
            return PAUSED
        elif not choose(b, t):
            return FOUND


class Plunge:
    """A plunge on a board on which nothing waits; afterwards there is no guess on it, and what is new holds."""

    def __init__(self, board: Board) -> None:
        self.board, cells = board, board.height * board.width
        what, mark = np.zeros((2, cells * board.colours + 1), dtype=np.int64)
        self.cells = Near(np.full(cells, board.colours, dtype=np.int64), what, mark, np.zeros(5, dtype=np.int64))
        self.said, self.spent_s = PAUSED, 0.0

    def within(self, lines: int) -> Generator[Event, None, npt.NDArray[np.uint8] | None]:
        """A picture, if one is come upon before so many ``lines`` have been settled; ``said`` NONE: there is none."""
        board, pace, root = self.board, Pace(EVERY), int(self.board.state[TRAIL])
        most = int(board.state[LINES]) + lines
        dead = int(board.state[CONTRADICTIONS]) + DEAD_ENDS
        while self.said == PAUSED and board.state[LINES] < most:
            begin = perf_counter()
            self.said = plunge(board, self.cells, dead, min(pace(), most - int(board.state[LINES])))
            self.spent_s += perf_counter() - begin
            yield from glimpse(self.seen)
        found = cells_of(board).astype(np.uint8) if self.said == FOUND else None
        if self.said in (FOUND, PAUSED) and self.cells.state[DEPTH] > 0:
            undo(board, self.cells.mark[0])
        if board.state[TRAIL] > root:
            mark_changed(board, root)
        return found

    @property
    def ended(self) -> bool:
        """Has it found a picture, or that there is none?"""
        return self.said in (FOUND, NONE)

    def seen(self) -> Glimpse:
        """The board in hand."""
        guesses = int(self.cells.state[DEPTH])
        return Glimpse("laying cells", self.statistics(), cells_of(self.board), guesses=guesses)

    def statistics(self) -> Statistics:
        """What it has cost so far; what it settled is among the board's own counters."""
        return Statistics(solve_s=self.spent_s, assumptions=int(self.cells.state[CHOICES]))


ready(__name__)
