"""The states of a sweep: all states that the columns of a board can be in between two rows; compiled.

A state of all columns is a pair: one state of the left half of the columns and one of the right half. Each half has few
states, some ten thousand. They are found half by half: a half keeps the states that the rows above can lead to and from
which the rows below can be completed. The two halves share the state of the row's automaton in the *middle*.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled
from nonosat.compiled.words import ByteTable, IntCube, Ints, IntTable, Words
from nonosat.puzzles.nonogram.automaton import clue_automaton
from nonosat.puzzles.nonogram.puzzle import Clue

# A line of which some cells are known, as an automaton that reads its cells.


DEAD = -1


class LineAutomaton(NamedTuple):
    """``letters``: the values of the cells that must be read, one a state; state k follows on k of them.

    ``states[i]``: the states before cell i (the last: behind the last cell) that are reached, and can go on to the
    end; they are known by their places in this list. ``step[i][value, state]``: the next state's place, or DEAD.
    """

    letters: tuple[int, ...]
    states: list[list[int]]
    step: list[Ints]


def line_automaton(clue: Clue, may: npt.NDArray[np.bool_]) -> LineAutomaton:
    """The automaton of a line whose cells ``may`` have values, shape (cells, values). Without a filling: no states."""
    cells, values = may.shape
    transitions = clue_automaton(clue).transitions
    letters = tuple(value for state, value, then in transitions if then == state + 1)
    after = [[DEAD] * values for _ in range(len(letters) + 1)]
    for state, value, then in transitions:
        after[state][value] = then
    ahead: list[set[int]] = [{0}]
    for i in range(cells):
        ahead.append({after[state][v] for state in ahead[i] for v in np.flatnonzero(may[i])} - {DEAD})
    live: list[set[int]] = [set() for _ in range(cells)] + [ahead[cells] & {len(letters)}]
    for i in range(cells - 1, -1, -1):
        live[i] = {state for state in ahead[i] if any(after[state][v] in live[i + 1] for v in np.flatnonzero(may[i]))}
    states = [sorted(found) for found in live]
    place = [{state: k for k, state in enumerate(found)} for found in states]
    step = []
    for i in range(cells):
        table = np.full((values, max(1, len(states[i]))), DEAD, dtype=np.int64)
        for k, state in enumerate(states[i]):
            for v in np.flatnonzero(may[i]).tolist():
                table[v, k] = place[i + 1].get(after[state][v], DEAD)
        step.append(table)
    return LineAutomaton(letters, states, step)


MIDDLES = 62
"""States of a row in the middle at most: they are the bits of a word."""
SPARSE = 16
"""Keys are numbered by sorting instead of by a table if the table were so many times longer than the keys."""
CROSSED = 250
"""The cost of finding a way across a row, in additions, about."""

Shorts = npt.NDArray[np.int32]


class Crossing(NamedTuple):
    """The ways of a half across one row: from state ``start`` to state ``end`` through the row's state ``middle``."""

    start: Shorts
    end: Shorts
    middle: Shorts


class Places(NamedTuple):
    """The states of a half between two rows, sorted by ``coloured``: the number of coloured cells above.

    ``keys``: mixed-radix numbers whose digits are the columns' states. ``before``, ``behind``: the states in the middle
    with which the last row can lead to a state, and with which the next row can go on, as bits; equal ones are
    adjacent.
    """

    keys: Words
    coloured: Ints
    before: Ints
    behind: Ints


