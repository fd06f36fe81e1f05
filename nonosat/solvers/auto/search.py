"""The solver ``auto``: for each kind of puzzle its best strategy, and SAT where a kind has none.

A strategy is a search for (puzzle, at most N boards); a kind's record names it (``PuzzleKind.strategy``). The
``reason`` of an answer names the parts that solved the puzzle; counters are those of all parts. Work is counted, not
timed, so that the same puzzle is solved in the same way every time. results/what-we-tried.md measures what each part is
worth.

Where the native code of the other parts must be compiled first, which takes seconds once a machine, SAT alone begins,
for ``QUICK`` conflicts, on boards of up to ``SMALL`` cells: an easy puzzle does not wait for a compiler. In a process
whose puzzles took SAT ``PATIENCE_S`` by then, it is compiled. Under limits compiling is on no clock, and comes first,
so that the records of a study do not depend on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from nonosat.compiled import LIBRARY, must_be_made, ready
from nonosat.interrupts import loading
from nonosat.puzzles.puzzle import Puzzle, kind_of
from nonosat.runs.events import Event, Finished, Found, Progress, Statistics
from nonosat.runs.solver import Solver
from nonosat.solvers.registry import solver

if TYPE_CHECKING:
    from nonosat.encodings.formula import Formula
    from nonosat.puzzles.skyscrapers import Skyscrapers
    from nonosat.solvers.sat.search import SearchStages


# Shared by the strategies: SAT as the last part, and costs that add up.


SAT = "minisat22"

Spent = Callable[[], Statistics]


def with_cost(spent: Spent, events: Iterable[Event]) -> Iterator[Event]:
    """``events``, with the cost of other parts added to theirs."""
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
    plan: SearchStages | None = None,
    more: Callable[[Formula], Formula] | None = None,
) -> Iterator[Event]:
    """SAT on ``puzzle`` by ``plan``. ``spent``: the cost of other parts; ``more`` adds their results to the formula."""
    load_sat()
    from nonosat.encodings.registry import encoding_of
    from nonosat.solvers.formulas import formula_of
    from nonosat.solvers.sat.search import USUAL, solved

    encoding, sat = encoding_of(puzzle), solver(SAT)
    yield Progress("encoding", spent(), encoding.name)
    formula, size = formula_of(puzzle, encoding)
    begin = perf_counter()
    if more is not None:
        formula = more(formula)
    encode_s = (size.encode_s or 0.0) + perf_counter() - begin
    about = Statistics(formula.cnf.variables, formula.cnf.clauses, encode_s)
    for event in with_cost(spent, solved(formula, about, at_most, sat, plan or USUAL)):
        if isinstance(event, Finished):
            event = replace(event, reason=f"by {sat.name} on {encoding.name}")
        yield event


# Skyscrapers: the five phases, with the fewest candidates first, for a number of boards; then SAT.


BOARDS, LARGEST = 2_000, 12
"""The phases treat so many boards at most, of at most this size; larger puzzles go to SAT at once."""


def skyscrapers_search(puzzle: Skyscrapers, at_most: int | None) -> Iterator[Event]:
    """Find at most ``at_most`` boards (None: all)."""
    if puzzle.size > LARGEST:
        yield from by_sat(puzzle, Statistics, at_most)
        return
    with loading():
        from nonosat.solvers.published.majdandzic import limited

    yield Progress("solving")
    begin = perf_counter()
    found, exhausted, about = yield from limited(puzzle, at_most, BOARDS)
    if found is not None:
        for cells in found:
            yield Found(cells)
        yield Finished(exhausted, about, "by five phases")
        return
    spent = replace(about, solve_s=perf_counter() - begin)
    for event in by_sat(puzzle, lambda: spent, at_most):
        yield replace(event, reason=f"{event.reason} after five phases") if isinstance(event, Finished) else event


QUICK, SMALL = 2_000, 10_000
PATIENCE_S = 4.0
"""Compiling takes so long on two cores: SAT in its place is given no more."""
NATIVE = {"nonogram": "nonosat.solvers.propagation.tree", "skyscrapers": "nonosat.solvers.published.majdandzic"}
"""The module whose native code a kind's strategy begins with."""
FRESH = 0
"""1: as if no native code were there (for tests)."""
SPENT = {"s": 0.0}
"""The time that SAT has taken in this process in place of native code."""


def search(puzzle: Puzzle, encoding: object, at_most: int | None, solver: Solver) -> Iterable[Event]:
    """Find at most ``at_most`` boards (None: all). The encoding is chosen here."""
    height, width = puzzle.shape
    native = NATIVE.get(puzzle.kind)
    missing = native is not None and (FRESH or (SPENT["s"] < PATIENCE_S and must_be_made(native)))
    if missing and height * width <= SMALL:
        return _quick(puzzle, at_most, perf_counter())
    return by_strategy(puzzle, at_most)


def by_strategy(puzzle: Puzzle, at_most: int | None) -> Iterable[Event]:
    """All parts, as the strategy of the puzzle's kind has them."""
    native = NATIVE.get(puzzle.kind)
    if native is not None and not LIBRARY.has(native):
        with loading():
            import_module(native)
            ready(native)
    strategy = kind_of(puzzle).strategy
    return by_sat(puzzle, Statistics, at_most) if strategy is None else strategy(puzzle, at_most)


def _quick(puzzle: Puzzle, at_most: int | None, begin: float) -> Iterator[Event]:
    """SAT alone for ``QUICK`` conflicts a board; if that is not enough, all parts from the beginning."""
    from nonosat.solvers.sat.search import SearchStages, Stage

    seen: set[bytes] = set()
    before = Statistics()
    for event in by_sat(puzzle, Statistics, at_most, SearchStages([Stage(QUICK)])):
        match event:
            case Found(cells):
                seen.add(cells.tobytes())
                yield event
            case Finished(exhausted, about):
                SPENT["s"] += perf_counter() - begin
                if exhausted or len(seen) == at_most:
                    yield event
                    return
                before = about
            case _:
                yield event
    for event in with_cost(lambda: before, by_strategy(puzzle, at_most)):
        if isinstance(event, Found):
            board = np.asarray(event.cells, dtype=np.uint8).tobytes()
            if board in seen or len(seen) == at_most:
                continue
            seen.add(board)
        yield event
