"""Runs told apart: which run a filled cell is of says how far this run and its neighbours can reach."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.nonogram.line import Finding, Line
from nonosat.solvers.explain.nonogram.placements import bits, spread


def find(line: Line) -> Iterator[Finding]:
    """Cells that no run can reach are blank; cells that a run has wherever it can stand now are its.

    >>> for found in find(Line.drawn([3, 2], "?#????????")):
    ...     print(found.sentence)
    the 3 stands in columns 1 to 4, so columns 2 and 3 are filled
    >>> for found in find(Line.drawn([3, 2], "?##?????#?")):
    ...     print(found.sentence)
    the 3 stands in columns 1 to 4 and the 2 in columns 8 to 10, so columns 5 to 7 are blank
    """
    if line.placements.none or not line.clue:
        return
    reached, reaches = 0, []
    for k, ((length, colour), starts) in enumerate(zip(line.clue, line.placements.starts, strict=True)):
        begins = list(bits(starts))
        cells = spread(starts, length)
        reached |= cells
        reaches.append(list(bits(cells)))
        sure = range(begins[-1], begins[0] + length)
        if line.open(sure):
            stands = line.told(reaches[-1])
            yield Finding(
                dict.fromkeys(sure, colour), f"{line.run(k)} stands in {stands}, so {line.filled(sure, colour)}"
            )
    if blank := line.open(cell for cell in range(line.size) if not reached >> cell & 1):
        yield Finding(dict.fromkeys(blank, 0), f"{_stand(line, reaches)}, so {line.blank(blank)}")


def _stand(line: Line, reaches: list[list[int]]) -> str:
    """Where all runs can be; of many only that none is elsewhere."""
    if len(reaches) > 3:
        return "no run can reach further than it does"
    told = [f"{line.run(k)} {'stands ' if k == 0 else ''}in {line.told(cells)}" for k, cells in enumerate(reaches)]
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}"
