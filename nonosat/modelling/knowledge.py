"""What is known of all solutions of a model: how many there are, draws of them, what they have in common."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

from pysat.solvers import Solver

from nonosat.counting import cnf_counters
from nonosat.counting.answer import Count, CountBounds
from nonosat.counting.count import APPROXMC, GANAK, check_draws, run_count
from nonosat.csp.expressions import BooleanExpression, Expression, any_of, folded, integer, may_lack_value
from nonosat.csp.model import CSP, Comparison, at_least, at_most, numbers
from nonosat.csp.statement import HAS_VALUE, Problem
from nonosat.encodings.formula import Formula
from nonosat.encodings.parts import INTEGERS
from nonosat.errors import ModelError, SolverError, wrong_type
from nonosat.modelling.solve import ModelAnswer, Solution, encoding_for, request_of, solutions_of
from nonosat.rng import Rng
from nonosat.runs.events import Event, Finished, Found, Progress, Statistics, Stopped, Values, Verdict
from nonosat.runs.run import EventConsumer, consume, limits_of, run
from nonosat.runs.solver import BARE
from nonosat.solvers.formulas import no_garbage_collection, whole
from nonosat.solvers.optimum import bounded
from nonosat.solvers.sat.session import session_of
from nonosat.solvers.solve import check_integers

SOLVER = "minisat22"


def formula_of(csp: CSP, integers: str) -> tuple[Formula, Statistics]:
    """The formula of a CSP, whose models are decoded whole, and what it took to make."""
    check_integers(csp, integers)
    begin = perf_counter()
    with no_garbage_collection():
        formula = whole(csp, INTEGERS.named(integers).make(csp))
    return formula, Statistics(formula.cnf.variables, formula.cnf.clauses, perf_counter() - begin)


# Counts.


Precision = tuple[float, float, int]
"""ApproxMC's epsilon, delta and seed."""


def count(
    statement: Problem, encoding: str | None = None, precision: Precision | None = None, **limits: float | None
) -> Count:
    """How many solutions a model has; an objective plays no part. UnsupportedError: many, and Ganak is not installed.

    MiniSat lists them if there are few and they are found soon, of which Ganak may take a thousand times as long;
    else Ganak counts or, to a ``precision``, ApproxMC estimates. That goes through ``log`` unless told otherwise: with
    the 108 Booleans of ``order`` for 12 digits it takes minutes, with 48 a second.
    """
    if precision is not None:
        cnf_counters.check_approximation(*precision)
    csp = without_objective(statement).lowered().csp
    encoding = encoding_for(csp, "log" if precision is not None and encoding is None else encoding)
    check_integers(csp, encoding)
    other = GANAK if precision is None else APPROXMC
    tally = Count(verdict=Verdict.UNKNOWN, counter=f"{SOLVER}+{other}", encoding=encoding)
    found, _ = run_count(count_search, (csp, encoding, precision), limits_of(BARE, **limits), tally, None)
    return found


def count_search(csp: CSP, integers: str, precision: Precision | None = None) -> Iterator[Any]:
    """Count the solutions of ``csp``, which differ on its board: exactly, or to a ``precision``."""
    yield Progress("encoding")
    formula, about = formula_of(csp, integers)
    yield Progress("counting", about)
    begin = perf_counter()
    found, all_of_them = few(formula)
    known = CountBounds(at_least=found)
    yield known
    yield Progress("counting", about)  # sends what is known now; the library that counts may be stopped
    if all_of_them:
        known = CountBounds(solutions=found)
    elif precision is None:
        known = CountBounds(solutions=cnf_counters.models(formula))
    else:
        known = replace(cnf_counters.approximated(formula, *precision), at_least=found)
    yield known
    yield Finished(known.solutions is not None, about.plus(Statistics(solve_s=perf_counter() - begin)))


MOST_TRIED = 1_000
"""Solutions that ``few`` lists, and one more, which shows that they are not all."""
CONFLICTS, PROPAGATIONS, LITERALS = 20_000, 20_000_000, 2_000_000
"""Its conflicts and propagations, a second or two, and the literals of the clauses that exclude what was found."""


def few(formula: Formula) -> tuple[int, bool]:
    """How many boards of models of a formula ``SOLVER`` lists at once, and whether these are all."""
    shown, last = formula.shown(), formula.cnf.variables
    if formula.cnf.has_empty_clause or not shown:
        return 0, formula.cnf.has_empty_clause
    with Solver(SOLVER, bootstrap_with=[*formula.cnf, [last, -last]]) as solver:  # models have all variables then
        for found in range(MOST_TRIED + 2):
            spent = solver.accum_stats()
            left, steps = CONFLICTS - spent["conflicts"], PROPAGATIONS - spent["propagations"]
            if min(left, steps) <= 0 or found > MOST_TRIED or found * len(shown) > LITERALS:
                break
            solver.conf_budget(left)
            solver.prop_budget(steps)
            answer = solver.solve_limited()
            if not answer:
                return found, answer is False
            model = solver.get_model()
            solver.add_clause([-model[variable - 1] for variable in shown])
    return found, False


