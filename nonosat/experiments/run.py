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
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from nonosat.encodings.registry import encoding as encoding_named
from nonosat.errors import NonosatError
from nonosat.experiments import measure
from nonosat.experiments.measure import BEFORE, START, Made, Spent
from nonosat.experiments.plan import Group, Run, Settings
from nonosat.experiments.puzzles import facts_of
from nonosat.experiments.records import Outcome, Record, complete
from nonosat.puzzles.check import fault
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.answer import Finished, Found, Loading, Progress, Ready, Statistics, Stopped, Verdict
from nonosat.solvers.isolation.pool import POOL
from nonosat.solvers.isolation.run import isolated
from nonosat.solvers.registry import solver as solver_named
from nonosat.solvers.registry import with_limits
from nonosat.solvers.solve import uniqueness

FOLDER = "nonosat-study-"
POLL_S = 0.1  # how often the caller's thread looks whether it is to stop
COUNTERS = (
    *("decisions", "conflicts", "propagations", "restarts"),
    *("placements", "lines_checked", "assumptions", "probes", "nodes", "contradictions"),
)


def execute(
    groups: Iterable[Group],
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
        while any(worker.is_alive() for worker in workers) or not work.said.empty():
            try:
                said = work.said.get(timeout=POLL_S)
            except Empty:
                if stop.is_set():
                    POOL.cancel()
                continue
            except KeyboardInterrupt:
                stop.set()
                POOL.cancel()
                continue
            if isinstance(said, BaseException):
                raise said
            on_record(said)
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

    def __init__(self, groups: Iterator[Group], settings: Settings, slots: int, stop: threading.Event) -> None:
        self.groups, self.settings, self.slots, self.stop = groups, settings, slots, stop
        self.said: SimpleQueue[Record | BaseException] = SimpleQueue()
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
            self.said.put(error)

    def carry_out(self, group: Group, slot: int) -> None:
        """All runs of a group."""
        path = self.folder / f"{slot}.pickle"
        families = {solver_named(run.solver).family for run in group.runs}
        arguments = (group.instance, group.encoding, "SAT" in families, str(path))
        about = followed(isolated(measure.prepared, arguments, self.settings.limits, waits=True))
        for run in group.runs:
            if self.stop.is_set() or self.over.is_set():
                break
            self.one(group, run, slot, path, about)
        with contextlib.suppress(FileNotFoundError):
            path.unlink()

    def one(self, group: Group, run: Run, slot: int, path: Path, shared: Trace) -> None:
        """One run; ``shared`` is what making its puzzle and formula cost."""
        settings, begin, entry = self.settings, started(), solver_named(run.solver)
        trace = Trace(shared.puzzle)
        if shared.stopped is None:  # else there is nothing to run on
            limits = settings.limits
            command = with_limits(entry.name, limits.wall_s, limits.memory_mb)
            arguments = (str(path), group.encoding, run.solver, settings.count, command)
            encoding = shared.cost("encoding") if entry.family == "SAT" else None
            spent = (encoding.wall_s, encoding.cpu_s or 0.0) if encoding is not None else (0.0, 0.0)
            events = isolated(measure.from_file, arguments, limits, modules_of(run), waits=True, spent=spent)
            trace = followed(events, shared.puzzle)
        record = described(group, run, settings) | {
            "started": begin,
            "load_average": os.getloadavg()[0],
            "slot": slot,
            "slots": self.slots,
        }
        record |= outcome(trace, shared)
        record["parts"] = record["parts"] or trace.encoding  # a solver of its own may have chosen one
        self.said.put(complete(record | costs(trace, shared, with_formula=record["family"] == "SAT")))


def folder() -> Path:
    """A new folder for formulas, in memory if possible, named after this process; those of dead ones are removed."""
    shared = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else Path(tempfile.gettempdir())
    for other in shared.glob(f"{FOLDER}*-*"):
        owner = other.name.removeprefix(FOLDER).partition("-")[0]
        if owner.isdigit() and not Path(f"/proc/{owner}").exists():  # it was killed, and could not clean up
            shutil.rmtree(other, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"{FOLDER}{os.getpid()}-", dir=shared))


def modules_of(run: Run) -> tuple[str, ...]:
    """What the zygote of a run has loaded before: the same for all runs of its solver's module."""
    return ("nonosat.experiments.measure", solver_named(run.solver).module)


