"""Hidden triple: three heights that have three cells between them."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.skyscrapers.line import Finding, Line
from nonosat.solvers.explain.skyscrapers.techniques.sets import hidden


def find(line: Line) -> Iterator[Finding]:
    """Those cells have no others.

    >>> for found in find(Line.drawn(". 45 . 45 123")):
    ...     print(found.leaves, found.why)
    {0: 7, 2: 7, 4: 7} 1, 2 and 3 have no cells but columns 1, 3 and 5, which they fill
    """
    yield from hidden(line, 3)
