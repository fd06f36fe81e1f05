"""Last cell: where one cell of a line is left, it has the height that is missing."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.skyscrapers.line import Finding, Line, mask_of


def find(line: Line) -> Iterator[Finding]:
    """The only open cell.

    >>> print(next(find(Line.drawn("2 . 1 4"))).why)
    all heights but 3 are there
    """
    if len(line.open) == 1 and line.size > 1:
        [cell], missing = line.open, line.missing
        if len(missing) == 1:
            yield Finding({cell: mask_of(missing)}, f"all heights but {missing[0]} are there", since=False)
