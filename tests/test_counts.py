"""The formulas in docs/encodings.md against the formulas that the encodings make."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product
from math import isqrt
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from brute import random_puzzle
from formulas import blocks, counted, function, of
from sampling import portions, spread

from nonosat.csp.build import Builder
from nonosat.csp.model import CSP, AllDifferent, ints
from nonosat.encodings.at_most_one import at_most_one
from nonosat.encodings.nonogram import ENCODINGS, PARTS, RELAXED, REPORT
from nonosat.encodings.parts import INTEGERS, WAYS
from nonosat.encodings.registry import encoding
from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Nonogram

FORMULAS = blocks("encodings.md")


@dataclass
class Run:
    """A variable: the start of a run; of no length and colour, another one."""

    T: int = 0
    colour: int = 0
    lower: int = 0
    upper: int = 0
    gap: int = 0

    @property
    def d(self) -> int:
        return self.upper - self.lower


def lines_of(puzzle: Nonogram, tight: bool) -> list[SimpleNamespace]:
    """The puzzle's lines, with everything that the formulas speak of, computed run by run."""
    lines = []
    for axis, _, clue in puzzle.lines():
        size = puzzle.width if axis == "row" else puzzle.height
        runs = [Run(run.length, run.colour) for run in clue]
        for left, right in pairwise(runs):
            left.gap = int(left.colour == right.colour)
        for k, run in enumerate(runs):
            run.lower = sum(r.T + r.gap for r in runs[:k]) if tight else 0
            run.upper = size - (sum(r.T + r.gap for r in runs[k:]) if tight else run.T)
        slack = size - sum(r.T + r.gap for r in runs)
        lines.append(SimpleNamespace(runs=runs, K=len(runs), slack=slack, size=size))
    return lines


def precedences(lines: list[SimpleNamespace], ordering: str) -> list[SimpleNamespace]:
    found = []
    for line in lines:
        for i in range(line.K):
            for j in range(i + 1, line.K):
                x, y = line.runs[i], line.runs[j]
                if ordering in ("r3", "r4ends", "r4printed", "r4mirrored") and j > i + 1:
                    continue
                gap = int(x.colour == y.colour)
                distance = {
                    "accumulated": sum(r.T + r.gap for r in line.runs[i:j]),
                    "r4ends": x.T + gap - y.T,
                    "r6ends": x.T + gap - y.T,
                }.get(ordering, x.T + gap)
                if ordering in ("r4printed", "r6printed"):
                    x, y = y, x
                found.append(SimpleNamespace(x=x, D=distance, y=y))
    return found


def gaps(lines: list[SimpleNamespace]) -> list[SimpleNamespace]:
    """The gaps; the runs that aren't there at the ends make their comparison false (one clause)."""
    far = 10**6
    found = []
    for line in lines:
        for left, right in zip([None, *line.runs], [*line.runs, None], strict=True):
            found.append(
                SimpleNamespace(
                    positions=range(
                        0 if left is None else left.lower + left.T, line.size if right is None else right.upper
                    ),
                    left=left or Run(lower=-far, upper=-far),
                    right=right or Run(lower=far, upper=far),
                )
            )
    return found


def expected(puzzle: Nonogram, name: str) -> tuple[int, int]:
    parts = encoding(name)
    lines = lines_of(puzzle, tight=parts.domain != "plain")
    integers = str(parts.integers)
    scope = counted(FORMULAS, integers) | {
        "cells": puzzle.height * puzzle.width,
        "cell": Run(upper=puzzle.colours),
        "c": puzzle.colours,
        "lines": lines,
        "runs": [run for line in lines for run in line.runs],
        "precedences": [p for ordering in parts.ordering for p in precedences(lines, ordering)],
        "gaps": gaps(lines),
        "forced": sum(
            len({(j, run.colour) for run in line.runs for j in range(run.upper, run.lower + run.T)}) for line in lines
        ),
        "given": [value for _, _, value in puzzle.given],
    }
    scope["covers"] = eval(of(FORMULAS, "covers", integers)["clauses"], scope)
    for word in ("nodes", "blanks", "arcs"):
        scope[word] = function(FORMULAS["automaton"][word], "l", scope)
    words = ["automaton"] if parts.lines else ["domains", "precedences", str(parts.channel)]
    used = [of(FORMULAS, word, integers) for word in words]
    # A comprehension's inner names are looked up in the globals of eval.
    variables, clauses = (sum(eval(block[word], scope) for block in used) for word in ("variables", "clauses"))
    return variables, clauses


