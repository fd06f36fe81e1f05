"""Skyscrapers in our JSON: ``top``, ``bottom``, ``left``, ``right``, lists of N clues, 0 where there is none.

``given`` and ``goal`` are lists of N rows, lists of N heights, 0 in ``given`` for a cell that is open; both may be left
out.
"""

from __future__ import annotations

from functools import partial

from nonosat.errors import FormatError
from nonosat.puzzles.formats.goals import goal_rows, with_goal
from nonosat.puzzles.formats.native import JsonNumber, dumped, inside, listed, shown
from nonosat.puzzles.puzzle import Members, given_board
from nonosat.puzzles.skyscrapers.formats.written import assemble, clue, given_cells, height, side
from nonosat.puzzles.skyscrapers.puzzle import EDGES, Skyscrapers

KEYS = (*EDGES, "given", "goal")


def read(data: dict[str, object], texts: dict[str, str]) -> Skyscrapers:
    """The puzzle that an object describes; ``texts``: its title and so on."""
    edges = {edge: _list(data, edge, "clues") for edge in EDGES}
    size = side(len(edges["top"]))
    clues = {edge: _numbers(items, edge, "clue", size) for edge, items in edges.items()}
    given = given_cells(_cells(data, "given", size)) if "given" in data else ()
    puzzle = assemble(clues, given, texts)
    if "goal" not in data:
        return puzzle
    return with_goal(puzzle, _cells(data, "goal", size))


def write(puzzle: Skyscrapers) -> list[str]:
    """The members of the puzzle's object."""
    parts = [f'"{edge}": {dumped(list(map(int, getattr(puzzle, edge))))}' for edge in EDGES]
    if puzzle.given:
        parts.append(listed("given", list(map(dumped, given_board(puzzle)))))
    if goal_rows(puzzle) and puzzle.goal is not None:
        parts.append(listed("goal", list(map(dumped, puzzle.goal.cells.tolist()))))
    return parts


def _list(data: dict[str, object], key: str, of: str) -> list[object]:
    if key not in data:
        raise FormatError(f'no "{key}" in this puzzle')
    if not isinstance(items := data[key], list):
        raise FormatError(f'"{key}" is a list of {of}, not {shown(items)}')
    return items


def _cells(data: dict[str, object], key: str, size: int) -> list[list[int]]:
    rows = _list(data, key, "rows")
    if len(rows) != size:
        raise FormatError(f'"{key}" has {len(rows)} rows, the puzzle {size}')
    cells = []
    for index, row in enumerate(rows, start=1):
        if not isinstance(row, list):
            raise FormatError(f'"{key}", row {index}: a row is a list of heights, not {shown(row)}')
        cells.append(_numbers(row, f"{key}", f"row {index}, column", size))
    return cells


def _numbers(items: list[object], key: str, of: str, size: int) -> list[int]:
    """``size`` clues, or heights of a row of ``key``; 0 only where there may be none."""
    if len(items) != size:
        where = f'"{key}"' if of == "clue" else f'"{key}", {of.removesuffix(", column")}'
        raise FormatError(f"{where}: {len(items)} numbers, the puzzle is {size}x{size}")
    value = partial(_number, size=size, is_clue=of == "clue", may_be_none=key != "goal")
    return [inside(f'"{key}", {of} {index}', value, item) for index, item in enumerate(items, start=1)]


def _number(item: object, size: int, is_clue: bool, may_be_none: bool) -> int:
    if not isinstance(item, JsonNumber):
        raise FormatError(f"{shown(item)} is not a number")
    if item == "0" and may_be_none:
        return 0
    return clue(item, size) if is_clue else height(item, size)


MEMBERS = Members(KEYS, read, write)
