"""The sweep: a count of all solutions row by row, by dynamic programming over the states of all columns.

A *layer* has a count for every state between two rows. A *carrier* computes the next layer from the one before it. One
sweep starts at the first row, another one at the last, and they meet where there are few states.

A carrier reads its row by halves. For every state of the row in the middle of the board, it adds up the lines of the
left states that lead to a new left state, and then the columns of the right states that lead to a new right state. So
all work is addition of contiguous numbers, WIDE left states at a time, whose counts stay in the processor's cache.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Iterator
from itertools import accumulate
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled, inlined
from nonosat.compiled.words import Bytes, Ints, IntTable, Words, WordTable
from nonosat.counting.sweep.states import COUNT, Crossing, Half, Layer, Shorts, SweepPlan
from nonosat.rng import Rng
from nonosat.solvers.propagation.board import PAUSED, PropagationBoard, may_be

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram.puzzle import Nonogram


# Sums of products of words, exactly; compiled.


HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
ONE, ZERO = np.uint64(1), np.uint64(0)
STRETCH = 4096
"""Products in one sum."""


@inlined
def upper(a: np.uint64, b: np.uint64) -> np.uint64:
    """The upper word of a product."""
    a1, a0, b1, b0 = a >> HALF, a & LOW, b >> HALF, b & LOW
    p01, p10 = a0 * b1, a1 * b0
    middle = ((a0 * b0) >> HALF) + (p01 & LOW) + (p10 & LOW)
    return a1 * b1 + (p01 >> HALF) + (p10 >> HALF) + (middle >> HALF)


@compiled
def products(one: Words, other: Words, first: int, sums: WordTable) -> None:
    """Sums of products of two arrays, a sum for each STRETCH, from the ``first`` on: three words each, low first."""
    for s in range(len(sums)):
        low = middle = high = ZERO
        begin = (first + s) * STRETCH
        for i in range(begin, min(begin + STRETCH, len(one))):
            a, b = one[i], other[i]
            if a != ZERO and b != ZERO:
                bottom, top = a * b, upper(a, b)
                low += bottom
                top += ONE if low < bottom else ZERO  # no overflow: the upper half of a product is less than NEVER
                middle += top
                high += ONE if middle < top else ZERO
        sums[s, 0], sums[s, 1], sums[s, 2] = low, middle, high


def sums_of(one: Words, other: Words, first: int, stretches: int) -> list[int]:
    """The same as Python integers, of so many ``stretches`` or of those that are left."""
    stretches = min(stretches, -(-len(one) // STRETCH) - first)
    sums = np.zeros((stretches, 3), dtype=np.uint64)
    products(one, other, first, sums)
    return [low + (middle << 64) + (high << 128) for low, middle, high in sums.tolist()]


WIDE = 32
"""Left states at a time."""
SLICE = 50_000_000
"""Additions until the compiled code comes back, about: some 0.02 s."""
FAN = 8
"""Ways to a state through one state in the middle, about."""


class Ways(NamedTuple):
    """The states of the old layer that lead to each state of the new one: ``old[begin[new] : begin[new + 1]]``."""

    begin: Ints
    old: Shorts

    def of(self, new: int) -> Shorts:
        """The states that lead to ``new``."""
        return self.old[self.begin[new] : self.begin[new + 1]]


@compiled
def sort_into(begin: Ints, new: Shorts, old: Shorts, to: Shorts) -> None:
    """Write the ``old`` states to ``to``, sorted by their ``new`` state; ``begin`` moves to the ends of the groups."""
    for i in range(len(new)):
        to[begin[new[i]]] = old[i]
        begin[new[i]] += 1


def grouped(numbers: Shorts, by: Shorts, groups: int) -> tuple[Ints, Shorts]:
    """The ``numbers`` of each group, in their order: those of group g are from the place ``begin[g]`` on.

    ``by``: of each number, its group. Returns ``begin``, which has an end for the last group too, and the numbers.
    """
    begin = np.concatenate([[0], np.cumsum(np.bincount(by, minlength=groups))]).astype(np.int64)
    to = np.empty_like(numbers)
    sort_into(begin[:-1].copy(), by, numbers, to)
    return begin, to


def ways_of(crossing: Crossing, middle: int, states: int, back: bool) -> Ways:
    """The ways across a row with a state in the ``middle``, into so many ``states``; ``back``: from behind the row."""
    chosen = crossing.middle == middle
    start, end = crossing.start[chosen], crossing.end[chosen]
    new, old = (start, end) if back else (end, start)
    return Ways(*grouped(old, new, states))


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
    """Add up the columns that lead to each right state, and add the sums to ``many`` lines of the new panel.

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
    """Add the counts of one panel to those of another's left ``states``, through one state in the middle.

    Both panels are given as in ``Panel``, the ways as in ``Ways``. Scratch: ``between``, WIDE for each right state of
    the old panel; ``there``, one for each; ``held``, WIDE for each state of the largest new class, and one for each of
    the largest old one. Returns the number of additions.
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
    """The step of a sweep across a ``row``, for a whole layer; ``back``: upwards.

    ``most``: no count grows by a larger factor.
    """

    def __init__(self, plan: SweepPlan, row: int, back: bool) -> None:
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
        """The number of coloured cells of the left half in the old layer, given the number in the new one."""
        passed = self.plan.coloured(self.row, middle)
        return many + passed if self.back else many - passed

    def carry(self, old: Layer, new: Layer) -> Iterator[int]:
        """Fill the ``new`` layer, which is all 0; yields the number of additions of each piece of work."""
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


# Two sweeps that meet. Both count on the same states, those before a row. The sweep from above counts the ways that
# lead to a state, the one from below the ways that go on from it. Where they meet, the sum of the products is the
# number of solutions.


STRETCHES = 1 << 10
"""Stretches until the compiled code comes back: some 0.02 s."""
LEAST, MOST = 1 << 16, 1 << 22
"""Ways of a half across a row, at most: the bound begins with LEAST, and doubles up to MOST."""
JOINED = 10
"""The cost of a product, in additions, about."""
MET, STOPPED = 8, 9
"""Further statuses of ``Sweep.go_on``. MET: the count is complete. STOPPED: no room, or a count exceeds a word."""


def may_of(board: PropagationBoard) -> npt.NDArray[np.bool_]:
    """Of each cell and value, whether it is possible: shape (rows, columns, values)."""
    shape = board.height, board.width, board.colours + 1
    return np.array([may_be(board, *cell) for cell in np.ndindex(shape)], dtype=bool).reshape(shape)


class Sweep:
    """A count in steps, over rows or columns: by the ``plan`` that costs less.

    ``reach``: additions that it may take. ``keep``: all layers stay, for draws. ``above``, ``below``: layers; the last
    ones meet. ``sums``: of the products there, up to each stretch.
    """

    def __init__(self, puzzle: Nonogram, board: PropagationBoard, keep: bool = False, reach: float = inf) -> None:
        may = may_of(board)
        rows, columns = puzzle.rows, puzzle.columns
        self.plans = [SweepPlan(rows, columns, may, False), SweepPlan(columns, rows, may.transpose(1, 0, 2), True)]
        self.plan = self.plans[0]
        self.keep, self.reach, self.room = keep, reach, 0
        self.above: list[Layer] = []
        self.below: list[Layer] = []
        self.sums = [0]
        self.counted = 0
        self.run = self._run()

    @property
    def work(self) -> int:
        """The work so far, in additions, about."""
        return self.counted + sum(plan.work for plan in self.plans)

    @property
    def planned(self) -> bool:
        """Are all states known?"""
        return len(self.plans) == 1

    @property
    def left(self) -> float:
        """The additions that are left, about; unknown (inf) until it is ``planned``."""
        return max(0.0, self.plan.cost - self.counted) if self.planned else inf

    @property
    def solutions(self) -> int:
        """The number of solutions, once the sweeps have MET."""
        return self.sums[-1]

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        layers = sum(layer.counts.nbytes for layer in self.above + self.below)
        return layers + sum(plan.bytes for plan in self.plans)

    def go_on(self, budget: int, room: int) -> int:
        """Take some ``budget`` additions, and ``room`` bytes at most: PAUSED, MET or STOPPED."""
        self.room, until = room, self.work + budget
        status = PAUSED
        while status == PAUSED and self.work < until:
            status = next(self.run)
        return status

    def _run(self) -> Generator[int]:
        """The statuses, step by step; the last one is MET or STOPPED."""
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
        """Find the states of the ``plans``, until one of them is ready."""
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
        """Sweep over ``rows``, from the layer before row ``first``, which has one state."""
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
        """Add up the products of the counts where the sweeps meet."""
        one, other = self.above[-1].counts, self.below[-1].counts
        for stretch in range(0, -(-len(one) // STRETCH), STRETCHES):
            for more in sums_of(one, other, stretch, STRETCHES):
                self.sums.append(self.sums[-1] + more)
            self.counted += JOINED * min(STRETCH * STRETCHES, len(one))
            yield PAUSED
        yield MET


# Uniform draws from two sweeps that have met, by whole numbers, without rounding. The first state is drawn where the
# sweeps meet, by the product of its counts. Then, row by row up and down from there, a state that leads to the last one
# is drawn by its count.


Pair = tuple[int, int]


class Drawer:
    """Draws from a ``sweep`` that has kept its layers."""

    def __init__(self, sweep: Sweep) -> None:
        assert sweep.keep
        self.sweep, self.plan = sweep, sweep.plan
        rows = range(self.plan.height)
        self.carriers = [Carrier(self.plan, row, back=row >= self.plan.meet) for row in rows]

    def draw(self, rng: Rng) -> npt.NDArray[np.uint8]:
        """A solution, shape (rows, columns)."""
        plan, sweep = self.plan, self.sweep
        states = [self._met(rng)]
        for row in range(plan.meet - 1, -1, -1):
            states.insert(0, self._next(sweep.above[row], row, states[0], rng))
        for row in range(plan.meet, plan.height):
            states.append(self._next(sweep.below[plan.height - 1 - row], row, states[-1], rng))
        halves = plan.left, plan.right
        parts = [cells_of(half, [pair[i] for pair in states]) for i, half in enumerate(halves)]
        cells = np.concatenate(parts, axis=1)
        return (cells.T if plan.turned else cells).astype(np.uint8)

    def _met(self, rng: Rng) -> Pair:
        """A state where the two sweeps meet."""
        one, other = self.sweep.above[-1], self.sweep.below[-1]
        drawn = rng.below_any(self.sweep.solutions)
        stretch = bisect_right(self.sweep.sums, drawn) - 1
        drawn -= self.sweep.sums[stretch]
        here = slice(stretch * STRETCH, (stretch + 1) * STRETCH)
        products = [a * b for a, b in zip(one.counts[here].tolist(), other.counts[here].tolist(), strict=True)]
        return one.pair(here.start + chosen(products, drawn))

    def _next(self, layer: Layer, row: int, state: Pair, rng: Rng) -> Pair:
        """A state of ``layer`` that a way across ``row`` joins to ``state``."""
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
        return found[chosen(counts_of, rng.below_any(sum(counts_of)))][0]


def chosen(counts: list[int], drawn: int) -> int:
    """The place of the count in which the number ``drawn`` falls."""
    return bisect_right(list(accumulate(counts)), drawn)


def cells_of(half: Half, states: list[int]) -> npt.NDArray[np.int64]:
    """The cells of a half, shape (rows, columns of the half), if its columns pass through these ``states``."""
    cells = np.zeros((len(states) - 1, len(half.down)), dtype=np.int64)
    for row in range(len(cells)):
        before, behind = (half.digits(row + i, states[row + i]) for i in range(2))
        for c, column in enumerate(half.down):
            cells[row, c] = column.step[row][:, before[c]].tolist().index(behind[c])
    return cells
