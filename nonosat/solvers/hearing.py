"""What a search says, heard to its end: one reading of events, of searches that solve and of those that count."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any, Generic, TypeVar

from nonosat.errors import InterruptedSolve
from nonosat.solvers.answer import Finished, Loading, Progress, Statistics, Stopped, Verdict

A = TypeVar("A")
OnProgress = Callable[[str, int], None]
"""Told of a stage, and how many solutions are known."""


class Hearing(ABC, Generic[A]):
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


def heard_to_its_end(events: Iterator[Any], hearing: Hearing[A]) -> A:
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
