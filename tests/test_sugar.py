"""Sugar's language: what is written is read back, and what is read has the solutions that the text says."""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import commands
import numpy as np
import pytest
from brute import pictures, random_puzzle
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import repeated, spread

from nonosat import Model
from nonosat.csp.build import Builder
from nonosat.csp.model import CSP, ints
from nonosat.csp.sugar import language, read, read_statement
from nonosat.encodings.nonogram import PARTS as RECORDS
from nonosat.encodings.nonogram_sugar import sugar_text
from nonosat.encodings.order import compile_order
from nonosat.encodings.parts import INTEGERS
from nonosat.encodings.registry import encoding
from nonosat.errors import FormatError, NonosatError, SolverError, UnknownNameError, UnsupportedError
from nonosat.puzzles.nonogram import Nonogram, Run
from nonosat.puzzles.nonogram.puzzle import palette_of
from nonosat.runs.events import Event, Finished, Found, Statistics, Verdict
from nonosat.runs.solver import Solver
from nonosat.solvers.solve import solve_csp

REPORT = """\
(int x00 0 1)
(int x01 0 1)
(int x10 0 1)
(int x11 0 1)
(int h00 0 1)
(int h10 0 1)
(int v00 0 1)
(int v10 0 1)
(predicate (r0 j) (and (<= h00 j) (< j (+ h00 1))))
(iff (= x00 1) (r0 0))
(iff (= x01 1) (r0 1))
(predicate (r1 j) (and (<= h10 j) (< j (+ h10 1))))
(iff (= x10 1) (r1 0))
(iff (= x11 1) (r1 1))
(predicate (r2 j) (and (<= v00 j) (< j (+ v00 1))))
(iff (= x00 1) (r2 0))
(iff (= x10 1) (r2 1))
(predicate (r3 j) (and (<= v10 j) (< j (+ v10 1))))
(iff (= x01 1) (r3 0))
(iff (= x11 1) (r3 1))
"""
"""The 2x2 example of Castilho & Welter 2018, ch. 4; the print has lost the blank behind ``int``."""

TWO_BY_TWO = Nonogram.from_lengths([[1], [1]], [[1], [1]])


def spoken(text: str) -> list[str]:
    """The lines that are no comment."""
    return [line for line in text.splitlines() if not line.startswith(";")]


def all_solutions(csp: CSP, **options: Any) -> set[tuple[int, ...]]:
    answer = solve_csp(csp, count=None, **options)
    assert answer.exhausted
    assert answer.verdict is (Verdict.SAT if answer.solutions else Verdict.UNSAT)
    found = {tuple(solution.values()) for solution in answer.solutions}
    assert len(found) == len(answer.solutions)
    return found


# ---------------------------------------------------------------- puzzles as text


@pytest.mark.parametrize("domain", ["plain", "tight"])
def test_the_report_s_example_is_written_line_by_line(domain: str) -> None:
    text = sugar_text(TWO_BY_TWO, encoding(f"{domain}+r3"))
    # The report's names have no separators (h00), which is ambiguous from 11 lines on; ours have them (h_0_0).
    assert [line.replace("_", "") for line in spoken(text)] == REPORT.splitlines()


def test_the_report_s_own_text_is_read_and_is_as_small_as_sugar_makes_it() -> None:
    csp = read(REPORT)
    assert csp.names() == ["x00", "x01", "x10", "x11", "h00", "h10", "v00", "v10"]
    cnf = compile_order(csp).cnf
    assert (cnf.variables, cnf.clauses) == (8, 16)  # Sugar 2.3.3: 8 variables, 16 clauses
    assert {cells[:4] for cells in all_solutions(csp)} == {(1, 0, 0, 1), (0, 1, 1, 0)}


@pytest.mark.parametrize("integers", INTEGERS)
def test_a_sum_is_as_small_whichever_of_its_terms_is_declared_first(integers: str) -> None:
    """Partial sums begin with the small terms: with the large one first, clauses would be twice as many."""
    small, large = "(int a 0 3) (int b 0 3) (int c 0 3) (int d 0 3) ", "(int z 0 40) "
    made = [
        INTEGERS[integers].make(read(declared + "(<= (+ a b c d z) 30)")).cnf
        for declared in (small + large, large + small)
    ]
    assert len({(cnf.variables, cnf.clauses) for cnf in made}) == 1


def test_orderings_are_written_as_the_report_writes_rule_3() -> None:
    row = (Run(2, 1), Run(1, 1), Run(1, 2))
    puzzle = Nonogram((row,), tuple((Run(1, c),) if c else () for c in (1, 1, 0, 1, 2)), (), palette_of(2))
    lines = spoken(sugar_text(puzzle, encoding("tight+r3")))
    assert "(< (+ h_0_0 2) h_0_1)" in lines
    assert "(<= (+ h_0_1 1) h_0_2)" in lines  # no blank between colours
    assert "(predicate (r0_2 j) (and (<= h_0_2 j) (< j (+ h_0_2 1))))" in lines
    assert "(iff (= x_0_4 2) (r0_2 4))" in lines
    assert "(!= x_0_2 1)" in lines  # the third column is empty


