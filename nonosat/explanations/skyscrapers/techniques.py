"""Before the highest: where N stands, only the towers before it count, and few orders of them go with a clue."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import combinations
from operator import or_

from nonosat.explanations.skyscrapers.line import (
    CandidateFinding,
    End,
    TowerLine,
    format_heights,
    heights_of,
    mask_of,
    orders,
    places_in_orders,
    single,
)
from nonosat.explanations.words import listed, many

# The techniques of a line of towers, a file each: ``find(line)`` gives all that it sees in it, as ``Finding``s.


# Last cell: where one cell of a line is left, it has the height that is missing.


def last_cell(line: TowerLine) -> Iterator[CandidateFinding]:
    """The only open cell.

    >>> print(next(last_cell(TowerLine.drawn("2 . 1 4"))).why)
    all heights but 3 are there
    """
    if len(line.open) == 1 and line.size > 1:
        [cell], missing = line.open, line.missing
        if len(missing) == 1:
            yield CandidateFinding({cell: mask_of(missing)}, f"all heights but {missing[0]} are there", since=False)


# Naked single: a cell that can have one height only has it.


def naked_single(line: TowerLine) -> Iterator[CandidateFinding]:
    """Each open cell with a single height left; and one with none, a contradiction.

    >>> for found in naked_single(TowerLine.drawn("1 2 4? .")):
    ...     print(found.leaves, found.then)
    {2: 8} only 4 is left for column 3
    """
    for cell in line.open:
        mask = line.cells[cell]
        if mask == 0:
            yield CandidateFinding({}, then=f"no height is left for {line.format_cells([cell])}")
        if single(mask):
            yield CandidateFinding(
                {cell: mask}, then=f"only {heights_of(mask)[0]} is left for {line.format_cells([cell])}"
            )


# Hidden single: a height that has one place left in a line stands there.


def hidden_single(line: TowerLine) -> Iterator[CandidateFinding]:
    """Each height that a single open cell can have; and one that none can have, a contradiction.

    >>> for found in hidden_single(TowerLine.drawn("134 . 13 134")):
    ...     print(found.leaves, found.then)
    {1: 2} only column 2 is left for the 2
    """
    for height in line.missing:
        cells = line.places(height)
        if not cells:
            yield CandidateFinding({}, then=f"no cell is left for the {height}")
        if len(cells) == 1:
            yield CandidateFinding(
                {cells[0]: 1 << height - 1}, then=f"only {line.format_cells(cells)} is left for the {height}"
            )


# Clue 1: who sees one tower only looks at the highest.


def clue_one(line: TowerLine) -> Iterator[CandidateFinding]:
    """The cell next to a clue 1.

    >>> for found in clue_one(TowerLine.drawn(". . . .", front=1)):
    ...     print(found.leaves, found.why)
    {0: 8} only 1 tower is seen from the left, so that one is the highest
    """
    for end in line.ends():
        if end.clue == 1:
            leaves = {end.cells[0]: 1 << line.size - 1}
            yield CandidateFinding(leaves, f"only {end.text}, so that one is the highest", so=":")


# Clue N: who sees all towers sees them rise from 1 to N.


def clue_all(line: TowerLine) -> Iterator[CandidateFinding]:
    """All cells of a line with as large a clue as there can be.

    >>> for found in clue_all(TowerLine.drawn(". . .", back=3)):
    ...     print(found.leaves, found.why)
    {2: 1, 1: 2, 0: 4} all 3 towers are seen from the right, so they rise from there on
    """
    for end in line.ends():
        if end.clue == line.size > 1:
            leaves = {cell: 1 << rank for rank, cell in enumerate(end.cells)}
            yield CandidateFinding(leaves, f"all {end.text}, so they rise from there on", so=":")


# Clue cut: to let c towers be seen, those near the clue must leave room for others to rise behind them.


def clue_cut(line: TowerLine) -> Iterator[CandidateFinding]:
    """The cell at distance i from a clue c has N - c + 1 + i at most (the phase 3 of Majdandžić 2022).

    >>> for found in clue_cut(TowerLine.drawn(". . . .", front=3)):
    ...     print([bin(mask) for mask in found.leaves.values()], found.why)
    ['0b11', '0b111'] 3 towers are seen from the left, and the first ones must leave room for higher ones
    """
    for end in line.ends():
        if end.clue > 1:
            leaves = {cell: line.every >> end.clue - 1 - i for i, cell in enumerate(end.cells[: end.clue - 1])}
            some = "one must leave room for a higher one" if end.clue == 2 else "ones must leave room for higher ones"
            yield CandidateFinding(leaves, f"{end.text}, and the first {some}")


# Cells and heights that belong together: k cells with k heights between them. Pairs and triples are found by these.


def naked(line: TowerLine, count: int) -> Iterator[CandidateFinding]:
    """``count`` open cells that can have ``count`` heights only: no other cell has these."""
    for cells in _chosen([c for c in line.open if 1 < line.cells[c].bit_count() <= count], count, len(line.open)):
        mask = reduce(or_, (line.cells[cell] for cell in cells))
        if mask.bit_count() == count:
            others = [cell for cell in line.open if cell not in cells and line.cells[cell] & mask]
            if others:
                heights = format_heights(heights_of(mask))
                why = f"{line.format_cells(cells)} take {heights} between them"
                yield CandidateFinding(dict.fromkeys(others, line.every & ~mask), why)


def hidden(line: TowerLine, count: int) -> Iterator[CandidateFinding]:
    """``count`` heights that ``count`` open cells can have only: these cells have no other."""
    places = {height: line.places(height) for height in line.missing}
    for heights in _chosen([h for h, cells in places.items() if 1 < len(cells) <= count], count, len(line.open)):
        cells = sorted({cell for height in heights for cell in places[height]})
        mask = mask_of(heights)
        if len(cells) == count and any(line.cells[cell] & ~mask for cell in cells):
            why = f"{format_heights(heights)} have no cells but {line.format_cells(cells)}, which they fill"
            yield CandidateFinding(dict.fromkeys(cells, mask), why)


def _chosen(among: list[int], count: int, room: int) -> Iterator[tuple[int, ...]]:
    """As many as there are open cells exclude nothing."""
    return combinations(among, count) if room > count else iter(())


# Naked pair: two cells that have two heights between them.


def naked_pair(line: TowerLine) -> Iterator[CandidateFinding]:
    """No other cell has these.

    >>> for found in naked_pair(TowerLine.drawn("12 . 12 .")):
    ...     print(found.leaves, found.why)
    {1: 12, 3: 12} columns 1 and 3 take 1 and 2 between them
    """
    yield from naked(line, 2)


# Hidden pair: two heights that have two cells between them.


def hidden_pair(line: TowerLine) -> Iterator[CandidateFinding]:
    """Those cells have no others.

    >>> for found in hidden_pair(TowerLine.drawn(". 34 34 123")):
    ...     print(found.leaves, found.why)
    {0: 3, 3: 3} 1 and 2 have no cells but columns 1 and 4, which they fill
    """
    yield from hidden(line, 2)


# Naked triple: three cells that have three heights between them.


def naked_triple(line: TowerLine) -> Iterator[CandidateFinding]:
    """No other cell has these.

    >>> for found in naked_triple(TowerLine.drawn("12 23 . 13 .")):
    ...     print(found.leaves, found.why)
    {2: 24, 4: 24} columns 1, 2 and 4 take 1, 2 and 3 between them
    """
    yield from naked(line, 3)


# Hidden triple: three heights that have three cells between them.


def hidden_triple(line: TowerLine) -> Iterator[CandidateFinding]:
    """Those cells have no others.

    >>> for found in hidden_triple(TowerLine.drawn(". 45 . 45 123")):
    ...     print(found.leaves, found.why)
    {0: 7, 2: 7, 4: 7} 1, 2 and 3 have no cells but columns 1, 3 and 5, which they fill
    """
    yield from hidden(line, 3)


def before_highest(line: TowerLine) -> Iterator[CandidateFinding]:
    """A clue 2: the first tower is the highest of those before N. A clue that is N's distance: all of them rise.

    >>> for found in before_highest(TowerLine.drawn(". . . 5 .", front=2)):
    ...     print(found.leaves, found.why)
    {0: 12, 1: 7, 2: 7} 2 towers are seen from the left: the 5 in column 4, and the first, which hides those between
    >>> [bin(mask) for mask in next(before_highest(TowerLine.drawn(". . 4 .", front=3))).leaves.values()]
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


