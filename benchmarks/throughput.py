"""What the runner adds to runs: ``python benchmarks/throughput.py [RUNS] [JOBS]`` (10,000 runs, 2 at a time).

Studies of RUNS short runs each are carried out with ``nonosat study run``. Printed for each: runs a second; the share
of the cores' time that all its processes used, and that went into encoding, loading and solving; the median of a run's
wall time in these three stages; and the median of what the run took beside them, from before its fork to after its end.
"Alone": every run makes its own formula. "Shared": three solvers run on each formula.
"""

from __future__ import annotations

import contextlib
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from nonosat.runs.zygote import prctl
from nonosat.studies.provenance import machine
from nonosat.studies.store import StoreReader

RUNS, JOBS = 10_000, 2
PR_SET_CHILD_SUBREAPER = 36  # the processes that the command leaves behind are ours to wait for, and to count
STAGES = ("encode", "load", "solve")
SHARED = ["minisat22", "glucose4", "cadical195"]
STUDY = """
name = "short"
encodings = ["tight+r3"]
solvers = {solvers}
limits.time_limit_s = 60
[[puzzles]]
generator = "density"
sizes = [{size}]
densities = [0.5]
count = {count}
"""
HEADS = ("runs/s", "busy, %", "in stages, %", "stages, ms", "beside, ms")


def cpu_s() -> float:
    """CPU time of all processes that were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measured(folder: Path, size: int, solvers: list[str], runs: int, jobs: int) -> list[float]:
    """The numbers of HEADS for one study."""
    study, store = folder / "short.toml", folder / "short.sqlite"
    study.write_text(STUDY.format(size=size, solvers=solvers, count=-(-runs // len(solvers))).replace("'", '"'))
    begin = time.perf_counter()
    command = [sys.executable, "-m", "nonosat", "study", "run", str(study), "--jobs", str(jobs), "--store", str(store)]
    before = cpu_s()
    done = subprocess.run(command, stderr=subprocess.DEVNULL, check=False)
    wall_s = time.perf_counter() - begin
    if done.returncode:
        raise SystemExit(f"study run ended with {done.returncode}")
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    used = cpu_s() - before
    with StoreReader(store) as reader:
        records = list(reader.records())
    store.unlink()
    made: dict[object, bool] = {}  # formulas that runs share count once
    in_stages, stages, beside = 0.0, [], []
    for record in records:
        own = len(solvers) == 1
        spent = [record[f"{stage}_s"] for stage in STAGES if own or stage != "encode"]
        cpu = [record[f"{stage}_cpu_s"] for stage in STAGES]
        if not own and record["instance"] in made:
            cpu[0] = 0.0
        made[record["instance"]] = True
        in_stages += sum(float(seconds or 0) for seconds in cpu)
        stages.append(1000 * sum(float(seconds or 0) for seconds in spent))
        beside.append(1000 * float(record["wall_s"] or 0) - stages[-1])
    cores = wall_s * min(jobs, len(os.sched_getaffinity(0))) / 100
    middle = [statistics.median(stages), statistics.median(beside)]
    return [len(records) / wall_s, used / cores, in_stages / cores, *middle]


def main() -> None:
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    numbers = [int(word) for word in sys.argv[1:]]
    runs, jobs = (*numbers, RUNS, JOBS)[:2] if len(numbers) != 1 else (numbers[0], JOBS)
    print(f"{machine()}; {runs:,} runs, {jobs} at a time, load before {os.getloadavg()[0]:.1f}")
    print(f"{'':<22}" + "".join(f"{head:>14}" for head in HEADS))
    with tempfile.TemporaryDirectory() as folder:
        for size, solvers in ((8, SHARED[:1]), (20, SHARED[:1]), (20, SHARED), (30, SHARED[:1]), (30, SHARED)):
            name = f"{size}x{size}, {'alone' if len(solvers) == 1 else 'shared'}"
            numbers_of = measured(Path(folder), size, solvers, runs, jobs)
            print(f"{name:<22}" + "".join(f"{number:>14.1f}" for number in numbers_of), flush=True)


if __name__ == "__main__":
    main()
