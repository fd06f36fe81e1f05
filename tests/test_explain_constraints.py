"""Explanations of any kind of puzzle from its constraints: those of our kinds, and of one that a plug-in brings."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest
from squares import KIND, Latin

import nonosat
from nonosat import plugins
from nonosat.csp.build import Builder
from nonosat.errors import PuzzleError
from nonosat.explanations.constraints import pieces
from nonosat.explanations.explain import explain, fault
from nonosat.explanations.skyscrapers.explainer import OTHERWISE
from nonosat.explanations.steps import ERROR, GUESS, ConstraintRef, Fact, Step
from nonosat.generators.skyscrapers import Level
from nonosat.generators.skyscrapers_made import made
from nonosat.puzzles.puzzle import Given, is_solution
from nonosat.puzzles.skyscrapers import Skyscrapers

OPEN = [[-1] * 3] * 3


def boards(puzzle: Skyscrapers, step: Step) -> list[tuple[tuple[int, ...], ...]]:
    """Brute force: all squares of heights that agree with the constraints and known cells of ``step`` alone."""
    size = puzzle.size
    rows = list(product(range(1, size + 1), repeat=size))
    found = []
    for square in product(rows, repeat=size):
        lines = {"row": square, "column": tuple(zip(*square, strict=True))}
        if all(right(puzzle, lines, each) for each in step.constraints) and all(
            (square[fact.row][fact.column],) == fact.values for fact in step.known
        ):
            found.append(square)
    return found


def right(puzzle: Skyscrapers, lines: dict[str, tuple[tuple[int, ...], ...]], constraint: ConstraintRef) -> bool:
    family, place = constraint
    if family in lines:
        return len(set(lines[family][place])) == puzzle.size
    line = lines["column" if family in ("top", "bottom") else "row"][place]
    ahead = line if family in ("top", "left") else line[::-1]
    if len(set(line)) < puzzle.size:
        return False  # a clue speaks of a line with every height once
    return sum(h > max(ahead[:i], default=0) for i, h in enumerate(ahead)) == getattr(puzzle, family)[place]


@pytest.mark.slow
def test_skyscrapers_beside_brute_force() -> None:
    seen = set()
    for square in list(permutations([(1, 2, 3), (2, 3, 1), (3, 1, 2)]))[:3]:
        puzzle = Skyscrapers.from_heights(square)
        rows = np.full((3, 3), -1)
        for step in OTHERWISE.steps(puzzle, rows.tolist()):
            assert OTHERWISE.fault(puzzle, step) is None
            [fact] = step.fixes
            agree = boards(puzzle, step)
            assert {board[fact.row][fact.column] for board in agree} == set(fact.values)
            for one in step.constraints:  # each is needed, and each known cell
                fewer = replace(step, constraints=tuple({*step.constraints} - {one}))
                assert len({board[fact.row][fact.column] for board in boards(puzzle, fewer)}) > 1
                assert OTHERWISE.fault(puzzle, fewer)
            for one_cell in step.known:
                fewer = replace(step, known=tuple({*step.known} - {one_cell}))
                assert len({board[fact.row][fact.column] for board in boards(puzzle, fewer)}) > 1
            seen |= {constraint.family for constraint in step.constraints}
            rows[fact.row, fact.column] = fact.values[0]
        assert rows.tolist() == [list(row) for row in square]
    assert len(seen) >= 3


def test_a_puzzle_of_a_level_is_explained() -> None:
    puzzle = made(Level(4, "hard"), 7)
    rows = np.array([[-1] * 4] * 4)
    for row, column, value in puzzle.given:
        rows[row, column] = value
    for step in OTHERWISE.steps(puzzle, rows.tolist()):
        assert OTHERWISE.fault(puzzle, step) is None
        assert step.technique == "constraints"
        for row, column, (value,) in step.fixes:
            rows[row, column] = value
    assert is_solution(puzzle, puzzle.picture(rows))


def test_a_clue_in_words() -> None:
    step = next(OTHERWISE.steps(Skyscrapers((0, 0, 0), (0, 0, 0), (3, 0, 0), (0, 0, 0)), OPEN))
    assert step.sentence == "Row 1, column 1 is 1, since nothing else goes with 3 towers seen from the left of row 1."
    assert step.constraints == (ConstraintRef("left", 0),)


def test_positions_that_are_wrong_and_guesses() -> None:
    puzzle = Skyscrapers.from_clues([0] * 12)
    assert next(OTHERWISE.steps(puzzle, OPEN)).technique == GUESS
    [step] = OTHERWISE.steps(puzzle, [[1, -1, 1], [-1, -1, 2], [-1, -1, -1]])
    assert (step.technique, step.constraints) == (ERROR, (ConstraintRef("row", 0),))
    assert set(step.known) == {Fact(0, 0, (1,)), Fact(0, 2, (1,))}
    assert OTHERWISE.fault(puzzle, step) is None
    assert OTHERWISE.fault(puzzle, replace(step, known=step.known[:1]))
    with pytest.raises(PuzzleError):
        explain(puzzle, [[4, -1, -1]] * 3)


def test_a_kind_from_outside_is_explained_for_nothing() -> None:
    with plugins.registered(KIND):
        puzzle = Latin(3, (Given(0, 0, 2), Given(1, 1, 2), Given(0, 1, 1)))
        steps = list(explain(puzzle))
        assert [step.technique for step in steps].count(GUESS) == 0
        assert sum(len(step.fixes) for step in steps) == 6
        for step in steps:
            assert fault(puzzle, step) is None
            assert {constraint.family for constraint in step.constraints} <= {"row", "column"}


def test_pieces_are_what_families_say() -> None:
    build = Builder()
    x = [build.integer(f"x_{i}", 0, 2) for i in range(4)]
    build.all_different(x[:3])
    build.linear([(1, x[0]), (2, x[3])], "<=", 3)
    build.clause(build.at_most(x[1], 0), build.at_least(x[2], 2))
    build.clause(build.at_least(x[3], 1))
    csp = build.csp()
    found = list(pieces(csp))
    assert len(found) == 4
    for values in product(range(3), repeat=4):
        line = np.array(values, dtype=np.int32)
        assert all(piece.family.holds(line) for piece in found) == csp.holds(line)


def test_the_package_is_the_function_too() -> None:
    """Importing a module of it makes ``nonosat.explain`` the package."""
    puzzle = nonosat.Skyscrapers.from_clues([3, 0, 0] + [0] * 9)
    assert next(iter(nonosat.explain(puzzle))) == next(iter(nonosat.explain(puzzle)))
