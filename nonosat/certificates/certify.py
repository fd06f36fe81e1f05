"""What is known of a puzzle's solutions, with a certificate of it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, takewhile
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, mkdtemp
from time import perf_counter
from weakref import finalize

from nonosat.certificates.checker import Claim, RefusedError
from nonosat.certificates.sat import certified_by
from nonosat.certificates.statement import Statement, statement_of, write_opb
from nonosat.certificates.statement.model import body
from nonosat.certificates.steps import VERSIONS, Steps
from nonosat.encodings.registry import Encoding, encoding_of
from nonosat.errors import FormatError, SolverError, UnsupportedError, check_count
from nonosat.files import lines_of, made_folder, shown, write_atomically
from nonosat.interrupts import late_interrupts
from nonosat.puzzles.puzzle import Puzzle, PuzzleOrFile, kind_of, puzzle_from, puzzle_kind
from nonosat.runs.events import Answer, Event, Finished, Progress, Statistics, Stopped, Verdict
from nonosat.runs.run import limits_of, run
from nonosat.runs.solver import Solver
from nonosat.solvers import registry
from nonosat.solvers.judgement import consume_judged, judge_of
from nonosat.solvers.sat import CERTIFICATES
from nonosat.solvers.sat.proofs import prover

COMES_LATE = ("nonosat.compiled.library", "nonosat.certificates.checker.proof")
"""Modules that a limited run would begin anew for."""

# Certifying as a search like any other, so that limits, studies and Ctrl-C hold for it as they do for solvers.
#
# It finds boards, writes the statement and the proof, checks them, and says that it is finished only then.


STATEMENT, PROOF = "puzzle.opb", "puzzle.pbp"

Way = Callable[[Statement, Steps], Generator[Event, None, Statistics]]
"""What finds boards and writes all the steps of a proof: it says what any search says, but that it is finished."""
Deduction = Callable[[Puzzle, int | None, Statement, Steps], Generator[Event, None, Statistics]]
"""The way of a kind of puzzles: (puzzle, at most N boards), and these."""


def search(
    puzzle: Puzzle,
    encoding: Encoding | None,
    at_most: int | None,
    solver: Solver,
    folder: str | None = None,
    version: str = VERSIONS[0],
) -> Iterator[Event]:
    """What a SAT solver finds of an ``encoding``, certified: at most ``at_most`` boards (None: all).

    No encoding: the own way of the puzzle's kind, and if it has none, SAT on the default one. The files are left in
    ``folder``, which is there; None: they were only to be checked.
    """
    own = kind_of(puzzle).deduction
    if encoding is None and own is not None:
        deduce: Deduction = own
        yield from certified(
            lambda *files: deduce(puzzle, at_most, *files), puzzle, folder, version, "there is no certificate"
        )
        return
    prover, stated = next(iter(solver.chosen), CERTIFICATES), encoding or encoding_of(puzzle)
    yield from certified(
        lambda *files: certified_by(prover, puzzle, stated, at_most, *files),
        puzzle,
        folder,
        version,
        f"encoding {stated.name} has no certificate with {prover}",
        lambda statement, line: _line_text(puzzle, stated, statement, line),
    )


def _line_text(puzzle: Puzzle, encoding: Encoding, statement: Statement, line: int) -> str:
    from nonosat.certificates.equivalence.compare import line_text  # machine code

    return line_text(puzzle, encoding, statement, line)


def certified(
    way: Way,
    puzzle: Puzzle,
    folder: str | None,
    version: str,
    otherwise: str,
    about: Callable[[Statement, int], str] = lambda statement, line: "",
) -> Iterator[Event]:
    """The search that goes this ``way``, and what is checked of it; ``otherwise``: the message if it does not hold.

    ``about``: what a line of the proof is about, in words.
    """
    try:
        with _place(folder) as place:
            yield Progress("stating")
            statement = statement_of(puzzle)
            stated = write_opb(statement, place / STATEMENT, preserved=version == "3.0")
            with (place / PROOF).open("w", encoding="ascii") as file:
                steps = Steps(version, stated, file.write)
                spent = yield from way(statement, steps)
            yield Progress("loading the checker (compiled at its first use on a machine)", spent)
            ready()
            yield Progress("checking", spent)
            begin = perf_counter()
            claim = _checked(place, otherwise, partial(about, statement))
            check_s = perf_counter() - begin
            if claim.solutions != steps.solutions:
                raise SolverError(f"{steps.solutions} solutions were written, and {claim.solutions} are proved")
            size = (place / PROOF).stat().st_size
        spent = replace(spent, certificate_steps=claim.steps, certificate_bytes=size, check_s=check_s)
        yield Finished(claim.complete, spent)
    except UnsupportedError as error:
        yield Stopped(Verdict.UNSUPPORTED, str(error))
    except OSError as error:
        raise SolverError(f"the certificate cannot be written: {error.strerror or error}") from None


def ready() -> None:
    """Let the checker load its inner loops, or compile them, before a clock is started: it checks no constraints."""
    from nonosat.certificates.checker.constraints import Codes, ConstraintDatabase

    ConstraintDatabase(Codes()).run()


@contextmanager
def _place(folder: str | None) -> Iterator[Path]:
    """The folder for the files."""
    if folder is not None:
        yield Path(folder)
        return
    with TemporaryDirectory(prefix="nonosat-", ignore_cleanup_errors=True) as path:
        yield Path(path)


def _checked(place: Path, otherwise: str, about: Callable[[int], str]) -> Claim:
    """What is proved. Deletions that a stricter checker would refuse are left out of the proof."""
    from nonosat.certificates.checker.proof import check  # machine code

    proof = place / PROOF
    with (place / STATEMENT).open(encoding="ascii") as stated, proof.open(encoding="ascii") as steps:
        try:
            claim = check(stated, steps)
        except RefusedError as refused:
            with proof.open(encoding="ascii") as again:
                step = next(islice(again, (refused.line or 1) - 1, None), "").rstrip()
            where = f"line {refused.line} of the {refused.what}"
            words = about(refused.line) if refused.line and refused.what == "proof" else ""
            raise UnsupportedError(
                f"{otherwise}: {refused.reason}: {step[:80]} ({where}{f': {words}' if words else ''})"
            ) from None
    if claim.kept:
        refused_elsewhere = set(claim.kept)
        less = proof.with_suffix(".less")
        with proof.open(encoding="ascii") as steps, less.open("w", encoding="ascii") as file:
            file.writelines(line for number, line in enumerate(steps, 1) if number not in refused_elsewhere)
        less.replace(proof)
        claim = replace(claim, steps=claim.steps - len(refused_elsewhere), kept=())
    return claim


AUTO = "auto"
"""The own way of a kind of puzzles, as a name for who proves."""


@dataclass(frozen=True, eq=False, repr=False)
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

    def __repr__(self) -> str:
        return f"<Certificate {'of nothing' if self.claim is None else self.claim}: {self.answer!r}>"

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
    puzzle: PuzzleOrFile,
    *,
    encoding: str | Encoding | None = None,
    solver: str | Solver | None = None,
    count: int | None = 2,
    proof: str = VERSIONS[0],
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    on_progress: Callable[[str, int], None] | None = None,
) -> Certificate:
    """Prove that ``puzzle`` has no solution, or one and no other; or find two. The proof has been checked.

    ``solver``: ``auto`` (nonograms: lines, probing, SAT for what is left), or a SAT solver whose proofs hold, on an
    ``encoding``. None: ``auto``, if an encoding is not named and the kind of puzzle has such a way.
    ``count``: how many solutions are looked for at most (None: all); if there are fewer, that these are all is proved.
    ``proof``: the version of its format, 3.0 or 1.1. The limits are those of ``solve`` (wall seconds, CPU seconds,
    MiB), for all that it takes, the check too; one that is reached leaves no claim. ``on_progress`` as in ``solve``.

    UnsupportedError: a kind without a statement, an encoding that does not say what its Booleans mean or whose clauses
    do not follow from the statement by propagation, a solver whose proofs do not hold. SolverError: a solver failed.
    InterruptedSolve: Ctrl-C.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> str(certify(Nonogram.from_lengths([[1], [2]], [[2], [1]])).claim)
    'one solution, and no other'
    """
    if proof not in VERSIONS:
        raise UnsupportedError(f"no version {proof!r} of the format; there are {' and '.join(VERSIONS)}")
    check_count(count, "picture")
    puzzle = puzzle_from(puzzle)
    statement = statement_of(puzzle)
    name = who(puzzle, encoding, solver)
    chosen, parts = registry.CERTIFIED_AUTO, None
    if name != AUTO:
        chosen, parts = registry.CERTIFIED.switched([name]), encoding_of(puzzle, encoding)
    limits = limits_of(chosen, time_limit_s, memory_limit_mb, cpu_limit_s)
    folder = Path(mkdtemp(prefix="nonosat-"))
    try:
        arguments = (puzzle, parts, count, chosen, str(folder), proof)
        answer = Answer(Verdict.UNKNOWN, solver=name, encoding=chosen.sees(parts), puzzle=puzzle)
        events = run(search, arguments, limits, (chosen.module, *COMES_LATE))
        answer = consume_judged(events, answer, judge_of(puzzle), on_progress)
        _refuse(answer)
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise
    return Certificate(answer, _claim(answer, statement, proof), folder)


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


# The statement of a model excludes the solutions that are known. Comments before it name them.


EXCLUDED = "* excluded solution:"
"""A solution: the values of all variables of the model, in their order."""
BETTER = "* only better than the solution:"
"""The best one."""


def exclusions(opb: Iterable[str]) -> Iterator[str]:
    """The comments that a statement begins with, if it excludes solutions."""
    return takewhile(lambda line: line.startswith((EXCLUDED, BETTER)), opb)


def excluded(opb: Iterable[str]) -> str:
    """What a statement excludes, in words; "": nothing.

    >>> excluded(["* excluded solution: 1 2", "* excluded solution: 2 1", "1 aa 1 bb >= 1 ;"])
    '2 solutions'
    """
    lines = list(exclusions(opb))
    if lines and lines[0].startswith(BETTER):
        return "what is not better than a solution"
    return f"{len(lines):,} solution{'s' * (len(lines) > 1)}" if lines else ""


# A statement and a proof as files: checked against each other, and against the puzzle.


_MAX_BYTES = 2**33


@dataclass(frozen=True)
class FileClaim(Claim):
    """Of a statement in a file. ``beside``: what that excludes by itself, as its comments say; "": nothing."""

    beside: str = ""

    def __str__(self) -> str:
        return f"{super().__str__()} beside what is excluded: {self.beside}" if self.beside else super().__str__()


def check_files(opb: str | Path, proof: str | Path, puzzle: Puzzle | None = None) -> FileClaim:
    """What the file ``proof`` proves of the statement in the file ``opb``, which is that of ``puzzle`` if one is given.

    RefusedError: it does not; ``opb`` states another puzzle. UnsupportedError: the puzzle's kind has no statement.
    """
    from nonosat.certificates.checker.proof import check  # machine code

    comments: list[str] = []
    with lines_of(opb, _MAX_BYTES) as lines, lines_of(proof, _MAX_BYTES) as steps:
        stated = _noted(lines, comments)
        try:
            claim = check(stated if puzzle is None else _compared(stated, puzzle), steps)
        except _AnotherError as other:
            reason, line = other.args
            raise RefusedError(reason, line, shown(opb)) from None
        except RefusedError as refused:
            if refused.what == "statement":
                raise FormatError(refused.reason, refused.line, shown(opb)) from None
            raise
    if puzzle is not None and claim.solutions and set(claim.listed) != set(statement_of(puzzle).board):
        raise RefusedError("its solutions do not list the cells of the board")
    return FileClaim(**vars(claim), beside=excluded(comments))


def _noted(lines: Iterable[str], comments: list[str]) -> Iterator[str]:
    """The lines; the comments that begin them with what is excluded are put into ``comments``."""
    for line in lines:
        comments += exclusions([line])
        yield line


class _AnotherError(Exception):
    """The statement is not the puzzle's: why, and at which line."""


def _compared(stated: Iterable[str], puzzle: Puzzle) -> Iterator[str]:
    """The lines, each compared with the puzzle's; comments (which only say how many lines there are) are not."""
    wanted = body(statement_of(puzzle), preserved=True)
    for number, line in enumerate(stated, 1):
        if not line.startswith("*"):
            found, want = line.rstrip("\n"), next(wanted, "nothing")
            if want.startswith("preserved:") and not found.startswith("preserved:"):
                want = next(wanted, "nothing")
            if found != want:
                raise _AnotherError(f"not what the puzzle means: {found[:60]} in place of {want[:60]}", number)
        yield line
    if (missing := next(wanted, None)) is not None:
        raise _AnotherError(f"not what the puzzle means: nothing in place of {missing[:60]}", None)
