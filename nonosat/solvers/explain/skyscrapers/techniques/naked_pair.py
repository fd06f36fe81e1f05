"""Naked pair: two cells that have two heights between them."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.skyscrapers.line import Finding, Line
from nonosat.solvers.explain.skyscrapers.techniques.sets import naked


def find(line: Line) -> Iterator[Finding]:
    """No other cell has these.

    >>> for found in find(Line.drawn("12 . 12 .")):
    ...     print(found.leaves, found.why)
    {1: 12, 3: 12} columns 1 and 3 take 1 and 2 between them
    """
    yield from naked(line, 2)
