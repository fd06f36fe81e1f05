"""The compilers against the families' own definition, on random CSPs: the sets of all solutions are equal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
from lines import unit_propagation
from odd_maps import ODD
from pysat.card import CardEnc, EncType
from pysat.solvers import Solver
from sampling import repeated, sampled, spread

from nonosat.csp.build import Builder
from nonosat.csp.flatten import flatten, graphs_joined
from nonosat.csp.model import (
    CSP,
    AllDifferent,
    Block,
    Clauses,
    Column,
    Constraint,
    Differ,
    Gaps,
    Interval,
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
from nonosat.encodings import expand
from nonosat.encodings.at_most_one import at_most_one
from nonosat.encodings.cnf import Collector
from nonosat.encodings.formula import BooleanMeaning
from nonosat.encodings.parts import INTEGERS as PARTS_OF
from nonosat.encodings.parts import WAYS
from nonosat.encodings.registry import PARTS, encoding
from nonosat.encodings.skyscrapers import permutation
from nonosat.errors import NonosatError
from nonosat.solvers.solve import solve_csp

INTEGERS = [name for name, part in PARTS.items() if part.slot == "integers"]

pytestmark = pytest.mark.filterwarnings("error")


def solutions(csp: CSP) -> set[tuple[int, ...]]:
    domains = [range(low, high + 1) for low, high in zip(csp.lower.tolist(), csp.upper.tolist(), strict=True)]
    return {values for values in product(*domains) if csp.holds(ints(values))}


def models(csp: CSP, integers: str = "order") -> set[tuple[int, ...]]:
    """All models of an integer encoding, as values; each is blocked on the CSP's variables alone."""
    formula = (ODD[integers] if integers in ODD else PARTS_OF[integers]).make(csp)
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
    found: set[tuple[int, ...]] = set()
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
    model = Builder()
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


def with_gaps(csp: CSP, rng: np.random.Generator) -> CSP:
    """Some inner values of some of the domains are missing."""
    domains = {}
    for v, (low, high) in enumerate(zip(csp.lower.tolist(), csp.upper.tolist(), strict=True)):
        inner = [value for value in range(low + 1, high) if rng.random() < 0.5]
        if len(inner) < high - low - 1:
            domains[v] = [low, *inner, high]
    return replace(csp, gaps=Gaps.of(domains))


def more_families(csp: CSP, rng: np.random.Generator) -> CSP:
    """``csp`` with families that the scalar front does not make: precedences, memberships, ragged clauses, paths."""
    n, count = len(csp), int(rng.integers(1, 4))

    def some(size: int) -> Ints:
        return ints(rng.integers(0, n, size))

    def column(rows: Ints | None) -> Column:
        size = count if rows is None else len(rows)
        low = ints(rng.integers(-4, 4, size))
        kind = int(rng.integers(3))
        if kind == 0:
            return within(some(size), low, low + ints(rng.integers(0, 4, size)), rows=rows)
        if kind == 1:
            return at_most(some(size), low, rows=rows) if rng.random() < 0.5 else at_least(some(size), low, rows=rows)
        return Interval(some(size), low, low + ints(rng.integers(0, 3, size)), outside=True, rows=rows)

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


@pytest.mark.parametrize("integers", [*INTEGERS, *ODD])
@pytest.mark.parametrize("number", repeated(25, 300))
def test_integer_encodings_have_the_csp_s_solutions(integers: str, number: int) -> None:
    rng = np.random.default_rng(7)
    kinds = {True: 0, False: 0}
    count = number // 3 if integers in ODD else number
    for i in range(count):
        csp = random_model(rng)
        if i % 2:
            csp = more_families(csp, rng)
        if i % 3 == 2:
            csp = with_gaps(csp, rng)
        expected = solutions(csp)
        assert models(csp, integers) == expected, csp
        kinds[bool(expected)] += 1
    assert min(kinds.values()) > 40 * count // 300  # the sample has satisfiable and unsatisfiable ones


MIXTURES = (
    *("order<=2,log", "order<=4,log", "support<=3,order<=5,log", "direct<=3,coupled", "log<=3,direct"),
    *("coupled<=4,log<=6,support", "direct<=3,support", "coupled<=3,log", "log<=2,order<=3,coupled<=5,direct"),
)


