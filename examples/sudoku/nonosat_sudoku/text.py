"""Sudokus as people write them: characters in rows, with lines between the boxes."""

from __future__ import annotations

from nonosat.errors import FormatError, PuzzleError, SizeError
from nonosat.puzzles.drawing import counted, is_json, json_rows, numbered, size_text
from nonosat.puzzles.puzzle import Board, given_board
from nonosat_sudoku.puzzle import BOXES, DIGITS, Grid, Sudoku

OPEN = "."
BOLD, USUAL = "\x1b[1m", "\x1b[0m"


def drawn(rows: list[list[int]], box: tuple[int, int], bold: frozenset[tuple[int, int]] = frozenset()) -> str:
    """The rows with ``|`` and ``-`` between boxes; 0 is an open cell, cells in ``bold`` are so."""
    height, width = box
    lines = []
    for r, row in enumerate(rows):
        texts = [DIGITS[value - 1] if value else OPEN for value in row]
        texts = [f"{BOLD}{text}{USUAL}" if (r, c) in bold else text for c, text in enumerate(texts)]
        groups = [" ".join(texts[c : c + width]) for c in range(0, len(texts), width)]
        if r and r % height == 0:
            lines.append("+".join("-" * (2 * width + (0 < at < len(groups) - 1)) for at in range(len(groups))))
        lines.append(" | ".join(groups))
    return "\n".join(lines)


def puzzle_text(puzzle: Sudoku, board: Board | None = None, colour: bool = False) -> str:
    """The puzzle, with ``board`` on it; without one, the given cells.

    >>> print(puzzle_text(Sudoku((2, 2), ((0, 1, 3), (2, 3, 1)))))
    . 3 | . .
    . . | . .
    ----+----
    . . | . 1
    . . | . .
    """
    if board is not None and board.shape != puzzle.shape:
        raise PuzzleError(size_text("board", board.shape, puzzle.shape))
    rows = given_board(puzzle) if board is None else board.cells.tolist()
    given = frozenset((row, column) for row, column, _ in puzzle.given) if colour else frozenset()
    text = drawn(rows, puzzle.box, given)
    return f"{puzzle.title}\n{text}" if puzzle.title else text


def picture_text(board: Grid, colour: bool = False) -> str:
    """The board by itself, in the usual boxes of its size."""
    size = len(board.cells)
    return drawn(board.cells.tolist(), BOXES.get(size, (1, size)))


def rows_of(text: str) -> list[tuple[int | None, list[int]]]:
    """The rows of values that ``text`` shows (0: open), each with its line; FormatError names the line."""
    rows: list[tuple[int | None, list[int]]] = []
    for number, line in json_rows(text) if is_json(text) else numbered(text):
        cells = line.replace("|", " ").split()
        characters = "".join(cells)
        if not characters or set(characters) <= set("-+"):
            continue
        row = []
        for character in characters:
            value = 0 if character in ".0_" else DIGITS.find(character.upper()) + 1
            if not value and character not in ".0_":
                raise FormatError(f"{character!r} is no value of a Sudoku", number)
            row.append(value)
        rows.append((number, row))
    return rows


def read_picture(text: str, puzzle: Sudoku) -> Grid:
    """The board that ``text`` shows: what this module prints, plain rows, an answer's JSON."""
    rows, size = rows_of(text), puzzle.size
    if len(rows) != size or any(len(row) != size for _, row in rows):
        widths = {len(row) for _, row in rows}
        if len(widths) == 1:
            raise SizeError(size_text("board", (len(rows), widths.pop()), puzzle.shape))
        at, row = next(((at, row) for at, row in rows if len(row) != size), (None, []))
        raise FormatError(f"{counted(len(row), 'cell')} in a row, the puzzle has {size}", at)
    for number, row in rows:
        for column, value in enumerate(row, 1):
            if not 1 <= value <= size:
                raise FormatError(f"column {column}: {'not decided' if not value else f'{value} is too large'}", number)
    return puzzle.picture([row for _, row in rows])
