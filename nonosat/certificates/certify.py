"""Certificates of puzzles: a SAT solver's work as a proof over the puzzle's own statement.

Every clause of the encoding is a lemma of the statement, then come the solution, and what the solver learnt. Neither
the encoding nor the solver need be trusted: the checker looks at every line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nonosat.certificates.checker import Claim, RefusedError, check
from nonosat.certificates.meanings import literals
from nonosat.certificates.statement import Statement, opb_lines, statement_of
from nonosat.certificates.steps import VERSIONS, Steps, negation
from nonosat.encodings.registry import Encoding
from nonosat.errors import UnsupportedError
from nonosat.files import made_folder, write_atomically
from nonosat.puzzles.puzzle import Board, Puzzle
from nonosat.solvers.sat.proof import Proof, prove
from nonosat.solvers.solver import Solver

DEFAULT = "cadical195"
"""Glucose deletes many clauses that something settled rests on; those deletions have to be left out."""


@dataclass(frozen=True, eq=False)
class Certificate:
    """The ``claim`` that was checked, and the ``lines`` of the proof of it; two ``pictures`` are some of several."""

    puzzle: Puzzle
    encoding: str
    solver: str
    pictures: tuple[Board, ...]
    lines: list[str]
    claim: Claim
    solve_s: float

    def write(self, folder: str | Path, name: str) -> tuple[Path, Path]:
        """Write ``NAME.opb`` and ``NAME.pbp`` into ``folder``: where they are."""
        target = made_folder(folder)
        opb, proof = target / f"{name}.opb", target / f"{name}.pbp"
        stated = opb_lines(statement_of(self.puzzle), preserved=self.claim.version == "3.0")
        write_atomically(opb, (f"{line}\n" for line in stated))
        write_atomically(proof, (f"{line}\n" for line in self.lines))
        return opb, proof


def certify(
    puzzle: Puzzle,
    *,
    encoding: str | Encoding | None = None,
    solver: str | Solver = DEFAULT,
    format: str = VERSIONS[0],  # noqa: A002 - the word of the command
    on_progress: Callable[[str], None] = lambda stage: None,
) -> Certificate:
    """Prove that ``puzzle`` has no solution, or one and no other; or find two. The proof has been checked.

    ``format``: the version of the proof, 3.0 or 1.1. UnsupportedError: a kind without a statement, an encoding that
    does not say what its Booleans mean or whose clauses do not follow from the statement by propagation, a solver whose
    proofs do not hold. There is no limit of time.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> str(certify(Nonogram.from_lengths([[1], [2]], [[2], [1]])).claim)
    'one solution, and no other'
    """
    if format not in VERSIONS:
        raise UnsupportedError(f"no version {format!r} of the format; there are {' and '.join(VERSIONS)}")
    statement = statement_of(puzzle)
    stated = list(opb_lines(statement, preserved=format == "3.0"))
    proof = prove(puzzle, encoding=encoding, solver=solver, on_progress=on_progress)
    on_progress("writing")
    count = sum(1 + (" = " in line) for line in stated if line[0] not in "*p")
    lines = _steps(proof, statement, Steps(format, count)).lines
    on_progress(f"checking {len(lines):,} steps")
    try:
        claim = check(stated, lines)
    except RefusedError as refused:
        step = lines[(refused.line or 1) - 1]
        told = f"{refused.reason}: {step[:80]}"
        raise UnsupportedError(f"encoding {proof.encoding} has no certificate with {proof.solver}: {told}") from None
    refused_elsewhere = set(claim.kept)  # deletions that stricter checkers would not carry out either
    lines = [line for number, line in enumerate(lines, 1) if number not in refused_elsewhere]
    return Certificate(puzzle, proof.encoding, proof.solver, proof.pictures, lines, claim, proof.solve_s)


def _steps(proof: Proof, statement: Statement, steps: Steps) -> Steps:
    """Definitions, the clauses of the encoding, the solutions, and what the solver did."""
    formula, pictures = proof.formula, proof.pictures
    texts = literals(formula, statement, steps, proof.encoding)
    numbers: dict[tuple[int, ...], list[int]] = {}

    def lemma(clause: list[int]) -> None:
        number = steps.lemma(texts[x] if x > 0 else negation(texts[-x]) for x in clause)
        numbers.setdefault(tuple(sorted(clause)), []).append(number)

    own = formula.cnf.clauses - len(pictures)  # those behind rule the pictures out
    for number, clause in enumerate(formula.cnf):
        if number == own:
            break
        lemma(clause)
    for picture in pictures:
        steps.solution(statement.literals(picture.cells.tolist()))
        lemma(formula.block(picture.cells))
    for line in proof.steps or ():
        words = line.split()
        clause = [int(word) for word in words if word not in ("d", "0")]
        if words[0] != "d":
            if clause:
                lemma(clause)
        elif known := numbers.get(tuple(sorted(clause))):
            steps.delete(known.pop())
    steps.conclude(proof.steps is not None)
    return steps
