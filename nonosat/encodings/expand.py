"""Clauses of comparisons to clauses of literals, for any integer encoding.

An encoding says what one entry of a column is in literals: a conjunction of disjunctions. A clause with a few
conjunctions is multiplied out; with the order encoding every entry is a literal and there is nothing to multiply. k
conjunctions of m disjunctions each would be m**k clauses: where there are more than ``MOST``, the clause is *crowded*,
and each is named by an auxiliary Boolean that implies it (one direction is enough in a clause; Plaisted & Greenbaum,
JSC 1986). Unit propagation settles the same from both, as long as the entries speak of different variables.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from nonosat.csp.model import CSP, Clauses, Column, Comparison, Interval, Ints, distinct, ints, ranges, spread
from nonosat.encodings.cnf import TRUE, Collector
from nonosat.encodings.formula import DomainMap, Formula, Parts, Told

_CHUNK = 1 << 16  # clauses at a time: what is worked on stays in the cache

MOST = 3
"""A clause with more conjunctions than that is not multiplied out.

The clauses of our rules for nonograms have three at most: they need no auxiliaries.
"""


class Names:
    """The Booleans that stand for entries of crowded clauses: one a comparison, wherever in the formula it is said."""

    def __init__(self) -> None:
        self.entries = np.empty((4, 0), dtype=np.int32)
        self.literals = ints([])

    def of(self, column: Column, chosen: npt.NDArray[np.intp], out: Collector) -> tuple[Ints, npt.NDArray[np.intp]]:
        """For some entries of a column: (their Booleans, which of ``chosen`` are the first of theirs)."""
        variables = column.variables[chosen]
        if isinstance(column, Comparison):
            kind, low, high = int(column.at_least), column.bounds[chosen], column.bounds[chosen]
        else:
            kind, low, high = 2 + column.outside, column.low[chosen], column.high[chosen]
        known = len(self.literals)
        entries = np.concatenate(
            (self.entries, np.stack((np.full_like(variables, kind), variables, low, high))), axis=1
        )
        number, first = distinct(*entries)  # those that are known come first, and keep their numbers
        self.entries = entries[:, first]
        self.literals = np.concatenate((self.literals, out.fresh(len(first) - known)))
        return self.literals[number[known:]], first[known:] - known

    def meanings(self, encoding: DomainMap) -> Iterator[Told]:
        """See ``DomainMap.meanings``: a comparison or membership, of whose two directions clauses need one."""
        lower, upper = encoding.lower.tolist(), encoding.upper.tolist()
        for boolean, kind, variable, low, high in zip(self.literals.tolist(), *self.entries.tolist(), strict=True):
            least, most = lower[variable], upper[variable]
            if kind == 0:
                most = min(most, high)
            elif kind == 1:
                least = max(least, low)
            values = range(least, most + 1)
            if kind == 2:
                values = range(max(least, low), min(most, high) + 1)
            yield boolean, variable, values if kind < 3 else [v for v in values if not low <= v <= high]


def compiled(csp: CSP, encoding: DomainMap) -> Formula:
    """The formula of a CSP that has been flattened: axioms, then the families in their order."""
    out = Collector(encoding.booleans)
    encoding.axioms(out)
    names = Names()
    for family in csp.constraints:
        assert isinstance(family, Clauses)
        expand(family, encoding, out, names)
    named = names.meanings if len(names.literals) else None
    return Formula(out.cnf(), encoding, csp.board, csp.blocks, csp.meanings, named)


def expand(family: Clauses, encoding: DomainMap, out: Collector, names: Names) -> None:
    """Write a family of clauses, and what the Booleans that are new to ``names`` imply."""
    if len(family) > _CHUNK and all(column.rows is None for column in family.columns):
        for at in range(0, len(family), _CHUNK):
            expand(Clauses(tuple(_slice(column, at) for column in family.columns)), encoding, out, names)
        return
    written = [(column, part) for column in family.columns for part in encoding.columns(column)]
    if all(isinstance(part, np.ndarray) and column.rows is None for column, part in written):
        out.add(*(part for _, part in written if isinstance(part, np.ndarray)))
        return
    count = len(family)
    columns = [(column, _one_a_row(part, column.rows, count)) for column, part in written]
    crowded = sum((_copies(parts, count) > 1 for _, parts in columns), np.zeros(count, dtype=np.int64)) > MOST
    source = np.arange(count)
    if crowded.any():
        true = np.logical_or.reduce([_true(parts, count) for _, parts in columns])
        source = source[~true]  # else they would be multiplied out before they are dropped, and their entries named
        columns = [(column, _named(column, parts, crowded & ~true, names, out)) for column, parts in columns]
    chosen: list[tuple[Parts, npt.NDArray[np.intp]]] = []
    for _, parts in columns:
        copies = _copies(parts, count)[source]
        first = np.searchsorted(parts.entry, np.arange(count))[source]
        if (copies == 1).all():
            chosen.append((parts, first))
            continue
        copy, choice = ranges(np.zeros_like(copies), copies)
        source = source[copy]
        chosen = [(parts_before, choice_before[copy]) for parts_before, choice_before in chosen]
        chosen.append((parts, first[copy] + choice))
    out.add_ragged(*_gather(chosen, len(source)))


def _copies(parts: Parts, count: int) -> npt.NDArray[np.int64]:
    """How many parts each of ``count`` entries has."""
    return np.bincount(parts.entry, minlength=count).astype(np.int64, copy=False)


def _true(parts: Parts, count: int) -> npt.NDArray[np.bool_]:
    """Which entries are true: those whose parts, if they have any, all have a true literal."""
    open_ended = np.ones(len(parts.entry), dtype=bool)
    open_ended[np.searchsorted(parts.ends, np.flatnonzero(parts.literals == TRUE), side="right")] = False
    true = np.ones(count, dtype=bool)
    true[parts.entry[open_ended]] = False
    return true


def _named(column: Column, parts: Parts, crowded: npt.NDArray[np.bool_], names: Names, out: Collector) -> Parts:
    """``parts`` with one literal for each conjunction in a ``crowded`` clause; it implies the conjunction."""
    copies = _copies(parts, len(crowded))
    entries = np.flatnonzero(crowded & (copies > 1))
    literals, new = names.of(column, entries, out)
    first = np.searchsorted(parts.entry, entries[new])
    copy, which = ranges(np.zeros_like(new), copies[entries[new]])
    implies = Parts(ints(entries), -literals, np.arange(1, len(literals) + 1))
    out.add_ragged(*_gather([(implies, new[copy]), (parts, first[copy] + which)], len(copy)))
    kept = np.flatnonzero(~np.isin(parts.entry, entries))
    entry = np.concatenate((parts.entry[kept], implies.entry))
    order = np.argsort(entry, kind="stable")
    before = len(parts.literals)
    pool = Parts(entry, np.concatenate((parts.literals, literals)), np.concatenate((parts.ends, before + implies.ends)))
    choice = np.concatenate((kept, len(parts.entry) + np.arange(len(entries))))[order]
    return Parts(entry[order], *_gather([(pool, choice)], len(choice)))


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
