"""Clue N: who sees all towers sees them rise from 1 to N."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.skyscrapers.line import Finding, Line


def find(line: Line) -> Iterator[Finding]:
    """All cells of a line with as large a clue as there can be.

    >>> for found in find(Line.drawn(". . .", back=3)):
    ...     print(found.leaves, found.why)
    {2: 1, 1: 2, 0: 4} all 3 towers are seen from the right, so they rise from there on
    """
    for end in line.ends():
        if end.clue == line.size > 1:
            leaves = {cell: 1 << rank for rank, cell in enumerate(end.cells)}
            yield Finding(leaves, f"all {end.told}, so they rise from there on", so=":")
