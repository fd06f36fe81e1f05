"""The door: a puzzle and a position in, steps out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from nonosat.errors import PuzzleError
from nonosat.puzzles.kinds import puzzle_kind
from nonosat.puzzles.puzzle import Board, Given, Puzzle, given_board, given_cells
from nonosat.solvers.explain.explainer import Explainer
from nonosat.solvers.explain.steps import Step

Position = Board | Sequence[Sequence[int]] | npt.NDArray[Any] | None
"""The cells' values, shape (rows, columns); -1: open. None: what the puzzle gives, and nothing else."""


def explain(puzzle: Puzzle, board: Position = None) -> Iterator[Step]:
    """The steps from a position to the solution, easy before hard and smallest first, as they are asked for.

    ``board``: -1 is an open cell; the puzzle's given cells are known in any case. A position that is wrong is told by a
    step of the technique ``error``, which names the constraint that shows it and the smallest set of its cells; no step
    comes after it. Every step is what its ``constraints`` and ``known`` cells say by themselves: ``fault``.

    PuzzleError: the board is of another size, or has other values.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> for step in explain(Nonogram.from_lengths([[3], [1]], [[2], [1], [1]])):
    ...     print(step.sentence)
    Row 1: the 3 needs all 3 cells, so columns 1 to 3 are filled.
    Column 1: the 2 needs all 2 cells, so row 2 is filled.
    Row 2: its run is there, so columns 2 and 3 are blank.
    """
    return explainer_of(puzzle).steps(puzzle, values_of(puzzle, board))


def fault(puzzle: Puzzle, step: Step) -> str | None:
    """Why ``step`` does not follow from its constraints and known cells alone, or None if it does."""
    return explainer_of(puzzle).fault(puzzle, step)


def explainer_of(puzzle: Puzzle) -> Explainer:
    """What explains puzzles of its kind."""
    return cast(Explainer, puzzle_kind(puzzle).explain)


def values_of(puzzle: Puzzle, board: Position) -> list[list[int]]:
    """The position as rows of values, with the puzzle's given cells. PuzzleError: see ``explain``."""
    given: list[Given] = list(puzzle.given)
    if board is not None:
        cells = np.asarray(board.cells if isinstance(board, Board) else board)
        if cells.shape != puzzle.shape:
            (height, width), shape = puzzle.shape, " x ".join(map(str, cells.shape))
            raise PuzzleError(f"the board is {shape} (rows x columns), the puzzle {height} x {width}")
        least, most = explainer_of(puzzle).values(puzzle)
        known = [Given(int(row), int(column), int(cells[row, column])) for row, column in np.argwhere(cells != -1)]
        given = list(given_cells([*given, *known], puzzle.shape, least, most))
    rows = given_board(puzzle, still_open=-1)
    for row, column, value in given:
        rows[row][column] = value
    return rows
