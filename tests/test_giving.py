"""Cells given until a board has as many solutions as wanted: against brute force, and by another solver than ours."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import brute
import numpy as np
import pytest
from commands import complaint, run

import nonosat
from nonosat.errors import UnsupportedError
from nonosat.generators.density import random_density
from nonosat.generators.skyscrapers import Level
from nonosat.generators.skyscrapers_made import made
from nonosat.making.criteria import judge, solutions_of
from nonosat.making.giving import OtherSolutions, give, thinned, with_given
from nonosat.puzzles.formats import load
from nonosat.puzzles.nonogram import Nonogram


def numbers(puzzle: Nonogram) -> int:
    return len(brute.pictures(puzzle))


def needless(puzzle: Nonogram, before: Nonogram, wanted: int) -> list[object]:
    """The cells that were given without need."""
    own = [cell for cell in puzzle.given if cell not in before.given]
    without = ((cell, tuple(c for c in puzzle.given if c != cell)) for cell in own)
    return [cell for cell, given in without if numbers(replace(puzzle, given=given)) == wanted]


@pytest.mark.parametrize("seed", range(12))
def test_small_boards_become_unique_and_no_cell_is_needless(seed: int) -> None:
    shares = [0.2, 0.2] if seed % 3 == 0 else [0.3]
    puzzle = random_density(4, 4, shares, seed)
    done = give(puzzle, seed=seed)
    assert numbers(done) == 1
    assert done.goal == puzzle.goal
    assert not needless(done, puzzle, 1)
    assert (done.rows, done.columns) == (puzzle.rows, puzzle.columns)
    assert done == give(puzzle, seed=seed)


def least(puzzle: Nonogram) -> int:
    """The least number of cells of the goal that leave it alone, by trying all sets of them."""
    assert puzzle.goal is not None
    differ = [np.flatnonzero(np.asarray(other) != puzzle.goal.cells) for other in brute.pictures(puzzle)]
    differences = [set(places.tolist()) for places in differ if len(places)]
    cells = sorted(set().union(*differences))
    for size in range(len(cells) + 1):
        if any(all(places & set(chosen) for places in differences) for chosen in combinations(cells, size)):
            return size
    raise AssertionError


def test_few_cells_are_given() -> None:
    """Beside the least number: on these sparse boards it is found nearly always."""
    boards = [random_density(5, 5, 0.2, seed) for seed in range(40)]
    gaps = [len(give(board).given) - least(board) for board in boards]
    assert min(gaps) == 0
    assert sum(gaps) <= 2


def possible(puzzle: Nonogram) -> set[int]:
    """All numbers of solutions that given cells of the goal can leave."""
    assert puzzle.goal is not None
    goal = puzzle.goal.cells
    boards = [np.asarray(board) for board in brute.pictures(puzzle)]
    agree = np.array([(board == goal).reshape(-1) for board in boards])
    todo, seen = [frozenset(range(len(boards)))], set()
    while todo:
        left = todo.pop()
        seen.add(left)
        fewer = {frozenset(np.flatnonzero(agree[:, cell]).tolist()) & left for cell in range(goal.size)}
        todo += fewer - seen - set(todo)
    return {len(left) for left in seen}


@pytest.mark.parametrize("wanted", [2, 3, 5, 8])
def test_any_number_of_solutions_that_is_possible(wanted: int) -> None:
    for seed in range(8):
        puzzle = random_density(5, 5, 0.25, seed)
        if wanted not in possible(puzzle):
            with pytest.raises(UnsupportedError, match=f" {wanted}"):
                give(puzzle, wanted, seed)
            continue
        done = give(puzzle, wanted, seed)
        assert numbers(done) == wanted
        assert not needless(done, puzzle, wanted)


def test_needless_cells_are_taken_back() -> None:
    for seed in range(6):
        others = OtherSolutions(random_density(6, 6, 0.3, seed))
        few = thinned(others, list(range(36)))
        assert others.difference(few) is None
        assert all(others.difference([cell for cell in few if cell != each]) is not None for each in few)
        others.close()


def test_a_sparse_board_where_no_random_one_is_unique() -> None:
    puzzle = random_density(15, 15, 0.3, seed=3)
    done = give(puzzle)
    answer = nonosat.solve(done, solver="cadical195", encoding="automaton+direct", unique=True)
    assert answer.unique
    assert answer.picture == puzzle.goal
    assert len(done.given) < 25
    assert done.title.endswith(f"{len(done.given)} cells given")


def test_cells_that_were_given_stay() -> None:
    puzzle = with_given(random_density(6, 6, 0.2, seed=2), [0, 7])
    done = give(puzzle)
    assert set(puzzle.given) <= set(done.given)
    assert numbers(done) == 1


def test_other_kinds_are_made_unique_too() -> None:
    puzzle = made(Level(4, "hard"), 1)
    blank = replace(puzzle, top=(0,) * 4, left=(0,) * 4)
    done = give(blank)
    assert nonosat.solve(blank, count=2).unique is False
    assert nonosat.solve(done, count=2).unique
    with pytest.raises(UnsupportedError, match="only of nonograms"):
        give(blank, 2)


def test_what_cannot_be_given() -> None:
    with pytest.raises(UnsupportedError, match="no goal picture"):
        give(Nonogram.from_lengths([[1], [1]], [[1], [1]]))
    with pytest.raises(UnsupportedError, match="has one solution without any cell given, not 2"):
        give(Nonogram.from_picture([[1, 1], [1, 0]]), 2)
    with pytest.raises(UnsupportedError, match="0 solutions: at least one"):
        give(Nonogram.from_picture([[1]]), 0)


def test_judges_of_a_number_count() -> None:
    for seed in range(30):
        puzzle = random_density(4, 4, 0.4, seed)
        for wanted in (1, 2, 3):
            assert judge(f"{wanted}-solution")(puzzle) == (numbers(puzzle) == wanted)
    wide = random_density(20, 20, 0.1, seed=1)
    assert judge("2-solution")(wide) is False  # without counting to the end
    assert solutions_of(wide, most=5)[1] is False


def test_the_command_gives_cells(tmp_path: Path) -> None:
    done = run(
        "generate", "--size", "12", "--density", "0.3", "--unique", "--give", "--count", "2", "-o", str(tmp_path)
    )
    assert done.returncode == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["density-12x12-0.3-s0-unique.json", "density-12x12-0.3-s1-unique.json"]
    for path in tmp_path.iterdir():
        puzzle = load(path)
        assert nonosat.count(puzzle).solutions == 1
        assert f"{path}: unique, {len(puzzle.given)} of 144 cells given" in done.stderr


def test_the_command_finds_boards_of_a_number(tmp_path: Path) -> None:
    for more in ([], ["--give"]):
        out = tmp_path / "-".join(["boards", *more])
        arguments = ["--size", "8", "--density", "0.4", "--solutions", "3", *more, "--count", "2", "-o", str(out)]
        done = run("generate", *arguments)
        assert done.returncode == 0, done.stderr
        assert [nonosat.count(load(path)).solutions for path in out.iterdir()] == [3, 3]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--give"], "--give needs --unique or --solutions"),
        (["--give", "--line-solvable"], "--give needs --unique or --solutions"),
        (["--give", "--repair", "--unique"], "--repair and --give exclude each other"),
        (["--repair", "--solutions", "2"], "--repair needs --unique or --line-solvable"),
        (["--unique", "--solutions", "2"], "exclude each other"),
        (["--solutions", "0"], "0 is not in the range"),
        (["--give", "--unique", "--attempts", "3"], "not --repair or --give"),
    ],
)
def test_options_that_do_not_go_together(arguments: list[str], message: str) -> None:
    assert message in complaint("generate", "--size", "5", "--density", "0.3", *arguments)


def test_generators_that_cannot() -> None:
    assert "--solutions is not for the generator skyscrapers" in complaint(
        "generate", "--puzzle", "skyscrapers", "--level", "3", "--solutions", "2"
    )