@compiled
def cross(
    keys: Words, sizes: Ints, coloured: Ints, fits: ByteTable, down: IntCube, across: IntCube, states: int,
    worth: Words, right: int, start: Ints, middle: Ints, key: Words, digit: Ints, value: Ints, row: Ints, base: Words,
) -> int:  # fmt: skip
    """The number of ways from the states ``keys`` across a row's half; they are written to ``start`` and so on.

    ``sizes``: the number of states of each column; ``coloured``: the number of coloured cells above. ``fits[middle,
    coloured]``: can the other half go on? ``down[column, value, digit]``, ``across[column, value, row state]``: the
    next state, or DEAD. ``states``: the number of row states where the half begins; ``worth``: of each column's digit
    in the ``key`` of the state behind. ``right``: is it the right half? It returns early if there are more ways than
    there is room for. ``digit``, ``value``, ``row``, ``base``: scratch.
    """
    found, width = 0, down.shape[0]
    for i in range(len(keys)):
        left = keys[i]
        for c in range(width - 1, -1, -1):
            rest = left // np.uint64(sizes[c])
            digit[c] = np.int64(left - rest * np.uint64(sizes[c]))
            left = rest
        for q in range(states):
            c = 0
            if right == 1 and fits[q, coloured[i]] == 0:
                continue
            value[0], row[0], base[0] = -1, q, np.uint64(0)
            while c >= 0:
                value[c] += 1
                if value[c] == down.shape[1]:
                    c -= 1
                    continue
                x, y = down[c, value[c], digit[c]], across[c, value[c], row[c]]
                if x < 0 or y < 0:
                    continue
                number = base[c] + np.uint64(x) * worth[c]
                if c + 1 < width:
                    c += 1
                    value[c], row[c], base[c] = -1, y, number
                    continue
                if right == 0 and fits[y, coloured[i]] == 0:
                    continue
                if found == len(start):
                    return found + 1
                start[found], middle[found], key[found] = i, q if right == 1 else y, number
                found += 1
    return found


def padded(tables: list[Ints], states: int = 0) -> Ints:
    """Tables of several cells as one array, shape (cells, values, at least so many ``states``), padded with DEAD."""
    most = max(states, *(table.shape[1] for table in tables))
    found = np.full((len(tables), tables[0].shape[0], most), DEAD, dtype=np.int64)
    for i, table in enumerate(tables):
        found[i, :, : table.shape[1]] = table
    return found


def numbered(keys: Words, below: int) -> tuple[Words, Ints]:
    """The distinct ``keys``, sorted, and of each key its place among them; all keys are less than ``below``."""
    if below > SPARSE * len(keys):
        return np.unique(keys, return_inverse=True)
    there = np.zeros(below, dtype=bool)
    there[keys] = True
    place = np.cumsum(there) - 1
    return np.flatnonzero(there).astype(np.uint64), place[keys]


