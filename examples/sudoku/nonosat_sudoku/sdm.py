"""Sudokus a line each, as collections of them are kept: 81 characters, 0 or ``.`` for an open cell.

Of other sizes likewise (16 characters: 4x4). Blank lines and lines that begin with ``#`` mean nothing; what follows the
characters after a blank is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from nonosat.errors import FormatError, UnsupportedError
from nonosat.puzzles.puzzle import given_board
from nonosat_sudoku.puzzle import BOXES, DIGITS, Sudoku


def read(text: str) -> list[Sudoku]:
    """The Sudokus of a text.

    >>> read("1...............")[0].given
    (Given(row=0, column=0, value=1),)
    >>> read("12")
    Traceback (most recent call last):
    nonosat.errors.FormatError: line 1: 2 cells; a Sudoku has 16, 36, 64, 81, 100, 144, 225, 256 or 625
    """
    lines = [(at, line.split()[0]) for at, line in enumerate(text.replace("\r", "").split("\n"), 1) if line.strip()]
    puzzles = [_puzzle(line, at) for at, line in lines if not line.startswith("#")]
    if not puzzles:
        raise FormatError("no puzzle in this file")
    return puzzles


def _puzzle(line: str, at: int) -> Sudoku:
    size = isqrt(len(line))
    if size * size != len(line) or size not in BOXES:
        *most, last = (str(n * n) for n in BOXES)
        raise FormatError(f"{len(line)} cells; a Sudoku has {', '.join(most)} or {last}", at)
    values = []
    for place, character in enumerate(line, 1):
        value = 0 if character in ".0" else DIGITS.find(character.upper()) + 1
        if value > size or not (value or character in ".0"):
            raise FormatError(f"cell {place}: {character!r} is no value of a {size}x{size} Sudoku", at)
        values.append(value)
    return Sudoku.from_rows([values[row : row + size] for row in range(0, len(values), size)])


def write(puzzles: Sequence[Sudoku]) -> str:
    """A line a Sudoku; title, author, licence, source and goal are dropped."""
    for puzzle in puzzles:
        if BOXES.get(puzzle.size) != puzzle.box:
            raise UnsupportedError(f"the format sdm has no boxes of {puzzle.box[0]}x{puzzle.box[1]}")
    rows = (given_board(puzzle) for puzzle in puzzles)
    return "".join("".join(DIGITS[v - 1] if v else "." for row in board for v in row) + "\n" for board in rows)
