"""A CSP taken apart: its families of constraints, an entry each, and which of them are one constraint of the puzzle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple, cast

import numpy as np

from nonosat.csp.model import CSP, AllDifferent, Clauses, Column, Constraint, Ints, Linear, Paths, Precedes, ints


class Piece(NamedTuple):
    """``family`` holds entries of one family; ``variables``: all that it is about."""

    variables: frozenset[int]
    family: Constraint


def pieces(csp: CSP) -> Iterator[Piece]:
    """Every constraint by itself; graphs of ``Paths`` stay together."""
    for family in csp.constraints:
        if isinstance(family, Clauses):
            yield from _clauses(family)
        elif isinstance(family, Precedes):
            for i in range(len(family.before)):
                one = Precedes(family.before[i : i + 1], family.distance[i : i + 1], family.after[i : i + 1])
                yield Piece(_all(one.before, one.after), one)
        elif isinstance(family, Linear):
            for terms, variables, bound in family.each():
                yield Piece(_all(variables), Linear(terms, variables, ints([len(variables)]), ints([bound])))
        elif isinstance(family, AllDifferent):
            for variables in family.each():
                yield Piece(_all(variables), AllDifferent(variables, ints([len(variables)])))
        elif isinstance(family, Paths):
            yield Piece(_all(family.variables), family)


def _all(*columns: Ints) -> frozenset[int]:
    return frozenset(int(v) for column in columns for v in column)


def _clauses(family: Clauses) -> Iterator[Piece]:
    for i in range(len(family)):
        columns = tuple(_entry(column, i) for column in family.columns)
        filled = tuple(column for column in columns if len(column.variables))
        none = Clauses((replace(family.columns[0], variables=ints([]), **cast(Any, _empty(family.columns[0]))),), 1)
        yield Piece(_all(*(c.variables for c in filled)), Clauses(filled, 1) if filled else none)


def _entry(column: Column, i: int) -> Column:
    """The entries of clause i, all of them in a clause numbered 0."""
    chosen = np.flatnonzero(column.rows == i) if column.rows is not None else np.array([i])
    rows = np.zeros(len(chosen), dtype=np.int32)
    picked = {name: getattr(column, name)[chosen] for name in ("bounds", "low", "high") if hasattr(column, name)}
    return replace(column, variables=column.variables[chosen], rows=rows, **cast(Any, picked))


def _empty(column: Column) -> dict[str, Ints]:
    return {name: ints([]) for name in ("bounds", "low", "high", "rows") if hasattr(column, name)}


def together(csp: CSP) -> list[tuple[tuple[int, ...], CSP]]:
    """(the board's variables, a CSP of the constraints about them), a line a constraint of the puzzle.

    Constraints that share a variable that is no cell's are one; so is what is about a part of another's cells. What is
    about one cell alone has that cell.
    """
    cells = frozenset(csp.board.reshape(-1).tolist())
    parts: list[tuple[set[int], list[Constraint]]] = []
    for piece in pieces(csp):
        own = set(piece.variables)
        families = [piece.family]
        joined = [part for part in parts if (part[0] - cells) & own]
        for part in joined:
            own |= part[0]
            families = part[1] + families
        parts = [part for part in parts if not any(part is other for other in joined)]
        parts.append((own, families))
    by_cells: dict[tuple[int, ...], list[Constraint]] = {}
    for variables, families in sorted(parts, key=lambda part: -len(part[0] & cells)):
        about = variables & cells
        home = next((known for known in by_cells if about <= set(known)), tuple(sorted(about)))
        by_cells.setdefault(home, []).extend(families)
    return [(about, replace(csp, constraints=tuple(families))) for about, families in by_cells.items()]
