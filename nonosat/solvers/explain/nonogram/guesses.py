"""A guess: where nothing that is looked for tells a cell, one is taken from a solution, and said to be guessed."""

from __future__ import annotations

from nonosat.puzzles.nonogram.puzzle import Nonogram
from nonosat.puzzles.puzzle import Given
from nonosat.solvers.explain.nonogram.position import Position
from nonosat.solvers.explain.nonogram.sayings import cell_told, value_told
from nonosat.solvers.explain.steps import ERROR, GUESS, Fact, Inference, Step
from nonosat.solvers.solve import solve

SOLVER = "minisat22"
"""What `auto` finds first depends on whether compiled code is there yet; an explanation must not."""


def guess(position: Position) -> Step:
    """The first open cell, as a solution that agrees with the position has it; an error if there is none.

    An error of this kind names all lines: what the contradiction rests on is not looked for.
    """
    puzzle = position.puzzle
    given = tuple(Given(r, c, v) for r, row in enumerate(position.values) for c, v in enumerate(row) if v >= 0)
    answer = solve(Nonogram(puzzle.rows, puzzle.columns, given, puzzle.palette), solver=SOLVER, unique=True)
    if answer.picture is None:
        return _no_solution(position, given)
    row, column = position.open_cells()[0]
    fact = Fact(row, column, (int(answer.picture.cells[row, column]),))
    others = "the solution has it" if answer.unique else "a solution has it, and others may not"
    is_so = f"{cell_told(fact)} is {value_told(position, fact)} ({others})"
    sentence = f"A guess, since nothing short settles a cell: {is_so}."
    return Step(GUESS, (), (), (fact,), sentence, (Inference(GUESS, (), (), (fact,), sentence),), bounded=True)


def _no_solution(position: Position, given: tuple[Given, ...]) -> Step:
    lines = tuple(position.constraint(number) for number in range(position.count))
    known = tuple(Fact(row, column, (value,)) for row, column, value in given)
    sentence = "No picture agrees with this position: all lines together contradict each other."
    return Step(ERROR, lines, known, (), sentence, (Inference(ERROR, lines, known, (), sentence),), bounded=True)
