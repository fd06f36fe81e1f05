"""Hidden single: a height that has one place left in a line stands there."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.skyscrapers.line import Finding, Line


def find(line: Line) -> Iterator[Finding]:
    """Each height that a single open cell can have; and one that none can have, a contradiction.

    >>> for found in find(Line.drawn("134 . 13 134")):
    ...     print(found.leaves, found.then)
    {1: 2} only column 2 is left for the 2
    """
    for height in line.missing:
        cells = line.places(height)
        if not cells:
            yield Finding({}, then=f"no cell is left for the {height}")
        if len(cells) == 1:
            yield Finding({cells[0]: 1 << height - 1}, then=f"only {line.told(cells)} is left for the {height}")
