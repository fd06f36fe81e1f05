"""Kinds of puzzle without drawings of their own: as the text of their boards, which cannot be read back."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from nonosat.errors import PuzzleError, UnsupportedError
from nonosat.puzzles.drawing import EDGE, USUAL, canvas, check_cell, document, encode, number, size_text, xml
from nonosat.puzzles.puzzle import Board, Puzzle, given_board, kind_of

OPEN = "."
"""A cell that is not decided."""

FONT = 14
"""The size of the letters in an SVG."""

INK = "#000000"

_WIDTH, _HEIGHT = 0.62, 1.3
"""Of a letter of a monospace font, in its size; a bit more than most have."""


def picture_text(picture: Board, colour: bool = False) -> str:
    """The board as it prints itself."""
    return str(picture)


def puzzle_text(puzzle: Puzzle, picture: Board | None = None, colour: bool = False) -> str:
    """The title and ``picture``, or else the given cells: clues are for the kind to draw."""
    if picture is None:
        values = [[OPEN if value < 0 else str(value) for value in row] for row in given_board(puzzle, still_open=-1)]
        width = max(len(value) for row in values for value in row)
        board = "\n".join(" ".join(value.rjust(width) for value in row) for row in values)
    elif picture.shape != puzzle.shape:
        raise PuzzleError(size_text("picture", picture.shape, puzzle.shape))
    else:
        board = kind_of(picture).picture_text(picture, colour)
    return f"{puzzle.title}\n{board}" if puzzle.title else board


def read_picture(text: str, puzzle: Puzzle) -> NoReturn:
    """UnsupportedError: the kind has no function for it."""
    raise UnsupportedError(f"boards of the puzzle {puzzle.kind} can be printed, but not read")


def svg(puzzle: Puzzle, picture: Board | None = None) -> str:
    """The puzzle's text."""
    height, width = puzzle.shape
    title = puzzle.title or f"{puzzle.kind}, {height} x {width}"
    return _drawn(kind_of(puzzle).puzzle_text(puzzle, picture, False), title)


def svg_picture(picture: Board) -> str:
    """The board's text."""
    kind, (height, width) = kind_of(picture), picture.shape
    return _drawn(kind.picture_text(picture, False), f"{kind.name}, {height} x {width}")


def png(puzzle: Puzzle, picture: Board | None = None, cell: int | None = None) -> bytes:
    """The puzzle's text, in letters of ``cell`` pixels."""
    return _pixels(kind_of(puzzle).puzzle_text(puzzle, picture, False), cell)


def png_picture(picture: Board, cell: int | None = None) -> bytes:
    """The board's text, in letters of ``cell`` pixels."""
    return _pixels(kind_of(picture).picture_text(picture, False), cell)


def _pixels(text: str, cell: int | None) -> bytes:
    """A letter a place of a grid: Pillow's own font has letters of different widths."""
    from PIL import Image, ImageDraw, ImageFont

    check_cell(cell)
    lines = text.split("\n")
    columns = max(map(len, lines))
    size = cell or max(8, min(2 * FONT, USUAL // max(len(lines), columns)))
    width, height = size * _WIDTH, size * _HEIGHT
    image = Image.fromarray(canvas(round((columns + 2) * width), round((len(lines) + 1) * height)))
    draw = ImageDraw.Draw(image)
    draw.font = ImageFont.load_default(size)
    for row, line in enumerate(lines):
        for column, letter in enumerate(line):
            draw.text((round((column + 1.5) * width), round((row + 1) * height)), letter, fill=INK, anchor="mm")
    return encode(np.asarray(image))


def _drawn(text: str, title: str) -> str:
    lines = text.split("\n")
    width = round(max(map(len, lines)) * _WIDTH * FONT) + 2 * EDGE
    height = round(len(lines) * _HEIGHT * FONT) + 2 * EDGE
    rows = (
        f'<text x="0" y="{number((at + 0.75) * _HEIGHT * FONT)}">{xml(line)}</text>' for at, line in enumerate(lines)
    )
    letters = f'<g font-family="monospace" font-size="{FONT}" style="white-space:pre">{"".join(rows)}</g>'
    return document(title, EDGE, EDGE, width, height, [letters])
