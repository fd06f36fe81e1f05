"""What happens in the process of a run: its stages one by one, and what each of them cost.

A process makes the puzzle and its formula and leaves them in a file, for all the runs of a group, be they many or one;
each run's process reads it. So a limit covers the same whatever runs are grouped, resumed or sharded with which others.
"""

from __future__ import annotations

import hashlib
import pickle
import resource
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from nonosat.encodings.cnf import CNF
from nonosat.encodings.registry import DEFAULT as DEFAULT_ENCODING
from nonosat.encodings.registry import Encoding
from nonosat.encodings.registry import encoding as encoding_named
from nonosat.errors import UnsupportedError
from nonosat.runs.events import Event, Finished, Found, Progress, Ready, Statistics, Stopped, Verdict
from nonosat.runs.solver import Solver
from nonosat.runs.zygote import clear_peak, peak_mb
from nonosat.solvers.formulas import formula_of, no_garbage_collection
from nonosat.solvers.registry import DEFAULT_SAT
from nonosat.solvers.registry import solver as solver_named
from nonosat.studies.models import StudyModel, puzzle_of
from nonosat.studies.plan import Instance


@dataclass(frozen=True)
class Made:
    """The puzzle or model; and for one with a formula, the hash of its clauses (``cnf_hash``) and its size."""

    puzzle: Any
    cnf: str | None = None
    variables: int | None = None
    clauses: int | None = None
    literals: int | None = None


@dataclass(frozen=True)
class Spent:
    """What a stage cost: wall and CPU seconds (of the process and what it has waited for), peak resident MiB."""

    stage: str
    wall_s: float
    cpu_s: float | None
    peak_mb: float | None


@dataclass(frozen=True)
class First:
    """The first picture is found: wall and CPU seconds since the clock began."""

    wall_s: float
    cpu_s: float


RunMessage = Event | Made | Spent | Ready | First

BEFORE = START, MAKING = "start", "making"
"""Stages before the clock begins: the process itself, and the puzzle."""
LEAVING = "leaving"
"""After it: what is left for others."""


class Meter:
    """Tells what has been spent since the last stage began.

    What ``outside`` sends is no part of any stage: on small boards, messages cost more than solving.
    """

    def __init__(self) -> None:
        self.stage, self.cpu, self.wall = START, 0.0, perf_counter()
        self.ready_cpu, self.ready_wall = self.cpu, self.wall

    def begin(self) -> Ready:
        """The clock begins."""
        self.ready_cpu, self.ready_wall = self.cpu, self.wall
        return Ready(self.cpu)

    def first(self) -> First:
        """What has been spent since the clock began."""
        return First(perf_counter() - self.ready_wall, cpu_spent() - self.ready_cpu)

    def end(self, following: str) -> Spent:
        """The end of this stage and the beginning of the ``following`` one."""
        cpu, wall = cpu_spent(), perf_counter()
        working = self.stage != START  # what the process weighs before its work, it weighs at its beginning too
        spent = Spent(self.stage, wall - self.wall, cpu - self.cpu, peak_mb() if working else None)
        if working:
            clear_peak()
        self.stage, self.cpu, self.wall = following, cpu_spent(), perf_counter()
        return spent

    def outside(self, message: RunMessage) -> Iterator[RunMessage]:
        """Send a message; the stage goes on when that is done."""
        cpu, wall = cpu_spent(), perf_counter()
        yield message
        self.cpu += cpu_spent() - cpu
        self.wall += perf_counter() - wall


