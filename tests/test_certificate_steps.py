"""Random steps and proofs: what is accepted is true by brute force, and nothing is refused that follows."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import opb
import pytest
from fuzzing.cases import PlainProof
from fuzzing.proofs import Reference, fault, proof
from modes import no_machine_code
from sampling import repeated, spread

from nonosat.certificates.checker import RefusedError
from nonosat.certificates.checker.constraints import Normal
from nonosat.certificates.checker.proof import Checker
from nonosat.certificates.checker.propagation import AXIOM
from nonosat.rng import Rng

NAMES = ["aa", "bb", "cc", "dd"]
Model = dict[str, bool]
Row = tuple[dict[str, int], int]


def holds(row: Row, model: Model) -> bool:
    return sum(a * model[name] for name, a in row[0].items()) >= row[1]


def conflict(rows: list[Row]) -> bool:
    """Whether propagation finds a conflict: every constraint, every variable, until nothing changes."""
    known: Model = {}
    while True:
        before = len(known)
        for terms, degree in rows:
            best = sum(max(a, 0) if name not in known else a * known[name] for name, a in terms.items())
            if best < degree:
                return True
            for name, a in terms.items():
                if name not in known and best - abs(a) < degree:
                    known[name] = a > 0
        if len(known) == before:
            return False


class Steps:
    """A checker, and beside it the models: those of the statement that are not named yet, with all definitions."""

    def __init__(self, seed: int) -> None:
        self.stream = Rng(seed)
        self.names, self.defined = list(NAMES), 0
        lines = [self.constraint() for _ in range(1 + self.stream.below(4))]
        self.stated, self.taken = lines, ["pseudo-Boolean proof version 1.1", f"f {len(lines)}"]
        self.begin()
        self.rows = dict(enumerate(opb.read(lines), 1))
        self.kept: list[Row] = []
        self.solutions: list[int] = []
        self.names = [name for name in NAMES if any(name in line for line in lines)]
        self.own = list(self.names)
        every = (
            dict(zip(self.names, values, strict=True)) for values in product((False, True), repeat=len(self.names))
        )
        self.models = [m for m in every if all(holds(row, m) for row in self.rows.values())]

    def begin(self) -> None:
        """Take all that was accepted: a checker that has refused something is of no use any more."""
        self.checker = Checker()
        self.checker.take(self.stated, self.checker.state, "statement")
        self.checker.begin()
        self.checker.take(self.taken, self.checker.step, "proof")

    def literal(self) -> str:
        return "~" * self.stream.below(2) + self.names[self.stream.below(len(self.names))]

    def constraint(self, clause: bool = False) -> str:
        size = 1 + self.stream.below(4)
        literals = {literal.removeprefix("~"): literal for literal in [self.literal() for _ in range(size)]}
        terms = [f"{1 if clause else 1 + self.stream.below(4)} {literal} " for literal in literals.values()]
        return f"{''.join(terms)}>= {1 if clause else self.stream.below(7)} ;"

    def accepted(self, line: str) -> bool:
        before = self.checker.database.count
        try:
            self.checker.take([line], self.checker.step, "proof")
        except RefusedError:
            self.begin()
            assert self.checker.database.count == before
            return False
        self.taken.append(line)
        return True

    @property
    def count(self) -> int:
        return self.checker.database.count

    def text(self, constraint: Normal) -> str:
        texts = {literal: text for text, literal in self.checker.codes.items()}
        return f"{''.join(f'{a} {texts[x]} ' for x, a in constraint[0].items())}>= {constraint[1]} ;"

    def rup(self) -> None:
        text = self.constraint(clause=self.stream.below(2) == 0)
        [(terms, degree)] = opb.read([text])
        negation = ({name: -a for name, a in terms.items()}, 1 - degree)
        done = self.accepted(f"rup {text}")
        assert done or not conflict([*self.rows.values(), negation]), text
        if done:
            assert conflict([*self.rows.values(), *self.kept, negation]), text
            self.follows((terms, degree))

    def pol(self) -> None:
        words = [self.operand()]
        for _ in range(self.stream.below(4)):
            number = 1 + self.stream.below(4)
            words.append(
                (f"{self.operand()} +", f"{number} *", f"{number} d", "s", f"{self.literal().removeprefix('~')} w")[
                    self.stream.below(5)
                ]
            )
        assert self.accepted(f"pol {' '.join(words)}"), words
        self.follows(opb.read([self.text(self.checker.database.constraint("-1"))])[0])

    def operand(self) -> str:
        numbers = sorted(self.rows)
        return self.literal() if not self.stream.below(3) else str(numbers[self.stream.below(len(numbers))])

    def follows(self, row: Row) -> None:
        assert all(holds(row, model) for model in self.models), row
        self.rows[self.count] = row

    def red(self) -> None:
        self.defined += 1
        name, size = f"new{self.defined}", self.stream.below(3)
        others = "".join(f"{1 + self.stream.below(3)} {self.literal()} " for _ in range(size))
        value, degree = self.stream.below(2), 1 + self.stream.below(3)
        text = f"{1 + self.stream.below(3)} {'' if value else '~'}{name} {others}>= {degree} ;"
        if self.accepted(f"red {text} {name} -> {value}"):
            self.names.append(name)
            self.extend(name, opb.read([text])[0])
            if self.checker.converse is not None and self.stream.below(2):
                _, literal, constraint = self.checker.converse
                text = self.text(constraint)
                assert self.accepted(f"red {text} {name} -> {1 - value}")
                self.narrow(opb.read([text])[0])
                assert literal

    def extend(self, name: str, row: Row) -> None:
        self.rows[self.count] = row
        both = [{**model, name: value} for model in self.models for value in (False, True)]
        self.keep_all([model for model in both if holds(row, model)])

    def narrow(self, row: Row) -> None:
        self.rows[self.count] = row
        self.keep_all([model for model in self.models if holds(row, model)])

    def keep_all(self, models: list[Model]) -> None:
        """A definition leaves every model of the statement one, at least."""
        told = [{tuple(m[name] for name in self.own) for m in some} for some in (models, self.models)]
        assert told[0] == told[1]
        self.models = models

    def solution(self) -> None:
        values = {name: self.stream.below(2) == 1 for name in self.own}
        same = [model for model in self.models if all(model[name] == value for name, value in values.items())]
        done = self.accepted("v " + " ".join(name if value else f"~{name}" for name, value in values.items()))
        assert done == bool(same), values
        if done:
            self.models = [model for model in self.models if model not in same]
            self.solutions.append(self.count)
            self.rows[self.count] = (
                {name: -1 if value else 1 for name, value in values.items()},
                1 - sum(values.values()),
            )

    def delete(self) -> None:
        number = 1 + self.stream.below(max(self.rows))
        kept = len(self.checker.database.kept)
        done = self.accepted(f"del id {number}")
        assert done == (number in self.rows and number > len(self.stated) and number not in self.solutions)
        if done:
            row = self.rows.pop(number)
            if len(self.checker.database.kept) > kept:
                self.kept.append(row)


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("seed", spread(range(0, 400, 20), 4))
def test_what_is_accepted_is_true(seed: int, plain: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if plain:
        no_machine_code(monkeypatch)
    for other in range(seed, seed + 20):
        take_steps(other)


def take_steps(seed: int) -> None:
    steps = Steps(seed)
    for _ in range(30):
        (steps.rup, steps.rup, steps.rup, steps.pol, steps.red, steps.solution, steps.delete)[steps.stream.below(7)]()
    if steps.accepted(f"c {steps.count}"):
        assert not steps.models


def test_the_steps_are_of_all_kinds() -> None:
    """Contradictions are come to by chance too, and are concluded from only where no model is left."""
    ended = 0
    for seed in range(100):
        steps = Steps(seed)
        for values in product((False, True), repeat=len(steps.own)):
            steps.accepted("v " + " ".join(("" if v else "~") + n for n, v in zip(steps.own, values, strict=True)))
        last = steps.accepted("rup >= 1 ;")
        ended += last and steps.accepted(f"c {steps.count}")
    assert ended > 20


def random_proofs(seed: int, count: int) -> None:
    """In both modes, line by line: what is accepted, what is stored and what is claimed is what brute force allows."""
    for number in range(count):
        case = proof(Random(f"{seed} {number}"))
        found = fault(case)
        assert found is None, "\n".join([f"{number}: {found}", *case.statement, "the proof:", *case.proof])


@pytest.mark.parametrize("number", repeated(100, 3_000, 100_000))
def test_random_proofs_claim_nothing_false(number: int) -> None:
    random_proofs(1, number)


@pytest.mark.slow
def test_the_random_proofs_are_of_all_kinds() -> None:
    """By brute force alone: every rule is kept and broken, in both versions, and every end is come to."""
    seen: Counter[tuple[str, ...]] = Counter()
    for number in range(1_000):
        case = proof(Random(f"1 {number}"))
        truth = Reference()
        if not all(map(truth.state, case.statement)):
            seen["statement", "refused"] += 1
            continue
        truth.begin()
        for line in case.proof:
            verdict = truth.verdict(line)
            rule = (line.split() or [""])[0]
            seen[truth.version, rule, str(verdict.accepted)] += 1
            seen[rule, verdict.why] += 1
            if verdict.accepted:
                verdict.change()
        seen["complete" if truth.complete else "some", str(min(len(truth.solutions), 3))] += 1
    rules = {"1.1": ("rup", "pol", "red", "v", "del", "c"), "3.0": ("rup", "pol", "red", "solx", "del", "conclusion")}
    wanted = [(version, rule, told) for version in rules for rule in rules[version] for told in ("True", "False")]
    wanted += [("complete", str(count)) for count in range(4)] + [("statement", "refused")]
    wanted += [("rup", why) for why in ("a model breaks it", "propagation does not show it", "there is no such hint")]
    wanted += [
        ("red", why) for why in ("it does not hold by its witness", "that is not the converse", "that is not new")
    ]
    assert not [what for what in wanted if seen[what] < 5], seen


def test_the_slow_checker_distinguishes_true_from_false() -> None:
    """What random proofs are held against, by hand."""
    truth = Reference()
    assert all(map(truth.state, ["preserved: aa bb ;", "0 zz 1 aa 1 bb >= 1 ;", "-2 aa 2 ~bb = 0 ;", "1 zz >= 1 ;"]))
    assert not Reference().state("1 aa 1 ~aa >= 1 ;")
    truth.begin()
    assert (truth.count, truth.names, truth.models) == (4, ["aa", "bb", "zz"], 1 << 5 | 1 << 6)
    for line, accepted in {
        "rup >= 0 ;": False,
        "pseudo-Boolean proof version 1.1": False,
        "pseudo-Boolean proof version 3.0": True,
        "f 4 ;": True,
        "rup 1 aa >= 1 ;": False,
        "rup 2 zz 0 aa >= 2 : 4 ;": True,
        "rup 2 zz 0 aa >= 2 : 1 ;": False,
        "pol 1 zz w ;": True,
        "pol 1 99 + ;": False,
        "red 1 dd 1 aa >= 1 : dd -> 1 ;": True,
        "red 1 ~dd 1 ~bb >= 1 : dd -> 0 ;": False,
        "red 2 ~dd 2 ~aa 0 bb >= 2 : dd -> 0 ;": False,
        "red 1 ~dd 1 ~aa >= 1 : dd -> 0 ;": True,
        "solx aa ~bb zz ;": False,
        "solx aa bb ;": False,
        "solx aa ~bb ;": True,
        "conclusion UNSAT : 1 ;": False,
        "solx ~aa bb ;": True,
        "rup >= 1 ;": False,
        "rup 3 aa 0 dd >= 3 ;": True,
        "rup >= 1 : 11 9 2 ;": True,
        "del id 9 ;": False,
        "output NONE ;": True,
        "conclusion ENUMERATION_COMPLETE 2 : 8 ;": False,
        "conclusion ENUMERATION_COMPLETE 2 : 12 ;": True,
        "end pseudo-Boolean proof ;": True,
    }.items():
        verdict = truth.verdict(line)
        assert verdict.accepted is accepted, (line, verdict, truth.count)
        if accepted:
            verdict.change()
    assert truth.complete


def test_a_step_that_nobody_checks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    case = PlainProof(("1 aa 1 bb >= 1 ;",), ("pseudo-Boolean proof version 1.1", "f 1", "rup 1 aa >= 1 ;"))
    assert fault(case) is None
    monkeypatch.setattr(
        Checker, "_rup", lambda self, words: self.database.add(self.line, AXIOM, [self.codes[word] for word in words])
    )
    assert fault(case) == ("accepted", "rup 1 aa >= 1 ;: a model breaks it")
