"""What durations are compared with, instead of seconds: small things on this machine, as busy as it is."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import hostile

from nonosat.generators.density import random_density
from nonosat.puzzles.formats import dumps, loads
from nonosat.runs.isolation import isolated
from nonosat.runs.limits import Limits, children, contents

TRIES = 4
TICKS = os.sysconf("SC_CLK_TCK")


def seconds(work: Callable[[], object]) -> float:
    begin = time.monotonic()
    work()
    return time.monotonic() - begin


def children_s(work: Callable[[], object]) -> float:
    """CPU seconds of the child processes that end meanwhile, and of those that they waited for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def worked_s(pid: int) -> float:
    """CPU seconds of a process and of those below it, as far as they live."""
    fields = contents(f"/proc/{pid}/stat").rpartition(")")[2].split()
    own = sum(map(int, fields[11:13])) / TICKS if fields else 0.0
    return own + sum(map(worked_s, children(pid)))


def under_way(process: subprocess.Popen[str], seconds: float) -> None:
    """Wait until it has worked for so long, however busy the machine is."""
    while process.poll() is None and worked_s(process.pid) < seconds:
        time.sleep(0.02)
    assert process.poll() is None


def empty_run_s() -> float:
    """A limited run that does nothing: a fork, two pickles and the burial; the longest of five."""
    return max(seconds(lambda: list(isolated(hostile.nothing, (), Limits(60, 4000, 60)))) for _ in range(5))


@cache
def reading_s() -> float:
    """What ``reading_now_s`` is once."""
    return reading_now_s()


def reading_now_s(_: int = 0) -> float:
    """CPU seconds for reading a plain board of 200x200: more on a busy machine, whose caches are others'."""
    text = dumps([random_density(200, 200, 0.5, 1)], "json")
    begin = time.process_time()
    loads(text, "json", "plain")
    return time.process_time() - begin


@contextmanager
def no_work(times: float = 10) -> Iterator[None]:
    """What is done here takes no more CPU time than ``times`` a plain, large board."""
    begin = time.process_time()
    yield
    took = time.process_time() - begin
    assert took < times * reading_s() or took < times * max(map(reading_now_s, range(5)))


def in_time(late_s: Callable[[], float], times: float, floor_s: Callable[[], float] = empty_run_s) -> None:
    """``late_s()`` is how late something was; at one of ``TRIES`` it is at most so many ``times`` the floor.

    The floor is measured before and after, since others may take the machine meanwhile; what is too slow by itself is
    so at every try.
    """
    seen = []
    for _ in range(TRIES):
        before = floor_s()
        late = late_s()
        seen.append((late, max(before, floor_s())))
        if late <= times * seen[-1][1]:
            return
    raise AssertionError(f"late by (s, beside a floor of): {seen}")
