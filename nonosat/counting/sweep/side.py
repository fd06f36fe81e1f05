"""A sweep over a board from its first row on: the layers of states between its cells, with their counts."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.counting.sweep.automata import reader_of
from nonosat.counting.sweep.prune import prune, tables_of
from nonosat.counting.sweep.step import DONE, FULL, OVERFLOW, PAUSED, READ, WRITTEN, Merge, merge, merge_of
from nonosat.puzzles.nonogram.puzzle import Clue
from nonosat.solvers.arrays import Ints, Words

WIDEST = 63
"""Cells of a row at most: its states are the bits of a word."""
PRUNED = 32
"""What a state that is tried by the rows below costs, in states that are read: about."""


class Layer(NamedTuple):
    """States between two cells, sorted, and how many ways lead to each."""

    keys: Words
    counts: Words

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        return self.keys.nbytes + self.counts.nbytes

    def resize(self, size: int) -> None:
        """In place, so that nothing is there twice where the system can."""
        for array in self:
            array.resize(size, refcheck=False)


class Side:
    """A sweep that can be gone on with. ``row``, ``column``: the next cell; ``layer``: the states before it.

    ``rows``, ``columns``: clues; ``may``: of each cell and value, whether it is possible. ``keep``: all layers between
    rows stay in ``kept``. ``work``: how many states were read.
    """

    def __init__(
        self, rows: tuple[Clue, ...], columns: tuple[Clue, ...], may: npt.NDArray[np.bool_], keep: bool = False
    ) -> None:
        self.across = [reader_of(clue, may[r]) for r, clue in enumerate(rows)]
        self.down = [reader_of(clue, may[:, c]) for c, clue in enumerate(columns)]
        self.height, self.width, self.keep = len(rows), len(columns), keep
        self.tables = tables_of(self.across, self.down)
        self.row = self.column = self.work = 0
        one = np.ones(1, dtype=np.uint64)
        self.layer = self.new = Layer(one - one, one)
        self.kept: list[Layer] = []
        self.merge: Merge | None = None
        self.tried: list[int] | None = None  # of a row that is whole: how many states were tried, and how many are left

    def sizes(self, row: int) -> list[int]:
        """How many states each column has before ``row``."""
        return [len(reader.states[row]) for reader in self.down]

    def fits(self) -> bool:
        """Are all states numbers of a word, with the bits of the row's states and some to spare?"""
        most = [
            max(prod(self.sizes(r)[c:]) * prod(self.sizes(r + 1)[:c]) for c in range(self.width + 1))
            << self.row_bits(r)
            for r in range(self.height)
        ]
        return self.width <= WIDEST and max(most) < 1 << 62

    def row_bits(self, row: int) -> int:
        """How many bits the states of a row take."""
        return max(len(states) - 1 for states in self.across[row].states).bit_length()

    def bits(self, column: int) -> int:
        """Those of the row at work before ``column``: none where the row has one state only."""
        return 0 if column in (0, self.width) else self.row_bits(self.row)

    @property
    def bytes(self) -> int:
        """The memory that all layers take."""
        held = {id(layer.keys): layer.bytes for layer in (*self.kept, self.layer, self.new)}
        return sum(held.values())

    @property
    def between(self) -> bool:
        """Is it between two rows?"""
        return self.column == 0 and self.merge is None and self.tried is None

    def go_on(self, budget: int) -> int:
        """Read some ``budget`` states: PAUSED, DONE (a row more is whole) or OVERFLOW."""
        if self.tried is not None:
            return self._try_rows(budget // PRUNED + 1)
        if self.merge is None:
            self._begin()
        assert self.merge is not None
        before, digits = int(self.merge.state[READ]), len(self.down[self.column].states[self.row + 1])
        bits = self.bits(self.column), self.bits(self.column + 1)
        said = merge(self.merge, *self.layer, *bits, digits, budget, *self.new)
        self.work += int(self.merge.state[READ]) - before
        if said == FULL:
            self.new.resize(3 * len(self.new.keys) // 2 + len(self.merge.sums))
        if said == DONE:
            self._finish(int(self.merge.state[WRITTEN]))
        return OVERFLOW if said == OVERFLOW else PAUSED

    def _begin(self) -> None:
        """Prepare the merge at the next cell."""
        r, c = self.row, self.column
        if c == 0 and self.keep:
            self.kept.append(self.layer)
        behind = prod(self.sizes(r)[c + 1 :]) * prod(self.sizes(r + 1)[:c])
        digits = len(self.down[c].states[r + 1])
        bits = self.bits(c), self.bits(c + 1)
        self.merge = merge_of(self.layer.keys, behind, bits, self.down[c].step[r], self.across[r].step[c], digits)
        room = len(self.layer.keys) + 2 * len(self.merge.sums)
        self.new = Layer(np.empty(room, dtype=np.uint64), np.empty(room, dtype=np.uint64))

    def _finish(self, written: int) -> None:
        """A cell is done."""
        self.new.resize(written)
        self.layer, self.merge = self.new, None
        self.column += 1
        if self.column == self.width:
            self.row, self.column, self.tried = self.row + 1, 0, [0, 0]

    def _try_rows(self, states: int) -> int:
        """Drop those of the next ``states`` that leave a row below without a filling."""
        assert self.tried is not None
        (begin, to), t, (keys, counts) = self.tried, self.tables, self.layer
        sizes, first, allowed = self.columns_before(self.row)
        end, at = min(len(keys), begin + states), np.zeros(self.width, dtype=np.int64)
        left = prune(keys, counts, begin, end, to, self.row, sizes, first, allowed, t.stays, t.due, t.reads, t.ends, at)
        self.work += PRUNED * (end - begin)
        self.tried = [end, left]
        if end < len(keys):
            return PAUSED
        self.layer.resize(left)
        self.tried = None
        return DONE

    def columns_before(self, row: int) -> tuple[Ints, Ints, Words]:
        """The columns' states before ``row``: how many, where each column's begin in a list of all, what they allow."""
        sizes = np.array(self.sizes(row), dtype=np.int64)
        first: Ints = np.cumsum(sizes) - sizes
        return sizes, first, np.concatenate([column[row] for column in self.tables.allowed])
