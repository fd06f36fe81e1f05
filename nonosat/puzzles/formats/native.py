"""Our own format, JSON that holds everything: an object for one puzzle, a list of objects for several.

Keys of all kinds: ``nonosat`` (the version, 1), ``kind`` ("nonogram" if it is left out), ``title``, ``author``,
``licence``, ``source``; all may be left out. The ``json.py`` of each kind has the other keys.
"""

from __future__ import annotations

import json
import re
import reprlib
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from nonosat.errors import FormatError, alike
from nonosat.puzzles.formats.texts import TEXTS, lone_surrogate, plain_text, quote, unix, write_each
from nonosat.puzzles.puzzle import KINDS, Members, Puzzle, kind_of

# JSON values as they are written, looked at one by one: what the readers and writers of all kinds of puzzles share.


Value = TypeVar("Value")


class JsonNumber(str):
    """A JSON number as it is written: an ``int`` of a million digits, 1e999 and NaN stay text until looked at."""

    __slots__ = ()


def parsed(text: str) -> object:
    """The value that ``text`` is, numbers as ``Number``; FormatError if it is no JSON, or a key is there twice."""
    try:
        return json.loads(
            unix(text),
            parse_int=JsonNumber,
            parse_float=JsonNumber,
            parse_constant=JsonNumber,
            object_pairs_hook=_unique,
        )
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error.msg}", error.lineno) from None
    except RecursionError:
        raise FormatError("nested too deeply") from None


def plain(value: object, key: str) -> str:
    """The string ``value`` of ``key``."""
    if not isinstance(value, str) or isinstance(value, JsonNumber):
        raise FormatError(f'"{key}": {shown(value)} is not a string')
    if lone_surrogate(value):
        raise FormatError(f'"{key}": a lone surrogate in {quote(value)}')
    return value


def inside(place: str, reader: Callable[[object], Value], data: object) -> Value:
    """``reader(data)``, its error prefixed with ``place``."""
    try:
        return reader(data)
    except FormatError as error:
        raise FormatError(f"{place}: {error.reason}", error.line) from None


def shown(value: object) -> str:
    """``value`` for a message."""
    if isinstance(value, JsonNumber):
        return str.__str__(value) if len(value) <= 24 else quote(value)
    return quote(value) if isinstance(value, str) else quote(reprlib.repr(value))


def dumped(value: object) -> str:
    """``value`` as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def listed(key: str, items: Sequence[str]) -> str:
    """The member ``key``, a list of ``items`` (JSON already) with a line each."""
    return f'"{key}": [\n    ' + ",\n    ".join(items) + "\n  ]"


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = sorted(key for key, _ in pairs)
        twice = next(key for key, after in pairwise(keys) if key == after)
        raise FormatError(f"{quote(twice)} is there twice")
    return result


_MARKS = re.compile(r"\s*(\[\s*)?\{")


def marks(text: str) -> bool:
    """An object, or a list of objects."""
    return _MARKS.match(text) is not None


def read(text: str) -> list[Puzzle]:
    """The puzzles of a JSON text.

    >>> read('{"rows": [[1]], "columns": [["1b"]], "palette": {"#": "#000000", "b": "#ff0000"}}')[0].columns
    ((Run(length=1, colour=2),),)
    >>> read('{"rows": [[1, 2.5]], "columns": [[1]]}')
    Traceback (most recent call last):
    nonosat.errors.FormatError: row 1: "2.5" is not a run length
    """
    data = parsed(text)
    if not isinstance(data, list):
        return [_puzzle(data)]
    if not data:
        raise FormatError("no puzzle in this file")
    return [
        inside(f"puzzle {number}", _puzzle, item) if len(data) > 1 else _puzzle(item)
        for number, item in enumerate(data, 1)
    ]


def write(puzzles: Sequence[Puzzle]) -> str:
    """Puzzles as JSON, a clue or an edge a line."""
    texts = write_each(puzzles, lambda puzzle, _: _text(puzzle))
    return texts[0] + "\n" if len(texts) == 1 else "[\n" + ",\n".join(texts) + "\n]\n"


def _puzzle(data: object) -> Puzzle:
    if not isinstance(data, dict):
        raise FormatError(f"a puzzle is an object, not {shown(data)}")
    name = data.get("kind", KINDS.first().name)
    if not isinstance(name, str) or isinstance(name, JsonNumber) or name not in KINDS or not KINDS[name].has("json"):
        held = [kind.name for kind in KINDS.values() if kind.has("json")]
        raise FormatError(f'"kind" is {shown(name)}, this reader knows {", ".join(map(quote, held))}')
    kind = _members(name)
    known = ("nonosat", "kind", *TEXTS, *kind.keys)
    for key in data:
        if key not in known:
            raise FormatError(f"unknown key {quote(key)}{_hint(key, name, known)}")
    if (version := data.get("nonosat", JsonNumber(1))) != "1" or not isinstance(version, JsonNumber):
        raise FormatError(f'"nonosat" is {shown(version)}, this reader knows 1')
    return kind.read(data, {key: plain(data.get(key, ""), key) for key in TEXTS})


def _members(name: str) -> Members:
    members = kind_of(name).json
    assert members is not None  # a kind without them has not this format
    return members


def _hint(key: str, name: str, known: Sequence[str]) -> str:
    for other in KINDS.known().values():
        if other.has("json") and key in _members(other.name).keys:
            return f' for the kind "{name}" (it is one for "{other.name}")'
    close = alike(key, tuple(known))
    return f', did you mean "{close}"?' if close else ""


def _text(puzzle: Any) -> str:
    plain_text(puzzle, "json")
    parts = ['"nonosat": 1', f'"kind": "{puzzle.kind}"']
    parts += [f'"{key}": {dumped(text)}' for key in TEXTS if (text := getattr(puzzle, key, ""))]
    return "{\n  " + ",\n  ".join(parts + _members(puzzle.kind).write(puzzle)) + "\n}"