def cpu_spent() -> float:
    """CPU seconds, user and system, of this process and of those that it has waited for."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def metered(meter: Meter, events: Iterator[Event]) -> Iterator[RunMessage]:
    """``events``, at each change of stage what the last one cost, and what the first picture did. The last event stays
    the last.
    """
    found = False
    for event in events:
        if isinstance(event, Progress):
            if event.stage != meter.stage:
                yield from meter.outside(meter.end(event.stage))
        elif isinstance(event, Found) and not found:
            found = True
            yield from meter.outside(meter.first())
        elif isinstance(event, Finished | Stopped):
            yield meter.end("")
        yield from meter.outside(event)


def prepared(instance: Instance, encoding: Encoding | None, path: str) -> Iterator[RunMessage]:
    """Make the puzzle, then the clock begins; make its formula in ``encoding``; leave both in the file ``path``."""
    yield from _supported(_prepared(instance, encoding, path))


def _supported(messages: Iterator[RunMessage]) -> Iterator[RunMessage]:
    """``messages``; that something cannot be stated is a verdict, and no error."""
    try:
        yield from messages
    except UnsupportedError as error:
        yield Stopped(Verdict.UNSUPPORTED, str(error))


def _prepared(instance: Instance, encoding: Encoding | None, path: str) -> Iterator[RunMessage]:
    meter = Meter()
    yield meter.end(MAKING)
    puzzle = puzzle_of(instance)
    _read(puzzle)
    yield Made(puzzle)
    formula, statistics = None, Statistics()
    yield meter.end(LEAVING if encoding is None else "encoding")
    yield Ready(meter.cpu)
    if encoding is not None:
        yield Progress("encoding")
        formula, statistics = formula_of(puzzle, encoding)
        yield meter.end(LEAVING)
        yield Ready(meter.cpu)  # what follows is no run's business
        size = statistics.variables, statistics.clauses, len(formula.cnf.literals)
        yield Made(puzzle, cnf_hash(formula.cnf), *size)
    with Path(path).open("wb") as file:
        pickle.dump((puzzle, formula, statistics), file, protocol=5)
    yield Finished(False, statistics)


def from_file(path: str, encoding: Encoding | None, count: int | None, solver: Solver) -> Iterator[RunMessage]:
    """A run on what ``prepared`` has left; the clock begins when it is read."""
    yield from _supported(_from_file(path, encoding, count, solver))


def _from_file(path: str, encoding: Encoding | None, count: int | None, solver: Solver) -> Iterator[RunMessage]:
    meter = Meter()
    yield meter.end(MAKING)
    with no_garbage_collection(), Path(path).open("rb") as file:
        puzzle, formula, statistics = pickle.load(file)
    search: Any  # imported here, off the clock
    if isinstance(puzzle, StudyModel):
        search = puzzle.search_of(solver)
        if not solver.takes_formula:
            _read(puzzle)
    else:
        search = solver.solved or solver.search
    yield meter.end(START)
    yield meter.begin()
    stated = (formula, statistics) if solver.takes_formula else (puzzle, encoding)
    yield from metered(meter, search(*stated, count, solver))


def _read(puzzle: Any) -> None:
    """Read a model from its origin, which belongs to its making."""
    if isinstance(puzzle, StudyModel):
        puzzle.statement  # noqa: B018 - kept from here on


def _warm_up() -> None:
    """Let what is imported or cached at first use be so here, in the process that all runs are forked from."""
    puzzle = puzzle_of(Instance("", "density", ("2x2", "0.5"), 0))
    cnf_hash(formula_of(puzzle, encoding_named(DEFAULT_ENCODING))[0].cnf)
    solver_named(DEFAULT_SAT)
    pickle.dumps(Made(puzzle), protocol=5)


def cnf_hash(cnf: CNF) -> str:
    """16 hexadecimal digits of the SHA-256 of the clauses: the number of variables, the ends, and the literals.

    The same on every machine: integers are taken as little-endian, of 4 bytes (literals) and 8 (the others).
    """
    digest = hashlib.sha256(cnf.variables.to_bytes(8, "little"))
    digest.update(cnf.ends.astype("<i8", copy=False).tobytes())
    digest.update(cnf.literals.astype("<i4", copy=False).tobytes())
    return digest.hexdigest()[:16]


_warm_up()
