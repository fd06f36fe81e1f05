"""Splitting: a cell that would join filled cells to a run that is too long is blank."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from nonosat.solvers.explain.nonogram.line import Finding, Line


def find(line: Line) -> Iterator[Finding]:
    """An open cell between two groups of one colour. With colours, only where no run of a single other cell fits in.

    >>> line = Line.drawn([3, 2], "?##?#???")
    >>> print(line.says(next(find(line))))
    if column 4 were filled, columns 2 to 5 would be a run of 4, and no run that long can be there, so column 4 is blank
    """
    for (first, end, colour), (begin, last, other) in pairwise(line.groups()):
        if colour != other or begin != end + 1 or not line.open([end]):
            continue
        if any(run.length == 1 and run.colour != colour for run in line.clue):
            continue
        runs = [*line.placements.covering(end - 1), *line.placements.covering(begin)]
        if runs and last - first > max(line.clue[k].length for k in runs):
            joined = f"{line.told(range(first, last))} would be a run of {last - first}"
            were = line.filled([end], colour).replace(" is ", " were ")
            yield Finding({end: 0}, f"if {were}, {joined}, and no run that long can be there")
