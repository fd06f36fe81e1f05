"""Which lines does it take to refute a value of a cell, or show it? The compiled line solver, with lines left out."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
import numpy.typing as npt

from nonosat.puzzles.nonogram.puzzle import Nonogram
from nonosat.puzzles.puzzle import Given
from nonosat.solvers.arrays import Words
from nonosat.solvers.explain.nonogram.position import Position
from nonosat.solvers.explain.nonogram.trials import EXCLUDED, NONE_LEFT, PROBED, TOGETHER, Refuted, Trial
from nonosat.solvers.explain.smallest import Budget, fewest
from nonosat.solvers.propagation.board import TRAIL, WAITING, Board, board_of
from nonosat.solvers.propagation.changes import dequeue, forbid
from nonosat.solvers.propagation.restricted import Lines, either_way, grow, scan, shrink, spread

Bits = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]


class Refutations:
    """A position in which lines by themselves are stuck, for trials.

    ``board``: what is known, from which every trial begins; ``settled``: what all lines together leave of it (the same,
    but for colours).
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.lines = position.count
        self.met = np.zeros(self.lines, dtype=np.uint8)
        self.order = np.zeros(self.lines, dtype=np.int64)
        self.colours = position.puzzle.colours > 1
        self.board = _board(position)
        self.settled = _board(position) if self.colours else self.board
        self.dead = self.colours and spread(self.settled, self._allowed(), self.met) > 0
        self.settled.state[TRAIL] = 0

    def together(self) -> list[Trial]:
        """Cells that lines settle together, without an assumption; or the trial that they contradict each other."""
        if self.dead:
            return [Trial(0, 0, 0, -1, NONE_LEFT)]
        left = [(cell, self.left(*cell)) for cell in self.position.open_cells()] if self.colours else []
        return [Trial(*cell, values[0], -1, TOGETHER) for cell, values in left if len(values) == 1]

    def left(self, row: int, column: int) -> tuple[int, ...]:
        """The values of a cell that all lines leave to it."""
        return tuple(v for v in self.position.every if self._may[row, v, column])

    def some(self) -> list[Trial]:
        """Values that all lines together refute, those first for which the fewest are settled.

        With colours, those that settle a cell are one trial: that all but one of its values are refuted.
        """
        counts = self._counts
        if not self.colours:
            return self._refuted(counts)
        telling = []
        for row, column in self.position.open_cells():
            here = counts[row, column]
            remaining = [v for v in self.left(row, column) if here[v] == 0]
            if len(remaining) < 2 and (here > 0).any():
                shown = remaining[0] if remaining else int(here.argmax())
                telling.append((int(here[here > 0].sum()), Trial(row, column, shown, -1, EXCLUDED)))
        return [trial for _, trial in sorted(telling)]

    def parts(self) -> list[Trial]:
        """With colours, values that are refuted, though that settles no cell."""
        return self._refuted(self._counts) if self.colours else []

    def either_way(self, most: int) -> list[Trial]:
        """Values that are refuted under every value of some other cell: ``most`` for each of these."""
        board = self.settled
        joint = np.zeros_like(board.may)
        rows = int(board.at[board.height])
        found = []
        for row, column in self.position.open_cells():
            split = row * board.width + column
            either_way(board, self._allowed(), self.met, split, joint)
            found += [Trial(*place, split) for place in self._places(board.may[:rows] & ~joint[:rows])[:most]]
        return found

    def nested(self, most: int, budget: Budget) -> list[Trial]:
        """The first ``most`` values that are refuted by trying all cells under them."""
        found: list[Trial] = []
        for row, column in self.position.open_cells():
            for value in self.left(row, column):
                trial = Trial(row, column, value, -1, PROBED)
                if len(found) == most or not budget.ask():
                    return found
                if self.few(trial, None) is not None:
                    found.append(trial)
        return found

    def few(self, trial: Trial, among: Iterable[int] | None = None) -> Refuted | None:
        """Lines that refute a trial, each of them needed."""
        allowed = self._allowed(among)
        if not shrink(self.board, allowed, self.met, self.order, *trial):
            return None
        return Refuted(trial, tuple(map(int, np.flatnonzero(allowed))))

    def fewest(self, refuted: Refuted, most: int, budget: Budget) -> Refuted | None:
        """Fewest lines that refute the same, if these are ``most`` at most; None also if the budget is spent."""

        def cut(chosen: set[int]) -> frozenset[int] | None:
            allowed = self._allowed(chosen)
            if not grow(self.board, allowed, self.met, *refuted.trial):
                return None
            return frozenset(map(int, np.flatnonzero(allowed == 0)))

        found = fewest(cut, most, budget)
        return None if found is None else Refuted(refuted.trial, tuple(sorted(found)), True)

    @cached_property
    def _may(self) -> Bits:
        """Shape (height, values, width): may a cell have a value, as far as all lines say?"""
        board = self.settled
        return self._bits(board.may[: int(board.at[board.height])])

    @cached_property
    def _counts(self) -> Counts:
        """Shape (height, width, values): see ``scan``."""
        shape = self.board.height, self.board.width, len(self.position.every)
        counts = np.zeros(shape, dtype=np.int64)
        scan(self.settled, self._allowed(), self.met, counts.reshape(-1))
        return counts

    def _refuted(self, counts: Counts) -> list[Trial]:
        found = np.argwhere(counts > 0)
        order = np.argsort(counts[counts > 0], kind="stable")
        return [Trial(*map(int, found[i])) for i in order]

    def _allowed(self, among: Iterable[int] | None = None) -> Lines:
        if among is None:
            return np.ones(self.lines, dtype=np.uint8)
        allowed = np.zeros(self.lines, dtype=np.uint8)
        allowed[list(among)] = 1
        return allowed

    def _bits(self, words: Words) -> Bits:
        height, values = self.board.height, len(self.position.every)
        some = words.reshape(height, values, -1).astype("<u8").view(np.uint8)
        return np.unpackbits(some, axis=-1, bitorder="little")[:, :, : self.board.width]

    def _places(self, gone: Words) -> list[tuple[int, int, int]]:
        """(row, column, value) of bits in words of the rows."""
        return [(int(row), int(column), int(value)) for row, value, column in np.argwhere(self._bits(gone))]


def _board(position: Position) -> Board:
    """The arrays of a position: lines are settled and none waits."""
    puzzle = position.puzzle
    given = tuple(Given(r, c, v) for r, row in enumerate(position.values) for c, v in enumerate(row) if v >= 0)
    board = board_of(Nonogram(puzzle.rows, puzzle.columns, given, puzzle.palette), memo=False)
    for (row, column), values in position.may.items():
        for value in set(position.every) - set(values):
            forbid(board, row, column, value)
    while board.state[WAITING] > 0:
        dequeue(board)
    board.state[TRAIL] = 0
    return board
