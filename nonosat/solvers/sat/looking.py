"""What can be seen of a SAT solver that is watched: it rests after some conflicts, and is asked what it knows by now.

python-sat's solvers cannot be looked into while they work. So a watched one gets a budget of conflicts, about as many
as it has between two glimpses, and goes on from its learnt clauses afterwards: most of them begin a new restart then,
and so take another way than unwatched ones. In between a few cells' literals are propagated: those that are refuted by
unit propagation, from the formula and all that was learnt, are false for good. (The guesses that a solver is at, and
its saved phases, none of them tells.) Kissat and Lingeling cannot rest, and CaDiCaL, MapleCM and MapleChrono
would be slower for it: nothing but their time can be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from math import inf
from time import process_time

import numpy as np
import numpy.typing as npt

from nonosat.encodings.formula import Formula
from nonosat.solvers.answer import Event, Glimpse, Statistics
from nonosat.solvers.sat.session import Session, can_rest
from nonosat.solvers.watched import glimpse, watch

FIRST, AIM = 5, 0.45
"""Conflicts before the first rest, and the share of the time between two glimpses that the next ones are to take."""
LEAST_S = 0.01
"""Of CPU time, that a solver works between two rests at least: a rest takes 0.2 to 0.6 ms."""
CELL_SHARE = 0.04
"""Of the CPU time since the last glimpse, in which cells are asked for; those left are asked first the next time."""
CLOSE_S = 0.02
"""The CPU seconds for that when it is watched closely: they are no part of the search's time, but somebody waits."""


class Looks:
    """How a session is solved in, with glimpses if somebody watches. ``before``: what the search has cost already."""

    def __init__(self, session: Session, formula: Formula, before: Statistics) -> None:
        self.session, self.before = session, before
        self.watch = watch() if can_rest(session.name) else None
        self.known = None if self.watch is None else Known(formula)
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


class Known:
    """The cells of a formula's board, as far as they are known for good: what each may still be."""

    def __init__(self, formula: Formula) -> None:
        self.shape = formula.board.shape
        place = {int(variable): cell for cell, variable in enumerate(formula.board.reshape(-1))}
        self.may = [set(range(int(low), int(high) + 1)) for low, high in _domains(formula)]
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
        asked = 0
        for literal, cell, values in self.waiting:
            asked += 1
            if len(self.may[cell]) > 1 and refuted(literal):
                self.may[cell] -= values
            if process_time() > until_s:
                break
        again = [entry for entry in self.waiting[:asked] if len(self.may[entry[1]]) > 1]
        self.waiting = self.waiting[asked:] + again

    def cells(self) -> npt.NDArray[np.int16] | None:
        """The cells that can be one value only; -1: others."""
        if not self.tells:
            return None
        values = [next(iter(may)) if len(may) == 1 else -1 for may in self.may]
        return np.array(values, dtype=np.int16).reshape(self.shape)


def settled(formula: Formula) -> npt.NDArray[np.int16] | None:
    """The cells that unit propagation settles in ``formula`` by itself, -1: others; None: it finds a contradiction.

    >>> from nonosat.encodings.registry import encoding
    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> settled(encoding("tight+r3+order").formula(Nonogram.from_lengths([[2], []], [[1], [1]]))).tolist()
    [[1, 1], [0, 0]]
    """
    known = Known(formula)
    session = Session("minisat22", formula.cnf)
    try:
        if formula.cnf.has_empty_clause or not session.consistent:
            return None
        known.ask(lambda literal: session.implies(-literal))
        return known.cells()
    finally:
        session.close()


def _domains(formula: Formula) -> list[tuple[int, int]]:
    board = formula.board.reshape(-1)
    return list(zip(formula.map.lower[board].tolist(), formula.map.upper[board].tolist(), strict=True))