PARTS = {part.name: part for part in RECORDS}
ORDERINGS = [part.name for part in RECORDS if part.slot == "ordering"]
DOMAINS = [part.name for part in RECORDS if part.slot == "domain"]


@pytest.mark.parametrize("ordering", spread(ORDERINGS, 2))
@pytest.mark.parametrize("domain", spread(DOMAINS, 3))
def test_texts_have_the_solutions_of_their_puzzles(domain: str, ordering: str) -> None:
    """As cells: for sound rules those of brute force, for the others those of the same rules stated directly."""
    rng = np.random.default_rng(21)
    rules = encoding(f"{domain}+{ordering}+iff" if "iff" in PARTS else f"{domain}+{ordering}")
    for _ in range(25):
        puzzle = random_puzzle(rng, most=4)
        csp = read(sugar_text(puzzle, rules))
        size = puzzle.height * puzzle.width
        found = all_solutions(replace(csp, board=csp.board[:, :size]))
        if getattr(PARTS[ordering], "sound", True):
            assert found == {tuple(picture.cells.reshape(-1).tolist()) for picture in pictures(puzzle)}
        else:
            assert found == all_solutions(rules.csp(puzzle))


def test_line_encodings_have_no_such_text() -> None:
    if any(part.slot == "lines" for part in PARTS.values()):
        with pytest.raises(UnsupportedError, match="has no starts"):
            sugar_text(TWO_BY_TWO, encoding("automaton+order"))


# ---------------------------------------------------------------- texts at random, against an evaluator of their own

Tree = Any  # a name, a number, or [operator, argument, ..]


def text_of(tree: Tree) -> str:
    """A tuple is a list without an operator, or (of one text) a word."""
    if isinstance(tree, tuple) and len(tree) == 1 and isinstance(tree[0], Word):
        return tree[0]
    return f"({' '.join(map(text_of, tree))})" if isinstance(tree, list | tuple) else str(tree)


class Word(str):
    """A word that is no name."""


PREDICATES: dict[str, tuple[list[str], Tree]] = {
    "near": (["a", "b"], ["<=", ["-", "a", "b"], 1]),
    "either": (["p", "q"], ["and", ["or", "p", "q"], ["not", ["and", "p", "q"]]]),
    "both": (["c", "p"], ["iff", ["near", "c", 0], ["either", "p", ["near", 1, "c"]]]),
}
MEANING: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("not", "!"), lambda a: not a),
    **dict.fromkeys(("and", "&&"), lambda *a: all(a)),
    **dict.fromkeys(("or", "||"), lambda *a: any(a)),
    **dict.fromkeys(("imp", "=>"), lambda a, b: b if a else True),
    "iff": lambda a, b: a == b,
    "xor": lambda a, b: a != b,
    **dict.fromkeys(("=", "eq"), lambda a, b: a == b),
    **dict.fromkeys(("!=", "ne"), lambda a, b: a != b),
    **dict.fromkeys(("<", "lt"), lambda a, b: a < b),
    **dict.fromkeys(("<=", "le"), lambda a, b: a <= b),
    **dict.fromkeys((">", "gt"), lambda a, b: a > b),
    **dict.fromkeys((">=", "ge"), lambda a, b: a >= b),
    "alldifferent": lambda *a: len(set(a)) == len(a),
    **dict.fromkeys(("+", "add"), lambda *a: sum(a)),
    **dict.fromkeys(("-", "sub"), lambda a, *b: a - sum(b) if b else -a),
    "neg": lambda a: -a,
    **dict.fromkeys(("*", "mul"), lambda a, b: a * b),
    "abs": abs,
    "min": lambda *a: min(a),
    "max": lambda *a: max(a),
    "if": lambda c, a, b: a if c else b,
    **dict.fromkeys(("/", "div"), lambda a, b: a // b),
    **dict.fromkeys(("%", "mod"), lambda a, b: a % b),
    "pow": lambda a, b: a**b,
    "element": lambda i, entries, v: 1 <= i <= len(entries) and entries[i - 1] == v,
    "weightedsum": lambda rows, word, v: MEANING[word](sum(a * b for a, b in rows), v),
    "count": lambda v, entries, word, many: MEANING[word](entries.count(v), many),
    "nvalue": lambda many, entries: len(set(entries)) == many,
    "lex_less": lambda one, other: one < other,
    "lex_lesseq": lambda one, other: one <= other,
    "disjunctive": lambda tasks: not overlaps(tasks),
    "cumulative": lambda tasks, limit: (
        all(sum(height for start, _, end, height in tasks if start <= t < end) <= limit for t in range(-9, 15))
        and all(start + length == end for start, length, end, _ in tasks)
    ),
    "global_cardinality": lambda entries, cards: all(entries.count(v) == many for v, many in cards),
    "global_cardinality_with_costs": lambda entries, cards, costs, cost: (
        MEANING["global_cardinality"](entries, cards)
        and sum(c for i, j, c in costs if entries[i - 1] == cards[j - 1][0]) == cost
    ),
    "allowed": lambda a, b: (a, b) in ROWS,
    "forbidden": lambda a, b: (a, b) not in ROWS,
}
ROWS = [(-1, 0), (0, 2), (1, 1), (2, -2), (2, 2)]
RELATIONS = [
    f"(relation {name} 2 ({kind} {' '.join(f'({a} {b})' for a, b in ROWS)}))"
    for name, kind in (("allowed", "supports"), ("forbidden", "conflicts"))
]


