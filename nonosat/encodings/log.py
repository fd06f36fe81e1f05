"""The log encoding: the binary digits of ``v - lower``.

Sources: Iwama & Miyazaki, *SAT-variable complexity of hard combinatorial problems* (1994); Walsh, *SAT v CSP* (2000).
A comparison with a constant is a conjunction of clauses over the digits (the usual digit-by-digit one); a clause of up
to three of these is multiplied out, and in a larger one each has an auxiliary (``expand.py``). A variable of two values
is one Boolean, true at the lower one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nonosat.csp.flatten import RUN
from nonosat.csp.model import CSP, AnyInts, Clauses, Column, Comparison, Ints, at_most, ints, numbers, ranges
from nonosat.encodings.cnf import TRUE, Collector
from nonosat.encodings.expand import Names, compiled_by, expand
from nonosat.encodings.formula import BooleanMeaning, Disjunctions, DomainMap, Formula


@dataclass(frozen=True, eq=False)
class LogMap(DomainMap):
    """Log-encoded domains: ``first[v] + t`` is digit t (of weight ``2**t``) of ``v - lower[v]``."""

    kind = "log"

    @staticmethod
    def sizes(lower: AnyInts, upper: AnyInts) -> npt.NDArray[np.int64]:
        """Booleans a variable: the digits of ``upper - lower``."""
        span = upper.astype(np.int64) - lower
        digits: npt.NDArray[np.int64] = np.frexp(span.astype(np.float64))[1].astype(np.int64)
        if span.max(initial=0) >= 2**53:  # rounded up to a power of two, it has a digit more
            digits -= (span >> np.maximum(digits - 1, 0)) == 0
            digits[span == 0] = 0
        return digits

    def axioms(self, out: Collector) -> None:
        """``v <= upper``, for domains whose size is no power of two."""
        values = self.upper.astype(np.int64) - self.lower + 1
        open_ended = np.flatnonzero(values & (values - 1)).astype(np.int32)
        if len(open_ended):
            digits = self.sizes(self.lower, self.upper)
            wide = LogMap(self.first, self.lower, numbers(self.lower + ~(np.int64(-1) << digits)))
            expand(Clauses((at_most(open_ended, self.upper[open_ended]),)), wide, out, Names())

    def columns(self, column: Column) -> list[Ints | Disjunctions]:
        """A comparison is one part a digit that decides it; a value's negation one disjunction of digits."""
        variables = column.variables
        low, high = self.lower[variables], self.upper[variables]
        if isinstance(column, Comparison):
            bounds = column.bounds - 1 if column.at_least else column.bounds
            if (high - low <= 1).all():
                literals = self.first[variables].copy()
                literals[bounds >= high] = TRUE
                literals[bounds < low] = -TRUE
                return [-literals if column.at_least else literals]
            return [self._compare(variables, bounds, column.at_least)]
        assert column.outside  # flattening leaves no other
        first, last = np.maximum(low, column.low), np.minimum(high, column.high)
        wide = last - first >= RUN
        entry, value = ranges(first, np.where(wide, first, last + 1))
        narrow = self._unequal(entry, variables[entry], value)
        if not wide.any():
            return [narrow]
        at = np.flatnonzero(wide)  # two comparisons, and the other entries are false in the second
        below = self._compare(variables[at], column.low[at] - 1, False)
        others = np.flatnonzero(~wide)
        false = Disjunctions(ints(others), np.full(len(others), -TRUE), np.arange(1, len(others) + 1))
        above = self._compare(variables[at], column.high[at], True)
        return [_joined(narrow, below, at), _joined(false, above, at)]

    def _compare(self, variables: Ints, bounds: AnyInts, more: bool) -> Disjunctions:
        """``v <= bound``: for each digit 0 of the bound, v's is 0, or v has a 0 above where the bound has a 1.

        ``more``: the negation, ``v > bound``: with bound + 1 and 0 and 1 exchanged.
        """
        low, high = self.lower[variables], self.upper[variables]
        constant = (bounds >= high) | (bounds < low)
        width = int(self.sizes(self.lower, self.upper).max())
        digits = self.sizes(low, high)
        target = np.where(constant, 0, bounds - low + more).astype(np.int64)
        weights = np.arange(width)
        ones = (target[:, None] >> weights) & 1 == (0 if more else 1)  # where v may win by differing
        real = weights < digits[:, None]
        part_entry, digit = np.nonzero(real & ~ones & ~constant[:, None])
        used = (weights >= digit[:, None]) & real[part_entry] & (ones[part_entry] | (weights == digit[:, None]))
        part, place = np.nonzero(used)
        literals = self._digit(variables[part_entry[part]], place)
        literals = literals if more else -literals
        truth = np.where((bounds >= high) != more, TRUE, -TRUE)
        return _with_constant(part_entry, literals, used.sum(axis=1), constant, truth)

    def _unequal(self, entry: npt.NDArray[np.intp], variables: Ints, values: AnyInts) -> Disjunctions:
        """``v != value``: some digit differs."""
        digits = self.sizes(self.lower[variables], self.upper[variables])
        which, place = ranges(np.zeros_like(digits), digits)
        bit = ((values - self.lower[variables])[which] >> place) & 1
        literals = self._digit(variables[which], place)
        return Disjunctions(
            entry.astype(np.int32), np.where(bit == 1, -literals, literals).astype(np.int32), np.cumsum(digits)
        )

    def _digit(self, variables: Ints, place: AnyInts) -> Ints:
        """The literals "digit ``place`` is 1"; a lone digit is true at the lower value."""
        two = self.upper[variables] - self.lower[variables] == 1
        return ints(np.where(two, -self.first[variables], self.first[variables] + place))

    def meanings(self) -> Iterator[BooleanMeaning]:
        """See ``DomainMap.meanings``."""
        for variable, (first, low, high) in enumerate(self.domains()):
            if high - low == 1:
                yield first, variable, range(low, high)
            else:
                for digit in range((high - low).bit_length()):
                    yield first + digit, variable, [v for v in range(low, high + 1) if (v - low) >> digit & 1]

    def weighted(self, variable: int) -> list[tuple[int, int]]:
        """See ``DomainMap.weighted``: the digits."""
        first, span = int(self.first[variable]), int(self.upper[variable]) - int(self.lower[variable])
        return [(1, -first)] if span == 1 else [(1 << t, first + t) for t in range(span.bit_length())]

    def decode(self, true: npt.NDArray[np.bool_], variables: Ints) -> AnyInts:
        """See ``DomainMap.decode``."""
        low, high, first = self.lower[variables], self.upper[variables], self.first[variables]
        digits = self.sizes(low, high)
        value = np.zeros(variables.shape, dtype=np.int64)
        for place in range(int(digits.max(initial=0))):
            there = place < digits
            value[there] += true[(first + place)[there]].astype(np.int64) << place
        return numbers(np.where(high - low == 1, high - value, low + value))


