"""The compilers against the families' own definition, on random CSPs: the sets of all solutions are equal."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from lines import unit_propagation
from pysat.solvers import Solver

from nonosat.csp.build import Model
from nonosat.csp.model import (
    CSP,
    Clauses,
    Column,
    Constraint,
    Ints,
    Paths,
    Precedes,
    at_least,
    at_most,
    ints,
    outside,
    ranges,
    within,
)
from nonosat.encodings.registry import PARTS

INTEGERS = [name for name, part in PARTS.items() if part.slot == "integers"]

pytestmark = pytest.mark.filterwarnings("error")


def solutions(csp: CSP) -> set[tuple[int, ...]]:
    domains = [range(low, high + 1) for low, high in zip(csp.lower.tolist(), csp.upper.tolist(), strict=True)]
    return {values for values in product(*domains) if csp.holds(ints(values))}


def models(csp: CSP, integers: str = "order") -> set[tuple[int, ...]]:
    """All models of an integer encoding, as values; each is blocked on the CSP's variables alone."""
    formula = PARTS[integers].make(csp)
    variables = np.arange(len(csp), dtype=np.int32)
    found: set[tuple[int, ...]] = set()
    with Solver("minisat22", bootstrap_with=[clause for clause in formula.cnf if clause]) as solver:
        if formula.cnf.has_empty_clause:
            return found
        while solver.solve():
            true = np.zeros(formula.cnf.variables + 1, dtype=bool)
            true[[literal for literal in solver.get_model() if 0 < literal <= formula.cnf.variables]] = True
            values = tuple(formula.map.decode(true, variables).tolist())
            assert values not in found
            found.add(values)
            solver.add_clause(formula.map.differ(variables, ints(values)))
    return found


def cpsat_models(csp: CSP) -> set[tuple[int, ...]]:
    from ortools.sat.python import cp_model

    from nonosat.encodings.cpsat import CpModel

    compiled = CpModel(csp)
    found = set()
    while True:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        if solver.solve(compiled.model) == cp_model.INFEASIBLE:
            return found
        values = tuple(int(solver.value(variable)) for variable in compiled.variables[: len(csp)])
        assert values not in found
        found.add(values)
        compiled.differ(list(range(len(csp))), list(values))


def random_model(rng: np.random.Generator) -> CSP:
    model = Model()
    count = int(rng.integers(1, 5))
    bounds = [sorted(rng.integers(-3, 4, 2).tolist()) for _ in range(count)]
    variables = [model.integer(f"v{i}", low, high) for i, (low, high) in enumerate(bounds)]
    for _ in range(int(rng.integers(1, 4))):
        chosen = rng.choice(variables, size=int(rng.integers(1, count + 1)), replace=False).tolist()
        match int(rng.integers(3)):
            case 0:
                terms = [(int(a), v) for a, v in zip(rng.integers(-3, 4, len(chosen)), chosen, strict=True)]
                relation = rng.choice(["<=", ">=", "=", "<", ">"])
                model.linear(terms, relation, int(rng.integers(-5, 6)))
            case 1:
                model.all_different(chosen)
            case _:
                compare = (model.at_most, model.at_least)
                model.clause(*(compare[rng.integers(2)](v, int(rng.integers(-4, 5))) for v in chosen))
    return model.csp()


def more_families(csp: CSP, rng: np.random.Generator) -> CSP:
    """``csp`` with families that the scalar front does not make: precedences, memberships, ragged clauses, paths."""
    n, count = len(csp), int(rng.integers(1, 4))

    def some(size: int) -> Ints:
        return ints(rng.integers(0, n, size))

    def column(rows: Ints | None) -> Column:
        size = count if rows is None else len(rows)
        low = ints(rng.integers(-4, 4, size))
        kind = int(rng.integers(2 if rows is not None else 3))
        if kind == 0:
            return within(some(size), low, low + ints(rng.integers(0, 4, size)), rows=rows)
        if kind == 1:
            # Several comparisons of one clause are said of variables with two values at most.
            small = np.flatnonzero(csp.upper - csp.lower <= 1)
            if rows is not None and not len(small):
                return within(some(size), low, low + 1, rows=rows)
            chosen = some(size) if rows is None else ints(rng.choice(small, size))
            return at_most(chosen, low, rows=rows) if rng.random() < 0.5 else at_least(chosen, low, rows=rows)
        return outside(some(size), low, low + ints(rng.integers(0, 3, size)))

    families: list[Constraint] = []
    for _ in range(int(rng.integers(1, 3))):
        match int(rng.integers(4)):
            case 0:
                families.append(Precedes(some(count), ints(rng.integers(-2, 3, count)), some(count)))
            case 1:
                families.append(Clauses(tuple(column(None) for _ in range(int(rng.integers(1, 4))))))
            case 2:
                rows = ints(np.sort(rng.integers(0, count, int(rng.integers(1, 6)))))
                families.append(Clauses((column(rows), column(None))))
            case _:
                families.append(random_paths(rng, csp))
    return replace(csp, constraints=(*csp.constraints, *families))


