"""The SAT solvers of python-sat as searches over the boards of a formula's models.

Models are ruled out one by one by a clause over the board's cells alone, in the same solver.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from math import inf
from time import process_time
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.encodings.formula import Formula
from nonosat.errors import SolverError
from nonosat.runs.events import Event, Finished, Found, Glimpse, Progress, Statistics
from nonosat.runs.solver import Solver
from nonosat.runs.watched import glimpse, watch
from nonosat.solvers.sat.session import Session, can_rest, session_of

# What can be seen of a SAT solver that is watched: it pauses after some conflicts, and its known literals are read.
#
# python-sat's solvers cannot be looked into while they work. So a watched one gets a budget of conflicts, about as many
# as it has between two glimpses, and goes on from its learnt clauses afterwards: most of them begin a new restart then,
# and so take another way than unwatched ones. In between a few cells' literals are propagated: those that are refuted
# by
# unit propagation, from the formula and all that was learnt, are false for good. (The guesses that a solver is at, and
# its saved phases, none of them reports.) Kissat and Lingeling cannot rest, and CaDiCaL, MapleCM and MapleChrono
# would be slower for it: nothing but their time can be seen.


FIRST, AIM = 5, 0.45
"""Conflicts before the first rest, and the share of the time between two glimpses that the next ones are to take."""
LEAST_S = 0.01
"""Of CPU time, that a solver works between two rests at least: a rest takes 0.2 to 0.6 ms."""
CELL_SHARE = 0.04
"""Of the CPU time since the last glimpse, in which cells are tested; those left come first the next time."""
CLOSE_S = 0.02
"""The CPU seconds for that when it is watched closely: they are no part of the search's time, but the user waits."""


class Looks:
    """How a session is solved in, with glimpses if it is watched. ``before``: what the search has cost already."""

    def __init__(self, session: Session, formula: Formula, before: Statistics) -> None:
        self.session, self.before = session, before
        self.watch = watch() if can_rest(session.name) else None
        self.known = None if self.watch is None else FixedCells(formula)
        self.worked_s = 0.0

    def solve(self, conflicts: int | None, assumptions: Sequence[int] = ()) -> Generator[Event, None, list[int] | None]:
        """Give a model as ``Session.solve`` does, after at most so many ``conflicts`` in all."""
        if self.watch is None:
            return self.session.solve(assumptions, conflicts)
        left, budget = conflicts, FIRST
        while True:
            most = budget if left is None else min(budget, left)
            begin, cpu_s = self.watch.now_s(), process_time()
            model = self.session.solve(assumptions, most)
            took, worked = self.watch.now_s() - begin, process_time() - cpu_s
            self.worked_s += worked
            left = None if left is None else left - most
            if model is not None or not self.session.gave_up or left == 0:
                return model
            if not self.watch.closely:
                pace = max(AIM * self.watch.every_s / max(took, 1e-6), LEAST_S / max(worked, 1e-6))
                budget = 1 + int(budget * min(2.0, pace))
            yield from glimpse(self.seen)

    def seen(self) -> Glimpse:
        """How the search stands at its rest."""
        assert self.watch is not None
        assert self.known is not None
        allowed_s = CLOSE_S if self.watch.closely else CELL_SHARE * self.worked_s
        self.worked_s = 0.0
        self.known.ask(self.session.refutes, process_time() + allowed_s)
        return Glimpse("conflicts", self.session.statistics(self.before), self.known.cells())


class FixedCells:
    """The cells of a formula's board, as far as they are known for good: what each may still be."""

    def __init__(self, formula: Formula) -> None:
        self.shape = formula.board.shape
        place = {int(variable): cell for cell, variable in enumerate(formula.board.reshape(-1))}
        self.may = [set(formula.map.values(variable)) for variable in formula.board.reshape(-1).tolist()]
        self.waiting: list[tuple[int, int, frozenset[int]]] = []
        """(literal, cell, the values that it is true of)."""
        last = max(place)
        try:
            for boolean, variable, values in formula.map.meanings():
                if variable > last:
                    break
                if (cell := place.get(variable)) is not None:
                    inside = frozenset(values)
                    self.waiting.append((boolean, cell, inside))
                    self.waiting.append((-boolean, cell, frozenset(self.may[cell] - inside)))
        except NotImplementedError:  # an encoding that does not say what its Booleans mean
            self.waiting = []
        self.tells = bool(self.waiting)

    def ask(self, refuted: Callable[[int], bool], until_s: float = inf) -> None:
        """Ask which literals of open cells are ``refuted``, in turn, until the time is over."""
        tried = 0
        for literal, cell, values in self.waiting:
            tried += 1
            if len(self.may[cell]) > 1 and refuted(literal):
                self.may[cell] -= values
            if process_time() > until_s:
                break
        again = [entry for entry in self.waiting[:tried] if len(self.may[entry[1]]) > 1]
        self.waiting = self.waiting[tried:] + again

    def cells(self) -> npt.NDArray[np.int16] | None:
        """The cells that can be one value only; -1: others."""
        if not self.tells:
            return None
        values = [next(iter(may)) if len(may) == 1 else -1 for may in self.may]
        return np.array(values, dtype=np.int16).reshape(self.shape)


