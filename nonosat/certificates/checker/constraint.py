"""Constraints, ``sum(coefficient * literal) >= degree``: their words as numbers, their normal form, cutting planes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from nonosat.certificates.checker.claim import RefusedError
from nonosat.certificates.checker.propagation import AT_LEAST, LITERALS, NUMBER

Normal = tuple[dict[int, int], int]
"""Coefficients by literal, all above 0, at most one of each variable; the degree, from 0."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]+")
_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
"""Less than 2**31 terms with such coefficients add up to less than a third of what 64 bits hold: no sum overflows."""
_MOST = 2**60
"""What coefficients that are derived may add up to; numbers of 64 bits hold three times as much."""


class Codes(dict[str, int]):
    """Words as numbers: literals, whole numbers n as ``NUMBER + n`` (short ones are remembered), ``>=`` and ``=``.

    While it is ``open``, names that are asked for become variables; ``literals``: how many there are.
    """

    open, literals = True, 0

    def __missing__(self, text: str) -> int:
        if _INTEGER.fullmatch(text):
            return self.setdefault(text, NUMBER + int(text)) if len(text) < 4 else NUMBER + int(text)
        if not self.open:
            raise RefusedError(f"{text[:40]!r} is no known variable, and no whole number of at most 9 digits")
        self.add(text.removeprefix("~"))
        return self[text]

    def add(self, name: str) -> int:
        """The literal of a new variable."""
        if not _NAME.fullmatch(name):
            raise RefusedError(f"{name[:40]!r} is no name of a variable")
        self[name], self["~" + name] = self.literals, self.literals + 1
        self.literals += 2
        return self.literals - 2


def normal(literals: Iterable[int], coefficients: Iterable[int], degree: int) -> Normal:
    """A constraint in normal form."""
    terms: dict[int, int] = {}
    for literal, coefficient in zip(literals, coefficients, strict=False):
        if coefficient < 0:  # a x = a - a ~x
            literal, coefficient, degree = literal ^ 1, -coefficient, degree - coefficient
        both = min(coefficient, terms.get(literal ^ 1, 0))  # a x + a ~x = a
        terms[literal] = terms.get(literal, 0) + coefficient - both
        terms[literal ^ 1] = terms.get(literal ^ 1, 0) - both
        degree -= both
    return {literal: coefficient for literal, coefficient in terms.items() if coefficient}, max(degree, 0)


def written(terms: dict[int, int], degree: int) -> list[int]:
    """The codes of the words of a constraint, ``1 aa 2 ~bb >= 3``."""
    return [code for literal, a in terms.items() for code in (NUMBER + a, literal)] + [AT_LEAST, NUMBER + degree]


def derived(words: list[str], codes: Codes, constraint: Callable[[str], Normal]) -> list[int]:
    """Cutting planes, in reverse Polish notation, ``1 2 + 3 d s``.

    Operands: numbers of constraints, literals (which are at least 0); ``+``, ``N *``, ``N d`` (divide and round up),
    ``s`` (saturate: no coefficient above the degree), ``NAME w`` (weaken: without the variable).
    """
    stack: list[Normal] = []
    todo = words[::-1]
    while todo:
        word = todo.pop()
        operator = todo.pop() if todo and todo[-1] in ("*", "d", "w") else word  # behind its argument
        if operator not in ("+", "s", "*", "d", "w"):
            stack.append(({codes[word]: 1}, 0) if 0 <= codes[word] < LITERALS else constraint(word))
            continue
        if len(stack) < 1 + (operator == "+"):
            raise RefusedError("an operator has too few operands")
        terms, degree = stack.pop()
        if operator == "+":
            others, other = stack.pop()
            terms, degree = normal([*terms, *others], [*terms.values(), *others.values()], degree + other)
        elif operator == "s":
            terms = {x: min(a, degree) for x, a in terms.items() if degree}
        elif operator == "w":
            degree = max(degree - terms.pop(codes[word], 0) - terms.pop(codes["~" + word], 0), 0)
        elif (number := codes[word] - NUMBER) < 1:
            raise RefusedError(f"{word} is no number to {'multiply' if operator == '*' else 'divide'} by")
        elif operator == "*":
            terms, degree = {x: a * number for x, a in terms.items()}, degree * number
        else:
            terms, degree = {x: -(-a // number) for x, a in terms.items()}, -(-degree // number)
        stack.append((terms, degree))
    if len(stack) != 1:
        raise RefusedError(f"{len(stack)} constraints are left, there should be one")
    if max(stack[0][1], sum(stack[0][0].values())) > _MOST:
        raise RefusedError("its coefficients add up to more than 2**60")
    return written(*stack[0])
