"""Symmetries of a nonogram's clues: ways to turn or mirror the board after which the puzzle is the same.

Every solution turned or mirrored so is a solution again: either the same one, or another one for free. Outer lines that
are empty are no part of what is turned, since many drawings have them on one side only.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from nonosat.puzzles.nonogram.puzzle import Clue, Nonogram
from nonosat.puzzles.puzzle import given_board

Cells = npt.NDArray[np.int64]


def symmetries(puzzle: Nonogram) -> list[Cells]:
    """All symmetries but the identity, as arrays of shape (height * width,).

    With ``x`` a solution, row by row, ``x[symmetry]`` is one too. Together with the identity they are a group.

    >>> len(symmetries(Nonogram.from_picture([[0, 1, 0], [1, 1, 1], [0, 1, 0]])))
    7
    >>> [s.tolist() for s in symmetries(Nonogram.from_picture([[1, 1], [1, 0]]))]  # along its diagonal
    [[0, 2, 1, 3]]
    """
    (top, bottom), (left, right) = _used(puzzle.rows), _used(puzzle.columns)
    rows, columns = list(puzzle.rows[top:bottom]), list(puzzle.columns[left:right])
    known = np.array(given_board(puzzle, still_open=-1)).reshape(-1)
    whole = np.arange(puzzle.height * puzzle.width).reshape(puzzle.shape)
    found: dict[bytes, Cells] = {}
    for turned, upside_down, mirrored in product((False, True), repeat=3):
        if not (turned or upside_down or mirrored) or (turned and len(rows) != len(columns)):
            continue
        across, down, cells = rows, columns, whole[top:bottom, left:right]
        if turned:
            across, down, cells = down, across, cells.T
        if upside_down:
            across, down, cells = across[::-1], [clue[::-1] for clue in down], cells[::-1]
        if mirrored:
            across, down, cells = [clue[::-1] for clue in across], down[::-1], cells[:, ::-1]
        if (across, down) != (rows, columns):
            continue
        turn = whole.copy()
        turn[top:bottom, left:right] = cells
        image = turn.reshape(-1)
        if (known[image] == known).all():
            found[image.tobytes()] = image  # of a single line, two of them are the same
    found.pop(whole.tobytes(), None)
    return list(found.values())


def _used(clues: tuple[Clue, ...]) -> tuple[int, int]:
    """From where to where there are clues that are not empty."""
    used = [index for index, clue in enumerate(clues) if clue]
    return (used[0], used[-1] + 1) if used else (0, 0)
