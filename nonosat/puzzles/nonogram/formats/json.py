"""Nonograms in our JSON: ``palette`` (symbol to shade), ``rows``, ``columns``, ``given``, ``goal`` and ``solutions``.

All but ``rows`` and ``columns`` may be left out. A run is a number, of the colour ``#``, or a string such as ``"3b"``;
an empty clue is ``[]``. The pictures are a string a row: ``.`` blank, a colour's symbol, and in ``given`` also ``?``
for a cell that is open. ``solutions`` is a list of pictures, those that are known besides the goal.
"""

from __future__ import annotations

from dataclasses import replace

from nonosat.errors import FormatError
from nonosat.puzzles.formats.goals import goal_rows, rows_of, with_goal, with_solutions
from nonosat.puzzles.formats.native import dumped, inside, listed, plain, shown
from nonosat.puzzles.formats.texts import quote
from nonosat.puzzles.nonogram.formats.written_clues import Written, assemble, colour, written
from nonosat.puzzles.nonogram.puzzle import BLACK, BLANKS, MAX_COLOURS, Clue, Colour, Nonogram
from nonosat.puzzles.puzzle import Given, Members, given_board

KEYS = ("palette", "rows", "columns", "given", "goal", "solutions")
_OPEN = "?"


def read(data: dict[str, object], texts: dict[str, str]) -> Nonogram:
    """The nonogram that an object describes; ``texts``: its title and so on."""
    palette = _palette(data["palette"]) if "palette" in data else (BLACK,)
    rows, columns = _clues(data, "row"), _clues(data, "column")
    puzzle = assemble(rows, columns, palette, **texts)
    if "given" in data:
        puzzle = replace(puzzle, given=_given(_cells(puzzle, data["given"], "given", _OPEN)))
    if "goal" in data:
        puzzle = with_goal(puzzle, _cells(puzzle, data["goal"], "goal"))
    if "solutions" in data:
        puzzle = with_solutions(puzzle, _pictures(puzzle, data["solutions"]))
    return puzzle


def write(puzzle: Nonogram) -> list[str]:
    """The members of a nonogram's object."""
    parts = []
    if puzzle.palette != (BLACK,):
        parts.append(f'"palette": {dumped({known.symbol: known.rgb for known in puzzle.palette})}')
    for key, clues in (("rows", puzzle.rows), ("columns", puzzle.columns)):
        parts.append(listed(key, [dumped(_runs(clue, puzzle.palette)) for clue in clues]))
    for key, rows in (("given", _given_rows(puzzle)), ("goal", goal_rows(puzzle))):
        if rows:
            parts.append(listed(key, [dumped(row) for row in rows]))
    if puzzle.solutions:
        parts.append(listed("solutions", [dumped(rows_of(puzzle, one, "a solution")) for one in puzzle.solutions]))
    return parts


def _palette(data: object) -> tuple[Colour, ...]:
    if not isinstance(data, dict) or not 1 <= len(data) <= MAX_COLOURS:
        raise FormatError(f'"palette" is an object of 1 to {MAX_COLOURS} colours, not {shown(data)}')
    return tuple(colour(symbol, plain(rgb, "palette")) for symbol, rgb in data.items())


def _clues(data: dict[str, object], axis: str) -> list[Written]:
    key = axis + "s"
    if key not in data:
        raise FormatError(f'no "{key}" in this puzzle')
    if not isinstance(clues := data[key], list):
        raise FormatError(f'"{key}" is a list of clues, not {shown(clues)}')
    return [inside(f"{axis} {index}", _clue, clue) for index, clue in enumerate(clues, start=1)]


def _clue(data: object) -> Written:
    if not isinstance(data, list):
        raise FormatError(f"a clue is a list of runs, not {shown(data)}")
    for run in data:
        if not isinstance(run, str):
            raise FormatError(f"{shown(run)} is not a run length")
    return written(data, coloured=True)


def _cells(puzzle: Nonogram, data: object, key: str, also: str = "") -> list[list[int]]:
    if not isinstance(data, list) or any(type(row) is not str for row in data):
        raise FormatError(f'"{key}" is a list of strings, not {shown(data)}')
    if len(data) != puzzle.height:
        raise FormatError(f'"{key}" has {len(data)} rows, the puzzle {puzzle.height}')
    values = dict.fromkeys(BLANKS, 0) | dict.fromkeys(also, -1)
    values |= {known.symbol: number for number, known in enumerate(puzzle.palette, start=1)}
    for index, row in enumerate(data, start=1):
        if len(row) != puzzle.width:
            raise FormatError(f'"{key}", row {index}: {len(row)} cells, the puzzle has {puzzle.width} columns')
        if unknown := sorted(set(row) - set(values)):
            raise FormatError(f'"{key}", row {index}: {quote(unknown[0])} is no colour of the palette')
    return [[values[symbol] for symbol in row] for row in data]


def _pictures(puzzle: Nonogram, data: object) -> list[list[list[int]]]:
    if not isinstance(data, list):
        raise FormatError(f'"solutions" is a list of pictures, not {shown(data)}')
    return [_cells(puzzle, picture, "solutions") for picture in data]


def _given(cells: list[list[int]]) -> tuple[Given, ...]:
    return tuple(Given(r, c, value) for r, row in enumerate(cells) for c, value in enumerate(row) if value >= 0)


def _runs(clue: Clue, palette: tuple[Colour, ...]) -> list[int] | list[str]:
    if len(palette) == 1 and palette[0].symbol == "#":
        return [int(run.length) for run in clue]
    return [f"{run.length}{palette[run.colour - 1].symbol}" for run in clue]


def _given_rows(puzzle: Nonogram) -> list[str]:
    if not puzzle.given:
        return []
    symbols = [".", *(known.symbol for known in puzzle.palette), _OPEN]  # the last one for -1
    return ["".join(symbols[value] for value in row) for row in given_board(puzzle, still_open=-1)]


MEMBERS = Members(KEYS, read, write)
