"""What Skyscrapers mean. ``xR_C_V``: the tower in row R and column C (from 0) has the height V.

Of a line that is seen from a clue E (``top2``: from the top of column 2): ``mE_I_A``: its first I towers have the
height A at most; ``sE_I_V``: tower I (from 0) has the height V and is seen, since all before it are lower.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from nonosat.certificates.statement.model import Constraint, Literal, Statement, constraint
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.puzzles.skyscrapers.puzzle import View


def statement(puzzle: Skyscrapers) -> Statement:
    """Heights, lines, clues, given cells."""
    every = range(puzzle.size)
    cells = [(row, column, v + 1) for row in every for column in every for v in every]
    return Statement({_cell(*cell): cell for cell in cells}, partial(_constraints, puzzle))


def _constraints(puzzle: Skyscrapers) -> Iterator[Constraint]:
    every, heights = range(puzzle.size), range(1, puzzle.size + 1)
    for one in every:
        for two in every:  # a cell has one height
            yield from _one([_cell(one, two, v) for v in heights], f"row {one + 1}, column {two + 1}", "height")
        for v in heights:  # a row, a column has each height once
            yield from _one([_cell(one, other, v) for other in every], f"row {one + 1}", f"tower of height {v}")
            yield from _one([_cell(other, one, v) for other in every], f"column {one + 1}", f"tower of height {v}")
    for view in puzzle.views():
        if view.clue:
            yield from _view(view, puzzle.size)
    for row, column, value in puzzle.given:
        lost = f"row {row + 1}, column {column + 1}: the tower may have another height than the given one"
        yield from constraint([(1, _cell(row, column, value))], 1, equal=True, less=lost, more=lost)


def _one(names: list[str], where: str, what: str) -> Iterator[Constraint]:
    """One of ``names`` is true and no other."""
    less, more = f"{where}: there may be no {what}", f"{where}: there may be more than one {what}"
    yield from constraint([(1, name) for name in names], 1, equal=True, less=less, more=more)


def _view(view: View, size: int) -> Iterator[Constraint]:
    """As many towers are seen as the clue says."""
    name = f"{view.edge}{view.place}"

    def most(towers: int, height: int) -> Literal:
        """The first ``towers`` have that height at most."""
        if not towers or height == size:
            return True
        return f"m{name}_{towers}_{height}" if height else False

    seen: list[tuple[int, Literal]] = []
    for at, (row, column) in enumerate(view.cells):
        for height in range(1, size + 1):
            if most(at, height - 1) is not False:
                seen.append((1, f"s{name}_{at}_{height}"))
                yield from _both(seen[-1][1], most(at, height - 1), [(1, _cell(row, column, height))])
        for height in range(1, size if at + 1 < size else 1):  # of the whole line nobody asks
            low: list[tuple[int, Literal]] = [(1, _cell(row, column, v)) for v in range(1, height + 1)]
            yield from _both(most(at + 1, height), most(at, height), low)
    less, more = (
        f"{view.edge} {view.place + 1}: {word} towers than the clue may be seen" for word in ("fewer", "more")
    )
    yield from constraint(seen, view.clue, equal=True, less=less, more=more)


def _both(name: Literal, one: Literal, other: list[tuple[int, Literal]]) -> Iterator[Constraint]:
    """``name`` is true iff ``one`` is and the sum ``other`` (which is 0 or 1) is 1."""
    yield from constraint([(1, one), (-1, name)], 0)
    yield from constraint([*other, (-1, name)], 0)
    yield from constraint([(1, name), (-1, one), *((-coefficient, literal) for coefficient, literal in other)], -1)


def _cell(row: int, column: int, height: int) -> str:
    return f"x{row}_{column}_{height}"
