"""What unit propagation achieves for each constraint, encoding and way: the table in docs/encodings.md.

A level holds if no random case is against it; that the next one does not is a case that is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product

import numpy as np
import pytest
from formulas import DOCS
from lines import unit_propagation
from sampling import nightly, spread

from nonosat.csp.build import Builder
from nonosat.csp.model import CSP, Precedes, ints
from nonosat.encodings.formula import Formula
from nonosat.encodings.parts import INTEGERS, WAYS

LEVELS = ("-", "conflicts", "bounds", "values")


def model(rng: np.random.Generator, count: int, values: int) -> Builder:
    made = Builder()
    for at in range(count):
        low = int(rng.integers(-1, 2))
        made.integer(f"v{at}", low, low + values - 1)
    return made


def before(rng: np.random.Generator) -> CSP:
    low = int(rng.integers(0, 3))
    precedes = Precedes(ints([0]), ints([int(rng.integers(-1, 3))]), ints([1]))
    return CSP(ints([0, low]), ints([5, low + 5]), (precedes,), ints([[0, 1]]))


def comparisons(rng: np.random.Generator) -> CSP:
    made = model(rng, 3, 5)
    made.clause(made.at_most(0, 1), made.at_least(1, 2), made.at_most(2, 1))
    return made.csp()


def linear(rng: np.random.Generator, count: int, values: int, relation: str = "<=") -> CSP:
    made = model(rng, count, values)
    csp = made.csp()
    terms = [(int(a), v) for v, a in enumerate(rng.choice([-2, -1, 1, 2], count))]
    some = sum(a * int(rng.integers(csp.lower[v], csp.upper[v] + 1)) for a, v in terms)
    made.linear(terms, relation, some)  # type: ignore[arg-type]
    return made.csp()


def different(count: int, values: int) -> CSP:
    made = Builder()
    made.all_different([made.integer(f"v{at}", 1, values) for at in range(count)])
    return made.csp()


CONSTRAINTS: dict[str, Callable[[np.random.Generator], CSP]] = {
    "x + D <= y": before,
    "x <= a or y >= b or z <= c": comparisons,
    "linear, 2 terms": lambda rng: linear(rng, 2, 6),
    "linear, 3 terms": lambda rng: linear(rng, 3, 4),
    "linear, 5 terms": lambda rng: linear(rng, 5, 3),
    "all different, 4 of 4 values": lambda rng: different(4, 4),
    "all different, 3 of 5 values": lambda rng: different(3, 5),
}


@cache
def cases(constraint: str, trials: int) -> list[tuple[CSP, list[tuple[int, ...]], list[list[list[int]]]]]:
    """CSPs, their solutions, and domains that are left: any values, intervals, and one interval for all."""
    rng = np.random.default_rng(len(constraint))
    found = []
    for _ in range(trials):
        csp = CONSTRAINTS[constraint](rng)
        domains = [list(range(low, high + 1)) for low, high in zip(csp.lower.tolist(), csp.upper.tolist(), strict=True)]
        solutions = [values for values in product(*domains) if csp.holds(ints(values))]
        left = []
        for turn in range(12):
            some: list[list[int]] = []
            for domain in domains:
                if turn % 4 == 2 and some and {*some[0]} <= {*domain}:
                    some.append(some[0])
                    continue
                chosen = sorted(rng.permutation(domain)[: int(rng.integers(1, len(domain) + 1))].tolist())
                some.append(chosen if turn % 2 else list(range(chosen[0], chosen[-1] + 1)))
            left.append(some)
        found.append((csp, solutions, left))
    return found


def excluded(formula: Formula, left: list[list[int]]) -> list[set[int]] | None:
    """By variable, the values that unit propagation excludes of those that are left; None: all, by a contradiction."""

    def differ(variable: int, value: int) -> list[int]:
        return formula.map.differ(ints([variable]), ints([value]))

    lower, upper = formula.map.lower.tolist(), formula.map.upper.tolist()
    gone = [differ(v, a) for v, some in enumerate(left) for a in range(lower[v], upper[v] + 1) if a not in some]
    if not all(gone) or formula.cnf.has_empty_clause:
        return None
    true = unit_propagation([*formula.cnf, *gone], [])
    if true is None:
        return None
    return [{a for a in some if any(x in true for x in differ(v, a))} for v, some in enumerate(left)]


def level(constraint: str, integers: str, trials: int) -> str:
    """The strongest level that every case has."""
    held = {"conflicts": True, "bounds": True, "values": True}
    for csp, solutions, domains in cases(constraint, trials):
        formula = INTEGERS[integers].make(csp)
        for left in domains:
            right = [s for s in solutions if all(a in some for a, some in zip(s, left, strict=True))]
            found = excluded(formula, left)
            assert not (found is None and right), (csp, left)
            intervals = all(some[-1] - some[0] + 1 == len(some) for some in left)
            for v, some in enumerate(left):
                wanted = {a for a in some if not any(s[v] == a for s in right)}
                if found is None:
                    continue
                assert found[v] <= wanted, (csp, left)
                if not right:
                    held["values"] = False
                    if intervals:
                        held["conflicts"] = held["bounds"] = False
                    continue
                held["values"] &= found[v] == wanted
                ends = [a for a in some if a < min(s[v] for s in right) or a > max(s[v] for s in right)]
                if intervals:
                    held["bounds"] &= found[v] >= set(ends)
    strongest = "-"
    for name in LEVELS[1:]:
        if not held[name]:
            break
        strongest = name
    return strongest


def table() -> dict[tuple[str, str], str]:
    """(Constraint, encoding) to the level on the page; a row may be about several constraints and ways."""
    text = (DOCS / "encodings.md").read_text(encoding="utf-8")
    block = text.partition("| constraint | way |")[2].partition("\n\n")[0]
    head, _, *rows = (f"| constraint | way |{block}").splitlines()
    names = [cell.strip(" `") for cell in head.strip("|").split("|")][2:]
    levels: dict[tuple[str, str], str] = {}
    for row in rows:
        constraints, ways, *cells = [cell.strip() for cell in row.strip("|").split("|")]
        for constraint, way in product(constraints.split("; "), ways.split(", ")):
            for name, strength in zip(names, cells, strict=True):
                key = constraint.strip("`"), f"{name}+{way.strip('`')}" if way else name
                assert key not in levels, row
                levels[key] = strength
    return levels


TABLE = table()


def test_the_table_has_every_constraint_encoding_and_way() -> None:
    assert {constraint for constraint, _ in TABLE} == set(CONSTRAINTS)
    assert {name.partition("+")[0] for _, name in TABLE} == set(INTEGERS.own)
    stated = {part.name for part in WAYS.values() if part.slot != "at most one"}
    assert {way for _, name in TABLE if (way := name.partition("+")[2])} == stated


@pytest.mark.parametrize(("constraint", "integers"), spread(TABLE, 4))
def test_nothing_is_against_the_level_of_the_table(constraint: str, integers: str) -> None:
    assert LEVELS.index(level(constraint, integers, 12)) >= LEVELS.index(TABLE[constraint, integers])


@pytest.mark.slow
@pytest.mark.parametrize(("constraint", "integers"), nightly(TABLE, 2))
def test_no_more_than_the_level_of_the_table_is_achieved(constraint: str, integers: str) -> None:
    assert level(constraint, integers, 200) == TABLE[constraint, integers]


@pytest.mark.parametrize("way", [name for name, part in WAYS.items() if part.slot == "at most one"])
def test_every_way_excludes_the_other_values(way: str) -> None:
    """Once a value is true; and the last value that is left is."""
    formula = INTEGERS[f"direct+{way}"].make(CSP(ints([3]), ints([14]), (), ints([[0]])))
    for value in range(3, 15):
        true = unit_propagation(list(formula.cnf), [value - 2])
        assert true is not None
        assert true >= {-(other - 2) for other in range(3, 15) if other != value}
        assert excluded(formula, [[value]]) == [set()]
        true = unit_propagation(list(formula.cnf), [-(other - 2) for other in range(3, 15) if other != value])
        assert true is not None
        assert value - 2 in true
