"""Proofs that a puzzle has no solution, or none but one: a formula, and a DRAT proof that it has no model.

A picture is checked by looking at it; "there is no other" is a solver's word, unless it shows its work. For a puzzle
with a solution, the formula is that of the encoding and one clause more, over the cells alone, which rules that
solution out: if it has no model, there is no second one. The proof is written clause by clause while the solver learns
them, and checked by a program that shares nothing with it.

What is proved is that the *formula* has no model. That it states the puzzle is the encoding's part; an encoding that
shuts solutions out is refused, for its formula proves nothing about the puzzle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import numpy.typing as npt

from nonosat.encodings import dimacs
from nonosat.encodings.formula import Formula
from nonosat.encodings.registry import Encoding, encoding_of
from nonosat.errors import InterruptedSolve, SolverError, UnsupportedError
from nonosat.files import made_folder, read_text, write_atomically
from nonosat.interrupts import late_interrupts
from nonosat.puzzles.puzzle import Board, Puzzle, PuzzleOrFile, puzzle_from
from nonosat.runs.events import Statistics, Stopped, Verdict
from nonosat.runs.run import values_within
from nonosat.runs.solver import Solver
from nonosat.solvers import registry
from nonosat.solvers.judgement import judged
from nonosat.solvers.sat import DRAT, PROVERS
from nonosat.solvers.sat.external import attempted, proof_fault, proves
from nonosat.solvers.sat.session import session_of


@dataclass(frozen=True, eq=False, repr=False)
class Proof:
    """What was proved. No picture: there is no solution; one: no other; two: these are two, and there are no ``steps``.

    ``formula`` (with the clause that rules the picture out) has no model; ``steps`` are the lines of the proof of that.
    ``stopped``: the limit that was reached. Then nothing is proved (no ``formula``, no ``steps``), and the pictures are
    those that were found before.
    """

    puzzle: Puzzle
    encoding: str
    solver: str
    pictures: tuple[Board, ...]
    formula: Formula | None
    steps: tuple[str, ...] | None
    solve_s: float
    stopped: Stopped | None = None

    @property
    def claim(self) -> str:
        """What is proved, in words."""
        if self.stopped is not None:
            return "nothing is proved"
        return ("there is no solution", "there is no other solution", "there are several solutions")[len(self.pictures)]

    def __repr__(self) -> str:
        size = "nothing is proved" if self.steps is None else f"{len(self.steps):,} steps"
        return f"<Proof {self.claim}: {size} ({self.encoding}, {self.solver})>"

    def write(self, folder: str | Path) -> None:
        """Write the formula, the proof, the picture that is ruled out, and how to check them, into ``folder``.

        UnsupportedError: nothing is proved.
        """
        from nonosat.puzzles.drawing import picture_text

        if self.steps is None:
            raise UnsupportedError(f"{self.claim}: there is nothing to prove")
        with late_interrupts():  # all of it, or nothing
            target = made_folder(folder)
            write_atomically(target / FORMULA, _dimacs(self))
            write_atomically(target / PROOF, (f"{step}\n" for step in self.steps))
            if self.pictures:
                write_atomically(target / PICTURE, picture_text(self.pictures[0]) + "\n")
            else:
                (target / PICTURE).unlink(missing_ok=True)  # of an earlier proof
            also = f", next to that in {PICTURE}" if self.pictures else ""
            write_atomically(
                target / CHECK,
                f"{FORMULA}: what a solution of the puzzle in its comments would be{also} (encoding {self.encoding}).\n"
                f"{PROOF}: a proof by {self.solver} that it has no model: {self.claim}.\nEither of these checks it:\n\n"
                + "".join(f"    {command}\n" for command in COMMANDS),
            )

    def fault(self) -> str | None:
        """Why the proof does not hold, or None if it does: dratify checks every step."""
        with TemporaryDirectory(prefix="nonosat-", ignore_cleanup_errors=True) as folder:
            self.write(folder)
            return check(folder)


def prove(
    puzzle: PuzzleOrFile,
    *,
    encoding: str | Encoding | None = None,
    solver: str | Solver = DRAT,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    on_progress: Callable[[str], None] = lambda stage: None,
) -> Proof:
    """Prove that ``puzzle`` (or that in the file of this name) has no solution, or a single one; or find two.

    Limits are those of ``solve`` (wall seconds, CPU seconds, MiB), for encoding and proving together; where one is
    reached, the proof is ``stopped``. UnsupportedError: a solver whose proofs do not hold, an encoding that shuts
    solutions out. SolverError: the solver failed, or a picture of the encoding breaks the clues. InterruptedSolve:
    Ctrl-C, with a proof that is ``stopped``.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> proof = prove(Nonogram.from_lengths([[1], [2]], [[2], [1]]))
    >>> proof.claim, proof.steps
    ('there is no other solution', ('5 0', 'd 1 5 0', '2 0', 'd 2 -5 0', '0'))
    >>> proof.fault() is None
    True
    """
    puzzle = puzzle_from(puzzle)
    chosen = proving(solver, time_limit_s, memory_limit_mb)
    name = chosen.name
    parts = encoding_of(puzzle, encoding)
    refuse_incomplete(parts)
    begin = perf_counter()
    pictures: list[Board] = []
    limits = {"time_limit_s": time_limit_s, "cpu_limit_s": cpu_limit_s, "memory_limit_mb": memory_limit_mb}

    def stopped(event: Stopped) -> Proof:
        return Proof(puzzle, parts.name, name, tuple(pictures), None, None, perf_counter() - begin, event)

    try:
        with closing(values_within(_proving, (puzzle, parts, chosen), limits)) as values:  # type: ignore[type-var]
            for value in values:
                match value:
                    case str():
                        on_progress(value)
                    case Proof() as proof:
                        return proof
                    case Stopped():
                        return stopped(value)
                    case _:
                        pictures.append(value)
    except KeyboardInterrupt:
        raise InterruptedSolve(stopped(Stopped(Verdict.INTERRUPTED, "interrupted"))) from None
    raise SolverError(f"{name}: the search ended without a proof")


def _proving(puzzle: Puzzle, encoding: Encoding, prover: Solver) -> Iterator[str | Board | Proof]:
    """The stages of a proof, the solutions as they are found, and last the ``Proof``."""
    begin = perf_counter()
    yield "encoding"
    formula = encoding.formula(puzzle)
    pictures: list[Board] = []
    steps: tuple[str, ...] | None = None
    while len(pictures) < 2:
        yield "proving that there is no other solution" if pictures else "looking for a solution"
        if prover.command is None:
            found = attempt(prover.name, formula)
        else:
            found = Attempt(*attempted(prover.command, formula, begin))
        if found.cells is None:
            steps = found.steps
            break
        pictures.append(_checked(puzzle, found.cells, encoding.name))
        yield pictures[-1]
        formula = replace(formula, cnf=formula.cnf.extended([formula.block(found.cells)]))
    yield Proof(puzzle, encoding.name, prover.name, tuple(pictures), formula, steps, perf_counter() - begin)


class Attempt(NamedTuple):
    """A board of the formula; or None, and the ``steps`` of the proof that there is none. What the solver has cost."""

    cells: npt.NDArray[Any] | None
    steps: tuple[str, ...]
    statistics: Statistics


def attempt(prover: str, formula: Formula) -> Attempt:
    """One board of ``formula``, or the proof that it has no model."""
    if formula.cnf.has_empty_clause:  # solvers differ in what they make of one
        return Attempt(None, ("0",), Statistics(load_s=0.0, solve_s=0.0))
    session = session_of(prover, formula.cnf, proof=True)
    try:
        model = session.solve()
        about = session.statistics(Statistics())
        if model is None:
            return Attempt(None, _ended(session.proof()), about)
        return Attempt(formula.cells(model), (), about)
    finally:
        session.close()


def refuse_incomplete(encoding: Encoding) -> None:
    """UnsupportedError: it shuts solutions out."""
    if not encoding.complete:
        reason = "its formula proves nothing about the puzzle"
        raise UnsupportedError(f"encoding {encoding.name} shuts solutions out: {reason}")


def proving(solver: str | Solver, time_limit_s: float | None, memory_limit_mb: float | None) -> Solver:
    """The solver: its proofs hold, or it is a program that writes one to ``{proof}``. UnsupportedError: neither."""
    chosen = registry.solver(solver)
    if chosen.command is None or not proves(chosen.command):
        return registry.solver(prover(chosen))
    return registry.with_limits(chosen, time_limit_s, memory_limit_mb)


def prover(solver: str | Solver) -> str:
    """The name of the prover called ``solver``, which may be an alias. UnsupportedError: it is none."""
    name = registry.solver(solver).name
    if name not in PROVERS:
        raise UnsupportedError(f"{name} writes no proofs that hold; these do: {', '.join(PROVERS)}; {_PROGRAMS}")
    return name


_PROGRAMS = "a puzzle's `prove` takes a program that writes one, too: 'exec:cadical {cnf} {proof}'"


def _ended(lines: list[str]) -> tuple[str, ...]:
    """A proof that ends in the empty clause: some go on deleting behind it, some leave it out.

    Most do the latter when they see the end while clauses are still added; a checker sees that too.
    """
    steps = [line.strip() for line in lines]
    return (*(steps[: steps.index("0")] if "0" in steps else steps), "0")


def _checked(puzzle: Puzzle, cells: npt.NDArray[Any], encoding: str) -> Board:
    picture, wrong, _ = judged(puzzle, cells)
    if picture is None or wrong is not None:
        raise SolverError(f"encoding {encoding} gives a wrong picture ({wrong}), so there is nothing to prove")
    return picture


# A proof as a folder: the formula, the proof, what it rules out, and how it is checked.


FORMULA, PROOF, PICTURE, CHECK = "formula.cnf", "proof.drat", "picture.txt", "CHECK.txt"
COMMANDS = (
    f"drat-trim {FORMULA} {PROOF}",
    f"python -c \"import dratify as d; print(d.check_proof(d.parse_dimacs_file('{FORMULA}'), open('{PROOF}').read())"
    '.report())"',
)
"""What checks a proof, in its folder: the C program that the SAT competitions use, and pure Python."""
_MAX_BYTES = 2**33


def _dimacs(proof: Proof) -> Iterator[str]:
    from nonosat.puzzles.formats import dumps

    for picture in proof.pictures:
        yield "".join(f"c blocked {row}\n" for row in picture.rows())
    assert proof.formula is not None
    yield from dimacs.write(proof.formula, proof.encoding, dumps([proof.puzzle], "json"))


def check(folder: str | Path) -> str | None:
    """Why the proof in ``folder`` does not hold, or None if it does: dratify reads both files and checks every step."""
    return proof_fault(*(read_text(Path(folder) / name, _MAX_BYTES) for name in (FORMULA, PROOF)))
