"""A guess, where nothing that is looked for tells a cell; or the fewest lines that show that there is no picture."""

from __future__ import annotations

from contextlib import closing

from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.puzzle import Given
from nonosat.solvers.answer import Answer
from nonosat.solvers.explain.nonogram.position import Position
from nonosat.solvers.explain.nonogram.sayings import cell_told, together_told, value_told
from nonosat.solvers.explain.steps import ERROR, GUESS, Fact, Inference, Step
from nonosat.solvers.explain.words import many
from nonosat.solvers.solve import solve

SOLVER = "minisat22"
"""What `auto` finds first depends on whether compiled code is there yet; an explanation must not."""
CONFLICTS = 20_000
"""If it takes more to see that there is no picture, no lines are left out one by one: each would be asked as much."""


def guess(position: Position) -> Step:
    """The first open cell, as a solution that agrees with the position has it; an error if there is none."""
    puzzle = position.puzzle
    given = tuple(Given(r, c, v) for r, row in enumerate(position.values) for c, v in enumerate(row) if v >= 0)
    answer = solve(Nonogram(puzzle.rows, puzzle.columns, given, puzzle.palette), solver=SOLVER, unique=True)
    if answer.picture is None:
        return _no_solution(position, given, answer)
    row, column = position.open_cells()[0]
    fact = Fact(row, column, (int(answer.picture.cells[row, column]),))
    others = "the solution has it" if answer.unique else "a solution has it, and others may not"
    is_so = f"{cell_told(fact)} is {value_told(position, fact)} ({others})"
    sentence = f"A guess, since nothing short settles a cell: {is_so}."
    return Step(GUESS, (), (), (fact,), sentence, (Inference(GUESS, (), (), (fact,), sentence),), bounded=True)


def _no_solution(position: Position, given: tuple[Given, ...], answer: Answer) -> Step:
    """Lines and known cells that cannot all be right, each of them needed: a SAT solver's core, made smaller."""
    from nonosat.solvers.explain.constraints.asking import Asking
    from nonosat.solvers.explain.constraints.explainer import Reason, smallest
    from nonosat.solvers.explain.constraints.groups import stated
    from nonosat.solvers.explain.nonogram.constraints import constraints

    named = constraints(position.puzzle)
    facts = [Fact(row, column, (value,)) for row, column, value in given]
    with closing(Asking(position.puzzle, stated(named, named[0][2]))) as asking:
        groups, known = asking.core(range(len(named)), facts, None) or (list(range(len(named))), facts)
        if (answer.statistics.conflicts or 0) <= CONFLICTS:
            _, groups, known = smallest(asking, Reason(None, groups, known))
    lines = tuple(named[number][0] for number in sorted(groups))
    beside = f" beside the {many(len(known), 'known cell')} of this step" if known else ""
    sentence = f"{together_told(lines)} cannot all be right{beside}: whatever is tried, no picture has them."
    known = sorted(known)
    inference = Inference(ERROR, lines, tuple(known), (), sentence)
    return Step(ERROR, lines, tuple(known), (), sentence, (inference,), bounded=True)
