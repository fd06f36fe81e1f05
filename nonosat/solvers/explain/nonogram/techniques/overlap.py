"""Overlap: a run that has little room covers the same cells wherever it stands."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from nonosat.solvers.explain.nonogram.line import Finding, Line
from nonosat.solvers.explain.nonogram.placements import bits


def find(line: Line) -> Iterator[Finding]:
    """Blanks and walls say how early and how late each run can begin; filled cells are not looked at.

    >>> line = Line.drawn([4, 2], "??????.??")
    >>> for found in find(line):
    ...     print(line.says(found))
    the 4 fits in columns 1 to 6 only, so columns 3 and 4 are filled
    the 2 fits in columns 8 and 9 only, so columns 8 and 9 are filled
    >>> line = Line.drawn([1, 1], "???")
    >>> print(line.says(next(find(line))))
    its runs, with a blank between neighbours, need all 3 cells, so columns 1 and 3 are filled and column 2 is blank
    """
    bare = line.only(cell for cell, value in enumerate(line.cells) if value == 0)
    starts = [list(bits(begins)) for begins in bare.placements.starts]
    if not all(starts):
        return
    if all(len(begins) == 1 for begins in starts) and line.clue:
        settles = dict.fromkeys(range(line.size), 0)
        for (length, colour), (begin,) in zip(line.clue, starts, strict=True):
            settles |= dict.fromkeys(range(begin, begin + length), colour)
        full = not any(value == 0 for value in bare.cells)
        cells = f"all {line.size} cells" if line.size > 1 else "the only cell"
        why = f"need {cells}" if full else "fit between the known blanks in one way only"
        apart = ", with a blank between neighbours," if line.one_colour and len(line.clue) > 1 else ""
        if not line.one_colour and any(a.colour == b.colour for a, b in pairwise(line.clue)):
            apart = ", with a blank between neighbours of one colour,"
        runs = "its runs" if len(line.clue) > 1 else line.run(0)
        why = why.replace("need", "needs").replace("fit ", "fits ") if len(line.clue) == 1 else why
        yield Finding(settles, f"{runs}{apart} {why}")
        return
    for k, (begins, (length, colour)) in enumerate(zip(starts, line.clue, strict=True)):
        sure = range(begins[-1], begins[0] + length)
        if line.open(sure):
            room = range(begins[0], begins[-1] + length)
            fits = f"{line.run(k)} fits in {line.told(room)} only", ", so"
            anywhere = f"wherever {line.run(k)} stands", ","
            yield Finding(dict.fromkeys(sure, colour), *(fits if len(room) < line.size else anywhere))
