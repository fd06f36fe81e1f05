"""Boards as lines of text: what the drawings of all kinds of puzzles share."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from nonosat.errors import FormatError
from nonosat.puzzles.drawing.shades import channels

ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
RESET = "\x1b[0m"

Lines = Sequence[tuple[int | None, str]]
"""Rows of a picture, each with its line number in the text (None: it has none, as in JSON)."""


def numbered(text: str) -> list[tuple[int, str]]:
    """The lines of ``text`` with their numbers, without byte order mark and ANSI codes."""
    return [*enumerate(re.split("\r\n|\r|\n", ANSI.sub("", text.removeprefix("\ufeff"))), start=1)]


def is_json(text: str) -> bool:
    """Whether ``text`` seems to be the JSON of an answer."""
    return text.lstrip("\ufeff \t\r\n").startswith("{")


def json_rows(text: str) -> Lines:
    """The strings of the "picture" of an answer."""
    try:
        answer = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error.msg}", line=error.lineno) from None
    except (ValueError, RecursionError):  # a number of thousands of digits; brackets that nest too deep
        raise FormatError("not JSON that can be read") from None
    rows = answer.get("picture") if isinstance(answer, dict) else None
    if rows is None:
        verdict = answer.get("verdict") if isinstance(answer, dict) else None
        raise FormatError('the answer has no "picture"' + (f", its verdict is {verdict}" if verdict else ""))
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise FormatError('"picture" is not a list of strings')
    return [(None, row) for row in rows]


def told_size(what: str, shape: tuple[int, int], wanted: tuple[int, int]) -> str:
    """``the picture is 2x5 (rows x columns), the puzzle 5x5``."""
    (height, width), (rows, columns) = shape, wanted
    return f"the {what} is {height}x{width} (rows x columns), the puzzle {rows}x{columns}"


def counted(count: int, noun: str) -> str:
    """``1 row``, ``2 rows``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def paint(text: str, ink: str, ground: str) -> str:
    """``text`` in the shade ``ink`` on the shade ``ground``."""
    (r, g, b), (x, y, z) = channels(ink), channels(ground)
    return f"\x1b[38;2;{r};{g};{b};48;2;{x};{y};{z}m{text}{RESET}"