@dataclass
class Trace:
    """What was seen of a process."""

    puzzle: Puzzle | None = None
    made: Made | None = None
    spent: dict[str, Spent] = field(default_factory=dict)
    found: list[Any] = field(default_factory=list)
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
            case Found(cells):
                self.found.append(cells)
            case Finished():
                self.finished, self.statistics = event, event.statistics
            case Stopped():
                self.stopped = event

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


def started() -> str:
    """Now, in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def described(group: Group, run: Run, settings: Settings) -> dict[str, Any]:
    """What the run is."""
    instance, limits, entry = group.instance, settings.limits, solver_named(run.solver)
    parts = encoding_named(group.encoding) if group.encoding is not None else None
    return {
        "key": run.key,
        "study": settings.study,
        "instance": instance.name,
        **facts_of(instance),
        "encoding": group.encoding,
        "parts": None if parts is None else parts.rules if entry.family == "CP" else parts.name,
        "sound": None if parts is None else parts.sound,
        "solver": entry.name,
        "family": entry.family,
        "count": settings.count,
        "repetition": run.repetition,
        "limit_wall_s": limits.wall_s,
        "limit_cpu_s": limits.cpu_s,
        "limit_memory_mb": limits.memory_mb,
    }


def outcome(trace: Trace, shared: Trace) -> dict[str, Any]:
    """What came out, from the evidence; every picture is checked."""
    puzzle, stopped = trace.puzzle, trace.stopped or shared.stopped
    result: dict[str, Any] = {"solutions": 0}
    if puzzle is not None:
        result |= {"kind": puzzle.kind, **puzzle.facts()}
        result["rows"], result["columns"] = puzzle.shape
        for cells in trace.found:
            reason, digest, is_goal = checked(puzzle, cells)
            result |= {"picture": digest} if result["solutions"] == 0 or reason else {}
            if reason is not None:
                return result | {"outcome": str(Outcome.WRONG), "reason": reason}
            if result["solutions"] == 0:
                result["goal"] = is_goal
            result["solutions"] += 1
    if stopped is not None:
        kind = Outcome.ERROR if stopped.raised and stopped.verdict is Verdict.CRASH else Outcome(stopped.verdict)
        return result | {"outcome": str(kind), "reason": stopped.reason, "exit_code": stopped.exit_code}
    done = trace.finished
    if done is None:
        return result | {"outcome": str(Outcome.CRASH), "reason": "the run ended without a verdict"}
    found = result["solutions"]
    kind = Outcome.SAT if found else Outcome.UNSAT if done.exhausted else Outcome.UNKNOWN
    unique = uniqueness(found, done.exhausted) if found else None
    return result | {"outcome": str(kind), "reason": done.reason, "exit_code": 0, "unique": unique}


def checked(puzzle: Puzzle, cells: Any) -> tuple[str | None, str | None, bool | None]:
    """(what is wrong with the picture, or None; the hash of its cells; whether it is the puzzle's goal)."""
    try:
        picture = puzzle.picture(cells)
    except NonosatError as error:  # values that no picture can have
        return str(error), None, None
    wrong = fault(puzzle, picture)
    digest = hashlib.sha256(np.ascontiguousarray(picture.cells).tobytes()).hexdigest()[:16]
    goal = puzzle.goal
    return None if wrong is None else str(wrong), digest, None if goal is None else picture == goal


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
        result |= {"variables": made.variables, "clauses": made.clauses, "cnf": made.cnf}
    for stage, name in (("encoding", "encode"), ("loading", "load"), ("solving", "solve")):
        spent = trace.cost(stage) or (encoding if stage == "encoding" else None)
        if spent is not None:
            result |= {f"{name}_s": spent.wall_s, f"{name}_cpu_s": spent.cpu_s, f"{name}_peak_mb": spent.peak_mb}
    about = trace.statistics
    for name in ("encode", "load", "solve"):  # the search's own times leave out what it does beside
        if (seconds := getattr(about, f"{name}_s")) is not None:
            result[f"{name}_s"] = seconds
    if trace.finished is not None:
        result |= {name: getattr(about, name) for name in COUNTERS}
        result["variables"] = result.get("variables") or about.variables
        result["clauses"] = result.get("clauses") or about.clauses
    return result
