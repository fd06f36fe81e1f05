"""The clues of skyscrapers on one line, as puzzle sites write them: ``/2//2/1/...``, a line a puzzle.

The 4N clues go top, bottom, left, right, with ``/`` between them; nothing (or 0) is no clue. ``N:`` may stand before
them, and ``,GRID`` behind them has the given heights row by row: a letter from a to z is a run of 1 to 26 open cells, a
number a height, with ``_`` between two numbers. So game IDs of Simon Tatham's Towers are read as they are, also with a
letter for the difficulty, ``Ndh:``, or behind ``#`` in the address of a page. Blank lines and lines that begin with
``#`` mean nothing. We write the shortest form, without ``N:``, and drop title, author, licence, source and goal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from nonosat.errors import FormatError
from nonosat.puzzles.formats.texts import game_id, lines_of, quote, write_each
from nonosat.puzzles.puzzle import given_board
from nonosat.puzzles.skyscrapers.formats.written import assemble, clue, given_cells, height, number, side
from nonosat.puzzles.skyscrapers.puzzle import EDGES, Skyscrapers

_MARKS = re.compile(r"(?:([0-9]{1,2})(?:d[a-z])?:)?([0-9 ]*(?:/[0-9 ]*){3,})(?:,[0-9a-z_]*)?")
_DIFFICULTY = re.compile(r"\s*d[a-z]\s*$")
_TOKEN = re.compile(r"[0-9]+|.")


def marks(text: str) -> bool:
    """Its first line that is no comment is clues with ``/`` between them: at least four, or as many as announced."""
    lines = (line.strip() for line in text.split("\n", 100)[:100])
    first = next((line for line in lines if line and not line.startswith("#")), "")
    match = _MARKS.fullmatch(game_id(first))
    return match is not None and (match[1] is None or 4 * int(match[1]) == match[2].count("/") + 1)


def read(text: str) -> list[Skyscrapers]:
    r"""The puzzles of a text of clue lines.

    >>> [puzzle] = read("2:2///////,a1_2a\n")
    >>> puzzle.top, puzzle.given
    ((2, 0), (Given(row=0, column=1, value=1), Given(row=1, column=0, value=2)))
    >>> read("1/2/3/4/5\n")
    Traceback (most recent call last):
    nonosat.errors.FormatError: line 1: 5 clues are not four edges of one length
    """
    lines = [(at, game_id(line).strip()) for at, line in enumerate(lines_of(text), start=1)]
    puzzles = [_puzzle(line, at) for at, line in lines if line and not line.startswith("#")]
    if not puzzles:
        raise FormatError("no puzzle in this file")
    return puzzles


def write(puzzles: Sequence[Skyscrapers]) -> str:
    """Puzzles as clue lines."""
    return "".join(write_each(puzzles, lambda puzzle, _: _text(puzzle)))


def _puzzle(text: str, line: int) -> Skyscrapers:
    announced, colon, rest = text.rpartition(":")
    clues, comma, grid = rest.partition(",")
    if "/" not in clues:
        raise FormatError(f'{quote(text)} are not clues with "/" between them', line)
    size, left_over = divmod(clues.count("/") + 1, 4)
    if left_over:
        raise FormatError(f"{clues.count('/') + 1} clues are not four edges of one length", line)
    if colon and (announced_size := number(_DIFFICULTY.sub("", announced).strip(), line)) != size:
        raise FormatError(f'"{announced_size}:" is said, but there are {4 * size} clues, for {size}x{size}', line)
    side(size, line)
    tokens = [token.strip() for token in clues.split("/")]
    values = [clue(token, size, line) if token not in ("", "0") else 0 for token in tokens]
    edges = {edge: values[at * size : (at + 1) * size] for at, edge in enumerate(EDGES)}
    given = given_cells(_grid(grid.strip(), size, line)) if comma else ()
    return assemble(edges, given, line=line)


def _grid(text: str, size: int, line: int) -> list[list[int]]:
    cells: list[int] = []
    after_number = False
    for token in (match[0] for match in _TOKEN.finditer(text)):
        if token == "_" and after_number:
            after_number = False
            continue
        if "a" <= token <= "z":
            cells += [0] * (ord(token) - ord("a") + 1)
        elif token.isdigit():
            cells.append(height(token, size, line))
        else:
            raise FormatError(f"the grid has a-z, heights and _ between two of them, not {quote(token)} there", line)
        after_number = token.isdigit()
        if len(cells) > size * size:
            break
    if len(cells) != size * size:
        have = "more than" if len(cells) > size * size else f"{len(cells)} of"
        raise FormatError(f"the grid has {have} {size * size} cells", line)
    return [cells[at : at + size] for at in range(0, len(cells), size)]


def _text(puzzle: Skyscrapers) -> str:
    clues = "/".join(str(value) if value else "" for value in puzzle.clues)
    return f"{clues},{_grid_text(puzzle)}\n" if puzzle.given else f"{clues}\n"


def _grid_text(puzzle: Skyscrapers) -> str:
    parts = []
    cells = [value for row in given_board(puzzle) for value in row]
    for is_number, group in groupby(cells, bool):
        values = list(group)
        if is_number:
            parts.append("_".join(map(str, values)))
        else:
            full, rest = divmod(len(values), 26)
            parts.append("z" * full + (chr(ord("a") + rest - 1) if rest else ""))
    return "".join(parts)
