"""Models in Python: every compiler has exactly the solutions of what operators and globals mean."""

from __future__ import annotations

import copy
import json
import re
import resource
import runpy
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import combinations, count, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import commands
import numpy as np
import pytest
from fuzzing.models import CONSTRAINTS, NUMBERS, Drawn, drawn_statement
from odd_maps import ODD
from pysat.solvers import Solver
from sampling import repeated, sampled, spread

import nonosat
from nonosat import Model
from nonosat.certificates import quantities
from nonosat.certificates.certify import check_files
from nonosat.counting import cnf_counters
from nonosat.counting.answer import CountBounds
from nonosat.csp import expressions as e
from nonosat.csp.lowering import Lowering, longest_shortest_path
from nonosat.csp.statement import Problem
from nonosat.csp.sugar import read_statement
from nonosat.csp.sugar.writing import sugar
from nonosat.encodings import families
from nonosat.encodings.choice import chosen
from nonosat.encodings.cnf import CNF
from nonosat.encodings.parts import INTEGERS, WAYS, Integers
from nonosat.errors import (
    FormatError,
    KindError,
    LimitReachedError,
    ModelError,
    NonosatError,
    SolverError,
    UnknownNameError,
    UnsupportedError,
)
from nonosat.modelling import files, knowledge
from nonosat.modelling.certify import ModelCertificate, OtherModelError, read_certificate
from nonosat.modelling.decode import decode_output
from nonosat.modelling.explain import explanations
from nonosat.modelling.model import EncodedModel
from nonosat.modelling.opb import StatedCSP
from nonosat.modelling.solve import ModelAnswer
from nonosat.plugins import Table
from nonosat.runs.events import Found, Measured, Progress, Stopped, Verdict
from nonosat.solvers import cp, optimum
from nonosat.solvers.registry import solver as solver_named
from nonosat.solvers.sat import session
from nonosat.solvers.solve import solve_csp

pytestmark = pytest.mark.filterwarnings("error")

Rng = np.random.Generator


def values_of(statement: Problem) -> list[list[int]]:
    return [
        list(range(domain[0], domain[1] + 1)) if isinstance(domain, tuple) else domain.tolist()
        for domain in statement.domains
    ]


def by_force(statement: Problem) -> set[tuple[int, ...]]:
    return {values for values in product(*values_of(statement)) if statement.holds(values)}


def compiled(statement: Problem, integers: str, solver: str = "minisat22") -> set[tuple[int, ...]]:
    """All solutions by a compiler, each once, as values of the statement's variables."""
    answer = solve_csp(statement.csp(), integers=integers, solver=solver, count=None)
    assert answer.verdict in (Verdict.SAT, Verdict.UNSAT), (answer.verdict, answer.reason)
    assert answer.exhausted
    found = [tuple(solution[name] for name in statement.names()) for solution in answer.solutions]
    assert len(set(found)) == len(found)
    return set(found)


@pytest.mark.whole
@pytest.mark.parametrize("number", repeated(1, 4, 60))
@pytest.mark.parametrize("name", spread([*NUMBERS, *CONSTRAINTS], 16))
def test_every_operator_has_the_solutions_of_its_meaning_in_every_encoding(name: str, number: int) -> None:
    rng = np.random.default_rng([7, *name.encode()])
    for _ in range(3 * number):
        statement = drawn_statement(rng, name)
        wanted = by_force(statement)
        for integers in INTEGERS:
            assert compiled(statement, integers) == wanted, (integers, statement.constraints)


@pytest.mark.parametrize("number", repeated(6, 150, 1_000))
def test_random_models_have_the_solutions_of_their_meaning(number: int) -> None:
    rng = np.random.default_rng(8)
    kinds = {True: 0, False: 0}
    for _ in range(number):
        statement = drawn_statement(rng)
        wanted = by_force(statement)
        for integers in INTEGERS:
            assert compiled(statement, integers) == wanted, (integers, statement.constraints)
        if len(wanted) < 40:
            assert compiled(statement, "order", "cpsat") == wanted, statement.constraints
        kinds[bool(wanted)] += 1
    assert min(kinds.values())


# ---------------------------------------------------------------- domains that are wide, sparse, ragged