def overlaps(tasks: list[tuple[int, int]]) -> bool:
    real = [(start, start + length) for start, length in tasks if length > 0]
    return any(one[0] < other[1] and other[0] < one[1] for i, one in enumerate(real) for other in real[:i])


def value(tree: Tree, names: dict[str, Any]) -> Any:
    if isinstance(tree, Word):
        return tree
    if isinstance(tree, tuple):
        return value(tree[0], names) if isinstance(tree[0], Word) else [value(part, names) for part in tree]
    if isinstance(tree, str):
        return names[tree]
    if not isinstance(tree, list):
        return tree
    head, *arguments = tree
    values = [value(argument, names) for argument in arguments]
    if head in PREDICATES:
        parameters, body = PREDICATES[head]
        return value(body, names | dict(zip(parameters, values, strict=True)))
    return MEANING[head](*values)


class Trees:
    """Random well-formed expressions over the integers ``i0, i1, ..`` and the Booleans ``b0, b1, ..``."""

    def __init__(self, rng: np.random.Generator, integers: int, booleans: int) -> None:
        self.rng, self.integers, self.booleans = rng, integers, booleans

    def pick(self, *names: str) -> str:
        return names[self.rng.integers(len(names))]

    def many(self, make: Callable[[int], Tree], depth: int, most: int = 3) -> list[Tree]:
        return [make(depth - 1) for _ in range(self.rng.integers(1, most + 1))]

    def term(self, depth: int) -> Tree:
        if depth <= 0 or self.rng.random() < 0.4:
            return f"i{self.rng.integers(self.integers)}" if self.rng.random() < 0.8 else int(self.rng.integers(-3, 4))
        match int(self.rng.integers(11)):
            case 8:
                return [self.pick("/", "div", "%", "mod"), self.name(), int(self.rng.choice([-3, -2, 1, 2, 3]))]
            case 9:
                return ["pow", self.name(), int(self.rng.integers(0, 3))]
            case 10:
                return [self.pick("*", "mul"), self.name(), self.name()]
            case 0 | 1:
                return [self.pick("+", "add"), *self.many(self.term, depth)]
            case 2 | 3:
                return [self.pick("-", "sub"), *self.many(self.term, depth)]
            case 4:
                return [self.pick("*", "mul"), int(self.rng.integers(-2, 4)), self.term(depth - 1)]
            case 5:
                return [self.pick("abs", "neg"), self.term(depth - 1)]
            case 6:
                return [self.pick("min", "max"), *self.many(self.term, depth)]
            case _:
                return ["if", self.formula(depth - 1), self.term(depth - 1), self.term(depth - 1)]

    def name(self) -> str:
        return f"i{self.rng.integers(self.integers)}"

    def entries(self, least: int = 1) -> tuple[Tree, ...]:
        return tuple(self.term(0) for _ in range(self.rng.integers(least, 4)))

    def small(self) -> int:
        return int(self.rng.integers(-1, 3))

    def constraint(self) -> Tree:
        """A global constraint."""
        word = (Word(self.pick("eq", "ne", "le", "lt", "ge", "gt")),)
        entries = self.entries()
        match int(self.rng.integers(10)):
            case 0:
                return ["element", self.term(0), entries, self.term(0)]
            case 1:
                return ["weightedsum", tuple((self.small(), x) for x in entries), word, self.term(0)]
            case 2:
                return ["count", self.small(), entries, word, self.term(0)]
            case 3:
                return ["nvalue", self.term(0), entries]
            case 4:
                return [self.pick("lex_less", "lex_lesseq"), entries, tuple(self.term(0) for _ in entries)]
            case 5:
                return ["disjunctive", tuple((x, int(self.rng.integers(0, 3))) for x in entries)]
            case 6:
                tasks = tuple((x, int(self.rng.integers(0, 3)), self.term(0), 1 + i % 2) for i, x in enumerate(entries))
                return ["cumulative", tasks, int(self.rng.integers(0, 3))]
            case 7:
                return ["global_cardinality", entries, ((0, self.term(0)), (2, 1))]
            case 8:
                costs = tuple((i + 1, j, self.small()) for i in range(len(entries)) for j in (1, 2))
                return ["global_cardinality_with_costs", entries, ((0, self.term(0)), (2, 1)), costs, self.term(0)]
            case _:
                return [self.pick("allowed", "forbidden"), self.term(0), self.term(0)]

    def formula(self, depth: int) -> Tree:
        if self.rng.random() < 0.15:
            return self.constraint()
        if depth <= 0 and self.booleans and self.rng.random() < 0.5:
            return f"b{self.rng.integers(self.booleans)}"
        if depth <= 0 or self.rng.random() < 0.3:
            comparison = self.pick("=", "!=", "<", "<=", ">", ">=", "eq", "ne", "lt", "le", "gt", "ge")
            return [comparison, self.term(depth), self.term(depth)]
        match int(self.rng.integers(9)):
            case 0 | 1:
                return [self.pick("and", "&&"), *self.many(self.formula, depth)]
            case 2 | 3:
                return [self.pick("or", "||"), *self.many(self.formula, depth)]
            case 4:
                return [self.pick("not", "!"), self.formula(depth - 1)]
            case 5:
                return [self.pick("imp", "=>", "iff", "xor"), self.formula(depth - 1), self.formula(depth - 1)]
            case 6:
                return ["near", self.term(depth - 1), self.term(depth - 1)]
            case 7:
                head = self.pick("either", "both")
                return [head, (self.formula if head == "either" else self.term)(depth - 1), self.formula(depth - 1)]
            case _:
                return ["alldifferent", *self.many(self.term, depth, 4)]


