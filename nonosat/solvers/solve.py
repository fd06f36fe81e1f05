"""The one function behind which all solvers stand: puzzle in, checked answer out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nonosat.encodings.registry import default_for
from nonosat.encodings.registry import encoding as encoding_named
from nonosat.errors import InterruptedSolve, SolverError, UnsupportedError
from nonosat.puzzles.check import fault
from nonosat.puzzles.puzzle import Board, Puzzle
from nonosat.solvers.answer import Answer, Event, Finished, Found, Loading, Progress, Statistics, Stopped, Verdict
from nonosat.solvers.registry import DEFAULT as DEFAULT_SOLVER
from nonosat.solvers.registry import Solver, search, with_limits
from nonosat.solvers.registry import solver as solver_named

if TYPE_CHECKING:
    from nonosat.solvers.isolation.limits import Limits


def solve(
    puzzle: Puzzle,
    *,
    encoding: str | None = None,
    solver: str = DEFAULT_SOLVER,
    count: int | None = 1,
    unique: bool = False,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    on_progress: Callable[[str, int], None] | None = None,
) -> Answer:
    """Solve ``puzzle``: find at most ``count`` pictures (None: all); ``unique`` looks for two, to see if one is alone.

    A picture is a board that solves the puzzle, of whatever kind that is. ``encoding``: None is the default of the
    puzzle's kind. UnsupportedError: an encoding or a solver that is for another kind.

    Every picture is checked against the clues before it counts; one that fails ends the search with the verdict
    WRONG. Without limits the solver runs in this process. With a limit (wall seconds, CPU seconds, MiB of resident
    memory, for encoding, loading and solving together) it runs in a process of its own that is killed when it goes
    over; a solver that crashes there gives the verdict CRASH. So does, limits or not, one that is known to end the
    process that it is in. No limit counts the time that it takes to load and compile a solver. ``on_progress`` is
    called with each stage's name and the number of pictures found so far. Ctrl-C raises ``InterruptedSolve`` (a
    KeyboardInterrupt) with the answer so far; in this process that rests on python-sat, which can hang a solver that
    was allocating memory: set a limit, however large, where that matters.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> answer = solve(Nonogram.from_lengths([[1], [1]], [[1], [1]]), count=None)
    >>> str(answer.verdict), len(answer.pictures), answer.unique
    ('SAT', 2, False)
    """
    if count is not None and count < 1:
        raise UnsupportedError(f"count is {count}: at least one picture must be looked for")
    if unique and count is not None:
        count = max(count, 2)
    entry, parts = solver_named(solver), encoding_named(default_for(puzzle) if encoding is None else encoding)
    entry.refuse(puzzle.kind)
    if entry.family != "own":
        parts.refuse(puzzle.kind)
    answer = Answer(
        Verdict.UNKNOWN,
        solver=entry.name,
        encoding={"SAT": parts.name, "CP": parts.rules}.get(entry.family),
        puzzle=puzzle,
    )
    limits = limits_of(entry, time_limit_s, memory_limit_mb, cpu_limit_s)
    arguments = (puzzle, parts.name, count, with_limits(entry.name, time_limit_s, memory_limit_mb))
    if (reason := puzzle.contradiction()) is not None:
        return replace(answer, verdict=Verdict.UNSAT, exhausted=True, unique=False, reason=reason)
    return _judge(answer, run(search, arguments, entry, limits), on_progress)


def limits_of(
    entry: Solver, time_limit_s: float | None, memory_limit_mb: float | None, cpu_limit_s: float | None = None
) -> Limits | None:
    """The limits of a run of this solver; None: it runs in this process."""
    limited = any(limit is not None for limit in (time_limit_s, cpu_limit_s, memory_limit_mb))
    if not limited and not (entry.aborts and sys.platform == "linux"):
        return None
    from nonosat.solvers.isolation.limits import Limits

    return Limits(time_limit_s, memory_limit_mb, cpu_limit_s)


def run(
    search: Callable[..., Iterator[Event]], arguments: tuple[Any, ...], entry: Solver, limits: Limits | None
) -> Iterator[Event]:
    """The events of ``search(*arguments)``, which asks the solver ``entry``, under ``limits`` or in this process."""
    if limits is None:
        return in_process(search(*arguments))
    from nonosat.solvers.isolation.run import isolated

    return isolated(search, arguments, limits, preload=(entry.module,))


def in_process(events: Iterator[Event]) -> Iterator[Event]:
    """``events``, with a solver's failure made one of them."""
    try:
        yield from events
    except SolverError as error:
        yield Stopped(Verdict.CRASH, str(error))
    except MemoryError:
        yield Stopped(Verdict.MEMOUT, "out of memory")


