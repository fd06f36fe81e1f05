"""Naked single: a cell that can have one height only has it."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.skyscrapers.line import Finding, Line, heights_of, single


def find(line: Line) -> Iterator[Finding]:
    """Each open cell with a single height left; and one with none, a contradiction.

    >>> for found in find(Line.drawn("1 2 4? .")):
    ...     print(found.leaves, found.then)
    {2: 8} only 4 is left for column 3
    """
    for cell in line.open:
        mask = line.cells[cell]
        if mask == 0:
            yield Finding({}, then=f"no height is left for {line.told([cell])}")
        if single(mask):
            yield Finding({cell: mask}, then=f"only {heights_of(mask)[0]} is left for {line.told([cell])}")