def random_text(rng: np.random.Generator) -> tuple[str, dict[str, list[Any]], list[Tree]]:
    """A text, its variables' values, and its constraints."""
    trees = Trees(rng, int(rng.integers(1, 4)), int(rng.integers(0, 3)))
    domains: dict[str, list[Any]] = {}
    lines = ["(domain small -1 2)", *RELATIONS]
    for i in range(trees.integers):
        kind = rng.integers(4)
        if kind == 0:
            domains[f"i{i}"] = list(range(-1, 3))
            lines.append(f"(int i{i} small)")
        elif kind == 1:
            domains[f"i{i}"] = [-2, 0, 1, 2, 4]
            lines.append(f"(int i{i} (4 -2 (0 1) (1 2))) ; holes")
        else:
            low, high = sorted(rng.integers(-3, 4, 2).tolist())
            domains[f"i{i}"] = list(range(low, high + 1))
            lines.append(f"(int i{i} {low} {high})")
    for i in range(trees.booleans):
        domains[f"b{i}"] = [False, True]
        lines.append(f"(bool b{i})")
    lines += (
        f"(predicate ({' '.join([name, *names])})\n {text_of(body)})" for name, (names, body) in PREDICATES.items()
    )
    constraints = [trees.formula(int(rng.integers(0, 4))) for _ in range(rng.integers(1, 4))]
    lines += map(text_of, constraints)
    return "\n".join(lines), domains, constraints


def expected(domains: dict[str, list[Any]], constraints: list[Tree]) -> set[tuple[int, ...]]:
    assignments = (dict(zip(domains, values, strict=True)) for values in product(*domains.values()))
    return {
        tuple(int(v) for v in names.values())
        for names in assignments
        if all(value(constraint, names) for constraint in constraints)
    }


@pytest.mark.parametrize("number", repeated(40, 300))
def test_texts_agree_with_an_evaluator(number: int) -> None:
    rng = np.random.default_rng(31)
    kinds = {True: 0, False: 0}
    for _ in range(number):
        text, domains, constraints = random_text(rng)
        csp = read(text)
        wanted = expected(domains, constraints)
        assert csp.names()[: len(domains)] == list(domains)
        assert all_solutions(csp) == wanted, text
        kinds[bool(wanted)] += 1
    assert min(kinds.values()) > number // 10


@pytest.mark.parametrize(
    ("solver", "integers"),
    spread([("cpsat", "order"), ("cadical153", "order"), ("kissat404", "order"), *product(["minisat22"], INTEGERS)], 3),
)
def test_all_solvers_and_encodings_agree(solver: str, integers: str) -> None:
    rng = np.random.default_rng(32)
    for _ in range(15):
        text, domains, constraints = random_text(rng)
        wanted = expected(domains, constraints)
        if len(wanted) < 60:
            assert all_solutions(read(text), solver=solver, integers=integers) == wanted, text


def test_booleans_may_be_declared_between_integers_and_predicates_behind_their_use() -> None:
    csp = read("(bool p) (int x 0 2) (over p 1) (bool q) (predicate (over f k) (imp f (> x k))) p")
    assert csp.names()[:3] == ["x", "p", "q"]
    assert all_solutions(csp) == {(2, 1, 0), (2, 1, 1)}


def test_all_different_in_the_older_form_and_of_many_terms() -> None:
    assert all_solutions(read("(int x 0 1) (int y 0 1) (alldifferent (x y))")) == {(0, 1), (1, 0)}
    assert all_solutions(read("(int x 0 1) (alldifferent x 1)")) == {(0,)}
    assert all_solutions(read("(int x 0 1) (alldifferent x x)")) == set()
    many = " ".join(f"x{i}" for i in range(101))
    declared = "".join(f"(int x{i} {i} {i})" for i in range(101))
    assert solve_csp(read(f"{declared} (alldifferent {many})")).verdict is Verdict.SAT
    with pytest.raises(UnsupportedError, match="alldifferent of over 100 terms inside another formula"):
        read(f"{declared} (bool p) (or p (alldifferent {many}))")


