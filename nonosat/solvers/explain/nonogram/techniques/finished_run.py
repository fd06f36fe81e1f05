"""Finished run: filled cells that are as long as any run that can be there are a whole run; beside it are blanks."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.nonogram.line import Finding, Line


def find(line: Line) -> Iterator[Finding]:
    """With colours, a cell beside it is blank only if no run of another colour can touch it there.

    >>> line = Line.drawn([2, 1, 2], "???##?????")
    >>> for found in find(line):
    ...     print(line.says(found))
    no run longer than 2 can cover columns 4 and 5, so these are a whole run: columns 3 and 6 are blank
    """
    for first, end, colour in line.groups():
        runs = [k for k in line.placements.covering(first) if line.clue[k].colour == colour]
        if not runs or max(line.clue[k].length for k in runs) != end - first:
            continue
        blank = []
        if first > 0 and all(k == 0 or line.clue[k - 1].colour == colour for k in runs):
            blank.append(first - 1)
        if end < line.size and all(k + 1 == len(line.clue) or line.clue[k + 1].colour == colour for k in runs):
            blank.append(end)
        if line.open(blank):
            group = range(first, end)
            whole = f"no run longer than {end - first} can cover {line.told(group)}"
            these = "this is" if end - first == 1 else "these are"
            yield Finding(dict.fromkeys(blank, 0), f"{whole}, so {these} a whole run", ":")
