"""What is seen of a process of a study: what it found, how it ended, and what each of its stages cost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from nonosat.experiments.measure import BEFORE, START, First, Made, Spent
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.answer import Finished, Found, Loading, Measured, Progress, Ready, Statistics, Stopped


@dataclass
class Trace:
    """What was seen of a process."""

    puzzle: Puzzle | None = None
    made: Made | None = None
    spent: dict[str, Spent] = field(default_factory=dict)
    found: list[Found] = field(default_factory=list)
    """Not looked at before the process has ended: it would wait to be listened to."""
    first: First | None = None
    first_statistics: Statistics | None = None
    """What was told next after the first picture."""
    measured: dict[str, Any] | None = None
    """What a counter measured so far, by the names of the records' fields; None: nothing, or it is no counter."""
    statistics: Statistics = field(default_factory=Statistics)
    encoding: str | None = None
    finished: Finished | None = None
    stopped: Stopped | None = None
    stage: str = START
    before_s: float | None = None
    """CPU seconds that it had used when its clock began, if that did."""

    def take(self, event: Any) -> None:
        """Take in one event."""
        match event:
            case Ready(cpu_s):
                self.before_s = cpu_s
            case Spent():
                self.add(event)
                self.stage = ""
            case Made():
                self.made, self.puzzle = event, event.puzzle
            case Progress(stage, statistics, encoding):
                self.stage, self.statistics, self.encoding = stage, statistics, encoding or self.encoding
                self._after_first()
            case First():
                self.first = event
            case Found():
                self.found.append(event)
            case Measured(values):
                self.measured = {**(self.measured or {}), **values}
            case Finished():
                self.finished, self.statistics = event, event.statistics
                self._after_first()
            case Stopped():
                self.stopped = event

    def _after_first(self) -> None:
        if self.found and self.first_statistics is None:
            self.first_statistics = self.statistics

    def add(self, spent: Spent) -> None:
        """A stage may come several times (each picture is another solving)."""
        before = self.spent.get(spent.stage)
        if before is not None:
            peaks = [peak for peak in (before.peak_mb, spent.peak_mb) if peak is not None]
            spent = Spent(
                spent.stage, before.wall_s + spent.wall_s, plus(before.cpu_s, spent.cpu_s), max(peaks, default=None)
            )
        self.spent[spent.stage] = spent

    def cost(self, stage: str) -> Spent | None:
        """What a stage cost, if the process came to it, even if it was ended there."""
        if stage in self.spent or self.stopped is None or self.stage != stage:
            return self.spent.get(stage)
        known = [part for part in self.spent.values() if part.stage not in BEFORE]
        wall_s = max(0.0, self.wall_s - sum(part.wall_s for part in known))
        cpu_s = None if self.cpu_s is None else max(0.0, self.cpu_s - sum(part.cpu_s or 0.0 for part in known))
        return Spent(stage, wall_s, cpu_s, self.stopped.peak_memory_mb)

    @property
    def wall_s(self) -> float:
        """Wall time since the clock began."""
        return (self.stopped.wall_s if self.stopped is not None else self.statistics.wall_s) or 0.0

    @property
    def cpu_s(self) -> float | None:
        """CPU time of the process, since the clock began."""
        total = self.stopped.cpu_s if self.stopped is not None else self.statistics.cpu_s
        if self.before_s is None:
            return 0.0
        return None if total is None else max(0.0, total - self.before_s)

    @property
    def peak_mb(self) -> float | None:
        """Peak memory of the whole process: that of its last part, or of a stage before."""
        last = self.stopped.peak_memory_mb if self.stopped else self.statistics.peak_memory_mb
        peaks = [peak for peak in (last, *(spent.peak_mb for spent in self.spent.values())) if peak is not None]
        return max(peaks, default=None)


def followed(events: Iterator[Any], puzzle: Puzzle | None = None) -> Trace:
    """All events of one process; ``puzzle``: that it works on, if it is known."""
    trace = Trace(puzzle)
    with closing(events):  # type: ignore[type-var] # a generator
        for event in events:
            if isinstance(event, Loading):  # what was said before is void
                trace = Trace(puzzle)
            else:
                trace.take(event)
    return trace


def plus(one: float | None, other: float | None) -> float | None:
    """The sum of what is known."""
    return other if one is None else one if other is None else one + other
