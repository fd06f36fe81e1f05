"""What all solutions share: off the diagram of all of them, or asked of a SAT solver cell by cell.

The SAT solver is asked for a solution in which some cell of those that all solutions found so far agree on is
different: each answer rules cells out, and where there is none the cells are settled (Marques-Silva, Janota and Lynce
2010; Janota, Lynce and Marques-Silva 2015: the algorithm with chunks). Chunks are small at first, and grow while the
solver says no.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from nonosat.counting.answer import CountBounds
from nonosat.encodings.formula import Formula
from nonosat.encodings.registry import Encoding
from nonosat.puzzles.puzzle import Puzzle, kind_of
from nonosat.runs.events import Finished, Progress, Statistics, Stopped
from nonosat.solvers.formulas import formula_of
from nonosat.solvers.sat.session import Session, session_of

SOLVER = "minisat22"
T = TypeVar("T")
Signs = npt.NDArray[np.int8]
Events = Iterator[CountBounds | Progress | Finished | Stopped]


def search(puzzle: Puzzle, encoding: Encoding, exact: bool) -> Events:
    """Find the backbone; ``exact``: count all solutions, however long that takes, so that shares are known.

    ``Known.possible`` is -1 where nothing is known; Finished means that of each cell it is known whether all agree.
    What a SAT solver has found narrows a second short count, which tells shares if it comes to its end.
    """
    given: npt.NDArray[Any] | None = None
    if (own := kind_of(puzzle).counting) is not None:
        told, given = yield from own.backbone(puzzle, exact, None)
        if told:
            return
    settled, about = yield from by_sat(puzzle, encoding, given)
    if own is not None and given is not None and settled is not None and (settled >= 0).sum() > (given >= 0).sum():
        told, _ = yield from continued(about, own.backbone(puzzle, False, settled))
        if told:
            return
    yield Finished(True, about)


def continued(about: Statistics, events: Generator[Any, None, T]) -> Generator[Any, None, T]:
    """The ``events`` of a search that goes on where another has cost ``about``; returns what it returns."""
    while True:
        try:
            event = next(events)
        except StopIteration as end:
            return cast(T, end.value)
        if isinstance(event, Progress | Finished) and event.statistics is not None:
            event = replace(event, statistics=about.plus(event.statistics))
        yield event


def by_sat(
    puzzle: Puzzle, encoding: Encoding, given: npt.NDArray[Any] | None
) -> Generator[Any, None, tuple[npt.NDArray[np.int64] | None, Statistics]]:
    """Find the backbone by SAT; returns it (None: there is no solution), and what that has cost.

    ``given``: what is known of cells already, -1 for nothing.
    """
    yield Progress("encoding")
    formula, about = formula_of(puzzle, encoding)
    with closing(session_of(SOLVER, formula.cnf)) as session:  # also if nobody asks for the rest
        asked = BackboneQueries(formula, session, given)
        yield from query_cells(asked, about)
        return (asked.settled if asked.seen else None), session.statistics(about)


def query_cells(asked: BackboneQueries, about: Statistics) -> Iterator[CountBounds | Progress]:
    """Ask until every cell is settled. ``about``: what encoding has cost."""
    yield Progress("asking", asked.session.statistics(about))
    if (first := asked.session.solve()) is None:
        yield CountBounds(solutions=0)
        return
    asked.saw(first)
    while asked.open():
        yield CountBounds(at_least=min(2, asked.seen), possible=asked.possible.copy())
        yield Progress("asking", asked.session.statistics(about))
        asked.ask()
    alone = bool(((asked.possible == 1).sum(axis=2) < 2).all())
    yield CountBounds(at_least=min(2, asked.seen), solutions=1 if alone else None, possible=asked.possible)


class BackboneQueries:
    """What a SAT solver has said of a formula's board.

    ``possible``: of each cell and value, shape (rows, columns, values): 1 if a solution has it, 0 if none does, -1 if
    it is not known. ``agreed``: cells, flat, of which all solutions seen have the same value, and whether others do is
    not known.
    """

    def __init__(self, formula: Formula, session: Session, given: npt.NDArray[Any] | None) -> None:
        self.formula, self.session = formula, session
        board = formula.board.reshape(-1)
        values = int(formula.map.upper[board].max()) + 1
        self.possible: Signs = np.full((*formula.board.shape, values), -1, dtype=np.int8)
        for value in range(values):
            out = (formula.map.lower[board] > value) | (formula.map.upper[board] < value)
            self.possible.reshape(-1, values)[out, value] = 0
        self.given = np.full(len(board), -1) if given is None else np.asarray(given).reshape(-1)
        for cell in np.flatnonzero(self.given >= 0).tolist():
            self._settle(cell, int(self.given[cell]))
        self.seen, self.chunk, self.auxiliary = 0, 1, formula.cnf.variables
        self.agreed: npt.NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self.value = np.zeros(len(board), dtype=np.int32)

    def open(self) -> bool:
        """Is there a cell of which it is not known whether all solutions agree?"""
        return len(self.agreed) > 0

    def saw(self, model: list[int]) -> None:
        """A solution."""
        cells = self.formula.cells(model).reshape(-1).astype(np.int32)
        flat = self.possible.reshape(len(cells), -1)
        flat[np.arange(len(cells)), cells] = 1
        if self.seen == 0:
            self.value = cells
            self.agreed = np.flatnonzero(self.given < 0)
        self.agreed = self.agreed[cells[self.agreed] == self.value[self.agreed]]
        self.seen += 1

    def ask(self, conflicts: int | None = None) -> None:
        """Ask for a solution in which some of the next cells are different; nothing is settled after ``conflicts``."""
        cells = self.agreed[: self.chunk]
        self.auxiliary += 1
        differ = self.formula.map.differ(self.formula.board.reshape(-1)[cells], self.value[cells])
        self.session.add([-self.auxiliary, *differ])
        model = self.session.solve([self.auxiliary], conflicts)
        self.session.add([-self.auxiliary])
        if self.session.gave_up:
            self.chunk = max(1, self.chunk // 2)
            return
        if model is not None:
            self.saw(model)
            self.chunk = max(1, self.chunk // 2)
            return
        self.agreed = self.agreed[self.chunk :]
        self.chunk *= 2
        for cell in cells.tolist():
            self._settle(cell, int(self.value[cell]))
            self._state(cell, int(self.value[cell]))

    @property
    def propagations(self) -> int:
        """How many the solver has made."""
        return self.session.statistics(Statistics()).propagations or 0

    @property
    def settled(self) -> npt.NDArray[np.int64]:
        """The value of each cell that is the same in all solutions, -1 for the others; shape (rows, columns)."""
        return shared(self.possible)

    def _settle(self, cell: int, value: int) -> None:
        """All solutions have this ``value``."""
        flat = self.possible.reshape(-1, self.possible.shape[2])
        flat[cell] = 0
        flat[cell, value] = 1

    def _state(self, cell: int, value: int) -> None:
        """Tell the solver so, where that is a clause of one literal each."""
        variable = self.formula.board.reshape(-1)[[cell]]
        literals = self.formula.map.differ(variable, np.array([value], dtype=np.int32))
        for literal in literals:
            self.session.add([-literal])


def shared(possible: Signs) -> npt.NDArray[np.int64]:
    """The value of each cell that no other value is left for, -1 elsewhere; ``possible`` as in ``Asked``."""
    alone = (possible == 0).sum(axis=2) == possible.shape[2] - 1
    return np.where(alone, possible.argmax(axis=2), -1)
