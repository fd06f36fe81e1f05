"""Random statements and proofs, and what each line may claim by brute force: the checker of certificates is held to it.

``Reference`` reads the same lines as the checker and shares nothing with it. It has all assignments at hand: the models
of the statement, with a value for each definition, that no solution has named yet. A line is drawn freely, or so that
it is just true of these, or just false.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import NamedTuple

import pytest
from modes import no_machine_code

from fuzzing.cases import PlainProof
from nonosat.certificates.checker import RefusedError
from nonosat.certificates.checker.proof import Checker

Row = tuple[dict[str, int], int]
"""``sum(coefficient * variable) >= degree``: coefficients of either sign, none 0."""
_INTEGER, _NAME = re.compile(r"[+-]?[0-9]{1,9}"), re.compile(r"[A-Za-z][A-Za-z0-9_]+")
_LARGEST = 10**9 - 1


class Verdict(NamedTuple):
    """What should become of a line: accepted (True), refused (False), or either, since it is true but hard to see.

    ``why`` it is refused; ``change``: what an accepted one changes.
    """

    accepted: bool | None
    why: str = ""
    change: Callable[[], None] = lambda: None


def _no(why: str) -> Verdict:
    return Verdict(False, why)


# Constraints.


def row_of(terms: Iterable[tuple[int, str]], degree: int) -> Row:
    """A constraint of coefficients and literals, ``~`` multiplied out."""
    total: dict[str, int] = {}
    for coefficient, literal in terms:
        name = literal.removeprefix("~")
        total[name] = total.get(name, 0) + (coefficient if literal == name else -coefficient)
        degree -= 0 if literal == name else coefficient
    return {name: a for name, a in total.items() if a}, degree


def over_literals(row: Row) -> tuple[dict[str, int], int]:
    """The same with coefficients above 0, by literal, and a degree of at least 0."""
    terms, degree = row
    degree += sum(-a for a in terms.values() if a < 0)
    return {name if a > 0 else f"~{name}": abs(a) for name, a in terms.items()}, max(degree, 0)


def negation(row: Row) -> Row:
    """What says that ``row`` does not hold."""
    return {name: -a for name, a in row[0].items()}, 1 - row[1]


def sums(row: Row, names: list[str]) -> list[int]:
    """The left side under every assignment; bit i of its number is the value of name i."""
    found = [0]
    for name in names:
        a = row[0].get(name, 0)
        found += [total + a for total in found]
    return found


def models_of(row: Row, names: list[str]) -> int:
    """The assignments under which ``row`` holds, as a set of bits."""
    return int("".join("01"[total >= row[1]] for total in reversed(sums(row, names))), 2)


def propagated(rows: Iterable[Row], known: dict[str, bool]) -> dict[str, bool] | None:
    """What unit propagation adds to ``known``; None: a conflict. Every constraint, until nothing changes."""
    known, before, rows = dict(known), -1, list(rows)
    while before < len(known):
        before = len(known)
        for terms, degree in rows:
            slack = sum(a for name, a in terms.items() if known.get(name, a > 0)) - degree
            if slack < 0:
                return None
            for name, a in terms.items():
                if abs(a) > slack and name not in known:
                    known[name] = a > 0
    return known


class Reference:
    """A slow checker. ``models``: of the statement and all definitions, without the solutions that were named.

    ``rows``: by its number, every constraint that ever was in force; ``gone``: those deleted.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.preserved: list[str] | None = None
        self.rows: dict[int, Row] = {}
        self.gone: set[int] = set()
        self.solutions: set[int] = set()
        self.converse: tuple[str, str, Row] | None = None
        self.listed: frozenset[str] = frozenset()
        self.stage, self.version, self.complete = "header", "", False

    def state(self, line: str) -> bool:
        """A line of the statement; False: it is to be refused."""
        words = line.split()
        if not words or line[0] == "*":
            return True
        if words.pop() != ";":
            return False
        if words[:1] == ["preserved:"]:
            names = words[1:]
            if self.preserved is not None or self.rows or len(set(names)) < len(names):
                return False
            self.names, self.preserved = list(names), names
            return all(map(_NAME.fullmatch, names))
        row = self.row([">=" if word == "=" and at == len(words) - 2 else word for at, word in enumerate(words)], True)
        if row is None:
            return False
        self.rows[len(self.rows) + 1] = row
        if words[-2] == "=":
            self.rows[len(self.rows) + 1] = {name: -a for name, a in row[0].items()}, -row[1]
        return True

    def begin(self) -> None:
        """The statement is complete."""
        self.own, self.stated = list(self.names), len(self.rows)
        self.models = (1 << (1 << len(self.names))) - 1
        for row in self.rows.values():
            self.models &= models_of(row, self.names)
        if self.preserved is not None or self.version == "3.0":
            self.listed = frozenset(self.own if self.preserved is None else self.preserved)

    @property
    def count(self) -> int:
        """How many constraints there were."""
        return len(self.rows)

    @property
    def in_force(self) -> list[Row]:
        """Those that are not deleted."""
        return [row for number, row in self.rows.items() if number not in self.gone]

    def row(self, words: list[str], new: bool = False) -> Row | None:
        """The constraint that is written so; None: there is none, or one that has a variable twice."""
        if len(words) < 2 or len(words) % 2 or words[-2] != ">=":
            return None
        literals, numbers = words[1:-2:2], words[:-2:2]
        names = [literal.removeprefix("~") for literal in literals]
        if len(set(names)) < len(names) or not all(map(_INTEGER.fullmatch, [*numbers, words[-1]])):
            return None
        for name in names:
            if name not in self.names:
                if not new or not _NAME.fullmatch(name):
                    return None
                self.names.append(name)
        return row_of(zip(map(int, numbers), literals, strict=True), int(words[-1]))

    def number(self, word: str) -> int | None:
        """The constraint that ``word`` numbers, deleted or not."""
        if not _INTEGER.fullmatch(word):
            return None
        number = int(word) + (self.count + 1 if int(word) < 0 else 0)
        return number if 0 < number <= self.count else None

    def verdict(self, line: str) -> Verdict:
        """What should become of a line of the proof."""
        words = line.split()
        if not words or line[0] in "*%":
            return Verdict(True)
        if self.stage != "steps":
            return self._frame(words)
        closed, rest = words[-1] == ";", words[1 : len(words) - (words[-1] == ";")]
        new = self.version == "3.0"
        match words[0]:
            case "rup" if closed:
                found = self._rup(rest)
            case "pol" if closed or not new:
                found = self._pol(rest)
            case "red" if closed == new:
                found = self._red(rest)
            case "v" | "solx" if closed == new == (words[0] == "solx"):
                found = self._solution(rest)
            case "del" if closed == new and rest[:1] == ["id"]:
                found = self._deletion(rest[1:])
            case "c" if not new and len(words) == 2:
                return self._contradiction(words[1], "nothing")
            case "output" if words == ["output", "NONE", ";"] and new:
                return Verdict(True, change=lambda: setattr(self, "stage", "conclusion"))
            case _:
                return _no("there is no such step here")
        change, converse = found.change, self.converse

        def changed() -> None:
            change()
            if self.converse is converse:  # of the step before
                self.converse = None

        return found._replace(change=changed)

    def _frame(self, words: list[str]) -> Verdict:
        """A header, or an end."""
        match [self.stage, *words]:
            case ["header", "pseudo-Boolean", "proof", "version", "1.1" | "3.0" as version]:
                if version == "1.1" and self.preserved is not None:
                    return _no("version 1.1 has no preserved variables")

                def versioned() -> None:
                    self.stage, self.version = "count", version
                    if version == "3.0":
                        self.listed = frozenset(self.own if self.preserved is None else self.preserved)

                return Verdict(True, change=versioned)
            case ["count", "f", *rest] if rest == [str(self.count), ";"][: 1 + (self.version == "3.0")]:
                return Verdict(True, change=lambda: setattr(self, "stage", "steps"))
            case ["conclusion", "conclusion", "UNSAT", ":", number, ";"] if not self.solutions:
                return self._contradiction(number, "end")
            case ["conclusion", "conclusion", "ENUMERATION_COMPLETE", told, ":", number, ";"]:
                return self._contradiction(number, "end") if told == str(len(self.solutions)) else _no("a wrong count")
            case ["conclusion", "conclusion", "ENUMERATION_PARTIAL", told, ";"] if told == str(len(self.solutions)):
                return Verdict(True, change=lambda: setattr(self, "stage", "end"))
            case ["end", "end", "pseudo-Boolean", "proof", ";"]:
                return Verdict(True, change=lambda: setattr(self, "stage", "nothing"))
        return _no("there is no such line here")

    def _contradiction(self, word: str, stage: str) -> Verdict:
        number = self.number(word)
        if number is None or number in self.gone or models_of(self.rows[number], self.names):
            return _no("that constraint is no contradiction")
        if self.models:
            return _no("there are other models")

        def concluded() -> None:
            self.stage, self.complete = stage, True

        return Verdict(True, change=concluded)

    def _adds(self, row: Row) -> Callable[[], None]:
        return lambda: self.rows.__setitem__(self.count + 1, row)

    def _rup(self, words: list[str]) -> Verdict:
        hints: list[int] | None = None
        if ":" in words and self.version == "3.0":
            numbers = [self.number(word) for word in words[words.index(":") + 1 :]]
            hints, words = [number for number in numbers if number is not None], words[: words.index(":")]
            if len(hints) < len(numbers) or self.gone & set(hints):
                return _no("there is no such hint")
        row = self.row(words)
        if row is None:
            return _no("it is no constraint")
        if self.models & ~models_of(row, self.names):
            return _no("a model breaks it")
        opposite = negation(row)
        sources = self.in_force if not hints else [self.rows[number] for number in hints]
        if propagated([*sources, opposite], {}) is None:
            return Verdict(True, change=self._adds(row))
        if hints or propagated([*self.rows.values(), opposite], {}) is not None:
            return _no("propagation does not show it")
        return Verdict(None, change=self._adds(row))  # what a deleted constraint made true may stay true

    def _pol(self, words: list[str]) -> Verdict:
        """In exact numbers; after each operation the degree is 0 at least."""
        stack: list[tuple[dict[str, int], int]] = []  # over literals
        at = 0
        while at < len(words):
            word, operator = words[at], words[at + 1] if at + 1 < len(words) else ""
            if operator not in ("*", "d", "w"):
                operator = ""
            at += 1 + bool(operator)
            if not operator and word not in ("+", "s"):
                number = self.number(word)
                if word.removeprefix("~") in self.names:
                    stack.append(({word: 1}, 0))
                elif number is None or number in self.gone:
                    return _no("there is no such operand")
                else:
                    stack.append(over_literals(self.rows[number]))
                continue
            if len(stack) < 1 + (word == "+" and not operator):
                return _no("too few operands")
            terms, degree = stack.pop()
            if operator == "w":
                if word not in self.names:
                    return _no("there is no such variable")
                degree -= terms.pop(word, 0) + terms.pop(f"~{word}", 0)
            elif operator:
                if not _INTEGER.fullmatch(word) or int(word) < 1:
                    return _no("no number to multiply or divide by")
                by = int(word)
                terms = {x: a * by if operator == "*" else (a + by - 1) // by for x, a in terms.items()}
                degree = degree * by if operator == "*" else (degree + by - 1) // by
            elif word == "s":
                terms = {x: min(a, degree) for x, a in terms.items() if degree}
            else:
                others, other = stack.pop()
                one, two = (row_of([(a, x) for x, a in t.items()], d) for t, d in ((terms, degree), (others, other)))
                pairs = [(a, name) for row in (one, two) for name, a in row[0].items()]
                terms, degree = over_literals(row_of(pairs, one[1] + two[1]))
            stack.append((terms, max(degree, 0)))
        if len(stack) != 1 or max(stack[0][1], sum(stack[0][0].values())) > 2**60:
            return _no("several constraints, or one that is too large")
        row = row_of([(a, x) for x, a in stack[0][0].items()], stack[0][1])
        if self.models & ~models_of(row, self.names):
            return _no("a model breaks it")
        return Verdict(True, change=self._adds(row))

    def _red(self, words: list[str]) -> Verdict:
        mark = ":" if self.version == "3.0" else ";"
        if len(words) < 4 or words[-4] != mark or words[-2] != "->" or words[-1] not in ("0", "1"):
            return _no("it is no definition")
        name, value = words[-3], words[-1]
        literal = name if value == "1" else f"~{name}"
        if name in self.names:
            row = self.row(words[:-4])
            if row is None or self.converse is None or self.converse[:2] != (name, value):
                return _no("that is not new")
            if over_literals(row) != over_literals(self.converse[2]):
                return _no("that is not the converse")

            def completed() -> None:
                self._adds(row)()
                self.models &= models_of(row, self.names)

            return Verdict(True, change=completed)
        if not _NAME.fullmatch(name):
            return _no("that is no name")
        self.names.append(name)
        row = self.row(words[:-4])
        self.names.pop()
        if row is None:
            return _no("it is no constraint")
        terms, degree = over_literals(row)
        if terms.get(literal, 0) < degree:
            return _no("it does not hold by its witness")
        others = {x: a for x, a in terms.items() if x != literal}
        enough = max(sum(others.values()) - degree + 1, 0)
        opposites = [(enough, _opposite(literal)), *((a, _opposite(x)) for x, a in others.items())]

        def defined() -> None:
            self.models |= self.models << (1 << len(self.names))
            self.names.append(name)
            self._adds(row)()
            self.models &= models_of(row, self.names)
            self.converse = name, "10"[int(value)], row_of(opposites, enough)

        return Verdict(True, change=defined)

    def matching(self, literals: Iterable[str]) -> int:
        """The assignments under which all ``literals`` are true."""
        return models_of(row_of(((1, literal) for literal in literals), len(list(literals))), self.names)

    def _solution(self, words: list[str]) -> Verdict:
        names = frozenset(word.removeprefix("~") for word in words)
        if len(names) < len(words) or not names <= set(self.own):
            return _no("variables that are none of the statement, or come twice")
        if names != self.listed and (self.solutions or self.version == "3.0"):
            return _no("other variables than those to be listed")
        left = self.models & self.matching(words)
        size = 1 << len(self.own)
        different = {at % size for at in range(left.bit_length()) if left >> at & 1}
        if len(different) != 1:
            return _no(f"{len(different)} models that are not named have these values")
        known = {word.removeprefix("~"): word[0] != "~" for word in words}
        every = [propagated(rows, known) for rows in (self.in_force, self.rows.values())]
        determined = [found is not None and set(self.own) <= set(found) for found in every]
        if not any(determined):
            return _no("it leaves variables open")

        def named() -> None:
            self.listed = names
            self.models &= ~self.matching(words)
            self.rows[self.count + 1] = row_of([(1, _opposite(word)) for word in words], 1)
            self.solutions.add(self.count)

        return Verdict(True if determined[0] else None, change=named)

    def _deletion(self, words: list[str]) -> Verdict:
        numbers = [self.number(word) for word in words]
        chosen = {number for number in numbers if number is not None and number > self.stated}
        if len(chosen) < len(numbers) or chosen & (self.gone | self.solutions):
            return _no("one of them cannot be deleted")
        return Verdict(True, change=lambda: self.gone.update(chosen))


def _opposite(literal: str) -> str:
    return literal[1:] if literal[0] == "~" else f"~{literal}"


# What the checker does with a proof, and what is wrong with that.


class Told(NamedTuple):
    """What the checker made of a line: why it was ``refused``; what was ``stored`` if a constraint was added."""

    refused: str | None
    stored: Row | None = None


class Listener:
    """A checker that is given a proof line by line, and begins again without a line that it has refused."""

    def __init__(self, case: PlainProof) -> None:
        self.case, self.taken = case, list[str]()
        self.begin()

    def begin(self) -> None:
        """All lines that were accepted, at one go. RefusedError: the statement is refused."""
        self.checker = Checker()
        self.checker.take(self.case.statement, self.checker.state, "statement")
        self.checker.begin()
        self.checker.take(self.taken, self.checker.step, "proof")

    def take(self, line: str) -> Told:
        """The next line."""
        before = self.checker.database.count
        try:
            self.checker.take([line], self.checker.step, "proof")
        except RefusedError as refused:
            self.begin()
            return Told(refused.reason)
        self.taken.append(line)
        return Told(None, self.stored(-1) if self.checker.database.count > before else None)

    def stored(self, number: int) -> Row:
        """A constraint as the checker has it."""
        names = {literal: name for name, literal in self.checker.codes.items()}
        terms, degree = self.checker.database.constraint(str(number))
        return row_of([(a, names[literal]) for literal, a in terms.items()], degree)


def heard(case: PlainProof) -> Iterator[Told]:
    """What the checker says of each line of a proof; then of the whole; then each constraint that it has in the end."""
    try:
        listener = Listener(case)
    except RefusedError as refused:
        yield Told(str(refused))
        return
    yield from map(listener.take, case.proof)
    try:
        yield Told(str(listener.checker.claim()))
    except RefusedError as refused:
        yield Told(refused.reason)
    for number in range(1, listener.checker.database.count + 1):
        try:
            yield Told(None, listener.stored(number))
        except RefusedError as refused:
            yield Told(refused.reason)


def fault(case: PlainProof) -> tuple[str, str] | None:
    """(sort, text) of the first thing that is wrong with what the checker says of ``case``, in either mode."""
    with pytest.MonkeyPatch.context() as patch:
        no_machine_code(patch)
        plain = list(heard(case))
    compiled = list(heard(case))
    lines = [*case.proof, "the whole", *(f"constraint {n}, as it is stored in the end" for n in range(1, len(plain)))]
    for line, one, other in zip(lines, plain, compiled, strict=False):
        if one != other:
            return "modes differ", f"{line}: as plain Python {one}, compiled {other}"
    truth = Reference()
    wrong = next((at for at, line in enumerate(case.statement, 1) if not truth.state(line)), None)
    if wrong is not None:
        right = plain[0].refused is not None and plain[0].refused.startswith(f"statement, line {wrong}: ")
        return None if right else ("statement", f"line {wrong} is to be refused; the checker: {plain[0].refused}")
    if plain[0].refused is not None and plain[0].refused.startswith("statement"):
        return "statement", plain[0].refused
    truth.begin()
    for line, told in zip(case.proof, plain, strict=False):
        verdict = truth.verdict(line)
        if verdict.accepted is (told.refused is not None):
            return (
                ("refused", f"{line}: {told.refused}") if verdict.accepted else ("accepted", f"{line}: {verdict.why}")
            )
        if told.refused is None:
            before = truth.count
            verdict.change()
            fine = told.stored is None if truth.count == before else _same(told.stored, truth.rows[truth.count], truth)
            if not fine:
                return "stored", f"{line} is stored as {told.stored}"
    claim, rest = plain[len(case.proof)].refused, plain[len(case.proof) + 1 :]
    if claim != _claimed(truth):
        return "claim", f"{claim}, it should be: {_claimed(truth)}"
    for (number, row), told in zip(truth.rows.items(), rest, strict=True):
        if told.stored is None if number not in truth.gone else told.stored is not None:
            return "stored", f"constraint {number}: {told}"
        if number not in truth.gone and not _same(told.stored, row, truth):
            return "stored", f"constraint {number}, {row}, has become {told.stored}"
    return None


def _same(stored: Row | None, row: Row, truth: Reference) -> bool:
    return stored is not None and models_of(stored, truth.names) == models_of(row, truth.names)


def _claimed(truth: Reference) -> str:
    count = len(truth.solutions)
    if not (truth.complete or count) or (truth.version == "3.0" and truth.stage != "nothing"):
        return "it concludes nothing, or has no end"
    text = {0: "no solution", 1: "one solution"}.get(count, f"{count} solutions")
    return f"at least {text}" if not truth.complete else f"{text}, and no other" if count else text


# Random proofs.


class Author:
    """Writes a proof, and knows by its ``truth`` what would be accepted."""

    def __init__(self, rng: Random, steps: int) -> None:
        self.rng, self.truth = rng, Reference()
        self.version = rng.choice(("1.1", "3.0"))
        self.end = " ;" if self.version == "3.0" else ""
        self.statement, self.proof = list[str](), list[str]()
        self.names = ["aa", "b2", "c_c", "dD", "ee", "ff"][: rng.choice((1, 2, 3, 3, 4, 4, 5, 5, 6))]
        self._state()
        if all(map(self.truth.state, self.statement)):
            self.truth.begin()
            self._prove(steps)
        self.case = PlainProof(tuple(self.statement), tuple(self.proof))

    def odds(self, chance: float) -> bool:
        """True by so much."""
        return self.rng.random() < chance

    # Constraints.

    def coefficients(self) -> Callable[[], int]:
        """How the coefficients of one constraint are drawn."""
        rng = self.rng
        one, large = rng.randint(2, 5), rng.choice((_LARGEST, 10**8, 2**27, 333_333_333))
        several: tuple[tuple[int, ...], ...] = (
            (1,),
            (0, 1),
            (0, 1, 1, 1),
            (0,),
            (one,),
            (0, one),
            (-1, 1),
            (-1, 0, 1),
            (1, 2, 3, 4),
            (-4, -3, -2, -1, 0, 1, 2, 3, 4),
            (large,),
            (-large, large, large - 1),
            (0, 1, large),
            (-large, -1, 1, 2, large),
        )
        chosen = rng.choice(several)
        return lambda: rng.choice(chosen)

    def terms(self, names: list[str]) -> list[tuple[int, str]]:
        """Of some of ``names``, sometimes of one twice, by the same literal or the opposite one."""
        rng, draw = self.rng, self.coefficients()
        size = rng.choice((0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 6))
        chosen = rng.choices(names, k=size) if names and self.odds(0.03) else rng.sample(names, min(size, len(names)))
        return [(draw(), rng.choice(("", "", "~")) + name) for name in chosen]

    def constraint(self, names: list[str], models: int, relation: str = ">=") -> str:
        """One whose degree is what its sum is at least under ``models`` (a set of bits), or about that, or any."""
        terms = self.terms(names)
        row, every = row_of(terms, 0), self.truth.names or names
        found = [total - row[1] for at, total in enumerate(sums(row, every)) if models >> at & 1]
        size = sum(abs(a) for a, _ in terms)
        degree = min(found) if found else self.rng.randint(-1, 2)
        degree += self.rng.choice((0, 0, 0, 0, 0, -1, 1, 1 + size, -1 - size, -degree, 1 - degree))
        if not self.odds(0.05):
            degree = min(max(degree, -_LARGEST), _LARGEST)
        return self.text(terms, degree, relation)

    def text(self, terms: Iterable[tuple[int, str]], degree: int, relation: str = ">=") -> str:
        """Sometimes with terms that say nothing, and with signs that numbers need not have."""
        plus = "+" if self.odds(0.05) else ""
        words = [f"{plus if a >= 0 else ''}{a} {literal} " for a, literal in terms]
        return f"{''.join(words)}{relation} {degree}"

    def clause(self, literals: Iterable[str]) -> str:
        """One of ``literals`` is true: with 1, the same number or any numbers, and other terms by 0."""
        of = self.rng.choice(((1,), (1,), (3,), (1, 2, 7), (_LARGEST, 1)))
        terms = [(self.rng.choice(of), literal) for literal in literals]
        used = {literal.removeprefix("~") for _, literal in terms}
        terms += [(0, name) for name in self.truth.names if name not in used and self.odds(0.3)]
        self.rng.shuffle(terms)
        return self.text(terms, 1)

    # The statement.

    def _state(self) -> None:
        rng, names = self.rng, self.names
        if self.odds(0.2):
            self.statement.append("* a comment")
        if self.version == "3.0" and self.odds(0.5):
            chosen = rng.sample(names, rng.randint(0, len(names)))
            self.statement.append(f"preserved: {''.join(f'{name} ' for name in chosen)};")
            if self.odds(0.05):
                self.statement.append(rng.choice(("preserved: ;", "preserved: aa ;", "preserved: aa aa ;")))
        hidden = 1 << rng.randrange(1 << len(names)) | 1 << rng.randrange(1 << len(names))
        for _ in range(rng.choice((0, 1, 2, 3, 3, 4, 4, 5, 6))):
            wanted = 0 if self.odds(0.1) else hidden
            relation = "=" if self.odds(0.15) else ">="
            self.statement.append(f"{self.constraint(names, wanted, relation)} ;")
        if self.odds(0.03):
            wrong = (
                "1 aa 1 ~aa >= 1 ;",
                "0 aa 0 aa >= 0 ;",
                "1 aa >= 1",
                "aa 1 >= 1 ;",
                "1 aa > 1 ;",
                "preserved: aa ;",
            )
            self.statement.append(rng.choice((*wrong, "1 a >= 1 ;", f"{10**9} aa >= 1 ;", f"1 aa >= {2**63} ;", ";")))

    # The proof.

    def write(self, line: str) -> bool:
        """Append a line. True: it will be accepted."""
        self.proof.append(line)
        verdict = self.truth.verdict(line)
        if verdict.accepted:
            verdict.change()
        return bool(verdict.accepted)

    def _prove(self, steps: int) -> None:
        if self.odds(0.05):
            self.write(self.rng.choice(("f 1", "rup >= 0 ;", "", "% nothing", "pseudo-Boolean proof version 2.0")))
        self.write(f"pseudo-Boolean proof version {self.version}")
        if self.odds(0.05):
            self.write(f"f {self.truth.count + 1}{self.end}")
        self.write(f"f {self.truth.count}{self.end}")
        kinds = (self._rup, self._pol, self._red, self._delete, self._solve, self._odd)
        for _ in range(self.rng.randint(1, steps)):
            self.rng.choices(kinds, (9, 4, 3, 2, 3, 1))[0]()
        self._finish()

    def number(self) -> str:
        """Of a constraint, mostly one that is in force."""
        truth = self.truth
        at = self.rng.randint(1, truth.count) if truth.count else 1
        if self.odds(0.9):
            at = self.rng.choice([n for n in truth.rows if n not in truth.gone] or [at])
        if truth.gone and self.odds(0.1):
            at = self.rng.choice(sorted(truth.gone))
        if self.odds(0.03):
            at = self.rng.choice((0, truth.count + 1, _LARGEST))
        return str(at - truth.count - 1 if at <= truth.count and self.odds(0.15) else at)

    def _rup(self) -> None:
        for _ in range(4):
            line = f"rup {self.constraint(self.truth.names, self.truth.models)} "
            if self.version == "3.0" and self.odds(0.3):
                numbers = [self.number() for _ in range(self.rng.randint(1, 1 + min(self.truth.count, 5)))]
                line += f": {' '.join(numbers)} "
            if self.odds(0.3) or self.truth.verdict(f"{line};").accepted is not False:
                break
        self.write(f"{line};")

    def _pol(self) -> None:
        rng, words = self.rng, [self.operand()]
        for _ in range(rng.randint(0, 5)):
            by = rng.choice((1, 2, 2, 3, 4, 7, 10**5, _LARGEST))
            name = rng.choice(self.truth.names or ["zz"])
            words.append(
                rng.choice((f"{self.operand()} +", f"{self.operand()} +", f"{by} *", f"{by} d", "s", f"{name} w"))
            )
        if self.odds(0.05):
            words.insert(
                rng.randrange(len(words)),
                rng.choice(("+", "0 d", "-1 *", "1", "zz", "s", "aa *", "zz w", "~aa w", "3 w", "-1 w")),
            )
        self.write(f"pol {' '.join(words)}{self.end or rng.choice(('', ' ;'))}")

    def operand(self) -> str:
        """A constraint, or a literal."""
        if self.truth.names and (self.odds(0.25) or not self.truth.rows):
            return self.rng.choice(("", "~")) + self.rng.choice(self.truth.names)
        return self.number()

    def _red(self) -> None:
        truth, rng = self.truth, self.rng
        if len(truth.names) > len(self.truth.own) + 2:
            return
        name, value = f"n{len(truth.names)}", rng.choice("01")
        if self.odds(0.05) and truth.names:
            name = rng.choice(truth.names)
        terms, large = self.terms(truth.names), self.odds(0.1)
        degree = rng.choice((1, 1, 2, 3, sum(abs(a) for a, _ in terms) // 2)) if not large else rng.randint(0, 10**8)
        witness = rng.choice((degree, degree, degree, degree + 1, degree - 1, 0))
        sign = "" if value == "1" else "~"
        terms = [(abs(a), x) for a, x in terms]
        terms.insert(rng.randint(0, len(terms)), (witness, sign + name))
        if self.odds(0.3):  # the same with one term turned round
            at = rng.randrange(len(terms))
            a, literal = terms[at]
            terms[at], degree = (-a, _opposite(literal)), degree - a
        mark = ":" if self.version == "3.0" else ";"
        accepted = self.write(f"red {self.text(terms, degree)} {mark} {name} -> {value}{self.end}")
        if accepted and truth.converse is not None and self.odds(0.8):
            name, value, row = truth.converse
            if self.odds(0.1):
                self._odd()
            if self.odds(0.1):
                row = row[0], row[1] + rng.choice((-1, 1))
            pairs = list(over_literals(row)[0].items())
            used = {x.removeprefix("~") for x, _ in pairs}
            terms = [(a, x) for x, a in pairs] + [(0, x) for x in truth.names if x not in used and self.odds(0.1)]
            rng.shuffle(terms)
            text = self.text(terms, over_literals(row)[1])
            self.write(f"red {text} {mark} {name} -> {value}{self.end}")

    def _delete(self) -> None:
        truth = self.truth
        free = [n for n in truth.rows if n > truth.stated and n not in truth.gone and n not in truth.solutions]
        if not free or self.odds(0.15):
            numbers = [self.number() for _ in range(self.rng.randint(1, 2))]
        else:
            numbers = list(map(str, self.rng.sample(free, min(len(free), self.rng.randint(1, 2)))))
        self.write(f"del id {' '.join(numbers)}{self.end}")

    def _solve(self, one: int | None = None) -> bool:
        """Name a solution: the model ``one``, or any, or what is none."""
        truth, rng = self.truth, self.rng
        some = [at for at in range(truth.models.bit_length()) if truth.models >> at & 1]
        at = (
            one
            if one is not None
            else rng.choice(some)
            if some and self.odds(0.8)
            else rng.randrange(1 << len(truth.own))
        )
        names = sorted(truth.listed)
        if self.version == "1.1" and not truth.solutions:
            names = list(truth.own) if self.odds(0.6) else rng.sample(truth.own, rng.randint(0, len(truth.own)))
        if one is None and self.odds(0.05):
            names = rng.choices(truth.names, k=len(names)) if truth.names else names
        rng.shuffle(names)
        words = [("" if at >> truth.names.index(name) & 1 else "~") + name for name in names]
        return self.write(f"{'solx' if self.version == '3.0' else 'v'} {' '.join(words)}{self.end}")

    def _odd(self) -> None:
        """A line that stands where it should not, or is none."""
        truth, name = self.truth, (self.truth.names or ["zz"])[0]
        lines = (
            f"rup 1 {name} 1 ~{name} >= 1 ;",
            f"rup 0 {name} 0 {name} >= 0 ;",
            f"rup 1 {name} >= 1",
            f"rup 1 {name} = 0 ;",
            "rup 1 unknown >= 0 ;",
            "rup 1 >= 0 ;",
            "rup >= 1 ;",
            f"rup 1 {name} >= 0 : 0 ;",
            f"rup {10**9} {name} >= 0 ;",
            f"c {truth.count}",
            f"c {truth.count} ;",
            "output NONE",
            "conclusion UNSAT : 1 ;",
            "f 1 ;",
            "* a comment",
            "% a comment",
            "",
            "pol",
            "pol + ;",
            f"del id {truth.count + 1}{self.end}",
            f"red 1 zz >= 1 ; {name} -> 1",
            f"red 1 zz >= 1 : {name} -> 1 ;",
            f"red 1 z >= 1{' :' if self.end else ' ;'} z -> 1{self.end}",
        )
        self.write(self.rng.choice(lines))

    def _finish(self) -> None:
        """Mostly an end: all models that are left named, and a refutation; or what claims too much."""
        truth, rng = self.truth, self.rng
        if truth.stage != "steps" or self.odds(0.15):
            return
        if self.odds(0.8):
            while truth.models and len(truth.solutions) < 5:
                if not self._solve((truth.models & -truth.models).bit_length() - 1):
                    break
        if not truth.models:
            self._refute([], list(truth.own))
        if self.version == "1.1":
            self.write(f"c {rng.choice((str(truth.count), '-1', self.number()))}")
            return
        self.write("output NONE ;")
        said = len(truth.solutions) if self.odds(0.9) else rng.randint(0, 3)
        what = "UNSAT" if not said and self.odds(0.9) else f"ENUMERATION_COMPLETE {said}"
        self.write(f"conclusion {what} : {rng.choice((str(truth.count), '-1', self.number()))} ;")
        if truth.stage == "conclusion":
            self.write(f"conclusion ENUMERATION_PARTIAL {said} ;")
        if self.odds(0.95):
            self.write("end pseudo-Boolean proof ;")

    def _refute(self, prefix: list[str], names: list[str]) -> bool:
        """Lemmas by which no model has the literals of ``prefix``."""
        line = f"rup {self.clause(map(_opposite, prefix))} ;"
        if self.truth.verdict(line).accepted:
            return self.write(line)
        if not names:
            return False
        literals = [names[0], f"~{names[0]}"]
        self.rng.shuffle(literals)
        done = [self._refute([*prefix, literal], names[1:]) for literal in literals]
        return all(done) and self.write(line)


def proof(rng: Random, steps: int = 8) -> PlainProof:
    """A statement, and a proof of up to so many steps and an end. Equal generators make equal proofs."""
    return Author(rng, steps).case
