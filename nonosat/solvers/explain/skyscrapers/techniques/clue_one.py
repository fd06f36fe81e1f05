"""Clue 1: who sees one tower only looks at the highest."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.skyscrapers.line import Finding, Line


def find(line: Line) -> Iterator[Finding]:
    """The cell beside a clue 1.

    >>> for found in find(Line.drawn(". . . .", front=1)):
    ...     print(found.leaves, found.why)
    {0: 8} only 1 tower is seen from the left, so that one is the highest
    """
    for end in line.ends():
        if end.clue == 1:
            leaves = {end.cells[0]: 1 << line.size - 1}
            yield Finding(leaves, f"only {end.told}, so that one is the highest", so=":")
