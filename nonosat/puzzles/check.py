"""Is this board a solution? Checked by walking the lines; nothing here is shared with any encoder or solver."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import singledispatch
from itertools import groupby

from nonosat.puzzles.nonogram import Nonogram, Run
from nonosat.puzzles.puzzle import Board, Puzzle
from nonosat.puzzles.skyscrapers import Skyscrapers


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


@singledispatch
def fault(puzzle: Puzzle, picture: Board) -> Fault | None:
    """The first fault of ``picture`` as a solution of ``puzzle``, or None.

    Of a nonogram: size, rows, columns, given cells. Of skyscrapers: size, rows and columns (each height once), the
    clues at the top, the bottom, the left, the right, given heights.

    >>> from nonosat.puzzles.picture import Picture
    >>> str(fault(Nonogram.from_lengths([[1], [2]], [[2], [1]]), Picture([[1, 1], [1, 1]])))
    'row 1: has 2, the clue says 1'
    """
    raise TypeError(f"{type(puzzle).__name__} is no kind of puzzle that can be checked")


@fault.register
def _(puzzle: Nonogram, picture: Board) -> Fault | None:
    # Lines that are too long are caught as well as lines that are too short (Wałejko's pseudocode 1.1 misses those).
    if (wrong := _size_fault(puzzle, picture)) is not None:
        return wrong
    rows: list[list[int]] = picture.cells.tolist()
    for axis, lines, clues in (
        ("row", rows, puzzle.rows),
        ("column", [list(column) for column in zip(*rows, strict=True)], puzzle.columns),
    ):
        for index, (line, clue) in enumerate(zip(lines, clues, strict=True)):
            found = tuple([(len(list(cells)), value) for value, cells in groupby(line) if value != 0])
            if found != clue:
                runs = tuple(Run(*run) for run in found)
                if any(run.colour > puzzle.colours for run in runs):
                    return Fault(axis, index, "has a colour that the puzzle lacks")
                reason = f"has {puzzle.clue_text(runs)}, the clue says {puzzle.clue_text(clue)}"
                return Fault(axis, index, reason)
    return _given_fault(puzzle, rows)


@fault.register
def _(puzzle: Skyscrapers, picture: Board) -> Fault | None:
    if (wrong := _size_fault(puzzle, picture)) is not None:
        return wrong
    rows: list[list[int]] = picture.cells.tolist()
    columns = [list(column) for column in zip(*rows, strict=True)]
    size = len(rows)
    for axis, lines in (("row", rows), ("column", columns)):
        for index, line in enumerate(lines):
            for height, times in Counter(line).items():
                if not 1 <= height <= size:
                    return Fault(axis, index, f"{height} is no height on a {size}x{size} board")
                if times > 1:
                    return Fault(axis, index, f"{height} stands {'twice' if times == 2 else f'{times} times'}")
    for axis, end, lines, clues in (
        ("column", "top", columns, puzzle.top),
        ("column", "bottom", [line[::-1] for line in columns], puzzle.bottom),
        ("row", "left", rows, puzzle.left),
        ("row", "right", [line[::-1] for line in rows], puzzle.right),
    ):
        for index, (line, clue) in enumerate(zip(lines, clues, strict=True)):
            count = sum(height > max(line[:before], default=0) for before, height in enumerate(line))
            if clue not in (0, count):
                seen = "1 tower is seen" if count == 1 else f"{count} towers are seen"
                return Fault(axis, index, f"{seen}, the clue says {clue}", end)
    return _given_fault(puzzle, rows)


def is_solution(puzzle: Puzzle, picture: Board) -> bool:
    """Whether ``picture`` solves ``puzzle``."""
    return fault(puzzle, picture) is None


def _size_fault(puzzle: Puzzle, picture: Board) -> Fault | None:
    if picture.shape == puzzle.shape:
        return None
    (h, w), (ph, pw) = picture.shape, puzzle.shape
    return Fault(None, None, f"the picture is {h}x{w} (rows x columns), the puzzle {ph}x{pw}")


def _given_fault(puzzle: Puzzle, rows: list[list[int]]) -> Fault | None:
    for row, column, value in puzzle.given:
        if rows[row][column] != value:
            return Fault(None, None, f"the cell in row {row + 1}, column {column + 1} is not as given")
    return None
