"""The backbone: the cells that have the same value in all solutions.

A short count gives it where the kind of puzzle has a counter of its own. Else a SAT solver finds it. Each query asks
for a solution that differs, in some of the next cells, from what all known solutions share. A new solution removes
cells from the candidates; where there is none, these cells are in the backbone (Marques-Silva, Janota and Lynce 2010;
Janota, Lynce and Marques-Silva 2015, the algorithm with chunks).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from nonosat.counting.answer import CountBounds
from nonosat.encodings.formula import Formula
from nonosat.encodings.registry import Encoding, encoding_of
from nonosat.puzzles.puzzle import Puzzle, kind_of
from nonosat.runs.events import Finished, Progress, Statistics, Stopped
from nonosat.solvers.formulas import formula_of
from nonosat.solvers.sat.session import Session, session_of

SOLVER = "minisat22"
T = TypeVar("T")
Signs = npt.NDArray[np.int8]
Cells = npt.NDArray[np.int64]
Events = Iterator[CountBounds | Progress | Finished | Stopped]


def search(puzzle: Puzzle, encoding: Encoding, exact: bool) -> Events:
    """Find the backbone; ``exact``: count all solutions, however long that takes, so that shares are known.

    ``CountBounds.possible`` is -1 where nothing is known. Finished means that the backbone is complete. After SAT a
    second short count begins with the backbone fixed; if it ends, it gives the shares.
    """
    known: npt.NDArray[Any] | None = None
    if (own := kind_of(puzzle).counting) is not None:
        complete, known = yield from own.backbone(puzzle, exact, None)
        if complete:
            return
    fixed, cost = yield from by_sat(puzzle, encoding, known)
    if own is not None and known is not None and fixed is not None and (fixed >= 0).sum() > (known >= 0).sum():
        complete, _ = yield from continued(cost, own.backbone(puzzle, False, fixed))
        if complete:
            return
    yield Finished(True, cost)


def continued(cost: Statistics, events: Generator[Any, None, T]) -> Generator[Any, None, T]:
    """The ``events`` of a search that follows one that has cost ``cost``; returns what it returns."""
    while True:
        try:
            event = next(events)
        except StopIteration as end:
            return cast(T, end.value)
        if isinstance(event, Progress | Finished) and event.statistics is not None:
            event = replace(event, statistics=cost.plus(event.statistics))
        yield event


def by_sat(
    puzzle: Puzzle, encoding: Encoding, known: npt.NDArray[Any] | None
) -> Generator[Any, None, tuple[Cells | None, Statistics]]:
    """Find the backbone by SAT; returns it (None: there is no solution), and what that has cost.

    ``known``: the cells that are known to be in the backbone already, -1 for the others.
    """
    yield Progress("encoding")
    formula, cost = formula_of(puzzle, encoding)
    with closing(session_of(SOLVER, formula.cnf)) as session:  # also if the caller drops the generator
        queries = BackboneQueries(formula, session, known)
        yield Progress("asking", session.statistics(cost))
        queries.query()
        while not queries.complete:
            yield CountBounds(at_least=min(2, queries.seen), possible=queries.possible.copy())
            yield Progress("asking", session.statistics(cost))
            queries.query()
        if not queries.seen:
            yield CountBounds(solutions=0)
            return None, session.statistics(cost)
        one = bool(((queries.possible == 1).sum(axis=2) < 2).all())
        yield CountBounds(at_least=min(2, queries.seen), solutions=1 if one else None, possible=queries.possible)
        return queries.fixed, session.statistics(cost)


@dataclass(frozen=True, eq=False)
class BoundedBackbone:
    """``solutions``: those that were found. ``complete``: every solution has the values that all of these share.

    So one solution is the only one if the search is complete, and none means that there is none.
    """

    solutions: list[Cells]
    complete: bool

    @property
    def shared(self) -> Cells:
        """The value of each cell that all ``solutions`` share, -1 for the others."""
        first = self.solutions[0]
        return np.where(np.all([cells == first for cells in self.solutions], axis=0), first, -1)


def bounded_backbone(puzzle: Puzzle, known: list[Cells], conflicts: int, models: int) -> BoundedBackbone:
    """The backbone as far as ``conflicts`` conflicts in all and ``models`` solutions show it; always the same.

    ``known``: solutions; the search looks near the first of them first.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> found = bounded_backbone(Nonogram.from_lengths([[1], [1], []], [[1], [1], []]), [], 100, 10)
    >>> len(found.solutions), found.complete, found.shared.tolist()
    (2, True, [[-1, -1, 0], [-1, -1, 0], [0, 0, 0]])
    """
    formula, _ = formula_of(puzzle, encoding_of(puzzle))
    if formula.cnf.has_empty_clause:
        return BoundedBackbone([], True)
    solutions = list(known)
    with closing(Session(SOLVER, formula.cnf)) as session:
        queries = BackboneQueries(formula, session, at_once=True)
        if solutions:
            session.prefer_false(formula.block(solutions[0]))
        for cells in solutions:
            queries.add(cells)
        while len(solutions) < models and not queries.complete:
            spent = session.statistics(Statistics()).conflicts or 0
            if spent >= conflicts:
                break
            found = queries.query(conflicts - spent)
            if found is not None:
                solutions.append(found.astype(np.int64))
            elif session.gave_up:
                break
    return BoundedBackbone(solutions, queries.complete)


class BackboneQueries:
    """The backbone of a formula, query by query.

    ``possible``: of each cell and value, shape (rows, columns, values): 1 if a solution has it, 0 if none has, -1 if
    that is not known. ``agreed``: the cells, flat, in which all ``seen`` solutions agree and others may still differ.
    ``fixed``: the cells that are known to be in the backbone, -1 for the others.

    A query concerns a chunk of the agreed cells. Chunks are small at first, double where all solutions agree, and
    halve where a solution differs or the solver gives up. ``at_once``: a chunk is all agreed cells. Then later
    solutions satisfy the query's clause, too, so that it needs no assumption.
    """

    def __init__(
        self, formula: Formula, session: Session, fixed: npt.NDArray[Any] | None = None, at_once: bool = False
    ) -> None:
        self.formula, self.session, self.at_once = formula, session, at_once
        self.board = formula.board.reshape(-1)
        values = int(formula.map.upper[self.board].max()) + 1
        self.possible: Signs = np.full((*formula.board.shape, values), -1, dtype=np.int8)
        self.flat = self.possible.reshape(-1, values)
        for value in range(values):
            out = (formula.map.lower[self.board] > value) | (formula.map.upper[self.board] < value)
            self.flat[out, value] = 0
        known = np.full(len(self.board), -1) if fixed is None else np.asarray(fixed).reshape(-1)
        self.agreed: Cells = np.flatnonzero(known < 0)
        self.value = known.astype(np.int32)
        self._fix(np.flatnonzero(known >= 0))
        self.seen, self.chunk, self.auxiliary = 0, 1, formula.cnf.variables
        self.unsatisfiable = False

    @property
    def complete(self) -> bool:
        """Is the backbone known, or that there is no solution?"""
        return self.unsatisfiable or (self.seen > 0 and len(self.agreed) == 0)

    @property
    def fixed(self) -> Cells:
        """The value of each cell that is known to be in the backbone, -1 for the others; shape (rows, columns)."""
        return fixed_values(self.possible)

    @property
    def propagations(self) -> int:
        """How many propagations the solver has made."""
        return self.session.statistics(Statistics()).propagations or 0

    def add(self, solution: npt.NDArray[Any]) -> None:
        """Take a ``solution`` into account."""
        cells = solution.reshape(-1).astype(np.int32)
        self.flat[np.arange(len(cells)), cells] = 1
        if self.seen == 0:
            self.value = cells
        self.agreed = self.agreed[cells[self.agreed] == self.value[self.agreed]]
        self.seen += 1

    def query(self, conflicts: int | None = None) -> npt.NDArray[Any] | None:
        """Ask for a solution that differs in the next chunk, or for a first one; returns it.

        After so many ``conflicts`` the solver gives up: then nothing is learnt of the chunk.
        """
        if not self.seen:
            model = self.session.solve((), conflicts)
            self.unsatisfiable = model is None and not self.session.gave_up
            return None if model is None else self._found(model)
        chunk = self.agreed if self.at_once else self.agreed[: self.chunk]
        model = self._differing(chunk, conflicts)
        if model is not None or self.session.gave_up:
            self.chunk = max(1, self.chunk // 2)
            return None if model is None else self._found(model)
        self.agreed = self.agreed[len(chunk) :]
        self.chunk *= 2
        self._fix(chunk)
        for literal in self.formula.map.differ(self.board[chunk], self.value[chunk]) if not self.at_once else ():
            self.session.add([-literal])
        return None

    def _found(self, model: list[int]) -> npt.NDArray[Any]:
        cells = self.formula.cells(model)
        self.add(cells)
        return cells

    def _differing(self, cells: Cells, conflicts: int | None) -> list[int] | None:
        """A model that differs from the known solutions in one of ``cells``."""
        differ = self.formula.map.differ(self.board[cells], self.value[cells])
        if self.at_once:
            self.session.add(differ)
            return self.session.solve((), conflicts)
        self.auxiliary += 1
        self.session.add([-self.auxiliary, *differ])
        model = self.session.solve([self.auxiliary], conflicts)
        self.session.add([-self.auxiliary])
        return model

    def _fix(self, cells: Cells) -> None:
        """All solutions have these ``cells`` in common."""
        self.flat[cells] = 0
        self.flat[cells, self.value[cells]] = 1


def fixed_values(possible: Signs) -> Cells:
    """The value of each cell that has one possible value, -1 elsewhere; ``possible`` as in ``BackboneQueries``."""
    one = (possible == 0).sum(axis=2) == possible.shape[2] - 1
    return np.where(one, possible.argmax(axis=2), -1)