def _first_is_highest(line: TowerLine, end: End, ahead: tuple[int, ...]) -> CandidateFinding:
    first, *others = ahead
    most = line.cells[first].bit_length()
    least = max([len(ahead), *(_lowest(line.cells[cell]) + 1 for cell in others)])
    leaves = {first: mask_of(range(least, line.size)), **dict.fromkeys(others, mask_of(range(1, most)))}
    highest = line.format_cells([line.heights.index(line.size)])
    why = f"{end.text}: the {line.size} in {highest}, and the first, which hides those between"
    return CandidateFinding(leaves, why)


def _rising(line: TowerLine, end: End, ahead: tuple[int, ...]) -> CandidateFinding:
    count = len(ahead)
    least, most = [0] * count, [line.size] * count
    for i, cell in enumerate(ahead):
        least[i] = max(i + 1, _lowest(line.cells[cell]), least[i - 1] + 1 if i else 1)
    for i, cell in reversed(list(enumerate(ahead))):
        after = most[i + 1] if i + 1 < count else line.size
        most[i] = min(line.cells[cell].bit_length(), after - 1)
    leaves = {cell: mask_of(range(least[i], most[i] + 1)) for i, cell in enumerate(ahead)}
    highest = line.format_cells([line.heights.index(line.size)])
    all_of_them = f"all of them up to the {line.size} in {highest} must rise"
    why = f"{end.clue} towers are to be seen from the {end.side}: {all_of_them}"
    return CandidateFinding(leaves, why)


