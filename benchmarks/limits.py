"""How well limits are kept by every bundled solver: ``python benchmarks/limits.py [REPEATS] [SOLVER...]``.

Each solver is given work that it does not end with, and a limit. Printed, for wall time, CPU time and memory: by how
much the limit was passed (the median and the worst of REPEATS, 5), and whether the outcome was named right. A limit
that strikes early is a wrong outcome. SAT solvers get pigeons and endless clauses; the others random boards, and for
memory a board that is too large. (The classical native solvers need little memory or refuse the board: theirs runs out
while the board is made. Solvers for other puzzles are left out.) It ends with 1 if an outcome is wrong, or a bound of
BOUNDS is not kept at the median.

Needs the ``tests`` folder beside it for its searches.
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

from nonosat.runs.events import Loading, Stopped, Verdict
from nonosat.runs.isolation import isolated
from nonosat.runs.limits import Limits
from nonosat.runs.solver import Solver
from nonosat.solvers.registry import solvers
from nonosat.studies.provenance import machine

REPEATS = 5
WALL_S, CPU_S, MEMORY_MB = 0.4, 0.4, 400
BOUNDS = {"wall": (50.0, "ms"), "cpu": (20.0, "ms"), "memory": (5.0, "%")}
HARD, SMALLER, HUGE, LARGE = (60, 0.4), (25, 0.3), (8000, 0.5), (1500, 0.5)
"""Random boards: size and density."""
ENCODING = "tight+r3+order"
CLASSICAL = ("exhaustive", "axis", "elimination", "rowsearch")

Case = tuple[Callable[..., Any], tuple[Any, ...], tuple[str, ...]]


def busy(solver: Solver) -> Case:
    """A search that takes hours."""
    if solver.family == "SAT":
        return hostile.pigeons, (solver.name,), (solver.module,)
    board = SMALLER if solver.name in CLASSICAL else HARD
    return hostile.solves, (*board, solver.name, ENCODING), (solver.module,)


def greedy(solver: Solver) -> Case:
    """A search that takes all the memory there is."""
    if solver.family == "SAT":
        return hostile.hogs_clauses, (solver.name,), (solver.module,)
    board = HUGE if solver.name in CLASSICAL else LARGE
    return hostile.solves, (*board, solver.name, ENCODING), (solver.module,)


def over(case: Case, limits: Limits) -> tuple[float | None, str]:
    """(by how much the limit was passed: ms, or percent of the memory; the outcome)."""
    search, arguments, modules = case
    begin = time.perf_counter()
    for last in isolated(search, arguments, limits, modules):
        if isinstance(last, Loading):  # which is on no clock
            begin = time.perf_counter()
    wall_s = time.perf_counter() - begin
    if not isinstance(last, Stopped):
        return None, "finished"
    if limits.cpu_s is not None:
        return (None if last.cpu_s is None else (last.cpu_s - limits.cpu_s) * 1000), str(last.verdict)
    if limits.memory_mb is not None:
        peak = last.peak_memory_mb
        return (None if peak is None else 100 * max(0.0, peak / limits.memory_mb - 1)), str(last.verdict)
    assert limits.wall_s is not None
    return (wall_s - limits.wall_s) * 1000, str(last.verdict)


def measured(solver: Solver, repeats: int) -> list[tuple[str, list[float], str]]:
    """(what is limited; the excesses; a wrong outcome, if there was one)."""
    found = []
    for name, case, limits, right in (
        ("wall", busy(solver), Limits(wall_s=WALL_S), Verdict.TIMEOUT),
        ("cpu", busy(solver), Limits(cpu_s=CPU_S), Verdict.CPUOUT),
        ("memory", greedy(solver), Limits(wall_s=120, memory_mb=MEMORY_MB), Verdict.MEMOUT),
    ):
        excesses, wrong = [], ""
        for _ in range(repeats):
            excess, verdict = over(case, limits)
            if verdict != right or excess is None or excess < 0:
                wrong = f"{verdict} at {excess}"
            if excess is not None:
                excesses.append(excess)
        found.append((name, excesses, wrong))
    return found


def main() -> int:
    arguments = sys.argv[1:]
    repeats = int(arguments.pop(0)) if arguments and arguments[0].isdigit() else REPEATS
    print(machine())
    print(f"limits: {WALL_S} s wall, {CPU_S} s CPU, {MEMORY_MB} MiB; passed by: median (worst) of {repeats}")
    print(f"{'solver':<18}" + "".join(f"{f'{name}, {unit}':>20}" for name, (_, unit) in BOUNDS.items()))
    failed = False
    for name, solver in solvers().items():
        if (arguments and name not in arguments) or solver.kind not in (None, "nonogram"):
            continue
        cells, notes = [], []
        for what, excesses, wrong in measured(solver, repeats):
            if excesses:
                middle = statistics.median(excesses)
                cells.append(f"{middle:.1f} ({max(excesses):.1f})")
                if middle > BOUNDS[what][0]:
                    wrong = wrong or "above the bound"
            else:
                cells.append("-")
            if wrong:
                notes.append(f"{what}: {wrong}")
        failed |= bool(notes)
        line = [f"{name:<18}", *(f"{cell:>20}" for cell in cells), *(f"  {note}" for note in notes)]
        print("".join(line), flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
