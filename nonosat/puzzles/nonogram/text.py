"""Nonograms and pictures as text for terminals and files."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

from nonosat.puzzles.drawing.lines import RESET, paint
from nonosat.puzzles.drawing.shades import cell_shade, ink_on
from nonosat.puzzles.nonogram.layout import check_size, numbers
from nonosat.puzzles.nonogram.palette import BLACK, Colour
from nonosat.puzzles.nonogram.picture import Picture
from nonosat.puzzles.nonogram.puzzle import Clue, Nonogram
from nonosat.puzzles.puzzle import given_board

BLOCK, DOT, UNDECIDED = "█", "·", " "
"""How a board shows filled cells, blank ones, and those that are neither yet."""

FIFTH = "┊"
"""Between the fifth column and the sixth, and so on; the rows have a line of ``┄``."""

DIM = "\x1b[38;2;176;176;176;48;2;255;255;255m"


def picture_text(picture: Picture, colour: bool = False) -> str:
    """``picture`` without clues, two characters a cell; ``colour``: with the ANSI codes of a true-colour terminal.

    >>> print(picture_text(Picture([[1, 0], [1, 1]])))
    ██··
    ████
    """
    return "\n".join(painted(line, picture.palette, 2, colour) for line in picture.cells.tolist())


def puzzle_text(puzzle: Nonogram, picture: Picture | None = None, colour: bool = False) -> str:
    """The board with its clues, and ``picture`` on it; without one, the given cells (``··`` is a given blank).

    >>> print(puzzle_text(Nonogram.from_lengths([[1, 1], [2]], [[1], [1], [2]], given=[(1, 0, 0)])))
        │ 1 1 2
    ────┼──────
    1 1 │
      2 │··
    """
    cells = board(puzzle, picture)
    clues = [numbers(clue) for clue in puzzle.rows]
    texts = [puzzle.clue_text(clue) for clue in puzzle.rows]
    margin = max(map(len, texts))
    width = cell_width(puzzle)
    lines = [f"{' ' * margin} │{fifths(line)}" for line in column_clues(puzzle, width, colour)]
    lines.append("─" * (margin + 1) + "┼" + fifths(["─" * width] * puzzle.width, "─"))
    for index, (line, clue, text) in enumerate(zip(cells, clues, texts, strict=True)):
        if index and index % 5 == 0:
            lines.append(" " * (margin + 1) + "│" + fifths(["┄" * width] * puzzle.width))
        shown = text
        if colour and puzzle.colours > 1:
            shown = " ".join(chip(number, value, puzzle.palette) for number, value in clue)
        groups = [painted(line[i : i + 5], puzzle.palette, width, colour) for i in range(0, puzzle.width, 5)]
        lines.append(f"{' ' * (margin - len(text))}{shown} │{FIFTH.join(groups)}")
    return "\n".join(line.rstrip(" ") for line in lines)


def board(puzzle: Nonogram, picture: Picture | None) -> list[list[int]]:
    """The cells to show, -1 for those that are not decided."""
    if picture is not None:
        check_size(puzzle, picture)
        rows: list[list[int]] = picture.cells.tolist()
        return rows
    return given_board(puzzle, still_open=-1)


def cell_width(puzzle: Nonogram) -> int:
    """The characters a column needs: two, or more where its numbers are longer or would run into each other.

    >>> cell_width(Nonogram.from_lengths([[2]] * 12, [[12], [12]]))
    3
    """
    columns = [number_texts(clue, puzzle.palette)[::-1] for clue in puzzle.columns]
    width = max(2, *(len(text) for column in columns for text in column))
    if puzzle.colours > 1:  # each number ends with a letter
        return width
    levels = (pair for two in pairwise(columns) for pair in zip(*two, strict=False))
    return width + any(len(right) == width for _, right in levels)


def number_texts(clue: Clue, palette: tuple[Colour, ...]) -> list[str]:
    """The numbers of a clue, with the symbols of their colours if there is more than one colour."""
    return [symbol_number(text, value, palette) for text, value in numbers(clue)]


def symbol_number(text: str, value: int, palette: tuple[Colour, ...]) -> str:
    """One number of a clue, as text."""
    return text + palette[value - 1].symbol if value and len(palette) > 1 else text


def chip(text: str, value: int, palette: tuple[Colour, ...]) -> str:
    """One number of a clue on its colour, for a terminal."""
    if not value:
        return text
    shade = cell_shade(palette[value - 1].rgb)
    return paint(symbol_number(text, value, palette), ink_on(shade), shade)


def column_clues(puzzle: Nonogram, width: int, colour: bool) -> list[list[str]]:
    """The lines above the board, each as one piece of text a column."""
    columns = [numbers(clue) for clue in puzzle.columns]
    lines = []
    for level in range(max(map(len, columns)), 0, -1):
        line = []
        for column in columns:
            if len(column) < level:
                line.append(" " * width)
                continue
            text, value = column[-level]
            plain = symbol_number(text, value, puzzle.palette)
            shown = chip(text, value, puzzle.palette) if colour and puzzle.colours > 1 else plain
            line.append(" " * (width - len(plain)) + shown)
        lines.append(line)
    return lines


def fifths(pieces: Sequence[str], mark: str = FIFTH) -> str:
    """The columns' texts side by side, with ``mark`` after every fifth."""
    return mark.join("".join(pieces[i : i + 5]) for i in range(0, len(pieces), 5))


def painted(line: Sequence[int], palette: tuple[Colour, ...], width: int, colour: bool) -> str:
    """Cells as text, ``width`` characters each; in ``colour``, symbols in and on their shade, blanks on white paper.

    The paper makes black cells differ from blank ones on dark terminals, and white cells on light ones.
    """
    parts = []
    for value, group in groupby(line):
        length = width * len(list(group))
        if value < 0:
            parts.append(UNDECIDED * length)
        elif value == 0:
            parts.append(f"{DIM}{DOT * length}{RESET}" if colour else DOT * length)
        else:
            symbol, rgb = palette[value - 1]
            if colour:
                parts.append(paint(symbol * length, cell_shade(rgb), cell_shade(rgb)))
            else:
                parts.append((BLOCK if len(palette) == 1 or symbol == BLACK.symbol else symbol) * length)
    return "".join(parts)
