r"""The array ``d`` in which pages of nonograms.org (and .ru) hold a picture.

A list of lists of four numbers, here d[k] = (a, b, c, m)::

    d[0]              nothing that matters
    d[1], d[2], d[3]  width, height, number n of colours: a % m + b % m - c % m
    d[4]              what is added to the shades
    d[5] ...          n colours: red is a - d[4].b, green b - d[4].a, blue c - d[4].d
    then              how many strips there are: (a % m)**2 + 2 * (b % m) + c % m
    then              what is added to the strips
    then              the strips, a row's cells of one colour: first column (from 1), length, colour, row (from 1)

It may stand in a page, as ``var d=[[...]];``, or alone. The clues are those of the picture, which is the goal. What has
no goal can't be written; titles, given cells and solutions are not held.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isqrt

import numpy as np

from nonosat.errors import FormatError, UnsupportedError
from nonosat.puzzles.formats.goals import goal_rows
from nonosat.puzzles.formats.texts import quote, unix
from nonosat.puzzles.nonogram.formats.written_clues import MOST_COLOURS, board_size, refuse_given, refuse_more_colours
from nonosat.puzzles.nonogram.puzzle import Colour, Nonogram, Picture, lettered

_BEGIN = re.compile(r"(?:\bvar\s{1,9})?\bd\s{0,9}=\s{0,9}(?=\[)|\A\s*(?=\[\s{0,9}\[)")
_ENTRY = re.compile(r"\s*\[\s*(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})\s*\]\s*")
_MODULUS = 10**8
MAX_CELLS = 2**18
"""A picture of 512 by 512: a short text could ask for one that fills the memory."""
Four = tuple[int, int, int, int]


def marks(text: str) -> bool:
    """``d=`` with a list of lists of four numbers, or such a list at the beginning."""
    begin = _BEGIN.search(text)
    return begin is not None and _ENTRY.match(text, begin.end() + 1) is not None


def read(text: str) -> list[Nonogram]:
    """The one puzzle of an array.

    >>> strip = "[[0,0,0,9],[2,0,0,9],[1,0,0,9],[1,0,0,9],[0,0,0,0],[0,0,0,0],[0,0,1,9],[0,0,0,0],[2,1,1,1]]"
    >>> read(f"<script>var d={strip};</script>")[0].columns
    ((), (Run(length=1, colour=1),))
    """
    entries, line = _entries(unix(text))
    if len(entries) < 5:
        raise FormatError(f"the array has {len(entries)} entries, at least 8 are due", line)
    width, height, count = (_sum(entries[k], line) for k in (1, 2, 3))
    board_size(height, width, line, MAX_CELLS)
    if not 1 <= count <= MOST_COLOURS:
        raise FormatError(f"{count} colours; 1 to {MOST_COLOURS} are read", line)
    if len(entries) < 7 + count:
        raise FormatError(f"the array has {len(entries)} entries, of {count} colours it has at least {7 + count}", line)
    shades = (_shade(number, entry, entries[4], line) for number, entry in enumerate(entries[5 : 5 + count]))
    colours = lettered(tuple(shades))
    a, b, c, modulus = entries[5 + count]
    strips = (_rest(a, modulus, line)) ** 2 + 2 * _rest(b, modulus, line) + _rest(c, modulus, line)
    offset, found = entries[6 + count], entries[7 + count :]
    if strips != len(found):
        raise FormatError(f"the array has {len(found)} strips, {strips} are announced", line)
    cells = _painted(found, offset, (height, width), count, line)
    return [Nonogram.from_picture(Picture(np.array(cells, dtype=np.uint8), colours))]


def write(puzzles: Sequence[Nonogram]) -> str:
    """The array of one puzzle with a goal, in the plainest numbers; anything else raises ``UnsupportedError``."""
    if len(puzzles) != 1:
        raise UnsupportedError(f"nonograms-org holds one puzzle, not {len(puzzles)}; non, webpbn and json hold many")
    (puzzle,) = puzzles
    refuse_given(puzzle, "nonograms-org")
    refuse_more_colours(puzzle, "nonograms-org")
    if puzzle.goal is None:
        raise UnsupportedError("nonograms-org holds a picture, and the puzzle has no goal; `nonosat solve` finds one")
    goal_rows(puzzle)  # which are right
    strips = list(_strips(puzzle.goal))
    root = isqrt(len(strips))
    rest = len(strips) - root * root
    entries = [(0, 0, 0, 1), *((size, 0, 0, _MODULUS) for size in (puzzle.width, puzzle.height, puzzle.colours))]
    entries += [(0, 0, 0, 0), *(_shades(colour) for colour in puzzle.palette)]
    entries += [(root, rest // 2, rest % 2, _MODULUS), (0, 0, 0, 0), *strips]
    return f"var d=[{','.join(f'[{a},{b},{c},{m}]' for a, b, c, m in entries)}];\n"


def _entries(text: str) -> tuple[list[Four], int]:
    begin = _BEGIN.search(text)
    if begin is None:
        raise FormatError('no array of the form "var d=[[...],...]"')
    line, at = text.count("\n", 0, begin.end()) + 1, begin.end() + 1
    entries: list[Four] = []
    while (match := _ENTRY.match(text, at)) is not None:
        a, b, c, d = map(int, match.groups())
        entries.append((a, b, c, d))
        at = match.end()
        if text[at : at + 1] == "]":
            return entries, line
        if text[at : at + 1] != ",":
            break
        at += 1
    where = text.count("\n", 0, at) + 1
    raise FormatError(f"an entry is a list of four numbers with commas between them, not {quote(text[at:])}", where)


def _rest(value: int, modulus: int, line: int) -> int:
    if value < 0 or modulus < 1:
        raise FormatError(f"{value} modulo {modulus}: neither is negative or 0", line)
    return value % modulus


def _sum(entry: Four, line: int) -> int:
    a, b, c = (_rest(value, entry[3], line) for value in entry[:3])
    return a + b - c


def _shade(number: int, entry: Four, offset: Four, line: int) -> str:
    shades = entry[0] - offset[1], entry[1] - offset[0], entry[2] - offset[3]
    if not all(0 <= shade <= 255 for shade in shades):
        raise FormatError(f"colour {number + 1} has the shades {shades}; they are from 0 to 255", line)
    return "#" + "".join(f"{shade:02x}" for shade in shades)


def _painted(strips: Sequence[Four], offset: Four, shape: tuple[int, int], count: int, line: int) -> list[list[int]]:
    height, width = shape
    cells = [[0] * width for _ in range(height)]
    for strip in strips:
        first, length, colour, row = (value - added for value, added in zip(strip, offset, strict=True))
        if not (1 <= row <= height and 1 <= first <= first + length - 1 <= width and 1 <= colour <= count):
            what = f"column {first}, {length} cells of colour {colour} in row {row}"
            raise FormatError(f"a strip outside the board of {height}x{width} in {count} colours: {what}", line)
        cells[row - 1][first - 1 : first - 1 + length] = [colour] * length
    return cells


def _strips(picture: Picture) -> list[Four]:
    strips: list[Four] = []
    for row, cells in enumerate(picture.cells.tolist(), 1):
        begin = 0
        for end in range(1, len(cells) + 1):
            if end == len(cells) or cells[end] != cells[begin]:
                if cells[begin]:
                    strips.append((begin + 1, end - begin, cells[begin], row))
                begin = end
    return strips


def _shades(colour: Colour) -> Four:
    red, green, blue = (int(colour.rgb[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue, red