def _judge(answer: Answer, events: Iterator[Event], on_progress: Callable[[str, int], None] | None) -> Answer:
    """Check every picture, and turn what the search said into an answer."""
    puzzle = answer.puzzle
    assert puzzle is not None
    pictures: list[Board] = []
    seen: set[Board] = set()
    statistics = Statistics()
    solving: float | None = None
    rejected: Answer | None = None

    def broken_off(verdict: Verdict, reason: str, *known: float | None) -> Answer:
        spent = None if solving is None else perf_counter() - solving
        about = statistics.unfinished(spent, *known or (None,))
        return rejected or _broken_off(answer, pictures, verdict, reason, about)

    try:
        for event in events:
            if rejected is not None:  # one event more, since the last one tells what the search has cost
                return replace(rejected, statistics=event.statistics if isinstance(event, Finished) else statistics)
            match event:
                case Loading(what):  # what was said before is void
                    pictures, seen, statistics, solving = [], set(), Statistics(), None
                    if on_progress is not None and what:
                        on_progress(f"loading {what} (compiled at its first use on a machine)", 0)
                case Progress(stage, statistics, chosen):
                    answer = replace(answer, encoding=answer.encoding or chosen)
                    if stage == "solving" and solving is None:
                        solving = perf_counter()
                    if on_progress is not None:
                        on_progress(stage, len(pictures))
                case Found(cells):
                    try:
                        wrong = fault(puzzle, picture := puzzle.picture(cells))
                    except ValueError as error:  # values that no picture can have
                        rejected = replace(answer, verdict=Verdict.WRONG, reason=str(error))
                        continue
                    if wrong is not None:
                        rejected = replace(answer, verdict=Verdict.WRONG, rejected=picture, reason=str(wrong))
                        continue
                    if picture in seen:
                        return broken_off(Verdict.CRASH, "the same picture came twice")
                    seen.add(picture)
                    pictures.append(picture)
                case Finished(exhausted, statistics, reason):
                    return _concluded(answer, pictures, exhausted, statistics, reason)
                case Stopped(verdict, reason, peak, cpu_s, wall_s):
                    return broken_off(verdict, reason, peak, cpu_s, wall_s)
    except KeyboardInterrupt:
        raise InterruptedSolve(broken_off(Verdict.INTERRUPTED, "interrupted")) from None
    finally:
        if hasattr(events, "close"):
            events.close()
    return broken_off(Verdict.CRASH, "the search ended without a verdict")


def _concluded(
    answer: Answer, pictures: list[Board], exhausted: bool, statistics: Statistics, reason: str | None
) -> Answer:
    verdict = Verdict.SAT if pictures else Verdict.UNSAT if exhausted else Verdict.UNKNOWN
    return replace(
        answer,
        verdict=verdict,
        pictures=tuple(pictures),
        unique=uniqueness(len(pictures), exhausted),
        exhausted=exhausted,
        reason=reason,
        statistics=statistics,
    )


def _broken_off(answer: Answer, pictures: list[Board], verdict: Verdict, reason: str, statistics: Statistics) -> Answer:
    """The answer of a search that was stopped: what was found counts, and why there is no more is told."""
    return replace(
        answer,
        verdict=Verdict.SAT if pictures else verdict,
        pictures=tuple(pictures),
        unique=uniqueness(len(pictures), exhausted=False),
        stopped=verdict,
        reason=reason,
        statistics=statistics,
    )


def uniqueness(found: int, exhausted: bool) -> bool | None:
    """Is there exactly one picture? ``found``: that many are known; ``exhausted``: there are no others."""
    if found == 1 and not exhausted:
        return None
    return found == 1 if found or exhausted else None
