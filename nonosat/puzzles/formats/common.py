"""What the readers and writers of every format share: lines, messages, limits, goals, refusals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from nonosat.errors import FormatError, PuzzleError, UnsupportedError
from nonosat.files import printable
from nonosat.puzzles.check import fault
from nonosat.puzzles.puzzle import Puzzle

Each = TypeVar("Each", bound=Puzzle)

Known = TypeVar("Known", bound=Puzzle)

TEXTS = ("title", "author", "licence", "source")
"""The texts that a puzzle of any kind can have."""

DIGITS = 6
"""Numbers in files have at most this many digits: no line is longer, and a million digits are never an ``int``."""


def quote(text: str) -> str:
    r"""``text`` for a message: quoted, short, on one line.

    >>> print(quote("x\n" * 100))
    "x\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\n..."
    """
    return f'"{printable(text, 24)}"'


def unix(text: str) -> str:
    r"""``text`` with ``\n`` for every line end; ``FormatError`` if there is nothing in it."""
    if not text.strip():
        raise FormatError("the file is empty")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines_of(text: str) -> list[str]:
    """The lines of ``text``; not ``splitlines``, which also breaks at characters that titles may hold."""
    return unix(text).removesuffix("\n").split("\n")


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


def write_each(puzzles: Sequence[Each], write: Callable[[Each, int], str]) -> list[str]:
    """Every puzzle's text, by ``write(puzzle, number from 1)``; of several, a refusal names which."""
    texts = []
    for number, puzzle in enumerate(puzzles, start=1):
        try:
            texts.append(write(puzzle, number))
        except UnsupportedError as error:
            if len(puzzles) == 1:
                raise
            raise UnsupportedError(f"puzzle {number}: {error}") from None
    return texts


def lone_surrogate(text: str) -> bool:
    """Whether ``text`` has half a character, which no file in UTF-8 can hold."""
    return any("\ud800" <= c <= "\udfff" for c in text)


def plain_text(puzzle: Puzzle, name: str, control: str = "") -> None:
    """Raise ``UnsupportedError`` if a title, author, ... has a character that the file can't hold."""
    for key in TEXTS:
        text = getattr(puzzle, key, "")
        if lone_surrogate(text) or any(c in control for c in text):
            raise UnsupportedError(f"{name} cannot hold a character of the {key} {quote(text)}")
