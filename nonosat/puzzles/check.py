"""Is this board a solution? Checked by walking the lines; nothing here is shared with any encoder or solver."""

from __future__ import annotations

from dataclasses import dataclass

from nonosat.puzzles.kinds import kind_of
from nonosat.puzzles.puzzle import Board, Puzzle


@dataclass(frozen=True)
class Fault:
    """The first thing that is wrong with a board. ``axis`` is "row", "column", or None (size, given cells); ``end``:
    the end of the line that it is seen from ("top", ...), if it matters.
    """

    axis: str | None
    index: int | None
    reason: str
    end: str | None = None

    def __str__(self) -> str:
        if self.axis is None or self.index is None:
            return self.reason
        end = f" from the {self.end}" if self.end else ""
        return f"{self.axis} {self.index + 1}{end}: {self.reason}"


def fault(puzzle: Puzzle, picture: Board) -> Fault | None:
    """The first fault of ``picture`` as a solution of ``puzzle``, or None.

    In which order it is looked at is said in the ``check.py`` of each kind.

    >>> from nonosat.puzzles.nonogram import Nonogram, Picture
    >>> str(fault(Nonogram.from_lengths([[1], [2]], [[2], [1]]), Picture([[1, 1], [1, 1]])))
    'row 1: has 2, the clue says 1'
    """
    return kind_of(puzzle).check(puzzle, picture)


def is_solution(puzzle: Puzzle, picture: Board) -> bool:
    """Whether ``picture`` solves ``puzzle``."""
    return fault(puzzle, picture) is None


def size_fault(puzzle: Puzzle, picture: Board) -> Fault | None:
    """That the board is of another size than the puzzle, or None."""
    if picture.shape == puzzle.shape:
        return None
    (h, w), (ph, pw) = picture.shape, puzzle.shape
    return Fault(None, None, f"the picture is {h}x{w} (rows x columns), the puzzle {ph}x{pw}")


def given_fault(puzzle: Puzzle, rows: list[list[int]]) -> Fault | None:
    """The first given cell that has another value in ``rows``, or None."""
    for row, column, value in puzzle.given:
        if rows[row][column] != value:
            return Fault(None, None, f"the cell in row {row + 1}, column {column + 1} is not as given")
    return None
