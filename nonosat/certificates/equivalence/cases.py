"""Lemmas by cases: what propagation alone does not see is split until it does, and each part is a line of a proof.

A search without a solver: it learns nothing, and ends after so many cases. Every line goes through the checker as it is
written, so that nothing found here need be believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import islice

from nonosat.certificates.checker import propagation as inner
from nonosat.certificates.checker.constraints import ConstraintDatabase, Normal, normal
from nonosat.certificates.checker.proof import Checker
from nonosat.certificates.steps import VERSIONS, Steps

# What propagation makes of assumptions, by the checker's own.


def extended(database: ConstraintDatabase, literals: Iterable[int]) -> bytes | None:
    """What is true (an entry a literal) if ``literals`` are, by all that is in force; None: a conflict."""
    database.run()
    state = database.grown(database.state)
    mark, found = state.n[inner.TRAIL], None
    for literal in literals:
        if state.n[inner.DEAD] or state.true[literal ^ 1]:
            break
        if not state.true[literal]:
            state.true[literal], state.trail[state.n[inner.TRAIL]] = 1, literal
            state.n[inner.TRAIL] += 1
    else:
        found = None if state.n[inner.DEAD] or inner.propagate(state) else bytes(state.true)
    inner.undo(state, mark)
    return found


DEPTH = 300
"""Cases within cases: Python's stack has an end."""


class Outcome(Enum):
    """Of a lemma: it was ``PROVED``; a model ``BROKEN`` by it was found; there were too many cases (``OPEN``)."""

    PROVED, BROKEN, OPEN = range(3)


class Cases:
    """A proof under way over the lines of ``stated``, of at most ``most`` cases a lemma."""

    def __init__(self, stated: Iterable[str], most: int) -> None:
        self.checker, self.most = Checker(), most
        for line in stated:
            self.checker.state(line)
        self.checker.begin()
        self.steps = Steps(VERSIONS[0], self.checker.database.count, self._take)
        self.model: bytes = b""
        self._left = self._defined = self._read = 0
        self._texts: list[str] = []
        self._clauses: list[tuple[int, ...]] = []

    def _take(self, line: str) -> None:
        """A line, which has a number for messages."""
        self.checker.line += 1
        self.checker.step(line)

    def literals(self, texts: Iterable[str]) -> list[int]:
        """Texts as the checker's literals."""
        return [self.checker.codes[text] for text in texts]

    def texts(self) -> list[str]:
        """By literal, its text."""
        codes = self.checker.codes
        new = islice(codes.items(), self._read, None)
        self._texts.extend(text for text, code in new if 0 <= code < inner.LITERALS)
        self._read = len(codes)
        return self._texts

    def clause(self, literals: Sequence[int], behind: Sequence[int] = (), most: int | None = None) -> Outcome:
        """The lemma that one of ``literals`` is true; cases are about the literals ``behind`` them, if some are open.

        If it is ``BROKEN``, ``model`` says of each literal if it is true. ``most``: cases at most, of this one.
        """
        self._left = self.most if most is None else most
        chosen = dict.fromkeys(literal ^ 1 for literal in literals)
        if any(literal ^ 1 in chosen for literal in chosen):
            return Outcome.PROVED
        return self._refuted(list(chosen), behind, 0)

    def sum(self, terms: Iterable[tuple[int, int]], degree: int, behind: Sequence[int] = ()) -> Outcome:
        """The lemma ``sum(coefficient * literal) >= degree``, for terms (coefficient, literal).

        A new variable is made true iff the sum is less, refuted by cases of the sum's terms, then of the literals
        ``behind`` these, and added out.
        """
        coefficients, degree = normalised(terms, degree)
        if not degree:
            return Outcome.PROVED
        if degree == 1 and set(coefficients.values()) <= {1}:
            return self.clause(list(coefficients), behind)
        name, steps = self.reached(coefficients.items(), degree), self.steps
        where = steps.count - 1
        self._left = self.most
        outcome = self._refuted([self.literals([name])[0] ^ 1], [*coefficients, *behind], 0)
        if outcome is Outcome.PROVED:
            last = steps.count  # that it is true
            steps.derive(f"{where} {last} {degree} * +")
            for number in (where, where + 1, last):
                steps.delete(number)
        return outcome

    def reached(self, terms: Iterable[tuple[int, int]], degree: int) -> str:
        """A new variable: true iff the sum of the terms (literal, coefficient above 0) is at least ``degree``."""
        name, self._defined = f"reached{self._defined}", self._defined + 1
        texts = self.texts()
        self.steps.define_sum(name, [(coefficient, texts[literal]) for literal, coefficient in terms], degree)
        return name

    def _refuted(self, chosen: list[int], first: Sequence[int], depth: int) -> Outcome:
        """The lemma that not all of ``chosen`` are true; cases are about the literals ``first``, if some are open."""
        lemmas = []
        while (true := extended(self.checker.database, chosen)) is not None:
            if not self._left or depth == DEPTH:
                return Outcome.OPEN
            if (literal := self._open(true, first)) is None:
                self.model = true
                return Outcome.BROKEN
            self._left -= 1
            outcome = self._refuted([*chosen, literal], first, depth + 1)
            if outcome is not Outcome.PROVED:
                return outcome
            lemmas.append(self.steps.count)
        texts = self.texts()
        self.steps.lemma(texts[literal ^ 1] for literal in chosen)
        for number in lemmas:  # it says more than these
            self.steps.delete(number)
        return Outcome.PROVED

    def _open(self, true: bytes, first: Sequence[int]) -> int | None:
        """A literal that is neither true nor false, to split by; None: there is none."""
        for literal in first:
            if not true[literal] and not true[literal ^ 1]:
                return literal
        best: list[int] = []
        for clause in self._all_clauses():
            left = [literal for literal in clause if not true[literal ^ 1]]
            # The shortest of those that this case has touched, so that it stays where it began.
            if len(left) < len(clause) and (not best or len(left) < len(best)) and not any(true[x] for x in left):
                best = left
        if best:
            return best[0]
        return next((x for x in range(0, len(true), 2) if not true[x] and not true[x ^ 1]), None)

    def _all_clauses(self) -> list[tuple[int, ...]]:
        """The literals of every constraint, as if each was a clause."""
        if not self._clauses:
            self.checker.database.run()
            state = self.checker.database.state
            starts, ends = state.end.tolist(), state.end.tolist()[1:]
            for number, places in enumerate(map(slice, starts, ends), 1):
                if state.status[number] != inner.DELETED:
                    self._clauses.append(tuple(state.literal[places].tolist()))
        return self._clauses


def normalised(terms: Iterable[tuple[int, int]], degree: int) -> Normal:
    """``sum(coefficient * literal) >= degree`` in normal form, for terms (coefficient, literal)."""
    given = list(terms)
    return normal([literal for _, literal in given], [coefficient for coefficient, _ in given], degree)
