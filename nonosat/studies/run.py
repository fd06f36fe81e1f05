"""Carrying out the runs of a study, several at a time, each in a process of its own that is killed at its limits.

A group's puzzle and formula are made once, by a process before its runs, and left in a file that all of them read. The
limits of a run cover encoding, loading and solving: what encoding took is taken off the limits of every run that works
on the formula, and nothing else counts. Every picture is checked here, away from the process that found it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from nonosat.counting.answer import Number, log10_of
from nonosat.modelling.solve import ModelAnswer
from nonosat.puzzles.puzzle import Board
from nonosat.runs.events import (
    COUNTERS,
    Answer,
    Conclusion,
    Finished,
    Found,
    Measured,
    Progress,
    Ready,
    Statistics,
    Stopped,
    Verdict,
)
from nonosat.runs.isolation import POOL
from nonosat.runs.run import last_attempt
from nonosat.runs.zygote import one_line_error
from nonosat.solvers.judgement import Judge, consume_judged, judge_of, judged, too_few
from nonosat.solvers.registry import with_limits
from nonosat.studies import measure
from nonosat.studies.measure import BEFORE, START, First, Made, Spent
from nonosat.studies.models import StudyModel
from nonosat.studies.plan import RunGroup, Settings, StudyRun, facts_of
from nonosat.studies.records import Record, complete

# What is seen of a process of a study: what it found, how it ended, and what each of its stages cost.


@dataclass
class Trace:
    """What was seen of a process."""

    puzzle: Any = None
    """The puzzle or the model, if the process came to it."""
    made: Made | None = None
    spent: dict[str, Spent] = field(default_factory=dict)
    found: list[Found] = field(default_factory=list)
    """Not looked at before the process has ended: it would wait to be listened to."""
    first: First | None = None
    first_statistics: Statistics | None = None
    """The event after the first solution."""
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


def trace_of(events: Iterable[Any], puzzle: Any = None) -> Trace:
    """The trace of all events of one process; ``puzzle``: that it works on, if it is known."""
    trace = Trace(puzzle)
    for event in events:
        trace.take(event)
    return trace


def plus(one: float | None, other: float | None) -> float | None:
    """The sum of what is known."""
    return other if one is None else one if other is None else one + other


# What is recorded of a run: what it is, what came out, and what it cost.


MOST = 2**63 - 1
"""What stands for more solutions than fit a whole number of SQLite and Parquet; ``counted`` has all digits."""


def described(group: RunGroup, run: StudyRun, settings: Settings) -> dict[str, Any]:
    """What the run is."""
    instance, limits, encoding = group.instance, settings.limits, group.encoding
    return {
        "key": run.key,
        "study": settings.study,
        "instance": instance.name,
        **facts_of(instance),
        "encoding": group.written,
        "parts": run.solver.sees(encoding),
        "sound": None if encoding is None else encoding.sound,
        "solver": run.solver.name,
        "family": run.solver.family,
        "count": settings.count,
        "repetition": run.repetition,
        "time_limit_s": limits.wall_s,
        "cpu_limit_s": limits.cpu_s,
        "memory_limit_mb": limits.memory_mb,
    }


def outcome(trace: Trace, shared: Trace) -> dict[str, Any]:
    """What came out, from the evidence; every solution is checked, away from the process that found it."""
    puzzle, stopped = trace.puzzle, trace.stopped or shared.stopped
    ended = stopped or trace.finished
    events = chain(trace.found, () if ended is None else (ended,))
    model = puzzle if isinstance(puzzle, StudyModel) else None
    measured, bound = trace.measured, None
    if measured is not None and "bound" in measured:  # of an objective: no counter says it
        bound, measured = measured["bound"], None
    answer: Conclusion[Any]
    if model is not None:
        answer = consume_judged(events, ModelAnswer(Verdict.UNKNOWN, statement=model.statement), model.judge())
    elif puzzle is None or measured is not None:  # nothing is found, and no board is denied
        answer = consume_judged(events, Answer(Verdict.UNKNOWN), Judge(partial(judged, puzzle)))
    else:
        answer = consume_judged(events, Answer(Verdict.UNKNOWN), judge_of(puzzle))
    verdict = answer.stopped or answer.verdict
    if stopped is not None and stopped.raised and verdict is Verdict.CRASH:
        verdict = Verdict.ERROR
    if measured is not None and trace.finished is not None and not answer.found:
        verdict = Verdict.UNSAT if measured.get("counted") == "0" else Verdict.MEASURED
    reason, known = answer.reason, measured or {}
    counts = model is None and puzzle is not None and "counted" in known
    why = too_few(puzzle, int(known["counted"])) if counts else None
    if why is not None:
        verdict, reason, known = Verdict.WRONG, why, {}
    result: dict[str, Any] = {"outcome": str(verdict), "reason": reason, "solutions": len(answer.found)}
    result |= known
    if puzzle is not None:
        result |= {"kind": puzzle.kind, **puzzle.facts()}
    if model is not None and isinstance(answer, ModelAnswer):
        result |= model.outcome(answer, bound)
    elif puzzle is not None:
        result["rows"], result["columns"] = puzzle.shape
        result["title"] = puzzle.title or None
        if answer.found:
            result["goal"] = None if puzzle.goal is None else answer.found[0] == puzzle.goal
    if isinstance(answer, Answer):
        shown = answer.rejected if answer.verdict is Verdict.WRONG else answer.picture
        result["picture"] = None if shown is None else _digest(shown)
    if verdict is Verdict.WRONG:
        return result
    if measured is None:
        result["unique"] = answer.unique
    if stopped is not None:
        return result | {"exit_code": stopped.exit_code}
    if trace.finished is not None and answer.stopped is None:
        result["exit_code"] = 0
        if answer.exhausted and measured is None and "objective" not in result:
            result |= counted(len(answer.found))
    return result


def counted(solutions: int) -> dict[str, Any]:
    """What records have about an exact number of solutions.

    >>> counted(10**30)["solutions"], counted(10**30)["counted"], counted(10**30)["unique"], counted(0)["unique"]
    (9223372036854775807, '1000000000000000000000000000000', False, False)
    """
    known: dict[str, Any] = {"solutions": min(solutions, MOST), "counted": str(Number(solutions))}
    return known | {"unique": solutions == 1} | ({"log10_solutions": log10_of(solutions)} if solutions else {})


def _digest(board: Board) -> str:
    return hashlib.sha256(np.ascontiguousarray(board.cells).tobytes()).hexdigest()[:16]


def costs(trace: Trace, shared: Trace, with_formula: bool) -> dict[str, Any]:
    """What it cost: stages that ended, the one that did not, and the counters of a search that ended by itself.

    ``with_formula``: the run works on the formula that was made before, so that its cost is the run's too.
    """
    made = trace.made or shared.made if with_formula else None
    encoding = shared.cost("encoding") if with_formula else None
    wall_s, cpu_s, peak_mb = trace.wall_s, trace.cpu_s, trace.peak_mb
    if encoding is not None:
        wall_s, cpu_s = wall_s + encoding.wall_s, plus(cpu_s, encoding.cpu_s)
        peak_mb = max((peak for peak in (peak_mb, encoding.peak_mb) if peak is not None), default=None)
    result: dict[str, Any] = {"wall_s": wall_s, "cpu_s": cpu_s, "peak_memory_mb": peak_mb}
    if made is not None and made.cnf is not None:
        result |= {"variables": made.variables, "clauses": made.clauses, "literals": made.literals, "cnf": made.cnf}
    for stage, name in (("encoding", "encode"), ("loading", "load"), ("solving", "solve")):
        spent = trace.cost(stage) or (encoding if stage == "encoding" else None)
        if spent is not None:
            result |= {f"{name}_s": spent.wall_s, f"{name}_cpu_s": spent.cpu_s, f"{name}_peak_mb": spent.peak_mb}
    about = trace.statistics
    result |= _first(trace, encoding)
    own = ("encode_s", "load_s", *(("solve_s", "solve_cpu_s") if trace.finished is not None else ()))
    for name in own:  # the search's own times leave out its other work; of a stopped one they lack the last solve
        if (seconds := getattr(about, name)) is not None:
            result[name] = seconds
    if trace.finished is not None:
        counters = [counter.name for counter in COUNTERS]
        result |= {name: getattr(about, name) for name in counters}
        result["variables"] = result.get("variables") or about.variables
        result["clauses"] = result.get("clauses") or about.clauses
    return result


def _first(trace: Trace, encoding: Spent | None) -> dict[str, Any]:
    """What the first picture cost; ``encoding``: of the formula that was made before."""
    if trace.first is None:
        return {}
    wall_s, cpu_s = trace.first.wall_s, trace.first.cpu_s
    if encoding is not None:
        wall_s, cpu_s = wall_s + encoding.wall_s, cpu_s + (encoding.cpu_s or 0.0)
    about = trace.first_statistics
    return {"first_s": wall_s, "first_cpu_s": cpu_s, "first_conflicts": None if about is None else about.conflicts}


FOLDER = "nonosat-study-"
POLL_S = 0.1  # how often the caller's thread looks whether it is to stop


def execute(
    groups: Iterable[RunGroup],
    settings: Settings,
    slots: int,
    on_record: Callable[[Record], None],
    stop: threading.Event,
) -> None:
    """Run every run of ``groups``, ``slots`` at a time; ``on_record`` gets each one's record, in this thread.

    Records lack ``provenance``, which is the caller's to add. Returns when all are done, or soon after ``stop`` is set
    or Ctrl-C was pressed (which sets it): those at work are ended then, as INTERRUPTED. An exception of ``on_record``
    ends all runs and is raised.
    """
    work = Work(iter(groups), settings, slots, stop)
    workers = [threading.Thread(target=work.slot, args=(number,), daemon=True) for number in range(slots)]
    for worker in workers:
        worker.start()
    try:
        while any(worker.is_alive() for worker in workers) or not work.messages.empty():
            try:
                message = work.messages.get(timeout=POLL_S)
            except Empty:
                if stop.is_set():
                    POOL.cancel()
                continue
            except KeyboardInterrupt:
                stop.set()
                POOL.cancel()
                continue
            if isinstance(message, BaseException):
                raise message
            on_record(message)
    finally:
        work.over.set()
        while any(worker.is_alive() for worker in workers):
            POOL.cancel()
            workers[0].join(POLL_S)
            for worker in workers:
                worker.join(POLL_S)
        work.clean()


class Work:
    """What the slots share: the groups that are left, and the records that they have made."""

    def __init__(self, groups: Iterator[RunGroup], settings: Settings, slots: int, stop: threading.Event) -> None:
        self.groups, self.settings, self.slots, self.stop = groups, settings, slots, stop
        self.messages: SimpleQueue[Record | BaseException] = SimpleQueue()
        self.lock = threading.Lock()
        self.over = threading.Event()
        self.folder = folder()

    def clean(self) -> None:
        """Remove the files of all groups."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def slot(self, number: int) -> None:
        """Take group after group."""
        try:
            while not (self.stop.is_set() or self.over.is_set()):
                with self.lock:
                    group = next(self.groups, None)
                if group is None:
                    return
                self.carry_out(group, number)
        except BaseException as error:
            self.messages.put(error)

    def carry_out(self, group: RunGroup, slot: int) -> None:
        """All runs of a group."""
        path = self.folder / f"{slot}.pickle"
        encoding = group.encoding if any(run.solver.takes_formula for run in group.runs) else None
        arguments = (group.instance, encoding, str(path))
        about = trace_of(last_attempt(measure.prepared, arguments, self.settings.limits, waits=True))
        for run in group.runs:
            if self.stop.is_set() or self.over.is_set():
                break
            self.one(group, run, slot, path, about)
        with contextlib.suppress(FileNotFoundError):
            path.unlink()

    def one(self, group: RunGroup, run: StudyRun, slot: int, path: Path, shared: Trace) -> None:
        """One run; ``shared`` is what making its puzzle and formula cost."""
        settings, begin = self.settings, started()
        trace = Trace(shared.puzzle)
        if shared.stopped is None:  # else there is nothing to run on
            limits = settings.limits
            solver = with_limits(run.solver, limits.wall_s, limits.memory_mb)
            arguments = (str(path), group.encoding, settings.count, solver)
            encoding = shared.cost("encoding") if solver.takes_formula else None
            spent = (encoding.wall_s, encoding.cpu_s or 0.0) if encoding is not None else (0.0, 0.0)
            events = last_attempt(measure.from_file, arguments, limits, modules_of(run), waits=True, spent=spent)
            trace = trace_of(events, shared.puzzle)
        record = described(group, run, settings) | {
            "started": begin,
            "load_average": os.getloadavg()[0],
            "slot": slot,
            "slots": self.slots,
        }
        record["parts"] = record["parts"] or trace.encoding  # a solver of its own may have chosen one
        # Where a limit ended the encoding, it would have ended that of a counter, which encodes by itself.
        with_formula = run.solver.takes_formula or shared.stopped is not None
        try:
            whole = complete(record | outcome(trace, shared) | costs(trace, shared, with_formula))
        except Exception as error:  # of a kind's check or facts, or of what a solver says: a study outlives a plug-in
            whole = complete(record | {"outcome": str(Verdict.ERROR), "reason": one_line_error(error)})
        self.messages.put(whole)


def folder() -> Path:
    """A new folder for formulas, in memory if possible, named after this process; those of dead ones are removed."""
    shared = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else Path(tempfile.gettempdir())
    for other in shared.glob(f"{FOLDER}*-*"):
        owner = other.name.removeprefix(FOLDER).partition("-")[0]
        if owner.isdigit() and not Path(f"/proc/{owner}").exists():  # it was killed, and could not clean up
            shutil.rmtree(other, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"{FOLDER}{os.getpid()}-", dir=shared))


def modules_of(run: StudyRun) -> tuple[str, ...]:
    """What the zygote of a run has loaded before: the same for all runs of its solver's module."""
    return ("nonosat.studies.measure", run.solver.module)


def started() -> str:
    """Now, in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