def ragged_csp(rng: np.random.Generator) -> CSP:
    """All families over domains of one value, of two, with holes, and of up to eleven; far from 0 now and then."""
    model = Builder()
    lows = rng.integers(-3, 3, 4) + rng.choice([0, 0, -40, 40])
    sizes = rng.choice([1, 2, 3, 4, 6, 11], 4, p=[0.1, 0.2, 0.2, 0.2, 0.2, 0.1])
    domains = [(int(low), int(low + size) - 1) for low, size in zip(lows, sizes, strict=True)]
    variables = [model.integer(f"v{i}", low, high) for i, (low, high) in enumerate(domains)]
    for _ in range(int(rng.integers(1, 3))):
        chosen = rng.permutation(4)[: int(rng.integers(1, 5))].tolist()
        if rng.random() < 0.7:
            coefficients = rng.integers(-2, 3, len(chosen)).tolist()
            terms = list(zip(coefficients, chosen, strict=True))
            some = sum(a * int(rng.integers(domains[v][0], domains[v][1] + 1)) for a, v in terms)
            model.linear(terms, rng.choice(["<=", "=", ">="]), some)
        else:
            model.all_different(chosen)
    for v in variables:
        if sizes[v] > 2 and rng.random() < 0.3:
            hole = domains[v][0] + int(rng.integers(1, sizes[v] - 1))
            model.clause(model.at_most(v, hole - 1), model.at_least(v, hole + 1))
    csp = model.csp()
    before, after = rng.permutation(4)[:2]
    distance = int(csp.lower[after] - csp.lower[before] + rng.integers(-3, 3))
    if rng.random() < 0.4:
        precedes = Precedes(ints([before]), ints([distance]), ints([after]))
        csp = replace(csp, constraints=(*csp.constraints, precedes))
    if rng.random() < 0.5:
        return csp
    shift = int(lows.min()) if abs(int(lows.min())) > 10 else 0
    moved = replace(csp, lower=ints(csp.lower - shift), upper=ints(csp.upper - shift), constraints=())
    moved = more_families(moved, rng)  # which speaks of values about 0
    return moved if shift else replace(csp, constraints=(*csp.constraints, *moved.constraints))


def on_ragged_csps(integers: str, number: int, seed: int) -> None:
    """The models are the solutions, of satisfiable CSPs and of others."""
    rng, other = np.random.default_rng(seed), np.random.default_rng(seed)
    kinds = {True: 0, False: 0}
    for i in range(number):
        csp = ragged_csp(rng)
        if i % 2:
            csp = with_gaps(csp, other)
        expected = solutions(csp)
        assert models(csp, integers) == expected, csp
        kinds[bool(expected)] += 1
    assert min(kinds.values()) > number // 10


@pytest.mark.parametrize("number", repeated(4, 25, 400))
@pytest.mark.parametrize("integers", MIXTURES)
def test_mixtures_have_the_csp_s_solutions(integers: str, number: int) -> None:
    on_ragged_csps(integers, number, seed=21)


COMPOSED = (
    *(f"{base}+{way}" for base in ("direct", "support") for way, part in WAYS.items() if part.slot == "at most one"),
    *(f"{base}+{way}" for base in INTEGERS for way, part in WAYS.items() if part.slot != "at most one"),
    *("direct+ladder+channel+mdd", "support+bitwise+pairs+totalizer", "support<=3,order<=5,log+product+mdd+channel"),
    *("order<=4,direct+commander+totalizer", "support<=3,coupled<=4,log+adder+channel"),
)


@pytest.mark.parametrize("integers", spread(COMPOSED, 8))
@pytest.mark.parametrize("number", repeated(4, 12, 200))
def test_every_way_has_the_csp_s_solutions(integers: str, number: int) -> None:
    on_ragged_csps(integers, number, seed=22)


@pytest.mark.slow
@pytest.mark.parametrize("integers", spread(["order", "log"], 1))
def test_a_family_of_many_clauses_is_written_in_pieces(integers: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(24)
    monkeypatch.setattr(expand, "_CHUNK", 2)
    for _ in range(20):
        csp = ragged_csp(rng)
        assert models(csp, integers) == solutions(csp)


@pytest.mark.parametrize(
    "integers", spread([name for name in COMPOSED if {*name.split("+")} & {"mdd", "totalizer", "adder"}], 6)
)
@pytest.mark.parametrize("number", repeated(2, 6))
def test_long_sums_of_every_way(integers: str, number: int) -> None:
    rng = np.random.default_rng(23)
    for _ in range(number):
        model = Builder()
        lows = rng.integers(-2, 1, 6).tolist()
        variables = [model.integer(f"v{i}", low, int(rng.integers(0, 3))) for i, low in enumerate(lows)]
        terms = [(int(a), v) for a, v in zip(rng.integers(-3, 4, 6), variables, strict=True)]
        model.linear(terms, str(rng.choice(["<=", "=", ">"])), int(rng.integers(-6, 7)))  # type: ignore[arg-type]
        assert models(model.csp(), integers) == solutions(model.csp())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("integers", "kind"),
    sampled(product(["log+adder", "order<=40,log+adder", "log+adder+channel"], [Precedes, Differ, AllDifferent])),
)
@pytest.mark.parametrize("number", repeated(2, 6))
def test_wide_comparisons_by_digits(kind: type, integers: str, number: int) -> None:
    """One variable has many values and the other, as wide, is near some of them; more than 32 would be listed."""
    rng = np.random.default_rng(5)
    for _ in range(number):
        lower, distance = rng.integers(-90, 90, 2), int(rng.integers(-30, 30))
        upper = lower + rng.integers(60, 99, 2)
        x, y = ints([0]), ints([1])
        family = AllDifferent(ints([0, 1]), ints([2])) if kind is AllDifferent else kind(x, ints([distance]), y)
        near = int(np.clip(lower[0] + rng.integers(20), lower[1] - distance, upper[0]))
        some = Clauses((within(x, ints([near]), ints([near + 2])),))
        csp = CSP(ints(lower), ints(upper), (family, some), ints([[0, 1]]))
        assert models(csp, integers) == solutions(csp)


