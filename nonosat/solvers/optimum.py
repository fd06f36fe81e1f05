"""The best solution of a CSP: the search of one solution after the other, each better than the one before.

A SAT solver of python-sat keeps all that it learns from one bound to the next. Between two improvements it is called,
for a few conflicts, for a solution in the better half of what is possible: that finds a much better one, or proves that
there is none and moves the other bound. CP-SAT optimizes by itself; any other program is started again for each bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from time import perf_counter

from nonosat.csp.model import CSP, Clauses, Comparison, at_most
from nonosat.encodings.cnf import Collector
from nonosat.encodings.expand import Names, expand
from nonosat.encodings.formula import Formula
from nonosat.encodings.parts import INTEGERS
from nonosat.errors import UnsupportedError
from nonosat.runs.events import Event, Finished, Found, Measured, Progress, Statistics
from nonosat.runs.solver import Solver
from nonosat.solvers.formulas import WholeFormula, no_garbage_collection, whole

HALVING = 300
"""Conflicts in which the better half of what is possible is looked at; twice as many each time that is not enough."""

ONE_BEST = "a model with an objective is solved for its one best solution"


def refuse_several(count: int | None, unique: bool = False) -> None:
    """UnsupportedError: more is asked than the one best solution."""
    if count != 1 or unique:
        wanted = "unique" if unique else "all solutions" if count is None else f"{count} solutions"
        raise UnsupportedError(f"{wanted}: {ONE_BEST}")


def search(csp: CSP, goal: int, integers: str, solver: Solver) -> Iterator[Event]:
    """Find solutions of ``csp`` of which each has a lower value of the variable ``goal``; finished: the last is best.

    ``Measured`` has the ``bound`` below which no value can be.
    """
    if solver.family == "CP":
        from nonosat.solvers.cp import search_optimum

        yield from search_optimum(csp, goal, solver)
        return
    yield Progress("encoding")
    begin = perf_counter()
    with no_garbage_collection():
        formula = whole(csp, INTEGERS.named(integers).make(csp), goal)
    about = Statistics(formula.cnf.variables, formula.cnf.clauses, perf_counter() - begin)
    yield from solved(formula, about, 1, solver)


def solved(formula: WholeFormula, about: Statistics, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """The same with a SAT solver, from a ``formula`` with a goal on. ``at_most`` plays no part."""
    assert solver.solved is not None
    assert formula.goal is not None
    goal, least = formula.goal, int(formula.map.lower[formula.goal])
    yield Measured({"bound": least})
    yield Progress("loading", about)
    if formula.cnf.has_empty_clause:
        yield Finished(True, replace(about, load_s=0.0, solve_s=0.0))
        return
    from nonosat.solvers.sat.session import names

    yield from (incremental if solver.name in names() else again)(formula, goal, least, about, solver)


def bounded(formula: Formula, bound: Comparison, variables: int) -> tuple[list[list[int]], int]:
    """The clauses that state a ``bound`` of a variable, and how many Booleans there are with those that they need."""
    out = Collector(variables)
    expand(Clauses((bound,)), formula.map, out, Names())
    return list(out.cnf()), out.variables


def incremental(formula: Formula, goal: int, least: int, about: Statistics, solver: Solver) -> Iterator[Event]:
    """In one solver, which learns."""
    from nonosat.solvers.sat.session import can_rest, session_of

    variables, halving, best = formula.cnf.variables, HALVING, None
    exhausted = False
    with closing(session_of(solver.name, formula.cnf)) as session:
        formula = formula.without_clauses()
        yield Progress("solving", replace(about, load_s=session.load_s))
        while not exhausted:
            model, middle = None, None
            if best is not None and can_rest(solver.name) and best - least > 2:
                middle = (least + best) // 2
                clauses, variables = bounded(formula, at_most([goal], middle), variables)
                variables = selector = variables + 1
                for clause in clauses:
                    session.add([-selector, *clause])
                model = session.solve([selector], halving)
                if model is None and not session.gave_up:
                    least = middle + 1
                    yield Measured({"bound": least})
                halving = halving * 2 if session.gave_up else HALVING
                session.add([-selector])
            if model is None and (middle is None or session.gave_up):
                model = session.solve()
                exhausted = model is None
            if model is not None:
                cells = formula.cells(model)
                best = int(cells[goal])
                yield Found(cells)
                exhausted = best <= least
                if not exhausted:
                    clauses, variables = bounded(formula, at_most([goal], best - 1), variables)
                    for clause in clauses:
                        session.add(clause)
            exhausted |= best is not None and best <= least
            yield Progress("solving", session.statistics(about))
        if best is not None:
            yield Measured({"bound": best})
        yield Finished(True, session.statistics(about))


def again(formula: Formula, goal: int, least: int, about: Statistics, solver: Solver) -> Iterator[Event]:
    """With a solver that is started anew for each bound."""
    assert solver.solved is not None
    spent, best = about, None
    while best is None or best > least:
        found = None
        for event in solver.solved(formula, about, 1, solver):
            if isinstance(event, Found):
                found = event.cells
            elif isinstance(event, Finished):
                if found is None and not event.exhausted:
                    yield Finished(False, spent.plus(event.statistics), event.reason)
                    return
                spent = spent.plus(replace(event.statistics, encode_s=None))
            elif isinstance(event, Progress):
                yield event
        if found is None:
            break
        yield Found(found)
        yield Progress("solving", spent)
        best = int(found[goal])
        if best > least:
            clauses, variables = bounded(formula, at_most([goal], best - 1), formula.cnf.variables)
            formula = replace(formula, cnf=replace(formula.cnf.extended_by(clauses), variables=variables))
    if best is not None:
        yield Measured({"bound": best})
    yield Finished(True, spent)
