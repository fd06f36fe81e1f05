"""Regions of open cells that share no line are solved one by one, and their solutions combined."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from brute import diagonal, palette_of, pictures
from sampling import spread

from nonosat.puzzles.nonogram import Given, Nonogram, Picture
from nonosat.solvers.auto import nonogram
from nonosat.solvers.auto.regions import regions, subpuzzle
from nonosat.solvers.many import solve_many
from nonosat.solvers.solve import solve


def two_blocks(rng: np.random.Generator, colours: int, share: float = 0.3) -> Nonogram:
    """7x7; what is outside of two blocks on the diagonal is given."""
    cells = rng.integers(1, colours + 1, (7, 7)) * (rng.random((7, 7)) < share)
    for block in (cells[:4, :4], cells[4:, 4:]):  # no line alone tells much
        block[:] = rng.permutation(np.eye(len(block), dtype=int)) * rng.integers(1, colours + 1)
    puzzle = Nonogram.from_picture(Picture(cells.astype(np.uint8), palette_of(colours)))
    given = [(i, j) for i in range(7) for j in range(7) if (i < 4) != (j < 4)]
    rng.shuffle(given)
    return replace(puzzle, given=tuple(Given(i, j, int(cells[i, j])) for i, j in given), goal=None)


@pytest.fixture
def no_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left to lines, guesses and whole dives."""
    for name in ("WORK", "ROOT", "EARLY", "GREEDY"):
        monkeypatch.setattr(nonogram, name, 0)


@pytest.mark.usefixtures("no_lines")
@pytest.mark.parametrize("colours", spread([1, 2], 0))
def test_pictures_of_regions_are_combined(colours: int) -> None:
    rng = np.random.default_rng(colours)
    apart = several = 0
    for _ in range(30):
        puzzle = two_blocks(rng, colours)
        everything = pictures(puzzle)
        answer = solve(puzzle, solver="auto", count=None)
        assert len(answer.pictures) == len(everything)
        assert set(answer.pictures) == everything
        assert answer.exhausted
        several += len(everything) > 1
        for count in (1, 2, 3):
            some = solve(puzzle, solver="auto", count=count)
            assert len(set(some.pictures)) == min(count, len(everything))
            assert set(some.pictures) <= everything
            assert not some.exhausted or len(everything) <= count
            assert not (some.reason or "").endswith(": ")  # who found a second one has not ended
            apart += count == 2 and "independent regions" in (some.reason or "")
        assert solve(puzzle, solver="auto", unique=True).unique == (len(everything) == 1)
    assert apart > 10
    assert several > 10


@pytest.mark.usefixtures("no_lines")
def test_a_region_without_a_picture_leaves_none() -> None:
    squares = np.kron(np.eye(2, dtype=int), np.ones((3, 3), dtype=int))
    outside = [Given(int(i), int(j), 0) for i, j in np.argwhere(squares == 0)]
    live = Nonogram.from_lengths([[1]] * 6, [[1]] * 6, outside)
    assert len(solve(live, solver="auto", count=None).pictures) == len(pictures(live)) == 36
    none = Nonogram.from_lengths([[1], [1], [1], [1, 1], [], [1, 1]], [[1]] * 3 + [[2], [], [2]], outside)
    assert not pictures(none)
    for count in (1, 2, None):
        answer = solve(none, solver="auto", count=count)
        assert (answer.pictures, answer.exhausted) == ((), True)


