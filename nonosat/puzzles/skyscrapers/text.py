"""Skyscrapers as text for terminals and files, and back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nonosat.errors import FormatError, SizeError
from nonosat.files import printable
from nonosat.puzzles.drawing import counted, is_json, json_rows, numbered, paint, size_text
from nonosat.puzzles.puzzle import Board, Lines
from nonosat.puzzles.skyscrapers.puzzle import MAX_SIZE, Heights, Skyscrapers
from nonosat.puzzles.skyscrapers.svg import INK, shade, shown_heights

OPEN = "·"
"""How a board shows a cell that is not decided."""

BOLD = "\x1b[1m"


def picture_text(heights: Heights, colour: bool = False) -> str:
    """The heights in aligned columns; ``colour``: on their shades, with the ANSI codes of a true-colour terminal.

    >>> print(picture_text(Heights([[1, 2], [2, 1]])))
    1 2
    2 1
    """
    size = len(heights.cells)
    lines = [painted(row, size, frozenset(), colour) for row in heights.cells.tolist()]
    return "\n".join(lines if colour else (line[1:-1] for line in lines))


def puzzle_text(puzzle: Skyscrapers, heights: Board | None = None, colour: bool = False) -> str:
    """The board with its clues around it, and ``heights`` on it; without them, the given heights.

    >>> print(puzzle_text(Skyscrapers((2, 0), (0, 0), (0, 2), (0, 1), given=((0, 1, 2),))))
        2
      ┌─────┐
      │ · 2 │
    2 │ · · │ 1
      └─────┘
    """
    size = puzzle.size
    cells = shown_heights(puzzle, heights)
    given = [frozenset(c for r, c, _ in puzzle.given if r == row) for row in range(size)]
    left, right = ([clue_text(clue, size) for clue in clues] for clues in (puzzle.left, puzzle.right))
    margin = " " * (len(left[0]) + 1)
    top, bottom = (in_columns([clue_text(c, size) for c in clues], colour) for clues in (puzzle.top, puzzle.bottom))
    lines = [
        f"{margin} {top}",
        f"{margin}┌{'─' * len(top)}┐",
        *(f"{left[row]} │{painted(cells[row], size, given[row], colour)}│ {right[row]}" for row in range(size)),
        f"{margin}└{'─' * len(top)}┘",
        f"{margin} {bottom}",
    ]
    return "\n".join(line.rstrip(" ") for line in lines).strip("\n")


def clue_text(clue: int, size: int) -> str:
    """A clue, or blanks for none, as wide as the largest height."""
    return (str(clue) if clue else "").rjust(len(str(size)))


def in_columns(texts: Sequence[str], colour: bool) -> str:
    """Texts of one width side by side with a blank at each end; in ``colour`` each has blanks of its own."""
    return "".join(f" {text} " for text in texts) if colour else f" {' '.join(texts)} "


def painted(row: Sequence[int], size: int, given: frozenset[int], colour: bool) -> str:
    """A row of heights, 0 for open cells; in ``colour`` each on its shade, the given ones bold."""
    texts = [(str(height) if height else OPEN).rjust(len(str(size))) for height in row]
    if not colour:
        return in_columns(texts, colour)
    cells = []
    for column, (height, text) in enumerate(zip(row, texts, strict=True)):
        bold = BOLD if column in given else ""
        cells.append(bold + paint(f" {text} ", INK, shade(height, size)) if height else f" {text} ")
    return "".join(cells)


def read_picture(text: str, puzzle: Skyscrapers) -> Heights:
    r"""The heights that ``text`` shows: what this module prints, rows of numbers with blanks between, an answer's JSON.

    Of a board in a frame, what is within the frame is read. Whatever is wrong raises ``FormatError`` with the line;
    ``SizeError``, which is one too, if the text is a board with other rows and columns than the puzzle's.

    >>> print(read_picture("1 2\n2 1\n", Skyscrapers.from_clues([0] * 8)))
    1 2
    2 1
    """
    lines: Lines = json_rows(text) if is_json(text) else within_frame(numbered(text))
    lines = [(number, line) for number, line in lines if line.strip()]
    size = puzzle.size
    if len(lines) != size:
        at = lines[min(size, len(lines) - 1)][0] if lines else None
        raise misfit(lines, puzzle, f"the board has {counted(len(lines), 'row')}, the puzzle has {size}", at)
    rows = []
    for index, (number, line) in enumerate(lines, start=1):
        words = line.split()
        if len(words) != size:
            reason = f"row {index} has {counted(len(words), 'cell')}, the puzzle has {size}"
            raise misfit(lines, puzzle, reason, number)
        rows.append([height(word, size, index, column, number) for column, word in enumerate(words, start=1)])
    return puzzle.picture(rows)


def misfit(lines: Lines, puzzle: Skyscrapers, reason: str, line: int | None) -> FormatError:
    """The error that the rows or columns are not the puzzle's: a ``SizeError`` if they are a board all the same."""
    rows = [text.split() for _, text in lines]
    widths = {len(row) for row in rows}
    if len(widths) != 1 or not all(re.fullmatch("[0-9]{1,6}", word) for row in rows for word in row):
        return FormatError(reason, line)
    return SizeError(size_text("board", (len(rows), widths.pop()), puzzle.shape), line)


def within_frame(lines: Lines) -> Lines:
    """What is between ``│`` and ``│``; ``lines`` as they are if there is no frame."""
    if not any("│" in line or "┌" in line for _, line in lines):
        return lines
    rows = []
    inside = False
    for number, line in lines:
        if "┌" in line or "└" in line:
            inside = "┌" in line
        elif inside:
            parts = line.split("│")
            if len(parts) != 3:
                raise FormatError("a row of the board stands between │ and │", line=number)
            rows.append((number, parts[1]))
    return rows


def height(word: str, size: int, row: int, column: int, line: int | None) -> int:
    """The height that ``word`` says."""
    where = f"row {row}, column {column}"
    if word in (OPEN, ".", "?"):
        raise FormatError(f"{where}: cell not decided", line=line)
    if word.isascii() and word.isdigit() and len(word) <= 6:
        if 1 <= int(word) <= size:
            return int(word)
        raise FormatError(f"{where}: height {int(word)}, those of the puzzle are from 1 to {size}", line=line)
    raise FormatError(f"{where}: {printable(repr(word), 24)} is not a height", line=line)


# Skyscrapers given by their heights: rows of numbers, a Latin square, as ``nonosat solve`` prints them.


def drawn(lines: Lines) -> Skyscrapers | None:
    """The puzzle with every clue of the board in ``lines``; None: they are no Latin square of 1 to N."""
    rows = [line.split() for _, line in lines]
    size = len(rows)
    if size > MAX_SIZE or any(len(row) != size for row in rows):
        return None
    if not all(re.fullmatch("[1-9][0-9]?", word) for row in rows for word in row):
        return None
    heights = [[int(word) for word in row] for row in rows]
    wanted = set(range(1, size + 1))
    if any(set(line) != wanted for line in (*heights, *zip(*heights, strict=True))):
        return None
    return Skyscrapers.from_heights(heights)
