"""The heights that cells can still have: what facts leave, and what follows from known towers at once."""

from __future__ import annotations

from collections.abc import Iterable

from nonosat.solvers.explain.skyscrapers.line import OPEN, Line, mask_of
from nonosat.solvers.explain.skyscrapers.rules import Rules
from nonosat.solvers.explain.steps import Fact


class Candidates:
    """``masks`` and ``heights`` (0: open) of the cells. A known height is no candidate of its row and column.

    >>> from nonosat.puzzles.skyscrapers import Skyscrapers
    >>> found = Candidates(Rules(Skyscrapers.from_clues([0] * 12)), [Fact(0, 0, (3,)), Fact(0, 1, (1, 2))])
    >>> found.masks[0], found.line(3).cells
    ([4, 3, 3], (4, 3, 3))
    """

    def __init__(self, rules: Rules, facts: Iterable[Fact] = ()) -> None:
        self.rules = rules
        size = rules.size
        self.masks = [[(1 << size) - 1] * size for _ in range(size)]
        self.heights = [[OPEN] * size for _ in range(size)]
        self._lines: dict[int, Line] = {}
        for fact in facts:
            self.take(fact)

    def take(self, fact: Fact) -> None:
        """Know one fact more."""
        row, column, values = fact
        size, mask = self.rules.size, mask_of(values)
        self.masks[row][column] &= mask
        if not fact.known:
            self._lines.pop(row, None)
            self._lines.pop(size + column, None)
            return
        self._lines.clear()
        self.heights[row][column] = values[0]
        for other in range(size):
            if other != column and self.rules.differ[row]:
                self.masks[row][other] &= ~mask
            if other != row and self.rules.differ[size + column]:
                self.masks[other][column] &= ~mask

    def line(self, number: int) -> Line:
        """A line as it is known now."""
        if number not in self._lines:
            axis, index = self.rules.constraint(number)
            row = number < self.rules.size
            cells = self.masks[index] if row else [line[index] for line in self.masks]
            heights = self.heights[index] if row else [line[index] for line in self.heights]
            self._lines[number] = Line.of(tuple(heights), cells, *self.rules.clues[number], axis, index)
        return self._lines[number]

    def open_cells(self) -> list[tuple[int, int]]:
        """(row, column) of the cells whose height is not known."""
        return [(r, c) for r, row in enumerate(self.heights) for c, height in enumerate(row) if height == OPEN]
