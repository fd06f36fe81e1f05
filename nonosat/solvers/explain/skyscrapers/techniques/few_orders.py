"""Few orders: the orders in which a line's towers can stand, if they are few enough to look at them one by one."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.skyscrapers.line import Finding, Line
from nonosat.solvers.explain.skyscrapers.techniques.any_order import shared

FEW = 8
"""Orders, at most."""


def find(line: Line) -> Iterator[Finding]:
    """What all of them share, seen from both ends.

    >>> found = next(find(Line.drawn(". . . 4", front=2, back=1)))
    >>> found.why
    '2 towers are seen from the left and 1 from the right, so its towers can stand in 2 ways'
    >>> found.so, found.ways
    (', and in both of them', ((3, 2, 1, 4), (3, 1, 2, 4)))
    """
    yield from shared(line, FEW)
