"""Work on a model that has a result at its end or none, under the limits of everything else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, TypeVar

from nonosat.errors import LimitReachedError, SolverError
from nonosat.runs.events import Stopped
from nonosat.runs.run import values_within

T = TypeVar("T")


def within(
    limits: dict[str, float | None], function: Callable[..., T], *arguments: Any, preload: tuple[str, ...] = ()
) -> T:
    """``function(*arguments)``, with ``limits`` in a process of its own.

    ``limits``: ``time_limit_s``, ``cpu_limit_s``, ``memory_limit_mb``. ``preload``: modules that ``function`` imports
    late, which would have it begin anew. LimitReachedError: one was reached.
    UnsupportedError: expressions nested too deep to be sent there.
    """
    if all(limit is None for limit in limits.values()):
        return function(*arguments)
    with closing(values_within(_only, (function, arguments), limits, (function.__module__, *preload))) as values:  # type: ignore[type-var]
        for value in values:
            if isinstance(value, Stopped):
                raise LimitReachedError(str(value.verdict), value.reason)
            result: T = value
            return result
    raise SolverError("the process ended without a result")


def _only(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Iterator[Any]:
    yield function(*arguments)