def slot(name: str) -> list[str]:
    return [part.name for part in PARTS if part.slot == name]


NAMES = [f"{d}+{o}+{c}+{i}" for d, o, c, i in product(slot("domain"), slot("ordering"), slot("channel"), INTEGERS)]
NAMES += [f"{line}+{integers}" for line, integers in product(slot("lines"), INTEGERS)]
NAMES = list(dict.fromkeys(encoding(name).name for name in (*NAMES, *ENCODINGS, *RELAXED, *REPORT)))


def test_every_combination_has_formulas() -> None:
    """That each is evaluated and compared is what the test of counts does: it runs over all of them."""
    made = {(encoding(name).integers, encoding(name).lines or encoding(name).channel) for name in NAMES}
    assert len(made) == (2 + 1) * 5
    words = {header.split()[0] for header in FORMULAS} - set(WAYS)
    assert words == set(INTEGERS.own) | {"domains", "precedences", "covers", *slot("channel"), *slot("lines")}


@cache
def puzzles() -> list[Nonogram]:
    rng = np.random.default_rng(30)
    return [
        *(random_puzzle(rng, most=6) for _ in range(60)),
        random_density(15, 13, 0.5, seed=3),
        random_density(12, 14, [0.2, 0.2, 0.1], seed=4),
    ]


@pytest.mark.parametrize("name", spread(NAMES, 48))
@pytest.mark.parametrize("numbers", portions(range(62), 3))
def test_counts_follow_the_formulas_exactly(numbers: list[int], name: str) -> None:
    for puzzle in (puzzles()[number] for number in {*numbers, 60, 61}):
        cnf = encoding(name).formula(puzzle).cnf
        assert (cnf.variables, cnf.clauses) == expected(puzzle, name), puzzle


def of_way(way: str, **values: object) -> dict[str, Any]:
    """The formulas of a way; those of a recursive one are functions of n."""
    scope: dict[str, Any] = {"isqrt": isqrt, "digits": int.bit_length, **values}
    block = FORMULAS[way]
    if "n" in values and "d" not in values:
        for word, formula in block.items():
            scope[word] = eval(f"lambda n: {formula}", scope)
        return {word: scope[word](values["n"]) for word in ("variables", "clauses")}
    return {word: eval(formula, scope) for word, formula in block.items()}


@pytest.mark.parametrize("way", [name for name, part in WAYS.items() if part.slot == "at most one"])
def test_counts_of_at_most_one(way: str) -> None:
    for n in (*range(3, 40), 100, 1000):
        made = at_most_one(way, n)
        found = {"variables": len(made.members), "clauses": sum(map(len, made.blocks))}
        assert found == of_way(way, n=n), n
    lower, upper = ints([0, 0, -3, 5]), ints([0, 1, 3, 100])
    with_it, without = (
        INTEGERS[f"direct+{name}"].make(CSP(lower, upper, (), ints([[0, 1, 2, 3]]))).cnf for name in (way, "pairwise")
    )
    more = [of_way(name, n=n) for name in (way, "pairwise") for n in (7, 96)]
    for word, least in (("variables", without.variables), ("clauses", without.clauses)):
        assert getattr(with_it, word) - least == more[0][word] + more[1][word] - more[2][word] - more[3][word]


@pytest.mark.parametrize("way", [name for name, part in WAYS.items() if part.slot == "all different"])
@pytest.mark.parametrize("integers", ["direct", "support", "coupled"])
def test_counts_of_all_different(way: str, integers: str) -> None:
    for n, d in ((2, 3), (3, 3), (4, 7), (6, 6)):
        lower, group = np.full(n, -2, dtype=np.int32), AllDifferent(ints(range(n)), ints([n]))
        stated, free = (
            INTEGERS[f"{integers}+{way}"].make(CSP(lower, lower + np.int32(d - 1), some, ints([range(n)]))).cnf
            for some in ((group,), ())
        )
        counts = {"variables": stated.variables - free.variables, "clauses": stated.clauses - free.clauses}
        assert counts == of_way(way, n=n, d=d), (n, d)


