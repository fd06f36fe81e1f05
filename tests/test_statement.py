"""Statements mean their puzzles: their models are the boards that brute force finds, each once."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import opb
import pytest
from pages import blocks
from sampling import spread

from nonosat.certificates.statement import PBConstraint, Statement, constraint, opb_lines, statement_of
from nonosat.errors import UnsupportedError
from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Nonogram, Picture
from nonosat.puzzles.nonogram.puzzle import palette_of
from nonosat.puzzles.puzzle import KINDS, Given, Puzzle, is_solution
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.rng import Rng
from nonosat.testing import kinds
from nonosat.testing.brute import samples, solutions


def more_nonograms() -> list[Nonogram]:
    """Of three colours, and with cells that are given, right or wrong."""
    found = []
    for seed in range(12):
        stream = Rng(seed)
        colours = 1 + stream.below(3)
        height, width = 1 + stream.below(3), 1 + stream.below(3)
        board = random_density(height, width, (0.7 / colours,) * colours, seed)
        given = Given(stream.below(height), stream.below(width), stream.below(colours + 1))
        found += [board, replace(board, given=(given,), goal=None)]
    return found


def boards(statement: Statement, shape: tuple[int, int]) -> list[bytes]:
    """The boards of all models."""
    found = []
    for model in opb.models(opb.read(opb_lines(statement)), statement.board):
        cells = np.zeros(shape, dtype=np.uint8)
        for name, (row, column, value) in statement.board.items():
            if model[name]:
                assert not cells[row, column], "a cell with two values"
                cells[row, column] = value
        assert statement.literals(cells.tolist()) == [n if model[n] else f"~{n}" for n in statement.board]
        found.append(cells.tobytes())
    return sorted(found)


@pytest.mark.parametrize(
    "puzzle", spread([*samples("nonogram"), *more_nonograms(), *samples("skyscrapers")], 4), ids=str
)
def test_the_models_are_the_solutions(puzzle: Puzzle) -> None:
    wanted = sorted(board.cells.tobytes() for board in solutions(puzzle))
    assert boards(statement_of(puzzle), puzzle.shape) == wanted


WRONG = {
    "allows": lambda lines: lines[:-1],  # all but the given cell
    "leaves something open": lambda lines: [*lines, PBConstraint([(1, "x0_0_1"), (1, "zz")], 1)],
    "leaves out": lambda lines: [*lines, PBConstraint([(1, "~x0_0_1")], 1)],
}


@pytest.mark.parametrize("fault", WRONG)
def test_the_battery_finds_a_wrong_statement(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = Nonogram.from_lengths([[1], [1]], [[1], [1]], [(0, 0, 1)])
    kinds.means([puzzle])
    right = statement_of(puzzle)
    wrong = replace(right, constraints=lambda: WRONG[fault](list(right.constraints())))
    monkeypatch.setattr(kinds, "statement_of", lambda _: wrong)
    with pytest.raises(AssertionError, match=fault):
        kinds.means([puzzle])


@pytest.mark.parametrize(("shape", "colours", "step"), [((2, 3), 1, 1), ((3, 3), 1, 5), ((2, 3), 2, 7)])
def test_the_puzzles_of_many_pictures(shape: tuple[int, int], colours: int, step: int) -> None:
    """Every so many of all pictures: among them those that the columns do not settle, so that each rule counts."""
    by_clues: dict[tuple[object, object], list[bytes]] = {}
    pictures = []
    for values in product(range(colours + 1), repeat=shape[0] * shape[1]):
        picture = Picture(np.array(values, dtype=np.uint8).reshape(shape), palette_of(colours))
        puzzle = Nonogram.from_picture(picture)
        by_clues.setdefault((puzzle.rows, puzzle.columns), []).append(picture.cells.tobytes())
        pictures.append(puzzle)
    for puzzle in pictures[::step]:
        assert boards(statement_of(puzzle), shape) == sorted(by_clues[puzzle.rows, puzzle.columns])


@pytest.mark.parametrize("clue", [1, 2, 3])
@pytest.mark.parametrize("place", range(12))
def test_a_single_clue(place: int, clue: int) -> None:
    """From each end of each line: the Latin squares that have it."""
    puzzle = Skyscrapers.from_clues([clue if at == place else 0 for at in range(12)])
    squares = boards(statement_of(Skyscrapers.from_clues([0] * 12)), (3, 3))
    assert len(squares) == 12
    heights = {cells: puzzle.picture(np.frombuffer(cells, np.uint8).reshape(3, 3)) for cells in squares}
    assert boards(statement_of(puzzle), (3, 3)) == [cells for cells in squares if is_solution(puzzle, heights[cells])]


@pytest.mark.slow
def test_the_samples_are_varied() -> None:
    counts = {len(solutions(p)) for p in [*samples("nonogram"), *more_nonograms()]}
    assert {0, 1, 2} <= counts
    assert {p.colours for p in more_nonograms()} == {1, 2, 3}


@pytest.mark.slow
def test_a_larger_skyscraper_board() -> None:
    """4x4: every board has the clues that it is made of; one clue changed leaves those that have it."""
    board = Skyscrapers.from_heights([[1, 2, 3, 4], [2, 1, 4, 3], [3, 4, 1, 2], [4, 3, 2, 1]])
    rows = opb.read(opb_lines(statement_of(board)))
    assert boards(statement_of(board), (4, 4)).count(board.goal.cells.tobytes()) == 1  # type: ignore[union-attr]
    assert len(opb.models(rows)) == len(boards(statement_of(board), (4, 4)))
    empty = Skyscrapers.from_clues([0] * 16)
    assert len(boards(statement_of(empty), (4, 4))) == 576  # Latin squares of order 4


def test_the_header_counts_and_the_lines_are_made_anew() -> None:
    statement = statement_of(random_density(5, 6, (0.3, 0.3), 1))
    lines = list(opb_lines(statement))
    assert lines == list(opb_lines(statement))
    names = {name for terms, _ in opb.read(lines) for name in terms}
    assert lines[0] == f"* #variable= {len(names | set(statement.board))} #constraint= {len(lines) - 2}"
    assert lines[1] == f"preserved: {' '.join(statement.board)} ;"
    assert list(opb_lines(statement, preserved=False)) == [lines[0], *lines[2:]]


def test_trivial_constraints_are_left_out() -> None:
    assert not list(constraint([(1, "aa"), (-1, "bb")], -1))
    assert list(constraint([(1, True)], 2)) == [PBConstraint([], 1)]
    assert list(constraint([(1, "aa")], 0, equal=True)) == [PBConstraint([(1, "aa")], 0, equal=True)]


def test_a_kind_without_a_statement_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(KINDS["nonogram"]), "statement", None)
    with pytest.raises(UnsupportedError, match="the puzzle nonogram has no pseudo-Boolean statement"):
        statement_of(Nonogram.from_lengths([[1]], [[1]]))


def test_the_page_shows_what_is_written() -> None:
    [shown] = [block.code for block in blocks("docs/certificates.md", "opb")]
    written = opb_lines(statement_of(Nonogram.from_lengths([[2]], [[1], [1], []])))
    assert shown == "".join(f"{line}\n" for line in written)
