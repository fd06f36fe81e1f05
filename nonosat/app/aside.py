"""A function in a process of its own, which is killed when it takes too much: for what came from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from nonosat.app.errors import RefusedError
from nonosat.errors import NonosatError
from nonosat.solvers.answer import Finished, Statistics, Stopped
from nonosat.solvers.isolation.limits import Limits
from nonosat.solvers.isolation.run import isolated

WALL_S, MEMORY_MB = 20.0, 1500.0


@dataclass(frozen=True)
class Said:
    """What the function returned, or why it refused."""

    value: Any = None
    error: str | None = None


def aside(function: Callable[..., Any], *arguments: Any, preload: tuple[str, ...] = ()) -> Any:
    """What ``function`` of a module returns for ``arguments``; RefusedError: what it refused, or it took too much.

    ``preload``: modules that it will import, which are loaded once, on no clock.
    """
    said: Said | None = None
    limits = Limits(wall_s=WALL_S, memory_mb=MEMORY_MB)
    with closing(isolated(_run, (function, arguments), limits, (function.__module__, *preload))) as events:
        for event in events:
            if isinstance(event, Said):
                said = event
            elif isinstance(event, Stopped):
                raise RefusedError(f"that was given up: {event.reason or event.verdict}")
            elif not isinstance(event, Finished):
                said = None  # what was said before code was loaded is void
    if said is None:
        raise RefusedError("that was given up: nothing came of it")
    if said.error is not None:
        raise RefusedError(said.error)
    return said.value


def _run(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Iterator[Said | Finished]:
    try:
        yield Said(function(*arguments))
    except NonosatError as error:
        yield Said(error=str(error))
    yield Finished(True, Statistics())
