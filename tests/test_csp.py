"""The compilers against the families' own definition, on random CSPs: the sets of all solutions are equal."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from pysat.solvers import Solver

from nonosat.csp.build import Model
from nonosat.csp.model import CSP, ints, ranges
from nonosat.encodings.order import compile_order

pytestmark = pytest.mark.filterwarnings("error")


def solutions(csp: CSP) -> set[tuple[int, ...]]:
    domains = [range(low, high + 1) for low, high in zip(csp.lower.tolist(), csp.upper.tolist(), strict=True)]
    return {values for values in product(*domains) if csp.holds(ints(values))}


def models(csp: CSP) -> set[tuple[int, ...]]:
    """All models of the order encoding, as values; each is blocked on the CSP's variables alone."""
    formula = compile_order(csp)
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
        values = tuple(int(solver.value(variable)) for variable in compiled.variables)
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


def test_order_encoding_has_the_csp_s_solutions() -> None:
    rng = np.random.default_rng(7)
    kinds = {True: 0, False: 0}
    for _ in range(400):
        csp = random_model(rng)
        expected = solutions(csp)
        assert models(csp) == expected
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
    for _ in range(40):
        csp = random_model(rng)
        assert cpsat_models(csp) == solutions(csp)


def test_more_variables_than_values_cannot_all_differ() -> None:
    model = Model()
    model.all_different([model.integer(f"v{i}", 0, 2) for i in range(4)])
    assert models(model.csp()) == set()


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
