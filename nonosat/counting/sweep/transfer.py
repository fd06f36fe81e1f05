"""Counts carried from the layer before a row to the one behind it, or back; compiled.

The row is read by halves: for every state in the middle, each left state of the new layer takes the lines of those that
lead to it, added up; and each right state those columns. So all is additions of numbers that stand in a row, some WIDE
left states at a time, whose counts stay in the processor's cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from nonosat.counting.sweep.halves import Crossing, Shorts
from nonosat.counting.sweep.layers import Layer
from nonosat.counting.sweep.plan import Plan
from nonosat.solvers.arrays import Bytes, Ints, IntTable, Words
from nonosat.solvers.compiled import compiled, inlined

WIDE = 32
"""Left states at a time."""
SLICE = 50_000_000
"""Additions until the compiled code comes back, about: some 0.02 s."""
FAN = 8
"""Ways to a state, of one state in the middle: about."""


class Ways(NamedTuple):
    """Of each state of the new layer, which ones of the old lead to it: ``old[begin[new] : begin[new + 1]]``."""

    begin: Ints
    old: Shorts

    def of(self, new: int) -> Shorts:
        """Those that lead to ``new``."""
        return self.old[self.begin[new] : self.begin[new + 1]]


@compiled
def sort_into(begin: Ints, new: Shorts, old: Shorts, to: Shorts) -> None:
    """Write the ``old`` of each ``new`` state to where its own begin; ``begin`` is moved to where they end."""
    for i in range(len(new)):
        to[begin[new[i]]] = old[i]
        begin[new[i]] += 1


def ways_of(crossing: Crossing, middle: int, states: int, back: bool) -> Ways:
    """The ways across a row with a state in the ``middle``, into so many ``states``; ``back``: from behind the row."""
    chosen = crossing.middle == middle
    start, end = crossing.start[chosen], crossing.end[chosen]
    new, old = (start, end) if back else (end, start)
    begin = np.concatenate([[0], np.cumsum(np.bincount(new, minlength=states))]).astype(np.int64)
    to = np.empty_like(old)
    sort_into(begin[:-1].copy(), new, old, to)
    return Ways(begin, to)


@inlined
def take_lines(
    counts: Words, left: int, edge: Ints, line: IntTable, at: Ints, states: Ints, first: int, many: int,
    left_begin: Ints, left_old: Shorts, between: Words, there: Bytes, held: Words,
) -> int:  # fmt: skip
    """Add up the lines of the old panel that lead to each of ``many`` states, and turn them into columns."""
    work = 0
    for d in range(len(at)):
        begin, size, some = edge[d], edge[d + 1] - edge[d], False
        for j in range(many):
            new, lines = states[first + j], 0
            for i in range(left_begin[new], left_begin[new + 1]):
                own = line[d, left_old[i] - left]
                if own < 0:
                    continue
                base = at[d] + own * size
                if lines == 0:
                    for k in range(size):
                        held[k] = counts[base + k]
                else:
                    for k in range(size):
                        held[k] += counts[base + k]
                lines += 1
            if lines > 0:
                if not some:
                    some = True
                    for k in range(begin * WIDE, (begin + size) * WIDE):
                        between[k] = np.uint64(0)
                for k in range(size):
                    between[(begin + k) * WIDE + j] = held[k]
            work += lines * size
        for k in range(begin, begin + size):
            there[k] = 1 if some else 0
    return work


@inlined
def give_columns(
    right: int, counts: Words, left: int, new_right: int, edge: Ints, line: IntTable, at: Ints,
    states: Ints, first: int, many: int, right_begin: Ints, right_old: Shorts,
    between: Words, there: Bytes, held: Words,
) -> int:  # fmt: skip
    """Add up the columns that lead to each right state, and add them to the lines of ``many`` states of the new panel.

    ``right``: the first right state of the old panel.
    """
    work = 0
    for d in range(len(at)):
        begin, size, some = edge[d], edge[d + 1] - edge[d], False
        for j in range(many):
            some |= line[d, states[first + j] - left] >= 0
        if not some:
            continue
        for k in range(size):
            base, new = k * WIDE, new_right + begin + k
            for j in range(WIDE):
                held[base + j] = np.uint64(0)
            for i in range(right_begin[new], right_begin[new + 1]):
                old = right_old[i] - right
                if there[old] == 1:
                    work += WIDE
                    for j in range(WIDE):
                        held[base + j] += between[old * WIDE + j]
        for j in range(many):
            own = line[d, states[first + j] - left]
            if own >= 0:
                base = at[d] + own * size
                for k in range(size):
                    counts[base + k] += held[k * WIDE + j]
    return work


@compiled
def carry(
    counts: Words, left: int, right: int, edge: Ints, line: IntTable, at: Ints,
    new_counts: Words, new_left: int, new_right: int, new_edge: Ints, new_line: IntTable, new_at: Ints,
    states: Ints, left_begin: Ints, left_old: Shorts, right_begin: Ints, right_old: Shorts,
    between: Words, there: Bytes, held: Words,
) -> int:  # fmt: skip
    """Add what leads from one panel to the left ``states`` of another, through one state in the middle.

    Both panels are given as in ``Panel``, the ways as in ``Ways``. Scratch: ``between``, WIDE for each right state of
    the old panel; ``there``, one for each; ``held``, WIDE for each of the largest new class, and one for each of the
    largest old one. Returns how many additions that took.
    """
    work = 0
    for first in range(0, len(states), WIDE):
        many = min(WIDE, len(states) - first)
        work += take_lines(
            counts, left, edge, line, at, states, first, many, left_begin, left_old, between, there, held
        )  # fmt: skip
        work += give_columns(
            right, new_counts, new_left, new_right, new_edge, new_line, new_at,
            states, first, many, right_begin, right_old, between, there, held,
        )  # fmt: skip
    return work


class Carrier:
    """What leads across a ``row``, for a whole layer; ``back``: from behind it to before it.

    ``most``: no count grows by a larger factor.
    """

    def __init__(self, plan: Plan, row: int, back: bool) -> None:
        self.plan, self.row, self.back = plan, row, back
        new = row if back else row + 1
        self.left, self.right = plan.left.places[new], plan.right.places[new]
        crossings = plan.left.crossings[row], plan.right.crossings[row]
        self.ways: dict[int, tuple[Ways, Ways]] = {}
        for middle in np.intersect1d(crossings[0].middle, crossings[1].middle).tolist():
            one = ways_of(crossings[0], middle, len(self.left.coloured), back)
            other = ways_of(crossings[1], middle, len(self.right.coloured), back)
            self.ways[middle] = one, other
        fans = [[int(np.diff(ways.begin).max()) for ways in both] for both in self.ways.values()]
        self.most = sum(one * other for one, other in fans)

    def source(self, middle: int, many: int) -> int:
        """How many coloured cells the left half has in the old layer, where it has so ``many`` in the new."""
        passed = self.plan.coloured(self.row, middle)
        return many + passed if self.back else many - passed

    def carry(self, old: Layer, new: Layer) -> Iterator[int]:
        """Fill the ``new`` layer, which is all 0; after some work, how many additions that took."""
        shapes = old.shape.panels, new.shape.panels
        rights = max(int(panel.edge[-1]) for panel in shapes[0].values())
        largest = max(int(np.diff(panel.edge).max()) for shape in shapes for panel in shape.values())
        between, held = (np.zeros(WIDE * size, dtype=np.uint64) for size in (rights, largest))
        there = np.zeros(rights, dtype=np.uint8)
        for middle, (one, other) in self.ways.items():
            led = np.diff(one.begin) > 0
            for many, panel in new.shape.panels.items():
                source = shapes[0].get(self.source(middle, many))
                if source is None:
                    continue
                states = panel.left + np.flatnonzero(led[panel.left : panel.left + panel.line.shape[1]])
                slab = WIDE * max(1, SLICE // (WIDE * FAN * (int(source.edge[-1]) + int(panel.edge[-1]))))
                for i in range(0, len(states), slab):
                    some = states[i : i + slab]
                    yield carry(old.counts, *source, new.counts, *panel, some, *one, *other, between, there, held)
