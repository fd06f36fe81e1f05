"""The boards of a formula's models, found without the project's own search."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from pysat.solvers import Solver

from nonosat.encodings.formula import Formula

SOLVER = "minisat22"


def boards(formula: Formula) -> list[npt.NDArray[np.uint8]]:
    """The boards of all models, each once. AssertionError: one that was ruled out comes again."""
    found: list[npt.NDArray[np.uint8]] = []
    seen: set[bytes] = set()
    with Solver(SOLVER, bootstrap_with=list(formula.cnf)) as solver:
        while solver.solve():
            cells = formula.cells(solver.get_model())
            assert cells.tobytes() not in seen, f"a board that was ruled out comes again:\n{cells}"
            seen.add(cells.tobytes())
            found.append(cells)
            clause = formula.block(cells)
            solver.add_clause(clause)
            if not clause:
                break
    return found
