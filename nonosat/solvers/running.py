"""Where a search runs: in this process, or under limits in one of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from nonosat.errors import SolverError, UnsupportedError
from nonosat.solvers.answer import Event, Finished, Loading, Progress, Statistics, Stopped, Verdict
from nonosat.solvers.solver import BARE, Solver

if TYPE_CHECKING:
    from nonosat.solvers.isolation.limits import Limits


def limits_of(
    solver: Solver, time_limit_s: float | None, memory_limit_mb: float | None, cpu_limit_s: float | None = None
) -> Limits | None:
    """The limits of a run of this solver; None: it runs in this process."""
    limited = any(limit is not None for limit in (time_limit_s, cpu_limit_s, memory_limit_mb))
    if not limited and not (solver.aborts and sys.platform == "linux"):
        return None
    from nonosat.solvers.isolation.limits import Limits

    return Limits(time_limit_s, memory_limit_mb, cpu_limit_s)


def run(
    search: Callable[..., Iterator[Event]], arguments: tuple[Any, ...], solver: Solver, limits: Limits | None
) -> Iterator[Event]:
    """The events of ``search(*arguments)``, which asks ``solver``, under ``limits`` or in this process."""
    if limits is None:
        return in_process(search(*arguments))
    from nonosat.solvers.isolation.run import isolated

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
    from nonosat.solvers.isolation.run import isolated

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