@pytest.mark.parametrize("integers", spread(["direct", "support", "coupled"], 1))
def test_counts_of_diagrams(integers: str) -> None:
    """Nodes are the sets of what may follow, by going through all values."""
    rng = np.random.default_rng(5)
    for _ in range(40):
        count = int(rng.integers(2, 5))
        domains = [(int(low), int(low) + int(rng.integers(2, 5))) for low in rng.integers(-3, 3, count)]
        terms = [int(a) for a in rng.choice([-3, -2, -1, 1, 2, 3], count)]
        bound = sum(a * int(rng.integers(low, high + 1)) for a, (low, high) in zip(terms, domains, strict=True))
        layers: list[set[frozenset[tuple[int, ...]]]] = [set() for _ in range(count + 1)]
        values = [range(low, high + 1) for low, high in domains]
        arcs = set()
        for k in range(count + 1):
            for prefix in product(*values[:k]):
                rest = rests_of(prefix, terms, values, bound)
                if rest:
                    layers[k].add(rest)
                    if k:
                        arcs.add((k, rests_of(prefix[:-1], terms, values, bound), prefix[-1]))
        model, free = Builder(), Builder()
        for one in (model, free):
            for at, (low, high) in enumerate(domains):
                one.integer(f"v{at}", low, high)
        model.linear([(a, v) for v, a in enumerate(terms)], "<=", bound)
        stated, alone = (INTEGERS[f"{integers}+mdd"].make(one.csp()).cnf for one in (model, free))
        told = of_way("mdd", nodes=sum(map(len, layers)), arcs=len(arcs), sizes=list(map(len, values)))
        assert (stated.variables - alone.variables, stated.clauses - alone.clauses) == tuple(told.values())


def test_counts_of_adders() -> None:
    rng = np.random.default_rng(6)
    for _ in range(60):
        count = int(rng.integers(1, 7))
        lower = ints(rng.integers(-9, 3, count))
        upper = ints(lower + rng.choice([0, 1, 2, 5, 30], count))
        terms = [int(a) for a in rng.choice([-6, -3, -1, 1, 2, 5], count)]
        bound = int(sum(a * rng.integers(low, high + 1) for a, low, high in zip(terms, lower, upper, strict=True)))
        model, free = Builder(), Builder()
        for one in (model, free):
            for at in range(count):
                one.integer(f"v{at}", int(lower[at]), int(upper[at]))
        model.linear([(a, v) for v, a in enumerate(terms)], "<=", bound)
        stated, alone = (INTEGERS["log+adder"].make(one.csp()).cnf for one in (model, free))
        weights = [a << t for a, d in zip(terms, (upper - lower).tolist(), strict=True) for t in range(d.bit_length())]
        left = bound - sum(a * int(low) for a, low in zip(terms, lower, strict=True)) - sum(w for w in weights if w < 0)
        literals = [sum(abs(w) >> t & 1 for w in weights) for t in range(max(map(int.bit_length, weights), default=0))]
        scope: dict[str, Any] = {"literals": literals, "bound": left}
        block = FORMULAS["adder"]
        for word in ("inputs", "compared"):
            scope[word] = eval(f"lambda t: {block[word]}", scope)
        scope["places"] = [t for t in range(40) if t < len(literals) or scope["inputs"](t)]
        if left >> len(scope["places"]):
            scope["compared"] = lambda t: 0
        told = eval(block["variables"], scope), eval(block["clauses"], scope)
        assert (stated.variables - alone.variables, stated.clauses - alone.clauses) == told


def rests_of(prefix: tuple[int, ...], terms: list[int], values: list[range], bound: int) -> frozenset[tuple[int, ...]]:
    done = sum(a * v for a, v in zip(terms, prefix, strict=False))
    left = terms[len(prefix) :]
    return frozenset(
        rest for rest in product(*values[len(prefix) :])
        if done + sum(a * v for a, v in zip(left, rest, strict=True)) <= bound
    )  # fmt: skip
