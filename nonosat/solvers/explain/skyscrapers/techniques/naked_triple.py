"""Naked triple: three cells that have three heights between them."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.skyscrapers.line import Finding, Line
from nonosat.solvers.explain.skyscrapers.techniques.sets import naked


def find(line: Line) -> Iterator[Finding]:
    """No other cell has these.

    >>> for found in find(Line.drawn("12 23 . 13 .")):
    ...     print(found.leaves, found.why)
    {2: 24, 4: 24} columns 1, 2 and 4 take 1, 2 and 3 between them
    """
    yield from naked(line, 3)