@pytest.mark.parametrize("integers", spread(["order", "log"], 0))
def test_wide_domains(integers: str) -> None:
    model = Model()
    x, y = model.integer("x", -5_000, 5_000), model.integer("y", 0, 10_000)
    model.add(y == x + 9_000, x > 500, y // 500 == 19, abs(x - 700) <= 2)
    assert compiled(model, integers) == {(x, x + 9_000) for x in range(698, 703)}


def wide_sum(high: int) -> Model:
    model = Model()
    x = model.integer("x", 0, high, shape=2)
    model.add(x[0] + x[1] >= 5)
    model.minimize(x[0] + 3 * x[1])
    return model


@pytest.mark.parametrize("encoding", ["direct", "support", "direct<=1000,support", "order<=300,direct"])
def test_sums_of_wide_domains_are_refused_before_they_fill_memory(encoding: str) -> None:
    begin = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(UnsupportedError, match=r"clauses; give smaller domains, .*state sums by \+adder, or solve by"):
        wide_sum(700).encode(encoding)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - begin < 500_000  # KB


WIDE: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "abs": (lambda x, y: abs(x - 5) <= 3, "a sum would be 200,000,001 clauses"),
    "quotient": (lambda x, y: x // y == 3, "mine: floordiv of values that combine in 800,000,004 ways"),
    "place": (lambda x, y: e.element([3, 4], x) == 4, "mine: element of values that combine in 200,000,001 ways"),
}


@pytest.mark.parametrize("name", WIDE)
def test_values_are_not_listed_before_they_are_counted(name: str) -> None:
    make, message = WIDE[name]
    model = Model()
    model.add(make(model.integer("x", 0, 200_000_000), model.integer("y", 0, 3)), name="mine")
    begin = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises((ModelError, UnsupportedError), match=message):
        model.encode("log")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - begin < 500_000  # KB


LARGE: dict[str, tuple[Callable[[Model], Any], list[int]]] = {
    "edge": (lambda m: m.integer("x", 0, 2**62 - 1) >= 2**62 - 2, [2**62 - 2, 2**62 - 1]),
    "least": (lambda m: m.integer("x", -(2**62) + 1, 0) == -(2**62) + 1, [-(2**62) + 1]),
    "constant": (lambda m: 7 * m.integer("x", 0, 10**11) == 7 * 10**10 + 7, [10**10 + 1]),
    "table": (lambda m: e.table([m.integer("x", 0, 10**12)], [[3], [10**12 - 1], [10**12 + 1]]), [3, 10**12 - 1]),
    "sparse": (lambda m: m.integer("x", [0, 5, 2**31, 2**53 + 1, 10**17]) > 2**31, [2**53 + 1, 10**17]),
    "square": (lambda m: (lambda x: x * x == (10**9 + 7) ** 2)(m.integer("x", 0, 2 * 10**9)), [10**9 + 7]),
    "quotient": (lambda m: e.quotient(m.integer("x", -(10**9), -1), -7) == 10**8, [-7 * 10**8 - k for k in range(7)]),
    "element": (lambda m: e.element([10**15, 2**61], m.integer("x", 0, 5)) == 2**61, [1]),
    "abs": (lambda m: abs(m.integer("x", -(10**12), 10**12) - 4) == 10**9, [4 - 10**9, 4 + 10**9]),
}


@pytest.mark.parametrize("name", LARGE)
def test_large_numbers_are_exact(name: str) -> None:
    make, values = LARGE[name]
    model = Model()
    model.add(make(model))
    for options in ({"encoding": "log+adder", "solver": "cadical153"}, {"solver": "cpsat"}):
        answer = model.solve(count=None, **options)
        assert sorted(solution["x"] for solution in answer.solutions) == sorted(values)


@pytest.mark.slow
def test_a_product_of_millions_and_an_objective_in_cents() -> None:
    model = Model()
    price = model.integer("price", 1, 711, shape=4)
    model.add(model.product(price) == 711_000_000, model.sum(price) == 711, price[:-1] <= price[1:])
    answer = model.solve(solver="cadical153")
    assert (answer[price].tolist(), answer.encoding) == ([120, 125, 150, 316], "log+adder")
    model = Model()
    x = model.integer("x", 0, 3, shape=2)
    model.add(x[0] + x[1] <= 4)
    model.maximize(10**12 * x[0] + (10**12 + 1) * x[1])
    for solver in ("minisat22", "cpsat"):
        assert model.solve(solver=solver).objective == 4 * 10**12 + 3


def test_the_encoding_is_chosen_by_the_model() -> None:
    small, large = Model(), Model()
    small.add(small.integer("x", 0, 9) > 3)
    large.add(large.sum(large.integer("x", 0, 6000, shape=6)) == 7777)
    assert (small.solve().encoding, small.encode().encoding) == ("order", "order")
    assert large.encode().encoding == "log+adder"
    with pytest.raises(UnsupportedError, match=r"a sum would be .* state sums by .adder"):
        large.solve(encoding="order")
    far = Model()
    far.add(far.integer("x", 0, 10**12) > 10**12 - 2)
    with pytest.raises(UnsupportedError, match=r"^order: 1,000,000,000,000 Booleans .*; log.adder takes fewer, CP-SAT"):
        far.solve(encoding="order")
    with pytest.raises(UnsupportedError, match="there are no certificates"):
        far.certify()
    assert far.count().solutions == 2


def test_cpsat_refuses_sums_beyond_64_bits_in_one_line() -> None:
    model = Model()
    x = model.integer("x", -(2**62) + 1, 2**62 - 1)
    model.add(x >= 2**62 - 1)
    assert model.solve(encoding="log+adder", solver="cadical153")[x] == 2**62 - 1
    with pytest.raises(UnsupportedError, match=r"^CP-SAT refuses the model: [^\n]*; give smaller numbers$"):
        model.solve(solver="cpsat")


@pytest.mark.parametrize("limits", [{}, {"time_limit_s": 60}])
def test_what_is_refused_is_refused_under_limits_too(limits: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedError, match="a sum would be 687,961,400 clauses"):
        wide_sum(700).solve(encoding="direct", **limits)
    assert [answer.verdict for answer in Model.solve_many([wide_sum(700)], encoding="direct")] == [Verdict.UNSUPPORTED]


def test_values_that_exclude_each_other_are_refused_before_they_fill_memory() -> None:
    model = Model()
    x, y = model.integer("x", 0, 30_000), model.integer("y", 0, 30_000)
    model.add(x < y)
    with pytest.raises(UnsupportedError, match="or solve by CP-SAT"):
        model.encode("direct")
    several = Model()
    several.add(several.all_different(several.integer("x", 0, 30_000, shape=40)))
    with pytest.raises(UnsupportedError, match="an all-different would be 23,400,780 clauses"):
        several.encode("order")


@pytest.mark.slow
def test_a_sum_of_wide_domains_by_digits_names_their_comparisons() -> None:
    encoded = wide_sum(200).encode("log")
    assert encoded.clauses < 300_000  # of 6 million, multiplied out
    answer = wide_sum(200).solve(encoding="log")
    assert (answer.objective, answer.optimal) == (5, True)


def test_sparse_and_ragged_domains_are_kept() -> None:
    model = Model()
    x = model.integer("x", [-40, 3, 3, 9_000])
    r = model.integer("r", [0, 2, 5], [1, 2, 7], shape=3)
    model.add(x + r[0] > 0)
    assert [domain if isinstance(domain, tuple) else domain.tolist() for domain in model.domains] == [
        [-40, 3, 9_000], (0, 1), (2, 2), (5, 7)]  # fmt: skip
    assert model.count().solutions == 2 * 2 * 3


@pytest.mark.parametrize(
    ("integers", "booleans"),
    [("order", 4), ("log", 4), ("direct", 6), ("support", 6), ("coupled", 6), ("log<=4,order", 4)],
)
def test_domains_with_gaps_have_booleans_for_their_values_alone(integers: str, booleans: int) -> None:
    model = Model()
    x, y = model.integer("x", [0, 5_000, 10_000]), model.integer("y", [1, 5_000, 7_777])
    model.add(x != y)
    encoded = model.encode(integers)
    assert (encoded.variables, encoded.clauses) == (booleans, {4: 3, 6: 9}[booleans])
    assert compiled(model, integers) == by_force(model)
    assert model.encode("log+adder").variables == 27  # which adds up the digits of values


def test_an_entry_with_gaps_is_listed_by_its_values() -> None:
    model = Model()
    x, i = model.integer("x", [0, 5_000, 10_000], shape=5), model.integer("i", 0, 4)
    model.add(model.array(list(x))[i] >= 5_000, x[0] + x[1] == 5_000)
    assert model.encode("order").clauses < 60
    for integers in ("order", "support", "log+adder"):
        assert compiled(model, integers) == by_force(model)


def test_results_have_the_values_that_they_can_have() -> None:
    """Of an element, a product, a choice, and of the partial sums of these."""
    model = Model()
    i, j = model.integer("i", 0, 2), model.integer("j", [1, 7])
    cost = model.element([0, 20, 7], i) + j * j + model.sum([model.if_then_else(i > k, 30, 3) for k in range(2)])
    model.add(cost <= 116)
    assert compiled(model, "order") == by_force(model)
    assert model.encode("order").variables < 40
    model.add(cost > 115)
    certificate = model.certify("order", count=None)
    assert {tuple(one.values) for one in certificate.solutions} == by_force(model) == {(2, 7)}
    assert certificate.fault() is None


@pytest.mark.parametrize("number", repeated(2, 12))
@pytest.mark.parametrize("integers", ["order", "direct+totalizer", "log<=3,order"])
def test_partial_sums_with_gaps_are_certified(integers: str, number: int) -> None:
    rng = np.random.default_rng(31)
    for _ in range(number):
        model = Model()
        x = [model.integer(f"x{i}", np.unique(rng.integers(-30, 31, rng.integers(1, 4))).tolist()) for i in range(5)]
        total = e.weighted(zip(rng.choice([1, -1, 2, 3, 7, -13, 50], 5).tolist(), x, strict=True))
        value = e.value_of(total, [int(rng.choice(values)) for values in values_of(model)])
        model.add(total == value)
        assert compiled(model, integers) == by_force(model)
        model.add(total != value)
        assert model.prove(integers).fault() is None


def test_products_of_wide_domains_are_left_to_adders_and_cpsat() -> None:
    model = Model()
    x, y = model.integer("x", 2, 10_000), model.integer("y", 2, 10_000)
    model.add(x * y == 9_973 * 9_967, x <= y)
    with pytest.raises(UnsupportedError, match=r"99,980,001 clauses; .*, encode by log\+adder, or solve"):
        model.solve(encoding="log")
    assert model.solve(solver="cpsat")[x] == model.solve(encoding="log+adder", solver="cadical153")[x] == 9_967


# ---------------------------------------------------------------- arrays


def test_arrays_have_shapes_slices_and_broadcasting() -> None:
    model = Model()
    x = model.integer("x", 0, 3, shape=(2, 3))
    assert model.names() == ["x_0_0", "x_0_1", "x_0_2", "x_1_0", "x_1_1", "x_1_2"]
    model.add(x[0] < x[1], x.sum(axis=0) == np.array([5, 3, 1]), x[:, 0].max() == x[1, 0])
    assert [repr(one) for one in np.ravel(x[0] + 1)] == ["x_0_0 + 1", "x_0_1 + 1", "x_0_2 + 1"]
    answer = model.solve(unique=True)
    assert answer["x"].tolist() in ([[2, 0, 0], [3, 3, 1]], [[2, 1, 0], [3, 2, 1]])
    assert answer.unique is False
    assert answer[x.sum()] == 9
    assert answer[[x[0, 0], x[0, 0] + 1, 5]].tolist() == [2, 3, 5]
    other = np.arange(3) + x[0]
    assert repr(other[2]) == "x_0_2 + 2"
    assert repr(3 - x[0, 0]) == "-x_0_0 + 3"
    assert repr(np.int64(3) * x[0, 0]) == "3*x_0_0"


def test_an_index_that_is_an_expression_is_element() -> None:
    model = Model()
    i, j = model.integer("i", -2, 5), model.integer("j", 0, 1)
    grid = model.array([[4, 5, 6], [7, 8, 9]])
    x = model.integer("x", 0, 2, shape=3)
    model.add(grid[j, i] >= 8, x[i] == i, x[0] == 0, x[1] == 1)
    model.add((grid[:, i] > 0).all(), grid[0][i] == grid[j, i] - 3)
    found = compiled(model, "order")
    assert {values[:2] for values in found} == {(1, 1), (2, 1)}
    assert found == by_force(model)


def test_a_star_beside_a_value_that_its_variable_has_not() -> None:
    """A variable that is twice in a table has what both columns say: here a star, and a value out of its domain."""
    for inside in (False, True):
        model = Model()
        x, y = model.integer("x", 0, 2), model.integer("y", 0, 2)
        held = model.table([x, y, x], [("*", 1, 7), ("*", 2, 1), (0, "*", "*")])
        model.add((held | (x == 9)) if inside else held)
        answer = model.solve(count=None)
        assert {(one[x], one[y]) for one in answer.solutions} == {(1, 2), (0, 0), (0, 1), (0, 2)}


@pytest.mark.parametrize(
    ("constraint", "pairs"),
    [
        (lambda x, y: e.cardinality([1 // x, y], [1], [1]), {(1, 0)}),
        (lambda x, y: e.cardinality([1 // x, y], [], []), {(1, 0), (1, 1)}),
        (lambda x, y: e.count([1, y], 1 // x) >= 0, {(1, 0), (1, 1)}),
        (lambda x, y: ~(e.count([1 // x, y], 1) == 1), {(0, 0), (0, 1), (1, 1)}),
        (lambda x, y: e.all_equal([1 // x]), {(1, 0), (1, 1)}),
    ],
)
def test_an_entry_without_a_value_makes_the_constraint_around_it_false(constraint: Any, pairs: set[Any]) -> None:
    model = Model()
    x, y = model.integer("x", 0, 1), model.integer("y", 0, 1)
    model.add(constraint(x, y))
    assert {(found[x], found[y]) for found in model.solve(count=None).solutions} == pairs


def test_common_constraints_are_stated_without_detours() -> None:
    model = Model()
    x = model.integer("x", 0, 4, shape=3)
    model.add(x[1] != x[2], x[2] != x[0])
    assert [type(family).__name__ for family in model.csp().constraints] == ["Differ"]
    tasks = Model()
    start = tasks.integer("start", 0, 4, shape=3)
    tasks.add(tasks.cumulative(start, [2, 2, 2], [1, 1, 0], 1))  # the last one demands nothing
    running = 2 * 6  # a 0/1 auxiliary a task and moment
    assert len(tasks.csp()) == 3 + running
    assert [type(family).__name__ for family in tasks.csp().constraints] == ["Linear", "Clauses"]


@pytest.mark.parametrize(("demand", "capacity", "count"), [(0, 0, 2), (1, 1, 2), (1, 0, 0), (0, -1, 0)])
def test_a_capacity_of_zero_takes_tasks_of_zero_demand(demand: int, capacity: int, count: int) -> None:
    model = Model()
    model.add(model.cumulative(model.integer("start", 0, 1, shape=1), [1], [demand], capacity))
    answer = model.solve(count=None)
    assert (answer.verdict.name, len(answer.solutions)) == ("SAT" if count else "UNSAT", count)


def test_an_empty_array_has_no_element() -> None:
    model = Model()
    x = model.integer("x", 0, 1)
    model.add((model.element([], x) == 0) | (x == 1))
    assert compiled(model, "order") == by_force(model) == {(1,)}


# ---------------------------------------------------------------- the best solution


def drawn_with_objective(rng: np.random.Generator) -> tuple[Model, int | None]:
    """A small model and the objective of its best solution, by brute force."""
    drawn = Drawn(rng)
    model = Model()
    model.__dict__.update(drawn.statement.__dict__)
    model.add(drawn.constraint(1))
    goal = e.integer(drawn.number(2))
    values = [e.value_of(goal, one) for one in by_force(model)]
    values = [value for value in values if value is not None]
    greatest = bool(rng.random() < 0.5)
    (model.maximize if greatest else model.minimize)(goal)
    return model, (max if greatest else min)(values, default=None)


@pytest.mark.parametrize(
    ("integers", "solver"),
    sampled([(None, "cpsat"), *product(INTEGERS, ("minisat22", "cadical153", "kissat404"))]),
)
def test_the_best_solution_is_that_of_brute_force(integers: str | None, solver: str) -> None:
    rng = np.random.default_rng(9)
    for _ in range(12):
        model, best = drawn_with_objective(rng)
        answer = model.solve(encoding=integers, solver=solver)
        if best is None:
            assert answer.verdict is Verdict.UNSAT
            assert answer.objective is None
            continue
        assert (answer.verdict, answer.objective, answer.bound, answer.optimal) == (Verdict.SAT, best, best, True)


def by_maxsat(encoded: EncodedModel) -> tuple[int, list[int]] | None:
    """The objective by RC2, a MaxSAT solver of python-sat, from the WCNF and its comment alone; and the literals."""
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    text = encoded.to_wcnf()
    least, sign = re.search(r"^c objective = (-?\d+) ([+-]) cost$", text, re.M).groups()  # type: ignore[union-attr]
    with RC2(WCNF(from_string=text)) as solver:
        model = solver.compute()
        return None if model is None else (int(least) + int(f"{sign}1") * solver.cost, model)


def by_pseudo_booleans(encoded: EncodedModel) -> tuple[int, list[int]] | None:
    """The same by CP-SAT, from the OPB."""
    from ortools.sat.python import cp_model

    text = encoded.to_opb()
    least, sign = re.search(r"^\* objective = (-?\d+) ([+-]) cost$", text, re.M).groups()  # type: ignore[union-attr]
    count = int(re.match(r"\* #variable= (\d+)", text).group(1))  # type: ignore[union-attr]
    model = cp_model.CpModel()
    booleans = {f"x{number}": model.new_bool_var("") for number in range(1, count + 1)}
    for line in text.splitlines():
        if line.startswith("*"):
            continue
        words = line.removeprefix("min:").partition(">=")[0].replace(";", "").split()
        total = sum(int(weight) * booleans[name] for weight, name in zip(words[::2], words[1::2], strict=True))
        if line.startswith("min:"):
            model.minimize(total)
        else:
            model.add(total >= int(line.rpartition(">=")[2].removesuffix(";")))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(model) != cp_model.OPTIMAL:
        return None
    literals = [number if solver.value(one) else -number for number, one in enumerate(booleans.values(), 1)]
    cost = round(solver.objective_value) if model.has_objective() else 0
    return int(least) + int(f"{sign}1") * cost, literals


@pytest.mark.slow
@pytest.mark.parametrize("solved", [by_maxsat, by_pseudo_booleans])
@pytest.mark.parametrize("integers", spread(INTEGERS, 3))
def test_wcnf_and_opb_have_the_objective(integers: str, solved: Callable[[EncodedModel], Any]) -> None:
    rng = np.random.default_rng([9, 1])
    for _ in range(25):
        model, best = drawn_with_objective(rng)
        encoded = model.encode(integers)
        if integers == "log" and len(getattr(encoded.formula.map, "listed", {}).get(encoded.goal, ())) > 3:
            with pytest.raises(UnsupportedError, match="encoding log: a domain with gaps is no sum"):
                solved(encoded)
            continue
        found = solved(encoded)
        assert (found is None) == (best is None)
        if found is not None:
            value, literals = found
            assert value == best == encoded.decode(literals)[model.objective.expression]  # type: ignore[union-attr]


def test_encode_writes_models_with_their_objective(place: Any) -> None:
    for suffix, lost in ((".wcnf", False), (".opb", False), (".cnf", True)):
        done = run(place, "encode", "shop.py", "--encoding", "order", "-o", f"shop{suffix}")
        assert (done.returncode, "lost: the objective" in done.stderr) == (0, lost), done.stderr
    encoded = files.load_model(place / "shop.py").encode("order")
    assert (place / "shop.opb").read_text() == encoded.to_opb()
    assert (place / "shop.wcnf").read_text() == encoded.to_wcnf()


@pytest.mark.parametrize("greatest", [False, True])
@pytest.mark.parametrize("values", [[-3, 2, 40], [5, 9], [7], [-4, -3, 0, 9, 21]])
def test_an_objective_with_gaps_is_a_sum_of_literals(values: list[int], greatest: bool) -> None:
    model = Model()
    x = model.integer("x", values)
    least, *others = values
    if others and not greatest:
        model.add(x != least)
    (model.maximize if greatest else model.minimize)(x)
    for integers in ("order", "direct"):
        for solved in (by_maxsat, by_pseudo_booleans):
            found = solved(model.encode(integers))
            assert found is not None
            assert found[0] == (max(values) if greatest else min(others, default=least))
    if len(values) > 3:
        with pytest.raises(UnsupportedError, match="encoding log: a domain with gaps is no sum"):
            model.encode("log").to_wcnf()


@pytest.mark.parametrize("solver", spread(["minisat22", "glucose4", "cadical153", "kissat404"], 1))
def test_a_bound_that_needs_booleans_keeps_them(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By this encoding some bounds are two conjunctions, which are named: their Booleans are nobody else's."""
    monkeypatch.setattr("nonosat.encodings.expand.MOST", 1)
    monkeypatch.setattr("nonosat.solvers.optimum.INTEGERS", Table("integer encoding", Integers, tuple(ODD.values())))
    rng = np.random.default_rng(4)
    for _ in range(12):
        model, values = Model(), rng.choice(101, 4, replace=False).tolist()
        x, y = model.integer("x", 0, 100), model.integer("y", 0, 9)
        model.add(model.any_of([(x == value) & (y == i) for i, value in enumerate(values)]))
        model.minimize(x)
        lowered = model.lowered()
        assert lowered.objective is not None
        events = list(optimum.search(lowered.csp, lowered.objective, "parity", solver_named(solver)))
        found = [int(event.cells[lowered.objective]) for event in events if isinstance(event, Found)]
        bounds = [event.values["bound"] for event in events if isinstance(event, Measured)]
        assert (found[-1], bounds[-1]) == (min(values), min(values))


def test_composed_encodings_find_the_best_and_count() -> None:
    model = Model()
    x = model.integer("x", 0, 9, shape=3)
    model.add(x.sum() == 12, model.all_different(x))
    assert model.count("order<=4,log").solutions == model.count().solutions
    model.minimize(x.max())
    for encoding in ("order<=4,log", "order+totalizer", "direct+ladder+adder"):
        assert (model.solve(encoding=encoding).objective, model.encode(encoding).encoding) == (5, encoding)


def test_a_function_of_one_variable_is_a_set_of_its_values() -> None:
    model = Model()
    x = model.integer("x", 1_000, 9_999)
    model.add((x * x) % 10_000 == x)
    assert len(model.csp()) == 1  # no auxiliary for the square, which has 10**8 values
    assert compiled(model, "order") == {(9_376,)}


def test_a_limit_leaves_the_best_so_far_and_a_bound() -> None:
    """A hard knapsack: solutions come at once, the proof that one is best does not come in that many conflicts."""
    rng = np.random.default_rng(4)
    model = Model()
    x = model.boolean("x", 60)
    weights = rng.integers(1_000, 2_000, (4, 60))
    for row in weights:
        model.add((row * x).sum() <= int(row.sum()) // 3)
    model.maximize((rng.integers(1_000, 2_000, 60) * x).sum())
    answer = model.solve(solver="cpsat", cpu_limit_s=1.5)
    if answer.stopped is not None:  # a machine may be as fast as that
        assert answer.stopped is Verdict.CPUOUT
        assert answer.optimal is False
        assert answer.objective is not None
        assert answer.bound is not None
        assert answer.bound > answer.objective
    assert len(answer.solutions) == 1


# ---------------------------------------------------------------- objects like a puzzle's


def queens(n: int) -> Model:
    model = Model("queens")
    q = model.integer("q", 0, n - 1, shape=n)
    model.add(model.all_different(q), model.all_different(q + np.arange(n)), model.all_different(q - np.arange(n)))
    return model


def test_what_is_known_of_all_solutions() -> None:
    model = queens(6)
    every = model.solve(count=None)
    assert (len(every.solutions), every.exhausted, model.count().solutions) == (4, True, 4)
    drawn = model.sample(count=50, seed=3)
    assert drawn.solutions == 4
    assert set(drawn.draws) == set(every.solutions)
    assert drawn == model.sample(50, seed=3)
    model.add(model["q"][0] == 1)
    known = model.backbone()
    assert known.complete
    assert list(known.fixed.values()) == list(model.solve(unique=True)["q"])
    assert model.solve(unique=True).unique is True


@pytest.mark.slow
def test_draws_where_solutions_are_too_many_to_be_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonosat.modelling.knowledge.MOST_LISTED", 3)
    model = Model()
    x = model.integer("x", [-2, 0, 5], shape=3)
    model.add(x.sum() >= 3)
    drawn = model.sample(60, seed=1)
    assert drawn.solutions == len(by_force(model))
    assert len(set(drawn.draws)) > drawn.solutions // 2


@pytest.mark.parametrize("number", repeated(12, 80, 400))
def test_what_is_known_of_random_models_is_known_by_brute_force(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    holding = {True: 0, False: 0}
    for seed in range(number):
        rng = np.random.default_rng([13, seed])
        drawn = Drawn(rng)
        drawn.statement.add(drawn.constraint(2))
        model = Model()
        model.__dict__ |= drawn.statement.__dict__
        solutions = sorted(by_force(model))
        encoding = ["order", "direct", "log", "support", "coupled", "order<=3,log"][seed % 6]
        shared = {
            name: values.pop()
            for name, *column in zip(model.names(), *solutions, strict=True)
            if len(values := set(column)) == 1
        }
        assert model.backbone(encoding).fixed == shared, model.constraints
        monkeypatch.setattr("nonosat.modelling.knowledge.MOST_LISTED", [2, 20_000][seed % 2])
        sample = model.sample(3, seed, encoding)
        assert sample.solutions == model.count(encoding).solutions == len(solutions), model.constraints
        assert {draw.values for draw in sample.draws} <= set(solutions)
        claim = e.boolean(drawn.constraint(1)) if seed % 3 else None
        why = model.explain(claim)
        true = {values for values in solutions if claim is not None and e.value_of(claim, values)}
        assert why.holds == (true == set(solutions)), (model.constraints, claim)
        other = Model()
        other.__dict__ |= drawn.statement.__dict__ | {"constraints": list(model.constraints)}
        other.add(drawn.constraint(1))
        assert model.equivalent(other).same == (by_force(other) == set(solutions)), other.constraints
        holding[why.holds] += 1
    assert min(holding.values())


def test_what_is_free_in_a_formula_without_clauses_is_not_fixed() -> None:
    model = Model()
    model.integer("x", 4, 4), model.integer("y", 0, 1), model.boolean("b")
    for encoding in INTEGERS:
        assert model.backbone(encoding).fixed == {"x": 4}


@pytest.mark.parametrize("name", [name for name in session.names() if name not in session._ONE_SHOT])
def test_a_solver_without_clauses_knows_nothing_of_the_next_variable(name: str) -> None:
    with closing(session.Session(name, CNF(2, np.empty(0, np.int32), np.empty(0, np.int64)))) as empty:
        assert empty.solve() is not None
        empty.add([-3])
        empty.add([1, 2])
        model = empty.solve()
        assert model is not None
        assert 3 not in model


@pytest.mark.slow
def test_a_draw_halves_domains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonosat.modelling.knowledge.MOST_LISTED", 3)
    counted = []
    count = cnf_counters.models
    monkeypatch.setattr(cnf_counters, "models", lambda formula: counted.append(1) or count(formula))
    model = Model()
    x = model.integer("x", 0, 30, shape=2)
    model.add(x[0] + x[1] == 30)
    for encoding in ("order", "log", "support"):
        counted.clear()
        drawn = model.sample(4, seed=2, encoding=encoding)
        assert drawn.solutions == 31
        assert len(set(drawn.draws)) > 2
        assert len(counted) <= 1 + 4 * 10  # five for each of two variables


def test_a_dimacs_file_is_decoded(tmp_path: Any) -> None:
    model = queens(5)
    for encoding in INTEGERS:
        encoded = model.encode(encoding)
        text = encoded.to_dimacs(tmp_path / "queens.cnf")
        assert (tmp_path / "queens.cnf").read_text() == text
        assert f"p cnf {encoded.variables} {encoded.clauses}" in text
        from pysat.solvers import Solver

        with Solver("minisat22", bootstrap_with=list(encoded.formula.cnf)) as solver:
            assert solver.solve()
            literals = solver.get_model()
        assert model.holds(encoded.decode(literals).values)
        assert encoded.decode(f"s SATISFIABLE\nv {' '.join(map(str, literals))} 0\n") == encoded.decode(literals)
    with pytest.raises(ModelError, match="no model of the formula"):
        encoded.decode([])


def test_explanations_name_constraints_as_the_user_did() -> None:
    model = Model()
    x = model.integer("x", 0, 4, shape=4)
    model.add(x[:-1] < x[1:], name="ascending")
    model.add(x[0] + x[3] >= 5, name="ends")
    model.add(x.sum() != 100)
    assert model.explain().holds is False
    why = model.explain(x[3] >= 3)
    assert why.holds
    assert set(why.constraints) in ({"ascending[0]", "ascending[1]", "ascending[2]"}, {"ends"})
    model.add(x[2] == 1)
    why = model.explain()
    assert (why.constraints, why.smallest) == (("ascending[0]", "ascending[1]", "x_2 == 1"), True)
    assert str(why) == "there is no solution, since: ascending[0]; ascending[1]; x_2 == 1"


def test_an_explanation_says_if_there_may_be_fewer_and_looks_for_them_in_the_time_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = Model()
    x = model.integer("x", 0, 4, shape=4)
    model.add(x[:-1] < x[1:], name="ascending")
    model.add(x[2] == 1)
    monkeypatch.setattr("nonosat.modelling.explain.QUESTIONS", 0)
    assert str(model.explain()).startswith("there is no solution, since (there may be fewer): ascending[0]; ")
    assert model.explain(time_limit_s=60).smallest


@pytest.mark.parametrize("encoding", INTEGERS)
def test_proofs_of_what_a_model_has_not(encoding: str, tmp_path: Any) -> None:
    none, one, best, many = queens(3), queens(4), queens(4), queens(4)
    one.add(one["q"][0] == 1)
    best.maximize(best["q"][0] * 2 + best["q"][1])
    claims = []
    for model in (none, one, best):
        proof = model.prove(encoding)
        claims.append(proof.claim)
        assert proof.fault() is None
    assert claims == ["there is no solution", "there is no other solution", "there is no better solution than 5"]
    assert many.prove(encoding).steps is None
    pigeons = Model()
    x = pigeons.integer("x", 0, 3, shape=5)
    pigeons.add([x[i] != x[j] for i in range(5) for j in range(i)])
    assert replace(pigeons.prove(encoding), steps=("0",)).fault() is not None
    proof.write(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["formula.cnf", "proof.drat"]


@pytest.mark.slow
def test_an_explanation_compiles_each_constraint_over_its_own_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    make = INTEGERS["order"].make
    order = SimpleNamespace(make=lambda csp: sizes.append(len(csp)) or make(csp))
    monkeypatch.setattr("nonosat.modelling.explain.PARTS", {"order": order})
    model = Model()
    x, b = model.integer("x", 0, 90, shape=80), model.boolean("b", shape=80)
    sparse = model.integer("sparse", [3, 40, 77])
    for i in range(79):
        model.add(b[i].implies(x[i] < x[i + 1]), name=f"step {i}")
    model.add(b, name="all")
    model.add(x[10] == sparse, name="begin")
    model.add(x[50] == 3 * x[49], name="thrice")
    model.add(x[60] < 60, name="end")
    why = model.explain()
    names = {one.name for one in model.constraints}
    model.constraints = [one for one in model.constraints if one.name in why.constraints]
    assert len(why.constraints) < len(names)
    assert model.solve(solver="cpsat").verdict is Verdict.UNSAT
    assert sum(sizes) < 161 + 2_000


def test_models_are_compared_by_their_variables_names() -> None:
    one, other = Model(), Model()
    x, y = one.integer("x", 0, 3), one.boolean("y")
    v, u = other.boolean("y"), other.integer("x", 0, 5)
    one.add(y == (x > 1))
    other.add(e.implies(v, u >= 2), e.implies(u >= 2, v), u < 4)
    assert one.equivalent(other).same
    other.add(u != 2)
    different = one.equivalent(other)
    assert different.same is False
    assert different.witness is not None
    assert different.witness["x"] == 2
    assert other.equivalent(one).same is False


def test_many_models_and_watched_ones() -> None:
    models = [queens(n) for n in (4, 3, 5)]
    assert [str(answer.verdict) for answer in Model.solve_many(models, jobs=2)] == ["SAT", "UNSAT", "SAT"]
    _, wrong = Model.solve_many([models[0], 3])
    assert (str(wrong.verdict), wrong.reason) == ("ERROR", "a model is expected, not an int")
    *events, answer = models[2].watch(count=None)
    assert isinstance(answer, ModelAnswer)
    assert sum(isinstance(event, Found) for event in events) == len(answer.solutions) == 10


def test_a_wrong_lowering_gives_no_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a constraint means is evaluated without it."""
    model = queens(5)
    monkeypatch.setattr(Lowering, "_formula_all_different", lambda *_: 1)
    for solver in ("minisat22", "cpsat"):
        answer = model.solve(solver=solver)
        assert answer.verdict is Verdict.WRONG
        assert answer.solution is None
        assert "all_different" in str(answer.reason)


def test_a_solver_that_takes_no_encoding_refuses_one() -> None:
    model = queens(5)
    with pytest.raises(UnsupportedError, match="solver cpsat takes no encoding, not 'log': leave out one of them"):
        model.solve(solver="cpsat", encoding="log")
    with pytest.raises(UnknownNameError, match="unknown integer encoding 'lgo'"):
        model.solve(solver="cpsat", encoding="lgo")


def test_python_sat_takes_the_clauses_of_a_model() -> None:
    encoded = queens(6).encode("order")
    with Solver("glucose4", bootstrap_with=encoded) as solver:
        assert solver.solve()
        assert encoded.decode(solver.get_model())["q"].size == 6


def test_an_explanation_at_a_limit_is_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model()
    x = model.integer("x", 0, 4, shape=4)
    model.add(x[:-1] < x[1:], name="ascending")
    model.add(x[2] == 1)
    whole = list(explanations(model, None, None))
    assert [len(why.constraints) for why in whole] == sorted((len(why.constraints) for why in whole), reverse=True)
    assert (whole[0].minimal, whole[-1]) == (False, model.explain())

    def ended(after: int) -> Any:
        reached = Stopped(Verdict.TIMEOUT, "wall-time limit of 1 s reached")
        return lambda *_: (value for value in [*whole[:after], reached])

    monkeypatch.setattr("nonosat.modelling.explain.values_within", ended(1))
    why = model.explain(time_limit_s=1)
    assert (why.constraints, why.stopped) == (whole[0].constraints, "wall-time limit of 1 s reached")
    assert "(some can perhaps be left out)" in str(why)
    monkeypatch.setattr("nonosat.modelling.explain.values_within", ended(0))
    with pytest.raises(LimitReachedError, match="limit of 1 s"):
        model.explain(time_limit_s=1)


@pytest.mark.parametrize("seed", range(3))
def test_no_shortest_path_is_longer_than_is_said(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(30):
        n = int(rng.integers(2, 8))
        edges = [(a, b) for a, b in combinations(range(n), 2) if rng.random() < 0.5]
        longest = 0
        for inside in product([False, True], repeat=n):
            far = {next((i for i, one in enumerate(inside) if one), 0): 0}
            for cell in (queue := list(far)):
                for other in {a + b - cell for a, b in edges if cell in (a, b)}:
                    if inside[other] and other not in far:
                        far[other] = far[cell] + 1
                        queue.append(other)
            longest = max(longest, *far.values(), 0)
        assert longest <= longest_shortest_path(n, edges)


def test_what_hangs_together_on_a_large_board_is_stated_by_ranks() -> None:
    """A variable for each cell and step took 7 GiB at 60x60."""
    model = Model()
    cells = model.boolean("cells", shape=(40, 40))
    model.add(model.connected(cells))
    assert len(model.csp()) < 20_000
    assert longest_shortest_path(2000, [(0, leaf) for leaf in range(1, 2000)]) == 1999


def test_what_hangs_together_leaves_no_auxiliary_open() -> None:
    model = Model()
    inside = model.boolean("inside", shape=(2, 3))
    model.add(model.connected(inside))
    wanted = len(by_force(model))
    with Solver("minisat22", bootstrap_with=model.encode("order")) as solver:
        assert len(list(solver.enum_models())) == wanted == 41
    denied = Model()
    cells = denied.boolean("cells", shape=(2, 3))
    denied.add(~denied.connected(cells))
    for solver_name in ("minisat22", "cpsat"):  # which has it by ranks
        assert len(model.solve(solver=solver_name, count=None).solutions) == 41
        assert len(denied.solve(solver=solver_name, count=None).solutions) == 2**6 - 41


def test_what_is_shown_is_one_line() -> None:
    model = queens(8)
    model.minimize(model["q"][0])
    shown = [model, model.solve(), model.encode(), model.solve().solution, model.constraints[0].constraint]
    shown += [model.backbone(), model.sample(3, seed=4)]
    assert all("\n" not in repr(one) and len(repr(one)) < 200 for one in shown)
    assert repr(shown[-1]) == "<ModelSample 3 of 92 solutions, seed 4>"
    assert repr(shown[-2]).startswith("<ModelBackbone SAT, 0 fixed, ")
    assert repr(model) == "<Model 'queens': 8 variables, 3 constraints, minimize q_0>"


def test_numpy_s_own_arrays_of_expressions_can_be_filled() -> None:
    x = Problem().integer("x", 0, 3, shape=3)
    assert [str(one) for one in np.roll(x, 1)] == ["x_2", "x_0", "x_1"]


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (lambda x, y: np.array([x[0], y]) == x[1], "[x_0 == x_1, y == x_1]"),
        (lambda x, y: np.array([x[0], y]) < y, "[x_0 < y, y < y]"),
        (lambda x, y: y - np.array([1, 2]), "[y - 1, y - 2]"),
        (lambda x, y: np.int64(2) == y, "y == 2"),
        (lambda x, y: np.int64(2) - y, "-y + 2"),
        (lambda x, y: np.int64(2) * x, "[2*x_0, 2*x_1]"),
        (lambda x, y: np.array(2) * y, "2*y"),
        (lambda x, y: x == np.array([y, 1]), "[x_0 == y, x_1 == 1]"),
        (lambda x, y: np.array([1, True]) + x, "[x_0 + 1, x_1 + 1]"),
        (lambda x, y: ~e.array([True, y == 1]), "[~True, ~(y == 1)]"),
        (lambda x, y: e.array([7, y]) // 0, "[7 // 0, y // 0]"),
        (lambda x, y: np.abs(y - 1), "abs(y - 1)"),
        (lambda x, y: np.abs(x - y), "[abs(x_0 - y), abs(x_1 - y)]"),
        (lambda x, y: np.maximum(x, y), "[max(x_0, y), max(x_1, y)]"),
        (lambda x, y: np.minimum(y, 2), "min(y, 2)"),
        (lambda x, y: np.equal(x, 1), "[x_0 == 1, x_1 == 1]"),
        (lambda x, y: np.logical_and(x == 1, y == 1), "[(x_0 == 1) & (y == 1), (x_1 == 1) & (y == 1)]"),
        (lambda x, y: np.logical_not(y == 1), "~(y == 1)"),
        (lambda x, y: np.cumsum(x), "[x_0, x_0 + x_1]"),
        (lambda x, y: np.square(x), "[x_0 * x_0, x_1 * x_1]"),
        (lambda x, y: np.frompyfunc(lambda a: a + 1, 1, 1)(x), "[x_0 + 1, x_1 + 1]"),
        (lambda x, y: x @ [3, 4], "3*x_0 + 4*x_1"),
    ],
)
def test_numpy_s_functions_make_expressions(made: Callable[[Any, Any], Any], text: str) -> None:
    problem = Problem()
    found = made(problem.integer("x", 0, 3, shape=2), problem.integer("y", 0, 3))
    assert (str(found.tolist()) if isinstance(found, e.ExpressionArray) else str(found)) == text


# ---------------------------------------------------------------- what cannot be stated

M = Problem()
X, B = M.integer("x", 0, 3), M.boolean("b")
A = M.integer("a", 0, 3, shape=3)
MISTAKES: list[tuple[Callable[[], Any], str]] = [
    (lambda: 0 < X < 3, "is an expression and neither true nor false here: write & | ~"),
    (lambda: X > 0 and X < 2, "write & | ~ for and, or, not"),
    (lambda: not B, "write & | ~"),
    (lambda: bool(A), "write all_of(..) or any_of(..)"),
    (lambda: X in A, "write any_of(array == value)"),
    (lambda: X + 0.5, "0.5' (float) is no whole number"),
    (lambda: X * 2.0, "2.0 is a float: write 2"),
    (lambda: X / 2, "write // for the quotient rounded down"),
    (lambda: X & B, "x is a number, no constraint: write x == 1"),
    (lambda: X > 0 & X > 1, "bind more tightly than comparisons: write (a > 1) & (b > 1)"),
    (lambda: B == 1 & B == 1, "'1' (int) is no constraint; & and | bind more tightly than comparisons"),
    (lambda: max(A[0], A[1]), "maximum(..), minimum(..) for max(..), min(..)"),
    (lambda: 1 if X > 0 else 2, "if_then_else(c, a, b) for a if c else b"),
    (lambda: A.mean(), "(a_0 + a_1 + a_2) / 3: there are whole numbers only"),
    (lambda: A.__setitem__(0, 2), "write add(array[index] == value) for array[index] = value"),
    (lambda: M.add(X), "x is a number, no constraint"),
    (lambda: M.add(None), "a function without return gives None"),
    (lambda: M.add("x > 1"), "'x > 1' (str) is no constraint"),
    (lambda: A + M.integer("c", 0, 1, shape=2), "arrays of the shapes (3,) and (2,) do not fit each other"),
    (lambda: M.integer("y"), "y has no bounds: write integer('y', low, high)"),
    (lambda: M.integer("y", 0, float("inf")), "y: the bound inf is infinite: domains are finite"),
    (lambda: M.integer("y", 0, 3.0), "y: the bound 3.0 is no integer"),
    (lambda: M.integer("y", X, 3), "y: the bound x is no integer"),
    (lambda: M.integer("y", np.array([[1, 2], [3, 4]])), "y: the bound array([1, 2]) is no integer"),
    (lambda: M.integer("y", 0, 1, shape=2.0), "y: 2.0 is no shape"),
    (lambda: M.boolean("y", shape=-2), "y: -2 is no shape"),
    (lambda: M.boolean("y", shape=(10**5, 10**5)), "y: an array of 10,000,000,000 variables; the limit is"),
    (lambda: M.integer("y", 3, 1), "y: the domain 3..1 is empty"),
    (lambda: M.integer("y", []), "y: the domain [] is empty"),
    (lambda: M.integer("y", 0, 2**62), "is too large; the limit is 4611686018427387903: scale the numbers down"),
    (lambda: M.integer("x", 0, 1), "x is declared twice"),
    (lambda: M.integer("a_0", 0, 1), "a_0 is declared twice"),
    (lambda: M.integer("two words", 0, 1), "'two words' is no name"),
    (lambda: M.integer("y", [0, 1], [1, 2, 3], shape=2), "y: bounds do not fit the shape (2,)"),
    (lambda: M.table(A, [[1, 2]]), "table: the row [1, 2] for 3 expressions"),
    (lambda: M.table(A, [[1, 2, "x"]]), "table: 'x' in a row: rows hold whole numbers"),
    (lambda: M.table(A, [[0, 1, 2]] * 1_000 + [[1, 2, 2.5]]), "table: '2.5' in a row: rows hold whole numbers"),
    (lambda: M.table(A, np.array([[1, 2, 2.0]])), "table: '1.0' in a row: rows hold whole numbers"),
    (lambda: M.table(A, np.array([[0, 1, 2**63]], dtype=np.uint64)), "whole numbers of at most 64 bits"),
    (lambda: M.table(A, 5), "table: '5' is no list of rows"),
    (lambda: M.element([1, 2], 2), "element: there is no entry [2] in an array of the shape (2,)"),
    (lambda: M.cardinality(A, [1], [2.0]), "2.0 is a float: write 2"),
    (lambda: M.cumulative(A, [1, 2, 0.5], 1, 2), "'0.5' (float) is no whole number"),
    (lambda: e.weighted([(1.5, X)]), "a coefficient: '1.5' is no whole number"),
    (lambda: e.weighted([(1, X)], 2.0), "a constant: '2.0' is a float: write 2"),
    (lambda: [1, 2, 3][X], "write element(values, x) for values[x]"),
    (lambda: int(X), "x is an expression and no number here"),
    (lambda: np.array([X, X]) == 2, "; array(..) for np.array(..)"),
    (lambda: np.sqrt(A), "numpy's sqrt is not for expressions, which have + - * // % **, abs, minimum, maximum"),
    (lambda: np.float64(0.5) * X, "'0.5' (float) is no whole number"),
    (lambda: A + np.arange(2), "arrays of the shapes (3,) and (2,) do not fit each other"),
    (lambda: M.add(A > 0, name=5), "a constraint's name is a text, not '5'"),
    (lambda: M.lex_less(A, A[:2]), "lex_less: lists of the lengths 3, 2"),
    (lambda: M.regular(A, [(0, 1)], 0, [0]), "regular: transitions are"),
    (lambda: M.regular(A, [(0, 1, 0)], 0, 0), "regular: transitions are"),
    (lambda: M.regular(A, {(0, 1.5): 0}, 0, [0]), "regular: the value of a transition: '1.5' is no whole number"),
    (lambda: M.regular(A, {(0, 2.0): 0}, 0, [0]), "regular: the value of a transition: '2.0' is a float: write 2"),
    (lambda: M.regular(A, {(0, 10**30): 0}, 0, [0]), "regular: a value of over 62 bits"),
    (lambda: M.connected(A > 0), "connected: give the edges"),
    (lambda: M.connected(A > 0, [(0, 1.5)]), "connected: an end of an edge: '1.5' is no whole number"),
    (lambda: M.connected(A > 0, [(0, 1, 2)]), "connected: edges are pairs of cells"),
    (lambda: M.maximum([]), "maximum of nothing"),
    (lambda: M.minimize(A), "the objective is an array: write sum(..)"),
    (lambda: M.add(Model().integer("z", 0, 1) == 1), "z is a variable of another model"),
    (lambda: M.array([[1, 2]])[0.5, X], "an index is an integer or a slice"),
    (lambda: M.array([[1, 2]])[X, -1], "element: an index is 0 at least, not -1"),
    (lambda: M.array([[1, 2]])[X, 2], "element: there is no entry [x, 2] in an array of the shape (1, 2)"),
]


@pytest.mark.parametrize(("mistake", "message"), MISTAKES)
def test_errors_of_models_propose_a_correction(mistake: Callable[[], Any], message: str) -> None:
    with pytest.raises(ModelError) as caught:
        mistake()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("make", [lambda x: x**3 * x**4 == 3, lambda x: 2**x == 4, lambda x: 2**61 * x <= 7])
def test_numbers_beyond_the_limit_are_refused_with_their_constraint(make: Callable[[Any], Any]) -> None:
    model = Model()
    model.add(make(model.integer("x", 0, 1_000)), name="mine")
    with pytest.raises(ModelError, match=r"^mine: .*limit.*: give smaller domains or coefficients$"):
        model.solve()


def test_a_power_of_millions_of_digits_is_refused_before_it_is_computed() -> None:
    model = Model()
    model.add(model.integer("x", 0, 3) ** 10**9 == 1, name="mine")
    with pytest.raises(ModelError, match=r"^mine: a power of over a million digits"):
        model.solve()


def test_a_declaration_that_fails_declares_nothing() -> None:
    model = Model()
    model.integer("x_2", 0, 1)
    for name in ("x", "x_2"):
        with pytest.raises(ModelError, match="x_2 is declared twice"):
            model.integer(name, 0, 5, shape=4)
    y = model.integer("y", 0, 5)
    model.add(y == 4)
    assert model.names() == ["x_2", "y"]
    assert model.solve()["y"] == 4


class Edges(tuple[tuple[int, int], ...]):
    """They count how often somebody goes through them."""

    rounds = 0

    def __iter__(self) -> Iterator[tuple[int, int]]:
        Edges.rounds += 1
        return super().__iter__()


class Arcs(np.ndarray[Any, Any]):
    """They count how often they become a list."""

    rounds = 0

    def tolist(self) -> Any:
        Arcs.rounds += 1
        return super().tolist()


def test_what_edges_and_arcs_mean_is_found_in_one_round() -> None:
    edges = Edges((i, i + 1) for i in range(50))
    Edges.rounds = Arcs.rounds = 0
    connected, regular = e.MEANINGS["connected"], e.MEANINGS["regular"]
    assert connected(edges, [True] * 51)
    assert not connected(edges, [True] * 20 + [False] + [True] * 30)
    assert Edges.rounds == 2
    arcs = np.array([(0, 1, 1), (1, 1, 0), (1, 2, 1)]).view(Arcs)
    assert regular((arcs, 2, (1,)), [1, 2] * 1 + [2] * 40)
    assert not regular((arcs, 2, (1,)), [2, 1])
    assert Arcs.rounds == 2


@pytest.mark.parametrize("method", ["count", "sample", "backbone", "prove", "certify", "explain", "solve", "watch"])
def test_an_argument_that_does_not_exist_is_told_by_the_method_that_was_called(method: str) -> None:
    known = r"known: .*time_limit_s, cpu_limit_s, memory_limit_mb.*; did you mean time_limit_s\?"
    with pytest.raises(KindError, match=rf"^unknown argument of Model\.{method} 'time_limit'; {known}$"):
        getattr(queens(4), method)(time_limit=3)
    with pytest.raises(KindError, match=r"^unknown argument of Model\.solve_many 'coutn'; .*; did you mean count\?$"):
        Model.solve_many([queens(4)], coutn=3)
    assert len(list(Model.solve_many([queens(4)], jobs=1, count=2))) == 1
    with pytest.raises(KindError, match=r"^unknown argument of Problem\.integer 'lower'; .*; did you mean low\?$"):
        Model().integer("x", lower=0, upper=3)


def test_options_that_make_no_sense() -> None:
    model = queens(4)
    with pytest.raises(ValueError, match="count is 0"):
        model.solve(count=0)
    with pytest.raises(ValueError, match="solves puzzles only"):
        model.solve(solver="propagation")
    with pytest.raises(LookupError, match="unknown integer encoding 'ordr'"):
        model.solve(encoding="ordr")
    model.minimize(model["q"][0])
    with pytest.raises(ValueError, match="one best solution"):
        model.solve(count=2)


def test_long_sums_and_deep_formulas_cost_no_stack() -> None:
    model = Model()
    x = model.boolean("x", 200)
    total, deep = 0, x[0]
    for one in x:
        total = total + one
    for one in [*x] * 20:
        deep = ~(deep & one)
    model.add(total >= 199, deep)
    answer = model.solve()
    assert answer.verdict is Verdict.SAT
    assert model.holds(answer.solutions[0].values)


# ---------------------------------------------------------------- the command line, and Sugar's language

JOBS = """
import nonosat

def shop(name):
    model = nonosat.Model(name)
    start = model.integer("start", 0, 20, shape=2)
    late = model.boolean("late")
    model.add(model.disjunctive(start, [3, 4]), name="machine")
    model.add(late == (start[0] > 3))
    model.minimize((start + [3, 4]).max())
    return model

model = shop("small shop")
others = [shop("other")]
"""


@pytest.fixture
def place(tmp_path: Any) -> Any:
    (tmp_path / "shop.py").write_text(JOBS)
    (tmp_path / "few.csp").write_text("(int x 0 3) (int y 0 3)\n(bool p)\n(< (+ x 1) y)\n(iff p (= x 0))\n")
    (tmp_path / "none.csp").write_text("(int x 0 3) (int y 0 3)\n(< x y)\n(> x 2)\n(!= x 1)\n")
    return tmp_path


def run(place: Any, *words: str) -> Any:
    return commands.run(*words, cwd=place)


def test_commands_take_models(place: Any) -> None:
    done = run(place, "solve", "shop.py")
    assert done.returncode == 10, done.stderr
    assert done.stdout.startswith("start = [")
    assert "late = " in done.stdout
    assert "shop.py: SAT, objective 7 (optimal) · minisat22, order" in done.stderr
    record = json.loads(run(place, "solve", "shop.py", "--format", "json", "--solver", "cpsat").stdout)
    assert (record["objective"], record["optimal"], record["verdict"]) == (7, True, "SAT")
    assert sorted(record["solutions"][0]) == ["late", "start_0", "start_1"]

    done = run(place, "solve", "few.csp", "none.csp", "--all", "--encoding", "log")
    assert done.returncode == 10
    assert done.stdout.count("x = ") == 3
    assert run(place, "solve", "none.csp").returncode == 20
    assert run(place, "count", "few.csp").stdout == "3\n"
    assert run(place, "sample", "few.csp", "--count", "2").stdout.count("x = ") == 2
    assert run(place, "backbone", "few.csp").returncode == 10
    done = run(place, "explain", "none.csp")
    assert done.stdout == "line 2: x < y\nline 3: x > 2\n"
    done = run(place, "encode", "few.csp", "-o", "few.cnf", "--encoding", "direct")
    assert "c direct x 1 0 3" in (place / "few.cnf").read_text()
    run(place, "encode", "shop.py", "-o", "shop.csp")
    done = run(place, "csp", "shop.csp")
    assert done.stdout.splitlines()[:2] == ["o 7", "s OPTIMUM FOUND"]


def test_a_model_is_loaded_from_a_file(place: Any) -> None:
    assert nonosat.load_model(place / "few.csp").solve(count=None).unique is False
    assert nonosat.load_model(str(place / "shop.py")).objective is not None
    for name, reason in (("few.mk", "few.mk: no model has the suffix '.mk'"), ("gone.csp", "gone.csp: no such file")):
        with pytest.raises(NonosatError, match=reason):
            nonosat.load_model(place / name)
    with pytest.raises(NonosatError, match="but models have it"):
        nonosat.load(place / "shop.py")


XCSP3_RULER = str(Path(__file__).parents[1] / "examples" / "golomb_ruler.xml")


def printed(literals: Any) -> str:
    return f"s SATISFIABLE\nv {' '.join(map(str, literals))} 0\n"


@pytest.mark.slow
def test_the_output_of_a_solver_is_decoded_for_a_model(place: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from pysat.solvers import Solver

    few, cnf, out = files.load_model(place / "few.csp"), place / "few.cnf", place / "out"
    for encoding in (*INTEGERS, "order<=3,log"):
        few.encode(encoding).to_dimacs(cnf)
        with Solver("minisat22", bootstrap_with=list(few.encode(encoding).formula.cnf)) as solver:
            assert solver.solve()
            literals = np.array(solver.get_model())
        out.write_text(printed(literals))
        answer = decode_output(few, str(cnf), str(out))
        assert (answer.verdict, answer.encoding, answer.unique) == (Verdict.SAT, encoding, None)
        assert answer.solution is not None
        assert few.holds(answer.solution.values)
        out.write_text(printed(-literals))
        answer = decode_output(few, str(cnf), str(out))
        assert (answer.verdict, answer.solution) == (Verdict.WRONG, None)
        assert "the solver is wrong, or its output is not whole" in str(answer.reason)
    ruler = files.load_model(XCSP3_RULER)  # whose arrays have names of their own
    ruler.encode("log").to_dimacs(cnf)
    with Solver("minisat22", bootstrap_with=list(ruler.encode("log").formula.cnf)) as solver:
        assert solver.solve()
        out.write_text(printed(solver.get_model()))
    assert decode_output(ruler, str(cnf), str(out)).optimal is False
    few.encode(encoding).to_dimacs(cnf)
    # A model of the same variables that means another thing is not taken for the formula's.
    out.write_text(printed(literals))
    (place / "other.csp").write_text("(int x 0 3) (int y 0 3)\n(bool p)\n(> x y)\n")
    other = files.load_model(place / "other.csp")
    with pytest.raises(FormatError, match=r"few\.cnf: not the formula of this model, so that nothing follows for it"):
        decode_output(other, str(cnf), str(out))
    monkeypatch.setattr("nonosat.modelling.decode._is_formula_of", lambda csp, written: True)
    answer = decode_output(other, str(cnf), str(out))
    assert (answer.verdict, answer.solution) == (Verdict.WRONG, None)
    assert str(answer.reason).endswith("few.cnf was changed: it breaks 'line 3: x > y'")


def test_the_command_decodes_for_a_model(place: Any) -> None:
    run(place, "encode", "few.csp", "-o", "few.cnf", "--encoding", "order")
    (place / "out").write_text(printed([1, 2, 3, -4, -5, 6, -7]))
    done = run(place, "decode", "few.cnf", "out", "--model", "few.csp", "--format", "json")
    record = json.loads(done.stdout)
    assert (record["verdict"], record["solver"], record["file"]) == ("SAT", "external", "out"), record
    [solution] = record["solutions"]
    assert solution["x"] + 1 < solution["y"]
    assert solution["p"] == (solution["x"] == 0)
    (place / "out").write_text("s UNSATISFIABLE\n")
    done = run(place, "decode", "few.cnf", "out", "--model", "few.csp")
    assert (done.returncode, "the solver's word, not proved" in done.stderr) == (20, True)
    (place / "few.csp").write_text("(int x 0 3) (int y 0 3)\n(bool p)\n(< x y)\n(iff p (= x 0))\n")
    done = run(place, "decode", "few.cnf", "out", "--model", "few.csp")
    reason = "not the formula of this model, so that nothing follows for it"
    assert (done.returncode, done.stderr) == (2, f"nonosat: few.cnf: {reason}\n")
    done = run(place, "decode", "few.cnf", "out", "--model", "none.csp")
    assert (done.returncode, done.stderr) == (2, "nonosat: few.cnf: its variables are not the model's\n")
    assert "name the model's file by --model FILE" in run(place, "decode", "few.cnf", "out").stderr


def test_errors_about_models_are_a_line(place: Any) -> None:
    (place / "wrong.py").write_text("import nonosat\nm = nonosat.Model()\nx = m.integer('x', 0, 3)\nm.add(0 < x < 2)\n")
    (place / "two.py").write_text("import nonosat\na, b = nonosat.Model(), nonosat.Model()\n")
    (place / "nothing.py").write_text("x = 1\n")
    (place / "three.py").write_text("import nonosat\nall = [nonosat.Model('a'), nonosat.Model('b')]\nc = {3: all[0]}\n")
    assert [model.name for model in files.load_all(str(place / "three.py"))] == ["a", "b"]
    for words, reason in [
        (("solve", "wrong.py"), "wrong.py:4: ModelError: x > 0 is an expression and neither true nor false here"),
        (("explain", "two.py"), "two.py: there are 2 models in it: --index N takes one"),
        (("solve", "two.py", "--index", "3"), "two.py: there is no model 3 in it, there are 2"),
        (
            ("solve", "nothing.py"),
            "nothing.py: it has no name for a nonosat.Model, or for a list of them: call one `model`",
        ),
        (("solve", "gone.py"), "gone.py: no such file"),
        (("solve", "few.csp", "x.non"), "x.non is no model (.csp, .py, .xml, .cnf), and others are"),
        (("solve", "few.csp", "--draw", "x.svg"), "--draw is for puzzles"),
        (("solve", "shop.py", "--all"), "all solutions: a model with an objective is solved for its one best solution"),
        (("solve", "shop.py", "--encoding", "nope"), "unknown integer encoding 'nope'"),
        (("csp", "shop.xml"), "shop.xml: by its suffix no text in Sugar's language: see `nonosat solve`"),
        (
            ("decode", "a.cnf", "out", "--model", "a.mk"),
            "a.mk: no model has the suffix '.mk'",
        ),
        (("explain", "few.csp", "--format", "html"), "--format html is for puzzles"),
        (
            ("encode", "few.csp", "-o", "a.xml"),
            "a.xml: an encoding is written as .cnf, .csp, .opb or .wcnf, not as .xml",
        ),
        (("encode", "few.csp", "--encoding", "log", "-o", "a.csp"), "a.csp: a CSP in Sugar's language has no encoding"),
    ]:
        done = run(place, *words)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
        assert done.stderr.startswith(f"nonosat: {reason}")


@pytest.mark.slow
def test_one_of_several_models_in_a_file(place: Any) -> None:
    (place / "several.py").write_text(
        "import nonosat\nrulers = []\nfor size in (2, 3):\n    one = nonosat.Model()\n    rulers.append(one)\n"
        "    x = one.integer('x', 0, size)\n    one.add(x > size - 1)\n"
    )
    done = run(place, "solve", "several.py", "--unique")
    assert (done.returncode, done.stdout.split()) == (10, ["x", "=", "2", "x", "=", "3"])
    assert "several.py:rulers[0]: SAT, the only solution" in done.stderr
    for words, code in [(("solve", "several.py"), 10), (("certify", "several.py", "-o", "out"), 20)]:
        done = run(place, *words, "--index", "2")
        assert done.returncode == code, done.stderr
    assert (place / "out/several-2.opb").exists()
    assert run(place, "encode", "several.py", "--index", "1", "-o", "a.cnf").returncode == 0


def test_a_folder_of_models(place: Any) -> None:
    folder = place / "many"
    folder.mkdir()
    (folder / "one.csp").write_text("(int x 0 3)\n(> x 2)\n")
    (folder / "two.cnf").write_text("p cnf 2 1\n1 2 0\n")
    (folder / "run.py").write_text("raise SystemExit('Python of a folder is not run')\n")
    done = run(place, "solve", "many")
    assert (done.returncode, "many/one.csp: SAT" in done.stderr, "many/two.cnf: SAT" in done.stderr) == (10, True, True)
    (folder / "two.cnf").unlink()
    (folder / "one.csp").rename(place / "one.csp")
    (folder / "three.xml").write_text(
        '<instance format="XCSP3" type="CSP"><variables><var id="x"> 0..3 </var></variables>'
        "<constraints><intension> gt(x,2) </intension></constraints></instance>"
    )
    (folder / "heart.non").write_text("width 1\nheight 1\nrows\n1\ncolumns\n1\n")
    done = run(place, "solve", "many")
    assert done.returncode == 2
    assert "many/three.xml: a model, not a puzzle; a command takes one or the other" in done.stderr
    assert "1 puzzle: 1 SAT" in done.stdout
    (folder / "three.xml").unlink()
    (folder / "heart.non").unlink()
    assert "no file in this folder is called as puzzles or models are" in run(place, "solve", "many").stderr


@pytest.mark.parametrize("encoding", ["order", "support", "log+adder", "order<=70,log"])
def test_an_automaton_that_is_denied_knows_the_values_that_it_does_not_name_as_one(encoding: str) -> None:
    rng = np.random.default_rng(7)
    for wide in ((0, 80), (-3, 90), tuple(range(0, 300, 3)), (0, 3)):
        arcs = [tuple(map(int, row)) for row in rng.integers((0, -1, 0), (3, 9, 3), size=(6, 3))]
        statement = Problem()
        x = statement.integer("x", *wide) if len(wide) == 2 else statement.integer("x", list(wide))
        y = statement.integer("y", 0, 2)
        judged = e.regular([x, y, x], arcs, 0, [1, 2])
        statement.add(judged == (y != 1))
        assert compiled(statement, encoding) == by_force(statement)


@pytest.mark.parametrize(
    "goal", [lambda x, y: 12 // x, lambda x, y: x % y, lambda x, y: y**x, lambda x, y: M.array([3, 1])[x] + y]
)
def test_an_objective_has_a_value_in_every_solution(goal: Callable[[Any, Any], Any]) -> None:
    model = Model("objective")
    x, y = model.integer("x", -1, 2), model.integer("y", 0, 3)
    model.add(x + y <= 3, name="small")
    same = Model("without one")
    same.add(same.integer("x", -1, 2) + same.integer("y", 0, 3) <= 3)
    model.minimize(goal(x, y))
    there = by_force(model)
    assert 0 < len(there) < len(by_force(same))
    assert model.count().solutions == len(there)
    assert {solution.values for solution in model.sample(200, seed=1).draws} <= there
    assert model.equivalent(same).same is same.equivalent(model).same is False
    columns = {name: {values[at] for values in there} for at, name in enumerate("xy")}
    fixed = {name: values.pop() for name, values in columns.items() if len(values) == 1}
    assert model.backbone().fixed == fixed
    answer = model.solve()
    assert answer.objective == min(model.value(values) for values in there) == int(model.certify().claim.split()[-1])
    outside = min(by_force(same) - there)
    claim = (x != outside[0]) | (y != outside[1])
    assert model.explain(claim).constraints == ("the objective has a value",)
    model.add(x == outside[0], y == outside[1])
    assert model.solve().verdict is Verdict.UNSAT
    assert model.count().solutions == 0


def test_the_encoding_that_is_chosen_is_that_of_the_rule_of_thumb() -> None:
    """Where the table in ``experiments/crossover/README.md`` says that one of the two is faster, with an interval."""
    make = runpy.run_path(str(Path(__file__).parents[1] / "experiments" / "crossover" / "families.py"))["make"]
    faster = {"comparison": (32, "order"), "linear": (256, "log+adder"), "all_different": (256, "log+adder")}
    faster |= {"table": (256, "order"), "element": (256, "order"), "product": (256, "log+adder")}
    for name, (domain, encoding) in faster.items():
        for seed in (1, 2):
            assert chosen(make(name, domain, seed).csp()) == encoding, name
    assert {chosen(make(name, 32, 1).csp()) for name in faster} == {"order"}


@pytest.mark.parametrize("base", [0, 2**53, -(2**53), 2**60])
def test_tasks_may_start_at_large_numbers(base: int) -> None:
    model = Model()
    start = model.integer("start", base, base + 3, shape=3)
    model.add(model.cumulative(start, [2, 3, 1], [1, 1, 2], 2), start[0] + start[1] <= 2 * base + 3)
    there = by_force(model)
    assert len(there) == 6
    for encoding in ("order", "log+adder"):
        assert compiled(model, encoding) == there


def test_constraints_that_are_cut_are_told_apart() -> None:
    model = Model()
    x = model.integer("a_long_name", 0, 9, shape=20)
    model.add(sum(x) <= 3, sum(x) >= 100, model.all_different(x), model.all_different([*x[:9], *x[10:]]))
    names = [name for name, _ in model.constraints]
    assert [name.split(" ")[-1] for name in names] == ["3", "100", "a_long_name_19)", "4)"]
    assert len(set(names)) == 4
    assert set(model.explain().constraints) <= set(names)


def test_an_automaton_that_is_denied_is_small_whatever_the_domain() -> None:
    statement = Problem()
    x = statement.integer("x", 0, 10**12)
    statement.add(~e.regular([x], [(0, 3, 1), (0, 5, 1)], 0, [1]), x >= 2, x <= 6)
    assert compiled(statement, "log+adder") == {(2,), (4,), (6,)}


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["order", "log+adder"])
def test_how_many_values_variables_of_wide_domains_have(encoding: str) -> None:
    statement = Problem()
    x, y, z = (statement.integer(name, low, low + 20_000) for name, low in (("x", -3), ("y", 0), ("z", 5)))
    counted = e.n_values([x, y, z, x])
    statement.add(counted <= 2, x >= 4, x <= 7, y >= 4, y <= 6, z <= 6)
    expected = {(a, b, c) for a in range(4, 8) for b in range(4, 7) for c in (5, 6) if len({a, b, c}) <= 2}
    assert compiled(statement, encoding) == expected
    statement.add(counted == 1)
    assert compiled(statement, encoding) == {(5, 5, 5), (6, 6, 6)}


@pytest.mark.parametrize("solver", ["minisat22", "ergo", "cpsat"])
def test_an_element_that_there_is_not_has_one_of_the_values_that_its_variable_may_have(solver: str) -> None:
    """Its gaps are said to follow from constraints: a solver that put it into one would have a board that is wrong."""
    statement = Problem()
    x, y = statement.integer("x", [-1, 1]), statement.integer("y", 0, 3)
    statement.add(e.if_then_else(e.lex_less([y, y], [y, x]), e.element([x, x], x), 0) != y)
    assert compiled(statement, "log+pairs+adder", solver) == by_force(statement)
    wide = Problem()
    i, a, b = wide.integer("i", -(2**40), 2**40), wide.integer("a", 2, 3), wide.integer("b", 5, 6)
    wide.add(e.element([a, b], i) == 5, a == 2)
    assert compiled(wide, "log+adder", solver) == {(1, 2, 5)}
    for place in (-3, 0, 1, 4):  # it is a function of the variables everywhere, so that models are as many as solutions
        other = Problem()
        i, a, b = other.integer("i", [-3, 0, 1, 4]), other.integer("a", [2, 7]), other.integer("b", [5, 9])
        other.add((e.element([a, b], i) == 5) | (i <= 4), i == place)
        every = solve_csp(other.csp(), integers="order", count=None, solver=solver).solutions
        assert len(every) == len(by_force(other)) == 4


def test_cp_sat_lists_many_solutions_in_one_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each once; what a list has over and over, or lacks, is found by further solves."""
    solved: list[bool] = []
    solve = cp.cp_model.CpSolver.solve
    monkeypatch.setattr(
        cp.cp_model.CpSolver,
        "solve",
        lambda engine, *given: solved.append(engine.parameters.enumerate_all_solutions) or solve(engine, *given),
    )
    model = Model()
    x = model.integer("x", 0, 9, shape=4)
    model.add(model.all_different(x[:3]), x[0] + x[1] > x[3] * 3)

    def listed(most: int | None = None) -> set[tuple[int, ...]]:
        solved.clear()
        found = [
            event.cells
            for event in cp.search_csp(model.csp(), "", most, solver_named("cpsat"))
            if isinstance(event, Found)
        ]
        board = model.csp().board.reshape(-1)
        values = [tuple(cells[board].tolist()) for cells in found]
        assert len(set(values)) == len(values)
        return set(values)

    there = by_force(model)
    assert listed() == there
    assert solved == [True, False]
    assert len(listed(50)) == 50
    assert solved == [True]
    assert len(listed(2)) == 2
    assert solved == [False, False]
    model.project(x[1])
    assert listed() == {(value[1],) for value in there}
    assert len(solved) < 9  # 1,000 that are the same there end a list
    model.project(x)
    whole, seen = cp.SolutionList.on_solution_callback, count(0)
    monkeypatch.setattr(cp.SolutionList, "on_solution_callback", lambda one: next(seen) % 500 and whole(one))
    assert listed() == there
    assert solved == [True, *[False] * (len(there) // 500 + 2)]


def test_what_single_literals_rule_out_is_left_out_of_cp_sat_s_domains() -> None:
    """Of variables before and behind some whose domains have gaps, and of these."""
    model = Model()
    x, y = model.integer("x", 0, 9), model.integer("y", [41, 46, 55, 76, 83, 96])
    z, w = model.integer("z", [-7, -3, 0, 3, 6, 9]), model.integer("w", -4, 4)
    model.add(x % 3 == 1, model.remainder(y, -2) == 0, z % 4 != 1, (w < -1) | (w == 2), x + z < w + 4)
    there = by_force(model)
    assert len(there) == 12
    answer = model.solve(solver="cpsat", count=None)
    assert {solution.values for solution in answer.solutions} == there
    assert len(answer.solutions) == len(there)
    model.maximize(w - x)
    assert model.solve(solver="cpsat").objective == max(model.value(values) for values in there)


def test_numbers_that_cp_sat_s_presolve_cannot_take_are_solved_without_it() -> None:
    """tests/regressions/presolve-of-large-numbers.json has what the presolve of OR-Tools 9.15 calls infeasible."""
    model = Model()
    x = model.integer("x", 0, 2**62 - 1)
    model.add((x == 0) | (x == 2**62 - 1))
    assert {solution[x] for solution in model.solve(solver="cpsat", count=None).solutions} == {0, 2**62 - 1}


def test_a_misspelt_solver_of_models_is_told_those_that_solve_them() -> None:
    model = Model()
    model.boolean("b")
    with pytest.raises(LookupError, match="did you mean minisat22") as told:
        model.solve(solver="minisat2")
    assert "cpsat" in str(told.value)
    assert "rowsearch" not in str(told.value)


UNWRITTEN = {"truncdiv", "truncmod", "element", "n_values", "regular", "circuit", "connected"}


def operators(constraint: e.Expression) -> set[str]:
    return e.folded(constraint, {}, lambda node, parts: {node.op}.union(*parts))


@pytest.mark.parametrize("number", repeated(60, 1_000))
def test_sugar_texts_of_models_are_read_back(number: int) -> None:
    rng = np.random.default_rng(10)
    written = 0
    for _ in range(number):
        statement = drawn_statement(rng)
        if lacking := UNWRITTEN & {op for _, constraint in statement.constraints for op in operators(constraint)}:
            named = {"truncdiv": "quotient", "truncmod": "remainder"}
            words = "|".join(named.get(op, op) for op in lacking)
            with pytest.raises(UnsupportedError, match=rf"({words}) is not written in Sugar's language"):
                sugar(statement)
            continue
        text = sugar(statement)
        other = Problem()
        read_statement(text, other)
        assert other.names() == sorted(statement.names(), key=lambda name: name[0] == "b")
        order = [other.names().index(name) for name in statement.names()]
        assert {tuple(values[i] for i in order) for values in by_force(other)} == by_force(statement), text
        written += 1
    assert written > number // 2


def test_equal_terms_of_a_sum_are_one_in_sugar_s_language() -> None:
    statement, large = Problem(), 2**62 - 1
    x, y = statement.integer("x", -1, 5), statement.integer("y", 0, 3)
    statement.add(10 // x + large * x + y - large * x - 10 // x >= 2)
    other = Problem()
    read_statement(sugar(statement), other)
    assert by_force(other) == by_force(statement) == {(a, b) for a in (-1, 1, 2, 3, 4, 5) for b in (2, 3)}


@pytest.mark.parametrize("encoding", ["order<=4,log", "direct+ladder", "log+adder"])
def test_composed_encodings_encode_and_optimize(encoding: str) -> None:
    model = Model("composed")
    x = model.integer("x", 0, 9, shape=3)
    model.add(model.all_different(x), x.sum() == 12)
    assert model.encode(encoding).clauses
    model.maximize(2 * x[0] + x[1])
    assert model.solve(encoding=encoding).objective == 21


def test_a_product_of_two_numbers_from_0_to_1_is_a_conjunction() -> None:
    model = Model("conjunction")
    x = model.integer("x", 0, 1, shape=4)
    model.add(x[0] * x[1] + x[1] * x[2] + x[2] * x[3] == 1)
    csp = model.csp()
    assert len(csp) == 4 + 3  # an auxiliary each
    assert compiled(model, "order") == by_force(model)


# Certificates.


CERTIFIED = [*INTEGERS, "log+adder", *(f"direct+{way}" for way in WAYS), "order+channel", "support<=3,order+mdd"]


def drawn_for_certificates(seed: int) -> Model:
    rng = np.random.default_rng([seed, 77])
    drawn = Drawn(rng)
    for _ in range(int(rng.integers(1, 4))):
        drawn.statement.add(drawn.constraint(int(rng.integers(1, 3))))
    if rng.random() < 0.3:
        drawn.statement.minimize(drawn.number(1))
    model = Model()
    model.__dict__.update(drawn.statement.__dict__)
    return model


@pytest.mark.parametrize("number", repeated(6, 600, 1_000))
def test_every_certificate_of_random_models_is_accepted(number: int) -> None:
    """By our checker, and what it proves is true: beside the solutions of brute force there is none."""
    for seed in range(number):
        model = drawn_for_certificates(seed)
        encoding = CERTIFIED[seed % len(CERTIFIED)]
        certified_truly(model, encoding, ["3.0", "1.1"][seed % 2])


@pytest.mark.parametrize("number", repeated(4, 15, 200))
@pytest.mark.parametrize("ways", spread(["order", "order+channel", "direct+channel", "log+pairs", "log<=3,order"], 2))
def test_all_different_values_of_domains_with_gaps_are_certified(ways: str, number: int) -> None:
    """As many values as variables, or one more or less, from -3 to 29."""
    for seed in range(number):
        rng = np.random.default_rng([seed, 80])
        size = int(rng.integers(2, 6))
        values = np.sort(rng.choice(np.arange(-3, 30), size + int(rng.integers(-1, 2)), replace=False))
        model = Model()
        many = [len(values) if rng.random() < 0.6 else int(rng.integers(1, len(values) + 1)) for _ in range(size)]
        x = [model.integer(f"x{i}", rng.choice(values, some, replace=False)) for i, some in enumerate(many)]
        model.add(model.all_different(x))
        assert compiled(model, ways) == by_force(model)
        certified_truly(model, ways, ["3.0", "1.1"][seed % 2])


@pytest.mark.parametrize("ways", ["direct+channel", "order+channel"])
def test_a_value_that_one_variable_alone_can_have_is_certified(ways: str) -> None:
    model = Model()
    model.add(model.all_different([model.integer("x", [7, 14, 24]), *model.integer("y", [7, 24], shape=2)]))
    assert len(certified_truly(model, ways, "3.0").solutions) == 2


def test_some_variable_has_the_nth_value_of_all() -> None:
    """Four are different and have 2, 3, 50 and 100 only: if three are less than 100, propagation fixes the last."""
    model = Model()
    model.add(model.all_different(model.integer("x", [2, 3, 50, 100], shape=4)))
    for integers in ("order", "order+channel"):
        formula = model.encode(integers).formula
        meanings = [(boolean, variable, list(values)) for boolean, variable, values in formula.boolean_meanings()]
        less = [boolean for boolean, variable, values in meanings if variable < 3 and values == [2, 3, 50]]
        last = {boolean for boolean, variable, _ in meanings if variable == 3}
        with Solver("minisat22", bootstrap_with=list(formula.cnf)) as solver:
            _, literals = solver.propagate(less)
        assert (len(less), len(last)) == (3, 3)
        assert last <= set(map(abs, literals)), integers


@pytest.mark.parametrize("encoding", ["order", "direct", "support", "log", "coupled", "order+mdd", "log+adder"])
@pytest.mark.parametrize("factors", [((0, 2), (0, 2)), ((1, 2), (1, 3)), ((2, 3), (3, 5)), ((-1, 2), (1, 3))])
def test_products_of_any_signs_are_certified(factors: tuple[tuple[int, int], ...], encoding: str) -> None:
    model = Model()
    x, y = (model.integer(name, *ends) for name, ends in zip("xy", factors, strict=True))
    z = model.integer("z", -3, 9)
    model.add(x * y == z, x * x != z * y)
    certified_truly(model, encoding, "3.0")


def certified_truly(model: Model, encoding: str, version: str) -> ModelCertificate:
    found = model.certify(encoding, count=None, proof=version)
    assert found.pbp is not None
    assert found.fault() is None
    true = by_force(model)
    if model.objective is None:
        assert {solution.values for solution in found.solutions} == true
    else:
        best = min((model.value(list(values)) for values in true), default=None)
        assert [model.value(solution.values) for solution in found.solutions] == ([] if best is None else [best])
    return found


@pytest.mark.slow
def test_few_of_many_are_encoded_by_order() -> None:
    """What is chosen is known by the values that partial sums have, not by those that they could have."""
    for wanted in (3, 2_997):
        model = Model()
        x = model.boolean("x", shape=3_000)
        model.add(x.sum() >= wanted)
        encoded = model.encode()
        assert (encoded.encoding, encoded.clauses < 50_000) == ("order", True)


CUT = [*INTEGERS, "order+totalizer", "direct+totalizer", "order<=2,log", "order+mdd"]


@pytest.mark.parametrize(("encoding", "sense"), sampled(product(CUT, ["least", "most", "just", "always"])))
def test_long_sums_that_are_cut_are_certified(encoding: str, sense: str) -> None:
    """Of seven, so many: partial sums end where nothing below or above matters."""
    for wanted in (2, 5):
        model = Model()
        x = model.boolean("x", shape=7)
        y = model.integer("y", -1, 1)
        whole = x.sum() - 2 * y
        holds = {"least": whole >= wanted, "most": whole <= wanted, "just": whole == wanted, "always": whole <= 20}
        model.add(holds[sense], x[3:].sum() <= 1)
        certified_truly(model, encoding, "3.0" if wanted == 2 else "1.1")


def drawn_sums(seed: int, off: int = 0) -> Model:
    """Sums and products of up to four numbers of any sign; ``off``: by how much the first bound is another one."""
    rng = np.random.default_rng([seed, 78])
    model, x, domains = Model(), list[Any](), list[list[int]]()
    for number in range(int(rng.integers(1, 5))):
        low, kind = int(rng.integers(-6, 7)), int(rng.integers(8))
        domains.append(list(range(low, low + (1 if kind == 0 else int(rng.integers(2, 9))))))
        if 0 < kind < 3:
            domains[-1] = np.unique(rng.integers(low, low + 12, size=4)).tolist()
        x.append(model.integer(f"x{number}", domains[-1]))
    holds = model.boolean("holds")
    for number in range(int(rng.integers(1, 4))):
        a = rng.integers(-9, 10, size=len(x)).tolist()
        some = [int(rng.choice(domain)) for domain in domains]
        total = model.sum([a_i * x_i for a_i, x_i in zip(a, x, strict=True)])
        value = sum(a_i * v for a_i, v in zip(a, some, strict=True)) + (0 if number else off)
        i, j = rng.integers(0, len(x), size=2).tolist()
        match int(rng.integers(6)):
            case 0:
                model.add(total == value)
            case 1:
                model.add(total <= value + 3, total >= value - 2)
            case 2:
                model.add(holds == (total <= value))
            case 3:
                model.add(holds.implies(total == value))
            case 4:
                model.add(total != value)
            case _:
                model.add(x[i] * x[j] + total <= value + some[i] * some[j])
    if rng.random() < 0.3:
        model.minimize(model.sum([int(a) * x_i for a, x_i in zip(rng.integers(-5, 6, size=len(x)), x, strict=True)]))
    return model


@pytest.mark.slow
@pytest.mark.parametrize(
    "encoding", spread(["log+adder", "order<=4,log+adder", "order+adder", "direct<=5,log+adder"], 2)
)
@pytest.mark.parametrize("number", repeated(6, 15, 250))
def test_sums_and_products_by_adders_are_certified(encoding: str, number: int) -> None:
    for seed in range(number):
        certified_and_no_other(drawn_sums, seed, encoding)


def certified_and_no_other(drawn: Callable[[int, int], Model], seed: int, encoding: str) -> None:
    """The certificate of one model is not that of another one, by so little."""
    found = certified_truly(drawn(seed, 0), encoding, ["3.0", "1.1"][seed % 2])
    one, other = (StatedCSP(drawn(seed, off).lowered().csp).constraints for off in (0, 1))
    if one != other:
        assert found.fault(drawn(seed, 1)) is not None, seed


def drawn_differences(seed: int, more: int = 0) -> Model:
    """Two wide numbers, or one twice, that differ, by a distance or in a group; ``more``: by so much more."""
    rng = np.random.default_rng([seed, 79])
    low, high = int(rng.integers(-90, 60)), int(rng.integers(-90, 60))
    model, near = Model(), max(low, high) + int(rng.integers(30))
    x = model.integer("x", low, low + int(rng.integers(60, 120)))
    y = model.integer("y", high, high + int(rng.integers(60, 120)))
    model.add(x >= near, x <= near + 3)
    match int(rng.integers(4)):
        case 0:
            model.add(model.all_different([x, y, model.integer("z", near, near + 1)]), y <= near + 2 + more)
        case 1:
            model.add(x + more != y + int(rng.integers(-20, 20)), y >= near + int(rng.integers(-20, 20)))
        case 2:
            model.add(x != y + more, y >= near, y <= near + 2)
        case _:
            model.add(y >= x + more, y <= x + more + 1, x + more != y, y >= near)
    return model


@pytest.mark.parametrize("encoding", spread(["log+adder", "order<=40,log+adder"], 0))
@pytest.mark.parametrize("number", repeated(6, 12, 120))
def test_differences_by_digits_are_certified(encoding: str, number: int) -> None:
    for seed in range(number):
        certified_and_no_other(drawn_differences, seed, encoding)


@pytest.mark.parametrize("number", range(4))
def test_digits_that_do_not_differ_have_no_certificate(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clause that says whether digits differ has one literal of the other sign."""
    fresh = families._binary_differences

    def wrong(family: Any, encoding: Any, made: Any) -> Any:
        for one in fresh(family, encoding, made):
            clause = made.clauses[-2 - number]
            clause[1] = -clause[1]
            yield one

    monkeypatch.setattr(families, "_binary_differences", wrong)
    model = Model()
    x = model.integer("x", 0, 63, shape=2)
    model.add(x[0] != x[1], x >= 30, x <= 33)
    with pytest.raises((UnsupportedError, SolverError)):
        model.certify("log+adder", count=None)


@pytest.mark.parametrize("encoding", ["order", "support", "log", "log+adder", "direct+adder"])
def test_clauses_with_several_memberships_are_certified(encoding: str) -> None:
    """A value that is used is that of one of three variables: each of these has a name in the statement."""
    model = Model()
    x = model.integer("x", 0, 4, shape=3)
    model.add(model.n_values(x) == 3, x.sum() <= 3)
    certificate = model.certify(encoding=encoding, count=None)
    assert (len(certificate.solutions), certificate.fault()) == (6, None)


def test_products_of_one_value_are_certified() -> None:
    """Of numbers that are 0, 1 or all alike there is little to add up, or nothing."""
    for low, high in ((-3, -3), (0, 0), (0, 1), (1, 2), (-1, 0)):
        model = Model()
        x, y, z = model.integer("x", low, high), model.integer("y", 3, 3), model.integer("z", 0, 2)
        model.add(x * x + z <= 10, x * y + z >= -8, x * z <= 3)
        certified_truly(model, "log+adder", "3.0")


@pytest.mark.slow
def test_a_sum_of_words_is_certified_by_default() -> None:
    """By counters, each of a hundred thousand values would be defined over all the others."""
    model = Model("SEND + MORE = MONEY")
    letters = dict(zip("SENDMORY", model.integer("letter", 0, 9, shape=8), strict=True))

    def word(text: str) -> Any:
        return model.sum([10**place * letters[letter] for place, letter in enumerate(reversed(text))])

    model.add(model.all_different(list(letters.values())), letters["S"] > 0, letters["M"] > 0)
    model.add(word("SEND") + word("MORE") == word("MONEY"))
    found = model.certify()
    assert (found.claim, found.encoding) == ("there is one solution, and no other", "log+adder")
    assert found.solutions[0][word("MONEY")] == 10652
    with pytest.raises(UnsupportedError, match="a certificate of sums of so many values"):
        model.certify("order")


@pytest.mark.parametrize("number", range(0, 21, 2))
def test_adders_that_do_not_add_have_no_certificate(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the clauses of full and half adders has one literal of the other sign."""
    write = families._write_adders

    def wrong(full: Any, half: Any, out: Any) -> None:
        add, seen = out.add, count()
        out.add = lambda *columns: add(*columns[:-1], (-1 if next(seen) == number else 1) * columns[-1])
        write(full, half, out)
        del out.add

    monkeypatch.setattr(families, "_write_adders", wrong)
    model = Model()
    x = model.integer("x", 0, 3, shape=3)
    model.add(x[0] + 2 * x[1] + x[2] <= 7)
    with pytest.raises((UnsupportedError, SolverError)):
        model.certify("log+adder", count=None)


@pytest.mark.parametrize("number", repeated(15, 300))
def test_the_pseudo_boolean_statement_has_the_solutions_of_the_model(number: int) -> None:
    from ortools.sat.python import cp_model

    for seed in range(number):
        model = drawn_for_certificates(seed)
        stated = StatedCSP(model.lowered().csp)
        assert len(set(stated.csp.names())) == len(stated.csp)  # auxiliaries, too
        program = cp_model.CpModel()
        names = {one.removeprefix("~") for line in stated.constraints for _, one in line.terms}
        known = {name: program.new_bool_var(name) for name in sorted(names)}
        for line in stated.constraints:
            literals = [(a, known[one.removeprefix("~")], one[0] == "~") for a, one in line.terms]
            program.add(sum(a * (1 - x if negated else x) for a, x, negated in literals) >= line.degree)
        every, chosen = list(product(*values_of(model))), np.random.default_rng(seed)
        for values in [every[i] for i in chosen.permutation(len(every))[:12]]:
            one = program.clone()
            for v, value in enumerate(values):
                for bound in range(stated.lower[v], stated.upper[v]):
                    name = str(stated.at_most(v, bound))
                    if name in known:
                        one.add(one.get_bool_var_from_proto_index(known[name].index) == int(value <= bound))
            solver = cp_model.CpSolver()
            solver.parameters.num_workers = 1
            assert (solver.solve(one) == cp_model.OPTIMAL) == model.holds(values), (seed, values)


def test_the_count_of_a_value_is_not_that_of_solutions() -> None:
    model = Model()
    x = model.integer("x", 0, 2, shape=3)
    for wrong in (lambda: model.count(x, 1), lambda: model.count(x)):
        with pytest.raises(ModelError, match=r"count\(\) counts the solutions; .* is count_of\(values, value\)"):
            wrong()


@pytest.mark.slow
def test_a_certificate_that_would_fill_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model()
    x = model.integer("x", 0, 4_000, shape=4)
    model.add(x.sum() == 16_000)
    with pytest.raises(UnsupportedError, match="a certificate of sums of so many values would have over 20,000,000"):
        model.certify("log")
    factors = Model()
    y = factors.integer("y", 1, 40, shape=2)
    factors.add(y[0] * y[1] == 1_600)
    monkeypatch.setattr(quantities, "MOST_LITERALS", 100_000)
    with pytest.raises(UnsupportedError, match="a certificate of products of so many values"):
        factors.certify("log+adder")


def test_a_certificate_is_of_one_model_only() -> None:
    def made(high: int = 6, total: int = 9, table: bool = True) -> Model:
        model = Model("one")
        x = model.integer("x", 1, high, shape=3)
        model.add(x.sum() == total, x[0] * x[1] == 6)
        if table:
            model.add(model.table(x[1:], [[2, 4], [3, 3]]))
        return model

    certificate = made().certify(count=None)
    assert len(certificate.solutions) == 1
    assert certificate.claim == "there is one solution, and no other"
    assert certificate.fault() is None
    assert certificate.fault(made()) is None
    for mutant in (made(high=7), made(total=10), made(table=False)):
        assert certificate.fault(mutant) is not None
    assert made().certify("log+adder", count=None).fault() is None
    weaker = replace(certificate, solutions=())  # the line that excludes it is then missing in the model's statement
    assert "not what the model means" in str(weaker.fault())
    assert certificate.pbp is not None
    cut = replace(certificate, pbp=(*certificate.pbp[:5], *certificate.pbp[-4:]))
    assert "proof" in str(cut.fault())
    assert repr(certificate).startswith("<ModelCertificate there is one solution, and no other: ")


def test_certificates_of_best_solutions_and_of_none(tmp_path: Any) -> None:
    model = Model("best")
    x = model.integer("x", 0, 9, shape=4)
    model.add(model.all_different(x), x[0] + x[1] >= 2 * x[2])
    model.maximize(x[2] + x[3])
    assert model.certify("support").claim == "there is no better solution than 16"
    opb, pbp = model.certify("coupled", proof="1.1").write(tmp_path)
    assert opb.read_text().endswith(";\n")
    assert pbp.read_text().startswith("pseudo-Boolean proof version 1.1\n")
    several = Model("several")
    several.integer("y", 0, 5)
    assert several.certify().claim == "there are 2 solutions or more"
    with pytest.raises(UnsupportedError, match="nothing to prove"):
        several.certify().write(tmp_path)
    several.add(several["y"] > 5)
    assert several.certify().claim == "there is no solution"


def test_a_file_with_a_model_is_run_as_a_script_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rooms.py").write_text("from nonosat import Model\nprint('hello')\nmodel = Model()\n")
    (tmp_path / "more.py").write_text("from rooms import model\nx = model.integer('x', 0, 1)\n")
    (tmp_path / "ends.py").write_text("import sys\nsys.exit(10)\n")
    before = list(sys.path)
    assert list(files.load_model(str(tmp_path / "more.py")).names()) == ["x"]
    assert (capsys.readouterr().out, sys.path) == ("", before)
    with pytest.raises(ModelError, match=r"ends.py:2: RuntimeError: it calls sys.exit\(10\)"):
        files.load_model(str(tmp_path / "ends.py"))
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(FormatError, match="it is a folder"):
        files.load_model(str(tmp_path / "folder.py"))


def drawn_text(rng: np.random.Generator, names: list[str], depth: int, truth: bool = False) -> str:
    """A constraint, or a number, in Python, with every pair of parentheses that could be meant."""
    if not truth and (not depth or rng.random() < 0.2):
        return str(rng.choice([*names, "3", "2"]))
    if truth and depth and rng.random() < 0.5:
        one, other = (drawn_text(rng, names, depth - 1, truth=True) for _ in range(2))
        return f"(~({one}))" if rng.random() < 0.3 else f"(({one}) {rng.choice(['&', '|'])} ({other}))"
    one, other = (drawn_text(rng, names, max(0, depth - 1)) for _ in range(2))
    if truth:
        return f"(({names[0]} + ({one})) {rng.choice(['==', '<=', '>', '!='])} ({other}))"
    if rng.random() < 0.2:
        return str(rng.choice([f"(-({one}))", f"abs({names[0]} * ({one}))"]))
    return f"(({one}) {rng.choice(['+', '-', '*', '//', '%'])} ({names[0]} + ({other})))"


@pytest.mark.slow
@pytest.mark.parametrize("number", repeated(60, 1_000))
def test_the_text_of_a_constraint_means_the_same(number: int) -> None:
    """What ``explain`` prints, read as Python: where it is not cut."""
    rng, seen = np.random.default_rng(81), 0
    for _ in range(number):
        model = Model()
        here = {name: model.integer(name, -2, 3) for name in "xyz"}
        made = eval(drawn_text(rng, list(here), 2, truth=True), dict(here))
        if ".." in str(made):
            continue
        again = eval(str(made), dict(here))
        for values in product(range(-2, 4), repeat=3):
            assert e.value_of(made, values) == e.value_of(again, values), made
        seen += 1
    assert seen > number // 2


def test_a_certificate_in_files_is_compared_with_its_model(tmp_path: Path) -> None:
    few = Model()
    x = few.integer("x", [0, 2, 5], shape=2)
    few.add(few.sum(x) <= 5, x[0] != x[1])
    other = Model()
    y = other.integer("x", [0, 2, 5], shape=2)
    other.add(other.sum(y) <= 5)
    best = Model()
    z = best.integer("z", 3, 9)
    best.add(z != 3)
    best.minimize(z)
    for model, most, claim, beside in (
        (few, None, "there are 4 solutions, and no others", "4 solutions"),
        (best, 2, "there is no better solution than 4", "what is not better than a solution"),
    ):
        files = model.certify("log", count=most).write(tmp_path)
        read = read_certificate(model, *files)
        assert (read.claim, read.fault(), read.fault(model)) == (claim, None, None)
        assert str(check_files(*files)) == f"no solution beside what is excluded: {beside}"
    files = few.certify("log", count=None).write(tmp_path)
    assert "not what the model means" in str(read_certificate(other, *files).fault())
    text = files[0].read_text()
    files[0].write_text(text.replace("solution: 0 2", "solution: 2 2", 1))
    assert "a solution breaks" in str(read_certificate(few, *files).fault())
    files[0].write_text("\n".join(text.splitlines()[1:]))  # its line below the statement stays
    assert "not what the model means" in str(read_certificate(few, *files).fault())
    with pytest.raises(OtherModelError, match=r"model\.opb is of another model: its solutions have 2 numbers"):
        read_certificate(best, *files)
    files[0].write_text(text.replace("solution: 0 2", "solution: 0 two", 1))
    with pytest.raises(FormatError, match=r"model\.opb:3: a solution is named by whole numbers"):
        read_certificate(few, *files)


@pytest.mark.parametrize("encoding", ["order", "log", "log+adder", "order+totalizer", "support+mdd"])
def test_a_counter_of_the_cnf_counts_solutions(encoding: str, tmp_path: Path) -> None:
    pytest.importorskip("pyganak")
    model = Model()
    x = model.integer("x", 0, 4, shape=4)
    model.add(x.sum() == 7, model.n_values(x) >= 3, x[0] * x[1] <= x[2] + 2)
    model.encode(encoding).to_dimacs(tmp_path / "few.cnf")
    assert files.load_model(tmp_path / "few.cnf").count().solutions == model.count().solutions == 53


def test_few_solutions_are_counted_without_ganak(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cnf_counters, "installed", lambda _: False)
    model = Model()
    numbers = [model.integer(f"x{at}", 0, 9) for at in range(5)]
    model.add(numbers[0] + numbers[1] == 4)
    with pytest.raises(UnsupportedError, match="pyganak is not installed"):
        model.count()
    model.add(numbers[2] + numbers[3] + numbers[4] <= 1)
    assert model.count().solutions == 5 * 4


@pytest.mark.skipif(not cnf_counters.has_approxmc(), reason="no pyapproxmc that counts right is installed")
def test_many_solutions_are_estimated(tmp_path: Path) -> None:
    text = "import nonosat\nm = nonosat.Model()\nx = m.integer('x', 0, 9, shape=12)\nm.add(x[:-1] != x[1:])\n"
    (tmp_path / "many.py").write_text(text)
    model = files.load_model(tmp_path / "many.py")
    found = model.count(approximate=True)
    assert (found.solutions, found.at_least, found.verdict) == (None, 1001, Verdict.SAT)
    assert found.estimate is not None
    assert 10 * 9**11 / 1.8 <= 10**found.estimate.log10 <= 10 * 9**11 * 1.8
    shown = run(tmp_path, "count", "--approximate", "many.py")
    assert shown.stdout.startswith("at least 1001; some ")
    assert "by ApproxMC (within a factor of 1.8 with probability 0.8)" in shown.stdout
    model.add(model.variables[0] == 0, *(one <= 1 for one in model.variables))
    assert model.count(approximate=True).solutions == 1
    with pytest.raises(UnsupportedError, match="expected epsilon > 0"):
        model.count(approximate=True, epsilon=0)


def test_a_number_without_a_value_makes_a_table_false_in_sugar_s_language_too() -> None:
    for negated in (False, True):
        statement, other = Problem(), Problem()
        x, y = statement.integer("x", 0, 2), statement.integer("y", 0, 1)
        table = e.table([x // y, x], [["*", 1], ["*", 2]])
        statement.add(~table if negated else table)
        read_statement(sugar(statement), other)
        assert by_force(other) == by_force(statement)


def test_a_solution_has_no_values_of_other_models() -> None:
    one, other = Model("one"), Model("other")
    big, p = one.integer("big", 100, 200, shape=2), other.integer("p", 0, 3)
    one.add(big[0] + big[1] == 250)
    answer = one.solve()
    assert answer[big[0]] + answer["big"][1] == 250
    for what in (p, p <= 3, [big[0], p]):
        with pytest.raises(ModelError, match="p is a variable of another model"):
            answer[what]
    with pytest.raises(LookupError, match="unknown variable 'p'; known: big"):
        answer["p"]


def test_no_tasks_and_no_places_before_the_first() -> None:
    model = Model()
    model.add(model.cumulative([], [], [], 2), model.disjunctive([], []))
    assert model.solve().verdict is Verdict.SAT
    with pytest.raises(ModelError, match="element: an index is 0 at least, not -1"):
        model.element([1, 2], -1)


def test_many_variables_of_few_values_are_not_compared_in_pairs() -> None:
    model = Model()
    model.add(model.n_values(model.integer("x", 0, 99, 60)) <= 2)
    assert model.encode("order").clauses < 30_000  # in pairs, 538,880


def test_terms_of_an_all_different_whose_values_cannot_be_listed() -> None:
    statement = Problem()
    x = statement.integer("x", [1, 3])
    y = statement.integer("y", [0, 1, 2])
    statement.add(e.all_different([2**40 * x, x, y, 2**40 * y - 2**40]))
    assert compiled(statement, "log+adder") == compiled(statement, "log+adder+channel") == by_force(statement)


@pytest.mark.parametrize(("greatest", "goal"), sampled(product([False, True], ["x", "x + y", "x - y", "x * y"])))
def test_the_best_solution_is_one_of_all_whatever_solutions_are_projected_on(goal: str, greatest: bool) -> None:
    """It was called the same solution as one before, where they agree in the projection."""

    def made(which: int) -> Model:
        model = Model("projected")
        x, y = model.integer("x", 0, 3), model.integer("y", 0, 3)
        model.add(x + y >= 1)
        (model.maximize if greatest else model.minimize)(eval(goal, {"x": x, "y": y}))
        model.project((x, y)[which])
        return model

    values = [eval(goal, {"x": x, "y": y}) for x, y in product(range(4), repeat=2) if x + y >= 1]
    best = max(values) if greatest else min(values)
    ways = [(None, "cpsat"), *product(("order", "log"), ("minisat22", "cadical195"))]
    for which in (0, 1):
        for encoding, solver in ways:
            answer = made(which).solve(encoding=encoding, solver=solver)
            assert (answer.objective, answer.optimal) == (best, True)
            assert answer.headline == f"SAT, objective {best} (optimal)"
        certificate = made(which).certify(encoding=encoding, solver="cadical195")
        assert (certificate.fault(), made(which).count().solutions) == (None, 4)
        assert f"no better solution than {best}" in made(which).prove(encoding=encoding).claim


def test_a_certificate_beside_another_model_says_so() -> None:
    one, other = Model("one"), Model("other")
    one.add(one.integer("x", 0, 3) + one.integer("y", 0, 3) == 6)
    other.integer("x", 0, 3)
    assert "it is about another model: its variables are x, y" in (one.certify().fault(other) or "")


def test_a_text_is_no_list_of_accepting_states() -> None:
    """Its letters were taken for them."""
    model = Model("automaton")
    x = model.integer("x", 0, 1, shape=2)
    arcs = [("aa", 0, "aa"), ("aa", 1, "b")]
    with pytest.raises(ModelError, match=r"accepting is a list of states: write \['aa'\]"):
        model.regular(x, arcs, "aa", "aa")
    model.add(model.regular(x, arcs, "aa", ["b"]))
    assert model.count().solutions == 1


def test_what_comes_of_a_search_is_neither_true_nor_false() -> None:
    """`if model.solve():` would hold whatever came of it."""
    model = Model()
    x = model.integer("x", 0, 5)
    model.add(x > 9)
    for what, came in {
        "answer.verdict": model.solve(),
        "count.verdict": model.count(),
        "explanation.holds": model.explain(),
        "answer.unique": nonosat.solve(nonosat.Nonogram.from_lengths([[1]], [[1]])),
    }.items():
        with pytest.raises(KindError, match=rf"neither true nor false: write .*{what}"):
            bool(came)
    other = Model()
    other.integer("x", 0, 5)
    assert not model.equivalent(other)
    assert other.equivalent(other)


def test_words_of_other_libraries_lead_to_ours(tmp_path: Path) -> None:
    model = Model()
    for word, ours in (
        ("intVar", "integer"),
        ("int_var", "integer"),
        ("AllDifferent", "all_different"),
        ("solv", "solve"),
    ):
        with pytest.raises(AttributeError, match=rf"a Model has no '{word}'; did you mean {ours}\?$"):
            getattr(model, word)
    assert not hasattr(model, "_nothing")
    assert copy.copy(model).name == model.name
    (tmp_path / "m.py").write_text("import nonosat\nmodel = nonosat.Model()\nmodel.alldiff([1])\n")
    with pytest.raises(ModelError, match=r":3: AttributeError: .* did you mean all_different\?"):
        files.load_model(str(tmp_path / "m.py"))
    with pytest.raises(ModelError, match=r"'row 1'.*is no constraint; a constraint's name goes behind name="):
        model.add(model.boolean("b"), "row 1")


def test_what_is_listed_is_sent_before_a_library_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a process that is stopped then, events that wait for the next one are lost."""

    def stopped(_: object) -> int:
        raise TimeoutError

    monkeypatch.setattr("nonosat.modelling.knowledge.MOST_TRIED", 3)
    monkeypatch.setattr("nonosat.counting.cnf_counters.models", stopped)
    model = Model()
    model.integer("x", 0, 9)
    sent: list[object] = []
    with pytest.raises(TimeoutError):
        sent.extend(knowledge.count_search(model.lowered().csp, "order"))
    assert isinstance(sent[-1], Progress)
    assert [event.at_least for event in sent if isinstance(event, CountBounds)] == [4]
