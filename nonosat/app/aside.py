"""A function in a process of its own, which is killed when it takes too much: for what came from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from nonosat.app.requests import RequestError
from nonosat.errors import NonosatError
from nonosat.runs.events import Finished, Statistics, Stopped
from nonosat.runs.isolation import isolated
from nonosat.runs.limits import Limits

WALL_S, MEMORY_MB = 20.0, 1500.0


@dataclass(frozen=True)
class CallResult:
    """What the function returned, or why it refused."""

    value: Any = None
    error: str | None = None


def call_isolated(function: Callable[..., Any], *arguments: Any, preload: tuple[str, ...] = ()) -> Any:
    """What ``function`` of a module returns for ``arguments``; RefusedError: what it refused, or it took too much.

    ``preload``: modules that it will import, which are loaded once, on no clock.
    """
    said: CallResult | None = None
    limits = Limits(wall_s=WALL_S, memory_mb=MEMORY_MB)
    with closing(isolated(_run, (function, arguments), limits, (function.__module__, *preload))) as events:
        for event in events:
            if isinstance(event, CallResult):
                said = event
            elif isinstance(event, Stopped):
                raise RequestError(f"that was given up: {event.reason or event.verdict}")
            elif not isinstance(event, Finished):
                said = None  # what was said before code was loaded is void
    if said is None:
        raise RequestError("that was given up: nothing came of it")
    if said.error is not None:
        raise RequestError(said.error)
    return said.value


def _run(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Iterator[CallResult | Finished]:
    try:
        yield CallResult(function(*arguments))
    except NonosatError as error:
        yield CallResult(error=str(error))
    yield Finished(True, Statistics())
