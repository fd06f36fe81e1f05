"""A count by two sweeps, from the first row on and from the last, that meet where there are few states.

Both work on the same states, those before a row: the sweep from above counts the ways that lead to a state, the one
from below those that go on from it. Where they meet, the sum of the products is the number of solutions.
"""

from __future__ import annotations

from collections.abc import Generator
from math import inf
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nonosat.counting.sweep.layers import Layer
from nonosat.counting.sweep.plan import COUNT, Plan
from nonosat.counting.sweep.products import STRETCH, sums_of
from nonosat.counting.sweep.transfer import Carrier
from nonosat.solvers.propagation.board import Board
from nonosat.solvers.propagation.changes import may_be
from nonosat.solvers.propagation.propagate import PAUSED

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram.puzzle import Nonogram

STRETCHES = 1 << 10
"""So many are multiplied until the compiled code comes back: some 0.02 s."""
LEAST, MOST = 1 << 16, 1 << 22
"""Ways of a half across a row: at first, and, doubled until a plan has no more, at last."""
JOINED = 10
"""What a product costs, in additions: about."""
MET, STOPPED = 8, 9
"""What ``Sweep.go_on`` says, beside PAUSED: all is counted; there is no room, or a number that no word holds."""


def may_of(board: Board) -> npt.NDArray[np.bool_]:
    """Of each cell and value, whether it is possible: shape (rows, columns, values)."""
    shape = board.height, board.width, board.colours + 1
    return np.array([may_be(board, *cell) for cell in np.ndindex(shape)], dtype=bool).reshape(shape)


class Sweep:
    """A count that can be gone on with, over rows or columns: by the ``plan`` that costs less.

    ``reach``: additions that it may take. ``keep``: solutions are to be drawn afterwards: all layers stay. ``above``,
    ``below``: layers, the last of each where they meet; ``sums``: the products there, up to each stretch.
    """

    def __init__(self, puzzle: Nonogram, board: Board, keep: bool = False, reach: float = inf) -> None:
        may = may_of(board)
        rows, columns = puzzle.rows, puzzle.columns
        self.plans = [Plan(rows, columns, may, False), Plan(columns, rows, may.transpose(1, 0, 2), True)]
        self.plan = self.plans[0]
        self.keep, self.reach, self.room = keep, reach, 0
        self.above: list[Layer] = []
        self.below: list[Layer] = []
        self.sums = [0]
        self.counted = 0
        self.course = self._run()

    @property
    def work(self) -> int:
        """How many additions it has taken, about."""
        return self.counted + sum(plan.work for plan in self.plans)

    @property
    def planned(self) -> bool:
        """Are all states known?"""
        return len(self.plans) == 1

    @property
    def solutions(self) -> int:
        """Once they have MET."""
        return self.sums[-1]

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        layers = sum(layer.counts.nbytes for layer in self.above + self.below)
        return layers + sum(plan.bytes for plan in self.plans)

    def go_on(self, budget: int, room: int) -> int:
        """Take some ``budget`` additions, and ``room`` bytes at most: PAUSED, MET or STOPPED."""
        self.room, until = room, self.work + budget
        said = PAUSED
        while said == PAUSED and self.work < until:
            said = next(self.course)
        return said

    def _run(self) -> Generator[int]:
        """What is done, step by step; the last word is MET or STOPPED."""
        yield from self._choose()
        self.plan = min((plan for plan in self.plans if plan.ready), key=lambda plan: plan.cost)
        self.counted += sum(plan.work for plan in self.plans if plan is not self.plan)
        self.plans = [self.plan]
        if self.plan.cost > self.reach:
            yield STOPPED
        if any(shape.states == 0 for shape in self.plan.shapes):
            yield MET
        yield from self._carry(self.above, range(self.plan.meet), 0)
        yield from self._carry(self.below, range(self.plan.height - 1, self.plan.meet - 1, -1), self.plan.height)
        yield from self._join()

    def _choose(self) -> Generator[int]:
        """Find the states of the ``plans``: of both, if none has far more than the other."""
        most = LEAST
        while not any(plan.ready for plan in self.plans):
            if most > MOST or all(plan.large for plan in self.plans):
                yield STOPPED
            for plan in self.plans:
                while not plan.ready and plan.read(most):
                    yield STOPPED if self.bytes > self.room else PAUSED
                yield PAUSED
            most *= 2

    def _carry(self, layers: list[Layer], rows: range, first: int) -> Generator[int]:
        """Go from the layer before row ``first``, which has one state, over ``rows``."""
        back = rows.step < 0
        layers.append(Layer(self.plan.shapes[first], np.ones(1, dtype=np.uint64)))
        for row in rows:
            shape = self.plan.shapes[row if back else row + 1]
            if self.bytes + COUNT * shape.states > self.room:
                yield STOPPED
            layers.append(Layer(shape, np.zeros(shape.states, dtype=np.uint64)))
            carrier = Carrier(self.plan, row, back)
            if int(layers[-2].counts.max()) * carrier.most >= 1 << 64:
                yield STOPPED
            for additions in carrier.carry(*layers[-2:]):
                self.counted += additions
                yield PAUSED
            if not self.keep:
                del layers[:-1]

    def _join(self) -> Generator[int]:
        """Multiply the counts where both have come to."""
        one, other = self.above[-1].counts, self.below[-1].counts
        for stretch in range(0, -(-len(one) // STRETCH), STRETCHES):
            for more in sums_of(one, other, stretch, STRETCHES):
                self.sums.append(self.sums[-1] + more)
            self.counted += JOINED * min(STRETCH * STRETCHES, len(one))
            yield PAUSED
        yield MET