# Draws.


MOST_LISTED = 20_000
"""Solutions that are listed, to be drawn from; where there are more, values are drawn by counts of what they leave."""


@dataclass(frozen=True, repr=False)
class ModelSample:
    """Uniform draws from all ``solutions`` of a model, with replacement; each is checked."""

    draws: tuple[Solution, ...]
    solutions: int
    seed: int

    def __repr__(self) -> str:
        return f"<ModelSample {len(self.draws)} of {self.solutions} solutions, seed {self.seed}>"


def sample(statement: Problem, count: int = 1, seed: int = 0, encoding: str | None = None) -> ModelSample:
    """Draw solutions uniformly; an objective plays no part. A seed gives the same ones on every machine.

    UnsupportedError: there are many, and Ganak is not installed.
    """
    check_draws(count, seed)
    plain = without_objective(statement)
    answer = request_of(plain, encoding=encoding, count=MOST_LISTED).solved()
    if answer.verdict not in (Verdict.SAT, Verdict.UNSAT):
        raise SolverError(f"no solutions to draw from: {answer.verdict} ({answer.reason})")
    rng = Rng(seed)
    if answer.exhausted:
        every = sorted(answer.found, key=lambda solution: solution.values)
        chosen = [every[rng.below_any(len(every))] for _ in range(count)] if every else []
        return ModelSample(tuple(Solution(statement, one.values) for one in chosen), len(every), seed)
    csp = plain.lowered().csp
    formula, _ = formula_of(csp, encoding_for(csp, encoding))
    solutions = cnf_counters.models(formula)
    found = [_completed(formula, csp, _drawn(formula, csp, rng, solutions)) for _ in range(count)]
    for values in found:
        if (broken := plain.broken(values[: len(plain.domains)])) is not None:
            raise SolverError(f"a draw breaks {broken!r}: this is a bug")
    return ModelSample(solutions_of(statement, [values[: len(plain.domains)] for values in found]), solutions, seed)


def _completed(formula: Formula, csp: CSP, values: list[int]) -> list[int]:
    """The values of all variables in a solution that has these on the board."""
    board = csp.board.reshape(-1)
    units = [[-literal] for literal in formula.map.differ(board, numbers(values))]
    with closing(session_of(SOLVER, formula.cnf.extended_by(units))) as session:
        model = session.solve()
    if model is None:
        raise SolverError("a draw is no solution: this is a bug")
    whole: list[int] = formula.cells(model).tolist()
    return whole


def _drawn(formula: Formula, csp: CSP, rng: Rng, solutions: int) -> list[int]:
    """One solution on the board: of each variable a value, as often as solutions have it; a domain is halved."""
    values: list[int] = []
    left = solutions
    for variable in csp.board.reshape(-1).tolist():
        at = rng.below_any(left)
        low, high = int(csp.lower[variable]), int(csp.upper[variable])
        while low < high:
            middle = (low + high) // 2
            below = _narrowed(formula, at_most([variable], middle))
            many = cnf_counters.models(below)
            if at < many:
                formula, left, high = below, many, middle
            else:
                formula = _narrowed(formula, at_least([variable], middle + 1))
                left, low, at = left - many, middle + 1, at - many
        values.append(low)
    return values


def _narrowed(formula: Formula, bound: Comparison) -> Formula:
    clauses, variables = bounded(formula, bound, formula.cnf.variables)
    return replace(formula, cnf=replace(formula.cnf.extended_by(clauses), variables=variables))


# What all solutions share.


@dataclass(frozen=True, repr=False)
class ModelBackbone:
    """``fixed``: the values, by name, that variables have in all solutions; ``complete``: these are all such."""

    verdict: Verdict
    fixed: dict[str, int] = field(default_factory=dict)
    complete: bool = False
    reason: str | None = None
    statistics: Statistics = field(default_factory=Statistics)

    def __repr__(self) -> str:
        least = "" if self.complete else "at least "
        return f"<ModelBackbone {self.verdict}, {least}{len(self.fixed)} fixed, {self.statistics.total_s:.4f} s>"


def backbone(statement: Problem, encoding: str | None = None, **limits: float | None) -> ModelBackbone:
    """The variables that have the same value in all solutions; an objective plays no part."""
    csp = without_objective(statement).lowered().csp
    encoding = encoding_for(csp, encoding)
    check_integers(csp, encoding)
    return consume(run(backbone_search, (csp, encoding), limits_of(BARE, **limits)), _Sharing(statement))


