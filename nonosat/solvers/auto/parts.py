"""What the strategies of ``auto`` share: SAT as the last part, and costs that add up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from nonosat.interrupts import loading
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.answer import Event, Finished, Progress, Statistics
from nonosat.solvers.registry import solver

if TYPE_CHECKING:
    from nonosat.encodings.formula import Formula
    from nonosat.solvers.sat.search import Plan

SAT = "minisat22"

Spent = Callable[[], Statistics]


def after(spent: Spent, events: Iterator[Event]) -> Iterator[Event]:
    """``events``, with what was spent beside them added to their cost."""
    for event in events:
        if isinstance(event, Finished | Progress):
            yield replace(event, statistics=spent().plus(event.statistics))
        else:
            yield event


def load_sat() -> None:
    """Import what ``by_sat`` needs: a limited run that comes to that late does all its work again."""
    with loading():
        import nonosat.encodings.registry
        import nonosat.solvers.formulas
        import nonosat.solvers.sat.search  # noqa: F401


def by_sat(
    puzzle: Puzzle,
    spent: Spent,
    at_most: int | None,
    plan: Plan | None = None,
    more: Callable[[Formula], Formula] | None = None,
) -> Iterator[Event]:
    """SAT on ``puzzle`` by ``plan``; ``spent``: what other parts have cost. ``more``: adds what they found out."""
    load_sat()
    from nonosat.encodings.registry import default_for
    from nonosat.encodings.registry import encoding as encoding_named
    from nonosat.solvers.formulas import formula_of
    from nonosat.solvers.sat.search import USUAL, solved

    encoding, sat = encoding_named(default_for(puzzle), puzzle.kind), solver(SAT)
    yield Progress("encoding", spent(), encoding.name)
    formula, size = formula_of(puzzle, encoding)
    begin = perf_counter()
    if more is not None:
        formula = more(formula)
    encode_s = (size.encode_s or 0.0) + perf_counter() - begin
    about = Statistics(formula.cnf.variables, formula.cnf.clauses, encode_s)
    for event in after(spent, solved(formula, about, at_most, sat, plan or USUAL)):
        if isinstance(event, Finished):
            event = replace(event, reason=f"by {sat.name} on {encoding.name}")
        yield event
