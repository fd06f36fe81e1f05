"""A proof, step by step: each constraint that it adds must follow, each solution that it names must be one.

All that is ever in force follows from the statement, from the definitions of new variables (which leave the models over
the statement's own as they are), and from the solutions named so far being left out. So where ``0 >= 1`` follows, those
are all. Versions 1.1 and 3.0 of VeriPB's format, a step a line; of their rules only those that a certificate needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from nonosat.certificates.checker.claim import Claim, RefusedError
from nonosat.certificates.checker.database import Database
from nonosat.certificates.checker.derivation import derived, opposite
from nonosat.certificates.checker.propagation import AXIOM, RUP, SOLUTION
from nonosat.certificates.checker.text import Names, Normal, integer, normal, read

_Words = dict[str, Callable[["Checker", list[str]], None]]
_HEADER = "pseudo-Boolean proof version "


class Checker:
    """A statement, and the proof so far."""

    def __init__(self) -> None:
        self.names = Names()
        self.database = Database(self.names)
        self.variables, self.listed = frozenset[int](), frozenset[int]()  # those of the statement, and of solutions
        self.preserved: frozenset[int] | None = None  # what solutions have to list
        self.converse: tuple[int, int, Normal] | None = None  # what completes a definition: the step's number
        self.allowed: _Words = {}  # what may come next
        self.version, self.complete = "", False
        self.line = self.steps = self.solutions = 0

    def take(self, lines: Iterable[str], work: Callable[[str], None], what: str) -> None:
        """Read ``lines``; of several errors, the first is told."""
        self.line = 0
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
        last = words.pop()
        if words[:1] == ["preserved:"]:
            if self.names or self.preserved is not None or last != ";" or len(set(words)) < len(words):
                raise RefusedError(
                    "preserved: NAME ... ; stands once, above all constraints, and names no variable twice"
                )
            self.preserved = frozenset(map(self.names.add, words[1:]))
            return
        literals, coefficients, degree, equal = read(words if last == ";" else [], self.names)
        self.database.add(self.line, AXIOM, literals, coefficients, degree)
        if equal:
            self.database.add(self.line, AXIOM, literals, [-a for a in coefficients], -degree)

    def begin(self) -> None:
        """The statement is complete."""
        self.database.begin()
        self.names.open = False
        self.variables = frozenset(range(0, len(self.names), 2))

    def step(self, line: str) -> None:
        """A line of the proof."""
        words = line.split()
        work = self.allowed.get(words[0]) if words else None
        if work is not None:
            if (self.version == "3.0" or words[0] == "rup") and words.pop() != ";":
                raise RefusedError("a step ends with ;")
            self.steps += 1
            work(self, words)
        elif not self.version:
            self._header(line.rstrip())
        elif words and not line.startswith("*" if self.version == "1.1" else "%"):
            here = f"no step {words[0][:40]!r} here" if self.allowed else "something stands behind the end"
            raise RefusedError(
                "f NUMBER, the constraints of the statement, comes first" if "f" in self.allowed else here
            )

    def claim(self) -> Claim:
        """What was proved."""
        if self.version == "3.0" and self.allowed:
            raise RefusedError("it has no end")
        if not self.complete and not self.solutions:
            raise RefusedError("it concludes nothing")
        listed = tuple(name for name, literal in self.names.items() if literal in self.listed)
        return Claim(self.solutions, self.complete, listed, self.version, self.steps, tuple(self.database.kept))

    def _header(self, line: str) -> None:
        self.version = line.removeprefix(_HEADER).removesuffix(";").rstrip()
        if not line.startswith(_HEADER) or self.version not in _WORDS:
            raise RefusedError(f"{_HEADER}1.1 or 3.0 comes first")
        if self.version == "1.1" and self.preserved is not None:
            raise RefusedError("version 1.1 knows no statement with preserved:")
        self.allowed = {"f": Checker._count}

    def _count(self, words: list[str]) -> None:
        if len(words) != 2 or integer(words[1]) != len(self.database):
            raise RefusedError(f"the statement has {len(self.database)} constraints (an equality is two)")
        self.allowed = _WORDS[self.version]

    def _constraint(self, words: list[str]) -> tuple[list[int], list[int], int]:
        literals, coefficients, degree, equal = read(words, self.names)
        if equal:
            raise RefusedError("a step is no equality")
        return literals, coefficients, degree

    def _rup(self, words: list[str]) -> None:
        if ":" not in words or self.version == "1.1":
            self.database.add(self.line, RUP, *self._constraint(words[1:]))
            return
        colon, few = words.index(":"), Database(self.names)  # it follows from those that are named alone
        for word in words[colon + 1 :]:
            few.put(self.line, self.database.constraint(integer(word)))
        few.add(self.line, RUP, *self._constraint(words[1:colon]))
        self.database.put(self.line, few.constraint(-1))  # which tries it first

    def _pol(self, words: list[str]) -> None:
        operation = words[1 : -1 if words[-1] == ";" else None]
        self.database.put(self.line, derived(operation, self.names, self.database.constraint))

    def _red(self, words: list[str]) -> None:
        """A definition of a new variable: first that it holds unless it is true (false), then at once the converse."""
        separator = ";" if self.version == "1.1" else ":"
        if len(words) < 5 or words[-4] != separator or words[-2] != "->" or words[-1] not in ("0", "1"):
            raise RefusedError(f"no definition (red CONSTRAINT {separator} NAME -> 0 or 1)")
        name, value = words[-3], words[-1]
        new = name not in self.names
        literal = (self.names.add(name) if new else self.names[name]) ^ (value == "0")
        constraint = normal(*self._constraint(words[1:-4]))
        if new:
            terms, degree = constraint
            if terms.get(literal, 0) < degree:
                raise RefusedError(f"it does not hold when {name} is {value}")
            others, enough = opposite(({x: a for x, a in terms.items() if x != literal}, degree))
            converse = normal([literal ^ 1, *others], [enough, *others.values()], enough)
            self.converse = self.steps + 1, literal ^ 1, converse
        elif self.converse != (self.steps, literal, constraint):
            raise RefusedError(f"{name} is not new, and this is not the converse of the line before")
        self.database.put(self.line, constraint)

    def _solution(self, words: list[str]) -> None:
        """A model, told by the literals that are listed; it is left out from now on."""
        literals = self.names.of(words[1:])
        listed = frozenset(literal & ~1 for literal in literals)
        if len(listed) < len(literals):
            raise RefusedError("a variable is listed twice")
        if not self.solutions:
            every = self.variables if self.preserved is None else self.preserved
            self.listed = every if self.version == "3.0" else listed & self.variables
        if listed != self.listed:
            raise RefusedError("it lists other variables than those that tell solutions apart")
        self.database.add(self.line, SOLUTION, [literal ^ 1 for literal in literals], [1] * len(literals), 1)
        self.solutions += 1

    def _delete(self, words: list[str]) -> None:
        if len(words) < 3 or words[1] != "id":
            raise RefusedError("no deletion (del id NUMBER ...)")
        for word in words[2:]:
            self.database.step(self.line, integer(word) or -1)

    def _finish(self, words: list[str]) -> None:
        """What is concluded, and what stands around it."""
        count = str(self.solutions)
        match words:
            case ["output", "NONE"]:
                self.allowed = _LAST
            case ["c", number]:
                self._contradict(number)
            case ["conclusion", "UNSAT", ":", number] if self.allowed is _LAST and not self.solutions:
                self._contradict(number)
            case ["conclusion", "ENUMERATION_COMPLETE", told, ":", number] if self.allowed is _LAST and told == count:
                self._contradict(number)
            case ["conclusion", "ENUMERATION_PARTIAL", told] if self.allowed is _LAST and told == count != "0":
                self.allowed = _END
            case ["end", "pseudo-Boolean", "proof"] if self.allowed is _END:
                self.allowed = {}
            case _:
                raise RefusedError(_FORMS[words[0]].format(count))

    def _contradict(self, number: str) -> None:
        """All solutions have been named, since this constraint cannot hold."""
        terms, degree = self.database.constraint(integer(number))
        if sum(terms.values()) >= degree:
            raise RefusedError(f"constraint {number} is no contradiction")
        self.complete, self.allowed = True, _END if self.version == "3.0" else {}


_END: _Words = {"end": Checker._finish}
_LAST: _Words = {"conclusion": Checker._finish, **_END}
_BOTH: _Words = {"rup": Checker._rup, "pol": Checker._pol, "del": Checker._delete, "red": Checker._red}
_WORDS: dict[str, _Words] = {
    "1.1": {**_BOTH, "v": Checker._solution, "c": Checker._finish},
    "3.0": {**_BOTH, "solx": Checker._solution, "output": Checker._finish, **_LAST},
}
_FORMS = {
    "c": "no conclusion (c NUMBER)",
    "output": "output NONE ; stands once",
    "conclusion": "no conclusion of a proof with {} solutions, behind output NONE ;",
    "end": "end pseudo-Boolean proof ; stands behind the conclusion",
}
