"""Boards like pictures: pinned, exact in their density, of their style; and what a search that finds none advises."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from commands import complaint, run

from nonosat.errors import UnsupportedError
from nonosat.generators.registry import GENERATORS
from nonosat.generators.styles import STYLES, random_picture
from nonosat.making.criteria import advice, judge
from nonosat.puzzles.formats import load
from nonosat.puzzles.puzzle import is_solution

GOLDEN = {
    "blobs": "724c192fe987c5a5",
    "symmetric": "449eedcee682fec5",
    "waves": "1f8372f1057397b4",
    "noise": "115f8b17d95b51d0",
}


def cells(*arguments: object) -> np.ndarray:
    goal = random_picture(*arguments).goal  # type: ignore[arg-type]
    assert goal is not None
    return goal.cells


@pytest.mark.parametrize("style", STYLES)
def test_the_boards_are_pinned(style: str) -> None:
    made = cells(30, 25, [0.3, 0.2], style, 7).tobytes() + cells(7, 8192, 0.5, style, 2018).tobytes()
    assert hashlib.sha256(made).hexdigest()[:16] == GOLDEN[style]


@pytest.mark.parametrize("style", STYLES)
def test_the_density_is_kept_and_boards_of_a_seed_are_nested(style: str) -> None:
    half, most = (cells(20, 30, density, style, 4) for density in (0.5, 0.7))
    assert (int(half.sum()), int(most.sum())) == (300, 420)
    assert (half <= most).all()
    coloured = cells(20, 30, [0.25, 0.25], style, 4)
    assert [int((coloured == colour).sum()) for colour in (1, 2)] == [150, 150]
    assert ((coloured > 0) == half).all()


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (40, 1), (2, 3), (13, 7)])
def test_any_size_has_a_board_that_its_picture_solves(style: str, shape: tuple[int, int]) -> None:
    puzzle = random_picture(*shape, 0.5, style, seed=0)
    assert puzzle.shape == shape
    assert puzzle.goal is not None
    assert is_solution(puzzle, puzzle.goal)
    assert cells(*shape, 1, style, 0).all()
    assert not cells(*shape, 0, style, 0).any()


@pytest.mark.parametrize("width", [20, 21])
def test_symmetric_boards_are_their_mirror_image(width: int) -> None:
    for seed in range(5):
        made = cells(15, width, 0.5, "symmetric", seed)
        assert (made == made[:, ::-1]).all()


def test_pictures_have_fewer_runs_than_boards_without_a_style() -> None:
    """A cell differs from its neighbour half of the time where cells are drawn one by one."""
    for style, most in (("blobs", 0.2), ("symmetric", 0.2), ("waves", 0.35), ("noise", 0.4)):
        changes = [np.abs(np.diff(cells(30, 30, 0.5, style, seed).astype(int))).mean() for seed in range(20)]
        assert np.mean(changes) < most


def test_what_cannot_be() -> None:
    for arguments, told in (
        ((5, 5, 0.5, "blops", 0), "style"),
        ((5, 5, 1.5, "blobs", 0), "density"),
        ((0, 5, 0.5, "blobs", 0), "size"),
    ):
        with pytest.raises(UnsupportedError, match=told):
            random_picture(*arguments)


def test_a_style_names_its_generator(tmp_path: Path) -> None:
    done = run("generate", "--style", "waves", "--size", "9", "--density", "0.4", "--seed", "5", "-o", str(tmp_path))
    assert done.returncode == 0
    [path] = tmp_path.iterdir()
    assert path.name == "pictures-9x9-0.4-waves-s5.json"
    assert load(path) == random_picture(9, 9, 0.4, "waves", 5)
    assert "expected blobs, symmetric, waves or noise" in complaint(
        "generate", "--style", "cubes", "--size", "9", "--density", "0.4"
    )


@pytest.mark.slow
def test_a_search_without_results_suggests_a_density_and_leaves_no_folder(tmp_path: Path) -> None:
    few = ("--size", "12", "--density", "0.2", "--attempts", "20", "-o", str(tmp_path / "new" / "boards"))
    said = complaint("generate", "--line-solvable", *few)
    assert said.startswith("0 of 20 boards tried are line-solvable; 1 wanted; of other boards of this size ")
    assert " of 20 at --density 0." in said
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "new" / "boards").mkdir(parents=True)
    complaint("generate", "--label", "extreme", *few)
    assert (tmp_path / "new" / "boards").is_dir()  # it was there before


def test_advice_is_measured() -> None:
    density = GENERATORS.named("density")
    assert advice(density, ("8x8", "0.05"), judge("trivial")).count(" of 20 at --density ") == 3
    assert "--density 0.16+0.64" in advice(density, ("8x8", "0.01+0.04"), lambda board: board.facts()["fill"] > 0.72)
    never = "; nor is one of 20 each at densities from 0.2 to 0.8"
    assert advice(GENERATORS.named("pictures"), ("8x8", "0.05", "blobs"), lambda board: None) == never
    assert advice(GENERATORS.named("skyscrapers"), ("level-0",), lambda board: False) == ""