class Half:
    """The columns ``first`` .. ``end`` of a board; ``across``, ``down``: the automata of its lines.

    ``fits[row][middle, coloured]``: can the other half go on where this one has so many coloured cells? ``row``: the
    next row; ``large``: there are too many states. ``crossings``, ``places``: once all rows are read (``done``).
    ``work``: in additions, about.
    """

    def __init__(
        self,
        across: list[LineAutomaton],
        down: list[LineAutomaton],
        first: int,
        end: int,
        right: bool,
        fits: list[ByteTable],
    ) -> None:
        self.across, self.down, self.first, self.end, self.fits = across, down[first:end], first, end, fits
        self.right = right
        self.row, self.work, self.large = 0, 0, False
        self.keys: list[Words] = [np.zeros(1, dtype=np.uint64)]
        self.coloured: list[Ints] = [np.zeros(1, dtype=np.int64)]
        self.crossings: list[Crossing] = []
        self.places: list[Places] = []

    @property
    def done(self) -> bool:
        """Are all rows read?"""
        return len(self.places) > 0

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        ways = sum(array.nbytes for crossing in self.crossings for array in crossing)
        return ways + sum(array.nbytes for places in self.places for array in places)

    def read(self, most: int) -> bool:
        """Read the next row; False: it has more than ``most`` ways, and is not read."""
        r, width = self.row, len(self.down)
        if width == 0:
            self.crossings.append(Crossing(*(np.zeros(1, dtype=np.int32) for _ in range(3))))
            self.keys.append(self.keys[0])
            self.coloured.append(self.coloured[0])
            self.row += 1
            self._finish()
            return True
        reader, sizes = self.across[r], self.sizes(r + 1)
        middles = len(reader.states[self.first if self.right else self.end])
        self.large = prod(sizes) >= 1 << 62 or middles > MIDDLES
        if self.large:
            return False
        start, middle, key, found = self._cross(most, [prod(sizes[c + 1 :]) for c in range(width)])
        self.work += CROSSED * found
        if found > most:
            return False
        behind, end = numbered(key, prod(sizes))
        self.crossings.append(Crossing(*(array.astype(np.int32) for array in (start, end, middle))))
        self.keys.append(behind)
        coloured = np.empty(len(behind), dtype=np.int64)
        coloured[end] = self.coloured[r][start] + self.passed(r)[middle]
        self.coloured.append(coloured)
        self.row = r + 1
        self._finish()
        return True

    def _cross(self, most: int, worth: list[int]) -> tuple[Ints, Ints, Words, int]:
        """The ways across the next row, as ``cross`` finds them; incomplete if there are more than ``most``."""
        r, width, reader = self.row, len(self.down), self.across[self.row]
        start, middle, key = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64), np.empty(most, np.uint64)
        digit, value, state = (np.empty(width, dtype=np.int64) for _ in range(3))
        found = cross(
            self.keys[r], np.array(self.sizes(r), dtype=np.int64), self.coloured[r], self.fits[r],
            padded([column.step[r] for column in self.down]), padded(reader.step[self.first : self.end]),
            len(reader.states[self.first]), np.array(worth, dtype=np.uint64), int(self.right), start, middle, key,
            digit, value, state, np.empty(width, dtype=np.uint64),
        )  # fmt: skip
        return start[:found], middle[:found], key[:found], found

    def narrow(self, fits: list[ByteTable]) -> None:
        """Drop the ways that do not fit the other half, once it is done."""
        live = np.ones(1, dtype=bool)
        self.keys = [places.keys for places in self.places]
        self.coloured = [places.coloured for places in self.places]
        for r, (crossing, places) in enumerate(zip(self.crossings, self.places[:-1], strict=True)):
            chosen = live[crossing.start] & (fits[r][crossing.middle, places.coloured[crossing.start]] == 1)
            self.crossings[r] = Crossing(*(array[chosen] for array in crossing))
            live = np.zeros(len(self.keys[r + 1]), dtype=bool)
            live[self.crossings[r].end] = True
        self.places = []
        self._finish()

    def _finish(self) -> None:
        """When all rows are read: drop the states from which the rows below cannot be completed; sort the others."""
        height = len(self.across)
        if self.row < height:
            return
        live = np.ones(len(self.keys[height]), dtype=bool)
        behind = live.astype(np.int64)
        order: Ints = np.arange(len(live))
        for r in range(height, -1, -1):
            before = np.ones(len(live), dtype=np.int64)
            if r > 0:
                start, end, middle = (array[live[self.crossings[r - 1].end]] for array in self.crossings[r - 1])
                before = bits_of(end, middle, len(live))
            keys, coloured = self.keys[r], self.coloured[r]
            order = np.lexsort((behind, before, coloured))
            order = order[live[order]]
            place = np.empty(len(live), dtype=np.int32)
            place[order] = np.arange(len(order))
            self.places.insert(0, Places(keys[order], coloured[order], before[order], behind[order]))
            if r < height:
                crossing = self.crossings[r]
                self.crossings[r] = crossing._replace(start=place[crossing.start])
            if r > 0:
                self.crossings[r - 1] = Crossing(start, place[end], middle)
                behind = bits_of(start, middle, len(self.keys[r - 1]))
                live = behind > 0
        self.keys, self.coloured = [], []

    def sizes(self, row: int) -> list[int]:
        """How many states each column has before ``row``."""
        return [len(column.states[row]) for column in self.down]

    def passed(self, row: int) -> Ints:
        """The number of coloured cells in the half of ``row``, for each state in the middle."""
        reader = self.across[row]
        states = reader.states[self.first if self.right else self.end]
        done = [sum(letter != 0 for letter in reader.letters[:state]) for state in states]
        found = np.array(done, dtype=np.int64)
        return sum(letter != 0 for letter in reader.letters) - found if self.right else found

    def digits(self, row: int, state: int) -> list[int]:
        """The state of each column in a ``state`` before ``row``."""
        return [int(digit) for digit in np.unravel_index(int(self.places[row].keys[state]), self.sizes(row))]


