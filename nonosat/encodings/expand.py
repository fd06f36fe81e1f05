"""Clauses of comparisons to clauses of literals, for any integer encoding.

An encoding says what one entry of a column is in literals: a conjunction of disjunctions. A clause of such entries is
multiplied out; with the order encoding every entry is a literal and there is nothing to multiply.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from nonosat.csp.model import CSP, Clauses, Column, Comparison, Interval, Ints, ranges, spread
from nonosat.encodings.cnf import Collector
from nonosat.encodings.formula import Formula, Parts, VariableMap

_CHUNK = 1 << 16  # clauses at a time: what is worked on stays in the cache


class IntegerEncoding(VariableMap, Protocol):
    """An integer encoding of given domains: its Booleans, their axioms, and what it makes of columns."""

    @property
    def booleans(self) -> int:
        """How many Booleans the domains take."""

    def axioms(self, out: Collector) -> None:
        """The clauses that make every model stand for one value a variable."""

    def columns(self, column: Column) -> list[Ints | Parts]:
        """``column`` as columns of literals whose disjunction it is; an array has one literal an entry."""


def compiled(csp: CSP, encoding: IntegerEncoding) -> Formula:
    """The formula of a CSP that has been flattened: axioms, then the families in their order."""
    out = Collector(encoding.booleans)
    encoding.axioms(out)
    for family in csp.constraints:
        assert isinstance(family, Clauses)
        expand(family, encoding, out)
    return Formula(out.cnf(), encoding, csp.board, csp.blocks)


def expand(family: Clauses, encoding: IntegerEncoding, out: Collector) -> None:
    """Write a family of clauses."""
    if len(family) > _CHUNK and all(column.rows is None for column in family.columns):
        for at in range(0, len(family), _CHUNK):
            expand(Clauses(tuple(_slice(column, at) for column in family.columns)), encoding, out)
        return
    written = [(column, part) for column in family.columns for part in encoding.columns(column)]
    if all(isinstance(part, np.ndarray) and column.rows is None for column, part in written):
        out.add(*(part for _, part in written if isinstance(part, np.ndarray)))
        return
    count = len(family)
    source = np.arange(count)
    chosen: list[tuple[Parts, npt.NDArray[np.intp]]] = []
    for column, part in written:
        parts = _one_a_row(part, column.rows, count)
        copies = np.bincount(parts.entry, minlength=count)[source]
        first = np.searchsorted(parts.entry, np.arange(count))[source]
        if (copies == 1).all():
            chosen.append((parts, first))
            continue
        copy, choice = ranges(np.zeros_like(copies), copies)
        source = source[copy]
        chosen = [(parts_before, choice_before[copy]) for parts_before, choice_before in chosen]
        chosen.append((parts, first[copy] + choice))
    out.add_ragged(*_gather(chosen, len(source)))


def _one_a_row(part: Ints | Parts, rows: Ints | None, count: int) -> Parts:
    """A column whose entries are the clauses themselves; entries of one clause become one disjunction."""
    if isinstance(part, np.ndarray):
        part = Parts(np.arange(len(part), dtype=np.int32), part, np.arange(1, len(part) + 1))
    if rows is None:
        return part
    if len(part.entry) != len(rows):
        raise NotImplementedError("a column with several entries a clause, one of which is a conjunction")
    # Entry i is part i; the parts of one row stand next to each other, so their literals do too.
    last = np.searchsorted(rows, np.arange(count), side="right")
    ends = np.concatenate((np.zeros(1, dtype=np.int64), part.ends))[last]
    return Parts(np.arange(count, dtype=np.int32), part.literals, ends)


def _gather(chosen: list[tuple[Parts, npt.NDArray[np.intp]]], count: int) -> tuple[Ints, npt.NDArray[np.int64]]:
    """The literals of all clauses in a row, and where each ends; clause c has part ``choice[c]`` of every column."""
    spans = []
    for parts, choice in chosen:
        begins = np.concatenate((np.zeros(1, dtype=np.int64), parts.ends[:-1]))[choice]
        spans.append((begins, parts.ends[choice] - begins))
    widths = sum((width for _, width in spans), np.zeros(count, dtype=np.int64))
    ends = np.cumsum(widths)
    at = ends - widths
    literals = np.empty(int(ends[-1]) if count else 0, dtype=np.int32)
    for (parts, _), (begins, width) in zip(chosen, spans, strict=True):
        if (width == 1).all():
            literals[at] = parts.literals[begins]
        else:
            literals[spread(at, width)] = parts.literals[spread(begins, width)]
        at = at + width
    return literals, ends


def _slice(column: Column, at: int) -> Column:
    """Entries ``at .. at + _CHUNK - 1`` of a column."""
    part = slice(at, at + _CHUNK)
    if isinstance(column, Comparison):
        return Comparison(column.variables[part], column.bounds[part], column.at_least)
    return Interval(column.variables[part], column.low[part], column.high[part], column.outside)
