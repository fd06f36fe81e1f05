"""Nonograms and pictures as text for terminals and files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby, pairwise

from nonosat.errors import FormatError, SizeError
from nonosat.puzzles.drawing import (
    RESET,
    cell_shade,
    counted,
    ink_on,
    is_json,
    json_rows,
    numbered,
    paint,
    size_text,
)
from nonosat.puzzles.nonogram.puzzle import BLACK, BLANKS, SYMBOLS, Clue, Colour, Nonogram, Picture
from nonosat.puzzles.nonogram.svg import check_size, numbers
from nonosat.puzzles.puzzle import Lines, given_board

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
    values, width = picture.values, picture.shape[1]
    lines = [values[start : start + width] for start in range(0, len(values), width)]
    return "\n".join(painted(line, picture.palette, 2, colour) for line in lines)


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


# Pictures of nonograms read from text: what ``text.py`` prints, ``#`` and ``.``, or the JSON of an answer.


FILLED = "#Xx1█■"
"""What stands for a filled cell when a picture in one colour is read."""


def read_picture(text: str, puzzle: Nonogram) -> Picture:
    r"""The picture that ``text`` shows: what this module prints, ``#`` and ``.``, or the JSON of an answer.

    Cells are one character wide or two; colours are their symbols, and with one colour any of ``#Xx1█■`` is filled.
    Blank is any of ``.·-_0`` or a space; only a text that uses none but spaces may have lines that stop early, as
    editors cut them. On a board with clues a space is a cell that is not decided, and so is ``?`` everywhere.
    Whatever else is wrong raises ``FormatError`` with the line; ``SizeError``, which is one too, if the text is a
    picture with other rows and columns than the puzzle's.

    >>> print(read_picture("██··\n████", Nonogram.from_lengths([[1], [2]], [[2], [1]])))
    #.
    ##
    """
    if is_json(text):
        return read_rows(json_rows(text), puzzle)
    lines = numbered(text)
    if any("┼" in line for _, line in lines):
        rows, cell = board_rows(lines), cell_width(puzzle)
        if (columns := ruled_columns(lines, cell)) not in (None, puzzle.width):
            reason = f"the board has {counted(columns, 'column')}, the puzzle has {puzzle.width}"
            raise misfit(rows, puzzle, cell, reason, rows[0][0] if rows else None)
        return read_rows(rows, puzzle, cell)
    return read_rows(without_margin(lines, puzzle.height), puzzle)


def board_rows(lines: Lines) -> Lines:
    """The cells of a board with clues: what is right of ``│`` and below ``┼``, without the lines between fifths."""
    rule = next(at for at, (_, line) in enumerate(lines) if "┼" in line)
    rows = []
    for number, line in lines[rule + 1 :]:
        if not line.strip() or "┄" in line:
            continue
        _, bar, cells = line.partition("│")
        if not bar:
            raise FormatError("no │ between clue and cells", line=number)
        rows.append((number, cells.replace(FIFTH, "")))
    return rows


def ruled_columns(lines: Sequence[tuple[int, str]], cell: int) -> int | None:
    """The columns that the line above the cells (``────┼──────``) is drawn for, if it is a whole number of them.

    >>> ruled_columns([(1, "──┼" + "─" * 13)], 2)
    6
    """
    _, _, rule = next(line for _, line in lines if "┼" in line).partition("┼")
    groups, rest = divmod(len(rule.rstrip()) + 1, 5 * cell + 1)  # each group of five with the mark behind it
    columns, odd = divmod(max(0, rest - 1), cell)
    return None if odd or rest == 1 else 5 * groups + columns


def without_margin(lines: Sequence[tuple[int, str]], height: int) -> Lines:
    """``lines`` without the empty ones at the end and the beginning that are more than the puzzle has rows."""
    kept = list(lines)
    for margin in ("", " \t"):  # truly empty lines first: a line of spaces may be a row of blanks
        while len(kept) > height and not kept[-1][1].strip(margin or "\0"):
            kept.pop()
        while len(kept) > height and not kept[0][1].strip(margin or "\0"):
            kept.pop(0)
    return kept


def doubled(texts: Sequence[str], width: int) -> bool:
    """Whether every cell is written as two characters.

    >>> doubled(["##..", "...."], 2), doubled(["#..", "..."], 3)
    (True, False)
    """
    longest = {max(map(len, texts)), max(len(line.rstrip(" ")) for line in texts)}
    if 2 * width not in longest:
        return False
    padded = [line.ljust(2 * width) for line in texts]
    return all(line[0 : 2 * width : 2] == line[1 : 2 * width : 2] for line in padded)


def known_symbols(palette: tuple[Colour, ...], spaces: bool) -> dict[str, int]:
    """What every character stands for; ``spaces``: whether a space is a blank."""
    values = {mark: 0 for mark in BLANKS if spaces or mark != " "}
    for value, colour in enumerate(palette, start=1):
        values[colour.symbol] = value
        if colour.symbol == BLACK.symbol:
            values |= dict.fromkeys("█■", value)
    return values if len(palette) > 1 else values | dict.fromkeys(FILLED, 1)


def read_rows(lines: Lines, puzzle: Nonogram, cell: int | None = None) -> Picture:
    """The picture in ``lines``; ``cell`` is a cell's width on a board with clues, None for a picture without."""
    if len(lines) != puzzle.height:
        count = max((at for at, (_, line) in enumerate(lines, start=1) if line), default=0)  # the end is no empty row
        number = lines[min(puzzle.height, count - 1)][0] if count else None
        reason = f"the picture has {counted(count, 'row')}, the puzzle has {puzzle.height}"
        raise misfit(lines, puzzle, cell, reason, number)
    texts = [line for _, line in lines]
    size = cell or (2 if doubled(texts, puzzle.width) else 1)
    cut = may_be_cut(texts, cell)
    values = {symbol * size: value for symbol, value in known_symbols(puzzle.palette, cell is None).items()}
    rows = []
    for index, (number, line) in enumerate(lines, start=1):
        need = puzzle.width * size
        text = line[:need] + line[need:].rstrip(" ")
        if cut:
            text = text.ljust(need)
        if len(text) != need:
            has = counted(-(-len(text) // size), "cell")
            reason = f"row {index} has {has}, the puzzle has {counted(puzzle.width, 'column')}"
            raise misfit(lines, puzzle, cell, reason, number)
        rows.append(read_row(text, size, values, index, number))
    return puzzle.picture(rows)


def may_be_cut(texts: Sequence[str], cell: int | None) -> bool:
    """Whether a line may lack cells at its end.

    Editors cut spaces, and nothing else: where blanks have a mark, a short line is an error.
    """
    return cell is not None or not any(mark in line for line in texts for mark in BLANKS.replace(" ", ""))


def misfit(lines: Lines, puzzle: Nonogram, cell: int | None, reason: str, line: int | None) -> FormatError:
    """The error that the rows or columns are not the puzzle's: a ``SizeError`` if they are a picture all the same."""
    texts = [text for _, text in lines]
    while texts and not texts[-1]:
        texts.pop()
    while texts and not texts[0]:
        texts.pop(0)
    width = max(map(len, texts), default=0)
    if not "".join(texts).strip():
        return FormatError(reason, line)
    texts = [text.ljust(width) for text in texts] if may_be_cut(texts, cell) else [text.rstrip(" ") for text in texts]
    width = len(texts[0])
    even = width % 2 == 0 and all(text[::2] == text[1::2] for text in texts)
    # Of another width, "##.." may be four cells or two; what this module prints is two.
    size = cell or (2 if even and (doubled(texts, puzzle.width) or set("".join(texts)) & {BLOCK, DOT}) else 1)
    values = known_symbols(puzzle.palette, cell is None)
    rows = [{text[at : at + size] for at in range(0, len(text), size)} for text in texts]
    shape = len(texts), width // size
    if (
        any(len(text) != width for text in texts)
        or not {part for row in rows for part in row} <= {symbol * size for symbol in values}
        or shape == puzzle.shape
    ):
        return FormatError(reason, line)
    return SizeError(size_text("picture", shape, puzzle.shape), line)


def read_row(line: str, size: int, values: dict[str, int], index: int, number: int | None) -> list[int]:
    """The values of one row, ``size`` characters a cell; an error says which cell can't be read."""
    cells = [line[i : i + size] for i in range(0, len(line), size)]
    for column, text in enumerate(cells, start=1):
        if text in values:
            continue
        if set(text) & set(" ?"):
            raise FormatError(f"row {index}, column {column}: cell not decided", line=number)
        unknown = next((c for c in text if c * size not in values), None)
        reason = f"half a cell each in {text!r}" if unknown is None else f"unknown symbol {unknown!r}"
        symbols = " ".join(dict.fromkeys(key[0] for key in values if key.strip()))
        raise FormatError(f"row {index}, column {column}: {reason} (known: {symbols})", line=number)
    return [values[text] for text in cells]


# Nonograms given by their picture: an image, or lines of text such as ``#.#``.


_BLANKS = BLANKS.replace("0", "").replace(" ", "")
"""What is blank in a drawing by default: spaces end lines, and digits are clues."""
_SYMBOLS = str.maketrans(dict.fromkeys(BLOCK + "■", "#"))
_CELLS = re.compile(rf"[{re.escape(_BLANKS + SYMBOLS + BLOCK)}■]+")
_DRAWN = re.compile(rf"[#.{BLOCK}■{DOT}]")


def drawn(lines: Lines) -> Nonogram | None:
    """The puzzle whose picture ``lines`` draw, a character a cell, or two as ``picture_text`` does; None: they do not.

    The first line says whether they do: it is made of colours' symbols and blanks, and there is ``#``, ``█``, ``.`` or
    ``·`` among them all, or all stand in pairs. Pairs are a cell each if there is ``█`` or ``·``, or neither ``#`` nor
    ``.``. Of a board with clues, as ``nonosat draw`` writes it, the cells are read. FormatError: a further line is not
    like the first, or the board has cells that are not drawn.
    """
    if any("┼" in line for _, line in lines):
        lines = board_rows(lines)
        if undecided := [number for number, line in lines if not line or " " in line or "?" in line]:
            raise FormatError("a cell that is not drawn: nonosat draw --solve draws them all", undecided[0])
    texts = [line for _, line in lines]
    if not _CELLS.fullmatch(texts[0]) or not (_DRAWN.search("".join(texts)) or _in_pairs(texts)):
        return None
    for row, (number, line) in enumerate(lines, 1):
        if len(line) != len(texts[0]):
            has = f"row {row} of the drawing has {counted(len(line), 'character')}"
            raise FormatError(f"{has}, row 1 has {len(texts[0])}", number)
        if odd := [mark for mark in line if not _CELLS.fullmatch(mark)]:
            raise FormatError(f"row {row} of the drawing: {odd[0]!r} is no colour (# or a letter) and no blank", number)
    if _in_pairs(texts):
        texts = [line[::2] for line in texts]
    return Nonogram.from_picture(Picture.from_text([line.translate(_SYMBOLS) for line in texts]))


def _in_pairs(texts: list[str]) -> bool:
    marks = set("".join(texts))
    solved = bool(marks & {BLOCK, DOT}) or not marks & set("#.")
    return solved and all(line[::2] == line[1::2] for line in texts)


def of_image(data: bytes, title: str) -> Nonogram:
    """The puzzle of an image: in its colours if it is drawn in a few, as exported pictures are, else in black."""
    from nonosat.puzzles.nonogram.images import ImageOptions, drawn_in, read_image

    colours = drawn_in(data)
    return Nonogram.from_picture(read_image(data, ImageOptions(colours=colours) if colours > 1 else None), title=title)
