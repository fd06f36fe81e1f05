"""Puzzles and their boards as SVG: self-contained, small, the same text every time."""

from __future__ import annotations

from nonosat.puzzles.kinds import kind_of
from nonosat.puzzles.puzzle import Board, Puzzle


def svg(puzzle: Puzzle, picture: Board | None = None) -> str:
    """The board with its clues, and ``picture`` on it (without one: what is given, which is marked either way).

    A ``picture`` that is no board of the puzzle raises ``PuzzleError``.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> svg(Nonogram.from_lengths([[1]], [[1]]))[:38]
    '<svg xmlns="http://www.w3.org/2000/svg'
    """
    return kind_of(puzzle).svg(puzzle, picture)


def svg_picture(picture: Board) -> str:
    """The board alone, without clues."""
    return kind_of(picture).svg_picture(picture)