def _possible(found: CandidateFinding) -> CandidateFinding:
    """The finding, or that it is a contradiction, if it leaves nothing to a cell."""
    if all(found.leaves.values()):
        return found
    return CandidateFinding({}, found.why, "that cannot be", so=", and")


def _lowest(mask: int) -> int:
    """The lowest height of a set; 0 if it is empty."""
    return (mask & -mask).bit_length()


# Any order: what all orders of a line's towers share. Nothing more follows from a line with its clues.


SHOWN = 12
"""Orders that a finding shows, at most."""


def any_order(line: TowerLine) -> Iterator[CandidateFinding]:
    """The heights that cells have in some of them, however many they are.

    >>> found = next(any_order(TowerLine.drawn(". . . .", front=2, back=3)))
    >>> found.leaves[1], found.why
    (8, '2 towers are seen from the left and 3 from the right, so its towers can stand in 3 ways')
    """
    yield from shared(line, None)


def shared(line: TowerLine, most: int | None) -> Iterator[CandidateFinding]:
    """What orders share, if these are ``most`` at most; none at all: a contradiction."""
    found = orders(line.cells, line.front, line.back)
    if not found.complete or (most is not None and found.number > most):
        return
    ends = list(line.ends())
    clues = listed([end.text if i == 0 else f"{end.clue} from the {end.side}" for i, end in enumerate(ends)] or [""])
    if not found.number:
        none = "no order of its towers goes with that"
        yield CandidateFinding({}, clues, none, so=", and")
        return
    ways = "in one way only" if found.number == 1 else f"in {many(found.number, 'way')}"
    why = f"{clues}, so its towers can stand {ways}" if clues else f"its towers can stand {ways}"
    so = {1: ":", 2: ", and in both of them"}.get(found.number, ", and in all of them")
    sample = tuple(found.some(SHOWN, places_in_orders(line.cells), line.front, line.back))
    yield CandidateFinding(dict(enumerate(found.possible)), why, so=so, ways=sample)


# Few orders: the orders in which a line's towers can stand, if they are few enough to look at them one by one.


FEW = 8
"""Orders, at most."""


def few_orders(line: TowerLine) -> Iterator[CandidateFinding]:
    """What all of them share, seen from both ends.

    >>> found = next(few_orders(TowerLine.drawn(". . . 4", front=2, back=1)))
    >>> found.why
    '2 towers are seen from the left and 1 from the right, so its towers can stand in 2 ways'
    >>> found.so, found.ways
    (', and in both of them', ((3, 2, 1, 4), (3, 1, 2, 4)))
    """
    yield from shared(line, FEW)
