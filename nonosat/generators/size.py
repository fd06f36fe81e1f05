"""The parameter of generators whose boards have any number of rows and columns."""

from __future__ import annotations

import re
from typing import Any

from nonosat.files import printable
from nonosat.generators.registry import Parameter

_SIZE = re.compile(r"([0-9]{1,6})(?:[xX]([0-9]{1,6}))?")


def size(value: Any) -> tuple[int, int]:
    """``20``, ``"20"`` or ``"20x30"`` as (rows, columns). ValueError: it is no size of a board.

    >>> size(20), size("20x30")
    ((20, 20), (20, 30))
    """
    from nonosat.puzzles.nonogram import MAX_CELLS

    if isinstance(value, int) and not isinstance(value, bool):
        height = width = value
    elif isinstance(value, str) and (match := _SIZE.fullmatch(value.strip())):
        height, width = int(match[1]), int(match[2] or match[1])
    else:
        raise ValueError(f"expected rows x columns such as 20 or '20x30', not {printable(repr(value), 60)}")
    if height < 1 or width < 1 or height * width > MAX_CELLS:
        raise ValueError(f"{printable(str(value), 60)}: a board has 1 to {MAX_CELLS:,} cells")
    return height, width


def told(value: tuple[int, int]) -> str:
    """``20x30``."""
    return "{}x{}".format(*value)


SIZE = Parameter(
    word="size",
    key="sizes",
    metavar="HxW",
    meaning="rows x columns, such as 30x20 (30 is 30x30)",
    read=size,
    told=told,
)
