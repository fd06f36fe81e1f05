"""The constraints of a proof by their numbers. Steps wait until there are thousands, and are taken at one go."""

from __future__ import annotations

from array import array

from nonosat.certificates.checker import propagation as inner
from nonosat.certificates.checker.claim import RefusedError
from nonosat.certificates.checker.constraint import Codes, Normal, normal

_REASONS = {
    inner.NOT_IMPLIED: "propagation does not show that it follows",
    inner.NO_SOLUTION: "it is no solution, or one that was named before",
    inner.OPEN: "what it lists leaves variables of the statement open",
    inner.NOT_THERE: "there is no such constraint any more, or none that could be deleted",
    inner.MALFORMED: "no constraint (COEFFICIENT NAME ... >= DEGREE ;), or one with a variable twice",
}
_BATCH = 2**13


class Database:
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
        """The number of a constraint that is told by it, or counted from the end (-1 is the last)."""
        told = self.codes[word] - inner.NUMBER  # far below 0 if it is no whole number
        if not 0 < (number := told if told >= 0 else self.count + 1 + told) <= self.count:
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
