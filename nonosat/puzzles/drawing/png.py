"""Puzzles and their boards as PNG, drawn with Pillow (imported when it is needed); they look like the SVG."""

from __future__ import annotations

from functools import singledispatch

from nonosat.puzzles.drawing import nonogram_png, skyscrapers_png
from nonosat.puzzles.drawing.pixels import MOST_PIXELS
from nonosat.puzzles.heights import Heights
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.picture import Picture
from nonosat.puzzles.puzzle import Board, Puzzle
from nonosat.puzzles.skyscrapers import Skyscrapers

__all__ = ["MOST_PIXELS", "png", "png_picture"]


@singledispatch
def png(puzzle: Puzzle, picture: Board | None = None, cell: int | None = None) -> bytes:
    """The board with its clues, and ``picture`` on it (without one: what is given, which is marked either way).

    ``cell`` is the size of a cell in pixels; by default it is chosen so that the image is good to look at, and never of
    more than ``MOST_PIXELS``. On small cells numbers can't be read and are left out, on tiny ones the grid is too. A
    ``cell`` too large or too small for the board raises ``UnsupportedError``, a ``picture`` that is no board of the
    puzzle ``PuzzleError``.
    """
    raise TypeError(f"{type(puzzle).__name__} is no kind of puzzle that can be drawn")


png.register(Nonogram, nonogram_png.png)
png.register(Skyscrapers, skyscrapers_png.png)


@singledispatch
def png_picture(picture: Board, cell: int | None = None) -> bytes:
    """The board alone, without clues; ``cell`` as in ``png``."""
    raise TypeError(f"{type(picture).__name__} is no board that can be drawn")


png_picture.register(Picture, nonogram_png.png_picture)
png_picture.register(Heights, skyscrapers_png.png_picture)
