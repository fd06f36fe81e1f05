"""Puzzles and their boards as text for terminals and files, and back."""

from __future__ import annotations

from nonosat.puzzles.kinds import kind_of
from nonosat.puzzles.puzzle import Board, Puzzle


def picture_text(picture: Board, colour: bool = False) -> str:
    """The board without clues; ``colour``: with the ANSI codes of a true-colour terminal.

    >>> from nonosat.puzzles.nonogram import Picture
    >>> print(picture_text(Picture([[1, 0], [1, 1]])))
    ██··
    ████
    """
    return kind_of(picture).picture_text(picture, colour)


def puzzle_text(puzzle: Puzzle, picture: Board | None = None, colour: bool = False) -> str:
    """The board with its clues, and ``picture`` on it; without one, what is given. ``colour`` as in ``picture_text``.

    A ``picture`` that is no board of the puzzle raises ``PuzzleError``.
    """
    return kind_of(puzzle).puzzle_text(puzzle, picture, colour)


def read_picture(text: str, puzzle: Puzzle) -> Board:
    """The board of ``puzzle`` that ``text`` shows: what this module prints, ``str`` of a board, or an answer's JSON.

    What else is read is said by each kind's own function. Whatever is wrong raises ``FormatError`` with the line;
    UnsupportedError: boards of this kind cannot be read.
    """
    return kind_of(puzzle).read_picture(text, puzzle)
