"""Other solutions near one that is known, and what all share, by a SAT solver that gives up after so many conflicts."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nonosat.encodings.registry import default_for
from nonosat.encodings.registry import encoding as encoding_named
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.formulas import formula_of
from nonosat.solvers.sat.session import Session

SOLVER = "minisat22"
Cells = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Neighbours:
    """``solutions``: those that were found. ``over``: there are no others that differ in a cell that all of them share.

    So a single solution is the only one if it is over, and none means that there is none.
    """

    solutions: list[Cells]
    over: bool

    @property
    def shared(self) -> Cells:
        """The value of each cell that all of them share, -1 for the others."""
        first = self.solutions[0]
        return np.where(np.all([cells == first for cells in self.solutions], axis=0), first, -1)


def neighbours(puzzle: Puzzle, known: list[Cells], conflicts: int, models: int) -> Neighbours:
    """At most so many ``models``, each of which differs from all before it in a cell in which these agree.

    ``known``: solutions, near which others are looked for first. It ends after so many ``conflicts`` in all.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> found = neighbours(Nonogram.from_lengths([[1], [1], []], [[1], [1], []]), [], 100, 10)
    >>> len(found.solutions), found.over, found.shared.tolist()
    (2, True, [[-1, -1, 0], [-1, -1, 0], [0, 0, 0]])
    """
    formula, _ = formula_of(puzzle, encoding_named(default_for(puzzle), puzzle.kind))
    if formula.cnf.has_empty_clause:
        return Neighbours([], True)
    solutions = list(known)
    board = formula.board.reshape(-1)
    with closing(Session(SOLVER, formula.cnf)) as session:
        if solutions:
            session.lean(formula.block(solutions[0]))
        while len(solutions) < models:
            if solutions:
                shared = Neighbours(solutions, False).shared.reshape(-1)
                same = np.flatnonzero(shared >= 0)
                if not len(same):
                    return Neighbours(solutions, True)
                session.add(formula.map.differ(board[same], shared[same].astype(np.int32)))
            spent = int((session.solver.accum_stats() or {}).get("conflicts", 0))
            if spent >= conflicts:
                break
            model = session.solve(conflicts=conflicts - spent)
            if model is None:
                return Neighbours(solutions, not session.gave_up)
            solutions.append(formula.cells(model).astype(np.int64))
    return Neighbours(solutions, False)
