"""What a process of its own costs a run: the median ms of a trivial search, in process and isolated.

Run as ``python benchmarks/isolation_overhead.py``; it needs the ``tests`` folder beside it for the trivial search.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import hostile

from nonosat.runs.isolation import isolated
from nonosat.runs.limits import Limits

RUNS = 200
LOADED = {"nothing else": (), "python-sat": ("pysat.solvers",), "OR-Tools": ("ortools.sat.python.cp_model",)}


def times_ms(run: Callable[[], Any], warm_up: int = 3) -> list[float]:
    times = []
    for _ in range(RUNS + warm_up):
        started = time.perf_counter()
        run()
        times.append((time.perf_counter() - started) * 1000)
    return times[warm_up:]


def report(what: str, times: list[float]) -> None:
    print(f"{what:<40} median {statistics.median(times):7.3f} ms   least {min(times):7.3f} ms")


def main() -> None:
    report("in process", times_ms(lambda: list(hostile.nothing())))
    for name, modules in LOADED.items():
        for limits in (Limits(), Limits(wall_s=10, memory_mb=1000)):
            started = time.perf_counter()
            list(isolated(hostile.nothing, (), limits, modules))
            first = (time.perf_counter() - started) * 1000
            run = lambda limits=limits, modules=modules: list(isolated(hostile.nothing, (), limits, modules))  # noqa: E731
            said = f"isolated, {name}, {'limits' if limits.wall_s else 'no limits'}"
            report(said, times_ms(run))
            if first > 50:
                print(f"{'':<40} first run {first:5.0f} ms")


if __name__ == "__main__":
    main()
