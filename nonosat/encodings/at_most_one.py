"""At most one of the values of a variable, in several ways, each by its name.

Every way but ``pairwise`` has auxiliary Booleans, and each of these is true of a set of values: those up to some value,
those of a group, those with some binary digit. As the variable has one value, it says which of them are true. A way is
made once for each number of values that some variable has, and shifted to where the variables' Booleans are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from nonosat.csp.model import Ints, ints
from nonosat.encodings.cnf import Collector

FEW = 4
"""Groups of up to so many are stated pairwise by ``product`` and ``commander``."""

GROUP = 3
"""The size of a commander's group."""


@dataclass
class ClauseTemplate:
    """Clauses over values 1..``values`` and auxiliaries from ``values + 1`` on, in blocks of one width each.

    ``members``: for each auxiliary, of which values or auxiliaries before it it is the disjunction.
    """

    values: int
    blocks: list[Ints] = field(default_factory=list)
    members: list[Sequence[int]] = field(default_factory=list)

    def fresh(self, members: Sequence[Sequence[int]]) -> Ints:
        """New auxiliaries."""
        first = self.values + len(self.members) + 1
        self.members += members
        return np.arange(first, first + len(members), dtype=np.int32)

    def add(self, *columns: Ints) -> None:
        """Clauses, an entry of every column each."""
        self.blocks.append(ints(np.stack(columns, axis=1)))

    def sets(self) -> list[list[int]]:
        """By auxiliary: the values that it is true of, from 0."""
        found: list[list[int]] = []
        for members in self.members:
            true: set[int] = set()
            for member in members:
                true.update([member - 1] if member <= self.values else found[member - self.values - 1])
            found.append(sorted(true))
        return found


def _pairwise(x: Ints, out: ClauseTemplate) -> None:
    low, high = np.triu_indices(len(x), 1)
    out.add(-x[low], -x[high])


def _sequential(x: Ints, out: ClauseTemplate) -> None:
    """Auxiliary i: one of the first i + 1 values; what comes behind a value that is taken is not (Sinz 2005)."""
    first, values = out.values + len(out.members) + 1, x.tolist()
    s = out.fresh([values[:1], *([first + i - 1, values[i]] for i in range(1, len(x) - 1))])
    out.add(-x[:-1], s)
    out.add(-s[:-1], s[1:])
    out.add(-x[1:], -s)


def _ladder(x: Ints, out: ClauseTemplate) -> None:
    """The same auxiliaries, and a value is where they change, in both directions (Gent & Nightingale 2004)."""
    _sequential(x, out)
    s = np.arange(out.values + len(out.members) - len(x) + 2, out.values + len(out.members) + 1, dtype=np.int32)
    out.add(-s[:1], x[:1])
    out.add(-s[1:], s[:-1], x[1:-1])
    out.add(s[-1:], x[-1:])


def _product(x: Ints, out: ClauseTemplate) -> None:
    """Values in a grid: at most one row and at most one column has some (Chen 2010)."""
    if len(x) <= FEW:
        _pairwise(x, out)
        return
    width = int(np.ceil(np.sqrt(len(x))))
    row, column = np.divmod(np.arange(len(x)), width)
    for place in (row, column):
        lines = out.fresh([x[place == line].tolist() for line in range(int(place.max()) + 1)])
        out.add(-x, lines[place])
        _product(lines, out)


def _commander(x: Ints, out: ClauseTemplate) -> None:
    """At most one of each group of three, which commands then; at most one commander (Klieber & Kwon 2007)."""
    if len(x) <= FEW:
        _pairwise(x, out)
        return
    groups = [x[at : at + GROUP] for at in range(0, len(x), GROUP)]
    commanders = out.fresh([group.tolist() for group in groups])
    out.add(-x, np.repeat(commanders, [len(group) for group in groups]))
    whole = x[: len(x) // GROUP * GROUP].reshape(-1, GROUP)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        out.add(-whole[:, a], -whole[:, b])
    if len(x) % GROUP == 2:
        out.add(-x[-2:-1], -x[-1:])
    out.add(-commanders[: len(whole)], *whole.T)
    if len(x) % GROUP:
        out.add(-commanders[-1:], *(x[at : at + 1] for at in range(len(whole) * GROUP, len(x))))
    _commander(commanders, out)


def _bitwise(x: Ints, out: ClauseTemplate) -> None:
    """A value's binary digits (Prestwich 2003; Frisch et al. 2005)."""
    places = np.arange(len(x))
    for digit in range((len(x) - 1).bit_length()):
        one = (places >> digit & 1).astype(bool)
        bit = out.fresh([x[one].tolist()])
        out.add(-x, np.where(one, bit, -bit))


WAYS: dict[str, Callable[[Ints, ClauseTemplate], None]] = {
    "pairwise": _pairwise,
    "sequential": _sequential,
    "ladder": _ladder,
    "product": _product,
    "commander": _commander,
    "bitwise": _bitwise,
}


@lru_cache(maxsize=100)
def at_most_one(way: str, values: int) -> ClauseTemplate:
    """At most one of so many values."""
    out = ClauseTemplate(values)
    WAYS[way](np.arange(1, values + 1, dtype=np.int32), out)
    return out


@dataclass(frozen=True, eq=False)
class Auxiliaries:
    """How many auxiliaries each of some variables has, by its number of values; those of two values have none."""

    way: str
    values: npt.NDArray[np.int64]

    def counts(self) -> npt.NDArray[np.int64]:
        """By variable."""
        found = np.zeros(len(self.values), dtype=np.int64)
        if self.way != "pairwise":
            for number in np.unique(self.values[self.values > 2]).tolist():
                found[self.values == number] = len(at_most_one(self.way, number).members)
        return found

    def state(self, first: Ints, behind: int, out: Collector) -> None:
        """The clauses: values' Booleans are from ``first`` on, auxiliaries behind Boolean ``behind``, in order."""
        counts = self.counts()
        extra = behind + np.cumsum(counts) - counts
        for number in np.unique(self.values[self.values > 2]).tolist():
            some = np.flatnonzero(self.values == number)
            own, more = first[some, np.newaxis] - 1, extra[some, np.newaxis] - number
            for block in at_most_one(self.way, number).blocks:
                columns = []
                for literals in block.T:
                    place = np.abs(literals)
                    shifted = place + np.where(place <= number, own, more)
                    columns.append(ints(np.where(literals > 0, shifted, -shifted).reshape(-1)))
                out.add(*columns)
