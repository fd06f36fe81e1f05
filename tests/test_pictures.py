"""The eighteen pictures of ``examples/pictures``: what its README says of them, and the order they are to keep."""

from __future__ import annotations

import re
import runpy
from functools import cache
from math import comb, log10, prod
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from PIL import Image

import nonosat
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.nonogram.images import load_image

FOLDER = Path(__file__).parents[1] / "examples" / "pictures"
SIZES = {
    name: int(size)
    for name, size in re.findall(
        r"(\w+) (\d+)",
        "Cross 3, Flame 5, Jellyfish 8, Candy 8, Shield 10, Dog 10, Duck 16, Shrimp 16, Cherries 20, Potion 20, "
        "Tape 25, Lighter 25, Ghost 32, Demon 32, Butcher 48, Ranger 48, Orc 64, Swordsman 64",
    )
}
"""Names and sizes as in the tables of Wałejko (2022)."""

Lengths = list[tuple[int, ...]]


class Row(NamedTuple):
    """A row of the README's table."""

    file: str
    size: int
    filled: str
    solutions: int
    by_lines: str
    placements: int
    axis: str


def table() -> dict[str, Row]:
    lines = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| [")]
    rows = {}
    for name, size, filled, solutions, by_lines, placements, axis in cells:
        link = re.fullmatch(r"\[(\w+)\]\((.*)\)", name)
        assert link
        rows[link[1]] = Row(
            link[2], int(size), filled, int(solutions), by_lines, int(placements.replace(",", "")), axis
        )
    return rows


TABLE = table()


@cache
def puzzle(name: str) -> Nonogram:
    return Nonogram.from_picture(load_image(FOLDER / TABLE[name].file))


@cache
def counts(name: str) -> tuple[list[int], list[int]]:
    """How many placements each row has, and each column."""
    drawn = puzzle(name)
    each = [
        [comb(size - sum(run.length for run in clue) + 1, len(clue)) for clue in clues]
        for clues, size in ((drawn.rows, drawn.width), (drawn.columns, drawn.height))
    ]
    return each[0], each[1]


def product(name: str) -> int:
    """What the axis search runs through: of the rows or of the columns, the smaller product of placements."""
    return min(prod(lines) for lines in counts(name))


def settled(clue: tuple[int, ...], cells: list[int]) -> list[int]:
    """What all placements of ``clue`` that agree with ``cells`` have in common (-1: not known)."""
    size = len(cells)

    def reach(clue: tuple[int, ...], cells: list[int]) -> list[list[bool]]:
        """[i][j]: whether the first i cells can hold the first j runs and end with a blank (one is after the end)."""
        ends = [[True] + [False] * len(clue)]
        for i in range(1, size + 2):
            row = []
            for j in range(len(clue) + 1):
                fits = (i > size or cells[i - 1] != 1) and (
                    ends[i - 1][j]
                    or (
                        j > 0
                        and (start := i - 1 - clue[j - 1]) >= 0
                        and ends[start][j - 1]
                        and 0 not in cells[start : i - 1]
                    )
                )
                row.append(fits)
            ends.append(row)
        return ends

    left = reach(clue, cells)
    right = reach(clue[::-1], cells[::-1])
    blank, filled = [False] * size, [False] * size
    for j in range(len(clue) + 1):
        for i in range(size):
            if left[i + 1][j] and right[size - i][len(clue) - j] and cells[i] != 1:
                blank[i] = True
            if j < len(clue) and left[i][j] and i + clue[j] <= size and 0 not in cells[i : i + clue[j]]:
                after = i + clue[j]
                if right[size - after][len(clue) - j - 1]:
                    filled[i:after] = [True] * clue[j]
    return [-1 if blank[i] and filled[i] else int(filled[i]) for i in range(size)]


def left_by_lines(name: str) -> int:
    """How many cells reasoning on one line at a time leaves open."""
    drawn = puzzle(name)
    lines = [[tuple(run.length for run in clue) for clue in clues] for clues in (drawn.rows, drawn.columns)]
    board = np.full(drawn.shape, -1)
    due = [(axis, index) for axis in (0, 1) for index in range(drawn.shape[axis])]
    while due:
        axis, index = due.pop(0)
        view = (board if axis == 0 else board.T)[index]
        before = view.copy()
        view[:] = settled(lines[axis][index], before.tolist())
        due += [(1 - axis, int(i)) for i in np.flatnonzero(view != before) if (1 - axis, int(i)) not in due]
    assert drawn.goal is not None
    assert np.all((board == -1) | (board == drawn.goal.cells))
    return int((board == -1).sum())


def test_the_line_solver_of_this_test() -> None:
    assert settled((3,), [-1] * 5) == [-1, -1, 1, -1, -1]
    assert settled((1, 2), [-1] * 4) == [1, 0, 1, 1]
    assert settled((1, 1), [-1, 1, -1, -1]) == [0, 1, 0, 1]
    assert settled((), [-1, -1]) == [0, 0]
    assert settled((2,), [-1, -1, 0, -1]) == [1, 1, 0, 0]


def test_all_eighteen_are_there() -> None:
    assert {name: row.size for name, row in TABLE.items()} == SIZES
    assert {row.file for row in TABLE.values()} == {path.name for path in FOLDER.glob("[0-9]*.png")}


@pytest.mark.parametrize("name", SIZES)
def test_a_pixel_is_a_cell(name: str) -> None:
    row = TABLE[name]
    assert row.file == f"{row.size:02}-{name.lower()}.png"
    with Image.open(FOLDER / row.file) as image:
        assert (image.mode, image.size) == ("1", (row.size, row.size))
        black = ~np.asarray(image)
    drawn = puzzle(name)
    assert drawn.goal is not None
    assert np.array_equal(drawn.goal.cells, black)
    assert f"{black.mean():.0%}" == row.filled


@pytest.mark.parametrize("name", SIZES)
def test_solutions(name: str) -> None:
    answer = nonosat.solve(puzzle(name), solver="minisat22", count=3)
    assert (len(answer.pictures), answer.exhausted) == (TABLE[name].solutions, True)
    assert TABLE[name].solutions == (2 if name == "Cherries" else 1)
    assert puzzle(name).goal in answer.pictures


@pytest.mark.parametrize("name", SIZES)
def test_by_lines_alone(name: str) -> None:
    left = left_by_lines(name)
    assert TABLE[name].by_lines == (f"no, {left} cells are left" if left else "yes")


@pytest.mark.parametrize("name", SIZES)
def test_placements(name: str) -> None:
    rows, columns = counts(name)
    assert TABLE[name].placements == sum(rows) + sum(columns)
    axis = "rows" if prod(rows) <= prod(columns) else "columns"
    assert TABLE[name].axis == f"{axis}, 10^{log10(product(name)):.1f}"


def test_the_thesis_order_of_difficulty() -> None:
    """Which boards each solver can get through in five minutes, whatever the machine, and which it cannot."""
    exhaustive = {name for name, size in SIZES.items() if 2 ** (size * size) < 10**8}
    assert exhaustive == {"Cross", "Flame"}
    by_axis = {name for name in SIZES if product(name) < 10**9}
    assert by_axis == {"Cross", "Flame", "Jellyfish", "Candy", "Dog"}
    assert all(product(name) > 10**13 for name in SIZES.keys() - by_axis)
    assert product("Candy") < 10**4 < product("Jellyfish") < 10**6 < product("Dog")
    smooth, busy = ("Ghost", "Ranger"), ("Demon", "Butcher", "Orc", "Swordsman")
    assert max(TABLE[name].placements for name in smooth) * 1.5 < min(TABLE[name].placements for name in busy)
    assert max(row.placements for row in TABLE.values()) < 6_000_000


def test_the_overview_shows_the_pictures_as_they_are() -> None:
    made = runpy.run_path(str(FOLDER / "overview.py"))
    with Image.open(made["SHEET"]) as image:
        assert np.array_equal(np.asarray(image.convert("L")), np.asarray(made["sheet"]()))
