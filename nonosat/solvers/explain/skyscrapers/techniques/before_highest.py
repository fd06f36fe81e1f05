"""Before the highest: where N stands, only the towers before it count, and few orders of them go with a clue."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.skyscrapers.line import End, Finding, Line, mask_of


def find(line: Line) -> Iterator[Finding]:
    """A clue 2: the first tower is the highest of those before N. A clue that is N's distance: all of them rise.

    >>> for found in find(Line.drawn(". . . 5 .", front=2)):
    ...     print(found.leaves, found.why)
    {0: 12, 1: 7, 2: 7} 2 towers are seen from the left: the 5 in column 4, and the first, which hides those between
    >>> [bin(mask) for mask in next(find(Line.drawn(". . 4 .", front=3))).leaves.values()]
    ['0b11', '0b110']
    """
    if line.size not in line.heights:
        return
    for end in line.ends():
        ahead = end.cells[: end.cells.index(line.heights.index(line.size))]
        if end.clue == 2 and len(ahead) > 1:
            yield _possible(_first_is_highest(line, end, ahead))
        elif end.clue == len(ahead) + 1 > 2:
            yield _possible(_rising(line, end, ahead))


def _first_is_highest(line: Line, end: End, ahead: tuple[int, ...]) -> Finding:
    first, *others = ahead
    most = line.cells[first].bit_length()
    least = max([len(ahead), *(_lowest(line.cells[cell]) + 1 for cell in others)])
    leaves = {first: mask_of(range(least, line.size)), **dict.fromkeys(others, mask_of(range(1, most)))}
    highest = line.told([line.heights.index(line.size)])
    why = f"{end.told}: the {line.size} in {highest}, and the first, which hides those between"
    return Finding(leaves, why)


def _rising(line: Line, end: End, ahead: tuple[int, ...]) -> Finding:
    count = len(ahead)
    least, most = [0] * count, [line.size] * count
    for i, cell in enumerate(ahead):
        least[i] = max(i + 1, _lowest(line.cells[cell]), least[i - 1] + 1 if i else 1)
    for i, cell in reversed(list(enumerate(ahead))):
        after = most[i + 1] if i + 1 < count else line.size
        most[i] = min(line.cells[cell].bit_length(), after - 1)
    leaves = {cell: mask_of(range(least[i], most[i] + 1)) for i, cell in enumerate(ahead)}
    highest = line.told([line.heights.index(line.size)])
    all_of_them = f"all of them up to the {line.size} in {highest} must rise"
    why = f"{end.clue} towers are to be seen from the {end.side}: {all_of_them}"
    return Finding(leaves, why)


def _possible(found: Finding) -> Finding:
    """The finding, or that it is a contradiction, if it leaves nothing to a cell."""
    if all(found.leaves.values()):
        return found
    return Finding({}, found.why, "that cannot be", so=", and")


def _lowest(mask: int) -> int:
    """The lowest height of a set; 0 if it is empty."""
    return (mask & -mask).bit_length()
