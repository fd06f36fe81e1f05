"""Solutions drawn from two sweeps that have met, each as likely as any other: by whole numbers, without rounding.

A state is drawn where they have met, by the product of its counts. From there the rows above are gone back, and those
below on: of the states from which (or to which) a way across a row leads, one is drawn by its count.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from nonosat.chance import Chance
from nonosat.counting.sweep.halves import Half
from nonosat.counting.sweep.layers import Layer
from nonosat.counting.sweep.meeting import Sweep
from nonosat.counting.sweep.products import STRETCH
from nonosat.counting.sweep.transfer import Carrier

Pair = tuple[int, int]


class Drawer:
    """Draws from a ``sweep`` that has kept its layers."""

    def __init__(self, sweep: Sweep) -> None:
        assert sweep.keep
        self.sweep, self.plan = sweep, sweep.plan
        rows = range(self.plan.height)
        self.carriers = [Carrier(self.plan, row, back=row >= self.plan.meet) for row in rows]

    def draw(self, chance: Chance) -> npt.NDArray[np.uint8]:
        """A solution, shape (rows, columns)."""
        plan, sweep = self.plan, self.sweep
        states = [self._met(chance)]
        for row in range(plan.meet - 1, -1, -1):
            states.insert(0, self._next(sweep.above[row], row, states[0], chance))
        for row in range(plan.meet, plan.height):
            states.append(self._next(sweep.below[plan.height - 1 - row], row, states[-1], chance))
        halves = plan.left, plan.right
        parts = [cells_of(half, [pair[i] for pair in states]) for i, half in enumerate(halves)]
        cells = np.concatenate(parts, axis=1)
        return (cells.T if plan.turned else cells).astype(np.uint8)

    def _met(self, chance: Chance) -> Pair:
        """A state where the two sweeps have met."""
        one, other = self.sweep.above[-1], self.sweep.below[-1]
        drawn = chance.below_any(self.sweep.solutions)
        stretch = bisect_right(self.sweep.sums, drawn) - 1
        drawn -= self.sweep.sums[stretch]
        here = slice(stretch * STRETCH, (stretch + 1) * STRETCH)
        products = [a * b for a, b in zip(one.counts[here].tolist(), other.counts[here].tolist(), strict=True)]
        return one.pair(here.start + chosen(products, drawn))

    def _next(self, layer: Layer, row: int, state: Pair, chance: Chance) -> Pair:
        """A state of ``layer``, from which a way leads across ``row`` to ``state``, or comes from there."""
        carrier = self.carriers[row]
        found: list[tuple[Pair, int]] = []
        for middle, (one, other) in carrier.ways.items():
            source = carrier.source(middle, int(carrier.left.coloured[state[0]]))
            lefts, rights = one.of(state[0]).astype(np.int64), other.of(state[1]).astype(np.int64)
            if len(lefts) and len(rights) and source in layer.shape.panels:
                counts = layer.at(source, lefts, rights)
                for i, j in np.argwhere(counts).tolist():
                    found.append(((int(lefts[i]), int(rights[j])), int(counts[i, j])))
        counts_of = [count for _, count in found]
        return found[chosen(counts_of, chance.below_any(sum(counts_of)))][0]


def chosen(counts: list[int], drawn: int) -> int:
    """The place of the count that the one of number ``drawn`` belongs to."""
    return bisect_right(list(accumulate(counts)), drawn)


def cells_of(half: Half, states: list[int]) -> npt.NDArray[np.int64]:
    """The cells, shape (rows, columns of the half), between which its columns are in these ``states``."""
    cells = np.zeros((len(states) - 1, len(half.down)), dtype=np.int64)
    for row in range(len(cells)):
        before, behind = (half.digits(row + i, states[row + i]) for i in range(2))
        for c, column in enumerate(half.down):
            cells[row, c] = column.step[row][:, before[c]].tolist().index(behind[c])
    return cells
