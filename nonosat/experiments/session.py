"""A session of a study: what is not in its store yet is run, and stored. It may be ended at any moment, and goes on."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Protocol

from nonosat.encodings.registry import encoding as encoding_named
from nonosat.errors import NonosatError, UnsupportedError
from nonosat.experiments.checking import check
from nonosat.experiments.groups import groups, shard_of
from nonosat.experiments.plan import Group, Settings
from nonosat.experiments.provenance import Document, provenance
from nonosat.experiments.records import Record
from nonosat.experiments.shapes import solvers_of
from nonosat.experiments.store import Store
from nonosat.experiments.study import Study
from nonosat.solvers.answer import Verdict
from nonosat.solvers.judgement import denies_a_solution

FAILURES = (Verdict.CRASH, Verdict.ERROR)


@dataclass(frozen=True)
class Shard:
    """The ``number``-th of ``of`` parts of a study (from 1), for array jobs without a scheduler of ours."""

    number: int
    of: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.of:
            raise UnsupportedError(f"shard {self.number}/{self.of}: shards are numbered from 1 to {self.of}")


@dataclass
class Progress:
    """How far a study is. ``before``: runs that an earlier session has finished; ``outcomes``: those of this one.

    ``wrong``: WRONG though the encoding is sound, or the solver has none: somebody's bug.
    """

    total: int = 0
    before: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    wrong: int = 0
    last: Record | None = None
    began: float = field(default_factory=monotonic)
    ended: float | None = None
    interrupted: bool = False

    def take(self, record: Record) -> None:
        """Count a record."""
        self.outcomes[str(record["outcome"])] += 1
        self.wrong += is_bug(record)
        self.last = record

    @property
    def done(self) -> int:
        """Runs that this session has finished."""
        return sum(self.outcomes.values()) - self.outcomes[Verdict.INTERRUPTED]

    @property
    def left(self) -> int:
        """Runs that are not finished."""
        return self.total - self.before - self.done

    @property
    def elapsed_s(self) -> float:
        """Of this session."""
        return (self.ended or monotonic()) - self.began

    @property
    def left_s(self) -> float | None:
        """The time that is left at this session's pace, if it has one yet."""
        return self.elapsed_s / self.done * self.left if self.done else None

    @property
    def failed(self) -> int:
        """Runs of this session that must not be: crashes, errors, wrong pictures of sound encodings."""
        return self.wrong + sum(self.outcomes[outcome] for outcome in FAILURES)


class Engine(Protocol):
    """Who carries groups out: ``run.execute`` with its slots, or a cluster."""

    def __call__(
        self,
        groups: Iterator[Group],
        settings: Settings,
        on_record: Callable[[Record], None],
        stop: threading.Event,
    ) -> None:
        """As ``run.execute``; a record that has its ``provenance`` already keeps it."""


def conduct(
    study: Study,
    store_path: str | Path,
    jobs: int = 1,
    shard: Shard | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    scheduler: str | None = None,
    on_stored: Callable[[Sequence[str]], None] | None = None,
) -> Progress:
    """Run what is left of ``study``, ``jobs`` runs at a time, or on the Dask cluster of ``scheduler``.

    ``on_progress`` is called after every run, ``on_stored`` with the keys that have been committed (in another thread).
    The first Ctrl-C or SIGTERM ends the runs at work and keeps all others; what is said then is ``interrupted``.

    NonosatError: the study or the store is not in order, or a record could not be stored.
    """
    check(study).refuse()
    stop = threading.Event()
    with Store(store_path, study.name, study.text, on_stored) as store, ended_by_signals(stop):
        finished = store.finished_keys()
        progress = Progress(*_counted(study, shard, finished))
        own = store.provenance(provenance(solver.name for solver in solvers_of(study)))

        def on_record(record: Record) -> None:
            kept = record if record["provenance"] is not None else {**record, "provenance": own}
            store.add(kept)
            progress.take(kept)
            if on_progress is not None:
                on_progress(progress)

        engine = _engine(jobs, scheduler, store.provenance)
        if on_progress is not None:
            on_progress(progress)
        with contextlib.suppress(KeyboardInterrupt):
            engine(pending(study, shard, finished), study.settings, on_record, stop)
        progress.interrupted = stop.is_set() and progress.left > 0
        progress.ended = monotonic()
    return progress


def _engine(jobs: int, scheduler: str | None, keep: Callable[[Document], str]) -> Engine:
    if scheduler is not None:
        from nonosat.experiments import cluster

        return partial(cluster.execute, scheduler, keep)
    from nonosat.experiments import run

    return lambda groups, settings, on_record, stop: run.execute(groups, settings, jobs, on_record, stop)


def pending(study: Study, shard: Shard | None, finished: set[str]) -> Iterator[Group]:
    """The groups with runs that are not finished, with those runs only."""
    for group in planned(study, shard):
        runs = tuple(run for run in group.runs if run.key not in finished)
        if runs:
            yield group if len(runs) == len(group.runs) else replace(group, runs=runs)


def planned(study: Study, shard: Shard | None) -> Iterator[Group]:
    """The groups of the study, or of a shard of it."""
    for group in groups(study):
        if shard is None or shard_of(group, shard.of) == shard.number:
            yield group


def _counted(study: Study, shard: Shard | None, finished: set[str]) -> tuple[int, int]:
    """How many runs there are, and how many of them are finished."""
    total = before = 0
    for group in planned(study, shard):
        total += len(group.runs)
        before += sum(run.key in finished for run in group.runs)
    return total, before


def is_bug(record: Record) -> bool:
    """Is an answer wrong though its encoding is not known to let wrong boards through, or to shut solutions out?"""
    if record["outcome"] != Verdict.WRONG:
        return False
    if record["encoding"] is not None and denies_a_solution(str(record["reason"])):
        with contextlib.suppress(NonosatError):  # of a plug-in that is not here
            return encoding_named(str(record["encoding"])).complete
    return record["sound"] is not False


@contextlib.contextmanager
def ended_by_signals(stop: threading.Event) -> Iterator[None]:
    """Ctrl-C and SIGTERM (which batch systems send) set ``stop``; a second one is what it always was."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
