"""What lines and probes leave open, by a SAT solver: of the encoding's clauses only what is open is said, as lemmas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from nonosat.certificates.meanings import literals
from nonosat.certificates.sat import write
from nonosat.certificates.statement import Statement
from nonosat.certificates.steps import Steps, negation
from nonosat.encodings.cnf import CNF
from nonosat.encodings.registry import default_for
from nonosat.encodings.registry import encoding as encoding_named
from nonosat.errors import SolverError
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.answer import Statistics
from nonosat.solvers.formulas import formula_of
from nonosat.solvers.sat.proof import attempt
from nonosat.solvers.sat.session import session_of

PROVER = "maplecm"
"""Its proofs are the shortest of those tried, and the quickest to check (docs/certificates.md)."""


def refute(
    puzzle: Puzzle, boards: Sequence[npt.NDArray[Any]], statement: Statement, steps: Steps
) -> Iterator[Statistics]:
    """Say why ``puzzle``, whose known cells are given, has no solution beside ``boards``, and conclude.

    Yields what it has cost so far.
    """
    encoding = encoding_named(default_for(puzzle), puzzle.kind)
    formula, about = formula_of(puzzle, encoding)
    cnf = formula.cnf.extended_by([formula.block(board) for board in boards])
    known = _known(cnf)
    cnf, needed = _open(cnf, known)
    formula = replace(formula, cnf=cnf)
    about = replace(about, clauses=cnf.clauses)
    yield about
    found = attempt(PROVER, formula)
    if found.cells is not None:
        raise SolverError("there is a solution that the search has not found")
    about = about.plus(found.statistics)
    yield about
    texts = literals(formula, statement, steps, encoding.name)
    for literal in known:
        if needed[abs(literal)]:
            steps.lemma([texts[literal] if literal > 0 else negation(texts[-literal])])
    write(formula, texts, statement, (), found.steps, steps)


def _known(cnf: CNF) -> list[int]:
    """The literals that propagation finds to be true, in an order in which each follows."""
    session = session_of("minisat22", cnf)
    try:
        return session.known()
    finally:
        session.close()


def _open(cnf: CNF, known: Sequence[int]) -> tuple[CNF, npt.NDArray[np.bool_]]:
    """The clauses without what is ``known``; by variable, whether some literal was left out of one for that."""
    value = np.zeros(cnf.variables + 1, dtype=np.int8)
    true = np.array(known, dtype=np.int64)
    value[np.abs(true)] = np.sign(true)
    said = np.sign(cnf.literals) * value[np.abs(cnf.literals)]
    clause = np.repeat(np.arange(cnf.clauses), cnf.widths())
    satisfied = np.zeros(cnf.clauses, dtype=bool)
    satisfied[clause[said > 0]] = True
    kept = ~satisfied[clause]
    needed = np.zeros(cnf.variables + 1, dtype=bool)
    needed[np.abs(cnf.literals[kept & (said < 0)])] = True
    left = kept & (said == 0)
    widths = np.bincount(clause[left], minlength=cnf.clauses)[~satisfied]
    return CNF(cnf.variables, cnf.literals[left], np.cumsum(widths)), needed
