"""Watched searches: one that is watched shows itself now and then, one that is not pays nothing.

A search says where it could be looked at (``glimpse``), at places that it comes to a few times a second anyway, and
how much work it does until the next one (``Pace``). Both ask for the ``Watch`` that the search runs under, which is
there only while a watched search goes on: the two questions are all that another one pays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nonosat.runs.events import Event, Finished, Found, Glimpse, Progress, Statistics

if TYPE_CHECKING:
    import numpy.typing as npt

EVERY_S = 0.1
"""Seconds between two glimpses."""
EARLY = 0.2
"""Of that time by which a glimpse may come too early: better than too late by a whole piece of work."""
PARTS = 4
"""Of the time between two glimpses, in which a search comes back once."""


@dataclass
class WatchSettings:
    """A search is looked at ``every_s`` seconds, and before that, ``closely`` times, whenever it can be.

    Looked at closely it comes back after the least piece of work (a line propagated, a placement laid), which makes it
    slower; the time that glimpses say is that of the search alone all the same.
    """

    every_s: float = EVERY_S
    closely: int = 0
    began: float = field(default_factory=perf_counter)
    spent_s: float = 0.0
    """By watching."""
    due_s: float = 0.0

    def now_s(self) -> float:
        """Seconds that the search has worked."""
        return perf_counter() - self.began - self.spent_s

    def due(self) -> bool:
        """Is it time for a glimpse?"""
        return self.closely > 0 or self.now_s() >= self.due_s - EARLY * self.every_s

    def look(self, seen: Callable[[], Glimpse]) -> Iterator[Glimpse]:
        """The glimpse, and the time that it took taken off."""
        begin, at_s = perf_counter(), self.now_s()
        due_s = at_s if self.closely > 0 else self.due_s  # a close look was not due, and puts off none that is
        self.closely -= self.closely > 0
        self.due_s = max(due_s, at_s - self.every_s / 2) + self.every_s  # one that was late makes none later
        yield replace(seen(), at_s=at_s)
        self.spent_s += perf_counter() - begin


_WATCH: ContextVar[WatchSettings | None] = ContextVar("watch", default=None)


def watch() -> WatchSettings | None:
    """What the search at work is watched by, if it is."""
    return _WATCH.get()


def glimpse(seen: Callable[[], Glimpse]) -> Iterator[Glimpse]:
    """What is ``seen`` of the search at work, if it is watched and time has come."""
    if (watch := _WATCH.get()) is not None and watch.due():
        yield from watch.look(seen)


class Pace:
    """How much work the search at work does at a time: as ``usual``, or less if it is watched."""

    def __init__(self, usual: int) -> None:
        self.usual, self.watch = usual, _WATCH.get()
        self.work, self.called_s = 1, 0.0

    def __call__(self) -> int:
        """For the call that is made now."""
        if self.watch is None:
            return self.usual
        now_s = self.watch.now_s()
        if self.watch.closely > 0:
            self.work = 1
        elif self.called_s:
            pace = self.watch.every_s / PARTS / max(now_s - self.called_s, 1e-6)
            self.work = min(self.usual, int(self.work * min(4.0, max(0.25, pace))) + 1)
        self.called_s = now_s
        return self.work


def watched(
    search: Callable[..., Iterable[Any]], arguments: tuple[Any, ...], every_s: float = EVERY_S, closely: int = 0
) -> Iterator[Event]:
    """The events of ``search(*arguments)``, and glimpses of it. Others may be at work in between, unwatched."""
    watch = WatchSettings(every_s, closely)
    events: Iterator[Any] | None = None
    while True:
        before = _WATCH.set(watch)
        try:
            events = iter(search(*arguments)) if events is None else events
            event = next(events, None)
        finally:
            _WATCH.reset(before)
        if event is None:
            return
        if isinstance(event, Finished) and event.statistics.solve_s is not None:
            own_s = max(0.0, event.statistics.solve_s - watch.spent_s)
            event = replace(event, statistics=replace(event.statistics, solve_s=own_s))
        yield event


# What searches in compiled code have in common: a compiled function that does some work a call, until it is done.


STEP_S = 0.15
"""Seconds between two signs of life of a search."""

BUSY, FOUND, EXHAUSTED = 0, 1, 2
"""What ``go_on`` says: there is more to do, the board is a picture, or no board is left."""


def driven(
    go_on: Callable[[int], int],
    usual: int,
    board: Callable[[], npt.ArrayLike],
    statistics: Callable[[], Statistics],
    seen: Callable[[], Glimpse],
    at_most: int | None,
    state: int = BUSY,
) -> Iterator[Event]:
    """The events of a search, from its beginning ``state`` to the end: call ``go_on`` until enough is found.

    ``usual``: how much it does a call, as it counts work itself. ``seen``: how it looks, if it is watched.
    """
    import numpy as np

    found, last, pace = 0, perf_counter(), Pace(usual)
    while state != EXHAUSTED and found != at_most:
        state = go_on(pace())
        yield from glimpse(seen)
        if state == FOUND:
            found += 1
            yield Found(np.asarray(board()))
        if perf_counter() - last > STEP_S:
            last = perf_counter()
            yield Progress("solving", statistics())
    yield Finished(state == EXHAUSTED, statistics())
