"""A proof, step by step: each constraint that it adds must follow, each solution that it names must be one.

All that is ever in force follows from the statement, from the definitions of new variables (which leave the models over
the statement's own as they are), and from the solutions named so far being left out. So where ``0 >= 1`` follows, those
are all. Versions 1.1 and 3.0 of VeriPB's format, a step a line; of their rules only those that a certificate needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from nonosat.certificates.checker.database import Database, Held
from nonosat.certificates.checker.derivation import derived
from nonosat.certificates.checker.text import Names, Normal, RefusedError, integer, normal, read_normal, read_terms

_HEADER = "pseudo-Boolean proof version "
_END = "end pseudo-Boolean proof"


@dataclass(frozen=True)
class Claim:
    """What was proved: there are so many ``solutions`` (of the statement, each once), and no other if ``complete``.

    ``listed``: the variables whose values tell the solutions apart, if there are some. ``kept``: the lines of deletions
    that were not carried out, since what is settled rests on the constraint; other checkers may refuse them.
    """

    solutions: int
    complete: bool
    listed: tuple[str, ...]
    version: str
    steps: int
    kept: tuple[int, ...]

    def __str__(self) -> str:
        count = {0: "no solution", 1: "one solution"}.get(self.solutions, f"{self.solutions:,} solutions")
        if not self.complete:
            return f"at least {count}"
        return f"{count}, and no other" if self.solutions else count


def check(opb: Iterable[str], proof: Iterable[str]) -> Claim:
    """What the lines of a proof prove of the models of the lines of a statement. RefusedError: they do not."""
    checker = Checker()
    for number, line in enumerate(opb, 1):
        _at(number, "statement", checker.state, line)
    checker.begin()
    for number, line in enumerate(proof, 1):
        _at(number, "proof", checker.step, line)
    return checker.claim()


def _at(number: int, what: str, work: Callable[[str], None], line: str) -> None:
    try:
        work(line)
    except RefusedError as refused:
        raise RefusedError(refused.reason, number, what) from None


class Checker:
    """A statement, and the proof so far."""

    def __init__(self) -> None:
        self.names, self.database = Names(), Database()
        self.preserved: list[str] | None = None
        self.held: dict[int, Held] = {}  # by the numbers that proofs call them by, from 1
        self.count = self.stated = self.variables = 0
        self.lines = self.steps = self.solutions = 0
        self.version, self.counted = "", False
        self.listed: frozenset[int] | None = None
        self.named: set[int] = set()  # the numbers of what leaves solutions out
        self.converse: tuple[int, Normal] | None = None  # what may complete the definition of the line before
        self.kept: list[int] = []
        self.output = self.concluded = self.complete = self.ended = False

    def state(self, line: str) -> None:
        """A line of the statement."""
        if line.startswith("*") or not (tokens := line.split()):
            return
        if tokens[0] == "preserved:":
            if self.preserved is not None or self.count or tokens[-1] != ";":
                raise RefusedError("preserved: NAME ... ; stands once, above all constraints")
            self.preserved = tokens[1:-1]
            self._meet(self.preserved)
            if len(set(self.preserved)) < len(self.preserved):
                raise RefusedError("a variable is preserved twice")
            return
        self._meet(token.removeprefix("~") for token in tokens[1:-3:2])
        terms, relation, degree = read_terms(tokens, self.names)
        self._add(normal(terms, degree))
        if relation == "=":
            self._add(normal([(-coefficient, literal) for coefficient, literal in terms], -degree))

    def begin(self) -> None:
        """The statement is complete."""
        self.stated, self.variables = self.count, len(self.names)

    def step(self, line: str) -> None:
        """A line of the proof."""
        self.lines += 1
        if self.lines == 1:
            self._header(line.rstrip())
            return
        if line.startswith("*" if self.version == "1.1" else "%") or not (tokens := line.split()):
            return
        word, rest = tokens[0], tokens[1:]
        if self.version == "3.0" or word == "rup":
            if rest[-1:] != [";"]:
                raise RefusedError("a step ends with ;")
            rest.pop()
        if self.ended or (self.concluded and self.version == "1.1"):
            raise RefusedError("something stands behind the end")
        if word != "f" and not self.counted:
            raise RefusedError("f NUMBER, the constraints of the statement, comes first")
        if (work := _WORDS[self.version].get(word)) is None or (self.output and word not in ("conclusion", "end")):
            raise RefusedError(f"no step {word[:40]!r} here")
        converse, self.converse = self.converse, None
        if word == "red":
            self._red(rest, converse)
        else:
            work(self, rest)
        self.steps += 1

    def claim(self) -> Claim:
        """What was proved."""
        if self.version == "3.0" and not self.ended:
            raise RefusedError("it has no end")
        if not self.complete and not self.solutions:
            raise RefusedError("it concludes nothing")
        listed = self.listed or frozenset()
        names = tuple(name for name, literal in self.names.literals.items() if literal in listed)
        return Claim(self.solutions, self.complete, names, self.version, self.steps, tuple(self.kept))

    def _header(self, line: str) -> None:
        self.version = line.removeprefix(_HEADER).removesuffix(";").rstrip()
        if not line.startswith(_HEADER) or self.version not in _WORDS:
            raise RefusedError(f"{_HEADER}1.1 or 3.0 comes first")
        if self.version == "1.1" and self.preserved is not None:
            raise RefusedError("version 1.1 knows no statement with preserved:")

    def _meet(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self.names.literals:
                self.names.add(name)
        self.database.grow(len(self.names))

    def _add(self, constraint: Normal) -> None:
        self.count += 1
        self.held[self.count] = self.database.add(constraint)

    def _constraint(self, number: int) -> Normal:
        """Constraint number ``number``; -1 is the last."""
        held = self.held.get(number if number >= 0 else self.count + 1 + number)
        if held is None:
            raise RefusedError(f"there is no constraint {number}")
        return self.database.constraint(held)

    def _formula(self, rest: list[str]) -> None:
        if self.counted or len(rest) != 1 or integer(rest[0]) != self.stated:
            raise RefusedError(f"the statement has {self.stated} constraints (an equality is two)")
        self.counted = True

    def _rup(self, rest: list[str]) -> None:
        constraint, hints = rest, None
        if ":" in rest and self.version == "3.0":
            constraint, hints = rest[: rest.index(":")], rest[rest.index(":") + 1 :]
        wanted = read_normal([*constraint, ";"], self.names)
        database = self.database
        if hints is not None:  # then from these alone
            database = Database()
            database.grow(len(self.names))
            for hint in hints:
                database.add(self._constraint(integer(hint)))
        if not database.implied(wanted):
            raise RefusedError("propagation does not show that it follows")
        self._add(wanted)

    def _pol(self, rest: list[str]) -> None:
        self._add(derived(rest[:-1] if rest[-1:] == [";"] else rest, self.names, self._constraint))

    def _red(self, rest: list[str], converse: tuple[int, Normal] | None) -> None:
        """A definition of a new variable: first that it holds unless it is true (false), then at once the converse."""
        separator = ";" if self.version == "1.1" else ":"
        if len(rest) < 4 or rest[-4] != separator or rest[-2] != "->" or rest[-1] not in ("0", "1"):
            raise RefusedError(f"no definition (red CONSTRAINT {separator} NAME -> 0 or 1)")
        name, value = rest[-3], rest[-1]
        new = name not in self.names.literals
        if new:
            self._meet([name])
        literal = self.names.literals[name] ^ (value == "0")
        constraint = read_normal([*rest[:-4], ";"], self.names)
        terms, degree = constraint
        if new:
            if terms.get(literal, 0) < degree:
                raise RefusedError(f"it does not hold when {name} is {value}")
            others = {x ^ 1: a for x, a in terms.items() if x != literal}
            enough = max(sum(others.values()) - degree + 1, 0)
            self.converse = literal ^ 1, normal([(enough, literal ^ 1), *((a, x) for x, a in others.items())], enough)
        elif converse != (literal, constraint):
            raise RefusedError(f"{name} is not new, and this is not the converse of the line before")
        self._add(constraint)

    def _solution(self, rest: list[str]) -> None:
        """A model, told by the literals that are listed; it is left out from now on."""
        literals = self.names.of(rest)
        listed = frozenset(literal & ~1 for literal in literals)
        if len(listed) < len(literals):
            raise RefusedError("a variable is listed twice")
        if self.listed is None:
            self.listed = self._to_list() if self.version == "3.0" else listed
        if listed != self.listed or any(literal >= 2 * self.variables for literal in listed):
            raise RefusedError("it lists other variables than those that tell solutions apart")
        true = self.database.extended(literals)
        if true is None:
            raise RefusedError("it is no solution, or one that was named before")
        if not all(true[literal] or true[literal ^ 1] for literal in range(0, 2 * self.variables, 2)):
            raise RefusedError("what it lists leaves variables of the statement open")
        for number in range(1, self.stated + 1):
            terms, degree = self._constraint(number)
            if sum(a for x, a in terms.items() if true[x]) < degree:
                raise RefusedError(f"it breaks constraint {number} of the statement")
        self._add(({literal ^ 1: 1 for literal in literals}, 1))
        self.named.add(self.count)
        self.solutions += 1

    def _to_list(self) -> frozenset[int]:
        """The variables that must be listed where the statement says so."""
        if self.preserved is None:
            return frozenset(range(0, 2 * self.variables, 2))
        return frozenset(self.names.of(self.preserved))

    def _delete(self, rest: list[str]) -> None:
        if len(rest) < 2 or rest[0] != "id":
            raise RefusedError("no deletion (del id NUMBER ...)")
        for token in rest[1:]:
            number = integer(token)
            # Without what leaves a solution out, it could be named and counted again.
            if number <= self.stated or number in self.named or number not in self.held:
                raise RefusedError(f"there is no constraint {number} that could be deleted")
            if not self.database.remove(self.held.pop(number)):
                self.kept.append(self.lines)

    def _contradiction(self, number: str) -> None:
        terms, degree = self._constraint(integer(number))
        if sum(terms.values()) >= degree:
            raise RefusedError(f"constraint {number} is no contradiction")
        self.concluded = self.complete = True

    def _conclude_old(self, rest: list[str]) -> None:
        if len(rest) != 1:
            raise RefusedError("no conclusion (c NUMBER)")
        self._contradiction(rest[0])

    def _no_output(self, rest: list[str]) -> None:
        if rest != ["NONE"] or self.output:
            raise RefusedError("output NONE ; stands once")
        self.output = True

    def _conclude(self, rest: list[str]) -> None:
        if self.concluded or not self.output:
            raise RefusedError("a conclusion stands once, behind output NONE ;")
        told = f"{self.solutions}"
        if rest[:2] == ["UNSAT", ":"] and len(rest) == 3 and not self.solutions:
            self._contradiction(rest[2])
        elif rest[:3] == ["ENUMERATION_COMPLETE", told, ":"] and len(rest) == 4:
            self._contradiction(rest[3])
        elif rest == ["ENUMERATION_PARTIAL", told] and self.solutions:
            self.concluded = True
        else:
            raise RefusedError(f"no conclusion of a proof with {self.solutions} solutions")

    def _end(self, rest: list[str]) -> None:
        if not self.concluded or ["end", *rest] != _END.split():
            raise RefusedError(f"{_END} ; stands behind the conclusion")
        self.ended = True


_BOTH = {"f": Checker._formula, "rup": Checker._rup, "pol": Checker._pol, "del": Checker._delete, "red": Checker._rup}
_WORDS: dict[str, dict[str, Callable[[Checker, list[str]], None]]] = {
    "1.1": {**_BOTH, "v": Checker._solution, "c": Checker._conclude_old},
    "3.0": {
        **_BOTH,
        "solx": Checker._solution,
        "output": Checker._no_output,
        "conclusion": Checker._conclude,
        "end": Checker._end,
    },
}
