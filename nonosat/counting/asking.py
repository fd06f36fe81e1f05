"""What a search that counts says, heard to its end: under limits or in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from nonosat.counting.answer import Known, Tally
from nonosat.solvers.answer import Finished, Stopped, Verdict
from nonosat.solvers.hearing import Hearing, OnProgress, heard_to_its_end
from nonosat.solvers.judgement import too_few
from nonosat.solvers.running import in_process, limits_of
from nonosat.solvers.solver import BARE

T = TypeVar("T", bound=Tally)
Search = Callable[..., Iterator[Any]]


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
    hearing = Counting(tally, on_progress)
    return heard_to_its_end(events, hearing), hearing.told_of


class Counting(Hearing[T]):
    """What a search that counts has said so far: ``told_of``."""

    work = "counting"

    def __init__(self, tally: T, on_progress: OnProgress | None = None) -> None:
        self.tally = tally
        super().__init__(on_progress)

    def forget(self) -> None:
        """All that was counted before is void."""
        super().forget()
        self.told_of = Known()

    def known(self) -> int:
        """How many solutions there are at least."""
        return self.told_of.at_least

    def other(self, event: object) -> T | None:
        """Take note of what is known."""
        if not isinstance(event, Known):
            return super().other(event)
        told = {name: value for name, value in vars(event).items() if value is not None}
        told["at_least"] = max(self.told_of.at_least, event.at_least, event.solutions or 0)
        self.told_of = replace(self.told_of, **told)
        return None

    def finished(self, event: Finished) -> T:
        """The tally of a search that is through."""
        return self._with(Verdict.UNKNOWN, statistics=event.statistics, reason=event.reason)

    def broken_off(self, event: Stopped) -> T:
        """The tally of a search that was stopped: what was counted stands."""
        about = self.unfinished(event)
        return self._with(event.verdict, stopped=event.verdict, reason=event.reason, statistics=about)

    def _with(self, otherwise: Verdict, **more: Any) -> T:
        known = self.told_of
        verdict = Verdict.UNSAT if known.solutions == 0 else Verdict.SAT if known.at_least else otherwise
        told: dict[str, Any] = {
            "solutions": known.solutions,
            "at_least": known.at_least,
            "estimate": known.estimate,
            "counter": known.counter or self.tally.counter,
        }
        puzzle, counted = self.tally.puzzle, known.solutions
        if puzzle is not None and counted is not None and (why := too_few(puzzle, counted)) is not None:
            told |= {"solutions": None, "at_least": 0}
            return replace(self.tally, verdict=Verdict.WRONG, **told, **more | {"reason": why})
        return replace(self.tally, verdict=verdict, **told, **more)
