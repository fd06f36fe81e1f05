from __future__ import annotations

import hashlib

import numpy as np
import pytest

from nonosat.errors import NonosatError
from nonosat.generators.density import random_density
from nonosat.puzzles.puzzle import is_solution


def test_the_stream_is_pinned() -> None:
    """The same seed gives the same board on every platform and version."""
    puzzle = random_density(30, 30, 0.4, seed=7)
    assert puzzle.goal is not None
    assert puzzle.clue_text(puzzle.rows[0]) == GOLDEN_ROW
    assert hashlib.sha256(puzzle.goal.cells.tobytes()).hexdigest()[:16] == GOLDEN
    coloured = random_density(20, 25, [0.2, 0.3, 0.1], seed=2018).goal
    assert coloured is not None
    assert hashlib.sha256(coloured.cells.tobytes()).hexdigest()[:16] == GOLDEN_COLOURED


GOLDEN_ROW = "2 1 3 2 2"
GOLDEN = "ef3d1f3cd18eaa94"
GOLDEN_COLOURED = "060eb33f9dae2828"


def test_densities_are_kept() -> None:
    cells = random_density(400, 300, [0.1, 0.25, 0.3], seed=5).goal
    assert cells is not None
    shares = np.bincount(cells.cells.ravel(), minlength=4) / cells.cells.size
    assert np.allclose(shares, [0.35, 0.1, 0.25, 0.3], atol=0.01)


@pytest.mark.parametrize(("density", "filled"), [(0, 0), (1, 12)])
def test_the_ends(density: float, filled: int) -> None:
    puzzle = random_density(3, 4, density, seed=0)
    assert puzzle.goal is not None
    assert int(puzzle.goal.cells.sum()) == filled
    assert is_solution(puzzle, puzzle.goal)


@pytest.mark.parametrize(
    "arguments",
    [
        (3, 3, 1.1, 0),
        (3, 3, -0.1, 0),
        (3, 3, [0.6, 0.6], 0),
        (3, 3, [], 0),
        (0, 3, 0.5, 0),
        (3, 3, 0.5, -1),
        (3, 3, float("nan"), 0),
        (10**6, 10**6, 0.5, 0),
    ],
)
def test_what_cannot_be(arguments: tuple[int, int, float, int]) -> None:
    with pytest.raises(NonosatError):
        random_density(*arguments)


def test_without_a_seed_one_is_drawn_and_printed() -> None:
    some = [random_density(5, 6, 0.5) for _ in range(3)]
    assert len({board.title for board in some}) == 3
    for board in some:
        assert random_density(5, 6, 0.5, int(board.title.rpartition(" ")[2])) == board
