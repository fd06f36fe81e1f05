"""From a position of a nonogram to its solution, step by step."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.puzzles.nonogram.puzzle import Nonogram
from nonosat.solvers.explain.explainer import Explainer, View
from nonosat.solvers.explain.nonogram import check
from nonosat.solvers.explain.nonogram.drawing import line_text, page
from nonosat.solvers.explain.nonogram.errors import line_error
from nonosat.solvers.explain.nonogram.guesses import guess
from nonosat.solvers.explain.nonogram.lines import LineSteps
from nonosat.solvers.explain.nonogram.position import Position
from nonosat.solvers.explain.nonogram.stuck import Stuck
from nonosat.solvers.explain.steps import ERROR, Step


def steps(puzzle: Nonogram, values: list[list[int]]) -> Iterator[Step]:
    """See ``explaining.explain``."""
    position = Position(puzzle, values)
    lines, stuck = LineSteps(position), Stuck(position)
    while position.unknown or line_error(position):
        step = line_error(position) or lines.step() or stuck.step() or guess(position)
        yield step
        if step.technique == ERROR:
            return
        position.settle(step.settles)


EXPLAINER = Explainer(
    steps,
    check.fault,
    lambda puzzle: (0, puzzle.colours),
    View(line_text, page),
    lambda puzzle: (".", puzzle.palette[0].symbol),
)
