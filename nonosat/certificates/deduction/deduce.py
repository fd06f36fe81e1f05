"""What the solutions of a nonogram are, and that there is no other, as steps of a proof: lines, probes, then SAT.

Lines come first, and settle most puzzles that people make. If they do not, ``auto`` is asked for solutions. Where it
has found as many as are wanted, these are named and nothing is proved. Else each value that no solution has is
refuted: by probes, as long as one settles anything (and up to a number of lines, ``WORK``), and then by SAT.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product

from nonosat.certificates.deduction.balance import unbalanced
from nonosat.certificates.deduction.board import Board
from nonosat.certificates.deduction.lemmas import Lemmas
from nonosat.certificates.deduction.probing import Probing
from nonosat.certificates.deduction.remainder import refute
from nonosat.certificates.statement import Statement
from nonosat.certificates.steps import Steps
from nonosat.errors import SolverError
from nonosat.puzzles.nonogram import Given, Nonogram, Picture
from nonosat.solvers.solve import solve

SOLVER = "auto+quick"
WORK = 40
"""Lines that probes settle at most, for each cell."""


@dataclass(frozen=True, eq=False)
class Deduced:
    """The ``pictures`` that were named; whether they are all, which is proved then; and by what."""

    pictures: tuple[Picture, ...]
    complete: bool
    how: str


def deduce(
    puzzle: Nonogram,
    statement: Statement,
    steps: Steps,
    *,
    count: int = 2,
    on_progress: Callable[[str], None] = lambda stage: None,
) -> Deduced:
    """Write the proof of all solutions of ``puzzle``, but for its conclusion; or name ``count`` of them.

    SolverError: the solver failed.
    """
    if wrong := unbalanced(puzzle, statement):
        steps.derive(f"{wrong[0]} {' '.join(f'{number} +' for number in wrong[1:])}")
        return Deduced((), True, "counting")
    board = Board(puzzle)
    on_progress("settling lines")
    trace = list(board.settle(range(len(board.lines))))
    pictures, complete, how = _solutions(puzzle, board, count, on_progress)
    for picture in pictures:
        steps.solution(statement.literals(picture.cells.tolist()))
    if not complete:
        return Deduced(pictures, False, how)
    on_progress("writing")
    lemmas = Lemmas(board, steps)
    for conclusion in trace:
        lemmas.conclude(conclusion)
    if board.dead or not board.open():
        return Deduced(pictures, True, "lines")
    on_progress("probing")
    probing = Probing(board, lemmas, _no_picture_has(pictures))
    probing.run(WORK * puzzle.height * puzzle.width)
    if board.dead or not board.open():
        return Deduced(pictures, True, "lines and probing")
    on_progress("proving that there is no other solution" if pictures else "proving that there is no solution")
    refute(replace(puzzle, given=_given(board), goal=None), statement, steps, pictures)
    return Deduced(pictures, True, "lines, probing, SAT")


def _solutions(
    puzzle: Nonogram, board: Board, count: int, on_progress: Callable[[str], None]
) -> tuple[tuple[Picture, ...], bool, str]:
    """At most ``count`` solutions; whether they are all; who found them."""
    if board.dead:
        return (), True, "lines"
    if not board.open():
        return (puzzle.picture(board.cells()),), True, "lines"
    on_progress("looking for solutions")
    answer = solve(puzzle, solver=SOLVER, count=count)
    if not answer.exhausted and len(answer.pictures) < count:
        raise SolverError(f"{answer.solver}: {answer.verdict}, {answer.reason}")
    pictures = tuple(picture for picture in answer.pictures if isinstance(picture, Picture))
    return pictures, len(pictures) < count, answer.solver


def _no_picture_has(pictures: tuple[Picture, ...]) -> Callable[[int, int, int], bool]:
    """Whether no picture has a value (row, column, value): then it can be refuted."""
    boards = [picture.cells.tolist() for picture in pictures]
    return lambda row, column, value: all(cells[row][column] != value for cells in boards)


def _given(board: Board) -> tuple[Given, ...]:
    """The cells that are known."""
    every = product(range(board.height), range(board.lines[0].size))
    return tuple(Given(*cell, left[0]) for cell in every if len(left := board.choices(*cell)) == 1)
