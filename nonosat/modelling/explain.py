"""Why a model has no solution, or why something holds in all: constraints that are enough, by name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from time import monotonic

import numpy as np

from nonosat.csp.expressions import BooleanExpression, boolean
from nonosat.csp.model import ranges
from nonosat.csp.statement import Problem
from nonosat.encodings.cnf import CNF
from nonosat.encodings.parts import INTEGERS
from nonosat.encodings.registry import PARTS
from nonosat.errors import LimitReachedError, SolverError, UnsupportedError, no_truth
from nonosat.explanations.smallest import Budget, TimeBudget, minimum, shrinking
from nonosat.modelling.knowledge import SOLVER, without_objective
from nonosat.runs.events import Stopped
from nonosat.runs.run import values_within
from nonosat.solvers.sat.session import session_of
from nonosat.solvers.solve import check_integers

QUESTIONS = 400
"""Asked of the solver, at most, for fewer constraints than leaving out one by one finds, if there is no time limit."""
SHARE = 0.8
"""Of a time limit, in which fewer are looked for: the answer must come before its end."""
INTEGER_ENCODING = INTEGERS.first().name
"""In which the variables of the model have the same Booleans, whatever constraints come with them."""


@dataclass(frozen=True)
class ModelExplanation:
    """``constraints``, by name, imply ``claim`` (None: that there is no solution).

    ``holds``: False where there is nothing to explain. ``minimal``: none of the constraints can be left out.
    ``smallest``: no smaller number of constraints does. ``stopped``: the limit that was reached before both were known.
    """

    claim: str | None
    holds: bool
    constraints: tuple[str, ...] = ()
    smallest: bool = False
    minimal: bool = True
    stopped: str | None = None

    def __bool__(self) -> bool:
        raise no_truth("an explanation", "explanation.holds")

    def __str__(self) -> str:
        what = "there is no solution" if self.claim is None else self.claim
        if not self.holds:
            return f"There is a solution{'' if self.claim is None else f' without {self.claim}'}."
        if not self.constraints:
            return f"{what}, whatever the constraints."
        fewer = "" if self.smallest else " (there may be fewer)" if self.minimal else " (some can perhaps be left out)"
        return f"{what}, since{fewer}: {'; '.join(self.constraints)}"


def explain(
    statement: Problem, claim: BooleanExpression | bool | None = None, **limits: float | None
) -> ModelExplanation:
    """Why ``claim`` holds in all solutions of a model; without one, why there is no solution.

    ``limits``: as of ``solve``. Where one is reached, the fewest constraints that are known then are the explanation.
    LimitReachedError: none are known.
    """
    time_limit_s = limits.get("time_limit_s")
    end = None if time_limit_s is None else monotonic() + SHARE * time_limit_s
    best: ModelExplanation | None = None
    with closing(values_within(explanations, (statement, claim, end), limits, (__name__,))) as values:  # type: ignore[type-var]
        for value in values:
            if isinstance(value, Stopped):
                if best is None:
                    raise LimitReachedError(str(value.verdict), value.reason)
                return replace(best, stopped=value.reason)
            best = value
    if best is None:
        raise SolverError("the process ended without a result")
    return best


def explanations(
    statement: Problem, claim: BooleanExpression | bool | None, end: float | None
) -> Iterator[ModelExplanation]:
    """Explanations of fewer and fewer constraints; the last is the one to give.

    ``end``: the time by the monotonic clock until which fewer than a minimal set are looked for; None: for
    ``QUESTIONS``.
    """
    extended = without_objective(statement)
    if claim is not None:
        extended.add(~boolean(claim), name="")
    always = [] if claim is None else [len(extended.constraints) - 1]
    groups = [number for number in range(len(extended.constraints)) if number not in always]
    claimed = None if claim is None else repr(claim)
    clauses, selectors, variables = _grouped(extended, groups, always)
    literals = np.array([literal for clause in clauses for literal in clause], dtype=np.int32)
    ends = np.cumsum([len(clause) for clause in clauses], dtype=np.int64)
    if any(not clause for clause in clauses):
        yield ModelExplanation(claimed, True, (), True)
        return

    def of(chosen: list[int], smallest: bool = False, minimal: bool = True) -> ModelExplanation:
        names = tuple(extended.constraints[number].name for number in chosen)
        return ModelExplanation(claimed, True, names, smallest, minimal)

    with closing(session_of(SOLVER, CNF(variables, literals, ends))) as session:

        def unsatisfiable(chosen: list[int]) -> bool:
            return session.solve([selectors[number] for number in chosen]) is None

        if not unsatisfiable(groups):
            yield ModelExplanation(claimed, False)
            return
        used = set(session.core())
        few = [number for number in groups if selectors[number] in used]
        yield of(few, minimal=False)
        for fewer in shrinking(few, unsatisfiable):
            few = fewer
            yield of(few, minimal=False)
        yield of(few)
        budget = Budget(QUESTIONS) if end is None else TimeBudget(end)
        smaller = minimum(groups, unsatisfiable, len(few) - 1, budget) if len(few) > 1 else None
    chosen = few if smaller is None else smaller
    yield of(chosen, smallest=smaller is not None or len(few) <= 1 or not budget.spent)


def _grouped(statement: Problem, groups: list[int], always: list[int]) -> tuple[list[list[int]], dict[int, int], int]:
    """Clauses in which each of the ``groups`` has a selector; the Booleans of the model's variables are shared."""
    domains = statement.lowered([]).csp
    check_integers(domains, INTEGER_ENCODING)
    make = PARTS[INTEGER_ENCODING].make
    base = make(domains)
    if base.map.booleans != base.cnf.variables:
        raise UnsupportedError(f"{INTEGER_ENCODING} has Booleans beside those of the variables")
    variables = base.map.booleans
    clauses = list(base.cnf)
    known = {tuple(clause) for clause in clauses}
    selectors: dict[int, int] = {}
    sizes = base.map.widths
    for number in (*always, *groups):
        part, own = statement.alone(number)
        cnf = make(part.csp()).cnf
        # Its variables have the Booleans that all share; those behind them are its own.
        _, places = ranges(base.map.first[own], base.map.first[own] + sizes[own])
        new = cnf.variables - len(places)
        number_of = [0, *places.tolist(), *range(variables + 1, variables + new + 1)]
        variables += new
        extra: list[int] = []
        if number not in always:
            variables += 1
            selectors[number] = variables
            extra = [-variables]
        for clause in cnf:
            moved = [number_of[x] if x > 0 else -number_of[-x] for x in clause]
            if tuple(moved) not in known:
                clauses.append([*extra, *moved])
    return clauses, selectors, variables
