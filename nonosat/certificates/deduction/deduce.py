"""Nonograms, certified by what lines conclude and probes refute, and by SAT only where these leave something open.

Lines come first, and settle most puzzles that people make. If they do not, ``auto`` is asked for solutions. Where it
has found as many as are wanted, these are named and nothing is proved. Else each value that no solution has is
refuted: by probes, as long as one settles anything (and up to a number of lines, ``WORK``), and then by SAT.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from itertools import product
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from nonosat.certificates.deduction.balance import unbalanced
from nonosat.certificates.deduction.board import Board, Conclusion
from nonosat.certificates.deduction.lemmas import Lemmas
from nonosat.certificates.deduction.probing import Probing
from nonosat.certificates.deduction.remainder import refute
from nonosat.certificates.statement import Statement
from nonosat.certificates.steps import Steps
from nonosat.puzzles.check import derived
from nonosat.puzzles.nonogram import Given, Nonogram
from nonosat.solvers import registry
from nonosat.solvers.answer import Event, Finished, Found, Progress, Statistics

SOLVER = "auto"
WORK = 40
"""Lines that probes settle at most, for each cell."""


def deduced(
    puzzle: Nonogram, at_most: int | None, statement: Statement, steps: Steps
) -> Generator[Event, None, Statistics]:
    """Find at most ``at_most`` boards, and if there are no others, prove it: the whole proof goes to ``steps``."""
    if wrong := unbalanced(puzzle, statement):
        steps.derive(f"{wrong[0]} {' '.join(f'{number} +' for number in wrong[1:])}")
        steps.conclude(True)
        return Statistics()
    yield Progress("settling lines")
    begin = perf_counter()
    board = Board(puzzle)
    trace = list(board.settle(range(len(board.lines))))
    boards: list[npt.NDArray[Any]] = []
    lines_s = perf_counter() - begin
    spent = yield from _solutions(puzzle, board, at_most, boards)
    for cells in boards:
        steps.solution(statement.literals(cells.tolist()))
    if at_most is not None and len(boards) == at_most:
        steps.conclude(False)
        return spent.plus(Statistics(solve_s=lines_s, lines_checked=board.work[0]))
    begin = perf_counter() - lines_s
    yield Progress("proving by lines", spent)
    probes = _by_lines(board, trace, steps, boards)
    own = Statistics(solve_s=perf_counter() - begin, lines_checked=board.work[0], probes=probes)
    spent = spent.plus(own)
    if board.dead or not board.open():
        steps.conclude(True)
        return spent
    yield Progress("encoding", spent)
    rest = Statistics()
    for rest in refute(derived(puzzle, given=_given(board)), boards, statement, steps):
        yield Progress("proving by SAT", spent.plus(rest))
    return spent.plus(rest)


def _solutions(
    puzzle: Nonogram, board: Board, at_most: int | None, boards: list[npt.NDArray[Any]]
) -> Generator[Event, None, Statistics]:
    """At most ``at_most`` solutions, which go to ``boards``; fewer are all."""
    spent = Statistics()
    if not board.dead and not board.open():
        boards.append(np.array(board.cells(), dtype=np.uint8))
        yield Found(boards[0])
    elif not board.dead:
        for event in registry.search(puzzle, None, at_most, registry.solver(SOLVER)):
            if isinstance(event, Finished):
                spent = event.statistics
                continue
            if isinstance(event, Found):
                boards.append(event.cells)
            yield event
    return spent


def _by_lines(board: Board, trace: Sequence[Conclusion], steps: Steps, boards: Sequence[npt.NDArray[Any]]) -> int:
    """Say what the lines concluded, and refute what probes can; how many there were."""
    lemmas = Lemmas(board, steps)
    for conclusion in trace:
        lemmas.conclude(conclusion)
    if board.dead or not board.open():
        return 0
    probing = Probing(board, lemmas, _in_none(boards))
    probing.run(WORK * board.height * board.lines[0].size)
    return probing.clock


def _in_none(boards: Sequence[npt.NDArray[Any]]) -> Callable[[int, int, int], bool]:
    """Whether a cell has a value (row, column, value) on none of the boards: then it can be refuted."""
    lists = [cells.tolist() for cells in boards]
    return lambda row, column, value: all(cells[row][column] != value for cells in lists)


def _given(board: Board) -> tuple[Given, ...]:
    """The cells that are known."""
    every = product(range(board.height), range(board.lines[0].size))
    return tuple(Given(*cell, left[0]) for cell in every if len(left := board.choices(*cell)) == 1)
