"""Any placement: what all placements of the line's runs share. Nothing more follows from a line by itself."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.nonogram.line import Finding, Line
from nonosat.solvers.explain.words import many

SHOWN = 12
"""Placements that a finding shows, at most."""


def find(line: Line) -> Iterator[Finding]:
    """Every cell that has the same value in all of them.

    >>> line = Line.drawn([1, 2], "??#??#?")
    >>> found = next(find(line))
    >>> line.says(found), len(found.placements)
    ('its runs can stand in 2 ways, and in both of them columns 1, 2 and 4 are blank', 2)
    """
    possible = line.placements.possible
    sure = {}
    for cell in range(line.size):
        values = [value for value, cells in enumerate(possible) if cells >> cell & 1]
        if len(values) == 1:
            sure[cell] = values[0]
    new = {cell: value for cell, value in sure.items() if cell in set(line.open(sure))}
    if not new:
        return
    if not line.clue:
        yield Finding(new, "its clue is 0: it has no runs")
        return
    count = line.placements.count
    shown = tuple(line.placements.some(SHOWN))
    runs = "its runs" if len(line.clue) > 1 else line.run(0)
    if count == 1:
        yield Finding(new, f"{runs} can stand in one way only", placements=shown)
        return
    both = "both" if count == 2 else "all"
    ways = many(count, "way") if count < 1_000_000 else "many ways"
    yield Finding(new, f"{runs} can stand in {ways}", f", and in {both} of them", shown)
