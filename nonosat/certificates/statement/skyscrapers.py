"""What Skyscrapers mean. ``xR_C_V``: the tower in row R and column C (from 0) has the height V.

Of a line that is seen from a clue E (``top2``: from the top of column 2): ``mE_I_A``: its first I towers have the
height A at most; ``sE_I_V``: tower I (from 0) has the height V and is seen, since all before it are lower.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from nonosat.certificates.statement.model import Added, Literal, PBConstraint, Statement, constraint, where
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.puzzles.skyscrapers.puzzle import EdgeView

# What the variables of a statement of Skyscrapers are called; constants where there is no choice.


def cell_is(row: int, column: int, height: int) -> str:
    """The tower there has that height."""
    return f"x{row}_{column}_{height}"


def most_of(size: int, name: str, towers: int, height: int) -> Literal:
    """The first ``towers`` have that height at most."""
    if not towers or height >= size:
        return True
    return f"m{name}_{towers}_{height}" if height > 0 else False


def seen_of(name: str, at: int, height: int) -> str:
    """The tower there has that height and is seen."""
    return f"s{name}_{at}_{height}"


def heights_of(at: int, size: int) -> range:
    """Those that a tower can be seen with; behind another one, 1 is not."""
    return range(2 if at else 1, size + 1)


# What writers of proofs need from a statement of Skyscrapers besides its constraints.


def at_most(size: int, quantity: str, bound: int) -> list[Literal] | None:
    """Of ``m_top2_1``, the highest of the first two towers, and of ``s_top2_1``: 1 if the second is seen, 0 if not."""
    what, view, *rest = quantity.split("_")
    if what not in ("m", "s"):
        return None
    at = int(rest[0])
    if what == "m":
        return [most_of(size, view, at + 1, bound)]
    return ["~" + seen_of(view, at, height) for height in heights_of(at, size)] if bound == 0 else [bound > 0]


def sums(puzzle: Skyscrapers) -> Iterator[Added]:
    """Of each view, what unit propagation does not see: it does not add constraints up."""
    size = puzzle.size
    for view in puzzle.views():
        if view.clue:
            name = f"{view.edge}{view.place}"
            for at, cell in enumerate(view.cells):
                yield from _tower(name, at, cell, size)
            for towers in range(2, size):
                yield _not_all_lower(name, view.cells, towers)


def _tower(name: str, at: int, cell: tuple[int, int], size: int) -> Iterator[Added]:
    """It is seen with one height at most; if the towers up to it have some height at most, it has no other."""
    one = _at_least([(-1, cell_is(*cell, v)) for v in range(1, size + 1)], -1)
    seen = [(cell_is(*cell, v), seen_of(name, at, v)) for v in heights_of(at, size)]
    parts = [_at_least([(1, cell_has), (-1, is_seen)], 0) for cell_has, is_seen in seen]
    yield Added(_at_least([(-1, is_seen) for _, is_seen in seen], -1), [(1, part) for part in (*parts, one)])
    for height in range(1, size if at + 1 < size else 1):
        low, most = [cell_is(*cell, v) for v in range(1, height + 1)], most_of(size, name, at + 1, height)
        part = _at_least([*((1, cell_has) for cell_has in low), (-1, most)], 0)
        higher = [cell_is(*cell, v) for v in range(height + 1, size + 1)]
        yield Added(_at_least([(-1, literal) for literal in (*higher, most)], -1), [(1, part), (1, one)])


def _not_all_lower(name: str, cells: tuple[tuple[int, int], ...], towers: int) -> Added:
    """The first ``towers`` are not all lower than ``towers``: so many do not have fewer heights."""
    size, low = len(cells), range(1, towers)
    parts = [(1, _at_least([(-1, cell_is(*cell, v)) for cell in cells], -1)) for v in low]
    for at, cell in enumerate(cells[:towers]):
        before, after = (most_of(size, name, first, towers - 1) for first in (at, at + 1))
        parts.append((1, _at_least([*((1, cell_is(*cell, v)) for v in low), (-1, after)], 0)))
        if at:
            parts.append((at, _at_least([(1, before), (-1, after)], 0)))
    return Added(_at_least([(-towers, most_of(size, name, towers, towers - 1))], 1 - towers), parts)


def _at_least(terms: list[tuple[int, Literal]], degree: int) -> PBConstraint:
    """As it is, though it may say nothing on a small board; there are no constants here."""
    return PBConstraint([(coefficient, literal) for coefficient, literal in terms if isinstance(literal, str)], degree)


def statement(puzzle: Skyscrapers) -> Statement:
    """Heights, lines, clues, given cells."""
    every = range(puzzle.size)
    cells = [(row, column, v + 1) for row in every for column in every for v in every]
    board = {cell_is(*cell): cell for cell in cells}
    return Statement(board, partial(_constraints, puzzle), partial(at_most, puzzle.size), partial(sums, puzzle))


def _constraints(puzzle: Skyscrapers) -> Iterator[PBConstraint]:
    every, heights = range(puzzle.size), range(1, puzzle.size + 1)
    for one in every:
        for two in every:  # a cell has one height
            yield from _one([cell_is(one, two, v) for v in heights], where(one, two), "height")
        for v in heights:  # a row, a column has each height once
            yield from _one([cell_is(one, other, v) for other in every], f"row {one + 1}", f"tower of height {v}")
            yield from _one([cell_is(other, one, v) for other in every], f"column {one + 1}", f"tower of height {v}")
    for view in puzzle.views():
        if view.clue:
            yield from _view(view, puzzle.size)
    for row, column, value in puzzle.given:
        lost = f"{where(row, column)}: the tower may have another height than the given one"
        yield from constraint([(1, cell_is(row, column, value))], 1, equal=True, less=lost, more=lost)


def _one(names: list[str], where: str, what: str) -> Iterator[PBConstraint]:
    """One of ``names`` is true and no other."""
    less, more = f"{where}: there may be no {what}", f"{where}: there may be more than one {what}"
    yield from constraint([(1, name) for name in names], 1, equal=True, less=less, more=more)


def _view(view: EdgeView, size: int) -> Iterator[PBConstraint]:
    """As many towers are seen as the clue says."""
    most, seen = partial(most_of, size, f"{view.edge}{view.place}"), partial(seen_of, f"{view.edge}{view.place}")
    for at, (row, column) in enumerate(view.cells):
        for height in heights_of(at, size):
            yield from _both(seen(at, height), most(at, height - 1), [(1, cell_is(row, column, height))])
        for height in range(1, size if at + 1 < size else 1):  # of the whole line nobody asks
            low: list[tuple[int, Literal]] = [(1, cell_is(row, column, v)) for v in range(1, height + 1)]
            yield from _both(most(at + 1, height), most(at, height), low)
    all_seen = [(1, seen(at, height)) for at in range(size) for height in heights_of(at, size)]
    where = f"{view.edge} {view.place + 1}"
    less, more = (f"{where}: {word} towers than the clue may be seen" for word in ("fewer", "more"))
    yield from constraint(all_seen, view.clue, equal=True, less=less, more=more)


def _both(name: Literal, one: Literal, other: list[tuple[int, Literal]]) -> Iterator[PBConstraint]:
    """``name`` is true iff ``one`` is and the sum ``other`` (which is 0 or 1) is 1."""
    yield from constraint([(1, one), (-1, name)], 0)
    yield from constraint([*other, (-1, name)], 0)
    yield from constraint([(1, name), (-1, one), *((-coefficient, literal) for coefficient, literal in other)], -1)
