"""Does this picture solve this nonogram? Its lines are walked, all at once, and their runs compared with the clues."""

from __future__ import annotations

from itertools import chain, groupby, repeat, zip_longest

import numpy as np
import numpy.typing as npt

from nonosat.puzzles.nonogram.puzzle import Clue, Nonogram, Run
from nonosat.puzzles.puzzle import Board, Fault, given_fault, size_fault

END = 256
"""What stands between two lines, as a run of one cell: more than a cell's value can be."""


def fault(puzzle: Nonogram, picture: Board) -> Fault | None:
    """The first fault: size, rows, columns, given cells."""
    # Lines that are too long are caught as well as lines that are too short (Wałejko's pseudocode 1.1 misses those).
    if (wrong := size_fault(puzzle, picture)) is not None:
        return wrong
    found, clued = _runs(picture.cells), _clued(puzzle.rows + puzzle.columns)
    if found != clued:
        at = next(i for i, (one, other) in enumerate(zip_longest(found, clued)) if one != other)
        return _line_fault(puzzle, picture, clued[1:at:2].count(END))
    return given_fault(puzzle, picture.cells.tolist()) if puzzle.given else None


def _line_fault(puzzle: Nonogram, picture: Board, line: int) -> Fault:
    """What is wrong with a line; the columns are counted after the rows."""
    axis, index = ("row", line) if line < puzzle.height else ("column", line - puzzle.height)
    cells, clue = (picture.cells, puzzle.rows) if axis == "row" else (picture.cells.T, puzzle.columns)
    runs = tuple(Run(len(list(alike)), value) for value, alike in groupby(cells[index].tolist()) if value != 0)
    if any(run.colour > puzzle.colours for run in runs):
        return Fault(axis, index, "has a colour that the puzzle lacks")
    return Fault(axis, index, f"has {puzzle.clue_text(runs)}, the clue says {puzzle.clue_text(clue[index])}")


def _runs(cells: npt.NDArray[np.uint8]) -> list[int]:
    """The runs of all lines, the rows first: length and value of each by turns, and an ``END`` between two lines."""
    height, width = cells.shape
    rows = height * (width + 1)
    walk = np.full(1 + rows + width * (height + 1), END, dtype=np.uint16)
    walk[1 : rows + 1].reshape(height, width + 1)[:, :width] = cells
    walk[rows + 1 :].reshape(width, height + 1)[:, :height] = cells.T
    ends = (walk[1:] != walk[:-1]).nonzero()[0]  # of what is alike; the END before the first line is the first
    runs = np.empty((len(ends) - 1, 2), dtype=np.int64)
    runs[:, 0] = ends[1:] - ends[:-1]
    runs[:, 1] = walk[ends[1:]]
    found: list[int] = runs[runs[:, 1] != 0].ravel().tolist()
    return found


def _clued(clues: tuple[Clue, ...]) -> list[int]:
    """The same of clues."""
    lines = chain.from_iterable(zip(clues, repeat(((1, END),))))
    return list(chain.from_iterable(chain.from_iterable(lines)))[:-2]
