"""Is this board a solution? Checked by walking the lines; nothing here is shared with any encoder or solver."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeVar

from nonosat.puzzles.kinds import puzzle_kind
from nonosat.puzzles.puzzle import Board, Puzzle

P = TypeVar("P", bound=Puzzle)


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
    return puzzle_kind(puzzle).check(puzzle, picture)


def is_solution(puzzle: Puzzle, picture: Board) -> bool:
    """Whether ``picture`` solves ``puzzle``."""
    return fault(puzzle, picture) is None


def derived(puzzle: P, **fields: Any) -> P:
    """``puzzle`` with other clues or given cells (``fields``); its goal and its solutions stay if they solve that, too.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> puzzle = Nonogram.from_picture([[1, 0], [0, 1]])
    >>> derived(puzzle, given=((0, 0, 1),)).goal == puzzle.goal, derived(puzzle, given=((0, 0, 0),)).goal
    (True, None)
    """
    data: Any = puzzle
    none = {"goal": None} | ({"solutions": ()} if hasattr(puzzle, "solutions") else {})
    other: Any = replace(data, **none | fields)
    kept = {
        "goal": data.goal if data.goal is not None and is_solution(other, data.goal) else None,
        "solutions": tuple(board for board in getattr(puzzle, "solutions", ()) if is_solution(other, board)),
    }
    again = {name: boards for name, boards in kept.items() if boards and name not in fields}
    changed: P = replace(other, **again) if again else other
    return changed


def known_solutions(puzzle: Puzzle) -> dict[Board, str]:
    """The solutions that come with ``puzzle``, and what each is: its goal, and others, as far as they solve it."""
    known: dict[Board, str] = {} if puzzle.goal is None else {puzzle.goal: "the puzzle's goal"}
    for board in getattr(puzzle, "solutions", ()):
        known.setdefault(board, "a solution that comes with the puzzle")
    return {board: name for board, name in known.items() if is_solution(puzzle, board)}


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