def test_texts_without_anything_open() -> None:
    assert all_solutions(read("")) == {()}
    assert all_solutions(read("; nothing but a comment")) == {()}
    assert all_solutions(read("(or)")) == set()
    assert all_solutions(read("(and) true (not false)")) == {()}
    assert all_solutions(read("(int x 3) (= x 3)")) == {(3,)}
    assert all_solutions(read("(int x 3) (= x 4)")) == set()
    for solver in ("cpsat", "maplesat", "lingeling"):
        assert all_solutions(read("(int x 3) (bool p) (or p false)"), solver=solver) == {(3, 1)}
        assert all_solutions(read("(int x 3) (or)"), solver=solver) == set()


# ---------------------------------------------------------------- depth and size


@pytest.mark.parametrize(
    ("opening", "middle", "closing"),
    spread(
        [
            ("(not ", "(> x 4)", ")"),
            ("(and p (or q ", "(> x 4)", "))"),
            ("(iff p (xor q ", "(> x 4)", "))"),
            ("(< 1 (if ", "(> x 4)", " 1 2))"),
        ],
        0,
    ),
)
@pytest.mark.parametrize("size", repeated(1_000, 10_000))
def test_depth_costs_no_stack(opening: str, middle: str, closing: str, size: int) -> None:
    declared, depth = "(int x 0 9) (bool p) (bool q)", size // opening.count("(")
    read(f"{declared} {opening * depth}{middle}{closing * depth}")
    read(f"{declared} (< {'(+ 0 ' * depth}x{')' * depth} 5)")
    for text in ("(" * 100_000, ")" * 100_000, "(" * 100_000 + ")" * 100_000):
        with pytest.raises(FormatError):
            read(text)


def test_deep_texts_are_right() -> None:
    deep = "(and (or p (> x 6)) (or q " * 500 + "(> x 4)" + "))" * 500
    wanted = {(x, p, q) for x in range(10) for p in (0, 1) for q in (0, 1) if (p or x > 6) and (q or x > 4)}
    assert all_solutions(read(f"(int x 0 9) (bool p) (bool q) {deep}")) == wanted


@pytest.mark.slow
@pytest.mark.parametrize(
    "step", spread(["(or (p{0} (+ x 1)) (p{0} (- x 1)))", "(and (p{0} x) (p{0} x))", "(p{0} (+ x x))"], 1)
)
def test_predicates_that_double_each_other_come_to_an_end(step: str) -> None:
    """The first by count, or because it says the same twice; the last since its numbers grow."""
    lines = ["(int y 0 9)", "(predicate (p0 x) (> x 3))"]
    lines += (f"(predicate (p{i + 1} x) {step.format(i)})" for i in range(60))
    with pytest.raises(NonosatError, match=r"the predicates make too much of this text|a number too large"):
        read("\n".join([*lines, "(p60 y)"]))


def test_the_bound_on_what_predicates_make_is_reached_and_not_passed() -> None:
    def left_of(steps: int) -> int:
        reader = language._StatementReader(steps)
        text = "(int x 0 9) (predicate (p y) (> y 3)) (and (p x) (p (+ x 1)))"
        constraints = [one for one in language.parse(text) if not reader.declared(one)]
        reader.declare()
        for one in constraints:
            reader.state(one)
        return reader.evaluator.steps

    used = 1000 - left_of(1000)
    assert used > 3
    assert left_of(used) == 0
    with pytest.raises(UnsupportedError, match="the predicates make too much of this text"):
        left_of(used - 1)


@pytest.mark.slow
def test_shared_formulas_are_not_repeated() -> None:
    """What predicates share is encoded once: 30 levels, each with two uses of two formulas of the level below."""
    lines = ["(bool a) (bool b) (bool c) (bool d)"]
    f, g = "(or a (and b c))", "(and (or b d) (or a c d))"
    lines += [f"(predicate (f0 z) {f})", f"(predicate (g0 z) {g})"]
    for i in range(12):
        lines.append(f"(predicate (f{i + 1} z) (or (f{i} z) (and (g{i} z) a)))")
        lines.append(f"(predicate (g{i + 1} z) (and (g{i} z) (or (f{i} z) b)))")
    csp = read("\n".join([*lines, "(xor (f12 0) (g12 0))"]))
    assert len(csp) < 100
    assert compile_order(csp).cnf.clauses < 400


# ---------------------------------------------------------------- what cannot be read

