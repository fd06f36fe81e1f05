"""Constraints, ``sum(coefficient * literal) >= degree``: their words as numbers, their normal form, cutting planes."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable

from nonosat.certificates.checker import RefusedError
from nonosat.certificates.checker import propagation as inner
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

    While it is ``open``, unknown names become variables; ``literals``: how many there are.
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


# The constraints of a proof by their numbers. Steps wait until there are thousands, and are taken at one go.


_REASONS = {
    inner.NOT_IMPLIED: "propagation does not show that it follows",
    inner.NO_SOLUTION: "it is no solution, or one that was named before",
    inner.OPEN: "what it lists leaves variables of the statement open",
    inner.NOT_THERE: "there is no such constraint any more, or none that could be deleted",
    inner.MALFORMED: "no constraint (COEFFICIENT NAME ... >= DEGREE ;), or one with a variable twice",
}
_BATCH = 2**13


class ConstraintDatabase:
    """All constraints, ``count`` of them; ``kept``: the lines of deletions that were not carried out."""

    def __init__(self, codes: Codes) -> None:
        self.codes, self.count, self.kept = codes, 0, list[int]()
        self.state = inner.State(*(array(kind, [0] * 6) for kind in "qbiiii"), *(array(k, [0]) for k in "ibqiiqii"))
        self._clean = self.state._replace(n=array("q", [0] * 6), true=array("b"), cause=array("i"), trail=array("i"))
        self.state.end[0] = 1  # place 0 is none
        self._steps, self._lines = array("q"), array("q")

    def step(self, line: int, what: int, numbers: list[int]) -> None:
        """A step as ``inner.run`` takes it."""
        self._steps.fromlist([what, len(numbers), *numbers])
        self._lines.append(line)
        if len(self._lines) >= _BATCH and what != inner.HINTS:
            self.run()

    def add(self, line: int, kind: int, codes: list[int]) -> None:
        """A step that adds a constraint: an AXIOM, RUP (by the hints before), or what leaves a SOLUTION out."""
        self.count += 1
        self.step(line, kind, codes)

    def run(self) -> None:
        """Take all steps that wait. RefusedError: one does not hold."""
        steps, lines, results = self._steps, self._lines, array("b", bytes(len(self._lines)))
        state, clean = self.grown(self.state), self.grown(self._clean)
        self._steps, self._lines = array("q"), array("q")
        done = inner.run(state, clean, steps, results)
        self.kept += [line for line, result in zip(lines, results, strict=True) if result == inner.NOT_DELETED]
        if done < len(lines):
            raise RefusedError(_REASONS[results[done]], lines[done])

    def grown(self, state: inner.State) -> inner.State:
        """The columns, all as long as they must be for the steps that wait."""
        places = state.end[self.state.n[inner.COUNT]] + len(self._steps) // 2
        lengths = [0] + [self.codes.literals] * 5 + [self.count + 1] * 4 + [places] * 4
        for column, length in zip(state, lengths, strict=True):
            column.frombytes(bytes(column.itemsize * max(length - len(column), 0)))
        return state

    def number(self, word: str) -> int:
        """The number of a constraint, given directly or counted from the end (-1 is the last)."""
        written = self.codes[word] - inner.NUMBER  # far below 0 if it is no whole number
        if not 0 < (number := written if written >= 0 else self.count + 1 + written) <= self.count:
            raise RefusedError(f"there is no constraint {word}, or none that could be deleted")
        return number

    def constraint(self, word: str) -> Normal:
        """A constraint that is in force."""
        self.run()
        at, state = self.number(word), self.state
        if state.status[at] == inner.DELETED:
            raise RefusedError(f"there is no constraint {word} any more")
        places = slice(state.end[at - 1], state.end[at])
        return normal(state.literal[places], state.coefficient[places], state.degree[at])
