"""A sweep over a board from its first row on: the layers of states between its cells, with their counts."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.counting.sweep.automata import reader_of
from nonosat.counting.sweep.pages import PAGE, gather, list_of, no_pages, taken
from nonosat.counting.sweep.prune import Pruning, prune, tables_of
from nonosat.counting.sweep.step import DONE, FULL, OVERFLOW, PAUSED, READ, Cell, cell_of, joined, step
from nonosat.puzzles.nonogram.puzzle import Clue
from nonosat.solvers.arrays import Ints, Words

WIDEST = 63
"""Cells of a row at most: its states are the bits of a word."""
PRUNED = 20
"""What a state that is tried by the rows below costs, in states that are read: about."""
SPARE = 16
"""Pages that are added at least where there are none left."""


class Layer(NamedTuple):
    """States between two rows, sorted, and how many ways lead to each."""

    keys: Words
    counts: Words

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        return self.keys.nbytes + self.counts.nbytes


class Side:
    """A sweep that can be gone on with. ``row``, ``column``: the next cell, from the row's end on; ``states``: how many
    there are before it.

    ``rows``, ``columns``: clues; ``may``: of each cell and value, whether it is possible. ``keep``: all layers between
    rows stay in ``kept``. ``work``: how many states were read.
    """

    def __init__(
        self, rows: tuple[Clue, ...], columns: tuple[Clue, ...], may: npt.NDArray[np.bool_], keep: bool = False
    ) -> None:
        self.across = [reader_of(clue, may[r]) for r, clue in enumerate(rows)]
        self.turned = [reader_of(clue[::-1], may[r, ::-1]) for r, clue in enumerate(rows)]
        self.down = [reader_of(clue, may[:, c]) for c, clue in enumerate(columns)]
        self.height, self.width, self.keep = len(rows), len(columns), keep
        self.tables = tables_of(self.across, self.down)
        self.row, self.column, self.work, self.states = 0, self.width - 1, 0, 1
        self.pages = no_pages()
        self.pages.grow(1)
        self.first = taken(self.pages)
        self.pages.counts[self.first * PAGE] = self.pages.used[self.first] = 1
        self.kept: list[Layer] = []
        self.cell: Cell | None = None
        self.pruning: Pruning | None = None

    def sizes(self, row: int) -> list[int]:
        """How many states each column has before ``row``."""
        return [len(reader.states[row]) for reader in self.down]

    def others(self, row: int, column: int) -> int:
        """How many numbers the states of all columns but one have, while that one's cell is read."""
        return prod(self.sizes(row)[:column]) * prod(self.sizes(row + 1)[column + 1 :])

    def fits(self) -> bool:
        """Are all states numbers of a word, with the bits of the row's states and some to spare?"""
        most = [
            max(self.others(r, c) * max(self.sizes(r)[c], self.sizes(r + 1)[c]) for c in range(self.width))
            << self.row_bits(r)
            for r in range(self.height)
        ]
        return self.width <= WIDEST and max(most) < 1 << 62

    def row_bits(self, row: int) -> int:
        """How many bits the states of a row take."""
        return max(len(states) - 1 for states in self.turned[row].states).bit_length()

    def bits(self, column: int) -> int:
        """Those of the row at work right before ``column``: none where the row has one state only."""
        return 0 if column in (0, self.width) else self.row_bits(self.row)

    @property
    def bytes(self) -> int:
        """The memory that all layers take."""
        return self.pages.bytes + sum(layer.bytes for layer in self.kept)

    @property
    def between(self) -> bool:
        """Is it between two rows?"""
        return self.column == self.width - 1 and self.cell is None and self.pruning is None

    def go_on(self, budget: int) -> int:
        """Read some ``budget`` states: PAUSED, DONE (a row more is whole) or OVERFLOW."""
        if self.pruning is not None:
            return self._prune(budget // PRUNED + 1)
        if self.cell is None:
            self._begin()
        assert self.cell is not None
        before = int(self.cell.state[READ])
        said = step(self.pages, self.cell, self.bits(self.column), budget)
        self.work += int(self.cell.state[READ]) - before
        if said == FULL:
            self.pages.grow(len(self.pages.used) // 8 + len(self.cell.head) + SPARE)
        if said == DONE:
            self._finish(*joined(self.pages, self.cell))
        return OVERFLOW if said == OVERFLOW else PAUSED

    def layer(self) -> Layer:
        """The states between two rows."""
        found = Layer(np.empty(self.states, dtype=np.uint64), np.empty(self.states, dtype=np.uint64))
        gather(self.pages, self.first, *found)
        return found

    def taken(self) -> Layer:
        """The same, and it goes no further: its memory is free."""
        found = self.layer()
        self.pages = no_pages()
        return found

    def _begin(self) -> None:
        """Prepare the next cell."""
        r, c = self.row, self.column
        if self.keep and c == self.width - 1:
            self.kept.append(self.layer())
        across, behind = self.turned[r].step[self.width - 1 - c], len(self.down[c].states[r + 1])
        bits = self.bits(c + 1), self.bits(c)
        self.cell = cell_of(self.first, self.down[c].step[r], across, behind, self.others(r, c), bits)

    def _finish(self, first: int, states: int) -> None:
        """A cell is done."""
        self.first, self.states, self.cell = first, states, None
        self.column -= 1
        if self.column < 0:
            self.row, self.column = self.row + 1, self.width - 1
            self.pruning = Pruning(list_of(self.pages, first))

    def _prune(self, states: int) -> int:
        """Drop those of the states on the next pages that leave a row below without a filling."""
        assert self.pruning is not None
        t, p, row = self.tables, self.pages, self.row
        sizes, first, allowed = self.columns_before(row)
        at = np.zeros(self.width, dtype=np.int64)
        for page in self.pruning.next(states // PAGE + 1):
            begin, end = page * PAGE, page * PAGE + int(p.used[page])
            left = prune(p.keys, p.counts, begin, end, row, sizes, first, allowed, t.stays, t.due, t.reads, t.ends, at)
            self.pruning.saw(end - begin, left - begin)
            p.used[page] = left - begin
            self.work += PRUNED * (end - begin)
            self.states -= end - left
        if not self.pruning.over:
            return PAUSED
        self.pruning = None
        return DONE

    def columns_before(self, row: int) -> tuple[Ints, Ints, Words]:
        """The columns' states before ``row``: how many, where each column's begin in a list of all, what they allow."""
        sizes = np.array(self.sizes(row), dtype=np.int64)
        first: Ints = np.cumsum(sizes) - sizes
        return sizes, first, np.concatenate([column[row] for column in self.tables.allowed])
