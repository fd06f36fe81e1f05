"""Puzzles and their boards as SVG: self-contained, small, the same text every time."""

from __future__ import annotations

from functools import singledispatch

from nonosat.puzzles.drawing import nonogram_svg, skyscrapers_svg
from nonosat.puzzles.heights import Heights
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.picture import Picture
from nonosat.puzzles.puzzle import Board, Puzzle
from nonosat.puzzles.skyscrapers import Skyscrapers


@singledispatch
def svg(puzzle: Puzzle, picture: Board | None = None) -> str:
    """The board with its clues, and ``picture`` on it (without one: what is given, which is marked either way).

    A ``picture`` that is no board of the puzzle raises ``PuzzleError``.

    >>> svg(Nonogram.from_lengths([[1]], [[1]]))[:38]
    '<svg xmlns="http://www.w3.org/2000/svg'
    """
    raise TypeError(f"{type(puzzle).__name__} is no kind of puzzle that can be drawn")


svg.register(Nonogram, nonogram_svg.svg)
svg.register(Skyscrapers, skyscrapers_svg.svg)


@singledispatch
def svg_picture(picture: Board) -> str:
    """The board alone, without clues."""
    raise TypeError(f"{type(picture).__name__} is no board that can be drawn")


svg_picture.register(Picture, nonogram_svg.svg_picture)
svg_picture.register(Heights, skyscrapers_svg.svg_picture)
