"""Runs told apart: which run a filled cell is of says how far this run and its neighbours can reach."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.nonogram.line import OPEN, Finding, Line
from nonosat.solvers.explain.nonogram.placements import bits, spread
from nonosat.solvers.explain.words import listed, stretches

TOLD = 3
"""Where there are more runs, only those beside the blank cells are told."""
SINCE = 5
"""So many known cells are told, at most."""


def find(line: Line) -> Iterator[Finding]:
    """Cells that no run can reach are blank; cells that a run has wherever it can stand now are its.

    >>> for text in ("?#????????", "?##???"):
    ...     line = Line.drawn([3], text)
    ...     print(line.says(next(find(line))))
    column 2 is filled, so the 3 lies within columns 1 to 4, and column 3 is filled
    columns 2 and 3 are filled, so the 3 lies within columns 1 to 4, and columns 5 and 6 are blank
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
            lies = f"{line.run(k)} lies {_within(line, k, reaches[-1])}"
            yield Finding(dict.fromkeys(sure, colour), f"{_since(line)}{lies}", ", and")
    blank = line.open(cell for cell in range(line.size) if not reached >> cell & 1)
    if blank:
        why, so = _lie(line, reaches, blank)
        yield Finding(dict.fromkeys(blank, 0), f"{_since(line)}{why}", so)


def _lie(line: Line, reaches: list[list[int]], blank: list[int]) -> tuple[str, str]:
    """Where the runs can be (of many, those next to the blank cells), so that no run reaches these; and what joins
    that to the conclusion.
    """
    near = list(range(len(reaches)))
    if len(near) > TOLD:
        near = sorted({k for first, last in stretches(blank) for k in _beside(reaches, first, last)})
    told = [f"{line.run(k)} {'lies ' if k == near[0] else ''}{_within(line, k, reaches[k])}" for k in near]
    if len(near) == len(reaches):
        return listed(told), ", and"
    return f"{listed(told)}, and no other run reaches {line.told(blank)}", ", so"


def _since(line: Line) -> str:
    """The known cells, as far as they can be told in a sentence."""
    known = {cell: value for cell, value in enumerate(line.cells) if value != OPEN}
    return f"{line.all_told(known)}, so " if 0 < len(known) <= SINCE else ""


def _within(line: Line, k: int, cells: list[int]) -> str:
    return f"{'within' if line.clue[k].length > 1 else 'in'} {line.told(cells).replace(' and ', ' or ')}"


def _beside(reaches: list[list[int]], first: int, last: int) -> list[int]:
    """The runs next to neighbours that none can reach: the last that can be before them, the first behind them."""
    before = [k for k, reach in enumerate(reaches) if reach[0] < first][-1:]
    behind = [k for k, reach in enumerate(reaches) if reach[-1] > last][:1]
    return [*before, *behind]