def unit_consequences(formula: Formula) -> npt.NDArray[np.int16] | None:
    """The cells that unit propagation fixes in ``formula`` by itself, -1: others; None: it finds a contradiction.

    >>> from nonosat.encodings.registry import encoding
    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> unit_consequences(encoding("tight+r3+order").formula(Nonogram.from_lengths([[2], []], [[1], [1]]))).tolist()
    [[1, 1], [0, 0]]
    """
    known = FixedCells(formula)
    session = Session("minisat22", formula.cnf)
    try:
        if formula.cnf.has_empty_clause or not session.consistent:
            return None
        known.ask(lambda literal: session.implies(-literal))
        return known.cells()
    finally:
        session.close()


BoardSearch = Callable[[], Generator[Event, None, npt.NDArray[Any] | None]]


class Stage(NamedTuple):
    """A part of a search: for at most ``conflicts`` a model (None: until no model is left).

    ``begin``, until a board has been found: a search for some cells of one (-1: others), which SAT completes, for all
    cells, or for none. ``end``: the search for the whole board, if SAT gave those cells up.
    """

    conflicts: int | None = None
    begin: BoardSearch | None = None
    end: BoardSearch | None = None


class SearchStages(NamedTuple):
    """How models are looked for: in ``stages``, one after the other, each until it gives up.

    ``known``: boards that have been found already; others are looked for near them first, and they count as found.
    ``images``: the cells of a board (row by row) permuted so are a board too.
    """

    stages: Iterable[Stage] = (Stage(),)
    known: Sequence[npt.NDArray[Any]] = ()
    images: Sequence[npt.NDArray[np.int64]] = ()


USUAL = SearchStages()


def solved(
    formula: Formula, statistics: Statistics, at_most: int | None, solver: Solver, plan: SearchStages = USUAL
) -> Iterator[Event]:
    """Find at most ``at_most`` boards (None: all) of ``formula``; ``statistics`` says what that has cost."""
    yield Progress("loading", statistics)
    if formula.cnf.has_empty_clause:  # solvers differ in what they make of one
        yield Finished(True, replace(statistics, load_s=0.0, solve_s=0.0))
        return
    session = session_of(solver.name, formula.cnf)
    formula = formula.without_clauses()  # the solver has them now
    yield from models(session, formula, at_most, statistics, plan)


def orbit(board: npt.NDArray[Any], images: Sequence[npt.NDArray[np.int64]]) -> Iterator[npt.NDArray[Any]]:
    """``board``, and what its cells permuted by each of ``images`` are; some may be the same."""
    yield board
    for image in images:
        yield board.reshape(-1)[image].reshape(board.shape)


def models(
    session: Session, formula: Formula, at_most: int | None, statistics: Statistics, plan: SearchStages = USUAL
) -> Iterator[Event]:
    """The boards of the models in ``session``, no board twice; ``statistics`` is what went before."""
    seen: set[bytes] = set()
    blocked: list[list[int]] = []
    exhausted, looks = False, Looks(session, formula, statistics)

    def enough() -> bool:
        return at_most is not None and len(blocked) >= at_most

    def rule_out(board: npt.NDArray[Any]) -> None:
        seen.add(board.tobytes())
        blocked.append(formula.block(board))
        if not enough():
            session.add(blocked[-1])

    def news(cells: npt.NDArray[Any]) -> Iterator[Found]:
        """``cells`` and its images, as far as they are new."""
        for board in orbit(cells, plan.images):
            if not enough() and board.tobytes() not in seen:
                yield Found(board)
                rule_out(board)

    with closing(session):
        for cells in plan.known:
            session.prefer_false(formula.block(cells))
            rule_out(cells)
        for stage in plan.stages:
            if enough() or exhausted:
                break
            yield Progress("solving", replace(statistics, load_s=session.load_s))
            if stage.begin is not None:
                if not blocked and (part := (yield from stage.begin())) is not None:
                    model, whole = None, part if (part >= 0).all() else None
                    if whole is None:
                        model = yield from looks.solve(stage.conflicts, formula.laid(part))
                        if model is None and session.gave_up and stage.end is not None:
                            whole = yield from stage.end()
                    if model is not None:
                        yield from news(formula.cells(model))
                    elif whole is not None:
                        session.prefer_false(formula.block(whole))
                        yield from news(whole)
                continue
            while not enough():
                model = yield from looks.solve(stage.conflicts)
                if model is None:
                    exhausted = not session.gave_up
                    break
                cells = formula.cells(model)
                if cells.tobytes() in seen:  # it would come again and again
                    raise SolverError(f"{session.name} gave a board that was ruled out")
                yield from news(cells)
                if len(seen) == 1 and not enough():  # what the first has cost
                    yield Progress("solving", session.statistics(statistics))
        yield Finished(exhausted, session.statistics(statistics))
