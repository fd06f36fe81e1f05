"""The bridge to CPMpy: its models have through ours exactly the solutions that its own evaluation gives them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from sampling import repeated

from nonosat import Model, ModelError

cp = pytest.importorskip("cpmpy", reason="cpmpy is not installed")

from cpmpy.exceptions import NotSupportedError  # noqa: E402
from cpmpy.expressions.globalfunctions import FloatSum  # noqa: E402
from cpmpy.expressions.utils import argval  # noqa: E402
from cpmpy.solvers.solver_interface import ExitStatus  # noqa: E402

import nonosat.cpmpy  # noqa: E402
from nonosat.cpmpy import CPMpySolver  # noqa: E402

Rng = np.random.Generator


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cp.SolverLookup, "base_solvers", cp.SolverLookup.base_solvers)
    nonosat.cpmpy.register()


class DrawnModel:
    """A random model of CPMpy over few variables of small domains, with any of its operators and globals, nested."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        bounds = [sorted(rng.integers(-3, 4, 2).tolist()) for _ in range(int(rng.integers(1, 4)))]
        self.integers = [cp.intvar(low, high, name=f"x{i}") for i, (low, high) in enumerate(bounds)]
        self.booleans = [cp.boolvar(name=f"b{i}") for i in range(int(rng.integers(1, 3)))]

    def pick(self, choices: list[Any]) -> Any:
        return choices[int(self.rng.integers(len(choices)))]

    def boolean(self, depth: int) -> Any:
        if depth <= 0:
            return self.pick([*self.booleans, ~self.booleans[0], self.integers[0] > 0])
        return BOOLEANS[self.pick(sorted(BOOLEANS))](self, depth - 1)

    def number(self, depth: int) -> Any:
        if depth <= 0:
            return self.pick([*self.integers, *self.integers, self.booleans[0]])
        return NUMBERS[self.pick(sorted(NUMBERS))](self, depth - 1)

    def integer(self, depth: int) -> Any:
        """A number that is no Boolean."""
        return self.number(depth) + self.pick([1, -1])

    def constant(self) -> int:
        return int(self.rng.integers(-2, 4))

    def numbers(self, depth: int, least: int = 1, most: int = 3) -> list[Any]:
        return [self.number(depth) for _ in range(int(self.rng.integers(least, most + 1)))]

    def many_booleans(self, depth: int, least: int = 2) -> list[Any]:
        return [self.boolean(depth) for _ in range(int(self.rng.integers(least, 4)))]

    def constants(self, shape: Any) -> Any:
        return self.rng.integers(-2, 4, shape)

    def scope_and_rows(self, depth: int) -> tuple[list[Any], Any]:
        scope = self.numbers(depth)
        return scope, self.constants((int(self.rng.integers(1, 6)), len(scope)))

    def automaton(self) -> tuple[list[tuple[str, int, str]], str, list[str]]:
        places = {(self.pick(["a", "b", "c"]), self.constant()) for _ in range(8)}
        arcs = [(state, value, self.pick(["a", "b", "c"])) for state, value in sorted(places)]
        return arcs, "a", [self.pick(["a", "b", "c"])]

    def tasks(self, depth: int) -> tuple[list[Any], list[Any], list[Any] | None]:
        starts = self.numbers(depth, 1, 3)
        durations = [self.pick([0, 1, 2, abs(self.integers[0])]) for _ in starts]
        ends = [one + length for one, length in zip(starts, durations, strict=True)]
        return starts, durations, self.pick([None, ends, [*ends[1:], self.integers[-1]]])

    def demands(self, tasks: int) -> list[Any]:
        return [self.pick([0, 1, 2, self.integers[-1]]) for _ in range(tasks)]


def short_table(d: DrawnModel, depth: int) -> Any:
    scope, rows = d.scope_and_rows(depth)
    starred = rows.astype(object)
    starred[d.rng.random(starred.shape) < 0.4] = "*"
    return cp.ShortTable(scope, starred)


def cumulative(d: DrawnModel, depth: int) -> Any:
    starts, durations, ends = d.tasks(depth)
    return cp.Cumulative(starts, durations, ends, d.demands(len(starts)), d.pick([0, 1, 2, d.integers[0]]))


