"""Symmetries of clues: every one takes solutions to solutions, none is missed, and ``auto`` makes use of them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from brute import pictures

from nonosat.encodings.registry import encoding
from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.nonogram.puzzle import Picture, palette_of
from nonosat.runs.events import Finished, Found, Statistics
from nonosat.solvers.auto import nonogram
from nonosat.solvers.auto.nonogram import symmetries
from nonosat.solvers.registry import solver
from nonosat.solvers.sat import search as sat
from nonosat.solvers.solve import solve


def symmetric_boards(seed: int, size: int = 5) -> list[np.ndarray]:
    """A random board made symmetric in every way there is, and one that is not."""
    rng = np.random.default_rng(seed)
    board = rng.integers(0, 2, (size, size))
    quarter = board | np.rot90(board) | np.rot90(board, 2) | np.rot90(board, 3)
    return [board | board[::-1], board | board[:, ::-1], board | board.T, board | np.rot90(board, 2), quarter, board]


@pytest.mark.parametrize("seed", range(12))
def test_they_take_solutions_to_solutions(seed: int) -> None:
    for board in symmetric_boards(seed, 4):
        puzzle = Nonogram.from_picture(board)
        solutions = {picture.cells.tobytes() for picture in pictures(puzzle)}
        for image in symmetries(puzzle):
            for picture in pictures(puzzle):
                turned = picture.cells.reshape(-1)[image].reshape(picture.cells.shape)
                assert turned.tobytes() in solutions


@pytest.mark.parametrize("seed", range(12))
def test_none_is_missed_and_they_are_a_group(seed: int) -> None:
    for board in symmetric_boards(seed):
        if not all(edge.any() for edge in (board[0], board[-1], board[:, 0], board[:, -1])):
            continue  # symmetries leave empty outer lines alone
        found = {tuple(image.tolist()) for image in symmetries(Nonogram.from_picture(board))}
        cells = np.arange(board.size).reshape(board.shape)
        for turns, mirrored in product(range(4), (False, True)):
            image = np.rot90(np.fliplr(cells) if mirrored else cells, turns).reshape(-1)
            if (turns or mirrored) and (board.reshape(-1)[image].reshape(board.shape) == board).all():
                assert tuple(image.tolist()) in found  # a symmetric board has symmetric clues
        identity = tuple(range(board.size))
        for one, other in product(found, repeat=2):
            assert tuple(one[i] for i in other) in {*found, identity}


def test_empty_outer_lines_and_given_cells() -> None:
    cross = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])
    shifted = np.pad(cross, ((0, 2), (1, 0)))
    puzzle = Nonogram.from_picture(shifted)
    assert len(symmetries(puzzle)) == 7
    for image in symmetries(puzzle):
        assert (shifted.reshape(-1)[image].reshape(shifted.shape) == shifted).all()
    clues = [[1], [1], [1]]
    assert len(symmetries(Nonogram.from_lengths(clues, clues))) == 7
    assert len(symmetries(Nonogram.from_lengths(clues, clues, given=[(1, 1, 1)]))) == 7
    assert len(symmetries(Nonogram.from_lengths(clues, clues, given=[(0, 0, 1)]))) == 1  # along that diagonal
    assert symmetries(Nonogram.from_lengths([[], []], [[], [], []])) == []
    assert len(symmetries(Nonogram.from_lengths([[1, 1]], [[1], [], [1]]))) == 1  # half a turn of a row mirrors it
    assert symmetries(random_density(12, 9, 0.5, 1)) == []


def test_colours_turn_with_the_cells() -> None:
    half = np.random.default_rng(3).integers(0, 3, (2, 4))
    mirrored = Nonogram.from_picture(Picture(np.concatenate((half, half[::-1])), palette_of(2)))
    images = symmetries(mirrored)
    assert images
    found = set(solve(mirrored, count=None).pictures)
    for picture in found:
        for image in images:
            assert mirrored.picture(picture.cells.reshape(-1)[image].reshape(picture.cells.shape)) in found


@pytest.mark.parametrize("asked", [0, 500])
@pytest.mark.parametrize("seed", range(6))
def test_auto_finds_all_pictures_of_symmetric_puzzles(seed: int, asked: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("WORK", 0), ("ROOT", 0), ("UPDATES", asked), ("EARLY", asked)):
        monkeypatch.setattr(nonogram, name, value)
    for board in symmetric_boards(seed, 4):
        puzzle = Nonogram.from_picture(board)
        answer = solve(puzzle, solver="auto", count=None)
        assert set(answer.pictures) == set(pictures(puzzle))
        assert answer.exhausted


def test_a_picture_that_is_not_symmetric_is_two(monkeypatch: pytest.MonkeyPatch) -> None:
    # Every permutation matrix is a solution; no two searches are needed for a second one.
    puzzle = Nonogram.from_lengths([[1]] * 4, [[1]] * 4)
    formula = encoding("tight+r3").formula(puzzle)
    images = symmetries(puzzle)
    events = sat.solved(formula, Statistics(), 3, solver("minisat22"), sat.SearchStages(images=images))
    found = [event.cells for event in events if isinstance(event, Found)]
    assert len(found) == 3
    assert any((found[0].reshape(-1)[image].reshape(4, 4) == found[1]).all() for image in images)
    for name in ("WORK", "ROOT"):
        monkeypatch.setattr(nonogram, name, 0)
    answer = solve(puzzle, solver="auto", count=2)
    assert answer.unique is False
    assert answer.statistics.clauses is None  # so no SAT solver was asked


def test_a_stage_gives_up_and_the_last_one_decides() -> None:
    puzzle = random_density(20, 20, 0.4, 1)
    formula = encoding("tight+r3").formula(puzzle)
    last = list(sat.solved(formula, Statistics(), 1, solver("minisat22"), sat.SearchStages((sat.Stage(conflicts=1),))))[
        -1
    ]
    assert isinstance(last, Finished)
    assert not last.exhausted
    events = list(
        sat.solved(
            formula, Statistics(), 1, solver("minisat22"), sat.SearchStages((sat.Stage(conflicts=1), sat.Stage()))
        )
    )
    assert sum(isinstance(event, Found) for event in events) == 1