def test_what_is_no_constraint_is_told() -> None:
    """A rule that gives several in a tuple, perhaps."""
    csp = CSP(ints([0]), ints([1]), (("no", "constraint"),), ints([[0]]))  # type: ignore[arg-type]
    with pytest.raises(NonosatError, match="a tuple is no constraint"):
        PARTS_OF["order"].make(csp)


def test_wide_comparisons_are_short_where_digits_are() -> None:
    sizes = {}
    for integers in ("log", "log+adder", "order+adder"):
        for family in (Precedes(ints([0]), ints([3]), ints([1])), Differ(ints([0]), ints([3]), ints([1]))):
            csp = CSP(ints([0, 0]), ints([1999, 1999]), (family,), ints([[0, 1]]))
            sizes[integers, type(family)] = PARTS_OF[integers].make(csp).cnf.clauses
    assert sizes["log+adder", Precedes] < 200 < 50_000 < sizes["log", Precedes]
    assert sizes["log+adder", Differ] < 200 < 1_900 < sizes["log", Differ]
    assert sizes["order+adder", Precedes] < 6_000  # two literals each


@pytest.mark.slow
def test_a_wide_gap_of_one_table_does_not_change_another() -> None:
    def table(variable: int, values: list[int]) -> Paths:
        of_one, count = ints([variable]), len(values)
        zeros, ones = np.zeros(count, np.int32), np.ones(count, np.int32)
        return Paths(
            2, ints([0]), ints([1]), zeros, ones, np.repeat(of_one, count), ints(values), ints(range(1, count + 1))
        )

    narrow = CSP(ints([0, 0]), ints([9, 1]), (table(0, [2, 5]), table(1, [0])), ints([[0, 1]]))
    wide = CSP(ints([0, 0]), ints([9, 500]), (table(0, [2, 5]), table(1, [0, 500])), ints([[0, 1]]))
    for integers in ("order", "direct"):
        assert models(narrow, integers) == solutions(narrow)
        assert models(wide, integers) == {(2, 0), (2, 500), (5, 0), (5, 500)}
    for csp in (narrow, wide):
        alone = [c.columns[0] for c in flatten(csp).constraints if isinstance(c, Clauses) and len(c.columns) == 1]
        gaps = [column for column in alone if isinstance(column, Interval)]
        left_out = [(v, a, b) for c in gaps for v, a, b in zip(c.variables, c.low, c.high, strict=True)]
        assert sorted(left_out)[:8] == [(0, value, value) for value in (0, 1, 3, 4, 6, 7, 8, 9)]


@pytest.mark.parametrize("number", range(20))
def test_graphs_of_several_families_are_joined(number: int) -> None:
    rng = np.random.default_rng([31, number])
    csp = random_model(rng)
    graphs = [random_paths(rng, csp) for _ in range(int(rng.integers(2, 5)))]
    graphs[0] = replace(graphs[0], values=graphs[0].values.astype(np.int64))
    families = (graphs[0], *csp.constraints, *graphs[1:])
    *others, joined = sorted(graphs_joined(families), key=lambda family: isinstance(family, Paths))
    assert others == list(csp.constraints)
    assert isinstance(joined, Paths)
    assert len(joined.sinks) == 2 * len(graphs)
    for values in product(*(range(low, high + 1) for low, high in zip(csp.lower, csp.upper, strict=True))):
        assert joined.holds(np.array(values)) == all(graph.holds(np.array(values)) for graph in graphs)
    whole = replace(csp, constraints=families)
    assert models(whole) == solutions(whole)
    named = replace(graphs[0], meanings=lambda nodes, arcs: ())
    assert list(graphs_joined([named, graphs[1]])) == [named, graphs[1]]  # proofs speak of its nodes


