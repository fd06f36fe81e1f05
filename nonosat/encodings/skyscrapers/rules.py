"""Skyscrapers to CSP: the heights of all cells, their domains, and lines whose heights all differ.

Variables: ``x_row_column`` in 1..N, then those of the visibility part. Given heights are clauses, not domains, so that
a cell's number does not depend on what is given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from nonosat.csp.meanings import Meanings
from nonosat.csp.model import CSP, AllDifferent, Block, Clauses, Comparison, Constraint, Ints, ints, within
from nonosat.encodings.skyscrapers.seen import Seen
from nonosat.encodings.skyscrapers.views import meanings
from nonosat.puzzles.skyscrapers import Skyscrapers


@dataclass(frozen=True, eq=False)
class Extra:
    """What a visibility part adds: variables with their domains and names, and constraints."""

    lower: Ints
    upper: Ints
    blocks: tuple[Block, ...]
    constraints: tuple[Constraint, ...]


def nothing() -> Extra:
    """Where there is nothing to add."""
    none = ints([])
    return Extra(none, none, (), ())


Domain = Callable[[Seen], tuple[Ints, Ints]]
Lines = Callable[[int], list[Constraint]]
Visibility = Callable[[Seen], Extra]


def state(puzzle: Skyscrapers, domain: Domain, lines: Lines, visibility: Visibility) -> CSP:
    """The CSP of ``puzzle``."""
    return stated(puzzle, Seen.of(puzzle), domain, lines, visibility)[0]


def stated(puzzle: Skyscrapers, seen: Seen, domain: Domain, lines: Lines, visibility: Visibility) -> tuple[CSP, Extra]:
    """The CSP of ``puzzle`` with the lines as ``seen``, and what the visibility part adds to it.

    The numbers of the extra variables begin with N x N.
    """
    size = seen.size
    count = size * size
    lower, upper = domain(seen)
    extra = visibility(seen)
    constraints = [Meanings(partial(meanings, seen)), *lines(size), *extra.constraints]
    if (empty := lower > upper).any():  # clues that leave no height to a cell: a clause that nothing satisfies
        lower, upper = np.where(empty, 1, lower), np.where(empty, size, upper)
        none = ints([])
        constraints.append(Clauses((Comparison(none, none, rows=none),), 1))
    if puzzle.given:
        given = ints(puzzle.given)
        constraints.append(Clauses((within(given[:, 0] * size + given[:, 1], given[:, 2], given[:, 2]),)))
    cells = np.arange(count, dtype=np.int32)
    index = np.stack(np.divmod(cells, np.int32(size)), axis=1)
    csp = CSP(
        np.concatenate((ints(lower), extra.lower)),
        np.concatenate((ints(upper), extra.upper)),
        tuple(constraints),
        cells.reshape(size, size),
        (Block("x", 0, index), *extra.blocks),
    )
    return csp, extra


def full(seen: Seen) -> tuple[Ints, Ints]:
    """Every cell has a height from 1 to N."""
    count = seen.size * seen.size
    return np.ones(count, dtype=np.int32), np.full(count, seen.size, dtype=np.int32)


def cut(seen: Seen) -> tuple[Ints, Ints]:
    """What a clue c says by itself of the cell at distance i from it (from 0).

    c = 1: the first cell has N. Else the cell has N - c + 1 + i at most, since c - 1 - i higher ones must follow; and
    where c = N, it has i + 1.
    """
    lower, upper = full(seen)
    distance = np.arange(seen.size, dtype=np.int32)
    np.minimum.at(upper, seen.cells, np.minimum(seen.size, seen.size - seen.clue[:, None] + 1 + distance))
    one, all_seen = seen.clue == 1, seen.clue == seen.size
    lower[seen.cells[one, 0]] = seen.size
    np.maximum.at(lower, seen.cells[all_seen], np.broadcast_to(distance + 1, (int(all_seen.sum()), seen.size)))
    return lower, upper


def different(size: int) -> list[Constraint]:
    """The heights of each row and of each column differ."""
    cells = np.arange(size * size, dtype=np.int32).reshape(size, size)
    lines = np.concatenate((cells, cells.T))
    return [AllDifferent(lines.reshape(-1), ints(np.arange(1, 2 * size + 1) * size))]


def permutation(size: int) -> list[Constraint]:
    """They differ, and (which follows) every height stands somewhere in each row and in each column.

    Redundant, and worth a lot to unit propagation: the "3-D" encoding of Latin squares.
    """
    cells = np.arange(size * size, dtype=np.int32).reshape(size, size)
    lines = np.concatenate((cells, cells.T))
    heights = np.arange(1, size + 1, dtype=np.int32)
    columns = []
    for place in range(size):  # clause (line, height): some place of the line has it
        variables = np.repeat(lines[:, place], size)
        values = np.tile(heights, len(lines))
        columns.append(within(variables, values, values))
    return [*different(size), Clauses(tuple(columns))]
