"""A search to its end, where only what it comes to is of interest."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

from nonosat.runs.events import Event

T = TypeVar("T")


def drained(events: Generator[Event, None, T]) -> T:
    """What the generator returns."""
    while True:
        try:
            next(events)
        except StopIteration as end:
            value: T = end.value
            return value
