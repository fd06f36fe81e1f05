"""A position that no solution agrees with: which line shows it, by the smallest set of its known cells."""

from __future__ import annotations

from nonosat.solvers.explain.nonogram.line import OPEN, Line
from nonosat.solvers.explain.nonogram.position import Position
from nonosat.solvers.explain.smallest import Budget, minimal, minimum
from nonosat.solvers.explain.steps import ERROR, Inference, Step

QUESTIONS = 20_000
"""Asked of a line (each takes some 50 µs), at most, for the smallest set of cells."""


def line_error(position: Position) -> Step | None:
    """The line without a placement that shows it by the fewest cells. None: every line has one."""
    dead = [number for number in range(position.count) if position.line(number).placements.none]
    blamed = [(number, *wrong_cells(position.line(number))) for number in dead]
    if not blamed:
        return None
    number, cells, bounded = min(blamed, key=lambda one: len(one[1]))
    constraint = position.constraint(number)
    sentence = f"{str(constraint).capitalize()}: {_told(position.line(number), cells)}."
    known = position.facts(number, cells)
    inference = Inference(ERROR, (constraint,), known, (), sentence)
    return Step(ERROR, (constraint,), known, (), sentence, (inference,), bounded)


def wrong_cells(line: Line) -> tuple[list[int], bool]:
    """Fewest known cells that no placement of the line's runs agrees with; and was the search for them cut short?

    >>> wrong_cells(Line.drawn([2, 1], "#??#?#?"))
    ([0, 3, 5], False)
    >>> wrong_cells(Line.drawn([2, 1], "#.?#?#?"))
    ([0, 1], False)
    """

    def holds(kept: list[int]) -> bool:
        return line.only(kept).placements.none

    known = [cell for cell, value in enumerate(line.cells) if value != OPEN]
    few = minimal(known, holds)
    budget = Budget(QUESTIONS)
    fewer = minimum(known, holds, len(few) - 1, budget)
    return few if fewer is None else fewer, budget.spent


def _told(line: Line, cells: list[int]) -> str:
    if not cells:
        return "its runs do not fit"
    states = line.all_told({cell: line.cells[cell] for cell in cells})
    wrong = "that is wrong" if len(cells) == 1 else "these cannot all be right"
    runs = "its clue is 0" if not line.clue else "no placement of its runs allows that"
    return f"{states}, and {runs}: {wrong}"