def cumulative_optional(d: DrawnModel, depth: int) -> Any:
    starts, durations, ends = d.tasks(depth)
    present = [d.pick([True, d.boolean(depth)]) for _ in starts]
    return cp.CumulativeOptional(starts, durations, ends, d.demands(len(starts)), d.pick([1, 2]), present)


def no_overlap_optional(d: DrawnModel, depth: int) -> Any:
    starts, durations, ends = d.tasks(depth)
    return cp.NoOverlapOptional(starts, durations, ends, [d.boolean(depth) for _ in starts])


def reservoir(d: DrawnModel, depth: int) -> Any:
    starts = d.numbers(depth)
    return cp.Reservoir(starts, d.constants(len(starts)).tolist(), -2, 2)


def lexicographic(kind: Any) -> Callable[[DrawnModel, int], Any]:
    def draw(d: DrawnModel, depth: int) -> Any:
        one = d.numbers(depth)
        return kind(one, [d.number(depth) for _ in one])

    return draw


def chain(kind: Any) -> Callable[[DrawnModel, int], Any]:
    return lambda d, n: kind([[d.number(n), d.number(n)] for _ in range(3)])


def diagram(d: DrawnModel, depth: int) -> Any:
    arcs = [("r", 0, "a"), ("r", 1, "b"), ("a", 1, "s"), ("b", d.constant(), "s"), ("b", -1, "s")]
    return cp.MDD([d.integer(depth), d.integer(depth)], arcs)


NUMBERS: dict[str, Callable[[DrawnModel, int], Any]] = {
    "sum": lambda d, n: cp.sum(d.numbers(n, 2)),
    "weighted": lambda d, n: 2 * d.number(n) - 3 * d.integer(n) + d.constant(),
    "minus": lambda d, n: d.number(n) - d.number(n),
    "negated": lambda d, n: -d.integer(n),
    "product": lambda d, n: d.number(0) * d.integer(0),
    "div": lambda d, n: d.integer(n) // d.pick([d.number(0), 2, -2]),
    "mod": lambda d, n: d.integer(n) % d.pick([d.number(0), 2, -3]),
    "power": lambda d, n: d.integer(0) ** d.pick([0, 1, 2, 3]),
    "abs": lambda d, n: abs(d.integer(n)),
    "min": lambda d, n: cp.Minimum(d.numbers(n, 2)),
    "max": lambda d, n: cp.Maximum(d.numbers(n, 2)),
    "element": lambda d, n: cp.Element(d.numbers(n, 2), d.integer(0)),
    "element of constants": lambda d, n: cp.Element(d.constants(3).tolist(), d.integer(0)),
    "element of a grid": lambda d, n: cp.NDElement(d.constants((2, 3)), [d.integer(0), d.integer(0)]),
    "count": lambda d, n: cp.Count(d.numbers(n), d.pick([d.number(n), d.constant()])),
    "among": lambda d, n: cp.Among(d.numbers(n), [0, 2]),
    "nvalue": lambda d, n: cp.NValue(d.numbers(n)),
    "nvalue_except": lambda d, n: cp.NValueExcept(d.numbers(n), d.constant()),
    "boolean": DrawnModel.boolean,
}
BOOLEANS: dict[str, Callable[[DrawnModel, int], Any]] = {
    "==": lambda d, n: d.number(n) == d.number(n),
    "!=": lambda d, n: d.integer(n) != d.number(n),
    "<=": lambda d, n: d.integer(n) <= d.number(n),
    ">": lambda d, n: d.number(n) > d.constant(),
    "and": lambda d, n: cp.all(d.many_booleans(n)),
    "or": lambda d, n: cp.any(d.many_booleans(n)),
    "not": lambda d, n: ~d.boolean(n),
    "->": lambda d, n: d.boolean(n).implies(d.boolean(n)),
    "same": lambda d, n: d.boolean(n) == d.boolean(n),
    "xor": lambda d, n: cp.Xor(d.many_booleans(n)),
    "ite": lambda d, n: cp.IfThenElse(d.boolean(n), d.boolean(n), d.boolean(n)),
    "alldifferent": lambda d, n: cp.AllDifferent(d.numbers(n, 2)),
    "alldifferent_except_0": lambda d, n: cp.AllDifferentExcept0(d.numbers(n, 2)),
    "alldifferent_except_n": lambda d, n: cp.AllDifferentExceptN(d.numbers(n, 2), [1, 2]),
    "allequal": lambda d, n: cp.AllEqual(d.numbers(n, 2)),
    "allequal_except_n": lambda d, n: cp.AllEqualExceptN(d.numbers(n, 2), d.constant()),
    "circuit": lambda d, n: cp.Circuit(d.numbers(n, 2)),
    "inverse": lambda d, n: cp.Inverse([d.integer(n), d.integer(n)], [d.integer(n), d.integer(n)]),
    "table": lambda d, n: cp.Table(*d.scope_and_rows(n)),
    "negative_table": lambda d, n: cp.NegativeTable(*d.scope_and_rows(n)),
    "short_table": short_table,
    "indomain": lambda d, n: cp.InDomain(d.integer(n), [-1, 0, 3]),
    "regular": lambda d, n: cp.Regular([d.integer(n) for _ in range(3)], *d.automaton()),
    "mdd": diagram,
    "cumulative": cumulative,
    "cumulative_optional": cumulative_optional,
    "no_overlap": lambda d, n: cp.NoOverlap(*d.tasks(n)),
    "no_overlap_optional": no_overlap_optional,
    "reservoir": reservoir,
    "precedence": lambda d, n: cp.Precedence(d.numbers(n), [0, 1, -1]),
    "gcc": lambda d, n: cp.GlobalCardinalityCount(
        d.numbers(n), [0, 1], [d.number(0), d.constant()], closed=d.pick([True, False])
    ),
    "increasing": lambda d, n: cp.Increasing(d.numbers(n, 2)),
    "decreasing": lambda d, n: cp.Decreasing(d.numbers(n, 2)),
    "strictly_increasing": lambda d, n: cp.IncreasingStrict(d.numbers(n, 2)),
    "strictly_decreasing": lambda d, n: cp.DecreasingStrict(d.numbers(n, 2)),
    "lex_less": lexicographic(cp.LexLess),
    "lex_lesseq": lexicographic(cp.LexLessEq),
    "lex_chain_less": chain(cp.LexChainLess),
    "lex_chain_lesseq": chain(cp.LexChainLessEq),
}


