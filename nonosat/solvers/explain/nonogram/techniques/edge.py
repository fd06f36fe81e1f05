"""Edge: from the end of a line on, all is known up to a filled cell, so that the next run must begin just there."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.nonogram.line import OPEN, Finding, Line


def find(line: Line) -> Iterator[Finding]:
    """From both ends.

    >>> line = Line.drawn([3, 1, 2], ".#??????#")
    >>> for found in find(line):
    ...     print(line.says(found))
    column 2 is the first that is not blank, so the 3 begins there: columns 3 and 4 are filled and column 5 is blank
    column 9 is filled, at the end of the line, so the 2 ends there: column 8 is filled and column 7 is blank
    """
    for turned in (False, True):
        if (seen := _next_run(line.mirrored() if turned else line)) is not None:
            k, at, settles = seen
            yield _told(line, turned, k, at, settles)


def _next_run(line: Line) -> tuple[int, int, dict[int, int]] | None:
    """(run, the cell that it begins with, the cells that are settled), if anything is."""
    k, at = 0, 0
    while at < line.size and line.cells[at] != OPEN:
        if line.cells[at] == 0:
            at += 1
            continue
        if k == len(line.clue) or line.cells[at] != line.clue[k].colour:
            return None
        length, colour = line.clue[k]
        end = at + length
        settles = dict.fromkeys(range(at, end), colour)
        if end < line.size and (k + 1 == len(line.clue) or line.clue[k + 1].colour == colour):
            settles[end] = 0
        if end > line.size or any(line.cells[cell] not in (OPEN, value) for cell, value in settles.items()):
            return None
        if line.open(settles):
            return k, at, settles
        k, at = k + 1, end
    return None


def _told(line: Line, turned: bool, k: int, at: int, settles: dict[int, int]) -> Finding:
    if turned:
        k, at = len(line.clue) - 1 - k, line.size - 1 - at
        settles = {line.size - 1 - cell: value for cell, value in settles.items()}
    outer = k == (len(line.clue) - 1 if turned else 0)
    begins = "ends" if turned else "begins"
    if at == (line.size - 1 if turned else 0):
        why = f"{line.filled([at], line.cells[at])}, at the {'end' if turned else 'beginning'} of the line"
    elif outer:
        why = f"{line.told([at])} is the {'last' if turned else 'first'} that is not blank"
    else:
        why = f"all is known {'after' if turned else 'before'} {line.told([at])}, which is {_is(line, at)}"
    return Finding(settles, f"{why}, so {line.run(k)} {begins} there", ":")


def _is(line: Line, cell: int) -> str:
    return line.filled([cell], line.cells[cell]).rpartition(" is ")[2]
