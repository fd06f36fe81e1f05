"""The formulas in docs/skyscrapers.md against the formulas that the encodings make."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import combinations, product
from math import prod
from types import SimpleNamespace
from typing import Any

import pytest
from formulas import blocks, counted, function, of
from latin import subsets
from sampling import RARE, spread

from nonosat.encodings.parts import INTEGERS
from nonosat.encodings.registry import KINDS, encoding
from nonosat.encodings.skyscrapers import PARTS
from nonosat.generators.skyscrapers_made import latin_square
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.rng import Rng

FORMULAS = blocks("skyscrapers.md")
OF_INTEGERS = blocks("encodings.md")
PARTS_OF = {
    "permutation": ("different", "permutation"),
    "running": ("counters", "running"),
    "visible": ("counters", "visible"),
}
SLOTS = {slot: [part.name for part in PARTS if part.slot == slot] for slot in KINDS["skyscrapers"].forms[0]}
NAMES = [encoding("+".join(words)).name for words in product(*SLOTS.values(), INTEGERS)]


@dataclass(frozen=True, eq=False)
class Domain:
    """A variable, which is itself and no other of the same bounds: names are told apart by it."""

    lower: int
    upper: int

    @property
    def d(self) -> int:
        return self.upper - self.lower


def variables_of(puzzle: Skyscrapers, cut: bool) -> dict[str, Any]:
    """Everything that the formulas speak of, computed cell by cell."""
    size = puzzle.size
    bounds = {(r, c): [1, size] for r in range(size) for c in range(size)}
    views = [view for view in puzzle.views() if view.clue]
    for view in views if cut else ():
        for i, place in enumerate(view.cells):
            bounds[place][1] = min(bounds[place][1], size - view.clue + 1 + i)
            if view.clue == size:
                bounds[place][0] = max(bounds[place][0], i + 1)
        if view.clue == 1:
            bounds[view.cells[0]][0] = size
    dead = any(low > high for low, high in bounds.values())
    cells = {place: Domain(*(both if both[0] <= both[1] else (1, size))) for place, both in bounds.items()}
    told = []
    for view in views:
        x = [cells[place] for place in view.cells]
        m = [x[0], *(Domain(i + 1, size) for i in range(1, size - 1))]
        s = [None, *(Domain(0, 1) for _ in range(1, size))]
        n = [None, *(Domain(max(1, view.clue - (size - 1 - i)), min(i + 1, view.clue)) for i in range(1, size))]
        told.append(SimpleNamespace(clue=view.clue, x=x, m=m, s=s, n=n))
    rows = [[cells[r, c] for c in range(size)] for r in range(size)]
    return {
        "N": size,
        "cells": list(cells.values()),
        "lines": rows + [list(column) for column in zip(*rows, strict=True)],
        "views": told,
        "heights": range(1, size + 1),
        "given": [(cells[r, c], height) for r, c, height in puzzle.given],
        "dead": int(dead),
    }


def expected(puzzle: Skyscrapers, name: str, multiplied: bool = False) -> tuple[int, int]:
    """``multiplied``: as if every clause were multiplied out."""
    parts = encoding(name)
    integers = str(parts.integers)
    scope = counted(OF_INTEGERS, integers) | {
        **variables_of(puzzle, cut=parts.domain == "cut"),
        "combinations": combinations,
        "prod": prod,
        "low": lambda line: min(x.lower for x in line),
        "high": lambda line: max(x.upper for x in line),
    }
    assert parts.lines
    [seen] = parts.parts("visibility")
    words = ["cells"]
    for part in (parts.lines, seen):
        words += PARTS_OF.get(part, (part,))
    variables = clauses = 0
    scope["long"] = []
    for word in words:
        block = of(FORMULAS, word, integers)
        if word == "states":
            scope["nodes"] = function(block["nodes"], "clue", scope)
            scope["rise"] = function(block["rise"], "q, h, s", scope)
        variables += eval(block["variables"], scope)
        clauses += eval(block["clauses"], scope)
        scope["long"] += eval(block.get("long", "[]"), scope)
    block = FORMULAS["long"]
    for word in ("several", "crowded"):
        scope[word] = function(block[word], "clause", scope)
    if multiplied:
        scope["crowded"] = lambda clause: False
    scope["names"] = eval(block["names"], scope)
    return variables + eval(block["variables"], scope), clauses + eval(block["clauses"], scope)


def small() -> list[Skyscrapers]:
    """Boards up to 6x6: with solutions, and with clues at random, which mostly contradict each other."""
    chance = random.Random(3)
    puzzles = [puzzle for size in (1, 2, 3, 4) for puzzle in subsets(6, seed=size, size=size)]
    for _ in range(16):
        size = chance.randint(2, 6)
        clues = [chance.choice((0, 0, chance.randint(1, size))) for _ in range(4 * size)]
        places = chance.sample([(r, c) for r in range(size) for c in range(size)], chance.randint(0, 3))
        puzzles.append(Skyscrapers.from_clues(clues, [(r, c, chance.randint(1, size)) for r, c in places]))
    return puzzles


def large(size: int, share: float) -> Skyscrapers:
    """A board with some of its clues and heights."""
    chance = random.Random(size)
    square = latin_square(size, Rng(size))
    clues = [int(clue) if chance.random() < share else 0 for clue in Skyscrapers.from_heights(square.tolist()).clues]
    given = [(r, c, int(square[r, c])) for r in range(size) for c in range(size) if chance.random() < 0.1]
    return Skyscrapers.from_clues(clues, given)


def test_every_combination_has_formulas() -> None:
    """That each is evaluated and compared is what the test of counts does: it runs over all of them."""
    assert len(set(NAMES)) == len(NAMES) == 2 * 2 * 3 * 5
    assert set(KINDS["skyscrapers"].tested) <= set(NAMES)


@pytest.mark.parametrize("name", spread(NAMES, 4))
@pytest.mark.parametrize("size", [5, pytest.param(8, marks=pytest.mark.slow), pytest.param(12, marks=RARE)])
def test_counts_follow_the_formulas_exactly(name: str, size: int) -> None:
    for puzzle in [*small(), large(size, 0.6)]:
        cnf = encoding(name).formula(puzzle).cnf
        assert (cnf.variables, cnf.clauses) == expected(puzzle, name), puzzle


def test_figures_that_the_docs_give() -> None:
    def clauses(name: str, size: int, clue: int = 0) -> int:
        return expected(Skyscrapers.from_clues([clue] + [0] * (4 * size - 1)), name)[1]

    costs = {"running": [111, 288, 558], "visible": [146, 464, 1064], "states": [507, 2650, 8034]}
    for seen, told in costs.items():
        name = f"full+different+{seen}+order"
        assert [clauses(name, size, size // 2) - clauses(name, size) for size in (6, 9, 12)] == told
    added = [clauses("permutation+visible+order", size) - clauses("different+visible+order", size) for size in (9, 12)]
    assert added == [1458, 3456]
    log = "permutation+visible+log"
    assert [clauses(log, size) for size in (9, 12)] == [9270, 27264]
    empty = [Skyscrapers.from_clues([0] * (4 * size)) for size in (9, 12)]
    assert [expected(puzzle, log, multiplied=True)[1] for puzzle in empty] == [4_727_520, 415_433_976]


@pytest.mark.slow
@pytest.mark.parametrize(("integers", "share"), spread(product(INTEGERS, [0, 0.6]), 1))
def test_formulas_are_polynomial(integers: str, share: float) -> None:
    """No clause of N comparisons or memberships is multiplied out: 4^N is above the bound at 9, and a formula still.

    By conflicts, clauses of two comparisons are pairs of values.
    """
    for size in (6, 9, 12):
        formula = encoding(f"permutation+visible+{integers}").formula(large(size, share))
        assert formula.cnf.clauses < 8 * size ** (5 if integers == "direct" else 4)


@pytest.mark.slow
@pytest.mark.parametrize("size", [9, pytest.param(12, marks=pytest.mark.slow)])
def test_permutation_adds_to_cpsat_what_it_adds_to_the_order_encoding(size: int) -> None:
    from nonosat.encodings.cpsat import CpModel

    puzzle = large(size, 0.6)
    names = [f"{lines}+visible+order" for lines in ("different", "permutation")]
    models = [CpModel(encoding(name).csp(puzzle)).model.proto for name in names]
    counts = [(len(model.variables), len(model.constraints)) for model in models]
    less, more = (expected(puzzle, name) for name in names)
    variables, constraints = ((b - a) - (d - c) for a, b, c, d in zip(*counts, less, more, strict=True))
    # What is over are comparisons that nothing else speaks of: a Boolean and two constraints each.
    assert 0 <= variables < size * size
    assert constraints == 2 * variables
