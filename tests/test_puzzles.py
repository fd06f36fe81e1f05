from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest
from brute import pictures, random_puzzle

from nonosat.errors import PuzzleError
from nonosat.puzzles.nonogram import Clue, Given, Nonogram, Run, read_clue
from nonosat.puzzles.nonogram.puzzle import Picture, palette_of
from nonosat.puzzles.puzzle import Board, derived, fault, is_solution
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.solvers.solve import solve


def runs(*lengths: int) -> Clue:
    return tuple(Run(length) for length in lengths)


@pytest.mark.parametrize(
    ("rows", "columns", "message"),
    [
        ([[7, 2]], [[1]] * 9, "row 1: runs 7 2 need 10 cells, the line has 9"),
        ([[1], [1]], [[1], [3]], "column 2: runs 3 need 3 cells, the line has 2"),
        ([[1], [-1]], [[1]], "row 2: a run of length -1"),
        ([[0, 1]], [[1]], "row 1: a run of length 0"),
        ([], [[1]], "a puzzle has at least one row and one column"),
    ],
)
def test_malformed_clues_name_the_line(rows: list[list[int]], columns: list[list[int]], message: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        Nonogram.from_lengths(rows, columns)
    assert str(caught.value) == message


def test_a_long_clue_is_shortened_in_the_message() -> None:
    with pytest.raises(PuzzleError, match=r"runs 1 1 1 1 1 1 1 1 \.\.\. 1 need 199 cells, the line has 9"):
        Nonogram.from_lengths([[1] * 100], [[1]] * 9)


def test_runs_of_different_colours_may_touch() -> None:
    both = palette_of(2)
    columns = ((Run(1),), (Run(1, 2),))
    Nonogram(((Run(1), Run(1, 2)),), columns, palette=both)
    with pytest.raises(PuzzleError, match="need 3 cells"):
        Nonogram(((Run(1), Run(1)),), columns, palette=both)


@pytest.mark.parametrize("given", [Given(2, 0, 1), Given(0, -1, 1), Given(0, 0, 2), Given(0, 0, -1)])
def test_a_given_cell_lies_on_the_board(given: Given) -> None:
    with pytest.raises(PuzzleError, match=r"outside the board|those of a 2x2 board are from 0 to 1"):
        Nonogram((runs(1), runs(1)), (runs(1), runs(1)), (given,))


def test_a_cell_is_given_once() -> None:
    with pytest.raises(PuzzleError, match="twice"):
        Nonogram((runs(1),), (runs(1),), (Given(0, 0, 1), Given(0, 0, 0)))


@pytest.mark.parametrize("cells", [[[2]], [[-1]], [[0.5]], [[300]], [], [[]], [1, 0], [[[1]]]])
def test_what_is_no_picture(cells: object) -> None:
    with pytest.raises(PuzzleError):
        Picture(np.array(cells))


def test_pictures_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        Picture(np.array([[1]])).cells[0, 0] = 0


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([[1, 0, 1], [0, 0, 0]], None),
        ([[1, 0, 0], [0, 0, 0]], "row 1: has 1, the clue says 1 1"),  # shorter than the clue
        ([[1, 0, 1], [1, 0, 0]], "row 2: has 1, the clue says 0"),  # longer than the clue
        ([[1, 1, 1], [0, 0, 0]], "row 1: has 3, the clue says 1 1"),
        ([[1, 0, 1]], "the picture is 1x3 (rows x columns), the puzzle 2x3"),
    ],
)
def test_the_first_line_that_fails_is_named(cells: list[list[int]], message: str | None) -> None:
    puzzle = Nonogram((runs(1, 1), ()), (runs(1), (), runs(1)))
    wrong = fault(puzzle, Picture(np.array(cells)))
    assert (str(wrong) if wrong else None) == message


def test_a_puzzle_sent_to_another_process_is_the_same() -> None:
    picture = Picture(np.random.default_rng(0).integers(0, 3, (20, 20)), palette_of(2))
    puzzle = replace(Nonogram.from_picture(picture, title="a"), given=(Given(0, 1, int(picture.cells[0, 1])),))
    sent = pickle.dumps(puzzle)
    assert puzzle.lengths.tolist() == [length for _, _, clue in puzzle.lines() for length, _ in clue]
    assert pickle.dumps(puzzle) == sent
    assert pickle.loads(sent) == puzzle
    assert {type(run) for clue in pickle.loads(sent).rows for run in clue} == {Run}


