"""Random Sudokus with one solution: a full grid, from which cells are taken as long as it stays the only one.

``easy`` keeps four ninths of the cells, ``hard`` none that could be left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from typing import Any

import numpy as np

from nonosat.csp.model import Ints, ints
from nonosat.encodings.registry import encoding
from nonosat.generators.registry import Generator, Parameter
from nonosat.puzzles.puzzle import Given
from nonosat.rng import Rng
from nonosat.solvers.sat.session import Session
from nonosat_sudoku.puzzle import BOXES, Grid, Sudoku

LEVELS = ("easy", "hard")
SIZES = (4, 6, 9)


def size(value: Any) -> int:
    """A size, as a study or the command line says it."""
    if str(value) not in map(str, SIZES):
        raise ValueError(f"sizes are {', '.join(map(str, SIZES))}, not {value!r}")
    return int(value)


def level(value: Any) -> str:
    """A level."""
    if value not in LEVELS:
        raise ValueError(f"levels are {' and '.join(LEVELS)}, not {value!r}")
    return str(value)


def random_sudoku(size: int, level: str, seed: int) -> Sudoku:
    """The Sudoku of this size, level and seed: the same everywhere.

    >>> import nonosat
    >>> nonosat.solve(random_sudoku(4, "hard", 1), unique=True).unique
    True
    """
    stream = Rng(seed)
    box = BOXES[size]
    rows = full_grid(size, box, stream)
    cells = [Given(row, column, rows[row][column]) for row in range(size) for column in range(size)]
    least = size * size * 4 // 9 if level == "easy" else 0
    goal = Grid(np.array(rows))
    with closing(Others(box, goal)) as others:
        kept = set(cells)
        for place in stream.shuffled(size * size):
            if len(kept) > least and not others.exist(kept - {cells[place]}):
                kept.remove(cells[place])
    return Sudoku(box, tuple(kept), f"random Sudoku {size}x{size}, {level}, seed {seed}", goal=goal)


class Others:
    """Whether grids other than the ``goal`` go with given cells: one SAT solver, asked again and again."""

    def __init__(self, box: tuple[int, int], goal: Grid) -> None:
        self.formula = encoding("everywhere+direct").formula(Sudoku(box))
        self.session = Session("minisat22", self.formula.cnf)
        self.session.add(self.formula.block(goal.cells))

    def exist(self, given: Iterable[Given]) -> bool:
        """Is there one?"""
        literals = [-self.formula.map.differ(*self._cell(cell))[0] for cell in given]
        return self.session.solve(literals) is not None

    def _cell(self, cell: Given) -> tuple[Ints, Ints]:
        return self.formula.board[cell.row, cell.column].reshape(1), ints([cell.value])

    def close(self) -> None:
        """Free the solver's memory."""
        self.session.close()


def full_grid(size: int, box: tuple[int, int], stream: Rng) -> list[list[int]]:
    """A random full grid: cell by cell, the values in random order, back where none fits."""
    units = Sudoku(box).units()
    beside: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for _, _, cells in units:
        for cell in cells:
            beside.setdefault(cell, set()).update(cells)
    values: dict[tuple[int, int], int] = {}

    def fill() -> bool:
        fitting = {
            cell: [v for v in range(1, size + 1) if all(values.get(other) != v for other in beside[cell])]
            for cell in beside
            if cell not in values
        }
        if not fitting:
            return True
        cell = min(fitting, key=lambda place: len(fitting[place]))
        for at in stream.shuffled(len(fitting[cell])):
            values[cell] = fitting[cell][at]
            if fill():
                return True
            del values[cell]
        return False

    fill()
    return [[values[row, column] for column in range(size)] for row in range(size)]


GENERATOR = Generator(
    name="sudoku",
    kind="sudoku",
    meaning="Sudokus with a single solution",
    parameters=(
        Parameter(word="size", key="sizes", metavar="N", meaning="4, 6 or 9.", read=size, default=9),
        Parameter(word="level", key="levels", metavar="LEVEL", meaning="easy or hard.", read=level),
    ),
    make=random_sudoku,
    unique=True,
)