ERRORS = [
    ("(int x 0 1)\n(int x 0 2)", "line 2: x is declared twice"),
    ("(int x 0 1)\n(bool x)", "line 2: x is declared twice"),
    ("(predicate (p a) (> a 0))\n\n(predicate (p) true)", "line 3: p is declared twice"),
    ("(predicate (p a a) (> a 0))", "line 1: a is declared twice"),
    ("(domain d 0 1)\n(domain d 0 1)", "line 2: d is declared twice"),
    ("(int x 0 1)\n(<\n x y)", "line 3: y is not declared"),
    ("(int x 0 1)\n(foo x)", "line 2: foo is no operator and no predicate"),
    ("(int x 2 1)", "line 1: an empty domain: 2..1"),
    ("(int x ())", "line 1: an empty domain"),
    ("(int x ((2 1) 3))", "line 1: an empty domain: 2..1"),
    ("(int x (1 2 3) 4)", "line 1: "),
    ("(int x 0 one)", "line 1: one is not a number"),
    ("(int x d)", "line 1: d is not a number or a domain"),
    ("(int x)", "line 1: expected a domain: (int NAME LOW HIGH)"),
    ("(int)", "line 1: expected a name in (int ..), found nothing"),
    ("(int 5 0 1)", "line 1: expected a name in (int ..), found 5"),
    ("(int true 0 1)", "line 1: expected a name in (int ..), found true"),
    ("(bool p q)", "line 1: expected (bool NAME)"),
    ("(predicate p true)", "line 1: expected (predicate (NAME PARAMETER ..) BODY)"),
    ("(predicate (and a) a)", "line 1: and cannot be a predicate's name"),
    ("(int x 0 99999999999999999999999999)", "line 1: a number too large: 99999999999999999999...; the limit is"),
    ("(int x 0 4611686018427387904)", "line 1: a number too large: 4611686018427387904; the limit is 46116"),
    ("(int x 0 9)\n(< (* x 4611686018427387903) 3)", "line 2: a number too large"),
    ("(int x 0 9)\n(< (* 99999 99999 99999 99999 x) 3)", "line 2: a number too large"),
    ("(int x 0 0)\n(int y 0 5) (< (+ y (* 4611686018427387903 2 x)) 3)", "line 2: a number too large"),
    ("(int x 0 4000000000000000000) (int y -4000000000000000000 0)\n(alldifferent x y)", "line 2: a number too large"),
    ("(int x 0 9)\n(or (< x 3)\n (> x 4)", "line 2: this '(' is never closed"),
    ("(int x 0 9))", "line 1: a ')' that closes nothing"),
    ("(int x 0 9)\n(= x 1 2)", "line 2: (= ..) takes 2 arguments, not 3"),
    ("(predicate (p a) (> a 0))\n(p 1 2)", "line 2: (p ..) takes 1 argument, not 2"),
    ("(not)", "line 1: (not ..) takes 1 argument, not 0"),
    ("(> (-) 1)", "line 1: (- ..) takes at least 1 argument, not 0"),
    ("(int x 0 9)\n(and x)", "line 2: x in (and ..) is a number, not a formula"),
    ("(bool p)\n(> p 0)", "line 2: p in (> ..) is a formula, not a number"),
    ("(int x 0 9)\n(+ x 1)", "line 2: (+ ..) is a number, no constraint"),
    ("(int x 0 9)\nx", "line 2: x is a number, no constraint"),
    ("()", "line 1: a list without an operator in front"),
    ("((and))", "line 1: a list without an operator in front"),
    ("(and (int x 0 1))", "line 1: (int ..) inside another form"),
    ("(predicate (p x) (q x)) (predicate (q x) (p x))\n(p 1)", "line 1: (p ..) calls itself"),
    ("(int x 0 19)\n(= (pow 99 x) 1)", "line 2: "),
    ("(int x 0 9)\n(count 1 (x) about 2)", "line 2: about is no comparison: eq, ne, le, lt, ge or gt"),
    ("(int x 0 9)\n(weightedsum ((x x)) eq 2)", "line 2: a weight is not a number"),
    ("(int x 0 9)\n(disjunctive ((x)))", "line 2: expected lists of 2: (start duration)"),
    ("(int x 0 9)\n(element x 3 x)", "line 2: 3 in (element ..) is a number, not a list of numbers"),
    (
        "(int x 0 9)\n(cumulative ((nil x nil 1)) 1)",
        "line 2: of a task's origin, duration and end, one at most may be nil",
    ),
    ("(int x 0 9)\n(lex_less (x x) (x))", "line 2: lex_less: lists of the lengths 2, 1"),
    ("(relation r 2 (supports (1 2 3)))", "line 1: expected 2 numbers in a row of r"),
    ("(relation r 2)", "line 1: expected (relation NAME ARITY (supports (VALUE ..) ..)), or conflicts"),
    ("(int x 0 9)\n(objective best x)", "line 2: expected (objective minimize VARIABLE)"),
    ("(int x 0 9) (objective minimize x)\n(objective minimize x)", "line 2: a second objective"),
    ("(int \x1b[31m 0 1)", r"line 1: a name that cannot be printed: \x1b[31m"),
]