@pytest.mark.parametrize("integers", INTEGERS)
def test_graphs_without_arcs_have_no_path(integers: str) -> None:
    none = ints([])
    graph = Paths(2, ints([0]), ints([1]), none, none, none, none, none)
    assert models(CSP(ints([0]), ints([2]), (graph,), ints([[0]])), integers) == set()


@pytest.mark.slow
def test_a_diagram_of_too_many_sums_is_refused() -> None:
    model = Builder()
    model.linear([(3**i, model.integer(f"v{i}", 0, 2)) for i in range(20)], "<=", 3**19)
    csp = model.csp()
    with pytest.raises(NonosatError, match="of 20 terms has more than 2,000,000 partial sums"):
        PARTS_OF["order+mdd"].make(csp)
    for integers in ("log+adder", "order<=2,log+adder", "support<=9,order+ladder+adder"):
        assert solve_csp(csp, integers=integers, count=1).solutions


@pytest.mark.parametrize("way", [name for name, part in WAYS.items() if part.slot == "at most one"])
def test_at_most_one_of_so_many(way: str) -> None:
    """With "at least one", a value fixes all auxiliaries, to the sets that they are said to be true of."""
    for n in (*range(3, 30), 64):
        made = at_most_one(way, n)
        clauses = [clause for block in made.blocks for clause in block.tolist()]
        for value in range(n):
            true = unit_propagation([*clauses, list(range(1, n + 1))], [value + 1])
            assert true is not None
            sets = [literal for i, some in enumerate(made.sets(), n + 1) for literal in (i if value in some else -i,)]
            assert true == {*(v if v == value + 1 else -v for v in range(1, n + 1)), *sets}
        if way in ("sequential", "ladder", "bitwise"):
            theirs = CardEnc.atmost(range(1, n + 1), 1, encoding=getattr(EncType, THEIRS[way]))
            assert len(clauses) <= len(theirs.clauses) + (n > 3 and way == "sequential")
            assert n + len(made.members) <= theirs.nv


THEIRS = {"sequential": "seqcounter", "ladder": "ladder", "bitwise": "bitwise"}
"""What python-sat calls them."""


def test_what_ways_are_called() -> None:
    told = encoding("mdd+tight+product+r3+direct")
    assert (told.name, told.integers, told.rules) == ("tight+r3+direct+product+mdd", "direct+product+mdd", "tight+r3")
    assert encoding("tight+r3+direct+sums+pairwise+pigeonhole").name == "tight+r3+direct"
    assert encoding("tight+r3+support<=4,direct+ladder").key == "tight+r3+direct<=4,conflict+ladder"
    for name, reason in (
        ("order+ladder", "ladder is for encodings with a Boolean a value: direct, support"),
        ("direct+ladder+product", "needs one at most one"),
        ("direct+lader", "unknown encoding part 'lader'.*did you mean ladder"),
    ):
        with pytest.raises(NonosatError, match=reason):
            encoding(f"tight+r3+{name}")
    with pytest.raises(NonosatError, match="unknown way to state constraints 'r3'"):
        solve_csp(CSP(ints([0]), ints([1]), (), ints([[0]])), integers="order+r3")


def test_a_mixture_encodes_each_domain_by_its_size() -> None:
    """Auxiliaries too; and the Booleans that coupled has behind its others do not get among those of others."""
    mixture = PARTS_OF["coupled<=3,support<=6,log"]
    lower, upper = ints([0, 5, -3, 0, -9]), ints([2, 5, 2, 99, -8])
    formula = mixture.make(CSP(lower, upper, (), ints([[0, 1, 2, 3, 4]])))
    assert [line.split()[0] for line in formula.map.lines(["v"] * 5)] == ["order", "order", "direct", "log", "order"]
    assert formula.map.first.tolist() == [1, 3, 3, 9, 16]
    assert formula.map.booleans == formula.cnf.variables == 2 + 6 + 7 + 1 + 1
    assert [boolean for boolean, *_ in formula.map.meanings()] == [1, 2, 17, *range(3, 17)]
    alone = [PARTS_OF[name].make(CSP(lower[at], upper[at], (), ints([[0]]))).cnf.clauses
             for name, at in (("coupled", [0, 1, 4]), ("support", [2]), ("log", [3]))]  # fmt: skip
    assert formula.cnf.clauses == sum(alone)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("order<=4,lgo", "unknown integer encoding 'lgo'; known: order, direct, .* did you mean log"),
        ("order<=4", "the last of its encodings has no limit"),
        ("order<4,log", "expected ENCODING<=VALUES before a comma, not 'order<4'"),
        ("order,log", "expected ENCODING<=VALUES before a comma, not 'order'"),
        ("order<=0,log", "the limits must ascend from 1"),
        ("order<=4,log<=4,direct", "the limits must ascend from 1"),
        ("order<=4,", "unknown integer encoding ''"),
    ],
)
def test_names_of_mixtures_that_are_none(name: str, told: str) -> None:
    for call in (lambda: solve_csp(CSP(ints([0]), ints([1]), (), ints([[0]])), integers=name), lambda: encoding(name)):
        with pytest.raises(NonosatError, match=told):
            call()


