"""Cutting planes: what a line ``pol ...`` derives, in reverse Polish notation."""

from __future__ import annotations

from collections.abc import Callable

from nonosat.certificates.checker.text import Names, Normal, RefusedError, integer, normal


def derived(tokens: list[str], names: Names, constraint: Callable[[int], Normal]) -> Normal:
    """``1 2 + 3 d s``: numbers of constraints, literals (at least 0), ``+``, ``N *``, ``N d``, ``s``, ``NAME w``."""
    stack: list[Normal] = []
    at = 0
    try:
        while at < len(tokens):
            token, following = tokens[at], tokens[at + 1 : at + 2]
            at += 1
            if following in (["*"], ["d"], ["w"]):
                at += 1
                stack.append(_changed(stack.pop(), following[0], token, names))
            elif token == "+":
                stack.append(_added(stack.pop(), stack.pop()))
            elif token == "s":
                terms, degree = stack.pop()
                stack.append(({x: min(a, degree) for x, a in terms.items()} if degree else {}, degree))
            elif token in names.literals:
                stack.append(({names.literals[token]: 1}, 0))
            else:
                stack.append(constraint(integer(token)))
    except IndexError:
        raise RefusedError("an operator has too few operands") from None
    if len(stack) != 1:
        raise RefusedError(f"{len(stack)} constraints are left, there should be one")
    return stack[0]


def _added(one: Normal, other: Normal) -> Normal:
    terms = [(coefficient, literal) for terms, _ in (one, other) for literal, coefficient in terms.items()]
    return normal(terms, one[1] + other[1])


def _changed(operand: Normal, operator: str, argument: str, names: Names) -> Normal:
    """A constraint times a number, divided by one (rounded up), or weakened: without a variable."""
    terms, degree = operand
    if operator == "w":
        [literal] = names.of([argument])
        left = degree - terms.get(literal, 0) - terms.get(literal ^ 1, 0)
        return {x: a for x, a in terms.items() if x | 1 != literal | 1}, max(left, 0)
    number = integer(argument)
    if number < 1:
        raise RefusedError(f"{number} is no number to {'multiply' if operator == '*' else 'divide'} by")
    if operator == "*":
        return {x: a * number for x, a in terms.items()}, degree * number
    return {x: -(-a // number) for x, a in terms.items()}, -(-degree // number)
