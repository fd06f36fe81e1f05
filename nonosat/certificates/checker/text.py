"""Texts to constraints in normal form: ``sum(coefficient * literal) >= degree``, all coefficients above 0.

A literal is a number: 2v for variable v, 2v + 1 for its negation, so that ``literal ^ 1`` is the other one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from nonosat.errors import NonosatError

Normal = tuple[dict[int, int], int]
"""Coefficients by literal, at most one of each variable; the degree, from 0."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]+")
_INTEGER = re.compile(r"[+-]?[0-9]{1,1000}")


class RefusedError(NonosatError):
    """A proof, or the statement that it is over, is not accepted: why, and at which line (from 1)."""

    def __init__(self, reason: str, line: int | None = None, what: str = "proof") -> None:
        self.reason, self.line, self.what = reason, line, what
        super().__init__(f"{what}: {reason}" if line is None else f"{what}, line {line}: {reason}")


class Names:
    """The literals by their texts."""

    def __init__(self) -> None:
        self.literals: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.literals) // 2

    def add(self, name: str) -> int:
        """The literal of a new variable."""
        if not _NAME.fullmatch(name):
            raise RefusedError(f"{name[:40]!r} is no name of a variable")
        literal = len(self.literals)
        self.literals[name], self.literals["~" + name] = literal, literal + 1
        return literal

    def of(self, texts: Iterable[str]) -> list[int]:
        """The literals of known variables."""
        try:
            return [self.literals[text] for text in texts]
        except KeyError as error:
            raise RefusedError(f"unknown variable {str(error.args[0])[:40]!r}") from None


def integer(text: str) -> int:
    """A whole number as the formats write it; Python would take more."""
    if not _INTEGER.fullmatch(text):
        raise RefusedError(f"{text[:40]!r} is no whole number")
    return int(text)


def normal(terms: Iterable[tuple[int, int]], degree: int) -> Normal:
    """Terms (coefficient, literal) in normal form."""
    net: dict[int, int] = {}
    for coefficient, literal in terms:
        if literal & 1:  # c ~x = c - c x
            coefficient, literal, degree = -coefficient, literal ^ 1, degree - coefficient
        net[literal] = net.get(literal, 0) + coefficient
    found = {}
    for literal, coefficient in net.items():
        if coefficient > 0:
            found[literal] = coefficient
        elif coefficient < 0:  # c x = c - c ~x
            found[literal ^ 1] = -coefficient
            degree -= coefficient
    return found, max(degree, 0)


def read_terms(tokens: list[str], names: Names) -> tuple[list[tuple[int, int]], str, int]:
    """``1 aa -2 ~bb >= 3 ;``: the terms, the relation, the degree. Its variables are known."""
    if len(tokens) < 3 or len(tokens) % 2 == 0 or tokens[-1] != ";" or tokens[-3] not in (">=", "="):
        raise RefusedError("no constraint (COEFFICIENT NAME ... >= DEGREE ;)")
    literals = names.of(tokens[1:-3:2])
    return list(zip(map(integer, tokens[0:-3:2]), literals, strict=True)), tokens[-3], integer(tokens[-2])


def read_normal(tokens: list[str], names: Names) -> Normal:
    """A constraint of a proof, which is a ``>=``, in normal form."""
    if tokens[-3:] == [">=", "1", ";"] and tokens.count("1") * 2 == len(tokens) - 1:  # a clause, as most are
        literals = names.of(tokens[1:-3:2])
        if len({literal >> 1 for literal in literals}) == len(literals) == (len(tokens) - 3) // 2:
            return dict.fromkeys(literals, 1), 1
    terms, relation, degree = read_terms(tokens, names)
    if relation == "=":
        raise RefusedError("a step is no equality")
    return normal(terms, degree)
