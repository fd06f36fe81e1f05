"""The boards of a formula's models, found without the project's own search."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from pysat.solvers import Solver

from nonosat.encodings.formula import Formula

SOLVER = "minisat22"


def boards(formula: Formula) -> list[npt.NDArray[np.uint8]]:
    """The boards of all models, each once."""
    found = []
    with Solver(SOLVER, bootstrap_with=list(formula.cnf)) as solver:
        while solver.solve():
            cells = formula.cells(solver.get_model())
            found.append(cells)
            clause = formula.block(cells)
            solver.add_clause(clause)
            if not clause:
                break
    return found


def refuted(formula: Formula) -> bool:
    """Whether there is an empty clause: some solvers make nothing of it."""
    return bool(formula.cnf.has_empty_clause)