@pytest.mark.parametrize("integers", ["digits", "halves"])
def test_each_column_of_a_crowded_clause_has_its_own_names(integers: str) -> None:
    model = Builder()
    model.all_different([model.integer(f"v{i}", -3, 2) for i in range(2)])
    assert len(models(model.csp(), integers)) == 30


class MuteMap(ODD["digits"].map):  # type: ignore[name-defined, misc]
    def meanings(self) -> Iterator[BooleanMeaning]:
        raise NotImplementedError


def test_a_map_that_cannot_distinguish_values_is_refused() -> None:
    variable = ints([0])
    mute = MuteMap.of(ints([0]), ints([5]))
    with pytest.raises(NotImplementedError, match="MuteMap says neither what its Booleans mean nor how values differ"):
        mute.differ(variable, ints([2]))


@pytest.mark.parametrize(
    "integers",
    spread(
        [
            "log",
            "order",
            "coupled",
            "order<=99,log",
            "digits",
            pytest.param("split", marks=[pytest.mark.slow, pytest.mark.nightly]),
        ],
        2,
    ),
)
def test_ragged_clauses_over_wide_domains(integers: str) -> None:
    """Of 10,001 values, some are tried: those at which comparisons change, with all of a 0/1 variable."""
    rng = np.random.default_rng(14)
    low, high = -5_000, 5_000
    tried = {True: 0, False: 0}
    for _ in range(4):
        families, edges = [], [low, high]
        for _ in range(2):
            rows = ints(np.sort([0, 1, 2, *rng.integers(0, 3, 4)]))
            bounds = [ints(rng.integers(low, high + 1, 7)) for _ in range(2)]
            edges += [int(bound) + step for some in bounds for bound in some for step in (-1, 0, 1)]
            variables = ints(rng.integers(0, 3, 7))
            first, last = np.minimum(*bounds), np.maximum(*bounds)
            columns = (
                at_most(variables, bounds[0], rows=rows),
                at_least(variables, bounds[1], rows=rows),
                Interval(variables, first, last, outside=True, rows=rows),
            )
            some = [column for column in columns if rng.random() < 0.6] or [columns[0]]
            families.append(Clauses(tuple(some), 3))
        csp = CSP(ints([low, low, 0]), ints([high, high, 1]), tuple(families), ints([[0, 1, 2]]))
        formula = (ODD[integers] if integers in ODD else PARTS_OF[integers]).make(csp)
        with Solver("minisat22", bootstrap_with=list(formula.cnf)) as solver:
            for x, y in rng.choice(np.clip(edges, low, high), (60, 2)).tolist():
                values = ints([x, y, int(rng.integers(2))])
                known = [-literal for i in range(3) for literal in formula.map.differ(ints([i]), values[i : i + 1])]
                assert solver.solve(assumptions=known) == csp.holds(values)
                tried[csp.holds(values)] += 1
    assert min(tried.values()) > 40


@pytest.mark.slow
def test_long_sums_go_through_partial_sums() -> None:
    rng = np.random.default_rng(8)
    for _ in range(25):
        model = Builder()
        variables = [model.integer(f"v{i}", int(rng.integers(-2, 1)), int(rng.integers(0, 3))) for i in range(6)]
        terms = [(int(a), v) for a, v in zip(rng.integers(-3, 4, 6), variables, strict=True)]
        model.linear(terms, str(rng.choice(["<=", "=", ">"])), int(rng.integers(-6, 7)))  # type: ignore[arg-type]
        assert models(model.csp()) == solutions(model.csp())


