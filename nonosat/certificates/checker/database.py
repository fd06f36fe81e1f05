"""The constraints of a proof by their numbers. Steps wait until there are thousands, and are taken at one go."""

from __future__ import annotations

from array import array

from nonosat.certificates.checker import propagation as inner
from nonosat.certificates.checker.claim import RefusedError
from nonosat.certificates.checker.text import Names, Normal, normal

_REASONS = {
    inner.NOT_IMPLIED: "propagation does not show that it follows",
    inner.NO_SOLUTION: "it is no solution, or one that was named before",
    inner.OPEN: "what it lists leaves variables of the statement open",
    inner.BROKEN: "it breaks a constraint of the statement",
    inner.NOT_THERE: "there is no constraint {} that could be deleted",
}
_BATCH = 2**13


class Database:
    """All constraints; ``kept``: the lines of deletions that were not carried out."""

    def __init__(self, names: Names) -> None:
        self.names, self.kept = names, list[int]()
        self._state = inner.State(*(array(kind, [0] * 6) for kind in "qbiiii"), *(array(k, [0]) for k in "iqqbqqiqii"))
        self._state.end[0] = 1  # place 0 is none
        self._steps, self._lines = array("q"), array("q")

    def __len__(self) -> int:
        return len(self._state.end) - 1

    def add(self, line: int, kind: int, literals: list[int], coefficients: list[int], degree: int) -> None:
        """A step that adds a constraint: an AXIOM, RUP, or what leaves a SOLUTION out."""
        state = self._state
        if len({literal >> 1 for literal in literals}) < len(literals):
            terms, degree = normal(literals, coefficients, degree)
            literals, coefficients = list(terms), list(terms.values())
        state.literal.fromlist(literals)
        state.coefficient.fromlist(coefficients)
        state.end.append(len(state.literal))
        state.degree.append(degree)
        state.status.append(kind)
        self.step(line, 0)

    def put(self, line: int, constraint: Normal) -> None:
        """A step that adds a constraint which follows."""
        terms, degree = constraint
        self.add(line, inner.AXIOM, list(terms), list(terms.values()), degree)

    def step(self, line: int, deletes: int) -> None:
        """The next constraint (0), or the deletion of one."""
        self._steps.append(deletes)
        self._lines.append(line)
        if len(self._lines) == _BATCH:
            self.run()

    def run(self) -> None:
        """Take all steps that wait. RefusedError: one does not hold."""
        steps, lines, results = self._steps, self._lines, array("b", bytes(len(self._steps)))
        if not steps:
            return
        self._steps, self._lines = array("q"), array("q")
        done = inner.run(self.view(), *map(inner.view, (steps, results)))
        self.kept += [line for line, result in zip(lines, results, strict=True) if result == inner.NOT_DELETED]
        if done < len(steps):
            raise RefusedError(_REASONS[results[done]].format(steps[done]), lines[done])

    def view(self) -> inner.State:
        """The columns, all as long as those that have been written to."""
        state, literals, numbers, places = self._state, len(self.names), len(self._state.end), len(self._state.literal)
        if places >= 2**31:
            raise RefusedError("more than 2**31 terms")
        lengths = {"true": literals, "occurs": literals, "watched": literals, "cause": literals, "trail": literals}
        lengths |= {"next_watch": 2 * numbers, "slack": numbers, "largest": numbers}
        lengths |= {"owner": places, "next_place": places}
        for name, length in lengths.items():
            column = getattr(state, name)
            column.frombytes(bytes(column.itemsize * max(length - len(column), 0)))
        return inner.State(*map(inner.view, state))

    def begin(self) -> None:
        """What there is so far is the statement."""
        self.run()
        self._state.n[inner.STATED], self._state.n[inner.VARIABLES] = len(self), len(self.names) // 2

    def constraint(self, number: int) -> Normal:
        """Constraint number ``number``; -1 is the last."""
        self.run()
        at, state = number if number >= 0 else len(self) + 1 + number, self._state
        if not 0 < at <= len(self) or state.status[at] not in (inner.HELD, inner.FIXED):
            raise RefusedError(f"there is no constraint {number}")
        places = slice(state.end[at - 1], state.end[at])
        return normal(state.literal[places], state.coefficient[places], state.degree[at])
