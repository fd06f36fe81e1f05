"""Sudoku as a CSP: a variable a cell, and two ways to say that a unit (row, column, box) has every value once.

``pairwise``: the values of a unit differ. ``everywhere``: they differ, and each value stands somewhere in the unit,
which follows, and is worth a lot to unit propagation: the "extended" encoding of Lynce & Ouaknine (*Sudoku as a SAT
problem*, AIMATH 2006).
"""

from __future__ import annotations

import numpy as np

from nonosat.csp.model import CSP, AllDifferent, Block, Clauses, Constraint, Ints, ints, within
from nonosat.encodings.parts import Chosen, Kind, Part
from nonosat_sudoku.puzzle import Sudoku

LYNCE = "Lynce & Ouaknine 2006"


def units(puzzle: Sudoku) -> Ints:
    """The variables of each unit, shape (3N, N); cell (row, column) is variable row·N + column."""
    return ints([[row * puzzle.size + column for row, column in cells] for _, _, cells in puzzle.units()])


def pairwise(puzzle: Sudoku) -> list[Constraint]:
    """The values of each unit differ."""
    members = units(puzzle)
    return [AllDifferent(members.reshape(-1), ints(np.arange(1, len(members) + 1) * puzzle.size))]


def everywhere(puzzle: Sudoku) -> list[Constraint]:
    """They differ, and each value stands somewhere."""
    members, values = units(puzzle), np.arange(1, puzzle.size + 1, dtype=np.int32)
    somewhere = []
    for place in range(puzzle.size):  # clause (unit, value): some cell of the unit has it
        variables, value = np.repeat(members[:, place], puzzle.size), np.tile(values, len(members))
        somewhere.append(within(variables, value, value))
    return [*pairwise(puzzle), Clauses(tuple(somewhere))]


def state(puzzle: Sudoku, chosen: Chosen) -> CSP:
    """The CSP of ``puzzle`` with the chosen rules; given cells are clauses, so that cells are numbered alike."""
    [units_rule] = chosen("units")
    size = puzzle.size
    constraints: list[Constraint] = units_rule(puzzle)
    if puzzle.given:
        given = ints(puzzle.given)
        constraints.append(Clauses((within(given[:, 0] * size + given[:, 1], given[:, 2], given[:, 2]),)))
    cells = np.arange(size * size, dtype=np.int32)
    index = np.stack(np.divmod(cells, np.int32(size)), axis=1)
    lower, upper = np.ones(size * size, dtype=np.int32), np.full(size * size, size, dtype=np.int32)
    return CSP(lower, upper, tuple(constraints), cells.reshape(size, size), (Block("x", 0, index),))


ENCODINGS = Kind(
    "sudoku",
    parts=(
        Part("pairwise", "units", pairwise, "the values of a row, column or box differ", LYNCE),
        Part("everywhere", "units", everywhere, "and each value stands somewhere in it", LYNCE),
    ),
    forms=(("units",),),
    state=state,
    default="everywhere+direct",
    tested=tuple(f"{rule}+{name}" for rule in ("pairwise", "everywhere") for name in ("direct", "order", "log")),
)
