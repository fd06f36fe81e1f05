"""Finished line: all runs are there, or there are just as many cells left as they need."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.nonogram.line import OPEN, Finding, Line
from nonosat.solvers.explain.words import many


def find(line: Line) -> Iterator[Finding]:
    """The rest is blank, or the rest is filled.

    >>> for text in ("?##?#??", "?.?##.#?", "..#?.?."):
    ...     line = Line.drawn([2, 1], text)
    ...     print(line.says(next(find(line))))
    all its runs are there, so columns 1, 4, 6 and 7 are blank
    all its runs are there, so columns 1, 3 and 8 are blank
    its runs need 3 cells, and no more than columns 3, 4 and 6 are left, so columns 4 and 6 are filled
    """
    rest = line.open(range(line.size))
    if not rest:
        return
    if not line.clue:
        yield Finding(dict.fromkeys(rest, 0), "its clue is 0: it has no runs")
        return
    needed = sum(run.length for run in line.clue)
    if sum(value > 0 for value in line.cells) == needed:
        there = "its run is" if len(line.clue) == 1 else "all its runs are"
        yield Finding(dict.fromkeys(rest, 0), f"{there} there")
        return
    left = [cell for cell, value in enumerate(line.cells) if value == OPEN or value > 0]
    if line.one_colour and len(left) == needed:
        need = f"{line.run(0)} needs" if len(line.clue) == 1 else "its runs need"
        more = f"no more than {line.told(left)} {'is' if needed == 1 else 'are'} left"
        yield Finding(dict.fromkeys(left, line.clue[0].colour), f"{need} {many(needed, 'cell')}, and {more}")