@pytest.mark.slow
@pytest.mark.parametrize("sense", ["<=", ">=", "="])
@pytest.mark.parametrize("bound", [2, 7])
def test_partial_sums_have_no_more_values_than_matter(sense: str, bound: int) -> None:
    """Of 9 Booleans, 2 at least, or all but 2: a partial sum is 0, 1, 2 or more, whatever it could be."""
    model = Builder()
    variables = [model.integer(f"v{i}", 0, 1) for i in range(9)]
    model.linear([(1, v) for v in variables], sense, bound)  # type: ignore[arg-type]
    csp = model.csp()
    flat = flatten(csp)
    sizes = (flat.upper - flat.lower + 1)[9:]
    assert len(sizes) == 6 * (2 if sense == "=" else 1)
    assert sizes.max() == 3
    for integers in ("order", "direct", "log", "support"):
        assert models(csp, integers) == solutions(csp)


@pytest.mark.slow
def test_cpsat_has_the_csp_s_solutions() -> None:
    rng = np.random.default_rng(9)
    for i in range(40):
        csp = random_model(rng)
        if i % 2:
            csp = more_families(csp, rng)
        if i % 3 == 2:
            csp = with_gaps(csp, rng)
        assert cpsat_models(csp) == solutions(csp)


@pytest.mark.parametrize("size", [4, 9, 12])
def test_memberships_of_a_clause_do_not_multiply(size: int) -> None:
    """Every height stands somewhere in every line of a board: clauses of ``size`` memberships, and nothing else."""
    from nonosat.encodings.cpsat import CpModel

    cells = np.arange(size * size, dtype=np.int32)
    csp = CSP(np.ones_like(cells), np.full_like(cells, size), (permutation(size)[-1],), cells.reshape(size, size))
    named = size**3  # by a cell's row and by its column
    halves = 2 * size**2 * (size - 1)
    flat = flatten(csp)
    assert len(flat) == size**2 + named
    assert flat.blocks[-1].first == size**2  # behind the variables that were there
    order, log = (PARTS[integers].make(csp).cnf for integers in ("order", "log"))
    assert order.variables == size**2 * (size - 1) + named
    assert order.clauses == size**2 * (size - 2) + halves + 2 * size**2
    assert log.clauses < order.clauses * size.bit_length()
    model = CpModel(csp).model.proto
    comparisons = size**2 * (size - 1)  # a Boolean and two constraints each
    assert len(model.variables) == size**2 + comparisons + named
    assert len(model.constraints) == 2 * comparisons + halves + 2 * size**2


@pytest.mark.parametrize("number", repeated(120, 400))
def test_named_memberships_propagate_as_if_they_were_multiplied_out(number: int) -> None:
    rng = np.random.default_rng(11)
    told = 0
    for _ in range(number):
        size = int(rng.integers(2, 5))
        variables = np.arange(size, dtype=np.int32).reshape(-1, 1)
        low, high = np.sort(rng.integers(0, 6, (2, size, 1)), axis=0).astype(np.int32)
        columns = [within(*each) for each in zip(variables, low, high, strict=True)]
        halves = [(at_least(v, a), at_most(v, b)) for v, a, b in zip(variables, low, high, strict=True)]
        # [v <= a] is 5 v + a + 1; what is known are bounds of each variable, the same in both.
        least, most = np.sort(rng.integers(0, 6, (2, size)), axis=0).tolist()
        known = [-(5 * v + a) for v, a in enumerate(least) if a > 0] + [
            5 * v + a + 1 for v, a in enumerate(most) if a < 5
        ]
        found = []
        for families in ([], [Clauses(tuple(columns))], [Clauses(chosen) for chosen in product(*halves)]):
            csp = CSP(np.zeros(size, np.int32), np.full(size, 5, np.int32), tuple(families), variables)
            true = unit_propagation(list(PARTS["order"].make(csp).cnf), list(known))
            found.append(None if true is None else {literal for literal in true if abs(literal) <= 5 * size})
        alone, named, multiplied = found
        assert named == multiplied
        told += named != alone
    assert told > number // 10


def clause(*columns: Column) -> Clauses:
    """One clause."""
    return Clauses(columns, 1)


def added(integers: str, domains: int, *families: Clauses) -> tuple[int, int]:
    """What ``families`` add to the formula of ``domains`` variables 0..6 and as many 0..1, in variables and clauses."""
    lower, upper = np.zeros(2 * domains, np.int32), np.repeat(ints([6, 1]), domains)
    board = np.arange(2 * domains, dtype=np.int32).reshape(1, -1)
    with_them, without = (PARTS[integers].make(CSP(lower, upper, each, board)).cnf for each in (families, ()))
    return with_them.variables - without.variables, with_them.clauses - without.clauses


