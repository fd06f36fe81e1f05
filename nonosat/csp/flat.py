"""The CSP under restatement: its domains, which grow by auxiliaries, and its clauses, in terms that encodings have."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from nonosat.csp.meanings import Entry, Meanings, Means, Within
from nonosat.csp.model import CSP, Clauses, Column, Interval, Ints, at_least, at_most, distinct


class Flat:
    """The CSP under restatement: its domains, which grow by auxiliaries, and the clauses so far."""

    def __init__(self, csp: CSP, supports: bool, memberships: bool) -> None:
        self.supports, self.memberships = supports, memberships
        self.lower, self.upper = [csp.lower], [csp.upper]
        self.count = len(csp)
        self.clauses: list[Clauses] = []
        self.meanings: list[Meanings] = []

    def fresh(self, count: int, low: int = 0, high: int = 1) -> Ints:
        """``count`` new variables with the domain ``low..high``."""
        first = self.count
        self.count += count
        self.lower.append(np.full(count, low, dtype=np.int32))
        self.upper.append(np.full(count, high, dtype=np.int32))
        return np.arange(first, self.count, dtype=np.int32)

    def domain(self, variable: int) -> tuple[int, int]:
        """The domain of one variable, auxiliaries included."""
        if len(self.lower) > 1:
            self.lower, self.upper = [np.concatenate(self.lower)], [np.concatenate(self.upper)]
        return int(self.lower[0][variable]), int(self.upper[0][variable])

    def domains(self) -> tuple[Ints, Ints]:
        """All domains."""
        return np.concatenate(self.lower), np.concatenate(self.upper)

    def add(self, *columns: Column, count: int = -1) -> None:
        """Clauses. Where the encoding has no Boolean a value, a membership is two comparisons.

        A clause with one membership becomes two clauses. Where a clause has several, each is named by an auxiliary:
        k of them multiplied out would be 2**k clauses.
        """
        memberships = [column for column in columns if isinstance(column, Interval) and not column.outside]
        if memberships and not self.memberships:
            count = len(Clauses(columns, count))
            others = tuple(column for column in columns if column not in memberships)
            if len(memberships) == 1 and memberships[0].rows is None:
                self._add_halves(others, memberships[0], count)
                return
            columns = (*others, self._named(memberships))
        self.clauses.append(Clauses(columns, count))

    def _add_halves(self, others: tuple[Column, ...], membership: Interval, count: int) -> None:
        """The clauses with the one half of the membership, then those with the other."""
        lower, upper = self.domains()
        variables = membership.variables
        if (membership.low > lower[variables]).any():  # else that half is true, and all of its clauses
            self.clauses.append(Clauses((*others, at_least(variables, membership.low)), count))
        if (membership.high < upper[variables]).any():
            self.clauses.append(Clauses((*others, at_most(variables, membership.high)), count))

    def _named(self, memberships: list[Interval]) -> Column:
        """The memberships of some clauses as one column of fresh 0/1 variables, each of which implies its membership.

        One direction is enough in a clause (as in Sugar). Clauses that have the same membership share its variable; one
        that no value of the domain is in has none. All others have one, though at the end of a domain a comparison
        would do.
        """
        rows, variables, low, high = _joined(memberships)
        lower, upper = self.domains()
        some = np.flatnonzero((low <= upper[variables]) & (high >= lower[variables]))
        rows, variables, low, high = rows[some], variables[some], low[some], high[some]
        number = first = np.arange(len(some))
        if len(memberships) > 1:  # those of one column, such as "run k covers cell j", differ
            number, first = distinct(variables, low, high)
        named = self.fresh(len(first))
        self.meanings.append(Meanings(partial(_memberships, named, variables[first], low[first], high[first])))
        self.clauses.append(Clauses((at_most(named, 0), at_least(variables[first], low[first]))))
        self.clauses.append(Clauses((at_most(named, 0), at_most(variables[first], high[first]))))
        return at_least(named[number], 1, rows)


def _memberships(named: Ints, variables: Ints, low: Ints, high: Ints) -> Iterator[Entry]:
    for name, *condition in zip(*(column.tolist() for column in (named, variables, low, high)), strict=True):
        yield Means(name, [Within(*condition)])


def _joined(columns: list[Interval]) -> tuple[Ints, Ints, Ints, Ints]:
    """Columns of memberships as one, clause by clause: (clauses, variables, lowest values, highest values)."""
    rows = [np.arange(len(c.variables), dtype=np.int32) if c.rows is None else c.rows for c in columns]
    if len(columns) == 1:
        return rows[0], columns[0].variables, columns[0].low, columns[0].high
    joined = np.concatenate(
        [np.stack((row, c.variables, c.low, c.high)) for row, c in zip(rows, columns, strict=True)], 1
    )
    joined = joined[:, np.argsort(joined[0], kind="stable")]
    return joined[0], joined[1], joined[2], joined[3]
