"""Boards that are half played, read from text."""

from __future__ import annotations

from nonosat.errors import FormatError
from nonosat.files import read_text, shown
from nonosat.puzzles.drawing.text import read_picture
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.explain.explaining import explainer_of

OPEN = "?"


def read_board(file: str, puzzle: Puzzle) -> list[list[int]]:
    """The position in ``file`` ('-': stdin): a text picture of the puzzle's kind, or JSON, with ``?`` for open cells.

    FormatError, which names the file: it is none.
    """
    try:
        return board_of(read_text(file), puzzle)
    except FormatError as error:
        raise error.at(shown(file)) from None


def board_of(text: str, puzzle: Puzzle) -> list[list[int]]:
    r"""The position that ``text`` shows; -1: open.

    It is read with two values for what is open, so that every way to write a picture can have open cells.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> board_of("#?\n.?", Nonogram.from_lengths([[1], [1]], [[1], [1]]))
    [[1, -1], [0, -1]]
    """
    first, second = explainer_of(puzzle).marks(puzzle)
    one, other = (read_picture(text.replace(OPEN, mark), puzzle).cells.tolist() for mark in (first, second))
    return [[a if a == b else -1 for a, b in zip(*rows, strict=True)] for rows in zip(one, other, strict=True)]
