"""Constraints, and what unit propagation makes of them.

Propagation: where the largest sum that a constraint can still reach is its degree and *slack* more, each literal whose
coefficient is above the slack must be true; a slack below 0 is a conflict. Clauses (all coefficients and the degree 1)
do it by two watched literals. What is settled without assumptions, at the *root*, stays settled.
"""

from __future__ import annotations

from collections.abc import Iterable

from nonosat.certificates.checker.text import Normal

Held = list[int] | int
"""A clause, its watched literals first, or the number of a sum."""


class Database:
    """All constraints that are in force."""

    def __init__(self) -> None:
        self.dead = False  # a conflict at the root: everything follows
        self._true = bytearray()
        self._cause: list[Held | None] = []
        self._watching: list[list[list[int]]] = []
        self._occurs: list[list[tuple[int, int]]] = []
        self._sums: list[Normal] = []
        self._slack: list[int] = []
        self._largest: list[int] = []
        self._trail: list[int] = []
        self._head = 0

    def grow(self, variables: int) -> None:
        """Make room for that many variables in all."""
        more = variables - len(self._cause)
        self._true.extend(bytes(2 * more))
        self._cause.extend([None] * more)
        self._watching.extend([] for _ in range(2 * more))
        self._occurs.extend([] for _ in range(2 * more))

    def add(self, constraint: Normal) -> Held:
        """Put a constraint in force."""
        terms, degree = constraint
        held: Held
        if degree == 1 and all(coefficient == 1 for coefficient in terms.values()):
            held = sorted(terms, key=lambda literal: self._true[literal ^ 1])  # those that are not false first
            conflict = self._watch(held)
        else:
            held = self._attach(constraint)
            conflict = self._scan(held)
        self.dead = self.dead or conflict or self._propagate()
        return held

    def constraint(self, held: Held) -> Normal:
        """What was put in force."""
        return self._sums[held] if isinstance(held, int) else (dict.fromkeys(held, 1), 1)

    def remove(self, held: Held) -> bool:
        """Take a constraint out of force. False: something at the root rests on it, so it stays."""
        terms = self.constraint(held)[0]
        causes = [self._cause[literal >> 1] for literal in terms if self._true[literal]]
        if any(cause is held or (isinstance(cause, int) and cause == held) for cause in causes):
            return False
        if isinstance(held, int):
            self._detach(held)
        else:
            held.clear()  # those that watch it see that
        return True

    def implied(self, constraint: Normal) -> bool:
        """Whether propagation finds a conflict in all constraints and the negation of this one (RUP)."""
        terms, degree = constraint
        if self.dead or not degree:
            return True
        mark, negation = len(self._trail), None
        if all(coefficient >= degree for coefficient in terms.values()):  # then none of the literals is true
            conflict = not self._assume(literal ^ 1 for literal in terms) or self._propagate()
        else:
            opposite = {literal ^ 1: coefficient for literal, coefficient in terms.items()}
            negation = self._attach((opposite, sum(terms.values()) - degree + 1))
            conflict = self._scan(negation) or self._propagate()
        self._undo(mark)
        if negation is not None:
            self._detach(negation)
            for column in (self._sums, self._slack, self._largest):
                column.pop()
        return conflict

    def extended(self, literals: Iterable[int]) -> bytes | None:
        """What is true (an entry a literal) if these are, by propagation; None: a conflict."""
        if self.dead:
            return None
        mark = len(self._trail)
        found = None if not self._assume(literals) or self._propagate() else bytes(self._true)
        self._undo(mark)
        return found

    def _watch(self, clause: list[int]) -> bool:
        """Watch a new clause, at the root. True: a conflict."""
        for literal in clause[:2] if len(clause) > 1 else ():
            self._watching[literal].append(clause)
        if not clause or self._true[clause[0] ^ 1]:
            return True
        if (len(clause) == 1 or self._true[clause[1] ^ 1]) and not self._true[clause[0]]:
            self._assign(clause[0], clause)
        return False

    def _attach(self, constraint: Normal) -> int:
        """A new sum. All that is true has been propagated."""
        terms, degree = constraint
        number, slack = len(self._sums), -degree
        for literal, coefficient in terms.items():
            self._occurs[literal].append((number, coefficient))
            if not self._true[literal ^ 1]:
                slack += coefficient
        self._sums.append(constraint)
        self._slack.append(slack)
        self._largest.append(max(terms.values(), default=0))
        return number

    def _detach(self, number: int) -> None:
        for literal, coefficient in self._sums[number][0].items():
            self._occurs[literal].remove((number, coefficient))

    def _assign(self, literal: int, cause: Held) -> None:
        self._true[literal] = 1
        self._cause[literal >> 1] = cause
        self._trail.append(literal)

    def _assume(self, literals: Iterable[int]) -> bool:
        """Make literals true. False: one of them is false."""
        for literal in literals:
            if self._true[literal ^ 1]:
                return False
            if not self._true[literal]:
                self._true[literal] = 1
                self._trail.append(literal)
        return True

    def _undo(self, mark: int) -> None:
        """Forget what became true behind ``mark``, and what its propagation did to the slacks."""
        for literal in self._trail[mark : self._head]:
            for number, coefficient in self._occurs[literal ^ 1]:
                self._slack[number] += coefficient
        for literal in self._trail[mark:]:
            self._true[literal] = 0
        del self._trail[mark:]
        self._head = mark

    def _scan(self, number: int) -> bool:
        """Make true what a sum asks for. True: a conflict."""
        slack, true = self._slack[number], self._true
        if 0 <= slack < self._largest[number]:
            for literal, coefficient in self._sums[number][0].items():
                if coefficient > slack and not true[literal] and not true[literal ^ 1]:
                    self._assign(literal, number)
        return slack < 0

    def _propagate(self) -> bool:
        """Until nothing changes. True: a conflict."""
        trail, slack, largest = self._trail, self._slack, self._largest
        while self._head < len(trail):
            false = trail[self._head] ^ 1
            self._head += 1
            low = []
            for number, coefficient in self._occurs[false]:
                slack[number] -= coefficient
                if slack[number] < largest[number]:
                    low.append(number)
            if any(map(self._scan, low)) or self._visit(false):
                return True
        return False

    def _visit(self, false: int) -> bool:
        """Look at the clauses that watch a literal which has become false. True: a conflict."""
        true, watching = self._true, self._watching[false]
        kept = 0
        for at, clause in enumerate(watching):
            if not clause:  # removed
                continue
            if clause[0] == false:
                clause[0], clause[1] = clause[1], false
            first = clause[0]
            if not true[first]:
                for place in range(2, len(clause)):
                    if not true[clause[place] ^ 1]:
                        clause[1], clause[place] = clause[place], false
                        self._watching[clause[1]].append(clause)
                        break
                else:
                    if true[first ^ 1]:
                        watching[kept:at] = []
                        return True
                    self._assign(first, clause)
                    watching[kept] = clause
                    kept += 1
                continue
            watching[kept] = clause
            kept += 1
        del watching[kept:]
        return False