def backbone_search(csp: CSP, integers: str) -> Iterator[Event]:
    """A first solution, then the variables (and values) that no solution has otherwise, as pairs."""
    yield Progress("encoding")
    formula, about = formula_of(csp, integers)
    board = csp.board.reshape(-1)
    if formula.cnf.has_empty_clause:
        yield Finished(True, about)
        return
    variables, chunk = formula.cnf.variables, 1
    with closing(session_of(SOLVER, formula.cnf)) as session:
        model = session.solve()
        if model is None:
            yield Finished(True, session.statistics(about))
            return
        first = formula.cells(model)
        yield Found(first)
        left = board
        while len(left):
            yield Progress("solving", session.statistics(about))
            some = left[:chunk]
            variables += 1
            session.add([-variables, *formula.map.differ(some, first[some])])
            model = session.solve([variables])
            if model is None:
                yield Values([(int(v), int(first[v])) for v in some])
                left, chunk = left[len(some) :], chunk * 2
            else:
                cells = formula.cells(model)
                left, chunk = left[cells[left] == first[left]], max(1, chunk // 2)
        yield Finished(True, session.statistics(about))


class _Sharing(EventConsumer[ModelBackbone]):
    """Collects the backbone."""

    def __init__(self, statement: Problem) -> None:
        super().__init__()
        self.statement, self.fixed, self.wrong = statement, dict[str, int](), None
        self.seen = 0

    def known(self) -> int:
        """How many solutions are known."""
        return self.seen

    def other(self, event: object) -> ModelBackbone | None:
        """Take in a solution, or variables that are fixed."""
        names = self.statement.names()
        if isinstance(event, Found):
            self.seen += 1
            broken = without_objective(self.statement).broken(event.cells[: len(names)])
            return None if broken is None else ModelBackbone(Verdict.WRONG, reason=f"a model breaks {broken!r}")
        if isinstance(event, Values):
            self.fixed |= {names[variable]: value for variable, value in event.values}
            return None
        return super().other(event)

    def finished(self, event: Finished) -> ModelBackbone:
        """All of it."""
        verdict = Verdict.SAT if self.seen else Verdict.UNSAT
        return ModelBackbone(verdict, self.fixed, True, statistics=event.statistics)

    def stopped(self, event: Stopped) -> ModelBackbone:
        """What is known of it."""
        return ModelBackbone(event.verdict, self.fixed, False, event.reason, self.unfinished(event))


# Two models.


@dataclass(frozen=True)
class ModelEquivalence:
    """``same``: two models have the same solutions (None: not known); else one of them alone has ``witness``."""

    same: bool | None
    witness: Solution | None = None
    reason: str | None = None

    def __bool__(self) -> bool:
        return self.same is True


def equivalent(one: Problem, other: Problem, **options: Any) -> ModelEquivalence:
    """Whether two models have the same solutions, by the variables' names. Options as of ``solve``."""
    for model in (one, other):
        if not isinstance(model, Problem):
            raise wrong_type("a model", model)
    if any(model.projection is not None for model in (one, other)):
        raise ModelError("models with a projection are not compared: their solutions differ in other variables, too")
    if set(one.names()) != set(other.names()):
        odd = sorted(set(one.names()) ^ set(other.names()))[0]
        raise ModelError(f"{odd} is a variable of one model alone: both must have the same names")
    for has, lacks in ((one, other), (other, one)):
        both = without_objective(has)
        both.add(any_of(_violations(lacks, has)))
        answer: ModelAnswer = request_of(both, **options).solved()
        if answer.solution is not None:
            return ModelEquivalence(False, Solution(has, answer.solution.values))
        if answer.verdict is not Verdict.UNSAT:
            return ModelEquivalence(None, reason=f"{answer.verdict}: {answer.reason}")
    return ModelEquivalence(True)


def _violations(lacks: Problem, has: Problem) -> list[Any]:
    """In terms of the variables of ``has``: what ``lacks`` does not allow."""
    place = dict(zip(has.names(), has.variables, strict=True))
    known: dict[int, Expression] = {}

    def moved(node: Expression, parts: list[Expression]) -> Expression:
        if node.op in ("variable", "boolean"):
            mine = place[str(node.data[1])]
            if isinstance(node, BooleanExpression) != isinstance(mine, BooleanExpression):
                raise ModelError(f"{node.data[1]} is a number in one model, true or false in the other")
            return mine
        return type(node)(node.op, tuple(parts), node.data)

    constraints = without_objective(lacks).constraints
    found: list[Any] = [~folded(constraint, known, moved) for _, constraint in constraints]
    for name, domain in zip(lacks.names(), lacks.domains, strict=True):
        variable = integer(place[name])
        if isinstance(domain, tuple):
            found += [variable < domain[0], variable > domain[1]]
        else:
            found.append(~any_of([variable == int(value) for value in domain]))
    return found


def without_objective(statement: Problem) -> Problem:
    """The same solutions: that the objective has a value is a constraint, where it may have none."""
    made = Problem.__new__(Problem)
    made.__dict__.update(statement.__dict__)
    made.constraints = list(statement.constraints)
    made.objective = None
    if statement.objective is not None and may_lack_value(statement.objective.expression):
        made.add(statement.objective.expression == statement.objective.expression, name=HAS_VALUE)
    return made