@pytest.mark.usefixtures("no_lines")
@pytest.mark.parametrize("count", [1, 2])
def test_known_solutions_of_a_board_are_none_of_its_regions(count: int) -> None:
    squares = np.kron(np.eye(2, dtype=int), np.ones((3, 3), dtype=int))
    outside = [Given(int(i), int(j), 0) for i, j in np.argwhere(squares == 0)]
    puzzle = Nonogram.from_lengths([[1]] * 6, [[1]] * 6, outside)
    several = tuple(sorted(pictures(puzzle), key=lambda picture: picture.cells.tobytes()))
    known = replace(puzzle, goal=several[0], solutions=several[1:4])
    answer = solve(known, solver="auto", count=count)
    assert set(answer.pictures) <= set(several)
    assert len(answer.pictures) == count
    assert "independent regions" in str(answer.reason)
    (many,) = solve_many([known], count=count, jobs=1)
    assert many.pictures == answer.pictures
    (part, _) = regions(squares > 0)
    inner, _ = subpuzzle(known, np.full((6, 6), -1), part)
    assert (inner.goal, inner.solutions) == (None, ())


def test_a_region_is_cut_out_along_blank_cells() -> None:
    puzzle = Nonogram.from_picture(["##.....", "#.#....", ".......", "...#.#.", ".####..", "...#..."])
    cells = np.array(solve(puzzle).pictures[0].cells, dtype=np.int64)
    cells[3:5, 4:6] = -1
    (part,) = regions(cells < 0)
    inner, box = subpuzzle(puzzle, cells, part)
    assert box == (slice(3, 6), slice(1, 6))  # row 4 has a run from column 1 on, and column 3 one to the last row
    assert [[run.length for run in clue] for clue in inner.rows] == [[1, 1], [4], [1]]
    assert [[run.length for run in clue] for clue in inner.columns] == [[1], [1], [3], [1], [1]]


@pytest.mark.parametrize(("down", "across"), [(1, 1), (1, -1), (-1, 1), (-1, -1)])
def test_a_region_is_cut_out_on_all_of_its_sides(down: int, across: int) -> None:
    """A run sticks out of the region on one side, and another one at the end of that."""
    drawn = np.zeros((9, 9), dtype=np.int64)
    drawn[3, 3:7] = 1  # out of the region to the right
    drawn[2:4, 6] = 1  # and from there up
    drawn[4:7, 4] = 1  # out of it downwards
    drawn[0, 0] = drawn[8, 8] = 1
    unknown = np.zeros((9, 9), dtype=bool)
    unknown[3:5, 3:5] = True
    drawn, unknown = drawn[::down, ::across], unknown[::down, ::across]
    puzzle = Nonogram.from_picture(drawn.astype(np.uint8))
    inner, box = subpuzzle(puzzle, np.where(unknown, -1, drawn), unknown)
    whole = np.zeros((9, 9), dtype=bool)
    whole[2:7, 3:7] = True
    inside = np.argwhere(whole[::down, ::across])
    expected = tuple(slice(int(low), int(high) + 1) for low, high in zip(inside.min(0), inside.max(0), strict=True))
    assert box == expected
    assert drawn[box].tolist() in [picture.cells.tolist() for picture in pictures(inner)]
    assert Nonogram.from_picture(drawn[box].astype(np.uint8)).rows == inner.rows
    assert Nonogram.from_picture(drawn[box].astype(np.uint8)).columns == inner.columns


@pytest.mark.usefixtures("no_lines")
@pytest.mark.parametrize("swapped", [False, True])
def test_a_second_picture_in_one_region_does_not_exclude_a_third(swapped: bool) -> None:
    """One region has a single picture, which lines do not find; the other one six."""
    single = Nonogram.from_picture(["#..#.", "#.#..", "#.##.", "....#", ".#.##"])
    assert len(pictures(single)) == 1
    six = Nonogram.from_lengths([[1]] * 3, [[1]] * 3)
    puzzle = diagonal(six, single) if swapped else diagonal(single, six)
    for count in (1, 2):
        answer = solve(puzzle, solver="auto", count=count)
        assert "independent regions" in str(answer.reason)
        assert (len(answer.pictures), answer.exhausted) == (count, False)
    alone_twice = solve(diagonal(single, single), solver="auto", count=2)
    assert "independent regions" in str(alone_twice.reason)
    assert (len(alone_twice.pictures), alone_twice.exhausted, alone_twice.unique) == (1, True, True)
