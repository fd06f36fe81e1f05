"""Runs a search in this process, or under limits in a process of its own. No other module decides which.

``run`` gives the events of a search, ``values_within`` what a plain generator yields, ``last_attempt`` all events at
once. ``consume`` reduces events to an answer or a tally.

A search under limits may begin anew: a child that lacks code ends, its zygote loads the code, and another child does
the work again (see ``zygote.py``). This module drops what is repeated, so that its callers need not know.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from time import perf_counter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from nonosat.errors import InterruptedSolve, SolverError, UnsupportedError
from nonosat.runs.events import NOTHING_SPENT, Finished, Found, Loading, Progress, Statistics, Stopped, Values, Verdict
from nonosat.runs.solver import BARE, Solver

if TYPE_CHECKING:
    from nonosat.runs.isolation import Stop
    from nonosat.runs.limits import Limits

Search = Callable[..., Iterable[Any]]
"""Gives its events: a generator; or a list, where the call has done all the work."""


def limits_of(
    solver: Solver,
    time_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    cpu_limit_s: float | None = None,
) -> Limits | None:
    """The limits of a run of ``solver``; None: it runs in this process.

    A solver that is known to abort its process gets a process of its own even where nothing is limited.
    """
    unlimited = time_limit_s is None and cpu_limit_s is None and memory_limit_mb is None
    if unlimited and not (solver.aborts and sys.platform == "linux"):
        return None
    from nonosat.runs.limits import Limits

    return Limits(time_limit_s, memory_limit_mb, cpu_limit_s)


def run(
    search: Search,
    arguments: tuple[Any, ...],
    limits: Limits | None,
    preload: tuple[str, ...] = (),
    stop: Stop | None = None,
) -> Generator[Any, None, None]:
    """The events of ``search(*arguments)``: in this process if ``limits`` is None, else in one of its own.

    ``Limits()`` limits nothing, and isolates all the same. ``preload`` names modules that are imported before the clock
    of an isolated run starts. ``stop`` ends an isolated run from another thread. Close the events to end the run early.
    Each solution and each of the ``Values`` comes once; after ``Loading`` progress and glimpses start again.

    UnsupportedError: there are limits and this is not Linux, or the search cannot be sent to another process.
    """
    if limits is None:
        return in_process(search, arguments)
    from nonosat.runs.isolation import isolated

    return _without_repetitions(isolated(search, arguments, limits, preload, stop=stop))


def last_attempt(
    search: Search,
    arguments: tuple[Any, ...],
    limits: Limits,
    preload: tuple[str, ...] = (),
    waits: bool = False,
    spent: tuple[float, float] = (0.0, 0.0),
) -> list[Any]:
    """All events of an isolated run, when it is over; of one that began anew, those of the last attempt.

    ``waits`` and ``spent``: see ``isolated``.
    """
    from nonosat.runs.isolation import isolated

    found: list[Any] = []
    with closing(isolated(search, arguments, limits, preload, waits=waits, spent=spent)) as events:
        for event in events:
            if isinstance(event, Loading):
                found.clear()
            else:
                found.append(event)
    return found


def in_process(search: Search, arguments: tuple[Any, ...]) -> Generator[Any, None, None]:
    """The events of ``search(*arguments)``, where a failure of the solver becomes the last event."""
    try:
        yield from search(*arguments)
    except SolverError as error:
        yield Stopped(Verdict.CRASH, str(error))
    except MemoryError:
        yield Stopped(Verdict.MEMOUT, "out of memory")
    except SystemExit as leaving:  # the exit code of this program is not the solver's to set
        yield Stopped(Verdict.CRASH, f"SystemExit: {leaving}")


def _without_repetitions(events: Generator[Any, None, None]) -> Generator[Any, None, None]:
    """``events`` without the results that an earlier attempt has given. UnsupportedError: the search refused.

    Solutions are compared by content, since a search need not find them in the same order again. ``Values`` are
    compared by position: they may hold times.
    """
    import pickle
    from hashlib import blake2b

    earlier: set[bytes] = set()  # digests of the solutions of earlier attempts
    current: set[bytes] = set()
    given = position = 0  # values: of all attempts, of the current one
    with closing(events):
        for event in events:
            match event:
                case Loading():
                    earlier |= current
                    current, position = set(), 0
                case Found(cells):
                    key = blake2b(pickle.dumps(cells, protocol=5), digest_size=16).digest()
                    repeated = key in earlier and key not in current
                    current.add(key)
                    if repeated:
                        continue
                case Values(values):
                    position += len(values)
                    if position <= given:
                        continue
                    event = Values(values[len(values) - (position - given) :])
                    given = position
                case Stopped(Verdict.UNSUPPORTED, reason):
                    raise UnsupportedError(reason)  # as without limits
            yield event


def values_within(
    function: Search,
    arguments: tuple[Any, ...],
    limits: Mapping[str, float | None],
    preload: tuple[str, ...] = (),
) -> Iterator[Any]:
    """What ``function(*arguments)`` yields, under limits; where one was reached, a ``Stopped`` comes last.

    ``limits``: ``time_limit_s``, ``cpu_limit_s`` and ``memory_limit_mb``, for all values together. With any of them the
    function must be one that can be imported. UnsupportedError: as the function raises it. SolverError: it failed
    otherwise. Close the values where a loop may be left early.
    """
    with closing(run(_values, (function, arguments), limits_of(BARE, **limits), preload)) as events:
        for event in events:
            match event:
                case Values(values):
                    yield from values
                case Stopped(Verdict.CRASH):
                    raise SolverError(event.reason)
                case Stopped():
                    yield event


def _values(function: Search, arguments: tuple[Any, ...]) -> Iterator[Values | Progress | Finished]:
    """The search behind ``values_within``. A ``Progress`` after each value makes the child send it."""
    for value in function(*arguments):
        yield Values((value,))
        yield Progress("searching")
    yield Finished(True, Statistics())


A = TypeVar("A")
OnProgress = Callable[[str, int], None]
"""Called with a stage, and how many solutions are known."""


class EventConsumer(ABC, Generic[A]):
    """Reduces the events of a search to an answer or a tally. ``consume`` feeds it.

    ``work``: the stage whose wall time counts as the solving time of a search that was stopped.
    """

    work = "solving"

    def __init__(self, on_progress: OnProgress | None = None) -> None:
        self.on_progress = on_progress
        self.stage, self.reported = "", 0.0
        self.statistics = NOTHING_SPENT
        self.begun: float | None = None

    def take(self, event: object) -> A | None:
        """Take in an event; the result, if that was the last one."""
        match event:
            case Loading(what):
                self.statistics, self.begun = NOTHING_SPENT, None
                if what:
                    self.report(f"loading {what} (compiled at its first use on a machine)")
            case Progress(stage, Statistics() as statistics):
                self.statistics = statistics
                if stage == self.work and self.begun is None:
                    self.begun = perf_counter()
                self.report(stage)
            case Finished():
                return self.finished(event)
            case Stopped():
                return self.stopped(event)
            case _:
                return self.other(event)
        return None

    def other(self, event: object) -> A | None:
        """Take in an event that only some searches have."""
        return self.stopped(Stopped(Verdict.CRASH, f"the search said {event!r:.60}, which is no event"))

    @abstractmethod
    def finished(self, event: Finished) -> A:
        """The result of a search that ended by itself."""

    @abstractmethod
    def stopped(self, event: Stopped) -> A:
        """The result of a search that was stopped: what it found so far, and why there is no more."""

    @abstractmethod
    def known(self) -> int:
        """How many solutions are known."""

    def unfinished(self, event: Stopped) -> Statistics:
        """The cost of a search that was stopped."""
        spent = None if self.begun is None else perf_counter() - self.begun
        return self.statistics.unfinished(spent, event.peak_memory_mb, event.cpu_s, event.wall_s)

    def report(self, stage: str) -> None:
        """Report the stage, and how many solutions are known."""
        self.stage, self.reported = stage, perf_counter()
        if self.on_progress is not None:
            self.on_progress(stage, self.known())


def consume(events: Iterator[Any], consumer: EventConsumer[A]) -> A:
    """The result of ``consumer`` after ``events``. InterruptedSolve: Ctrl-C, with the result so far."""
    try:
        for event in events:
            if (result := consumer.take(event)) is not None:
                return result
    except KeyboardInterrupt:
        raise InterruptedSolve(consumer.stopped(Stopped(Verdict.INTERRUPTED, "interrupted"))) from None
    finally:
        if hasattr(events, "close"):
            events.close()
    return consumer.stopped(ENDLESS)


ENDLESS = Stopped(Verdict.CRASH, "the search ended without a verdict")
"""Stands for the last event of a search that has none."""
