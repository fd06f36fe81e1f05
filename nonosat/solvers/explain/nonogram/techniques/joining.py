"""Joining: filled cells that can only be of one and the same run are filled between, too."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from nonosat.solvers.explain.nonogram.line import Finding, Line


def find(line: Line) -> Iterator[Finding]:
    """Neighbouring groups of filled cells that one run alone can reach.

    >>> line = Line.drawn([4, 1], "??#?#????")
    >>> line.says(next(find(line)))
    'only the 4 can cover columns 3 and 5, so column 4 is filled'
    """
    for (first, end, colour), (begin, last, other) in pairwise(line.groups()):
        between = range(end, begin)
        if colour != other or not line.open(between) or 0 in line.cells[end:begin]:
            continue
        runs = {*line.placements.covering(end - 1), *line.placements.covering(begin)}
        if len(runs) == 1:
            (k,) = runs
            both = line.told([*range(first, end), *range(begin, last)])
            yield Finding(dict.fromkeys(between, colour), f"only {line.run(k)} can cover {both}")
