"""The lines of a board by number, with the constraints that an argument may appeal to: all, or some of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.solvers.explain.steps import Constraint

ENDS = {"row": ("left", "right"), "column": ("top", "bottom")}
"""The families of the clues at the front and at the back of a line."""

FAMILIES = ("row", "column", "top", "bottom", "left", "right")


class Rules:
    """Line i < N is row i, line N + i column i. ``differ``: its heights are 1 to N; ``clues``: at its ends, 0: none.

    A clue speaks of a line with every height once: where it is allowed, so is that.

    >>> puzzle = Skyscrapers((2, 0), (0, 0), (0, 0), (1, 0))
    >>> rules = Rules(puzzle, [Constraint("top", 0), Constraint("row", 1)])
    >>> rules.differ, rules.clues[2]
    ([False, True, True, False], (2, 0))
    """

    def __init__(self, puzzle: Skyscrapers, allowed: Collection[Constraint] | None = None) -> None:
        self.puzzle, self.size = puzzle, puzzle.size
        self.differ: list[bool] = []
        self.clues: list[tuple[int, int]] = []
        for number in range(2 * self.size):
            line = self.constraint(number)
            ends = self.ends(number)
            if allowed is not None:
                ends = tuple(end for end in ends if end in allowed)
            told = {end.family: getattr(puzzle, end.family)[end.place] for end in ends}
            front, back = (told.get(family, 0) for family in ENDS[line.family])
            self.clues.append((front, back))
            self.differ.append(allowed is None or line in allowed or bool(ends))

    def constraint(self, number: int) -> Constraint:
        """The name of a line."""
        return Constraint("row", number) if number < self.size else Constraint("column", number - self.size)

    def ends(self, number: int) -> tuple[Constraint, ...]:
        """The names of the clues of a line."""
        family, place = self.constraint(number)
        return tuple(Constraint(end, place) for end in ENDS[family] if getattr(self.puzzle, end)[place])

    def place(self, number: int, cell: int) -> tuple[int, int]:
        """(row, column) of a cell of a line."""
        return (number, cell) if number < self.size else (cell, number - self.size)

    def crossing(self, number: int, cell: int) -> int:
        """The other line of a cell of a line."""
        return self.size + cell if number < self.size else cell

    def number(self, constraint: Constraint) -> int:
        """The line that a constraint speaks of."""
        return constraint.place + (0 if constraint.family in ("row", "left", "right") else self.size)


def lean(constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
    """Without rows and columns of which a clue speaks, in order.

    >>> [str(each) for each in lean([Constraint("left", 2), Constraint("row", 2), Constraint("row", 0)])]
    ['row 1', 'left 3']
    """
    every = set(constraints)
    spoken = {Constraint(family, each.place) for family, ends in ENDS.items() for each in every if each.family in ends}
    return tuple(sorted(every - spoken, key=lambda each: (FAMILIES.index(each.family), each.place)))
