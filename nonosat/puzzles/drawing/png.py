"""Puzzles and their boards as PNG, drawn with Pillow (imported when it is needed); they look like the SVG."""

from __future__ import annotations

from nonosat.puzzles.drawing.pixels import MOST_PIXELS
from nonosat.puzzles.kinds import kind_of
from nonosat.puzzles.puzzle import Board, Puzzle

__all__ = ["MOST_PIXELS", "png", "png_picture"]


def png(puzzle: Puzzle, picture: Board | None = None, cell: int | None = None) -> bytes:
    """The board with its clues, and ``picture`` on it (without one: what is given, which is marked either way).

    ``cell`` is the size of a cell in pixels; by default it is chosen so that the image is good to look at, and never of
    more than ``MOST_PIXELS``. On small cells numbers can't be read and are left out, on tiny ones the grid is too. A
    ``cell`` too large or too small for the board raises ``UnsupportedError``, as does a kind that has no PNG; a
    ``picture`` that is no board of the puzzle ``PuzzleError``.
    """
    return kind_of(puzzle).png(puzzle, picture, cell)


def png_picture(picture: Board, cell: int | None = None) -> bytes:
    """The board alone, without clues; ``cell`` as in ``png``."""
    return kind_of(picture).png_picture(picture, cell)
