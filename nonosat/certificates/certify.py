"""What is known of a puzzle's solutions, with a certificate of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from weakref import finalize

from nonosat.certificates.checker.claim import Claim
from nonosat.certificates.search import PROOF, STATEMENT, search
from nonosat.certificates.statement import Statement, statement_of
from nonosat.certificates.steps import VERSIONS
from nonosat.encodings.registry import Encoding, default_for
from nonosat.encodings.registry import encoding as encoding_named
from nonosat.errors import SolverError, UnsupportedError
from nonosat.files import made_folder, write_atomically
from nonosat.interrupts import late_interrupts
from nonosat.puzzles.kinds import puzzle_kind
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers import registry
from nonosat.solvers.answer import Answer, Verdict
from nonosat.solvers.judgement import heard, judge_of
from nonosat.solvers.running import limits_of, run
from nonosat.solvers.sat.proof import prover
from nonosat.solvers.sat.provers import CERTIFICATES
from nonosat.solvers.solver import Solver

AUTO = "auto"
"""The own way of a kind of puzzles, as a name for who proves."""


@dataclass(frozen=True, eq=False)
class Certificate:
    """What was found out of a puzzle, and the ``claim`` that was proved and checked.

    No claim: the ``answer`` says why there is none (a limit was reached). The files are in a ``folder`` that is gone
    with this object: ``write`` puts them where they are wanted.
    """

    answer: Answer
    claim: Claim | None
    folder: Path

    def __post_init__(self) -> None:
        finalize(self, rmtree, self.folder, ignore_errors=True)

    @property
    def statement(self) -> Path:
        """The file with the puzzle's statement (OPB)."""
        return self.folder / STATEMENT

    @property
    def proof(self) -> Path:
        """The file with the proof."""
        return self.folder / PROOF

    def write(self, folder: str | Path, name: str) -> tuple[Path, Path]:
        """Write ``NAME.opb`` and ``NAME.pbp`` into ``folder``: where they are. UnsupportedError: there is no claim."""
        if self.claim is None:
            raise UnsupportedError(f"nothing is proved: {self.answer.reason}")
        with late_interrupts():  # both, or neither
            target = made_folder(folder)
            opb, pbp = target / f"{name}.opb", target / f"{name}.pbp"
            for source, copy in ((self.statement, opb), (self.proof, pbp)):
                with source.open(encoding="ascii") as lines:
                    write_atomically(copy, lines)
        return opb, pbp


def certify(
    puzzle: Puzzle,
    *,
    encoding: str | Encoding | None = None,
    solver: str | Solver | None = None,
    count: int | None = 2,
    format: str = VERSIONS[0],  # noqa: A002 - the word of the command
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    on_progress: Callable[[str, int], None] | None = None,
) -> Certificate:
    """Prove that ``puzzle`` has no solution, or one and no other; or find two. The proof has been checked.

    ``solver``: ``auto`` (nonograms: lines, probing, SAT for what is left), or a SAT solver whose proofs hold, on an
    ``encoding``. None: ``auto``, if an encoding is not named and the kind of puzzle has such a way.
    ``count``: how many solutions are looked for at most (None: all); if there are fewer, that these are all is proved.
    ``format``: the version of the proof, 3.0 or 1.1. The limits are those of ``solve`` (wall seconds, CPU seconds,
    MiB), for all that it takes, the check too; one that is reached leaves no claim. ``on_progress`` as in ``solve``.

    UnsupportedError: a kind without a statement, an encoding that does not say what its Booleans mean or whose clauses
    do not follow from the statement by propagation, a solver whose proofs do not hold. SolverError: a solver failed.
    InterruptedSolve: Ctrl-C.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> str(certify(Nonogram.from_lengths([[1], [2]], [[2], [1]])).claim)
    'one solution, and no other'
    """
    if format not in VERSIONS:
        raise UnsupportedError(f"no version {format!r} of the format; there are {' and '.join(VERSIONS)}")
    if count is not None and count < 1:
        raise UnsupportedError(f"count is {count}: at least one picture must be looked for")
    statement = statement_of(puzzle)
    name = who(puzzle, encoding, solver)
    chosen, parts = registry.CERTIFIED_AUTO, None
    if name != AUTO:
        chosen, parts = registry.CERTIFIED.switched([name]), _encoding(puzzle, encoding)
    limits = limits_of(chosen, time_limit_s, memory_limit_mb, cpu_limit_s)
    folder = Path(mkdtemp(prefix="nonosat-"))
    try:
        arguments = (puzzle, parts, count, chosen, str(folder), format)
        answer = Answer(Verdict.UNKNOWN, solver=name, encoding=chosen.sees(parts), puzzle=puzzle)
        answer = heard(run(search, arguments, chosen, limits), answer, judge_of(puzzle), on_progress)
        _refuse(answer)
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise
    return Certificate(answer, _claim(answer, statement, format), folder)


def _claim(answer: Answer, statement: Statement, version: str) -> Claim | None:
    """What was proved, if the search came to its end."""
    if answer.stopped is not None or answer.verdict not in (Verdict.SAT, Verdict.UNSAT):
        return None
    listed = tuple(statement.board) if answer.pictures else ()
    lines = answer.statistics.certificate_steps or 0
    return Claim(len(answer.pictures), answer.exhausted, listed, version, lines, ())


def who(puzzle: Puzzle, encoding: str | Encoding | None, solver: str | Solver | None) -> str:
    """Who proves: ``auto``, if the kind of puzzle has a way of its own and nothing else is named; else a SAT solver."""
    own = puzzle_kind(puzzle).has("deduction")
    if solver is None:
        return AUTO if own and encoding is None else CERTIFICATES
    if registry.solver(solver).name != AUTO:
        return prover(solver)
    if encoding is not None:
        raise UnsupportedError(f"{AUTO} goes its own way, without an encoding")
    return AUTO if own else CERTIFICATES


def _encoding(puzzle: Puzzle, named: str | Encoding | None) -> Encoding:
    wanted = default_for(puzzle) if named is None else named
    parts = encoding_named(wanted, puzzle.kind) if isinstance(wanted, str) else wanted
    parts.refuse(puzzle.kind)
    return parts


def _refuse(answer: Answer) -> None:
    """What is no certificate, nor a limit that was reached, is an error."""
    verdict = answer.stopped or answer.verdict
    if verdict is Verdict.UNSUPPORTED:
        raise UnsupportedError(answer.reason or "")
    if verdict is Verdict.WRONG:
        source = f"encoding {answer.encoding}" if answer.encoding else answer.solver
        raise SolverError(f"{source} is wrong ({answer.reason}), so there is nothing to prove")
    if verdict in (Verdict.CRASH, Verdict.ERROR):
        raise SolverError(answer.reason or "")