def bits_of(place: Shorts, bit: Shorts, states: int) -> Ints:
    """Of each state, the set of the ``bit``s of its ``place``, as a word."""
    found = np.zeros(states, dtype=np.int64)
    np.bitwise_or.at(found, place, np.int64(1) << bit.astype(np.int64))
    return found


# Layers: the pairs of a left and a right state between two rows, with their counts. A pair is a state of the board only
# if the two have together as many coloured cells as the rows above. So pairs come in *panels*: all left states with so
# many coloured cells, and all right states with the rest. Both halves must also share a state in the middle of the row
# above and of the row below. This is the same for all right states of one *class*. So a panel is a list of *blocks*,
# one for each class, with a line for every left state that fits the class. A state needs no key: the place of its
# count identifies it.


class Panel(NamedTuple):
    """``left``, ``right``: the panel's first state in each half. ``edge``: where the classes of right states begin, and
    where the last one ends; ``line[class, left state]``: its line of the block, or -1; ``at``: where each class's block
    begins in the layer's counts.
    """

    left: int
    right: int
    edge: Ints
    line: IntTable
    at: Ints


class LayerShape(NamedTuple):
    """The ``panels`` of a layer, by the number of coloured cells of the left half, and the number of ``states``."""

    panels: dict[int, Panel]
    states: int


def shape_of(left: Places, right: Places, coloured: int) -> LayerShape:
    """The shape of a layer below rows with so many ``coloured`` cells."""
    panels: dict[int, Panel] = {}
    states = 0
    for many in np.unique(left.coloured).tolist():
        one, other = range_of(left.coloured, many), range_of(right.coloured, coloured - many)
        if other[0] == other[1]:
            continue
        marks = np.stack([right.before[slice(*other)], right.behind[slice(*other)]])
        edge = np.concatenate([[0], 1 + np.flatnonzero((marks[:, 1:] != marks[:, :-1]).any(axis=0)), [marks.shape[1]]])
        before, behind = (known[slice(*one)] for known in (left.before, left.behind))
        fits = ((marks[0, edge[:-1], None] & before) != 0) & ((marks[1, edge[:-1], None] & behind) != 0)
        sizes = fits.sum(axis=1) * np.diff(edge)
        line = np.where(fits, np.cumsum(fits, axis=1) - 1, -1)
        panels[many] = Panel(one[0], other[0], edge, line, states + np.cumsum(sizes) - sizes)
        states += int(sizes.sum())
    return LayerShape(panels, states)


def range_of(sorted_numbers: Ints, number: int) -> tuple[int, int]:
    """The first place of ``number``, and the place behind its last."""
    begin, end = np.searchsorted(sorted_numbers, [number, number + 1]).tolist()
    return begin, end


class Layer(NamedTuple):
    """A count for every state of a ``shape``."""

    shape: LayerShape
    counts: Words

    def at(self, many: int, left: Ints, right: Ints) -> npt.NDArray[np.uint64]:
        """The counts of all pairs of these states of a panel, shape (left, right)."""
        panel = self.shape.panels[many]
        right = right - panel.right
        known = np.searchsorted(panel.edge, right, side="right") - 1
        size = panel.edge[known + 1] - panel.edge[known]
        line = panel.line[known][:, left - panel.left]
        place = panel.at[known, None] + line * size[:, None] + (right - panel.edge[known])[:, None]
        return np.where(line < 0, np.uint64(0), self.counts[np.where(line < 0, 0, place)]).T

    def pair(self, place: int) -> tuple[int, int]:
        """The states, left and right, whose count is at ``place``."""
        panel = next(p for p in reversed(self.shape.panels.values()) if len(p.at) and p.at[0] <= place)
        known = int(np.searchsorted(panel.at, place, side="right")) - 1
        begin, end = panel.edge[known : known + 2].tolist()
        line, column = divmod(place - int(panel.at[known]), end - begin)
        left = int(np.flatnonzero(panel.line[known] >= 0)[line])
        return panel.left + left, panel.right + begin + column


# The plan of a sweep: all its states, found before anything is counted, so that the cost is known in advance.


COUNT = 8
"""Bytes of a state's count."""


