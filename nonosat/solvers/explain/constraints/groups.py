"""A puzzle as groups of clauses, a group a constraint, over the same Booleans of its cells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from nonosat.csp.model import CSP
from nonosat.encodings.formula import Formula
from nonosat.encodings.integers import INTEGERS
from nonosat.encodings.registry import default_for, encoding
from nonosat.errors import UnsupportedError
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.explain.constraints.pieces import together
from nonosat.solvers.explain.steps import Constraint

Named = list[tuple[Constraint, tuple[tuple[int, int], ...], CSP]]
"""Each constraint with its cells (row, column), and a CSP that states it, whose first variables are all cells."""


@dataclass(frozen=True, eq=False)
class Group:
    """``constraint``: what it is called; ``cells``: (row, column) of those it is about; ``clauses``: what says it."""

    constraint: Constraint
    cells: tuple[tuple[int, int], ...]
    clauses: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class Stated:
    """``formula``: that each cell has one of its values, and nothing else; ``variables``: Booleans in all."""

    formula: Formula
    variables: int
    groups: tuple[Group, ...]


def stated(found: Named, board: CSP, integers: str = "direct") -> Stated:
    """Constraints (given cells are none of them) by an integer encoding; ``board`` has the cells and their values."""
    compile_csp = INTEGERS.named(integers).make
    count = board.board.size
    cells = CSP(board.lower[:count], board.upper[:count], (), board.board)
    formula = compile_csp(cells)
    shared = formula.map.booleans
    offset, groups = shared, []
    axioms = {tuple(sorted(clause)) for clause in formula.cnf}
    for constraint, about, csp in found:
        cnf = compile_csp(csp).cnf
        clauses = []
        for clause in cnf:
            renamed = tuple(
                x if abs(x) <= shared else (abs(x) + offset - shared) * (1 if x > 0 else -1) for x in clause
            )
            if tuple(sorted(renamed)) not in axioms:
                clauses.append(renamed)
        offset += cnf.variables - shared
        groups.append(Group(constraint, about, tuple(clauses)))
    return Stated(formula, offset, tuple(groups))


def csp_of(puzzle: Puzzle) -> CSP:
    """The puzzle in its default rules, without its given cells."""
    return encoding(default_for(puzzle), puzzle.kind).csp(replace(cast(Any, puzzle), given=()))


def from_rules(puzzle: Puzzle) -> Named:
    """The constraints of the puzzle's default rules; whole rows and columns by these names, others by numbers."""
    height, width = puzzle.shape
    csp = csp_of(puzzle)
    if not np.array_equal(csp.board.reshape(-1), np.arange(height * width)):
        reason = "cells are not the first of their variables"
        raise UnsupportedError(f"puzzles of the kind {puzzle.kind} are not explained: {reason}")
    lines = {tuple(r * width + c for c in range(width)): Constraint("row", r) for r in range(height)}
    lines |= {tuple(r * width + c for r in range(height)): Constraint("column", c) for c in range(width)}
    found = sorted(together(csp), key=lambda part: (part[0] not in lines, part[0]))
    names = _numbered(lines.get(cells) for cells, _ in found)
    return [
        (name, tuple(divmod(cell, width) for cell in cells), part)
        for name, (cells, part) in zip(names, found, strict=True)
    ]


def _numbered(names: Iterable[Constraint | None]) -> list[Constraint]:
    told: list[Constraint] = []
    number = 0
    for name in names:
        told.append(name or Constraint("constraint", number))
        number += name is None
    return told
