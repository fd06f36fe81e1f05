"""Half a board, left or right of its middle: the states that its columns may be in between rows; compiled.

A state of all columns is one of the left half and one of the right. Each half has few, some ten thousand, and all of
them are found by reading the rows' halves by themselves: kept are the states that the rows above may lead to and from
which the rows below may be read. What one half must know of the other is where the row's automaton is in the *middle*.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.counting.sweep.automata import DEAD, Reader
from nonosat.solvers.arrays import ByteTable, IntCube, Ints, Words
from nonosat.solvers.compiled import compiled

MIDDLES = 62
"""States of a row in the middle at most: they are the bits of a word."""
SPARSE = 16
"""States are numbered by sorting, and not by a table, if there are so many times more numbers."""
CROSSED = 100
"""What a way across a row costs to find, in additions: about."""

Shorts = npt.NDArray[np.int32]


class Crossing(NamedTuple):
    """The ways of a half across one row: from the states ``start`` to ``end`` (their places), with ``middle``."""

    start: Shorts
    end: Shorts
    middle: Shorts


class Places(NamedTuple):
    """The states of a half between two rows, sorted by ``coloured``: how many coloured cells they have above.

    ``keys``: numbers of mixed digits, where each column is. ``before``, ``behind``: with which states in the middle
    the last row may have led to a state, and the next may go on, as bits; equal ones stand together.
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
    """How many ways lead from the states ``keys`` across a row's half; they are written to ``start`` and so on.

    A key is a number of mixed digits, where each column is; ``sizes``: how many states each column has; ``coloured``:
    how many coloured cells are above. ``fits[middle, coloured]``: can the other half go on? ``down[column, value,
    digit]``, ``across[column, value, row state]``: what follows, or DEAD. ``states``: of the row where the half begins;
    ``worth``: of each column's digit in the ``key`` of the state behind. ``right``: is it the right half? It comes back
    early if there are more than there is room for. ``digit``, ``value``, ``row``, ``base``: scratch.
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


def padded(tables: list[Ints]) -> Ints:
    """Tables of several cells as one array, filled up with DEAD."""
    most = max(table.shape[1] for table in tables)
    found = np.full((len(tables), tables[0].shape[0], most), DEAD, dtype=np.int64)
    for i, table in enumerate(tables):
        found[i, :, : table.shape[1]] = table
    return found


def numbered(keys: Words, below: int) -> tuple[Words, Ints]:
    """The different ``keys``, sorted, all less than ``below``; and of each key, which of them it is."""
    if below > SPARSE * len(keys):
        return np.unique(keys, return_inverse=True)
    there = np.zeros(below, dtype=bool)
    there[keys] = True
    place = np.cumsum(there) - 1
    return np.flatnonzero(there).astype(np.uint64), place[keys]


class Half:
    """The columns ``first`` .. ``end`` of a board; ``across``, ``down``: the automata of its lines.

    ``fits[row][middle, coloured]``: whether the other half can go on there, where this one has so many coloured cells.
    ``row``: the next row to be read; ``large``: there are too many states. ``crossings``, ``places``: once all rows are
    read (``done``). ``work``: in additions, about.
    """

    def __init__(
        self, across: list[Reader], down: list[Reader], first: int, end: int, right: bool, fits: list[ByteTable]
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
        """Go on with the next row; False: it has more than ``most`` ways, and is not read."""
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
        """The ways across the next row: see ``cross``; not all of them, if there are more than ``most``."""
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
        """Drop what does not fit the other half, once it is known."""
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
        """When all rows are read: drop the states from which those below cannot be read, and sort the others."""
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
        """How many cells the half of ``row`` has coloured, of each state in the middle."""
        reader = self.across[row]
        states = reader.states[self.first if self.right else self.end]
        done = [sum(letter != 0 for letter in reader.letters[:state]) for state in states]
        found = np.array(done, dtype=np.int64)
        return sum(letter != 0 for letter in reader.letters) - found if self.right else found

    def digits(self, row: int, state: int) -> list[int]:
        """Where each column is in a ``state`` before ``row``."""
        return [int(digit) for digit in np.unravel_index(int(self.places[row].keys[state]), self.sizes(row))]


def bits_of(place: Shorts, bit: Shorts, states: int) -> Ints:
    """Of each state, the ``bit``s that come with its ``place``, as a word."""
    found = np.zeros(states, dtype=np.int64)
    np.bitwise_or.at(found, place, np.int64(1) << bit.astype(np.int64))
    return found
