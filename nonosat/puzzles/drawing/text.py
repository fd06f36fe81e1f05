"""Puzzles and their boards as text for terminals and files, and back."""

from __future__ import annotations

from functools import singledispatch

from nonosat.puzzles.drawing import nonogram_text, skyscrapers_text
from nonosat.puzzles.heights import Heights
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.picture import Picture
from nonosat.puzzles.puzzle import Board, Puzzle
from nonosat.puzzles.skyscrapers import Skyscrapers


@singledispatch
def picture_text(picture: Board, colour: bool = False) -> str:
    """The board without clues; ``colour``: with the ANSI codes of a true-colour terminal.

    >>> print(picture_text(Picture([[1, 0], [1, 1]])))
    ██··
    ████
    """
    raise TypeError(f"{type(picture).__name__} is no board that can be drawn")


picture_text.register(Picture, nonogram_text.picture_text)
picture_text.register(Heights, skyscrapers_text.picture_text)


@singledispatch
def puzzle_text(puzzle: Puzzle, picture: Board | None = None, colour: bool = False) -> str:
    """The board with its clues, and ``picture`` on it; without one, what is given. ``colour`` as in ``picture_text``.

    A ``picture`` that is no board of the puzzle raises ``PuzzleError``.
    """
    raise TypeError(f"{type(puzzle).__name__} is no kind of puzzle that can be drawn")


puzzle_text.register(Nonogram, nonogram_text.puzzle_text)
puzzle_text.register(Skyscrapers, skyscrapers_text.puzzle_text)


def read_picture(text: str, puzzle: Puzzle) -> Board:
    """The board of ``puzzle`` that ``text`` shows: what this module prints, ``str`` of a board, or an answer's JSON.

    What else is read is said in the file of each kind. Whatever is wrong raises ``FormatError`` with the line.
    """
    return _read(puzzle, text)


@singledispatch
def _read(puzzle: Puzzle, text: str) -> Board:
    raise TypeError(f"{type(puzzle).__name__} is no kind of puzzle whose boards can be read")


@_read.register
def _(puzzle: Nonogram, text: str) -> Board:
    return nonogram_text.read_picture(text, puzzle)


@_read.register
def _(puzzle: Skyscrapers, text: str) -> Board:
    return skyscrapers_text.read_picture(text, puzzle)
