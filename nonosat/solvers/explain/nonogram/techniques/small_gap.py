"""Gaps too small: between blanks (or a blank and the end) there is no room for any run, or none for the next one."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.nonogram.line import OPEN, Finding, Line


def find(line: Line) -> Iterator[Finding]:
    """Smaller than the smallest run; or, where all before is known, than the run that comes next.

    >>> line = Line.drawn([3, 2], "??.????.?")
    >>> for found in find(line):
    ...     print(line.says(found))
    there is no room for a run in column 9, so column 9 is blank
    the 3 comes first, and there is no room for it in columns 1 and 2, so columns 1 and 2 are blank
    """
    least = min((run.length for run in line.clue), default=0)
    rooms = [room for room in line.rooms() if all(value == OPEN for value in line.cells[slice(*room)])]
    for first, end in rooms:
        if end - first < least:
            gap = range(first, end)
            yield Finding(dict.fromkeys(gap, 0), f"there is no room for a run in {line.told(gap)}")
    yield from _beside_the_next(line)


def _beside_the_next(line: Line) -> Iterator[Finding]:
    """The first room from an end, too small for the run that comes first from there."""
    for turned in (False, True):
        if not line.clue:
            return
        rooms = line.rooms()[::-1] if turned else line.rooms()
        k = len(line.clue) - 1 if turned else 0
        done = True
        for first, end in rooms:
            values = line.cells[first:end]
            if all(value == OPEN for value in values) and done and end - first < line.clue[k].length:
                gap = range(first, end)
                if end - first >= min(run.length for run in line.clue):
                    yield _told(line, k, gap, turned)
            else:
                done = False


def _told(line: Line, k: int, gap: range, turned: bool) -> Finding:
    comes = f"{line.run(k)} comes {'last' if turned else 'first'}"
    return Finding(dict.fromkeys(gap, 0), f"{comes}, and there is no room for it in {line.told(gap)}")
