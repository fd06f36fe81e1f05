"""Goals in files of every format: one that does not solve its puzzle is neither read nor written."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from nonosat.errors import FormatError, PuzzleError
from nonosat.files import printable
from nonosat.puzzles.check import fault
from nonosat.puzzles.puzzle import Puzzle

Known = TypeVar("Known", bound=Puzzle)


def with_goal(puzzle: Known, cells: list[list[int]], line: int | None = None) -> Known:
    """``puzzle`` with the board ``cells`` (of its size and values) as its goal, which must solve it."""
    goal = puzzle.picture(cells)
    if (wrong := fault(puzzle, goal)) is not None:
        raise FormatError(f"the goal does not solve the puzzle: {printable(str(wrong), 200)}", line)
    data: Any = puzzle
    solved: Known = replace(data, goal=goal)
    return solved


def goal_rows(puzzle: Puzzle) -> list[str]:
    """The goal's rows for a file (none without a goal); a goal that no reader would take back raises."""
    if puzzle.goal is None:
        return []
    if (wrong := fault(puzzle, puzzle.goal)) is not None:
        raise PuzzleError(f"the goal does not solve the puzzle: {printable(str(wrong), 200)}")
    return puzzle.goal.rows()
