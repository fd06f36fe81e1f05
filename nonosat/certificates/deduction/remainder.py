"""What lines and probes leave open, by a SAT solver: of the encoding's clauses only what is open is said, as lemmas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from nonosat.certificates.meanings import literals
from nonosat.certificates.statement import Statement
from nonosat.certificates.steps import Steps, negation
from nonosat.encodings.cnf import CNF
from nonosat.encodings.registry import default_for
from nonosat.encodings.registry import encoding as encoding_named
from nonosat.errors import SolverError
from nonosat.puzzles.puzzle import Board, Puzzle
from nonosat.solvers.sat.session import Session

PROVER = "maplecm"
"""Its proofs are the shortest and the quickest to check of those tried (docs/certificates.md)."""


def refute(puzzle: Puzzle, statement: Statement, steps: Steps, pictures: Sequence[Board]) -> None:
    """Say why ``puzzle``, whose known cells are given, has no solution beside the ``pictures``."""
    encoding = encoding_named(default_for(puzzle))
    formula = encoding.formula(puzzle)
    texts = literals(formula, statement, steps, encoding.name)
    numbers: dict[tuple[int, ...], list[int]] = {}

    def say(clause: Sequence[int]) -> None:
        number = steps.lemma(texts[x] if x > 0 else negation(texts[-x]) for x in clause)
        numbers.setdefault(tuple(sorted(clause)), []).append(number)

    for picture in pictures:
        formula = replace(formula, cnf=formula.cnf.extended([formula.block(picture.cells)]))
    known = _known(formula.cnf)
    cnf, needed = _open(formula.cnf, known)
    for literal in known:
        if needed[abs(literal)]:
            say([literal])
    for clause in cnf:
        say(clause)
    for deleted, clause in _proof(cnf):
        if not deleted:
            say(clause)
        elif places := numbers.get(tuple(sorted(clause))):
            steps.delete(places.pop())


def _proof(cnf: CNF) -> Iterable[tuple[bool, list[int]]]:
    """What the prover learnt: (is it a deletion?, clause), but for the empty clause."""
    session = Session(PROVER, cnf, proof=True)
    try:
        if not cnf.has_empty_clause and session.solve() is not None:
            raise SolverError("there are more solutions than the search told")
        lines = session.proof()
    finally:
        session.close()
    for line in lines:
        words = line.split()
        if clause := [int(word) for word in words if word not in ("d", "0")]:
            yield words[0] == "d", clause


def _known(cnf: CNF) -> list[int]:
    """The literals that propagation finds to be true, in an order in which each follows."""
    session = Session("minisat22", cnf)
    try:
        found: list[int] = session.solver.propagate()[1] or []
    finally:
        session.close()
    return found


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
