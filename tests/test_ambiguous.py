"""Boards with 2 to 50 solutions: every solver finds just those of brute force, each once, and knows that it has all."""

from __future__ import annotations

import brute
import latin
import numpy as np
import pytest
from sampling import portions, spread

from nonosat.encodings.registry import KINDS, encoding
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.puzzle import Puzzle
from nonosat.runs.events import Answer, Verdict
from nonosat.solvers import registry
from nonosat.solvers.formulas import formula_of
from nonosat.solvers.sat.session import Session, names
from nonosat.solvers.solve import solve


def complete(kind: str) -> list[str]:
    return [name for name, entry in registry.solvers().items() if entry.kind in (None, kind) and entry.complete]


SWITCHED = ["axis+partial", "elimination+fifo+tracking", "elimination+max+nobreak", "propagation+noprobe", "auto"]
LIMITED = {"cpsat-automaton": 600.0, "kissat404": 600.0}
"""One that may take its process along, and one that is loaded anew and might find the same for ever."""
MOST_FILLINGS = {"exhaustive": 70_000, "axis": 70_000}


def all_of(puzzle: Puzzle, solver: str) -> Answer:
    return solve(puzzle, solver=solver, count=None, time_limit_s=LIMITED.get(solver))


@pytest.mark.slow
def test_the_boards_are_of_all_sorts() -> None:
    boards = brute.ambiguous(12)
    assert min(len(right) for _, right in boards) >= 2
    assert sum(len(right) > 4 for _, right in boards) >= 4  # from three on, more than the newest must be ruled out
    sorts = {(puzzle.colours > 1, bool(puzzle.given)) for puzzle, _ in boards}
    assert len(sorts) == 4
    squares = latin.ambiguous(8)
    assert len(squares) == 8
    assert sum(len(right) > 4 for _, right in squares) >= 4
    assert {bool(puzzle.given) for puzzle, _ in squares} == {True, False}
    assert brute.ambiguous.__wrapped__(12) == boards  # the same ones every time
    assert latin.ambiguous.__wrapped__(8) == squares


@pytest.mark.parametrize("name", list(names()))
def test_what_was_ruled_out_stays_so(name: str) -> None:
    """Below ``solve``, where a picture that comes again is not yet an error."""
    puzzle = Nonogram.from_lengths([[1]] * 3, [[1]] * 3)
    formula, _ = formula_of(puzzle, encoding("tight+r3"))
    session, blocked, seen = Session(name, formula.cnf), list[list[int]](), set[bytes]()
    while (model := session.solve()) is not None and len(blocked) < 10:
        board = formula.cells(model)
        seen.add(board.tobytes())
        blocked.append(formula.block(board))
        session.add(blocked[-1])
    session.close()
    assert len(seen) == len(blocked) == 6


@pytest.mark.parametrize(
    ("kind", "name"), spread([(kind, name) for kind, about in KINDS.items() for name in about.tested], 12)
)
def test_every_variable_is_in_a_clause(kind: str, name: str) -> None:
    """Else a model that differs there would be another one of the same board."""
    boards: list[Puzzle] = [puzzle for puzzle, _ in (brute.ambiguous(12) if kind == "nonogram" else latin.ambiguous(8))]
    for puzzle in boards:
        cnf = encoding(name).formula(puzzle).cnf
        assert {abs(literal) for clause in cnf for literal in clause} == set(range(1, cnf.variables + 1))


@pytest.mark.parametrize("numbers", portions(range(12), 4))
@pytest.mark.parametrize("name", [*complete("nonogram"), *SWITCHED])
def test_all_pictures_and_no_other(numbers: list[int], name: str) -> None:
    boards = brute.ambiguous(12)
    for puzzle, right in (boards[number] for number in numbers):
        if (puzzle.colours + 1) ** (puzzle.height * puzzle.width) > MOST_FILLINGS.get(name, 1e99):
            continue
        answer = all_of(puzzle, name)
        assert (answer.verdict, answer.stopped) == (Verdict.SAT, None), (answer.reason, puzzle)
        assert (set(answer.pictures), len(answer.pictures)) == (right, len(right)), puzzle
        assert (answer.exhausted, answer.unique) == (True, False)


@pytest.mark.parametrize("numbers", portions(range(8), 1))
@pytest.mark.parametrize("name", complete("skyscrapers"))
def test_all_squares_and_no_other(numbers: list[int], name: str) -> None:
    for puzzle, right in (latin.ambiguous(8)[number] for number in numbers):
        answer = all_of(puzzle, name)
        assert (answer.verdict, answer.stopped) == (Verdict.SAT, None), (answer.reason, puzzle)
        found = [np.asarray(board.cells, dtype=np.uint8).tobytes() for board in answer.pictures]
        assert (set(found), len(found)) == (right, len(right)), puzzle
        assert (answer.exhausted, answer.unique) == (True, False)
