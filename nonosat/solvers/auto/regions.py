"""Independent regions: open cells that share no line with others are solved as puzzles of their own.

An attempt of decimation, or a guess, has to be right everywhere at once. So the effort for several regions together
grows with the product of the regions' efforts, and solved one by one with the sum.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

import numpy as np
import numpy.typing as npt

from nonosat.puzzles.nonogram import Clue, Given, Nonogram, read_clue
from nonosat.runs.events import Event, Finished, Found, Glimpse, Progress, Statistics

Mask = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Box = tuple[slice, slice]


def regions(unknown: Mask) -> list[Mask]:
    """The ``unknown`` cells, as independent regions: cells of one line are in one region.

    >>> [part.astype(int).tolist() for part in regions(np.array([[1, 0, 1], [0, 1, 0], [1, 0, 0]], dtype=bool))]
    [[[1, 0, 1], [0, 0, 0], [1, 0, 0]], [[0, 0, 0], [0, 1, 0], [0, 0, 0]]]
    """
    left, parts = unknown.copy(), []
    while left.any():
        rows = [int(left.any(axis=1).argmax())]
        while (more := np.flatnonzero(left[:, left[rows].any(axis=0)].any(axis=1)).tolist()) != rows:
            rows = more
        part = np.zeros_like(left)
        part[rows] = left[rows]
        parts.append(part)
        left[rows] = False
    return parts


def subpuzzle(puzzle: Nonogram, cells: Ints, part: Mask) -> tuple[Nonogram, Box]:
    """``puzzle`` with only ``part`` of its ``cells`` (-1: open) open, cut out of it, and where it was.

    Other open cells become blank, and the clues of their lines follow. Cuts go along blank cells, and through no run.
    """
    cells = np.where((cells < 0) & ~part, 0, cells)
    box = _box(cells, part)
    rows = tuple(_clues(puzzle.rows[box[0]], cells[box[0]], part[box[0]], box[1]))
    columns = tuple(_clues(puzzle.columns[box[1]], cells[:, box[1]].T, part[:, box[1]].T, box[0]))
    inside = cells[box]
    known = np.nonzero(inside >= 0)
    given = tuple(map(Given, known[0].tolist(), known[1].tolist(), inside[known].tolist()))
    return Nonogram(rows, columns, given, puzzle.palette), box


def _box(cells: Ints, part: Mask) -> Box:
    """The smallest rectangle around ``part`` with blank cells, or the board's end, along all of its sides."""
    rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    top, bottom, left, right = int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
    while True:
        if top > 0 and cells[top - 1, left:right].any():
            top -= 1
        elif bottom < len(cells) and cells[bottom, left:right].any():
            bottom += 1
        elif left > 0 and cells[top:bottom, left - 1].any():
            left -= 1
        elif right < cells.shape[1] and cells[top:bottom, right].any():
            right += 1
        else:
            return slice(top, bottom), slice(left, right)


def _clues(clues: Sequence[Clue], lines: Ints, part: Mask, cut: slice) -> Iterator[Clue]:
    """The part of the ``clues`` of ``lines`` in ``cut``, without the runs outside, which are known."""
    for clue, line, own in zip(clues, lines.tolist(), part, strict=True):
        if own.any():
            yield clue[len(read_clue(line[: cut.start])) : len(clue) - len(read_clue(line[cut.stop :]))]
        else:
            yield read_clue(line[cut])


@dataclass
class Region:
    """A region: its cells, the rectangle it is searched in, the ``events`` of that search, and their cost so far."""

    part: Mask
    box: Box
    events: Iterator[Event]
    spent: Statistics = field(default_factory=Statistics)
    last: Finished | None = None


def search_regions(
    puzzle: Nonogram,
    cells: Ints,
    parts: list[Mask],
    at_most: int,
    spent: Statistics,
    search: Callable[[Nonogram, int | None], Iterable[Event]],
) -> Iterator[Event]:
    """Find a board with the known ``cells``, or two (``at_most``), by ``search`` in each of the ``parts``.

    Each region finds its first solution before any looks for another.
    """
    cells, found = cells.copy(), list[Region]()

    def on(region: Region) -> Generator[Event, None, Ints | None]:
        """Search a region until it has a solution, and give the values of its cells; None: it has ended."""
        for event in region.events:
            if isinstance(event, Found):
                return event.cells[region.part[region.box]].astype(np.int64)
            if isinstance(event, Finished | Progress):
                region.spent = event.statistics
            if isinstance(event, Finished):
                region.last = event
            elif isinstance(event, Progress):
                yield replace(event, statistics=cost())
            else:
                yield _around(event, cells, region.box) if isinstance(event, Glimpse) else event
        return None

    def cost() -> Statistics:
        return reduce(Statistics.plus, (region.spent for region in found), spent)

    def finished(exhausted: bool) -> Finished:
        how = dict.fromkeys(str(region.last.reason) for region in found if region.last is not None)
        return Finished(
            exhausted, cost(), ": ".join(filter(None, (f"{len(parts)} independent regions", "; ".join(how))))
        )

    for part in parts:
        inner, box = subpuzzle(puzzle, cells, part)
        found.append(Region(part, box, iter(search(inner, at_most))))
        values = yield from on(found[-1])
        if values is None:
            yield finished(found[-1].last is not None and found[-1].last.exhausted)
            return
        cells[part] = values
    yield Found(cells.astype(np.uint8))
    for region in found:
        values = yield from on(region)
        if values is not None:
            cells[region.part] = values
            yield Found(cells.astype(np.uint8))
            break
    yield finished(all(region.last is not None and region.last.exhausted for region in found))


def _around(event: Glimpse, cells: Ints, box: Box) -> Glimpse:
    """``event`` of the cells in ``box``, with the known cells around it."""
    shown, odds = cells.astype(np.int16), np.full(cells.shape, np.nan, dtype=np.float32)
    if event.cells is not None:
        shown[box] = event.cells
    if event.odds is not None:
        odds[box] = event.odds
    return replace(event, cells=shown, odds=odds)