class SweepPlan:
    """A sweep over ``rows``, which are columns of the board if it is ``turned``. ``may``: of each cell and value,
    whether it is possible.

    ``ready``: all states are known; ``large``: there are too many. When ready: ``shapes`` of the layers before each row
    and behind the last; ``cost``: the additions of all rows, about; ``meet``: the row before which the sweeps from
    above and from below meet. ``work``: so far, in additions, about.
    """

    def __init__(
        self, rows: tuple[Clue, ...], columns: tuple[Clue, ...], may: npt.NDArray[np.bool_], turned: bool
    ) -> None:
        self.across = [line_automaton(clue, may[r]) for r, clue in enumerate(rows)]
        self.down = [line_automaton(clue, may[:, c]) for c, clue in enumerate(columns)]
        self.turned = turned
        self.height, self.middle = len(rows), (len(columns) + 1) // 2
        rows_coloured = [sum(letter != 0 for letter in reader.letters) for reader in self.across]
        self.above = list(accumulate(rows_coloured, initial=0))
        anything = [
            np.ones((len(reader.states[self.middle]), above + 1), dtype=np.uint8)
            for reader, above in zip(self.across, self.above[:-1], strict=True)
        ]
        self.left, self.right = self._half(False, anything), self._half(True, anything)
        self.spent = 0
        self.ready = False
        self.shapes: list[LayerShape] = []
        self.cost, self.meet = 0.0, 0

    @property
    def large(self) -> bool:
        """Are there too many states?"""
        return self.left.large or self.right.large

    @property
    def work(self) -> int:
        """The cost of finding the states so far, in additions, about."""
        return self.spent + self.left.work + self.right.work

    @property
    def bytes(self) -> int:
        """The memory that the states take."""
        return self.left.bytes + self.right.bytes

    def read(self, most: int) -> bool:
        """Read a row of one half; False: every next row has more than ``most`` ways."""
        for half in sorted((self.left, self.right), key=lambda one: one.work):
            if not half.done and half.read(most):
                if half.done:
                    self._done(half)
                return True
        return False

    def _half(self, right: bool, fits: list[ByteTable]) -> Half:
        """A half of which no row is read."""
        edges = (self.middle, len(self.down)) if right else (0, self.middle)
        return Half(self.across, self.down, *edges, right, fits)

    def _fits(self, other: Half) -> list[ByteTable]:
        """The ``fits`` that the half ``other``, which is done, imposes on the one that is not."""
        found = []
        for r, (start, _, middle) in enumerate(other.crossings):
            here = np.zeros((len(self.across[r].states[self.middle]), self.above[r] + 1), dtype=np.uint8)
            here[middle, self.above[r] - other.places[r].coloured[start]] = 1
            found.append(here)
        return found

    def _done(self, half: Half) -> None:
        """A half is done. The first one restricts the other, which starts again; then that one restricts the first."""
        other, fits = self.left if half.right else self.right, self._fits(half)
        if other.done:
            other.narrow(fits)
            self._finish()
        else:
            self.spent += other.work
            self.left, self.right = (self._half(False, fits), half) if half.right else (half, self._half(True, fits))

    def _finish(self) -> None:
        """All rows are read: lay out the layers."""
        for left, right, above in zip(self.left.places, self.right.places, self.above, strict=True):
            self.shapes.append(shape_of(left, right, above))
        states = np.array([shape.states for shape in self.shapes], dtype=float)
        crossings = zip(self.left.crossings, self.right.crossings, pairwise(states.tolist()), strict=True)
        self.cost = sum(fan(one, 0) * before + fan(other, 1) * behind for one, other, (before, behind) in crossings)
        rows = range(self.height // 3, self.height - self.height // 3 + 1)
        self.meet = min(rows, key=lambda r: states[r])
        self.ready = True

    def coloured(self, row: int, state: int) -> int:
        """The number of coloured cells in a row's left half, if its automaton is in this ``state`` in the middle."""
        reader = self.across[row]
        return sum(letter != 0 for letter in reader.letters[: reader.states[self.middle][state]])


def fan(crossing: Crossing, side: int) -> float:
    """The mean number of ways across a row from a state before it (``side`` 1: behind it)."""
    return len(crossing.start) / max(1, len(np.unique(crossing[side])))
