"""Proofs of what a model has not: a solution, another solution, a better one; as a formula and a DRAT proof of it.

What is proved is that the *formula* has no model. That it states the model is the encoding's part, which is tested and
not proved. The solution that is left out has been checked by what the constraints mean.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from nonosat.csp.model import at_most, numbers
from nonosat.csp.statement import Problem
from nonosat.encodings import dimacs
from nonosat.encodings.formula import Formula
from nonosat.errors import SolverError, UnsupportedError
from nonosat.files import made_folder, write_atomically
from nonosat.interrupts import late_interrupts
from nonosat.modelling.knowledge import formula_of
from nonosat.modelling.solve import Solution, encoding_for, request_of
from nonosat.runs.events import Verdict
from nonosat.solvers.optimum import bounded
from nonosat.solvers.sat import DRAT
from nonosat.solvers.sat.proofs import FORMULA, PROOF, attempt, check, prover


@dataclass(frozen=True, eq=False, repr=False)
class ModelProof:
    """That ``claim`` holds: the ``formula`` has no model, by the ``steps`` of a DRAT proof.

    ``solution``: the one beside which there is no other, or than which none is better; None: there is none at all.
    No ``steps``: there are several solutions, so that nothing is proved.
    """

    statement: Problem
    encoding: str
    solver: str
    claim: str
    solution: Solution | None
    formula: Formula
    steps: tuple[str, ...] | None

    def __repr__(self) -> str:
        size = "nothing is proved" if self.steps is None else f"{len(self.steps):,} steps"
        return f"<ModelProof {self.claim}: {size} ({self.encoding}, {self.solver})>"

    def write(self, folder: str | Path) -> None:
        """Write the formula (DIMACS) and the proof (DRAT) into ``folder``. UnsupportedError: nothing is proved."""
        if self.steps is None:
            raise UnsupportedError(f"{self.claim}: there is nothing to prove")
        with late_interrupts():  # both, or neither
            target = made_folder(folder)
            write_atomically(target / FORMULA, dimacs.write(self.formula, self.encoding, self.statement.name))
            write_atomically(target / PROOF, (f"{step}\n" for step in self.steps))

    def fault(self) -> str | None:
        """Why the proof does not hold, or None if it does: dratify checks every step."""
        with TemporaryDirectory(prefix="nonosat-", ignore_cleanup_errors=True) as folder:
            self.write(folder)
            return check(folder)


def prove(statement: Problem, encoding: str | None = None, solver: str = DRAT) -> ModelProof:
    """Prove that a model has no solution, or one and no other; with an objective, that none is better than the best.

    UnsupportedError: a solver whose proofs do not hold. SolverError: the solver failed, or the encoding is wrong.
    """
    name = prover(solver)
    lowered = statement.lowered()
    encoding = encoding_for(lowered.csp, encoding)
    formula, _ = formula_of(lowered.csp, encoding)
    answer = request_of(statement, lowered, encoding=encoding, solver=name).solved()
    if answer.verdict not in (Verdict.SAT, Verdict.UNSAT):
        raise SolverError(f"there is nothing to prove: {answer.verdict} ({answer.reason})")
    best, claim = answer.solution, "there is no solution"
    if best is not None and lowered.objective is not None:
        assert answer.objective is not None
        claim = f"there is no better solution than {answer.objective}"
        better = at_most([lowered.objective], lowered.sign * answer.objective - 1)
        clauses, variables = bounded(formula, better, formula.cnf.variables)
        cnf = replace(formula.cnf, variables=variables).extended_by(clauses)
        formula = replace(formula, cnf=cnf)
    elif best is not None:
        claim = "there is no other solution"
        other = formula.map.differ(lowered.csp.board.reshape(-1), numbers(statement.projected(best.values)))
        formula = replace(formula, cnf=formula.cnf.extended_by([other]))
    found = attempt(name, formula)
    if found.cells is None:
        return ModelProof(statement, encoding, name, claim, best, formula, found.steps)
    if best is None or lowered.objective is not None:
        raise SolverError(f"{name} says that {claim}, and finds one")
    return ModelProof(statement, encoding, name, "there are several solutions", best, formula, None)
