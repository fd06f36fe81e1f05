"""Our own format, JSON that holds everything: an object for one puzzle, a list of objects for several.

Keys: ``nonosat`` (the version, 1), ``kind`` ("nonogram"), ``title``, ``author``, ``licence``, ``source``, ``palette``
(symbol to shade), ``rows``, ``columns``, ``given`` and ``goal``; all but ``rows`` and ``columns`` may be left out.
A run is a number, of the colour ``#``, or a string such as ``"3b"``; an empty clue is ``[]``. The pictures are a string
a row: ``.`` blank, a colour's symbol, and in ``given`` also ``?`` for a cell that is open.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import pairwise
from typing import TypeVar

from nonosat.errors import FormatError
from nonosat.puzzles.formats.building import (
    Written,
    assemble,
    colour,
    goal_rows,
    plain_text,
    quote,
    unix,
    with_goal,
    write_each,
    written,
)
from nonosat.puzzles.nonogram import Clue, Given, Nonogram
from nonosat.puzzles.palette import BLACK, BLANKS, MAX_COLOURS, Colour

_TEXTS = ("title", "author", "licence", "source")
_KEYS = ("nonosat", "kind", *_TEXTS, "palette", "rows", "columns", "given", "goal")
_OPEN = "?"
Value = TypeVar("Value")


class _Number(str):
    """A JSON number as it is written: an ``int`` of a million digits, 1e999 and NaN stay text until looked at."""

    __slots__ = ()


def read(text: str) -> list[Nonogram]:
    """The puzzles of a JSON text.

    >>> read('{"rows": [[1]], "columns": [["1b"]], "palette": {"#": "#000000", "b": "#ff0000"}}')[0].columns
    ((Run(length=1, colour=2),),)
    >>> read('{"rows": [[1, 2.5]], "columns": [[1]]}')
    Traceback (most recent call last):
    nonosat.errors.FormatError: row 1: "2.5" is not a run length
    """
    try:
        data = json.loads(
            unix(text), parse_int=_Number, parse_float=_Number, parse_constant=_Number, object_pairs_hook=_unique
        )
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error.msg}", error.lineno) from None
    except RecursionError:
        raise FormatError("nested too deeply") from None
    if not isinstance(data, list):
        return [_puzzle(data)]
    if not data:
        raise FormatError("no puzzle in this file")
    return [
        _in(f"puzzle {number}", _puzzle, item) if len(data) > 1 else _puzzle(item)
        for number, item in enumerate(data, 1)
    ]


def write(puzzles: Sequence[Nonogram]) -> str:
    """Puzzles as JSON, a clue a line."""
    texts = write_each(puzzles, lambda puzzle, _: _text(puzzle))
    return texts[0] + "\n" if len(texts) == 1 else "[\n" + ",\n".join(texts) + "\n]\n"


def _puzzle(data: object) -> Nonogram:
    if not isinstance(data, dict):
        raise FormatError(f"a puzzle is an object, not {_shown(data)}")
    for key in data:
        if key not in _KEYS:
            close = get_close_matches(key[:20], _KEYS, 1)
            raise FormatError(f"unknown key {quote(key)}" + (f', did you mean "{close[0]}"?' if close else ""))
    for key, only in (("nonosat", _Number(1)), ("kind", "nonogram")):
        if (found := data.get(key, only)) != only or type(found) is not type(only):
            raise FormatError(f'"{key}" is {_shown(found)}, this reader knows {_shown(only)}')
    title, author, licence, source = (_plain(data.get(key, ""), key) for key in _TEXTS)
    palette = _palette(data["palette"]) if "palette" in data else (BLACK,)
    rows, columns = _clues(data, "row"), _clues(data, "column")
    puzzle = assemble(rows, columns, palette, title, author, licence, source)
    if "given" in data:
        puzzle = replace(puzzle, given=_given(puzzle, _cells(puzzle, data["given"], "given", _OPEN)))
    if "goal" in data:
        puzzle = with_goal(puzzle, _cells(puzzle, data["goal"], "goal"))
    return puzzle


def _palette(data: object) -> tuple[Colour, ...]:
    if not isinstance(data, dict) or not 1 <= len(data) <= MAX_COLOURS:
        raise FormatError(f'"palette" is an object of 1 to {MAX_COLOURS} colours, not {_shown(data)}')
    return tuple(colour(symbol, _plain(rgb, "palette")) for symbol, rgb in data.items())


def _clues(data: dict[str, object], axis: str) -> list[Written]:
    key = axis + "s"
    if key not in data:
        raise FormatError(f'no "{key}" in this puzzle')
    if not isinstance(clues := data[key], list):
        raise FormatError(f'"{key}" is a list of clues, not {_shown(clues)}')
    return [_in(f"{axis} {index}", _clue, clue) for index, clue in enumerate(clues, start=1)]


def _clue(data: object) -> Written:
    if not isinstance(data, list):
        raise FormatError(f"a clue is a list of runs, not {_shown(data)}")
    for run in data:
        if not isinstance(run, str):
            raise FormatError(f"{_shown(run)} is not a run length")
    return written(data, coloured=True)


def _cells(puzzle: Nonogram, data: object, key: str, also: str = "") -> list[list[int]]:
    if not isinstance(data, list) or any(type(row) is not str for row in data):
        raise FormatError(f'"{key}" is a list of strings, not {_shown(data)}')
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


def _given(puzzle: Nonogram, cells: list[list[int]]) -> tuple[Given, ...]:
    return tuple(Given(r, c, value) for r, row in enumerate(cells) for c, value in enumerate(row) if value >= 0)


def _plain(value: object, key: str) -> str:
    if not isinstance(value, str) or isinstance(value, _Number):
        raise FormatError(f'"{key}": {_shown(value)} is not a string')
    if any("\ud800" <= c <= "\udfff" for c in value):
        raise FormatError(f'"{key}": a lone surrogate in {quote(value)}')
    return value


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = sorted(key for key, _ in pairs)
        twice = next(key for key, after in pairwise(keys) if key == after)
        raise FormatError(f"{quote(twice)} is there twice")
    return result


def _in(place: str, reader: Callable[[object], Value], data: object) -> Value:
    """``reader(data)``, its error prefixed with ``place``."""
    try:
        return reader(data)
    except FormatError as error:
        raise FormatError(f"{place}: {error.reason}", error.line) from None


def _shown(value: object) -> str:
    if isinstance(value, _Number):
        return str.__str__(value) if len(value) <= 24 else quote(value)
    return quote(value) if isinstance(value, str) else quote(reprlib.repr(value))


def _text(puzzle: Nonogram) -> str:
    plain_text(puzzle, "json")
    parts = ['"nonosat": 1', '"kind": "nonogram"']
    for key in _TEXTS:
        if text := getattr(puzzle, key):
            parts.append(f'"{key}": {_json(text)}')
    if puzzle.palette != (BLACK,):
        parts.append(f'"palette": {_json({known.symbol: known.rgb for known in puzzle.palette})}')
    for key, clues in (("rows", puzzle.rows), ("columns", puzzle.columns)):
        parts.append(_list(key, [_json(_runs(clue, puzzle.palette)) for clue in clues]))
    for key, rows in (("given", _given_rows(puzzle)), ("goal", goal_rows(puzzle))):
        if rows:
            parts.append(_list(key, [_json(row) for row in rows]))
    return "{\n  " + ",\n  ".join(parts) + "\n}"


def _runs(clue: Clue, palette: tuple[Colour, ...]) -> list[int] | list[str]:
    if len(palette) == 1 and palette[0].symbol == "#":
        return [int(run.length) for run in clue]
    return [f"{run.length}{palette[run.colour - 1].symbol}" for run in clue]


def _given_rows(puzzle: Nonogram) -> list[str]:
    if not puzzle.given:
        return []
    cells = [[_OPEN] * puzzle.width for _ in range(puzzle.height)]
    for row, column, value in puzzle.given:
        cells[row][column] = "." if value == 0 else puzzle.palette[value - 1].symbol
    return ["".join(row) for row in cells]


def _list(key: str, items: Sequence[str]) -> str:
    return f'"{key}": [\n    ' + ",\n    ".join(items) + "\n  ]"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
