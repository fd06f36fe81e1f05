"""Is this picture a solution? Checked by walking the lines; nothing here is shared with any encoder or solver."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from nonosat.puzzles.nonogram import Nonogram, Run
from nonosat.puzzles.picture import Picture


@dataclass(frozen=True)
class Fault:
    """The first thing that is wrong with a picture. ``axis`` is "row", "column", or None (size, given cells)."""

    axis: str | None
    index: int | None
    reason: str

    def __str__(self) -> str:
        if self.axis is None or self.index is None:
            return self.reason
        return f"{self.axis} {self.index + 1}: {self.reason}"


def fault(puzzle: Nonogram, picture: Picture) -> Fault | None:
    """The first fault of ``picture`` as a solution of ``puzzle`` (size, rows, columns, given cells), or None.

    Lines that are too long are caught as well as lines that are too short (Wałejko's pseudocode 1.1 misses the
    former).

    >>> str(fault(Nonogram.from_lengths([[1], [2]], [[2], [1]]), Picture([[1, 1], [1, 1]])))
    'row 1: has 2, the clue says 1'
    """
    if picture.shape != puzzle.shape:
        (h, w), (ph, pw) = picture.shape, puzzle.shape
        return Fault(None, None, f"the picture is {h}x{w} (rows x columns), the puzzle {ph}x{pw}")
    rows: list[list[int]] = picture.cells.tolist()
    for axis, lines, clues in (
        ("row", rows, puzzle.rows),
        ("column", [list(column) for column in zip(*rows, strict=True)], puzzle.columns),
    ):
        for index, (line, clue) in enumerate(zip(lines, clues, strict=True)):
            runs = tuple(Run(len(list(cells)), value) for value, cells in groupby(line) if value != 0)
            if runs != clue:
                if any(run.colour > puzzle.colours for run in runs):
                    return Fault(axis, index, "has a colour that the puzzle lacks")
                reason = f"has {puzzle.clue_text(runs)}, the clue says {puzzle.clue_text(clue)}"
                return Fault(axis, index, reason)
    for row, column, value in puzzle.given:
        if rows[row][column] != value:
            return Fault(None, None, f"the cell in row {row + 1}, column {column + 1} is not as given")
    return None


def is_solution(puzzle: Nonogram, picture: Picture) -> bool:
    """Whether ``picture`` solves ``puzzle``."""
    return fault(puzzle, picture) is None
