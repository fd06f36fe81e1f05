"""Clauses of comparisons to clauses of literals, for any integer encoding.

An encoding says what one entry of a column is in literals: a conjunction of disjunctions. A clause with a few
conjunctions is multiplied out; with the order encoding every entry is a literal and there is nothing to multiply. k
conjunctions of m disjunctions each would be m**k clauses: where there are more than ``MOST``, the clause is *crowded*,
and each is named by an auxiliary Boolean that implies it (one direction is enough in a clause; Plaisted & Greenbaum,
JSC 1986). Unit propagation fixes the same from both, as long as the entries speak of different variables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from nonosat.csp.flatten import Flat, flatten, refuse_clauses
from nonosat.csp.model import (
    CSP,
    AnyInts,
    Clauses,
    Column,
    Comparison,
    Differ,
    Interval,
    Ints,
    Precedes,
    distinct,
    ints,
    numbers,
    ranges,
    spread,
)
from nonosat.encodings.cnf import TRUE, Collector
from nonosat.encodings.formula import BooleanMeaning, Disjunctions, DomainMap, Formula, Network

_CHUNK = 1 << 16  # clauses at a time: what is worked on stays in the cache

MOST = 3
"""A clause with more conjunctions than that is not multiplied out.

The clauses of our rules for nonograms have three at most: they need no auxiliaries.
"""

PRODUCT = 10_000
"""Nor is one with several that would become more clauses than that: conjunctions over wide domains have many parts."""

LARGE, EACH = 2**20, 64
"""Nor are those with several, if many at a time would become more clauses than ``LARGE``, and ``EACH`` on average."""


Writer: TypeAlias = Callable[[Any, DomainMap, Collector], Network]
"""Writes a family of constraints in literals, and says what it made."""


class Names:
    """The Booleans that stand for entries of crowded clauses: one a conjunction, wherever in the formula it is said.

    What is said is known by the column's comparison and by ``half``: which of the encoding's columns for it this is.
    """

    def __init__(self) -> None:
        self.entries: AnyInts = np.empty((5, 0), dtype=np.int32)
        self.literals = ints([])

    def of(
        self, column: Column, half: int, chosen: npt.NDArray[np.intp], out: Collector
    ) -> tuple[Ints, npt.NDArray[np.intp]]:
        """For some entries of a column: (their Booleans, which of ``chosen`` are the first of theirs)."""
        variables = column.variables[chosen]
        if isinstance(column, Comparison):
            kind, low, high = int(column.at_least), column.bounds[chosen], column.bounds[chosen]
        else:
            kind, low, high = 2 + column.outside, column.low[chosen], column.high[chosen]
        known = len(self.literals)
        kinds, halves = np.full_like(variables, kind), np.full_like(variables, half)
        entries = np.concatenate((self.entries, np.stack((kinds, variables, low, high, halves))), axis=1)
        number, first = distinct(*entries)  # those that are known come first, and keep their numbers
        self.entries = entries[:, first]
        self.literals = np.concatenate((self.literals, out.fresh(len(first) - known)))
        return self.literals[number[known:]], first[known:] - known

    def meanings(self, encoding: DomainMap) -> Iterator[BooleanMeaning]:
        """See ``DomainMap.meanings``: the values for which the conjunction holds; clauses need one direction."""
        true = encoding.values_by_literal()
        for boolean, kind, variable, low, high, half in zip(
            self.literals.tolist(), *self.entries.tolist(), strict=True
        ):
            one, least, most = ints([variable]), numbers([low]), numbers([high])
            column: Column = Comparison(one, least, bool(kind))
            if kind > 1:
                column = Interval(one, least, most, outside=kind == 3)
            part = encoding.columns(column)[half]
            assert isinstance(part, Disjunctions)
            values = set(encoding.values(variable))
            for literals in np.split(part.literals, part.ends[:-1]):
                values &= set().union(*(true(variable, literal) for literal in literals.tolist()))
            yield boolean, variable, sorted(values)


def compiled_by(
    kind: type[DomainMap],
    csp: CSP,
    restated: Mapping[type, Callable[[Any, Flat], None]] | None = None,
    written: Mapping[type, Writer] | None = None,
) -> Formula:
    """The formula of a CSP, flattened to the terms that maps of that kind have.

    ``restated`` as for ``flatten``; ``written``: what writes families that are to be kept, in literals. Comparisons of
    two variables are kept where that is shorter.
    """
    Collector(0).expect(kind.needed(csp))  # before values are listed
    always = tuple(family for family in written or () if family not in (Precedes, Differ))
    digits = bool(written) and (lambda sizes: kind.sizes(np.zeros_like(sizes), sizes - 1) < sizes - 1)
    # Domains with gaps are encoded by the ranks of their values, unless it is the values that are added up.
    flat = flatten(csp, **kind.terms(), digits=digits, gapped=not written, restated=restated, keep=always)
    return compiled(flat, kind.of_csp(flat), written or {})


def compiled(csp: CSP, encoding: DomainMap, written: Mapping[type, Writer] = MappingProxyType({})) -> Formula:
    """The formula of a CSP that has been flattened: axioms, then the families in their order."""
    out = Collector(encoding.booleans)
    out.expect(encoding.booleans)
    encoding.axioms(out)
    names, networks = Names(), list[Network]()
    for family in csp.constraints:
        if isinstance(family, Clauses):
            expand(family, encoding, out, names)
        else:
            networks.append(written[type(family)](family, encoding, out))
    named = names.meanings if len(names.literals) else None
    return Formula(out.cnf(), encoding, csp.board, csp.blocks, csp.meanings, named, tuple(networks))


def expand(family: Clauses, encoding: DomainMap, out: Collector, names: Names) -> None:
    """Write a family of clauses, and what the Booleans that are new to ``names`` imply."""
    if len(family) > _CHUNK and all(column.rows is None for column in family.columns):
        for at in range(0, len(family), _CHUNK):
            expand(Clauses(tuple(_slice(column, at) for column in family.columns)), encoding, out, names)
        return
    written = [(column, half, part) for column in family.columns for half, part in enumerate(encoding.columns(column))]
    if all(isinstance(part, np.ndarray) and column.rows is None for column, _, part in written):
        out.add(*(part for _, _, part in written if isinstance(part, np.ndarray)))
        return
    count = len(family)
    entries = [_Entries(column, half, _as_parts(part), count) for column, half, part in written]
    several = sum((some.several() for some in entries), np.zeros(count, dtype=np.int64))
    bits = sum((some.bits() for some in entries), np.zeros(count))
    crowded = (several > MOST) | ((several > 1) & (bits > np.log2(PRODUCT)))
    if np.exp2(bits[~crowded]).sum() > max(LARGE, EACH * count):
        crowded |= several > 1
        refuse_clauses(int(np.exp2(bits[~crowded]).sum()), "a constraint", "encode by order or log, ")
    source = np.arange(count)
    if crowded.any():
        true = np.logical_or.reduce([some.true() for some in entries])
        source = source[~true]  # else they would be multiplied out before they are dropped, and their entries named
        entries = [some.named(crowded & ~true, names, out) for some in entries]
    chosen: list[tuple[Disjunctions, npt.NDArray[np.intp]]] = []
    for parts in (parts for some in entries for parts in some.a_row_each(source)):
        copies = _copies(parts, count)[source]
        first = np.searchsorted(parts.entry, np.arange(count))[source]
        if (copies == 1).all():
            chosen.append((parts, first))
            continue
        copy, choice = ranges(np.zeros_like(copies), copies)
        source = source[copy]
        chosen = [(parts_before, choice_before[copy]) for parts_before, choice_before in chosen]
        chosen.append((parts, first[copy] + choice))
    out.add_ragged(*gather(chosen, len(source)))


def _as_parts(part: Ints | Disjunctions) -> Disjunctions:
    """A column of literals as one part an entry."""
    if isinstance(part, Disjunctions):
        return part
    return Disjunctions(np.arange(len(part), dtype=np.int32), part, np.arange(1, len(part) + 1))


@dataclass(frozen=True, eq=False)
class _Entries:
    """A column of ``count`` clauses in literals: ``parts`` by its entries, any number of which a clause may have."""

    column: Column
    half: int
    parts: Disjunctions
    count: int

    @property
    def rows(self) -> npt.NDArray[np.intp]:
        """The clause of each entry."""
        return np.arange(self.count) if self.column.rows is None else self.column.rows.astype(np.intp)

    def several(self) -> npt.NDArray[np.int64]:
        """By clause: how many of its entries are conjunctions of several parts."""
        several = _copies(self.parts, len(self.rows)) > 1
        return np.bincount(self.rows[several], minlength=self.count)

    def bits(self) -> npt.NDArray[np.float64]:
        """By clause: the logarithm (base 2) of how many clauses its entries are if they are multiplied out."""
        weights = np.log2(np.maximum(_copies(self.parts, len(self.rows)), 1))
        return np.bincount(self.rows, weights, self.count).astype(np.float64)

    def true(self) -> npt.NDArray[np.bool_]:
        """By clause: whether an entry is true: its parts, if it has any, all have a true literal."""
        parts, entries = self.parts, len(self.rows)
        open_ended = np.ones(len(parts.entry), dtype=bool)
        open_ended[np.searchsorted(parts.ends, np.flatnonzero(parts.literals == TRUE), side="right")] = False
        true = np.ones(entries, dtype=bool)
        true[parts.entry[open_ended]] = False
        found = np.zeros(self.count, dtype=bool)
        found[self.rows[true]] = True
        return found

    def named(self, clauses: npt.NDArray[np.bool_], names: Names, out: Collector) -> _Entries:
        """With one literal for each conjunction in some ``clauses``; it implies the conjunction."""
        parts, copies = self.parts, _copies(self.parts, len(self.rows))
        entries = np.flatnonzero(clauses[self.rows] & (copies > 1))
        literals, new = names.of(self.column, self.half, entries, out)
        first = np.searchsorted(parts.entry, entries[new])
        copy, which = ranges(np.zeros_like(new), copies[entries[new]])
        implies = Disjunctions(ints(entries), -literals, np.arange(1, len(literals) + 1))
        out.add_ragged(*gather([(implies, new[copy]), (parts, first[copy] + which)], len(copy)))
        kept = np.flatnonzero(~np.isin(parts.entry, entries))
        entry = np.concatenate((parts.entry[kept], implies.entry))
        order = np.argsort(entry, kind="stable")
        before = len(parts.literals)
        ends = np.concatenate((parts.ends, before + implies.ends))
        pool = Disjunctions(entry, np.concatenate((parts.literals, literals)), ends)
        choice = np.concatenate((kept, len(parts.entry) + np.arange(len(entries))))[order]
        return replace(self, parts=Disjunctions(entry[order], *gather([(pool, choice)], len(choice))))

    def a_row_each(self, rows: npt.NDArray[np.intp]) -> list[Disjunctions]:
        """Parts with one entry a clause, of which ``rows`` are wanted: whose disjunction the column is.

        The entries of a clause that are single disjunctions are one together; each other one is in parts of its own.
        """
        parts, entry_rows = self.parts, self.rows
        if self.column.rows is None:
            return [parts]
        copies = _copies(parts, len(entry_rows))
        wanted = np.zeros(self.count, dtype=bool)
        wanted[rows] = True
        place = np.zeros(len(entry_rows), dtype=np.intp)  # 0: one together with others; 1, 2, ...: by itself
        several = np.flatnonzero((copies != 1) & wanted[entry_rows])
        before = np.searchsorted(entry_rows[several], entry_rows[several])  # the first of the same clause
        place[several] = 1 + np.arange(len(several)) - before
        single = np.flatnonzero((copies == 1) & wanted[entry_rows])
        begins = np.searchsorted(parts.entry, np.arange(len(entry_rows)))
        literals, ends = gather([(parts, begins[single])], len(single))
        last = np.searchsorted(entry_rows[single], np.arange(self.count), side="right")
        together = np.concatenate((np.zeros(1, dtype=np.int64), ends))[last]
        found = [Disjunctions(np.arange(self.count, dtype=np.int32), literals, together)]
        for number in range(1, int(place.max(initial=0)) + 1):
            own = np.flatnonzero(place == number)
            none = np.ones(self.count, dtype=bool)  # clauses without such an entry: an empty disjunction
            none[entry_rows[own]] = False
            clauses = np.concatenate((np.flatnonzero(none), np.repeat(entry_rows[own], copies[own])))
            _, part = ranges(begins[own], begins[own] + copies[own])
            literals, ends = gather([(parts, part.astype(np.intp))], len(part))
            ends = np.concatenate((np.zeros(int(none.sum()), dtype=np.int64), ends))
            pool = Disjunctions(ints(clauses), literals, ends)
            order = np.argsort(clauses, kind="stable")
            found.append(Disjunctions(pool.entry[order], *gather([(pool, order)], len(order))))
        return found


def _copies(parts: Disjunctions, count: int) -> npt.NDArray[np.int64]:
    """How many parts each of ``count`` entries has."""
    return np.bincount(parts.entry, minlength=count).astype(np.int64, copy=False)


def gather(chosen: list[tuple[Disjunctions, npt.NDArray[np.intp]]], count: int) -> tuple[Ints, npt.NDArray[np.int64]]:
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
    return column.chosen(slice(at, at + _CHUNK))
