"""Where a search runs: in this process, or under limits in one of its own."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from time import perf_counter
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast

from nonosat.errors import InterruptedSolve, SolverError, UnsupportedError
from nonosat.runs.events import Event, Finished, Loading, Progress, Statistics, Stopped, Verdict
from nonosat.runs.solver import BARE, Solver

if TYPE_CHECKING:
    from nonosat.runs.limits import Limits


def limits_of(
    solver: Solver, time_limit_s: float | None, memory_limit_mb: float | None, cpu_limit_s: float | None = None
) -> Limits | None:
    """The limits of a run of this solver; None: it runs in this process."""
    limited = any(limit is not None for limit in (time_limit_s, cpu_limit_s, memory_limit_mb))
    if not limited and not (solver.aborts and sys.platform == "linux"):
        return None
    from nonosat.runs.limits import Limits

    return Limits(time_limit_s, memory_limit_mb, cpu_limit_s)


def run(
    search: Callable[..., Iterator[Event]], arguments: tuple[Any, ...], solver: Solver, limits: Limits | None
) -> Iterator[Event]:
    """The events of ``search(*arguments)``, which asks ``solver``, under ``limits`` or in this process."""
    if limits is None:
        return in_process(search(*arguments))
    from nonosat.runs.isolation import isolated

    return isolated(search, arguments, limits, preload=(solver.module,))


def in_process(events: Iterator[Event]) -> Iterator[Event]:
    """``events``, with a solver's failure made one of them."""
    try:
        yield from events
    except SolverError as error:
        yield Stopped(Verdict.CRASH, str(error))
    except MemoryError:
        yield Stopped(Verdict.MEMOUT, "out of memory")
    except SystemExit as leaving:  # a search does not end the program, whose exit code says what was found
        yield Stopped(Verdict.CRASH, f"SystemExit: {leaving}")


class Value(NamedTuple):
    """Something that a search for other things than solutions has found; an error: why it finds no more."""

    found: Any


def values_within(
    function: Callable[..., Iterator[Any]], arguments: tuple[Any, ...], limits: Mapping[str, float | None]
) -> Iterator[Any]:
    """What ``function(*arguments)`` yields, under limits; where one was reached, a ``Stopped`` comes last.

    ``limits``: ``time_limit_s``, ``cpu_limit_s`` and ``memory_limit_mb``, for all values together; with any of them it
    runs in a process of its own, for which the function must be one that can be imported. UnsupportedError: as the
    function raises it. SolverError: it failed otherwise. Close it, if it is left early.
    """
    found = limits_of(BARE, **limits)
    if found is None:
        yield from function(*arguments)
        return
    from nonosat.runs.isolation import isolated

    given = said = 0
    events: Any = isolated(cast(Any, _values), (function, arguments), found)
    with closing(events):
        for event in events:
            match event:
                case Loading():  # it begins anew, and finds the same again
                    said = 0
                case Value(value):
                    said += 1
                    if said > given:
                        given = said
                        if isinstance(value, UnsupportedError):
                            raise value
                        yield value
                case Stopped(Verdict.CRASH):
                    raise SolverError(event.reason)
                case Stopped():
                    yield event


def _values(
    function: Callable[..., Iterator[Any]], arguments: tuple[Any, ...]
) -> Iterator[Value | Progress | Finished]:
    """The events of ``values_within``: each value is followed by a ``Progress``, with which it is sent."""
    try:
        for value in function(*arguments):
            yield Value(value)
            yield Progress("searching", Statistics())
    except UnsupportedError as error:
        yield Value(error)
    yield Finished(True, Statistics())


# What a search says, heard to its end: one reading of events, of searches that solve and of those that count.


A = TypeVar("A")
OnProgress = Callable[[str, int], None]
"""Told of a stage, and how many solutions are known."""


class EventConsumer(ABC, Generic[A]):
    """What a search has said so far, and what comes of it: an answer, or a tally.

    ``work``: the stage whose seconds are told of a search that was stopped.
    """

    work = "solving"

    def __init__(self, on_progress: OnProgress | None = None) -> None:
        self.on_progress = on_progress
        self.stage, self.told = "", 0.0
        self.forget()

    def forget(self) -> None:
        """All that was said before is void."""
        self.statistics = Statistics()
        self.begun: float | None = None

    def take(self, event: object) -> A | None:
        """Hear an event; what came of the search, if that was the last one."""
        match event:
            case Loading(what):
                self.forget()
                if what:
                    self.tell(f"loading {what} (compiled at its first use on a machine)")
            case Progress(stage, Statistics() as statistics):
                self.statistics = statistics
                if stage == self.work and self.begun is None:
                    self.begun = perf_counter()
                self.tell(stage)
            case Finished():
                return self.finished(event)
            case Stopped():
                return self.broken_off(event)
            case _:
                return self.other(event)
        return None

    def other(self, event: object) -> A | None:
        """Hear what only some searches say."""
        return self.broken_off(Stopped(Verdict.CRASH, f"the search said {event!r:.60}, which is no event"))

    @abstractmethod
    def finished(self, event: Finished) -> A:
        """What came of a search that is through."""

    @abstractmethod
    def broken_off(self, event: Stopped) -> A:
        """What came of a search that was stopped: what it found counts, and why there is no more is told."""

    @abstractmethod
    def known(self) -> int:
        """How many solutions are known."""

    def unfinished(self, event: Stopped) -> Statistics:
        """What a search that was stopped has cost."""
        spent = None if self.begun is None else perf_counter() - self.begun
        return self.statistics.unfinished(spent, event.peak_memory_mb, event.cpu_s, event.wall_s)

    def tell(self, stage: str) -> None:
        """Tell of the stage, and how many solutions are known."""
        self.stage, self.told = stage, perf_counter()
        if self.on_progress is not None:
            self.on_progress(stage, self.known())


def consume(events: Iterator[Any], hearing: EventConsumer[A]) -> A:
    """What came of a search. InterruptedSolve: Ctrl-C, with what is known."""
    try:
        for event in events:
            if (said := hearing.take(event)) is not None:
                return said
    except KeyboardInterrupt:
        raise InterruptedSolve(hearing.broken_off(Stopped(Verdict.INTERRUPTED, "interrupted"))) from None
    finally:
        if hasattr(events, "close"):
            events.close()
    return hearing.broken_off(ENDLESS)


ENDLESS = Stopped(Verdict.CRASH, "the search ended without a verdict")
"""What is heard of a search that says no last word."""