def random_paths(rng: np.random.Generator, csp: CSP) -> Paths:
    """Two layered graphs: an arc asks for the variable of its layer, or leaps over two layers and asks for both."""
    arcs: list[tuple[int, int, list[int]]] = []
    sources, sinks, base = [], [], 0
    for _ in range(2):
        chosen = rng.permutation(len(csp))[: int(rng.integers(1, 4))].tolist()
        sizes = [1, *rng.integers(1, 3, len(chosen) - 1).tolist(), 1]
        layers = [list(range(base + sum(sizes[:i]), base + sum(sizes[: i + 1]))) for i in range(len(sizes))]
        for i in range(len(chosen)):
            for leap in (1, 2):
                if i + leap > len(chosen):
                    continue
                pairs = [(tail, head) for tail in layers[i] for head in layers[i + leap] for _ in range(2)]
                arcs += [(tail, head, chosen[i : i + leap]) for tail, head in pairs if rng.random() < 0.7]
        sources.append(base)
        base += sum(sizes)
        sinks.append(base - 1)
    variables = ints([v for _, _, asked in arcs for v in asked])
    return Paths(
        nodes=base,
        sources=ints(sources),
        sinks=ints(sinks),
        tail=ints([tail for tail, _, _ in arcs]),
        head=ints([head for _, head, _ in arcs]),
        variables=variables,
        values=ints([rng.integers(csp.lower[v], csp.upper[v] + 1) for v in variables]),
        ends=ints(np.cumsum([len(asked) for _, _, asked in arcs])),
    )


@pytest.mark.parametrize("integers", INTEGERS)
def test_integer_encodings_have_the_csp_s_solutions(integers: str) -> None:
    rng = np.random.default_rng(7)
    kinds = {True: 0, False: 0}
    for i in range(300):
        csp = random_model(rng)
        if i % 2:
            csp = more_families(csp, rng)
        expected = solutions(csp)
        assert models(csp, integers) == expected, csp
        kinds[bool(expected)] += 1
    assert min(kinds.values()) > 40  # the sample has satisfiable and unsatisfiable ones


def test_long_sums_go_through_partial_sums() -> None:
    rng = np.random.default_rng(8)
    for _ in range(25):
        model = Model()
        variables = [model.integer(f"v{i}", int(rng.integers(-2, 1)), int(rng.integers(0, 3))) for i in range(6)]
        terms = [(int(a), v) for a, v in zip(rng.integers(-3, 4, 6), variables, strict=True)]
        model.linear(terms, str(rng.choice(["<=", "=", ">"])), int(rng.integers(-6, 7)))  # type: ignore[arg-type]
        assert models(model.csp()) == solutions(model.csp())


def test_cpsat_has_the_csp_s_solutions() -> None:
    rng = np.random.default_rng(9)
    for i in range(40):
        csp = random_model(rng)
        if i % 2:
            csp = more_families(csp, rng)
        assert cpsat_models(csp) == solutions(csp)


def test_more_variables_than_values_cannot_all_differ() -> None:
    model = Model()
    model.all_different([model.integer(f"v{i}", 0, 2) for i in range(4)])
    assert models(model.csp()) == set()


def test_a_sum_is_a_clause_for_each_value_of_the_smaller_domain() -> None:
    for domains in (((-9, -2), (0, 1)), ((0, 1), (-9, -2)), ((3, 4), (-4, 4)), ((-8, -1), (5, 6))):
        model = Model()
        x, y = (model.integer(f"v{i}", *domain) for i, domain in enumerate(domains))
        settled = PARTS["order"].make(model.csp()).cnf.clauses
        middle = sum(sum(domain) for domain in domains) // 2
        model.linear([(1, x), (1, y)], "<=", middle)
        assert PARTS["order"].make(model.csp()).cnf.clauses - settled == 2


def test_an_empty_sum_is_settled() -> None:
    for bound, expected in ((0, {(0,), (1,)}), (-1, set())):
        model = Model()
        model.integer("x", 0, 1)
        model.linear([], "<=", bound)
        assert models(model.csp()) == expected


def test_empty_domains_are_refused() -> None:
    with pytest.raises(ValueError, match=r"x: the domain 3\.\.2 is empty"):
        Model().integer("x", 3, 2)


def test_ranges_is_a_concatenation_of_ranges() -> None:
    rng = np.random.default_rng(10)
    for _ in range(50):
        starts = rng.integers(-5, 5, 6)
        stops = starts + rng.integers(-2, 5, 6)
        owner, values = ranges(ints(starts), ints(stops))
        expected = [(i, a) for i in range(6) for a in range(starts[i], stops[i])]
        assert list(zip(owner.tolist(), values.tolist(), strict=True)) == expected


@pytest.mark.parametrize("integers", sorted({*INTEGERS} - {"log"}))  # a bound is no single digit
@pytest.mark.parametrize(("count", "low", "high"), [(3, 1, 3), (4, 0, 3), (4, -2, 4)])
def test_unit_propagation_sees_too_few_holes_for_the_pigeons(integers: str, count: int, low: int, high: int) -> None:
    """``count`` variables, all different, and all among the count - 1 smallest values, or the greatest."""
    for first, last in ((low + count - 1, high), (low, high - count + 1)):
        for placed in (count - 1, count):
            model = Model()
            variables = [model.integer(f"v{i}", low, high) for i in range(count)]
            model.all_different(variables)
            csp = model.csp()
            barred = ints(range(placed)).repeat(last - first + 1)
            values = np.tile(ints(range(first, last + 1)), placed)
            csp = replace(csp, constraints=(*csp.constraints, Clauses((outside(barred, values, values),))))
            conflict = unit_propagation(list(PARTS[integers].make(csp).cnf), []) is None
            assert conflict == (placed == count)
