"""Brute force, to hold everything else against: all lines, all pictures; nothing of the package's solving."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np

from nonosat.puzzles.nonogram import Clue, Given, Nonogram
from nonosat.puzzles.nonogram.puzzle import Picture, palette_of


def clue_of(line: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    runs: list[list[int]] = []
    previous = 0
    for value in line:
        if value and value == previous:
            runs[-1][0] += 1
        elif value:
            runs.append([1, value])
        previous = value
    return tuple((length, colour) for length, colour in runs)


@cache
def placements(length: int, colours: int) -> dict[Clue, list[tuple[int, ...]]]:
    """Every clue that a line of ``length`` cells can have, with all its placements."""
    table: dict[Clue, list[tuple[int, ...]]] = {}
    for line in product(range(colours + 1), repeat=length):
        table.setdefault(clue_of(line), []).append(line)
    return table


def pictures(puzzle: Nonogram) -> set[Picture]:
    """All solutions of ``puzzle``, row by row, with the columns' prefixes checked."""
    lines = placements(puzzle.width, puzzle.colours)
    columns = placements(puzzle.height, puzzle.colours)
    prefixes = [
        {line[:n] for line in columns.get(clue, []) for n in range(puzzle.height + 1)} for clue in puzzle.columns
    ]
    given = {(row, column): value for row, column, value in puzzle.given}
    boards: list[list[tuple[int, ...]]] = [[]]
    for row, clue in enumerate(puzzle.rows):
        fitting = [
            line
            for line in lines.get(clue, [])
            if all(given.get((row, column), value) == value for column, value in enumerate(line))
        ]
        boards = [
            [*board, line]
            for board in boards
            for line in fitting
            if all(
                (*(above[column] for above in board), line[column]) in prefixes[column]
                for column in range(puzzle.width)
            )
        ]
    return {puzzle.picture(board) for board in boards}


def random_puzzle(rng: np.random.Generator, most: int = 5, colours: int | None = None) -> Nonogram:
    """A small random board: any shape and density, sometimes coloured, with given cells, or spoilt (maybe UNSAT)."""
    height, width = rng.integers(1, most + 1, 2)
    count = int(rng.integers(1, 4)) if colours is None else colours
    cells = np.where(rng.random((height, width)) < rng.random(), rng.integers(1, count + 1, (height, width)), 0)
    puzzle = Nonogram.from_picture(Picture(cells, palette_of(count)))
    rows, given = list(puzzle.rows), []
    if rng.random() < 0.3:
        rng.shuffle(rows)  # type: ignore[arg-type] # a list of tuples is shuffled in place
    if rng.random() < 0.3:
        flat = rng.choice(cells.size, size=int(rng.integers(1, cells.size + 1)), replace=False)
        given = [(int(c // width), int(c % width), int(cells.flat[c])) for c in flat]
        if rng.random() < 0.2:
            row, column, value = given[0]
            given[0] = (row, column, (value + 1) % (count + 1))
    return Nonogram(tuple(rows), puzzle.columns, tuple(given), puzzle.palette)  # type: ignore[arg-type]


@cache
def ambiguous(number: int, seed: int = 0, most: int = 50) -> list[tuple[Nonogram, set[Picture]]]:
    """Boards with 2 to ``most`` solutions, and these: by turns plain, coloured, with given cells, and both.

    Every third has more than 4 (others seldom do). The boards are thin, as most of those with several solutions are.
    """
    rng = np.random.default_rng(seed)
    found: list[tuple[Nonogram, set[Picture]]] = []
    while len(found) < number:
        colours = int(rng.integers(2, 4)) if len(found) % 2 else 1
        height, width = rng.integers(2, 5, 2).tolist()
        cells = np.where(rng.random((height, width)) < 0.35, rng.integers(1, colours + 1, (height, width)), 0)
        made = Nonogram.from_picture(Picture(cells, palette_of(colours)))
        chosen = rng.choice(cells.size, size=1 + len(found) % 2, replace=False).tolist() if len(found) % 4 >= 2 else []
        given = tuple((c // width, c % width, int(cells.flat[c])) for c in chosen)
        puzzle = Nonogram(made.rows, made.columns, given, made.palette)  # type: ignore[arg-type]
        if (5 if len(found) % 3 == 2 else 2) <= len(right := pictures(puzzle)) <= most:
            found.append((puzzle, right))
    return found


def diagonal(one: Nonogram, other: Nonogram) -> Nonogram:
    """The boards of both on one diagonal; what is outside of them is given."""
    height, width = (a + b for a, b in zip(one.shape, other.shape, strict=True))
    outside = [Given(i, j, 0) for i in range(height) for j in range(width) if (i < one.height) != (j < one.width)]
    further = [Given(i + one.height, j + one.width, value) for i, j, value in other.given]
    rows, columns = one.rows + other.rows, one.columns + other.columns
    return Nonogram(rows, columns, (*outside, *one.given, *further), one.palette)
