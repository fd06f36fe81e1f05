"""Cells and heights that belong together: k cells with k heights between them. Pairs and triples are told by these."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import combinations
from operator import or_

from nonosat.solvers.explain.skyscrapers.line import Finding, Line, heights_of, heights_told, mask_of


def naked(line: Line, count: int) -> Iterator[Finding]:
    """``count`` open cells that can have ``count`` heights only: no other cell has these."""
    for cells in _chosen([c for c in line.open if 1 < line.cells[c].bit_count() <= count], count, len(line.open)):
        mask = reduce(or_, (line.cells[cell] for cell in cells))
        if mask.bit_count() == count:
            others = [cell for cell in line.open if cell not in cells and line.cells[cell] & mask]
            if others:
                heights = heights_told(heights_of(mask))
                why = f"{line.told(cells)} take {heights} between them"
                yield Finding(dict.fromkeys(others, line.every & ~mask), why)


def hidden(line: Line, count: int) -> Iterator[Finding]:
    """``count`` heights that ``count`` open cells can have only: these cells have no other."""
    places = {height: line.places(height) for height in line.missing}
    for heights in _chosen([h for h, cells in places.items() if 1 < len(cells) <= count], count, len(line.open)):
        cells = sorted({cell for height in heights for cell in places[height]})
        mask = mask_of(heights)
        if len(cells) == count and any(line.cells[cell] & ~mask for cell in cells):
            why = f"{heights_told(heights)} have no cells but {line.told(cells)}, which they fill"
            yield Finding(dict.fromkeys(cells, mask), why)


def _chosen(among: list[int], count: int, room: int) -> Iterator[tuple[int, ...]]:
    """Nothing is said by as many as there are open cells."""
    return combinations(among, count) if room > count else iter(())
