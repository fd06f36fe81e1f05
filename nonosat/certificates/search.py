"""Certifying as a search like any other, so that limits, studies and Ctrl-C hold for it as they do for solvers.

It finds boards, writes the statement and the proof, checks them, and says that it is finished only then.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from nonosat.certificates.checker.claim import Claim, RefusedError
from nonosat.certificates.sat import certified_by
from nonosat.certificates.statement import Statement, statement_of, write_opb
from nonosat.certificates.steps import VERSIONS, Steps
from nonosat.encodings.registry import Encoding, default_for
from nonosat.encodings.registry import encoding as encoding_named
from nonosat.errors import SolverError, UnsupportedError
from nonosat.puzzles.kinds import kind_of
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.answer import Event, Finished, Progress, Statistics, Stopped, Verdict
from nonosat.solvers.sat.provers import CERTIFICATES
from nonosat.solvers.solver import Solver

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
    prover, stated = (
        next(iter(solver.chosen), CERTIFICATES),
        encoding or encoding_named(default_for(puzzle), puzzle.kind),
    )
    yield from certified(
        lambda *files: certified_by(prover, puzzle, stated, at_most, *files),
        puzzle,
        folder,
        version,
        f"encoding {stated.name} has no certificate with {prover}",
        lambda statement, line: _line_said(puzzle, stated, statement, line),
    )


def _line_said(puzzle: Puzzle, encoding: Encoding, statement: Statement, line: int) -> str:
    from nonosat.certificates.equivalence.prove import line_said  # machine code

    return line_said(puzzle, encoding, statement, line)


def certified(
    way: Way,
    puzzle: Puzzle,
    folder: str | None,
    version: str,
    otherwise: str,
    about: Callable[[Statement, int], str] = lambda statement, line: "",
) -> Iterator[Event]:
    """The search that goes this ``way``, and what is checked of it; ``otherwise``: what is said if it does not hold.

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
    from nonosat.certificates.checker.constraint import Codes
    from nonosat.certificates.checker.database import Database

    Database(Codes()).run()


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
            said = about(refused.line) if refused.line and refused.what == "proof" else ""
            raise UnsupportedError(
                f"{otherwise}: {refused.reason}: {step[:80]} ({where}{f': {said}' if said else ''})"
            ) from None
    if claim.kept:
        refused_elsewhere = set(claim.kept)
        less = proof.with_suffix(".less")
        with proof.open(encoding="ascii") as steps, less.open("w", encoding="ascii") as file:
            file.writelines(line for number, line in enumerate(steps, 1) if number not in refused_elsewhere)
        less.replace(proof)
        claim = replace(claim, steps=claim.steps - len(refused_elsewhere), kept=())
    return claim
