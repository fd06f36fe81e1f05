"""What a request brings: JSON, read strictly; a field that is not as it should be is refused in one line."""

from __future__ import annotations

import json
from typing import Any

from nonosat.app.errors import RefusedError
from nonosat.puzzles.formats.texts import lone_surrogate

Body = dict[str, Any]


def parsed(text: bytes) -> Body:
    """The JSON object in a body."""
    try:
        data = json.loads(text.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise RefusedError("the body is not JSON") from None
    if not isinstance(data, dict):
        raise RefusedError("the body is not a JSON object")
    if b"\\u" in text and lone_surrogate(json.dumps(data, ensure_ascii=False)):
        raise RefusedError("the body has half a character (a lone surrogate)")
    return data


def _no_number(name: str) -> None:
    raise ValueError(name)


def text(body: Body, key: str, default: str | None = None, longest: int = 200) -> str:
    """A string of at most ``longest`` characters."""
    value = body.get(key, default)
    if not isinstance(value, str) or len(value) > longest:
        raise RefusedError(f'"{key}" is a text of at most {longest:,} characters')
    return value


def integer(body: Body, key: str, least: int, most: int, default: int | None = None) -> int:
    """A whole number between ``least`` and ``most``."""
    value = body.get(key, default)
    if type(value) is not int or not least <= value <= most:
        raise RefusedError(f'"{key}" is a whole number from {least} to {most}')
    return value


def number(body: Body, key: str, least: float, most: float, default: float | None = None) -> float:
    """A number between ``least`` and ``most``."""
    value = body.get(key, default)
    if type(value) not in (int, float) or not least <= value <= most:  # type: ignore[operator]
        raise RefusedError(f'"{key}" is a number from {least:g} to {most:g}')
    return float(value)  # type: ignore[arg-type]


def choice(body: Body, key: str, known: tuple[str, ...], default: str | None = None) -> str:
    """One of the words that are known."""
    value = body.get(key, default)
    if not isinstance(value, str) or value not in known:
        raise RefusedError(f'"{key}" is one of {", ".join(known)}')
    return value


def sender(body: Body) -> tuple[str, int]:
    """The page that writes (``client``, empty if it does not say) and the number of its write."""
    return text(body, "client", "", longest=40), integer(body, "number", 0, 2**53, 0)


def integers(value: object, what: str, count: int | None = None) -> list[int]:
    """A list of whole numbers of 32 bits, as cells are, ``count`` of them."""
    if not isinstance(value, list) or any(type(item) is not int or not -(2**31) <= item < 2**31 for item in value):
        raise RefusedError(f"{what} is a list of whole numbers")
    if count is not None and len(value) != count:
        raise RefusedError(f"{what} has {len(value):,} numbers, not {count:,}")
    return value