@pytest.mark.parametrize("colours", [1, 3])
@pytest.mark.parametrize("shape", [(1, 1), (1, 300), (300, 1), (7, 5), (20, 20)])
def test_a_puzzle_read_off_a_picture_or_sent_has_the_clues_of_its_lines(shape: tuple[int, int], colours: int) -> None:
    rng = np.random.default_rng(shape[0] + colours)
    for most in (0, 1, colours, colours):
        picture = Picture(rng.integers(min(most, 1), most + 1, shape), palette_of(colours))
        puzzle = Nonogram.from_picture(picture)
        lines = [*picture.cells.tolist(), *picture.cells.T.tolist()]
        clues = puzzle.rows + puzzle.columns
        assert clues == tuple(map(read_clue, lines))
        for each in (puzzle, pickle.loads(pickle.dumps(puzzle)), copy.deepcopy(puzzle)):
            assert (each, each.goal, each.rows + each.columns) == (puzzle, picture, clues)
            assert each.lengths.tolist() == [run.length for clue in clues for run in clue]
            assert np.diff(each.first_runs).tolist() == [*map(len, clues)]
            assert not each.goal.cells.flags.writeable


@pytest.mark.parametrize("colours", [1, 3])
def test_the_runs_of_a_puzzle_as_arrays_are_those_of_its_clues(colours: int) -> None:
    rng = np.random.default_rng(colours)
    for height, width in rng.integers(1, 40, (30, 2)):
        puzzle = Nonogram.from_picture(Picture(rng.integers(0, colours + 1, (height, width)), palette_of(colours)))
        lengths, shades, first = puzzle.run_arrays
        runs = [run for clue in (*puzzle.rows, *puzzle.columns) for run in clue]
        assert lengths.tolist() == puzzle.lengths.tolist() == [run.length for run in runs]
        assert shades.tolist() == ([run.colour for run in runs] if colours > 1 else [])
        assert first.tolist() == puzzle.first_runs.tolist()
        for line, (_, _, clue) in enumerate(puzzle.lines()):
            assert tuple(runs[first[line] : first[line + 1]]) == clue
        assert first[-1] == len(runs)
        assert not any(each.flags.writeable for each in puzzle.run_arrays)


def test_columns_and_given_cells_are_checked() -> None:
    diagonal = Picture(np.eye(2, dtype=np.uint8))
    assert str(fault(Nonogram((runs(1), runs(1)), (runs(1), runs(2))), diagonal)) == (
        "column 2: has 1, the clue says 2"
    )
    given = Nonogram((runs(1), runs(1)), (runs(1), runs(1)), (Given(0, 1, 1),))
    assert str(fault(given, diagonal)) == "the cell in row 1, column 2 is not as given"


@pytest.mark.parametrize("length", [255, 256, 300])
def test_long_runs_are_checked(length: int) -> None:
    puzzle = Nonogram.from_picture([[1] * length])
    assert fault(puzzle, Picture([[1] * length])) is None
    assert str(fault(puzzle, Picture([[1] * (length - 1) + [0]]))) == f"row 1: has {length - 1}, the clue says {length}"


@pytest.mark.parametrize("value", [2, 10, 32, 53, 255])
def test_a_value_that_no_colour_has_is_a_fault(value: int) -> None:
    """Of all bytes that a board may have, those that stand for something else when runs are read, too."""

    class Values(Board):
        def __init__(self, rows: list[list[int]]) -> None:
            self._keep(np.array(rows, dtype=np.uint8))

    puzzle = Nonogram.from_lengths([[1], [1]], [[1], [1]])
    for cells, line in (
        ([[1, value], [0, 1]], "row 1"),
        ([[1, 0], [value, 1]], "row 2"),
        ([[value, 0], [0, 1]], "row 1"),
    ):
        assert str(fault(puzzle, Values(cells))) == f"{line}: has a colour that the puzzle lacks"


def test_the_fault_is_that_of_the_first_line_that_reads_otherwise() -> None:
    """Lines are read one by one here; a picture may have colours that the puzzle lacks."""
    rng, faults = np.random.default_rng(2), set()
    for _ in range(3000):
        height, width, colours = (int(x) for x in (*rng.integers(1, 7, 2), rng.integers(1, 4)))
        cells = rng.integers(0, colours + 1, (height, width))
        puzzle = Nonogram.from_picture(Picture(cells, palette_of(colours)))
        for _ in range(int(rng.integers(0, 3))):
            cells[rng.integers(height), rng.integers(width)] = rng.integers(0, 4)
        lines = [("row", i, line, puzzle.rows[i]) for i, line in enumerate(cells.tolist())]
        lines += [("column", i, line, puzzle.columns[i]) for i, line in enumerate(cells.T.tolist())]
        wrong = next(((axis, index) for axis, index, line, clue in lines if read_clue(line) != clue), None)
        said = fault(puzzle, Picture(cells, palette_of(3)))
        assert (said and (said.axis, said.index)) == wrong
        assert fault(puzzle, Picture(cells.tolist(), palette_of(3))) == said  # without numpy
        faults.add(wrong)
    assert {None, ("row", 0), ("column", 1)} <= faults


