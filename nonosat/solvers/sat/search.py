"""The SAT solvers of python-sat as searches over the boards of a formula's models.

Models are ruled out one by one by a clause over the board's cells alone, in the same solver.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.encodings.formula import Formula
from nonosat.errors import SolverError
from nonosat.solvers.answer import Event, Finished, Found, Progress, Statistics
from nonosat.solvers.sat.looking import Looks
from nonosat.solvers.sat.session import Session, session_of
from nonosat.solvers.solver import Solver

Asked = Callable[[], Generator[Event, None, npt.NDArray[Any] | None]]


class Stage(NamedTuple):
    """A part of a search: for at most ``conflicts`` a model (None: until no model is left).

    Two kinds are for the time until a board has been found. ``find``: no SAT solver's part, but one that is asked for a
    board, and may have none. ``begin``: asked for some cells of one (-1: others), which SAT is to complete; nor may it.
    """

    conflicts: int | None = None
    find: Asked | None = None
    begin: Asked | None = None


class Plan(NamedTuple):
    """How models are looked for: in ``stages``, one after the other, each until it gives up.

    ``known``: boards that have been found already; others are looked for near them first, and they count as found.
    ``images``: the cells of a board (row by row) permuted so are a board too.
    """

    stages: Iterable[Stage] = (Stage(),)
    known: Sequence[npt.NDArray[Any]] = ()
    images: Sequence[npt.NDArray[np.int64]] = ()


USUAL = Plan()


def solved(
    formula: Formula, statistics: Statistics, at_most: int | None, solver: Solver, plan: Plan = USUAL
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
    session: Session, formula: Formula, at_most: int | None, statistics: Statistics, plan: Plan = USUAL
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
            session.lean(formula.block(cells))
            rule_out(cells)
        for stage in plan.stages:
            if enough() or exhausted:
                break
            yield Progress("solving", replace(statistics, load_s=session.load_s))
            if stage.find is not None:
                if not blocked and (board := (yield from stage.find())) is not None:
                    session.lean(formula.block(board))
                    yield from news(board)
                continue
            if stage.begin is not None:
                if not blocked and (part := (yield from stage.begin())) is not None:
                    model = yield from looks.solve(stage.conflicts, formula.laid(part))
                    if model is not None:
                        yield from news(formula.cells(model))
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
