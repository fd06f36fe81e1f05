"""Where a search runs: in this process, or under limits in one of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from nonosat.errors import SolverError
from nonosat.solvers.answer import Event, Stopped, Verdict
from nonosat.solvers.solver import Solver

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
