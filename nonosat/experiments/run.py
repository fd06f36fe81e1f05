"""Carrying out the runs of a study, several at a time, each in a process of its own that is killed at its limits.

A group's puzzle and formula are made once, by a process before its runs, and left in a file that all of them read. The
limits of a run cover encoding, loading and solving: what encoding took is taken off the limits of every run that works
on the formula, and nothing else counts. Every picture is checked here, away from the process that found it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, SimpleQueue

from nonosat.experiments import measure
from nonosat.experiments.plan import Group, Run, Settings
from nonosat.experiments.recording import costs, described, outcome
from nonosat.experiments.records import Record, complete
from nonosat.experiments.trace import Trace, followed
from nonosat.solvers.answer import Verdict
from nonosat.solvers.isolation.child import told
from nonosat.solvers.isolation.pool import POOL
from nonosat.solvers.isolation.run import isolated
from nonosat.solvers.registry import with_limits

FOLDER = "nonosat-study-"
POLL_S = 0.1  # how often the caller's thread looks whether it is to stop


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
        encoding = group.encoding if any(run.solver.takes_formula for run in group.runs) else None
        arguments = (group.instance, encoding, str(path))
        about = followed(isolated(measure.prepared, arguments, self.settings.limits, waits=True))
        for run in group.runs:
            if self.stop.is_set() or self.over.is_set():
                break
            self.one(group, run, slot, path, about)
        with contextlib.suppress(FileNotFoundError):
            path.unlink()

    def one(self, group: Group, run: Run, slot: int, path: Path, shared: Trace) -> None:
        """One run; ``shared`` is what making its puzzle and formula cost."""
        settings, begin = self.settings, started()
        trace = Trace(shared.puzzle)
        if shared.stopped is None:  # else there is nothing to run on
            limits = settings.limits
            solver = with_limits(run.solver, limits.wall_s, limits.memory_mb)
            arguments = (str(path), group.encoding, settings.count, solver)
            encoding = shared.cost("encoding") if solver.takes_formula else None
            spent = (encoding.wall_s, encoding.cpu_s or 0.0) if encoding is not None else (0.0, 0.0)
            events = isolated(measure.from_file, arguments, limits, modules_of(run), waits=True, spent=spent)
            trace = followed(events, shared.puzzle)
        record = described(group, run, settings) | {
            "started": begin,
            "load_average": os.getloadavg()[0],
            "slot": slot,
            "slots": self.slots,
        }
        record["parts"] = record["parts"] or trace.encoding  # a solver of its own may have chosen one
        try:
            whole = complete(
                record | outcome(trace, shared) | costs(trace, shared, with_formula=run.solver.takes_formula)
            )
        except Exception as error:  # of a kind's check or facts, or of what a solver says: a study outlives a plug-in
            whole = complete(record | {"outcome": str(Verdict.ERROR), "reason": told(error)})
        self.said.put(whole)


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
    return ("nonosat.experiments.measure", run.solver.module)


def started() -> str:
    """Now, in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