def by_force(model: Any, variables: list[Any]) -> set[tuple[int, ...]]:
    """What CPMpy's own evaluation calls solutions."""
    found = set()
    for values in product(*(range(variable.lb, variable.ub + 1) for variable in variables)):
        for variable, value in zip(variables, values, strict=True):
            variable._value = bool(value) if variable.is_bool() else value
        if all(argval(constraint) for constraint in model.constraints):
            found.add(values)
    return found


def all_solutions(model: Any, variables: list[Any], solver: str = "nonosat") -> set[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    model.solveAll(solver=solver, display=lambda: found.append(tuple(int(one.value()) for one in variables)))
    assert len(set(found)) == len(found)
    return set(found)


def agrees(constraints: list[Any], variables: list[Any], solver: str = "nonosat") -> None:
    model = cp.Model(*constraints, *(variable == variable for variable in variables))
    assert all_solutions(model, variables, solver) == by_force(model, variables), constraints


def test_a_table_with_stars_is_one_and_no_numbers_are_cut() -> None:
    x = cp.intvar(0, 3, shape=2, name="x")
    rows = np.array([[1, "*"], ["*", 2]], dtype=object)
    model = Model.from_cpmpy(cp.Model(cp.ShortTable(list(x), rows)))
    assert [one.constraint.op for one in model.constraints] == ["table"]
    assert model.count().solutions == 7
    rows[0, 0] = 1.5
    with pytest.raises(ModelError, match=r"table: '1.5' in a row"):
        Model.from_cpmpy(cp.Model(cp.ShortTable(list(x), rows)))


@pytest.mark.filterwarnings("ignore:divide by zero")
@pytest.mark.parametrize("number", repeated(1, 40, 100))
@pytest.mark.parametrize("name", [*sorted(BOOLEANS), *sorted(NUMBERS)])
def test_each_operator_and_global_means_the_same(name: str, number: int) -> None:
    for seed in range(number):
        drawn = DrawnModel(np.random.default_rng([seed, 1]))
        if name in BOOLEANS:
            constraint = BOOLEANS[name](drawn, seed % 2)
            reified = drawn.booleans[-1] == constraint
        else:
            constraint = drawn.pick([NUMBERS[name](drawn, seed % 2) < 2, NUMBERS[name](drawn, seed % 2) == 1])
            reified = ~constraint | drawn.booleans[-1]
        agrees([drawn.pick([constraint, reified, ~constraint])], [*drawn.integers, *drawn.booleans])


@pytest.mark.parametrize("number", repeated(20, 200, 1_500))
def test_random_models_mean_the_same(number: int) -> None:
    for seed in range(number):
        drawn = DrawnModel(np.random.default_rng([seed, 2]))
        constraints = [drawn.boolean(int(drawn.rng.integers(1, 4))) for _ in range(int(drawn.rng.integers(1, 3)))]
        encoding = drawn.pick(["order", "direct", "support", "log", "coupled"])
        agrees(constraints, [*drawn.integers, *drawn.booleans], f"nonosat:{encoding}:cadical153")


# CPMpy's interface of solvers.


def test_solver_lookup_finds_encodings_and_solvers_by_name() -> None:
    assert "nonosat" in dict(cp.SolverLookup.base_solvers())
    assert {"nonosat:order:cadical153", "nonosat:log:minisat22"} <= set(cp.SolverLookup.supported())
    nonosat.cpmpy.register()
    assert [name for name, _ in cp.SolverLookup.base_solvers()].count("nonosat") == 1
    x = cp.intvar(0, 9, name="x")
    for name in ("nonosat", "nonosat:log", "nonosat:direct+ladder:cadical153", "nonosat:order<=4,log:glucose4"):
        solver = cp.SolverLookup.get(name, cp.Model(x * x == 49))
        assert solver.solve()
        assert x.value() == 7
    with pytest.raises(LookupError, match=r"unknown integer encoding 'odrer'.*did you mean order"):
        cp.SolverLookup.get("nonosat:odrer:cadical153")
    with pytest.raises(LookupError, match="unknown solver 'cadical15'"):
        cp.SolverLookup.get("nonosat:order:cadical15")


def test_statuses_and_objectives() -> None:
    x, y = cp.intvar(0, 9, shape=2, name="x")
    model = cp.Model(x + 2 * y <= 11, x != y, maximize=3 * x + 5 * y)
    seen: list[int] = []
    solver = cp.SolverLookup.get("nonosat:order:cadical153", model)
    assert solver.solve(display=lambda: seen.append(int(3 * x.value() + 5 * y.value())))
    assert solver.objective_value() == 32 == seen[-1]
    assert seen == sorted(set(seen))
    assert solver.status().exitstatus is ExitStatus.OPTIMAL
    assert solver.status().runtime > 0
    solver += x >= 10
    assert not solver.solve()
    assert solver.status().exitstatus is ExitStatus.UNSATISFIABLE
    assert x.value() is None
    assert solver.objective_value() is None
    with pytest.raises(NotSupportedError, match="all optimal"):
        model.solveAll(solver="nonosat")


def test_all_solutions_up_to_a_limit() -> None:
    x, b = cp.intvar(0, 3, name="x"), cp.boolvar(name="b")
    model = cp.Model(b.implies(x > 1))
    assert model.solveAll(solver="nonosat") == 6
    assert model.status().exitstatus is ExitStatus.OPTIMAL
    assert model.solveAll(solver="nonosat", solution_limit=4) == 4
    assert model.status().exitstatus is ExitStatus.FEASIBLE
    assert isinstance(b.value(), bool)
    assert cp.Model(x > 3).solveAll(solver="nonosat") == 0


def test_solutions_that_differ_in_auxiliaries_alone_are_one() -> None:
    class Loose(cp.expressions.globalconstraints.GlobalConstraint):  # type: ignore[misc]
        """Its decomposition has an auxiliary that is free."""

        def __init__(self, x: Any) -> None:
            super().__init__("loose", (x,))

        def decompose(self) -> Any:
            free = cp.intvar(0, 5)
            return [self.args[0] > 1], [free >= self.args[0]]

        def value(self) -> Any:
            return argval(self.args[0]) > 1

    x = cp.intvar(0, 3, name="x")
    assert all_solutions(cp.Model(Loose(x)), [x]) == {(2,), (3,)}
    assert cp.Model(Loose(x)).solveAll(solver="nonosat", solution_limit=1) == 1
    y = cp.intvar(0, 3, name="y")
    agrees([Loose(x // y) | (y == 0)], [x, y])  # whose argument has no value where y is 0


def test_a_core_of_assumptions() -> None:
    x, a = cp.intvar(0, 9, name="x"), cp.boolvar(shape=3, name="a")
    solver = CPMpySolver(cp.Model(a[0].implies(x > 5), a[1].implies(x < 4), a[2].implies(x != 7)))
    assert not solver.solve(assumptions=a)
    assert set(map(str, solver.get_core())) == {"a[0]", "a[1]"}
    assert solver.solve(assumptions=[a[0], ~a[1]])
    assert x.value() > 5
    with pytest.raises(NotSupportedError, match="after a search under assumptions"):
        solver.get_core()


def test_what_is_refused_is_named() -> None:
    x = cp.intvar(0, 5, name="x")
    for model, reason in [
        (cp.Model(cp.DirectConstraint("AddCircuit", (x,))), "'AddCircuit' has no meaning outside CPMpy's own solvers"),
        (cp.Model(cp.intvar(0, 2**62, name="far") > x), "far: 4611686018427387904 is too large"),
        (cp.Model(cp.intvar(0, 7, name="x") > x), "two variables are called x, with different domains"),
    ]:
        with pytest.raises(NotSupportedError, match=f"^nonosat: .*{reason}"):
            model.solve(solver="nonosat")
        with pytest.raises(ModelError, match=reason):
            Model.from_cpmpy(model)
    with pytest.raises(NotSupportedError, match="FloatSum is no objective"):
        CPMpySolver(cp.Model(x > 1)).minimize(FloatSum([0.5], [x]))
    with pytest.raises(ValueError, match="more than 0 seconds"):
        CPMpySolver(cp.Model(x > 1)).solve(time_limit=0)
    wide = cp.intvar(0, 20_000, shape=6, name="wide")
    with pytest.raises(NotSupportedError, match=r"^nonosat: .* clauses"):
        cp.Model(cp.sum(wide * np.array([1, 3, 5, 7, 11, 13])) == 77_777).solve(solver="nonosat:order")


@pytest.mark.slow
def test_a_time_limit_is_kept_to() -> None:
    holes, pigeons = 11, 12
    at = cp.boolvar(shape=(pigeons, holes), name="at")
    model = cp.Model([cp.any(row) for row in at], [cp.sum(column) <= 1 for column in at.T])
    assert not model.solve(solver="nonosat:order:minisat22", time_limit=1)
    assert model.status().exitstatus is ExitStatus.UNKNOWN


def test_a_model_of_cpmpy_as_ours() -> None:
    x, spaced = cp.intvar(1, 4, shape=3, name="x"), cp.intvar(0, 1, name="a name")
    model = cp.Model(minimize=cp.sum(x) + spaced)
    rule = cp.AllDifferent(x)
    rule.set_description("all are\ndifferent")
    model += [rule, x[0] > x[1] + spaced, True]
    ours = Model.from_cpmpy(model)
    assert ours.names() == ["x[0]", "x[1]", "x[2]", "a_name"]
    assert [name for name, _ in ours.constraints] == ["all are different", "x[0] > x[1] + a_name", "True"]
    answer = ours.solve()
    assert (answer.objective, answer["a_name"]) == (6, 0)
    assert "all are different" in str(Model.from_cpmpy(cp.Model(rule, x < 3)).explain())
