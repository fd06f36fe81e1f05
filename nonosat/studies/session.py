"""A session of a study: what is not in its store yet is run, and stored. It may be ended at any moment, and goes on."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Protocol

from nonosat.encodings.registry import encoding as encoding_named
from nonosat.errors import NonosatError, UnknownNameError, UnsupportedError
from nonosat.generators.registry import GENERATORS
from nonosat.runs.events import Verdict
from nonosat.solvers.judgement import denies_a_solution
from nonosat.studies.checking import check
from nonosat.studies.plan import (
    GeneratedEntry,
    RunGroup,
    Settings,
    Study,
    StudyRun,
    groups,
    parameters_of,
    shard_of,
    solvers_of,
)
from nonosat.studies.provenance import Document, provenance
from nonosat.studies.records import NAMES as FIELD_NAMES
from nonosat.studies.records import Record
from nonosat.studies.store import Store, StoreReader

FAILURES = (Verdict.CRASH, Verdict.ERROR)


@dataclass(frozen=True)
class Shard:
    """The ``number``-th of ``of`` parts of a study (from 1), for array jobs without a scheduler of ours."""

    number: int
    of: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.of:
            raise UnsupportedError(f"shard {self}: shards are numbered from 1 to {self.of}")

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


Cell = tuple[str, str, str]
"""Boards of one kind (a generator and its parameters), an encoding and a solver: runs that take about as long."""


@dataclass
class StudyProgress:
    """How far a study is. ``before``: runs that an earlier session has finished; ``outcomes``: those of this one.

    ``wrong``: WRONG though the encoding is sound, or the solver has none: a bug.
    """

    total: int = 0
    before: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    wrong: int = 0
    last: Record | None = None
    spent: dict[tuple[str, ...], tuple[int, float]] = field(default_factory=dict)
    """Runs and their wall seconds, by encoding (- without one) and solver."""
    cells: dict[str, Cell] = field(default_factory=dict)
    """The cell of each run that is not finished, by its key."""
    waiting: Counter[Cell] = field(init=False)
    """How many runs of each cell are not finished: told several times a second, of studies with 100,000 runs."""
    paces: dict[Cell, tuple[int, float]] = field(default_factory=dict)
    """Finished runs of a cell, and their wall seconds."""
    began: float = field(default_factory=monotonic)
    ended: float | None = None
    interrupted: bool = False

    def __post_init__(self) -> None:
        self.waiting = Counter(self.cells.values())

    def take(self, record: Record) -> None:
        """Count a record."""
        self.outcomes[str(record["outcome"])] += 1
        self.wrong += is_bug(record)
        self.last = record
        cell = (str(record["encoding"] or "-"), str(record["solver"]))
        taken = float(record["wall_s"] or 0.0)
        runs, seconds = self.spent.get(cell, (0, 0.0))
        self.spent[cell] = runs + 1, seconds + taken
        if record["outcome"] != Verdict.INTERRUPTED and (here := self.cells.pop(str(record["key"]), None)) is not None:
            runs, seconds = self.paces.get(here, (0, 0.0))
            self.paces[here] = runs + 1, seconds + taken
            self.waiting[here] -= 1

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
        """The time that is left, if anything is known of it: runs take what others of their cell took in this session.

        Those of a cell that has not been begun take what all took in the mean.
        """
        runs, seconds = (sum(column) for column in zip(*self.paces.values(), strict=True)) if self.paces else (0, 0.0)
        if not runs or not seconds:
            return None
        means = {cell: spent / many for cell, (many, spent) in self.paces.items()}
        left = sum(count * means.get(cell, seconds / runs) for cell, count in self.waiting.items())
        return self.elapsed_s / seconds * left  # several at a time, and what is between them

    @property
    def unknown(self) -> bool:
        """Whether runs are left in cells of which none has been run in this session."""
        return not self.paces.keys() >= self.waiting.keys()

    def slowest(self, most: int = 3) -> list[tuple[tuple[str, ...], float]]:
        """The cells whose runs took longest, and the mean wall seconds of a run of each."""
        means = {cell: seconds / runs for cell, (runs, seconds) in self.spent.items()}
        return sorted(means.items(), key=lambda item: -item[1])[:most]

    @property
    def failed(self) -> int:
        """Runs of this session that must not be: crashes, errors, wrong pictures of sound encodings."""
        return self.wrong + sum(self.outcomes[outcome] for outcome in FAILURES)


class Engine(Protocol):
    """Who carries groups out: ``run.execute`` with its slots, or a cluster."""

    def __call__(
        self,
        groups: Iterator[RunGroup],
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
    on_progress: Callable[[StudyProgress], None] | None = None,
    scheduler: str | None = None,
    on_stored: Callable[[Sequence[str]], None] | None = None,
) -> StudyProgress:
    """Run what is left of ``study``, ``jobs`` runs at a time, or on the Dask cluster of ``scheduler``.

    ``on_progress`` is called after every run, ``on_stored`` with the keys that have been committed (in another thread).
    The first Ctrl-C or SIGTERM ends the runs at work and keeps all others; the outcome is then ``interrupted``.

    NonosatError: the study or the store is not in order, or a record could not be stored.
    """
    check(study).refuse()
    stop = threading.Event()
    with Store(store_path, study.name, study.text, on_stored) as store, ended_by_signals(stop):
        store.runs_for(str(shard or ""))
        finished = store.finished_keys()
        total, cells = _unfinished(study, shard, finished)
        progress = StudyProgress(total, total - len(cells), cells=cells)
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
        from nonosat.studies import cluster

        return partial(cluster.execute, scheduler, keep)
    from nonosat.studies import run

    return lambda groups, settings, on_record, stop: run.execute(groups, settings, jobs, on_record, stop)


def pending(study: Study, shard: Shard | None, finished: set[str]) -> Iterator[RunGroup]:
    """The groups with runs that are not finished, with those runs only."""
    for group in planned(study, shard):
        runs = tuple(run for run in group.runs if run.key not in finished)
        if runs:
            yield group if len(runs) == len(group.runs) else replace(group, runs=runs)


def planned(study: Study, shard: Shard | None) -> Iterator[RunGroup]:
    """The groups of the study, or of a shard of it."""
    for group in groups(study):
        if shard is None or shard_of(group, shard.of) == shard.number:
            yield group


def _unfinished(study: Study, shard: Shard | None, finished: set[str]) -> tuple[int, dict[str, Cell]]:
    """How many runs there are, and the cells of those that are not finished."""
    total, cells = 0, {}
    for group in planned(study, shard):
        total += len(group.runs)
        boards = group.instance.name.rpartition("/")[0] if group.instance.generator else "files"
        for run in group.runs:
            if run.key not in finished:
                cells[run.key] = boards, group.written or "-", run.solver.name
    return total, cells


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


# How far a study is, cell by cell: what is stored, and what is left.


LEFT = "left"

BY: dict[str, Callable[[RunGroup, StudyRun], str]] = {
    "encoding": lambda group, run: group.written or "-",
    "solver": lambda group, run: run.solver.name,
    "source": lambda group, run: group.instance.source,
    "repetition": lambda group, run: str(run.repetition),
}
"""What a table may be made by, besides the parameters of the study's generators."""