@pytest.mark.parametrize(("text", "reason"), ERRORS)
def test_errors_name_the_line(text: str, reason: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(text)
    assert str(caught.value).startswith(reason)


def test_tasks_of_which_a_part_is_nil() -> None:
    declared = "(int s 0 3) (int d 1 2) (int e 0 5)"
    for task in ("(s d nil 1)", "(s nil e 1)", "(nil d e 1)"):
        found = all_solutions(read(f"{declared} (cumulative ({task} (0 2 2 1)) 1)"))
        parts = [
            (s, d, e, *((s, s + d) if "e" not in task[1:-2] else (s, e) if "s" in task else (e - d, e)))
            for s, d, e in product(range(4), (1, 2), range(6))
        ]
        assert found == {
            (s, d, e) for s, d, e, begin, end in parts if end >= begin and (begin >= 2 or end <= 0 or begin == end)
        }


def test_an_objective_is_read() -> None:
    for word, best in (("minimize", 3), ("maximize", 18)):
        model = Model()
        read_statement(f"(int x 1 9) (int y 2 9)\n(objective {word} z) (int z 0 99)\n(= z (+ x y))", into=model)
        answer = model.solve()
        assert (answer.objective, answer.optimal) == (best, True)
        assert model.constraints[0].name == "line 3: z == x + y"


WORDS = st.one_of(
    st.sampled_from("(((())))xypfd017;\n\0ü+-*<=!"),
    st.sampled_from(["int", "bool", "domain", "predicate", "-3", "99999999999999", "true", "false", "!=", "<=", "|a"]),
    st.sampled_from(["and", "or", "not", "imp", "iff", "xor", "abs", "min", "max", "if", "alldifferent"]),
    st.sampled_from(["pow", "div", "mod", "element", "count", "cumulative", "nvalue", "relation", "supports", "nil"]),
    st.sampled_from(["(int x 0 5)", "(bool p)", "(predicate (f a b) (or a (= b x)))", "(domain d 1 2)", "(int y d)"]),
    st.sampled_from(["(f p x)", "(or", "(and", "(+ x", "(= x 1)", "(iff p", "(alldifferent x y)"]),
)


@pytest.mark.slow
@settings(max_examples=400, deadline=None, database=None, derandomize=True)
@given(st.one_of(st.lists(WORDS, max_size=60).map(" ".join), st.text(max_size=40), st.text("()x1 \n;-", max_size=60)))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(NonosatError):
        csp = read(text)
        assert len(csp.names()) == len(csp) == len(set(csp.names()))
        assert csp.board.shape[0] == 1


@settings(max_examples=150, deadline=None, database=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.integers(0, 10**6), st.sampled_from(["", "(", ")", " ", "x", "0", "-", "and"]))
def test_any_slip_in_a_text_is_read_or_refused(seed: int, place: int, slip: str) -> None:
    text, _, _ = random_text(np.random.default_rng(seed))
    at = place % len(text)
    with contextlib.suppress(NonosatError):
        assert isinstance(read(text[:at] + slip + text[at + 1 :]), CSP)


# ---------------------------------------------------------------- solve_csp


def pigeons(count: int) -> str:
    """One pigeon more than there are holes, pair by pair: hard for any solver that only resolves."""
    names = [f"x{i}" for i in range(count)]
    lines = [f"(int {name} 2 {count})" for name in names]
    return "\n".join(lines + [f"(!= {a} {b})" for i, a in enumerate(names) for b in names[:i]])


def solving(search: Callable[..., Iterator[Event]]) -> Solver:
    """A solver that finds the solutions of CSPs by ``search``."""
    return Solver("fake", "CP", "for a test", of_csp=search)


def test_a_model_that_is_none_is_wrong() -> None:
    csp = read("(int x 0 300) (int y 0 300) (< x y)")

    def search(found: list[list[int]]) -> Callable[..., Iterator[Event]]:
        def run(*arguments: object) -> Iterator[Event]:
            yield from (Found(ints(values)) for values in found)  # type: ignore[arg-type]
            yield Finished(True, Statistics())

        return run

    answer = solve_csp(csp, count=None, solver=solving(search([[299, 300], [300, 299]])))
    assert (answer.verdict, answer.solutions) == (Verdict.WRONG, ({"x": 299, "y": 300},))
    answer = solve_csp(csp, count=None, solver=solving(search([[0, 1], [0, 1]])))
    assert (answer.stopped, answer.reason) == (Verdict.CRASH, "the same solution came twice")


def test_counting() -> None:
    csp = read("(int x -3 300)")
    one, five, every = (solve_csp(csp, count=count) for count in (1, 5, None))
    assert [len(answer.solutions) for answer in (one, five, every)] == [1, 5, 304]
    assert [answer.exhausted for answer in (one, five, every)] == [False, False, True]
    assert {solution["x"] for solution in every.solutions} == set(range(-3, 301))
    assert one.statistics.variables == 303
    with pytest.raises(UnsupportedError, match="count is 0"):
        solve_csp(csp, count=0)


def test_limits_and_a_process_of_its_own() -> None:
    csp = read("(int x 0 5) (int y 0 5) (> (+ x y) 8)")
    for solver in ("minisat22", "cpsat"):
        answer = solve_csp(csp, count=None, solver=solver, time_limit_s=60)
        assert {tuple(solution.values()) for solution in answer.solutions} == {(4, 5), (5, 4), (5, 5)}
        assert answer.statistics.peak_memory_mb
    assert solve_csp(read(pigeons(14)), time_limit_s=0.3).verdict is Verdict.TIMEOUT


def test_wrong_names_and_domains_too_large_for_booleans() -> None:
    csp = read("(int x 0 536870911)")
    with pytest.raises(UnknownNameError, match="unknown integer encoding 'nope'; known: order"):
        solve_csp(csp, integers="nope")
    with pytest.raises(UnknownNameError, match="unknown solver"):
        solve_csp(csp, solver="nope")
    with pytest.raises(UnsupportedError, match="536,870,911 Booleans for the domains are too many"):
        solve_csp(csp)
    assert solve_csp(csp, solver="cpsat").verdict is Verdict.SAT


def test_any_csp_can_be_solved() -> None:
    model = Builder()
    x, y = model.integer("x", 0, 3), model.integer("y", 0, 3)
    model.linear([(2, x), (1, y)], "=", 5)
    assert all_solutions(model.csp()) == {(1, 3), (2, 1)}


def test_a_solver_that_fails_is_a_crash() -> None:
    def search(*arguments: object) -> Iterator[Event]:
        raise SolverError("no more")
        yield

    answer = solve_csp(read("(int x 0 3)"), solver=solving(search))
    assert (answer.verdict, answer.reason) == (Verdict.CRASH, "no more")


# ---------------------------------------------------------------- the command line


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return commands.run("csp", *arguments, stdin=stdin)


@pytest.mark.slow
def test_the_command_prints_what_sugar_prints(tmp_path: Path) -> None:
    path = tmp_path / "small.csp"
    path.write_text("(int x 1 3) ; three values\n(bool p)\n(iff p (> x 1))\n(< x 3)\n")
    done = run(str(path), "--all")
    assert done.returncode == 10
    head, *lines = done.stdout.splitlines()
    assert head == "s SATISFIABLE"
    solutions = "\n".join(lines).removesuffix("\na").split("\na\n")
    assert sorted(solutions) == ["a x 1\na p false", "a x 2\na p true"]
    assert "2 solutions" in done.stderr
    assert "may be more" in run(str(path), "--solver", "cpsat").stderr
    record = json.loads(run(str(path), "--count", "1", "--format", "json", "--encoding", "order").stdout)
    assert record["verdict"] == "SAT"
    assert record["solutions"] in ([{"x": 1, "p": False}], [{"x": 2, "p": True}])
    assert not record["exhausted"]
    assert (record["solver"], record["encoding"], record["variables"]) == ("minisat22", "order", 3)


def test_the_command_s_exit_codes() -> None:
    done = run("-", stdin="(int x 0 1) (> x 1)")
    assert (done.returncode, done.stdout) == (20, "s UNSATISFIABLE\n")
    done = run("-", "--time-limit", "0.3", stdin=pigeons(14))
    assert (done.returncode, done.stdout) == (0, "s UNKNOWN\n")
    assert "TIMEOUT" in done.stderr


def test_the_command_s_errors_are_one_line() -> None:
    for stdin, reason in (
        ("(int x 0 1)\n(> x", "standard input:2: this '(' is never closed"),
        ("(int x 0 1)\n(pow x 2)", "standard input:2: (pow ..) is a number, no constraint"),
    ):
        done = run("-", stdin=stdin)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"nonosat: {reason}\n")
    assert run("/nowhere.csp").stderr == "nonosat: /nowhere.csp: no such file\n"


