"""Certificates of models: the constraints as pseudo-Boolean lines, and a proof that there are no other solutions.

The statement says what the model's constraints are after expressions have been restated over auxiliaries; that this is
what they mean is tested, and not proved. From there on nothing is trusted: neither how domains and constraints are
encoded, nor the solver. Solutions are checked by what the constraints mean, and each is excluded by a line below the
statement; of an objective, one line says that it is better than the best. Comments above the statement name them, so
that the files can be compared with the model again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

import numpy as np

from nonosat.certificates.booleans import literals
from nonosat.certificates.certify import BETTER, EXCLUDED, exclusions
from nonosat.certificates.checker import Claim, RefusedError
from nonosat.certificates.quantities import MOST_LITERALS, counted
from nonosat.certificates.sat import write
from nonosat.certificates.statement.model import body
from nonosat.certificates.steps import VERSIONS, Steps
from nonosat.csp.flatten import flatten
from nonosat.csp.model import CSP, Clauses, at_most, ints, numbers
from nonosat.csp.statement import LoweredStatement, Problem
from nonosat.encodings.formula import Formula
from nonosat.encodings.parts import INTEGERS, WIDE
from nonosat.errors import FormatError, NonosatError, SolverError, UnsupportedError
from nonosat.files import made_folder, read_text, shown, write_atomically
from nonosat.interrupts import late_interrupts
from nonosat.modelling.opb import StatedCSP, named_graphs
from nonosat.modelling.solve import Solution, encoding_for, request_of
from nonosat.runs.events import Verdict
from nonosat.solvers.sat import CERTIFICATES
from nonosat.solvers.sat.proofs import attempt, prover

MOST_BYTES = 1 << 30
"""Of a file of a certificate."""


@dataclass(frozen=True, eq=False, repr=False)
class ModelCertificate:
    """That a model has the ``solutions`` and no others, or, with an objective, none better than the one.

    ``opb``: the model, and that it is another or better one; ``pbp``: the proof that this cannot be. No ``pbp``: there
    are more solutions than were looked for, and nothing is proved.
    """

    statement: Problem
    encoding: str
    solver: str
    solutions: tuple[Solution, ...]
    opb: tuple[str, ...]
    pbp: tuple[str, ...] | None

    @property
    def claim(self) -> str:
        """What is proved, in words."""
        if self.pbp is None:
            return f"there are {len(self.solutions)} solutions or more"
        if self.solutions and self.statement.objective is not None:
            return f"there is no better solution than {self.statement.value(self.solutions[0].values)}"
        counts = {0: "there is no solution", 1: "there is one solution, and no other"}
        return counts.get(len(self.solutions), f"there are {len(self.solutions)} solutions, and no others")

    def __repr__(self) -> str:
        size = "nothing is proved" if self.pbp is None else f"{len(self.pbp):,} lines"
        return f"<ModelCertificate {self.claim}: {size} ({self.encoding}, {self.solver})>"

    def write(self, folder: str | Path, name: str = "model") -> tuple[Path, Path]:
        """Write ``NAME.opb`` and ``NAME.pbp`` into ``folder``: where they are. UnsupportedError: nothing is proved."""
        if self.pbp is None:
            raise UnsupportedError(f"{self.claim}: there is nothing to prove")
        with late_interrupts():  # both, or neither
            target = made_folder(folder)
            paths = target / f"{name}.opb", target / f"{name}.pbp"
            write_atomically(paths[0], (f"{line}\n" for line in self.opb))
            write_atomically(paths[1], (f"{line}\n" for line in self.pbp))
        return paths

    def fault(self, model: Problem | None = None) -> str | None:
        """Why this does not prove the claim of ``model`` (None: of its own), or None if it does.

        The solutions are checked, the statement is compared with that of the model, and the proof goes through the
        checker, which shares nothing with what wrote it.
        """
        from nonosat.certificates.checker.proof import check  # machine code

        model = self.statement if model is None else model
        if model.names() != self.statement.names():
            return f"it is about another model: its variables are {', '.join(self.statement.names()[:5]) or 'none'}"
        for solution in self.solutions:
            if (broken := model.broken(solution.values)) is not None:
                return f"a solution breaks {broken}"
        if len({model.projected(solution.values) for solution in self.solutions}) < len(self.solutions):
            return "a solution is there twice"
        if self.pbp is None:
            return None
        wanted = _lines(model, self.solutions, _stated(model, model.lowered(), self.solutions)[0])
        for number, (found, want) in enumerate(zip_longest(self.opb, wanted, fillvalue="nothing"), 1):
            if found != want:
                return f"line {number} of the statement is not what the model means: {found[:60]} for {want[:60]}"
        try:
            claim: Claim = check(self.opb, self.pbp)
        except RefusedError as refused:
            return f"line {refused.line} of the {refused.what}: {refused.reason}"
        return None if claim.complete and not claim.solutions else "it does not prove that there is no other"


def _stated(model: Problem, lowered: LoweredStatement, solutions: Sequence[Solution]) -> tuple[StatedCSP, CSP]:
    """The statement with the line for each solution, and the CSP that has no solution but for these."""
    stated = StatedCSP(lowered.csp)
    csp = named_graphs(stated.csp)
    if solutions and lowered.objective is not None:
        value = model.value(solutions[0].values)
        assert value is not None
        better = lowered.sign * value - 1
        stated.clause([stated.at_most(lowered.objective, better)])
        better_ones = Clauses((at_most(ints([lowered.objective]), better),))
        csp = replace(csp, constraints=(*csp.constraints, better_ones))
    elif lowered.objective is None:
        for solution in solutions:
            stated.excluded(lowered.csp.board.reshape(-1).tolist(), model.projected(solution.values))
    return stated, csp


class OtherModelError(NonosatError):
    """The certificate is of another model."""


_INTEGER = re.compile(r"-?[0-9]{1,18}")


def _lines(model: Problem, solutions: Sequence[Solution], stated: StatedCSP) -> tuple[str, ...]:
    comment = EXCLUDED if model.objective is None else BETTER
    named = (f"{comment} {' '.join(map(str, solution.values))}" for solution in solutions)
    return (*named, *body(stated.statement(), preserved=False))


def read_certificate(model: Problem, opb: str | Path, pbp: str | Path) -> ModelCertificate:
    """The certificate in two files, as one of ``model``, which ``fault`` compares it with. FormatError: it is none."""
    lines = read_text(opb, MOST_BYTES).splitlines()
    solutions: list[Solution] = []
    for number, line in enumerate(exclusions(lines), 1):
        values = line.partition(":")[2].split()
        if not all(_INTEGER.fullmatch(value) for value in values):
            raise FormatError("a solution is named by whole numbers, one for each variable", number, shown(opb))
        if len(values) != len(model.variables):
            raise OtherModelError(
                f"{shown(opb)} is of another model: its solutions have {len(values)} numbers, and this model has "
                f"{len(model.variables)} variables"
            )
        solutions.append(Solution(model, tuple(map(int, values))))
    proof = tuple(read_text(pbp, MOST_BYTES).splitlines())
    return ModelCertificate(model, "", "", tuple(solutions), tuple(lines), proof)


def certify(
    model: Problem,
    encoding: str | None = None,
    solver: str = CERTIFICATES,
    count: int | None = 2,
    proof: str = VERSIONS[0],
) -> ModelCertificate:
    """Find at most ``count`` solutions (None: all), or the best one, and prove that there is no other or none better.

    UnsupportedError: constraints or an encoding without certificates, a solver whose proofs do not hold. SolverError:
    the solver failed, or the encoding is wrong.
    """
    if proof not in VERSIONS:
        raise UnsupportedError(f"no version {proof!r} of the format; there are {' and '.join(VERSIONS)}")
    name = prover(solver)
    goal = model.objective is not None
    lowered = model.lowered()
    _stated(model, lowered, ())  # refuses before anything is searched
    encoding = _encoding_for(lowered.csp, encoding)
    answer = request_of(model, lowered, encoding=encoding, solver=name, count=1 if goal else count).solved()
    if answer.verdict not in (Verdict.SAT, Verdict.UNSAT):
        raise SolverError(f"there is nothing to prove: {answer.verdict} ({answer.reason})")
    solutions = answer.solutions
    stated, csp = _stated(model, lowered, solutions)
    opb = _lines(model, solutions, stated)
    if not answer.exhausted:
        return ModelCertificate(model, encoding, name, solutions, opb, None)
    formula = INTEGERS.named(encoding).make(csp)
    if not goal:
        board = csp.board.reshape(-1)
        others = [formula.map.differ(board, numbers(model.projected(solution.values))) for solution in solutions]
        formula = replace(formula, cnf=formula.cnf.extended_by(others))
    found = attempt(name, formula)
    if found.cells is not None:
        raise SolverError(f"{name} found {len(solutions)} solutions and no others, and now another")
    lines = _proof(formula, stated, found.steps, encoding, proof)
    certificate = ModelCertificate(model, encoding, name, solutions, opb, lines)
    if (fault := certificate.fault()) is not None:
        raise UnsupportedError(f"encoding {encoding} has no certificate of this model: {fault}")
    return certificate


def _encoding_for(csp: CSP, named: str | None) -> str:
    """The one that is ``named``; or the usual one, unless its counters are more than a proof can define.

    A counter has a Boolean for each value of a sum, of which each is defined over all literals of the terms: of the
    words of SEND + MORE = MONEY, in one equation, a hundred thousand of a hundred thousand. The digits of that sum are
    seventeen. So it goes by adders, which have a few lines each, rather than by counters that are defined otherwise.
    """
    encoding = encoding_for(csp, named)
    if named is not None or encoding == WIDE:
        return encoding
    meanings = flatten(csp, **INTEGERS.named(encoding).map.terms(), gapped=True).meanings
    return WIDE if counted(meanings) > MOST_LITERALS else encoding


def _proof(formula: Formula, stated: StatedCSP, drat: Sequence[str], encoding: str, version: str) -> tuple[str, ...]:
    written: list[str] = []
    statement = stated.statement()
    equalities = sum(found.equal for found in stated.constraints)
    steps = Steps(version, len(stated.constraints) + equalities, lambda line: written.append(line.rstrip("\n")))
    nowhere = replace(formula, board=np.zeros((0, 0), np.int32))  # whose variables the statement speaks of by name
    texts = literals(nowhere, statement, steps, encoding)
    write(formula, texts, statement, [], drat, steps)
    return tuple(written)
