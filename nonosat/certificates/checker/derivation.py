"""Cutting planes: what a line ``pol ...`` derives, in reverse Polish notation; and the opposite of a constraint."""

from __future__ import annotations

from collections.abc import Callable

from nonosat.certificates.checker.claim import RefusedError
from nonosat.certificates.checker.text import Names, Normal, integer, normal

MOST = 2**60
"""What coefficients may add up to; numbers of 64 bits hold three times as much."""


def derived(words: list[str], names: Names, constraint: Callable[[int], Normal]) -> Normal:
    """``1 2 + 3 d s``: numbers of constraints, literals (at least 0), ``+``, ``N *``, ``N d``, ``s``, ``NAME w``."""
    stack: list[Normal] = []
    todo = words[::-1]
    try:
        while todo:
            word = todo.pop()
            if todo and todo[-1] in "*dw":
                stack.append(_changed(stack.pop(), todo.pop(), word, names))
            elif word == "+":
                (terms, degree), (others, other) = stack.pop(), stack.pop()
                stack.append(normal([*terms, *others], [*terms.values(), *others.values()], degree + other))
            elif word == "s":
                terms, degree = stack.pop()
                stack.append(({x: min(a, degree) for x, a in terms.items() if degree}, degree))
            else:
                stack.append(({names[word]: 1}, 0) if word in names else constraint(integer(word)))
    except IndexError:
        raise RefusedError("an operator has too few operands") from None
    if len(stack) != 1:
        raise RefusedError(f"{len(stack)} constraints are left, there should be one")
    if max(stack[0][1], sum(stack[0][0].values())) > MOST:
        raise RefusedError("its coefficients add up to more than 2**60")
    return stack[0]


def _changed(operand: Normal, operator: str, argument: str, names: Names) -> Normal:
    """A constraint times a number, divided by one (rounded up), or weakened: without a variable."""
    terms, degree = operand
    if operator == "w":
        literal = names[argument] & ~1
        left = degree - terms.get(literal, 0) - terms.get(literal + 1, 0)
        return {x: a for x, a in terms.items() if x & ~1 != literal}, max(left, 0)
    number = integer(argument)
    if number < 1:
        raise RefusedError(f"{number} is no number to {'multiply' if operator == '*' else 'divide'} by")
    if operator == "*":
        return {x: a * number for x, a in terms.items()}, degree * number
    return {x: -(-a // number) for x, a in terms.items()}, -(-degree // number)


def opposite(constraint: Normal) -> Normal:
    """What holds if the constraint does not."""
    terms, degree = constraint
    return {x ^ 1: a for x, a in terms.items()}, max(sum(terms.values()) - degree + 1, 0)