@dataclass
class Status:
    """``cells``: outcomes and what is left, by the values of ``by``; ``strangers``: keys of stored runs that are not of
    the study.
    """

    by: tuple[str, ...]
    cells: dict[tuple[str, ...], Counter[str]] = field(default_factory=dict)
    strangers: tuple[str, ...] = ()

    @property
    def total(self) -> Counter[str]:
        """All cells together."""
        return sum(self.cells.values(), Counter())


def status(study: Study, reader: StoreReader | None, by: Sequence[str], shard: Shard | None = None) -> Status:
    """The state of ``study`` (or of a shard of it) in its store (None: nothing has been run).

    UnknownNameError: nothing to make a table by.
    """
    words = parameters(study)
    for name in by:
        if name not in BY and name not in words:
            raise UnknownNameError("column", name, [*BY, *words])
    state, outcomes = Status(tuple(by)), {} if reader is None else reader.outcomes()
    functions = [BY.get(name) or partial(_parameter, name) for name in by]
    for group in planned(study, shard):
        for run in group.runs:
            cell = tuple(function(group, run) for function in functions)
            outcome = outcomes.pop(run.key, LEFT)
            state.cells.setdefault(cell, Counter())[LEFT if outcome == Verdict.INTERRUPTED else outcome] += 1
    state.strangers = tuple(outcomes)
    return state


def stored(reader: StoreReader, by: Sequence[str]) -> Status:
    """What a store holds, where its study is not at hand: what is left is not known, and counts as nothing.

    UnknownNameError: nothing to make a table by.
    """
    state = Status(tuple(by))
    for name in by:
        if name not in FIELD_NAMES:
            raise UnknownNameError("column", name, list(FIELD_NAMES))
    for record in reader.records():
        cell = tuple(str(record[name] if record.get(name) is not None else "-") for name in by)
        outcome = str(record["outcome"])
        state.cells.setdefault(cell, Counter())[LEFT if outcome == Verdict.INTERRUPTED else outcome] += 1
    return state


def parameters(study: Study) -> list[str]:
    """The words of the parameters of the study's generators."""
    generators = [GENERATORS.named(entry.generator) for entry in study.puzzles if isinstance(entry, GeneratedEntry)]
    return list(dict.fromkeys(parameter.word for generator in generators for parameter in generator.parameters))


def _parameter(word: str, group: RunGroup, run: StudyRun) -> str:
    return parameters_of(group.instance).get(word, "-")


def lines(state: Status) -> list[str]:
    """The state as a table in plain text; outcomes that nothing had have no column."""
    total = state.total
    columns = [name for name in (*map(str, Verdict), LEFT) if total[name] or name == LEFT]
    rows = [[*state.by, "runs", *columns]]
    rows += [_row(cell, counts, columns) for cell, counts in state.cells.items()]
    if len(state.cells) > 1:
        rows.append(_row(("all", *[""] * (len(state.by) - 1)), total, columns))
    return aligned(rows, len(state.by))


def _row(cell: Sequence[str], counts: Counter[str], columns: Sequence[str]) -> list[str]:
    return [*cell, f"{counts.total():,}", *(f"{counts[name]:,}" if counts[name] else "." for name in columns)]


def aligned(rows: Iterable[Sequence[str]], left: int) -> list[str]:
    """Rows of equal length as lines; the first ``left`` columns begin, the others end, at the same place."""
    rows = list(rows)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            word.ljust(width) if column < left else word.rjust(width)
            for column, (word, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