@pytest.mark.parametrize("shape", [(1, 1), (1, 70), (70, 1), (20, 20), (9, 33)])
def test_numpy_and_bytes_see_the_same_faults_in_black_and_white(shape: tuple[int, int]) -> None:
    """Near misses: one cell is another one, or moved by one row or column, over the edge too."""
    rng, right = np.random.default_rng(shape[0]), 0
    for _ in range(400):
        picture = (rng.random(shape) < rng.random()).astype(np.uint8)
        puzzle = Nonogram.from_picture(picture)
        flat = picture.reshape(-1)
        at = int(rng.integers(flat.size))
        near = (at + int(rng.choice([1, -1, shape[1], -shape[1]]))) % flat.size
        flat[[at, near]] = flat[[near, at]] if rng.random() < 0.7 else rng.integers(0, 2, 2)
        by_numpy, by_bytes = Picture(picture), Picture(picture.tolist())
        assert ("cells" in vars(by_numpy), "cells" in vars(by_bytes)) == (True, False)
        assert fault(puzzle, by_numpy) == fault(puzzle, by_bytes)
        assert is_solution(puzzle, by_numpy) == (
            Nonogram.from_picture(picture).rows == puzzle.rows
            and Nonogram.from_picture(picture).columns == puzzle.columns
        )
        right += is_solution(puzzle, by_numpy)
    assert 20 < right < (400 if shape == (1, 1) else 380)


def test_checking_agrees_with_brute_force() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        puzzle = random_puzzle(rng, most=3, colours=int(rng.integers(1, 3)))
        solutions = pictures(puzzle)
        for _ in range(20):
            guess = puzzle.picture(rng.integers(0, puzzle.colours + 1, puzzle.shape))
            assert is_solution(puzzle, guess) == (guess in solutions)
        assert all(is_solution(puzzle, solution) for solution in solutions)


def test_clues_read_off_a_picture_are_the_pictures_clues() -> None:
    rng = np.random.default_rng(1)
    for _ in range(100):
        line = rng.integers(0, 3, int(rng.integers(1, 12))).tolist()
        puzzle = Nonogram.from_picture(Picture(np.array([line]), palette_of(2)))
        assert puzzle.rows[0] == read_clue(line)
        assert puzzle.goal is not None
        assert is_solution(puzzle, puzzle.goal)


@pytest.mark.parametrize("solver", ["auto", "propagation", "beliefs", "elimination", "minisat22"])
def test_whole_numbers_of_numpy_are_whole_numbers(solver: str) -> None:
    ones = np.ones((2, 1), dtype=np.int64)
    puzzle = Nonogram.from_lengths(ones, ones, given=[(np.int64(0), np.uint8(0), np.int32(1))])
    assert puzzle == Nonogram.from_lengths([[1], [1]], [[1], [1]], given=[(0, 0, 1)])
    assert all(type(value) is int for value in (*puzzle.given[0], *puzzle.rows[0][0]))
    assert solve(puzzle, solver=solver).pictures == (puzzle.picture([[1, 0], [0, 1]]),)
    towers = Skyscrapers.from_clues(np.zeros(8, dtype=np.int64), given=[(np.int64(0), np.int64(0), np.int64(2))])
    assert all(type(clue) is int for clue in towers.clues)
    assert solve(towers, solver="phases").picture is not None


def test_a_puzzle_made_of_another_keeps_the_boards_that_solve_it() -> None:
    every = sorted(pictures(Nonogram.from_lengths([[1], [1]], [[1], [1]])), key=lambda picture: picture.cells.tobytes())
    puzzle = replace(Nonogram.from_lengths([[1], [1]], [[1], [1]]), goal=every[0], solutions=(every[1],))
    row, column = np.argwhere(every[1].cells == 1)[0].tolist()
    some = derived(puzzle, given=(Given(row, column, 1),))
    assert (some.goal, some.solutions) == (None, (every[1],))
    assert derived(puzzle, given=()).goal == every[0]
    narrow = derived(puzzle, columns=(runs(1),))
    assert (narrow.shape, narrow.goal, narrow.solutions) == ((2, 1), None, ())
    sky = Skyscrapers.from_heights([[1, 2], [2, 1]])
    assert derived(sky, given=(Given(0, 0, 1),)).goal == sky.goal
    assert derived(sky, given=(Given(0, 0, 2),)).goal is None
