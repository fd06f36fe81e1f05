"""How people speak of cells, and of the variables of a CSP; rows, columns and places are counted from 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Said(NamedTuple):
    """How people speak of a variable: the line it is on (if it is on one), ``run 2``, ``starts at``, a value's word.

    ``ends``: what stands behind a value for those below it, and above; None: values have no order.
    """

    line: str
    subject: str
    verb: str
    word: Callable[[int], str]
    ends: tuple[str, str] | None = ("or less", "or more")


def where(row: int, column: int) -> str:
    """A cell, whose row and column are counted from 0.

    >>> where(0, 4)
    'row 1, column 5'
    """
    return f"row {row + 1}, column {column + 1}"
