"""Calls a function under limits, in a process of its own: for input that came from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from nonosat.app.requests import RequestError
from nonosat.errors import NonosatError, SolverError
from nonosat.runs.events import Stopped
from nonosat.runs.run import values_within

WALL_S, MEMORY_MB = 20.0, 1500.0


@dataclass(frozen=True)
class CallResult:
    """What the function returned, or why it refused."""

    value: Any = None
    error: str | None = None


def call_isolated(function: Callable[..., Any], *arguments: Any, preload: tuple[str, ...] = ()) -> Any:
    """What ``function`` of a module returns for ``arguments``; RequestError: it refused them, or took too much.

    ``preload``: modules that it will import, which are loaded once, on no clock.
    """
    limits = {"time_limit_s": WALL_S, "memory_limit_mb": MEMORY_MB}
    try:
        *_, result = values_within(_call, (function, arguments), limits, (function.__module__, *preload))
    except SolverError as error:
        raise RequestError(f"that was given up: {error}") from None
    if isinstance(result, Stopped):
        raise RequestError(f"that was given up: {result.reason or result.verdict}")
    if result.error is not None:
        raise RequestError(result.error)
    return result.value


def _call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Iterator[CallResult]:
    try:
        yield CallResult(function(*arguments))
    except NonosatError as error:
        yield CallResult(error=str(error))
