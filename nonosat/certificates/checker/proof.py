"""A proof, step by step: each constraint that it adds must follow, each solution that it names must be one.

All that is ever in force follows from the statement, from the definitions of new variables (which leave the models over
the statement's own as they are), and from the solutions named so far being left out. So where ``0 >= 1`` follows, those
are all. Versions 1.1 and 3.0 of VeriPB's format, a step a line; of their rules only those that a certificate needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from nonosat.certificates.checker import Claim, RefusedError
from nonosat.certificates.checker import propagation as inner
from nonosat.certificates.checker.constraints import Codes, ConstraintDatabase, Normal, derived, normal, written


class Checker:
    """A statement, and the proof so far."""

    def __init__(self) -> None:
        self.codes = Codes({">=": inner.AT_LEAST, "=": inner.AT_LEAST})
        self.database = ConstraintDatabase(self.codes)
        self.preserved: frozenset[int] | None = None  # the variables that solutions have to list
        self.variables = self.listed = frozenset[int]()  # those of the statement, and those that solutions do list
        self.converse: tuple[int, int, Normal] | None = None  # what completes a definition: the step's number
        self.stage, self.version, self.complete = "header of version 3.0 (or 1.1, without preserved:)", "", False
        self.line = self.steps = self.solutions = 0

    def take(self, lines: Iterable[str], work: Callable[[str], None], what: str) -> None:
        """Read ``lines``; of several errors, the first is reported."""
        try:
            try:
                for self.line, line in enumerate(lines, 1):
                    work(line)
            finally:
                self.database.run()  # what waits comes before what was read last
        except RefusedError as refused:
            raise RefusedError(refused.reason, refused.line or self.line, what) from None

    def state(self, line: str) -> None:
        """A line of the statement."""
        words = line.split()
        if not words or line.startswith("*"):
            return
        if words[0] == "preserved:":
            if self.preserved is not None or self.database.count or words.pop() != ";" or len(set(words)) < len(words):
                raise RefusedError("preserved: NAME ... ; stands once, above constraints, and names no variable twice")
            self.preserved = frozenset(map(self.codes.add, words[1:]))
            return
        codes = list(map(self.codes.__getitem__, words[:-1] if words[-1] == ";" else []))
        self.database.add(self.line, inner.AXIOM, codes)
        if words[-3:-2] == ["="]:  # the other half
            codes = [code if code < inner.LITERALS else 2 * inner.NUMBER - code for code in codes]
            self.database.add(self.line, inner.AXIOM, codes)

    def begin(self) -> None:
        """The statement is complete."""
        self.database.run()
        del self.codes["="]
        self.codes.open, self.variables = False, frozenset(range(0, self.codes.literals, 2))
        n = self.database.state.n
        n[inner.STATED], n[inner.VARIABLES] = self.database.count, len(self.variables)
        self.listed = self.variables if self.preserved is None else self.preserved

    def step(self, line: str) -> None:
        """A line of the proof. What may stand there is all here, in both versions."""
        words = line.split()
        if not words or line[0] in "*%":
            return
        self.steps += 1
        match [self.stage, *words]:
            case ["step of 1.1" | "step of 3.0", "rup", *rest, ";"]:
                self._rup(rest)
            case ["step of 1.1", "del", "id", *numbers] | ["step of 3.0", "del", "id", *numbers, ";"]:
                self.database.step(self.line, inner.DELETED, list(map(self.database.number, numbers)))
            case ["step of 1.1" | "step of 3.0", "pol", *rest, ";"] | ["step of 1.1", "pol", *rest]:
                self.database.add(self.line, inner.AXIOM, derived(rest, self.codes, self.database.constraint))
            case ["step of 1.1", "red", *rest, ">=", degree, ";", name, "->", "0" | "1" as value]:
                self._red([*rest, ">=", degree], name, value)
            case ["step of 3.0", "red", *rest, ">=", degree, ":", name, "->", "0" | "1" as value, ";"]:
                self._red([*rest, ">=", degree], name, value)
            case ["step of 1.1", "v", *rest] | ["step of 3.0", "solx", *rest, ";"]:
                self._solution(rest)
            case [_, "pseudo-Boolean", "proof", "version", "1.1"] if not self.version and self.preserved is None:
                self.version, self.stage = "1.1", f"f {self.database.count}"
            case [_, "pseudo-Boolean", "proof", "version", "3.0"] if not self.version:
                self.version, self.stage = "3.0", f"f {self.database.count} ;"
            case [expected, "f", *_] if expected == " ".join(words):
                self.stage = f"step of {self.version}"
            case ["step of 1.1", "c", number]:
                self._contradict(number, "nothing")
            case ["step of 3.0", "output", "NONE", ";"]:
                self.stage = f"conclusion of {self.solutions}"
            case ["conclusion of 0", "conclusion", "UNSAT", ":", number, ";"]:
                self._contradict(number, "end")
            case [at, "conclusion", "ENUMERATION_COMPLETE", count, ":", number, ";"] if at == f"conclusion of {count}":
                self._contradict(number, "end")
            case [at, "conclusion", "ENUMERATION_PARTIAL", count, ";"] if at == f"conclusion of {count}":
                self.stage = "end"
            case ["end", "end", "pseudo-Boolean", "proof", ";"]:
                self.stage = "nothing"
            case _:
                raise RefusedError(f"expected: {self.stage}, not: {line.strip()[:60]}")

    def claim(self) -> Claim:
        """What was proved."""
        if not (self.complete or self.solutions) or (self.version == "3.0" and self.stage != "nothing"):
            raise RefusedError("it concludes nothing, or has no end")
        listed = tuple(name for name, literal in self.codes.items() if self.solutions and literal in self.listed)
        return Claim(self.solutions, self.complete, listed, self.version, self.steps, tuple(self.database.kept))

    def _rup(self, words: list[str]) -> None:
        """What follows by propagation, in all that is in force or in what is named behind a colon."""
        if self.version == "3.0" and ":" in words:
            self.database.step(self.line, inner.HINTS, list(map(self.database.number, words[words.index(":") + 1 :])))
            words = words[: words.index(":")]
        self.database.add(self.line, inner.RUP, list(map(self.codes.__getitem__, words)))

    def _red(self, words: list[str], name: str, value: str) -> None:
        """A definition of a new variable: first that it holds unless it is true (false), then at once the converse."""
        new = name not in self.codes
        literal = (self.codes.add(name) if new else self.codes[name]) ^ (value == "0")
        codes = [self.codes[word] for word in words]
        coefficients, degree = [code - inner.NUMBER for code in codes[:-2:2]], codes[-1] - inner.NUMBER
        terms, degree = constraint = normal(codes[1:-2:2], coefficients, degree)  # if not, ``inner.add`` refuses it
        if new:
            if terms.get(literal, 0) < degree:
                raise RefusedError(f"it does not hold when {name} is {value}")
            others = {x ^ 1: a for x, a in terms.items() if x != literal}
            enough = max(sum(others.values()) - degree + 1, 0)  # for the others to be less than the degree
            converse = normal([literal ^ 1, *others], [enough, *others.values()], enough)
            self.converse = self.steps + 1, literal ^ 1, converse
        elif self.converse != (self.steps, literal, constraint):
            raise RefusedError(f"{name} is not new, and this is not the converse of the line before")
        self.database.add(self.line, inner.AXIOM, codes)

    def _solution(self, words: list[str]) -> None:
        """A model, given by the listed literals; it is excluded from now on."""
        literals = [self.codes[word] for word in words]
        listed = frozenset(literal & ~1 for literal in literals)
        if self.version == "1.1" and not self.solutions:
            self.listed = listed & self.variables
        if listed != self.listed or len(listed) < len(literals):
            raise RefusedError("it lists other variables than those that define a solution, or one twice")
        self.database.add(self.line, inner.SOLUTION, written({literal ^ 1: 1 for literal in literals}, 1))
        self.solutions += 1

    def _contradict(self, number: str, stage: str) -> None:
        """All solutions have been named, since this constraint cannot hold."""
        terms, degree = self.database.constraint(number)
        if sum(terms.values()) >= degree:
            raise RefusedError(f"constraint {number} is no contradiction")
        self.complete, self.stage = True, stage


def check(opb: Iterable[str], proof: Iterable[str]) -> Claim:
    """What the lines of a proof prove of the models of the lines of a statement. RefusedError: they do not.

    >>> opb = ["1 xx 1 yy >= 1 ;", "1 xx 1 ~yy >= 1 ;", "1 ~xx >= 1 ;"]
    >>> print(check(opb, ["pseudo-Boolean proof version 1.1", "f 3", "rup >= 1 ;", "c 4"]))
    no solution
    """
    checker = Checker()
    checker.take(opb, checker.state, "statement")
    checker.begin()
    checker.take(proof, checker.step, "proof")
    return checker.claim()
