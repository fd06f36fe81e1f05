"""Several integer encodings in one formula, by the sizes of domains: ``order<=64,log``.

Variables of up to 64 values are by order, the others by log. Each variable's Booleans, axioms and comparisons are those
of its own encoding; in a clause over variables of several encodings each entry is what its variable's encoding makes of
it, so that nothing else is needed to tie them together. How a family is stated (by bounds, supports, memberships) is
decided entry by entry in ``csp/flatten.py``; auxiliary integers are encoded by their domains' sizes as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from nonosat.csp.model import AnyInts, Column, Ints, ints, numbers, spread
from nonosat.encodings.cnf import TRUE, Collector
from nonosat.encodings.formula import BooleanMeaning, Disjunctions, DomainMap


@dataclass(frozen=True, eq=False)
class MixedMap(DomainMap):
    """Variables of up to ``limits[i]`` values are encoded by ``members[i]``, those of more than all by the last one."""

    members: ClassVar[tuple[type[DomainMap], ...]] = ()
    limits: ClassVar[tuple[int, ...]] = ()

    @classmethod
    def chosen(cls, sizes: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
        """Which member domains of so many values have."""
        return np.searchsorted(np.array(cls.limits, dtype=np.int64), sizes)

    @classmethod
    def sizes(cls, lower: AnyInts, upper: AnyInts) -> npt.NDArray[np.int64]:
        """Booleans a variable."""
        which = cls.chosen(upper.astype(np.int64) - lower + 1)
        found = np.zeros(len(lower), dtype=np.int64)
        for number, member in enumerate(cls.members):
            some = which == number
            found[some] = member.sizes(lower[some], upper[some])
        return found

    @classmethod
    def terms(cls) -> dict[str, Any]:
        """See ``DomainMap.terms``: by the domains' sizes."""
        every = [member.terms() for member in cls.members]

        def having(word: str) -> Any:
            has = np.array([terms[word] for terms in every])
            return bool(has[0]) if (has == has[0]).all() else lambda sizes: has[cls.chosen(sizes)]

        return {word: having(word) for word in every[0]}

    @cached_property
    def _which(self) -> npt.NDArray[np.intp]:
        return self.chosen(self.upper.astype(np.int64) - self.lower + 1)

    @cached_property
    def _parts(self) -> list[tuple[npt.NDArray[np.intp], DomainMap]]:
        """By member: its variables, and the map of these."""
        behind, found = int(self.sizes(self.lower, self.upper).sum()), []
        for number, member in enumerate(self.members):
            some = np.flatnonzero(self._which == number)
            part = member.placed(self.first[some], self.lower[some], self.upper[some], behind)
            behind += part.booleans - int(member.sizes(part.lower, part.upper).sum())
            found.append((some, part))
        return found

    @cached_property
    def _places(self) -> Ints:
        """Each variable's number among those of its member."""
        places = np.empty(len(self.lower), dtype=np.int32)
        for some, _ in self._parts:
            places[some] = np.arange(len(some))
        return places

    @property
    def booleans(self) -> int:
        """Those of all members."""
        return sum(part.booleans for _, part in self._parts)

    def axioms(self, out: Collector) -> None:
        """Those of the members."""
        for _, part in self._parts:
            part.axioms(out)

    def columns(self, column: Column) -> list[Ints | Disjunctions]:
        """Each entry as its variable's member has it; where that has fewer columns than others, the rest are false."""
        which = self._which[column.variables]
        found: list[tuple[npt.NDArray[np.intp], list[Ints | Disjunctions]]] = []
        for number, (_, part) in enumerate(self._parts):
            entries = np.flatnonzero(which == number)
            if len(entries):
                some = column.chosen(entries)
                found.append((entries, part.columns(replace(some, variables=self._places[some.variables]))))
        if len(found) < 2:
            return found[0][1] if found else [ints([])]
        halves = max(len(columns) for _, columns in found)
        return [_scattered([(at, some[half : half + 1]) for at, some in found], len(which)) for half in range(halves)]

    def weighted(self, variable: int) -> list[tuple[int, int]]:
        """See ``DomainMap.weighted``."""
        _, part = self._parts[int(self._which[variable])]
        return part.weighted(int(self._places[variable]))

    def decode(self, true: npt.NDArray[np.bool_], variables: Ints) -> AnyInts:
        """See ``DomainMap.decode``."""
        values = np.empty(variables.shape, dtype=np.int64)
        for number, (_, part) in enumerate(self._parts):
            here = self._which[variables] == number
            values[here] = part.decode(true, self._places[variables[here]])
        return numbers(values)

    def meanings(self) -> Iterator[BooleanMeaning]:
        """See ``DomainMap.meanings``."""
        found: list[tuple[int, int, Sequence[int]]] = []
        for some, part in self._parts:
            names = some.tolist()
            found += [(names[variable], boolean, values) for boolean, variable, values in part.meanings()]
        for variable, boolean, values in sorted(found, key=lambda one: one[0]):
            yield boolean, variable, values

    def lines(self, names: list[str]) -> list[str]:
        """See ``DomainMap.lines``: each variable's begins with its member's word."""
        kinds = [self.members[number].kind for number in self._which.tolist()]
        plain = super().lines(names)
        return [f"{kind}{line.removeprefix(self.kind)}" for kind, line in zip(kinds, plain, strict=True)]


def _scattered(parts: list[tuple[npt.NDArray[np.intp], list[Ints | Disjunctions]]], count: int) -> Ints | Disjunctions:
    """One column of ``count`` entries of those of the members; where a member has none, its entries are false."""
    plain = [(at, column) for at, columns in parts for column in columns if isinstance(column, np.ndarray)]
    if len(plain) == sum(len(columns) for _, columns in parts):
        literals = np.full(count, -TRUE, dtype=np.int32)
        for at, column in plain:
            literals[at] = column
        return literals
    entries, widths, pool = [], [], []
    for at, columns in parts:
        some = columns[0] if columns else np.full(len(at), -TRUE, dtype=np.int32)
        if isinstance(some, np.ndarray):
            some = Disjunctions(np.arange(len(at), dtype=np.int32), some, np.arange(1, len(at) + 1))
        entries.append(at[some.entry])
        widths.append(np.diff(some.ends, prepend=0))
        pool.append(some.literals)
    entry, width, joined = np.concatenate(entries), np.concatenate(widths), np.concatenate(pool)
    order = np.argsort(entry, kind="stable")
    begins = np.cumsum(width) - width
    return Disjunctions(ints(entry[order]), joined[spread(begins[order], width[order])], np.cumsum(width[order]))


def mixed(members: Sequence[type[DomainMap]], limits: Sequence[int]) -> type[MixedMap]:
    """The class of maps by ``members``; ``limits`` ascend, and there is one less of them."""
    return type("MixedMap", (MixedMap,), {"members": tuple(members), "limits": tuple(limits)})
