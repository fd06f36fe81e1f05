"""What Skyscrapers mean. ``xR_C_V``: the tower in row R and column C (from 0) has the height V.

Of a line that is seen from a clue E (``top2``: from the top of column 2): ``mE_I_A``: its first I towers have the
height A at most; ``sE_I_V``: tower I (from 0) has the height V and is seen, since all before it are lower.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from nonosat.certificates.statement.model import Constraint, Literal, Statement, constraint
from nonosat.certificates.statement.skyscrapers_names import cell_is, heights_of, most_of, seen_of
from nonosat.certificates.statement.skyscrapers_sums import at_most, sums
from nonosat.certificates.statement.words import where
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.puzzles.skyscrapers.puzzle import View


def statement(puzzle: Skyscrapers) -> Statement:
    """Heights, lines, clues, given cells."""
    every = range(puzzle.size)
    cells = [(row, column, v + 1) for row in every for column in every for v in every]
    board = {cell_is(*cell): cell for cell in cells}
    return Statement(board, partial(_constraints, puzzle), partial(at_most, puzzle.size), partial(sums, puzzle))


def _constraints(puzzle: Skyscrapers) -> Iterator[Constraint]:
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


def _one(names: list[str], where: str, what: str) -> Iterator[Constraint]:
    """One of ``names`` is true and no other."""
    less, more = f"{where}: there may be no {what}", f"{where}: there may be more than one {what}"
    yield from constraint([(1, name) for name in names], 1, equal=True, less=less, more=more)


def _view(view: View, size: int) -> Iterator[Constraint]:
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


def _both(name: Literal, one: Literal, other: list[tuple[int, Literal]]) -> Iterator[Constraint]:
    """``name`` is true iff ``one`` is and the sum ``other`` (which is 0 or 1) is 1."""
    yield from constraint([(1, one), (-1, name)], 0)
    yield from constraint([*other, (-1, name)], 0)
    yield from constraint([(1, name), (-1, one), *((-coefficient, literal) for coefficient, literal in other)], -1)
