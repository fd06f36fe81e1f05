"""Which lines does it take to refute a value of a cell? The compiled line solver, asked with lines left out."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from nonosat.puzzles.nonogram.puzzle import Nonogram
from nonosat.puzzles.puzzle import Given
from nonosat.solvers.explain.nonogram.position import Position
from nonosat.solvers.explain.nonogram.trials import Refuted, Trial
from nonosat.solvers.explain.smallest import Budget, fewest
from nonosat.solvers.propagation.board import TRAIL, WAITING, Board, board_of
from nonosat.solvers.propagation.changes import dequeue, forbid
from nonosat.solvers.propagation.restricted import either_way, grow, scan, shrink


class Refutations:
    """The board of a position in which lines by themselves are stuck, for trials."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.board = _board(position)
        self.lines = position.count
        self.met = np.zeros(self.lines, dtype=np.uint8)
        self.order = np.zeros(self.lines, dtype=np.int64)

    def some(self) -> list[Trial]:
        """Values of cells that all lines together refute, those first for which the fewest lines are settled."""
        values = len(self.position.every)
        counts = np.zeros(self.board.height * self.board.width * values, dtype=np.int64)
        scan(self.board, self._allowed(), self.met, counts)
        found = np.flatnonzero(counts > 0)
        order = np.argsort(counts[found], kind="stable")
        return [Trial(*self._cell(int(i) // values), int(i) % values) for i in found[order]]

    def either_way(self, most: int) -> list[Trial]:
        """Values that are refuted under every value of some other cell: ``most`` for each of these."""
        joint = np.zeros_like(self.board.may)
        rows = int(self.board.at[self.board.height])
        found = []
        for row, column in self.position.open_cells():
            split = row * self.board.width + column
            either_way(self.board, self._allowed(), self.met, split, joint)
            gone = self.board.may[:rows] & ~joint[:rows]
            found += [Trial(*place, split) for place in self._places(gone)[:most]]
        return found

    def nested(self, most: int, budget: Budget) -> list[Trial]:
        """The first ``most`` values that are refuted by trying all cells under them."""
        found: list[Trial] = []
        for row, column in self.position.open_cells():
            for value in self.position.cell(row, column):
                trial = Trial(row, column, value, -1, 1)
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

    def _allowed(self, among: Iterable[int] | None = None) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        if among is None:
            return np.ones(self.lines, dtype=np.uint8)
        allowed = np.zeros(self.lines, dtype=np.uint8)
        allowed[list(among)] = 1
        return allowed

    def _cell(self, cell: int) -> tuple[int, int]:
        return divmod(cell, self.board.width)

    def _places(self, gone: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> list[tuple[int, int, int]]:
        """(row, column, value) of bits in words of the rows."""
        height, values = self.board.height, len(self.position.every)
        words = gone.reshape(height, values, -1)
        bits = np.unpackbits(words.astype("<u8").view(np.uint8), axis=-1, bitorder="little")[:, :, : self.board.width]
        return [(int(row), int(column), int(value)) for row, value, column in np.argwhere(bits)]


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
