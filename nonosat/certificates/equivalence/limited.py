"""Whether an encoding is right for a puzzle, asked under the limits of every search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, NamedTuple, cast

from nonosat.certificates.equivalence.prove import compared
from nonosat.certificates.equivalence.result import Equivalence
from nonosat.encodings.registry import Encoding, default_for
from nonosat.encodings.registry import encoding as encoding_named
from nonosat.errors import SolverError, UnsupportedError
from nonosat.puzzles.kinds import puzzle_kind
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.answer import Finished, Loading, Progress, Statistics, Stopped, Verdict
from nonosat.solvers.running import in_process, limits_of
from nonosat.solvers.solver import BARE

MOST = 2000
"""Cases of one lemma."""


class Outcome(NamedTuple):
    """What came of it, or why it cannot be asked."""

    found: Equivalence | UnsupportedError


def equivalent(
    puzzle: Puzzle,
    encoding: str | Encoding | None = None,
    *,
    most: int = MOST,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    on_progress: Callable[[str], None] = lambda stage: None,
) -> Equivalence:
    """Prove that ``encoding`` says of ``puzzle`` what its statement says, or find the first thing that does not follow.

    ``most``: cases that are tried for one lemma. The limits are those of ``solve`` (wall seconds, CPU seconds, MiB);
    one that is reached leaves the question open (``settled`` is None). UnsupportedError: a kind without a statement, an
    encoding that does not say what its Booleans mean. SolverError: the process broke.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> puzzle = Nonogram.from_lengths([[1, 1]], [[1], [], [1]])
    >>> print(equivalent(puzzle, "plain+r3"))
    plain+r3+order: its 18 clauses follow from the statement, whose 11 constraints follow from them
    >>> print(equivalent(puzzle, "plain+r4printed"))
    plain+r4printed+order: row 1: r4printed: run 1 starts at 3 (which is about run 1 and run 2): that does not follow
    """
    puzzle_kind(puzzle)
    wanted = default_for(puzzle) if encoding is None else encoding
    parts = encoding_named(wanted, puzzle.kind) if isinstance(wanted, str) else wanted
    arguments = puzzle, parts, most
    limits = limits_of(BARE, time_limit_s, memory_limit_mb, cpu_limit_s)
    if limits is None:
        events: Iterator[Any] = in_process(cast(Any, search(*arguments)))
    else:
        from nonosat.solvers.isolation.run import isolated

        events = isolated(search, arguments, limits)
    found = _heard(events, on_progress)
    if isinstance(found, Stopped):
        return Equivalence(puzzle, parts.name, 0, 0, 0, None, found.verdict, found.reason)
    return found


def search(puzzle: Puzzle, parts: Encoding, most: int) -> Iterator[Progress | Outcome | Finished]:
    """The events of a comparison."""
    try:
        found = yield from compared(puzzle, parts, most)
    except UnsupportedError as error:
        yield Outcome(error)
    else:
        yield Outcome(found)
    yield Finished(True, Statistics())


def _heard(events: Iterator[Any], on_progress: Callable[[str], None]) -> Equivalence | Stopped:
    """What it comes to, or why it was stopped, and at what."""
    stage, outcome = "", None
    with closing(events):  # type: ignore[type-var]
        for event in events:
            match event:
                case Loading(what):
                    stage, outcome = "", None  # what was said before is void
                    if what:
                        on_progress(f"loading {what} (compiled at its first use on a machine)")
                case Progress(stage):
                    on_progress(stage)
                case Outcome():
                    outcome = event
                case Stopped(Verdict.CRASH):
                    raise SolverError(event.reason)
                case Stopped(verdict, reason):
                    return Stopped(verdict, f"{reason}{f', while {stage}' if stage else ''}")
    if outcome is None:
        raise SolverError("the comparison ended without a result")
    if isinstance(outcome.found, UnsupportedError):
        raise outcome.found
    return outcome.found
