"""Texts to constraints: ``sum(coefficient * literal) >= degree``.

A literal is a number: 2v for variable v, 2v + 1 for its negation, so that ``literal ^ 1`` is the other one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from nonosat.certificates.checker.claim import RefusedError

Normal = tuple[dict[int, int], int]
"""Coefficients by literal, all above 0, at most one of each variable; the degree, from 0."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]+")
_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
"""Less than 2**31 terms with such coefficients add up to less than a third of what 64 bits hold: no sum overflows."""


class Names(dict[str, int]):
    """The literals by their texts. While it is ``open``, names that are asked for become variables."""

    open = True

    def __missing__(self, text: str) -> int:
        if not self.open:
            raise RefusedError(f"unknown variable {text[:40]!r}")
        self.add(text.removeprefix("~"))
        return self[text]

    def add(self, name: str) -> int:
        """The literal of a new variable."""
        if not _NAME.fullmatch(name):
            raise RefusedError(f"{name[:40]!r} is no name of a variable")
        literal = len(self)
        self[name], self["~" + name] = literal, literal + 1
        return literal

    def of(self, texts: Iterable[str]) -> list[int]:
        """The literals."""
        return list(map(self.__getitem__, texts))


class _Integers(dict[str, int]):
    """Whole numbers as the formats write them (Python would take more); short ones are remembered."""

    def __missing__(self, text: str) -> int:
        if not _INTEGER.fullmatch(text):
            raise RefusedError(f"{text[:40]!r} is no whole number of at most 9 digits")
        return self.setdefault(text, int(text)) if len(text) < 4 else int(text)


integer = _Integers().__getitem__


def read(words: list[str], names: Names) -> tuple[list[int], list[int], int, bool]:
    """``1 aa -2 ~bb >= 3``: literals, coefficients, degree, and whether it says ``=``."""
    if len(words) < 2 or len(words) % 2 or words[-2] not in (">=", "="):
        raise RefusedError("no constraint (COEFFICIENT NAME ... >= DEGREE ;)")
    return names.of(words[1:-2:2]), list(map(integer, words[:-2:2])), integer(words[-1]), words[-2] == "="


def normal(literals: Iterable[int], coefficients: Iterable[int], degree: int) -> Normal:
    """A constraint in normal form."""
    terms: dict[int, int] = {}
    for literal, coefficient in zip(literals, coefficients, strict=True):
        if coefficient < 0:  # a x = a - a ~x
            literal, coefficient, degree = literal ^ 1, -coefficient, degree - coefficient
        both = min(coefficient, terms.get(literal ^ 1, 0))  # a x + a ~x = a
        terms[literal] = terms.get(literal, 0) + coefficient - both
        terms[literal ^ 1] = terms.get(literal ^ 1, 0) - both
        degree -= both
    return {literal: coefficient for literal, coefficient in terms.items() if coefficient}, max(degree, 0)
