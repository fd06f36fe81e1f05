"""JSON values as they are written, looked at one by one: what the readers and writers of all kinds of puzzles share."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

from nonosat.errors import FormatError
from nonosat.puzzles.formats.texts import lone_surrogate, quote, unix

Value = TypeVar("Value")


class Number(str):
    """A JSON number as it is written: an ``int`` of a million digits, 1e999 and NaN stay text until looked at."""

    __slots__ = ()


def parsed(text: str) -> object:
    """The value that ``text`` is, numbers as ``Number``; FormatError if it is no JSON, or a key is there twice."""
    try:
        return json.loads(
            unix(text), parse_int=Number, parse_float=Number, parse_constant=Number, object_pairs_hook=_unique
        )
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error.msg}", error.lineno) from None
    except RecursionError:
        raise FormatError("nested too deeply") from None


def plain(value: object, key: str) -> str:
    """The string ``value`` of ``key``."""
    if not isinstance(value, str) or isinstance(value, Number):
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
    if isinstance(value, Number):
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