def test_a_limit_on_cpu_time() -> None:
    """One pigeon more than there are holes: no SAT solver finishes that."""
    names = [f"p{number}" for number in range(15)]
    text = "".join(f"(int {name} 1 14)" for name in names)
    pairs = "".join(f"(!= {one} {other})" for place, one in enumerate(names) for other in names[:place])
    answer = solve_csp(read(text + pairs), cpu_limit_s=0.5)
    assert (answer.verdict, answer.solutions) == (Verdict.CPUOUT, ())


def test_a_number_that_cannot_be_stated_alone_may_be_a_part_of_a_constraint_that_can() -> None:
    assert all_solutions(read("(int x 0 65536)\n(= 1 (max (div x x) x))\n(<= x 3)")) == {(1,)}
    assert all_solutions(read("(int x 0 65536)\n(>= x (div x x))\n(<= x 2)")) == {(1,), (2,)}
    for text, line in (
        ("(= 1\n (div x y))", 4),
        ("(objective minimize\n (div x y))", 4),
        ("(= 1 x)\n(< 2 (div x y))", 4),
    ):
        with pytest.raises(FormatError, match=rf"line {line}: floordiv of values that combine in 4,295,098,369 ways"):
            read(f"(int x 0 65536)\n(int y 0 65536)\n{text}")
