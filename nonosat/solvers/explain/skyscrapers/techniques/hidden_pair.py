"""Hidden pair: two heights that have two cells between them."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.skyscrapers.line import Finding, Line
from nonosat.solvers.explain.skyscrapers.techniques.sets import hidden


def find(line: Line) -> Iterator[Finding]:
    """Those cells have no others.

    >>> for found in find(Line.drawn(". 34 34 123")):
    ...     print(found.leaves, found.why)
    {0: 3, 3: 3} 1 and 2 have no cells but columns 1 and 4, which they fill
    """
    yield from hidden(line, 2)
