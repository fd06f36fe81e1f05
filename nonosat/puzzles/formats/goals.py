"""Goals and solutions in files of every format: one that does not solve its puzzle is neither read nor written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from nonosat.errors import FormatError, PuzzleError
from nonosat.files import printable
from nonosat.puzzles.check import fault
from nonosat.puzzles.puzzle import Board, Puzzle

Known = TypeVar("Known", bound=Puzzle)


def with_goal(puzzle: Known, cells: list[list[int]], line: int | None = None) -> Known:
    """``puzzle`` with the board ``cells`` (of its size and values) as its goal, which must solve it."""
    goal = puzzle.picture(cells)
    if (wrong := fault(puzzle, goal)) is not None:
        raise FormatError(f"the goal does not solve the puzzle: {printable(str(wrong), 200)}", line)
    data: Any = puzzle
    solved: Known = replace(data, goal=goal)
    return solved


def with_solutions(puzzle: Known, several: Sequence[list[list[int]]], line: int | None = None) -> Known:
    """``puzzle`` with the boards ``several`` as solutions beside its goal; each must solve it, and none comes twice."""
    found: dict[Board, None] = {}
    for cells in several:
        board = puzzle.picture(cells)
        if (wrong := fault(puzzle, board)) is not None:
            raise FormatError(f"a solution does not solve the puzzle: {printable(str(wrong), 200)}", line)
        found[board] = None
    data: Any = puzzle
    solved: Known = replace(data, solutions=tuple(board for board in found if board != puzzle.goal))
    return solved


def goal_rows(puzzle: Puzzle) -> list[str]:
    """The goal's rows for a file (none without a goal); a goal that no reader would take back raises."""
    return [] if puzzle.goal is None else rows_of(puzzle, puzzle.goal, "the goal")


def rows_of(puzzle: Puzzle, board: Board, what: str) -> list[str]:
    """The rows of a ``board`` for a file; PuzzleError: it does not solve the puzzle."""
    if (wrong := fault(puzzle, board)) is not None:
        raise PuzzleError(f"{what} does not solve the puzzle: {printable(str(wrong), 200)}")
    return board.rows()
