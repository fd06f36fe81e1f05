"""Linear terms over integer variables, and how large their numbers may be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nonosat.csp.model import NEVER

LARGEST = -NEVER - 1
"""No value and no sum may be larger than this: what the compilers calculate with 32 bits then stays right."""


@dataclass(frozen=True, eq=False)
class Term:
    """``sum(coefficient * variable) + constant``."""

    coefficients: Mapping[int, int]
    constant: int = 0

    def times(self, factor: int) -> Term:
        """``factor`` times this."""
        return Term({v: a * factor for v, a in self.coefficients.items()}, self.constant * factor)

    def minus(self, other: Term, constant: int = 0) -> Term:
        """The difference, and ``constant``."""
        merged = dict(self.coefficients)
        for variable, coefficient in other.coefficients.items():
            merged[variable] = merged.get(variable, 0) - coefficient
        return Term(merged, self.constant - other.constant + constant)

    def key(self) -> tuple[tuple[tuple[int, int], ...], int]:
        """What equal terms have in common."""
        return tuple(sorted((v, a) for v, a in self.coefficients.items() if a)), self.constant


def total(terms: Iterable[Term]) -> Term:
    """The sum of ``terms``."""
    first, *others = sorted(terms, key=lambda term: len(term.coefficients), reverse=True) or [Term({})]
    merged, constant = dict(first.coefficients), first.constant
    for term in others:
        constant += term.constant
        for variable, coefficient in term.coefficients.items():
            merged[variable] = merged.get(variable, 0) + coefficient
    return Term(merged, constant)


def checked(*values: int) -> None:
    """OverflowError if one of ``values`` is over ``LARGEST``."""
    for value in values:
        if abs(value) > LARGEST:
            shown = str(value) if abs(value) < 10**20 else "one of over 20 digits"
            raise OverflowError(f"a number too large: {shown}; the limit is {LARGEST}")
