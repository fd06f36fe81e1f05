"""From a position of Skyscrapers to its solution, step by step."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.solvers.explain.constraints.explainer import ByConstraints
from nonosat.solvers.explain.explainer import Explainer, View
from nonosat.solvers.explain.skyscrapers import check
from nonosat.solvers.explain.skyscrapers.constraints import constraints, told
from nonosat.solvers.explain.skyscrapers.drawing import line_text, page
from nonosat.solvers.explain.skyscrapers.errors import line_error
from nonosat.solvers.explain.skyscrapers.search import Search
from nonosat.solvers.explain.steps import ERROR, Fact, Step

OTHERWISE = ByConstraints(constraints, told)
"""Where nothing else sees anything: a smallest set of constraints, or a guess."""


def steps(puzzle: Skyscrapers, values: list[list[int]]) -> Iterator[Step]:
    """See ``explaining.explain``."""
    search = Search(puzzle)
    known = [Fact(r, c, (v,)) for r, row in enumerate(values) for c, v in enumerate(row) if v != -1]
    rows = [list(row) for row in values]
    while True:
        step = line_error(puzzle, known)
        if step is None and len(known) == puzzle.size**2:
            return
        step = step or search.step(known) or next(OTHERWISE.steps(puzzle, rows))
        yield step
        if step.technique == ERROR:
            return
        known += step.settles
        for row, column, (value,) in step.settles:
            rows[row][column] = value


def fault(puzzle: Skyscrapers, step: Step) -> str | None:
    """Why a step does not follow: by orders of lines; of larger boards, which have too many, by a SAT solver."""
    return check.fault(puzzle, step) if puzzle.size <= check.LARGEST else OTHERWISE.fault(puzzle, step)


EXPLAINER = Explainer(steps, fault, lambda puzzle: (1, puzzle.size), View(line_text, page), lambda puzzle: ("1", "2"))
