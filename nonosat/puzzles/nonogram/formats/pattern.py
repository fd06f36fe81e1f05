"""Game IDs of Pattern, of Simon Tatham's Portable Puzzle Collection: ``WxH:clues`` or ``WxH:clues,cells``, one a line.

Clues stand columns first, then rows, with ``/`` between lines and ``.`` between runs; nothing is an empty line. ``N:``
is ``NxN:``. The address of a page that ends with ``#`` and an ID is that ID. ``cells`` are given: ``a`` to ``y`` jump
over 0 to 24 cells, and the next one is blank, ``A`` to ``Y`` filled; ``z`` jumps over 25, and says nothing of the next.
Title, author, licence, source, goal and solutions are dropped. IDs with ``#`` and a seed hold no puzzle: only that
program can make one of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nonosat.errors import FormatError
from nonosat.puzzles.formats.texts import game_id, lines_of, quote, write_each
from nonosat.puzzles.nonogram.formats.written_clues import Written, assemble, refuse_colours, size, written
from nonosat.puzzles.nonogram.puzzle import Nonogram
from nonosat.puzzles.puzzle import Given

_SIZE = re.compile(r"(\w+?)(?:x(\w+))?")
_MARKS = re.compile(r"\s*([0-9]{1,6})(?:x([0-9]{1,6}))?:([0-9./ ]*)(?:,[A-Za-z]*)?[ \t]*(?:[\r\n]|\Z)")
_JUMP = 25
"""Cells that a ``z`` jumps over."""


def marks(text: str) -> bool:
    """Its first line has sizes, a colon, and clues of as many lines."""
    match = _MARKS.match(game_id(text))
    if match is None:
        return False
    width, height = int(match[1]), int(match[2] or match[1])
    return match[3].count("/") + 1 == width + height


def read(text: str) -> list[Nonogram]:
    r"""The puzzles of a text of game IDs.

    >>> [puzzle] = read("3x2:1/1/1/1.1/1,bAd\n")
    >>> [[run.length for run in clue] for clue in puzzle.rows], [tuple(cell) for cell in puzzle.given]
    ([[1, 1], [1]], [(0, 1, 0), (0, 2, 1)])
    >>> read("3x2:1/1/1/1.1\n")
    Traceback (most recent call last):
    nonosat.errors.FormatError: line 1: 3 columns and 2 rows are announced, there are clues for 4 lines
    """
    lines = [(at, game_id(line).strip()) for at, line in enumerate(lines_of(text), start=1)]
    puzzles = [_puzzle(line, at) for at, line in lines if line]
    if not puzzles:
        raise FormatError("no puzzle in this file")
    return puzzles


def write(puzzles: Sequence[Nonogram]) -> str:
    """Puzzles as game IDs; colours raise ``UnsupportedError``."""
    return "".join(write_each(puzzles, lambda puzzle, _: _text(puzzle)))


def _puzzle(text: str, line: int) -> Nonogram:
    announced, colon, rest = text.partition(":")
    sides = _SIZE.fullmatch(announced.strip())
    if not colon or sides is None:
        raise FormatError(f'a game ID is "WIDTHxHEIGHT:clues", not {quote(text)}', line)
    width = size(sides[1], "column", line, 1)
    height = width if sides[2] is None else size(sides[2], "row", line, 1)
    clues, comma, cells = rest.partition(",")
    lines = clues.split("/", width + height)
    if len(lines) != width + height:
        have = f"more than {width + height}" if len(lines) > width + height else str(len(lines))
        raise FormatError(f"{width} columns and {height} rows are announced, there are clues for {have} lines", line)
    read = [_clue(clue.strip(), line) for clue in lines]
    puzzle = assemble(read[width:], read[:width])
    return replace(puzzle, given=_given(cells.strip(), height, width, line)) if comma else puzzle


def _clue(text: str, line: int) -> Written:
    if text in ("", "0"):
        return Written((), line)
    return written(text.split("."), line)


def _given(text: str, height: int, width: int, line: int) -> tuple[Given, ...]:
    at, given, cells = 0, list[Given](), height * width
    for place, letter in enumerate(text):
        if not ("a" <= letter.lower() <= "z" and letter.isascii()):
            raise FormatError(f"given cells are letters, not {quote(letter)}", line)
        jump = ord(letter.lower()) - ord("a")
        at += jump
        if jump < _JUMP and at < cells:
            given.append(Given(at // width, at % width, int(letter.isupper())))
            at += 1
        if at > cells or (at == cells and place + 1 < len(text)):
            raise FormatError(f"the given cells go over more than {cells} cells", line)
    if at < cells:
        raise FormatError(f"the given cells go over {at} of {cells} cells", line)
    return tuple(given)


def _text(puzzle: Nonogram) -> str:
    refuse_colours(puzzle, "pattern")
    lines = (".".join(str(run.length) for run in clue) for clue in (*puzzle.columns, *puzzle.rows))
    cells = f",{_given_text(puzzle)}" if puzzle.given else ""
    return f"{puzzle.width}x{puzzle.height}:{'/'.join(lines)}{cells}\n"


def _given_text(puzzle: Nonogram) -> str:
    parts, at = list[str](), 0
    for row, column, value in sorted(puzzle.given):
        full, rest = divmod(row * puzzle.width + column - at, _JUMP)
        parts.append("z" * full + chr(ord("A" if value else "a") + rest))
        at = row * puzzle.width + column + 1
    full, rest = divmod(puzzle.height * puzzle.width - at, _JUMP)
    return "".join(parts) + "z" * full + (chr(ord("a") + rest) if rest else "")
