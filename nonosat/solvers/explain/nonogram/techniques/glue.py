"""Glue: filled cells near a wall or a known blank are of a run that can only grow away from it."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.nonogram.line import OPEN, Finding, Line


def find(line: Line) -> Iterator[Finding]:
    """The least run that can have the cells, pushed against what stops it.

    >>> for text in ("??#?????", "?.?#???."):
    ...     line = Line.drawn([4], text)
    ...     print(line.says(next(find(line))))
    column 3 is part of a run of 4 or more, which begins in column 1 at the earliest, so column 4 is filled
    column 4 is part of a run of 4 or more, which begins in column 3 at the earliest, so columns 5 and 6 are filled
    """
    for first, end, colour in line.groups():
        runs = [k for k in line.placements.covering(first) if line.clue[k].colour == colour]
        if not runs:
            continue
        least = min(line.clue[k].length for k in runs)
        left, right = first, end
        while left > 0 and line.cells[left - 1] in (OPEN, colour):
            left -= 1
        while right < line.size and line.cells[right] in (OPEN, colour):
            right += 1
        this = line.told(range(first, end))
        of = f"{this} {'is' if end - first == 1 else 'are'} part of a run of {least} or more, which"
        for grown, stop in (
            (range(end, left + least), f"begins in {line.told([left])} at the earliest"),
            (range(right - least, first), f"ends in {line.told([right - 1])} at the latest"),
        ):
            if line.open(grown):
                yield Finding(dict.fromkeys(grown, colour), f"{of} {stop}")