def _joined(one: Disjunctions, other: Disjunctions, at: npt.NDArray[np.intp]) -> Disjunctions:
    """The parts of a column's entries, and those of some more of its entries, ``at``."""
    entry = np.concatenate((one.entry, at[other.entry]))
    width = np.concatenate((np.diff(one.ends, prepend=0), np.diff(other.ends, prepend=0)))
    pool = np.concatenate((one.literals, other.literals))
    order = np.argsort(entry, kind="stable")
    ends = np.cumsum(width)
    _, origin = ranges((ends - width)[order], ends[order])
    return Disjunctions(ints(entry[order]), ints(pool[origin]), np.cumsum(width[order]))


def _with_constant(
    entry: npt.NDArray[np.intp],
    literals: Ints,
    widths: npt.NDArray[np.int64],
    constant: npt.NDArray[np.bool_],
    truth: npt.NDArray[np.int32],
) -> Disjunctions:
    """The parts of the open entries, and one with ``truth`` for each that is constant, in the entries' order."""
    extra = np.flatnonzero(constant)
    order = np.argsort(np.concatenate((entry, extra)), kind="stable")
    all_widths = np.concatenate((widths, np.ones(len(extra), dtype=np.int64)))
    ends = np.cumsum(all_widths)
    pool = np.concatenate((literals, truth[extra])).astype(np.int32)
    _, origin = ranges((ends - all_widths)[order], ends[order])
    return Disjunctions(
        np.concatenate((entry, extra))[order].astype(np.int32), pool[origin], np.cumsum(all_widths[order])
    )


def compile_log(csp: CSP) -> Formula:
    """The CNF whose models are the solutions of ``csp``, by the log encoding."""
    return compiled_by(LogMap, csp)
