"""What a run may use at most."""

from __future__ import annotations

import contextlib
import math
import mmap
import numbers
import os
import time
from dataclasses import dataclass

from nonosat.errors import NonosatError, wrong_type


class LimitError(NonosatError, ValueError):
    """A limit that is not a positive, finite number."""


@dataclass(frozen=True)
class Limits:
    """``wall_s``, ``cpu_s``: seconds; ``memory_mb``: resident memory of the solving process, MiB. None: no limit.

    Memory counts all that is resident in the solving process, the interpreter and its modules too (some 50 MiB with
    python-sat, 150 with OR-Tools), and in all processes that the search has started; they end with it.
    """

    wall_s: float | None = None
    memory_mb: float | None = None
    cpu_s: float | None = None

    def __post_init__(self) -> None:
        named = (("time limit", self.wall_s), ("CPU limit", self.cpu_s), ("memory limit", self.memory_mb))
        for name, value in named:
            if value is not None and not isinstance(value, numbers.Real):
                raise wrong_type(f"a number as {name}", value)
            if value is not None and not (math.isfinite(value) and value > 0):
                raise LimitError(f"the {name} must be a positive number, not {value}")


# What a process and all that it has started use: CPU time and memory, read from the kernel. Linux only.


TICKS = os.sysconf("SC_CLK_TCK")
LOOKS_TO_KILL = 3  # in a row that must find several processes over the limit together


def cpu_in_use() -> float:
    """CPU seconds, user and system, of all processes below this one, and of those that they have waited for.

    Read from the kernel's clock of each process, to the microsecond; RLIMIT_CPU and profiling timers strike up to 12 %
    too early, since they count ticks.
    """
    used, todo = 0.0, children(os.getpid())
    while todo:
        pid = todo.pop()
        with contextlib.suppress(OSError):
            used += time.clock_gettime((~pid << 3) | 2)  # MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED)
        if below := children(pid):
            todo += below
        fields = contents(f"/proc/{pid}/stat").rpartition(")")[2].split()
        if fields:
            used += (int(fields[13]) + int(fields[14])) / TICKS  # cutime, cstime
    return used


def memory_in_use(limit: float) -> float:
    """Resident memory, in bytes, of all processes below this one: the child, what it started, and what that left.

    Pages that a fork shares with its parent are counted once, but finding them costs milliseconds: so only where they
    decide. A process that has come from vfork shares all its memory until it execs; seldom it is taken for one of its
    own, when it does so between two of these glances, and a second look shows the truth.
    """
    for _ in range(LOOKS_TO_KILL):
        resident = family()
        used = sum(resident.values())
        if used > limit and len(resident) > 1:
            used = sum(proportional(pid) or own for pid, own in resident.items())
        if used <= limit or len(resident) == 1:
            break
        time.sleep(0.001)
    return float(used)


def family() -> dict[int, int]:
    """Resident memory, in bytes, of each process below this one that does not share its parent's."""
    resident: dict[int, int] = {}
    todo = [(pid, 0, "") for pid in children(os.getpid())]
    while todo:
        pid, parent, former = todo.pop()
        statm = contents(f"/proc/{pid}/statm")
        if statm and not (parent and statm in (former, contents(f"/proc/{parent}/statm"))):
            resident[pid] = int(statm.split()[1]) * mmap.PAGESIZE
        todo += [(other, pid, statm) for other in children(pid)]
    return resident


def proportional(pid: int) -> int | None:
    """Resident memory in bytes, each page divided by the number of processes that share it; None: not reported."""
    for line in contents(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return None


def children(pid: int) -> list[int]:
    """The pids of a process's children; none if it is gone."""
    try:
        tasks = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - pathlib costs a third of the start
    except OSError:
        return []
    return [int(child) for task in tasks for child in contents(f"/proc/{pid}/task/{task}/children").split()]


def contents(path: str) -> str:
    """The text of a file in /proc; none if its process is gone."""
    with contextlib.suppress(OSError), open(path) as file:  # noqa: PTH123 - as above
        return file.read()
    return ""
