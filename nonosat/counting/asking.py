"""What a search that counts says, heard to its end: under limits or in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any, TypeVar

from nonosat.counting.answer import Known, Tally
from nonosat.errors import InterruptedSolve
from nonosat.solvers.answer import Finished, Loading, Progress, Statistics, Stopped, Verdict
from nonosat.solvers.running import in_process, limits_of
from nonosat.solvers.solver import BARE

T = TypeVar("T", bound=Tally)
Search = Callable[..., Iterator[Any]]
OnProgress = Callable[[str, int], None]


def events_of(
    search: Search,
    arguments: tuple[Any, ...],
    time_limit_s: float | None,
    cpu_limit_s: float | None,
    memory_limit_mb: float | None,
) -> Iterator[Any]:
    """The events of ``search(*arguments)``; with a limit it runs in a process that is killed when it goes over."""
    limits = limits_of(BARE, time_limit_s, memory_limit_mb, cpu_limit_s)
    if limits is None:
        return in_process(search(*arguments))
    from nonosat.solvers.isolation.run import isolated

    return isolated(search, arguments, limits)


def heard(events: Iterator[Any], tally: T, on_progress: OnProgress | None = None) -> tuple[T, Known]:
    """``tally`` with what came of a search, and all else that it told. InterruptedSolve: Ctrl-C, with what is known."""
    hearing = Hearing(tally, on_progress)
    try:
        for event in events:
            if (said := hearing.take(event)) is not None:
                return said, hearing.known
    except KeyboardInterrupt:
        raise InterruptedSolve(hearing.broken_off(Stopped(Verdict.INTERRUPTED, "interrupted"))) from None
    finally:
        if hasattr(events, "close"):
            events.close()
    return hearing.broken_off(Stopped(Verdict.CRASH, "the count ended without a verdict")), hearing.known


class Hearing:
    """What a search has said so far."""

    def __init__(self, tally: Any, on_progress: OnProgress | None) -> None:
        self.tally, self.on_progress = tally, on_progress
        self._forget()

    def _forget(self) -> None:
        self.known, self.statistics = Known(), Statistics()
        self.begun: float | None = None

    def take(self, event: object) -> Any:
        """Hear an event; the tally, if that was the last one."""
        match event:
            case Loading(what):  # what was said before is void
                self._forget()
                if what:
                    self._tell(f"loading {what} (compiled at its first use on a machine)")
            case Known():
                told = {name: value for name, value in vars(event).items() if value is not None}
                told["at_least"] = max(self.known.at_least, event.at_least, event.solutions or 0)
                self.known = replace(self.known, **told)
            case Progress(stage, Statistics() as statistics):
                self.statistics = statistics
                if stage == "counting" and self.begun is None:
                    self.begun = perf_counter()
                self._tell(stage)
            case Finished(_, Statistics() as statistics, reason):
                return self._with(Verdict.UNKNOWN, statistics=statistics, reason=reason)
            case Stopped():
                return self.broken_off(event)
            case _:
                return self.broken_off(Stopped(Verdict.CRASH, f"the count said {event!r:.60}, which is no event"))
        return None

    def broken_off(self, event: Stopped) -> Any:
        """The tally of a search that was stopped: what was counted stands."""
        spent = None if self.begun is None else perf_counter() - self.begun
        about = self.statistics.unfinished(spent, event.peak_memory_mb, event.cpu_s, event.wall_s)
        return self._with(event.verdict, stopped=event.verdict, reason=event.reason, statistics=about)

    def _with(self, otherwise: Verdict, **more: Any) -> Any:
        known = self.known
        verdict = Verdict.UNSAT if known.solutions == 0 else Verdict.SAT if known.at_least else otherwise
        told: dict[str, Any] = {
            "solutions": known.solutions,
            "at_least": known.at_least,
            "estimate": known.estimate,
            "counter": known.counter or self.tally.counter,
        }
        return replace(self.tally, verdict=verdict, **told, **more)

    def _tell(self, stage: str) -> None:
        if self.on_progress is not None:
            self.on_progress(stage, self.known.at_least)
