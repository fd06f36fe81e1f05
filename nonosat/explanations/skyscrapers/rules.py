"""The lines of a board by number, with the constraints that an argument may appeal to: all, or some of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from nonosat.explanations.skyscrapers.line import CandidateFinding, TowerLine, heights_of, single
from nonosat.explanations.steps import ConstraintRef, Fact
from nonosat.explanations.techniques import Technique, ordered
from nonosat.puzzles.skyscrapers import Skyscrapers

ENDS = {"row": ("left", "right"), "column": ("top", "bottom")}
"""The families of the clues at the front and at the back of a line."""

FAMILIES = ("row", "column", "top", "bottom", "left", "right")


class LineRules:
    """Line i < N is row i, line N + i column i. ``differ``: its heights are 1 to N; ``clues``: at its ends, 0: none.

    A clue speaks of a line with every height once: where it is allowed, so is that.

    >>> puzzle = Skyscrapers((2, 0), (0, 0), (0, 0), (1, 0))
    >>> rules = LineRules(puzzle, [ConstraintRef("top", 0), ConstraintRef("row", 1)])
    >>> rules.differ, rules.clues[2]
    ([False, True, True, False], (2, 0))
    """

    def __init__(self, puzzle: Skyscrapers, allowed: Collection[ConstraintRef] | None = None) -> None:
        self.puzzle, self.size = puzzle, puzzle.size
        self.differ: list[bool] = []
        self.clues: list[tuple[int, int]] = []
        for number in range(2 * self.size):
            line = self.constraint(number)
            ends = self.ends(number)
            if allowed is not None:
                ends = tuple(end for end in ends if end in allowed)
            clues = {end.family: getattr(puzzle, end.family)[end.place] for end in ends}
            front, back = (clues.get(family, 0) for family in ENDS[line.family])
            self.clues.append((front, back))
            self.differ.append(allowed is None or line in allowed or bool(ends))

    def constraint(self, number: int) -> ConstraintRef:
        """The name of a line."""
        return ConstraintRef("row", number) if number < self.size else ConstraintRef("column", number - self.size)

    def ends(self, number: int) -> tuple[ConstraintRef, ...]:
        """The names of the clues of a line."""
        family, place = self.constraint(number)
        return tuple(ConstraintRef(end, place) for end in ENDS[family] if getattr(self.puzzle, end)[place])

    def place(self, number: int, cell: int) -> tuple[int, int]:
        """(row, column) of a cell of a line."""
        return (number, cell) if number < self.size else (cell, number - self.size)

    def crossing(self, number: int, cell: int) -> int:
        """The other line of a cell of a line."""
        return self.size + cell if number < self.size else cell

    def number(self, constraint: ConstraintRef) -> int:
        """The line that a constraint speaks of."""
        return constraint.place + (0 if constraint.family in ("row", "left", "right") else self.size)


def without_implied(constraints: Iterable[ConstraintRef]) -> tuple[ConstraintRef, ...]:
    """Without rows and columns of which a clue speaks, in order.

    >>> spoken = [ConstraintRef("left", 2), ConstraintRef("row", 2), ConstraintRef("row", 0)]
    >>> [str(each) for each in without_implied(spoken)]
    ['row 1', 'left 3']
    """
    every = set(constraints)
    spoken = {
        ConstraintRef(family, each.place) for family, ends in ENDS.items() for each in every if each.family in ends
    }
    return tuple(sorted(every - spoken, key=lambda each: (FAMILIES.index(each.family), each.place)))


# What techniques see in lines, easy before hard; it is remembered, since most lines stay the same.


Find = Callable[[TowerLine], Iterable[CandidateFinding]]


class Finder:
    """The techniques of a line; number k is the k-th easiest."""

    def __init__(self) -> None:
        self.techniques: list[tuple[Technique, Find]] = [
            (technique, technique.find) for technique in ordered("skyscrapers") if technique.find is not None
        ]
        self._seen: dict[tuple[int, TowerLine], list[CandidateFinding]] = {}

    def found(self, number: int, line: TowerLine) -> list[CandidateFinding]:
        """What technique ``number`` sees in a line and is news, or a contradiction."""
        key = number, line
        if key not in self._seen:
            find = self.techniques[number][1]
            self._seen[key] = [each for each in find(line) if not each.leaves or any(news(line, each))]
        return self._seen[key]


def news(line: TowerLine, found: CandidateFinding) -> Iterator[tuple[int, tuple[int, ...]]]:
    """(cell, heights) of open cells of which a finding says something new: what is left, but for what was out before.

    >>> line = TowerLine.drawn("12 12 13 .")
    >>> list(news(line, CandidateFinding({2: 0b1100, 3: 0b1000})))
    [(2, (2, 3, 4)), (3, (4,))]
    """
    for cell in line.open:
        left = found.leaves.get(cell, line.every)
        if single(left) and left & line.cells[cell]:
            yield cell, heights_of(left)
        elif gone := line.cells[cell] & ~left:
            yield cell, heights_of(line.every & ~gone)


# What trials get, and what they return: importing this loads no compiled code.


class HeightTrial(NamedTuple):
    """A height is assumed of a cell. ``met``: the lines that took candidates away until there was a contradiction."""

    row: int
    column: int
    height: int
    met: frozenset[int] = frozenset()

    def gives(self, size: int) -> Fact:
        """That the cell has another height."""
        return Fact(self.row, self.column, tuple(h for h in range(1, size + 1) if h != self.height))


class RefutingConstraints(NamedTuple):
    """``constraints`` and ``facts`` refute a trial, and each of them is needed."""

    trial: HeightTrial
    constraints: tuple[ConstraintRef, ...]
    facts: tuple[Fact, ...]
