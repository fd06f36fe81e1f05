"""A Sudoku in a file as people write it: rows of characters, boxes drawn or not; ``#`` lines are comments."""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.errors import FormatError, UnsupportedError
from nonosat.puzzles.puzzle import given_board
from nonosat_sudoku.puzzle import BOXES, Sudoku
from nonosat_sudoku.text import drawn, rows_of


def read(text: str) -> list[Sudoku]:
    r"""The one Sudoku of a text.

    >>> read("1 . | . .\n. . | . .\n----+----\n. . | . .\n. . | . 2\n")[0].given[1]
    Given(row=3, column=3, value=2)
    """
    rows = rows_of("\n".join("" if line.startswith("#") else line for line in text.replace("\r", "").split("\n")))
    if len(rows) not in BOXES:
        raise FormatError(f"{len(rows)} rows: known are Sudokus of {', '.join(map(str, BOXES))}")
    for number, row in rows:
        if len(row) != len(rows):
            raise FormatError(f"{len(row)} cells in a row, there are {len(rows)} rows", number)
        if max(row) > len(rows):
            raise FormatError(f"{max(row)} is too large for {len(rows)} rows", number)
    return [Sudoku.from_rows([row for _, row in rows])]


def write(puzzles: Sequence[Sudoku]) -> str:
    """The text of one Sudoku; title, author, licence, source and goal are dropped."""
    [puzzle, *others] = puzzles
    if others:
        raise UnsupportedError("the format sudoku holds one puzzle a file; sdm holds many")
    if BOXES.get(puzzle.size) != puzzle.box:
        raise UnsupportedError(f"the format sudoku has no boxes of {puzzle.box[0]}x{puzzle.box[1]}")
    return drawn(given_board(puzzle), puzzle.box) + "\n"
