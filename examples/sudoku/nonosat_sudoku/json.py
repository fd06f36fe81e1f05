"""Sudoku in nonosat's JSON: ``box`` ([rows, columns]), ``cells`` (a string a row, ``.`` for open), ``goal``."""

from __future__ import annotations

from nonosat.errors import FormatError
from nonosat.puzzles.formats.goals import goal_rows, with_goal
from nonosat.puzzles.formats.native import JsonNumber, dumped, listed, shown
from nonosat.puzzles.puzzle import Given, Members, given_board
from nonosat_sudoku.puzzle import DIGITS, Sudoku


def read(data: dict[str, object], texts: dict[str, str]) -> Sudoku:
    """The puzzle that an object describes; ``texts``: its title and so on."""
    box = data.get("box", [JsonNumber("3"), JsonNumber("3")])
    if not isinstance(box, list) or len(box) != 2 or not all(isinstance(n, JsonNumber) and n.isdigit() for n in box):
        raise FormatError(f'"box" is [rows, columns], not {shown(box)}')
    height, width = (int(str(n)[:6]) for n in box)
    if height * width > len(DIGITS) or height * width < 1:
        raise FormatError(f'"box": {height}x{width} has not 1 to {len(DIGITS)} cells')
    rows = _rows(data, "cells", height * width)
    given = tuple(Given(r, c, value) for r, row in enumerate(rows) for c, value in enumerate(row) if value)
    puzzle = Sudoku((height, width), given, **texts)
    return with_goal(puzzle, _rows(data, "goal", puzzle.size)) if "goal" in data else puzzle


def _rows(data: dict[str, object], key: str, size: int) -> list[list[int]]:
    rows = data.get(key)
    if not isinstance(rows, list) or len(rows) != size:
        raise FormatError(f'"{key}" is a list of {size} strings, not {shown(rows)}')
    found = []
    for index, row in enumerate(rows, 1):
        known = DIGITS[:size] + ("" if key == "goal" else ".")
        if not isinstance(row, str) or isinstance(row, JsonNumber) or len(row) != size or set(row) - set(known):
            raise FormatError(f'"{key}", row {index}: {size} of {known} are wanted, not {shown(row)}')
        found.append([DIGITS.find(character) + 1 for character in row])
    return found


def write(puzzle: Sudoku) -> list[str]:
    """The members of the puzzle's object."""
    rows = ["".join(DIGITS[v - 1] if v else "." for v in row) for row in given_board(puzzle)]
    parts = [f'"box": {dumped(list(puzzle.box))}', listed("cells", list(map(dumped, rows)))]
    if goal := goal_rows(puzzle):
        parts.append(listed("goal", list(map(dumped, goal))))
    return parts


MEMBERS = Members(("box", "cells", "goal"), read, write)