@pytest.mark.parametrize("integers", INTEGERS)
@pytest.mark.parametrize("size", [4, 8])
def test_conjunctions_of_a_clause_do_not_multiply(integers: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries of three clauses each: memberships' negations where a value is a Boolean, comparisons in digits."""
    v = [ints([i]) for i in range(2 * size)]
    two = ints([2])
    entries: list[Column] = [outside(x, two, two + np.int32(2)) for x in v[:size]]
    bits: list[Column] = [at_most(x, 0) for x in v[size:]]
    if integers == "log":
        entries = [at_most(x, 0) for x in v[:size]]
    several = integers != "order"
    assert added(integers, size, clause(*entries)) == (size * several, 3 * size * several + 1)
    # One name for the whole formula; Booleans and what is false are literals; what is true is dropped unseen.
    again = [clause(*entries, *bits), clause(*entries[::-1], at_least(v[0], 7)), clause(*entries, at_least(v[0], 0))]
    assert added(integers, size, clause(*entries), *again) == (size * several, 3 * size * several + 3)
    written = []
    original = Collector.add_ragged

    def add_ragged(out: Collector, literals: Ints, ends: npt.NDArray[np.int64]) -> None:
        written.append(len(ends))
        original(out, literals, ends)

    with monkeypatch.context() as patched:
        patched.setattr(Collector, "add_ragged", add_ragged)
        assert added(integers, size, again[-1]) == (0, 0)
    assert max(written, default=0) <= 2 * size
    # The other clauses of a family stay as they are; three entries are multiplied out.
    assert added(integers, size, clause(*entries[:3], *bits)) == (0, 27 if several else 1)
    mixed = [at_least(ints([i, i]), ints([3, 7 if i < size - 3 else 3])) for i in range(size)]
    parts = {"log": 2, "direct": 3}.get(integers, 1)  # digits that are 1 in 3; values below 3
    named = (parts > 1) * size
    assert added(integers, size, Clauses(tuple(mixed))) == (named, named * parts + 1 + parts**3)


def crowded(rng: np.random.Generator, integers: str) -> CSP:
    """Clauses of many conjunctions, each of different variables; they are shared and settled now and then."""
    lower = ints(rng.integers(-2, 2, 5))
    upper = ints(lower + rng.choice([1, 4, 5], 5, p=[0.1, 0.6, 0.3]))
    kinds = range(4) if integers in ("log", "order", "direct") else range(2, 4)
    families = []
    for _ in range(5):
        count = int(rng.integers(1, 3))
        columns: list[Column] = []
        for chosen in np.stack([rng.permutation(5) for _ in range(count)], axis=1).astype(np.int32):
            low, high = lower[chosen], upper[chosen]
            slack = ints(rng.integers(-1, 2, count) * (rng.random(count) < 0.3))
            columns.append(
                (
                    at_most(chosen, low + slack),
                    at_least(chosen, low + 3 + slack),
                    outside(chosen, low + 1 + slack, high),
                    outside(chosen, low, high - 1 + slack),
                )[rng.choice(kinds)]
            )
        families.append(Clauses(tuple(columns[: int(rng.integers(3, 6))])))
    return CSP(lower, upper, tuple(families), np.arange(5, dtype=np.int32).reshape(1, -1))


@pytest.mark.parametrize("integers", INTEGERS)
@pytest.mark.parametrize("number", repeated(1, 12))
def test_crowded_clauses_mean_what_they_say(integers: str, number: int) -> None:
    rng = np.random.default_rng(12)
    named = 0
    for _ in range(number):
        csp = crowded(rng, integers)
        knowing = [clause(at_most(ints([v]), csp.lower[v] + 1)) for v in range(3)]  # fewer solutions to list
        csp = replace(csp, constraints=(*csp.constraints, *knowing))
        formula = PARTS[integers].make(csp)
        named += formula.cnf.variables > formula.map.booleans
        assert models(csp, integers) == solutions(csp), csp
    assert named > number * 5 // 12 or integers == "order"


@pytest.mark.parametrize("integers", ["direct", "support", "log", "coupled"])
@pytest.mark.parametrize("number", repeated(12, 200))
def test_named_conjunctions_propagate_as_if_they_were_multiplied_out(
    integers: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(13)
    told = named = 0
    for _ in range(number):
        csp = crowded(rng, integers)
        formula = PARTS[integers].make(csp)
        booleans = formula.map.booleans
        named += formula.cnf.variables > booleans
        with monkeypatch.context() as patched:
            patched.setattr(expand, "MOST", 99)
            multiplied = PARTS[integers].make(csp)
        assert multiplied.cnf.variables == booleans
        alone = PARTS[integers].make(replace(csp, constraints=())).cnf
        values = ints(rng.integers(csp.lower, csp.upper + 1))
        whole = unit_propagation(list(alone), [-x for x in formula.map.differ(np.arange(5, dtype=np.int32), values)])
        assert whole is not None
        known = [literal for literal in sorted(whole) if rng.random() < 0.6]
        found = []
        for cnf in (alone, formula.cnf, multiplied.cnf):
            true = unit_propagation(list(cnf), list(known))
            found.append(None if true is None else {literal for literal in true if abs(literal) <= booleans})
        assert found[1] == found[2], csp
        told += found[1] != found[0]
    assert min(told, named) > number // 5


def test_more_variables_than_values_cannot_all_differ() -> None:
    model = Builder()
    model.all_different([model.integer(f"v{i}", 0, 2) for i in range(4)])
    assert models(model.csp()) == set()


def test_a_sum_is_a_clause_for_each_value_of_the_smaller_domain() -> None:
    for domains in (((-9, -2), (0, 1)), ((0, 1), (-9, -2)), ((3, 4), (-4, 4)), ((-8, -1), (5, 6))):
        model = Builder()
        x, y = (model.integer(f"v{i}", *domain) for i, domain in enumerate(domains))
        settled = PARTS["order"].make(model.csp()).cnf.clauses
        middle = sum(sum(domain) for domain in domains) // 2
        model.linear([(1, x), (1, y)], "<=", middle)
        assert PARTS["order"].make(model.csp()).cnf.clauses - settled == 2


def test_a_sum_has_no_clause_that_another_one_implies() -> None:
    model = Builder()
    x, y = model.integer("x", 0, 4), model.integer("y", 0, 9)
    axioms = PARTS["order"].make(model.csp()).cnf.clauses
    model.linear([(1, x), (2, y)], "<=", 8)  # y is at most 4, 3, 3, 2, 2
    assert PARTS["order"].make(model.csp()).cnf.clauses - axioms == 3


def test_how_much_is_stated_at_a_time_does_not_depend_on_how_many_sums_there_are() -> None:
    def families(count: int) -> int:
        model = Builder()
        variables = [model.integer(f"v{i}", 0, 3) for i in range(5)]
        for bound in range(count):
            model.linear([(1, v) for v in variables], "<=", 5 + bound % 4)
            model.all_different(variables)
        return len(flatten(model.csp()).constraints)

    assert families(2) == families(40) < 9


def test_partial_sums_are_not_more_than_the_bound_leaves_them() -> None:
    model = Builder()
    variables = [model.integer(f"v{i}", 1, 3) for i in range(6)]
    model.linear([(i, v) for i, v in enumerate(variables, 1)], "<=", 23)  # 2 above the least sum
    flat = flatten(model.csp())
    assert (flat.upper - flat.lower)[6:].tolist() == [2, 2, 2]
    assert models(model.csp()) == solutions(model.csp())
    model.linear([(1, v) for v in variables], "<=", 5)  # none
    assert models(model.csp()) == set()


def test_an_empty_sum_is_settled() -> None:
    for bound, expected in ((0, {(0,), (1,)}), (-1, set())):
        model = Builder()
        model.integer("x", 0, 1)
        model.linear([], "<=", bound)
        assert models(model.csp()) == expected


def test_empty_domains_are_refused() -> None:
    with pytest.raises(ValueError, match=r"x: the domain 3\.\.2 is empty"):
        Builder().integer("x", 3, 2)


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
            model = Builder()
            variables = [model.integer(f"v{i}", low, high) for i in range(count)]
            model.all_different(variables)
            csp = model.csp()
            barred = ints(range(placed)).repeat(last - first + 1)
            values = np.tile(ints(range(first, last + 1)), placed)
            csp = replace(csp, constraints=(*csp.constraints, Clauses((outside(barred, values, values),))))
            conflict = unit_propagation(list(PARTS[integers].make(csp).cnf), []) is None
            assert conflict == (placed == count)


@pytest.mark.parametrize("solver", ["minisat22", "cpsat"])
def test_variables_without_a_name_get_one(solver: str) -> None:
    two = CSP(ints([0, 3]), ints([1, 3]), (), ints([0, 1]))
    answer = solve_csp(two, solver=solver, count=None)
    assert sorted(answer.solutions, key=str) == [{"v_0": 0, "v_1": 3}, {"v_0": 1, "v_1": 3}]
    none = solve_csp(CSP(ints([]), ints([]), (), ints([])), solver=solver, count=None)
    assert (none.solutions, none.exhausted) == (({},), True)


def test_names_are_kept_and_none_comes_twice() -> None:
    named = CSP(ints([0, 0, 0]), ints([1, 1, 1]), (), ints([0]), (Block("v", 0, ints([[1]])),))
    assert named.names() == ["v_1", "vv_0", "vv_1"]
    assert replace(named, constraints=()).names() == named.names()
