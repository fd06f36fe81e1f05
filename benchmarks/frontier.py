"""Where boards become too hard: ``python benchmarks/frontier.py [OPTIONS] [SIZExDENSITY...]``.

OPTIONS: ``-o DIR``, ``--name NAME`` (frontier), ``--limit S``, ``--boards N``, ``--first SEED`` (0: fresh boards have
others), ``--solvers NAME,...`` (minisat22 and auto, if none are named).

Random boards (40x40 to 120x120 at 40 %, if none are named, such as ``40x0.4``), each solver on each board in a process
of its own that is killed after S CPU seconds (60): how many of N (20) are solved, the median time, a killed run counted
as longer than any, and all CPU time of their processes (checking apart), a killed run counted as its limit. A solver
that solves fewer than half of a set is not asked for the next ones. With -o: the table (NAME), and a row a run
(NAME-runs), of which it is made.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from statistics import median

from tables import Row, shown, write_rows, write_table

from nonosat.generators.density import random_density
from nonosat.solvers.solve import solve
from nonosat.studies.provenance import machine

SETS = ("40x0.4", "50x0.4", "60x0.4", "80x0.4", "100x0.4", "120x0.4")
SOLVERS = ("minisat22", "auto")
COLUMNS = ("size", "density", "solver", "boards", "solved", "median_s", "all_s")
RUN_COLUMNS = ("size", "density", "seed", "solver", "solved", "cpu_s", "limit_s")


def measured(size: int, density: float, solver: str, boards: int, limit: float, first: int = 0) -> list[Row]:
    """A row a run; ``cpu_s`` of one that was not solved is its limit."""
    solve(random_density(size, size, density, first + boards), solver=solver, cpu_limit_s=1.0)  # compiles
    runs: list[Row] = []
    for seed in range(first, first + boards):
        answer = solve(random_density(size, size, density, seed), solver=solver, cpu_limit_s=limit)
        done = answer.picture is not None
        runs.append({"size": size, "density": density, "seed": seed, "solver": solver, "solved": done,
                     "cpu_s": answer.statistics.cpu_s if done else limit, "limit_s": limit})  # fmt: skip
    return runs


def summed(runs: list[Row]) -> Row:
    """The row of one solver's runs on one set; the median is None where it lies beyond the limit.

    >>> run = {"size": 9, "density": 0.4, "solver": "auto", "solved": True, "cpu_s": 1.0}
    >>> row = summed([run, run | {"cpu_s": 3.0}, run | {"cpu_s": 60.0, "solved": False}])
    >>> row["solved"], row["median_s"], row["all_s"], summed([run | {"solved": False}])["median_s"]
    (2, 3.0, 64.0, None)
    """
    middle = median(run["cpu_s"] if run["solved"] else math.inf for run in runs)
    solved, about = sum(run["solved"] for run in runs), {name: runs[0][name] for name in ("size", "density", "solver")}
    return about | {"boards": len(runs), "solved": solved, "median_s": middle if math.isfinite(middle) else None,
                    "all_s": sum(run["cpu_s"] for run in runs)}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", dest="out", type=Path)
    parser.add_argument("--name", default="frontier")
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--solvers", type=lambda names: names.split(","), default=SOLVERS)
    parser.add_argument("sets", nargs="*", default=SETS)
    chosen = parser.parse_args()
    print(machine())
    print("".join(f"{column:>12}" for column in COLUMNS))
    rows: list[Row] = []
    every: list[Row] = []
    for name in chosen.sets:
        size, _, density = name.partition("x")
        for solver in chosen.solvers:
            if any(2 * row["solved"] < row["boards"] for row in rows if row["solver"] == solver):
                continue
            every += (runs := measured(int(size), float(density), solver, chosen.boards, chosen.limit, chosen.first))
            rows.append(row := summed(runs))
            print("".join(f"{shown(row[column]):>12}" for column in COLUMNS), flush=True)
    if chosen.out is not None:
        write_table(chosen.out, chosen.name, COLUMNS, rows, f"limit {chosen.limit:g} CPU seconds")
        write_rows(chosen.out / f"{chosen.name}-runs.csv", RUN_COLUMNS, every)


if __name__ == "__main__":
    main()
