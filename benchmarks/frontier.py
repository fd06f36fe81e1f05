"""Where boards become too hard: ``python benchmarks/frontier.py [OPTIONS] [SIZExDENSITY...]``.

OPTIONS: ``-o DIR``, ``--limit S``, ``--boards N``, ``--solvers NAME,...`` (minisat22 and auto, if none are named).

Random boards (40x40 to 120x120 at 40 %, if none are named, such as ``40x0.4``), each solver on each board in a process
of its own that is killed after S CPU seconds (60): how many of N (20) are solved, the median of those, and all CPU time
of their processes (checking apart), a killed run counted as its limit. A solver that solves fewer than half of a set is
not asked for the next ones.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median

from tables import Row, shown, write_table

from nonosat.generators.density import random_density
from nonosat.solvers.solve import solve
from nonosat.studies.provenance import machine

SETS = ("40x0.4", "50x0.4", "60x0.4", "80x0.4", "100x0.4", "120x0.4")
SOLVERS = ("minisat22", "auto")
COLUMNS = ("size", "density", "solver", "boards", "solved", "median_s", "all_s")


def measured(size: int, density: float, solver: str, boards: int, limit: float) -> Row:
    solve(random_density(size, size, density, boards), solver=solver, cpu_limit_s=1.0)  # native code is made now
    done = []
    for seed in range(boards):
        answer = solve(random_density(size, size, density, seed), solver=solver, cpu_limit_s=limit)
        if answer.picture is not None:
            assert answer.statistics.cpu_s is not None
            done.append(answer.statistics.cpu_s)
    about = {"size": size, "density": density, "solver": solver, "boards": boards, "solved": len(done)}
    return about | {"median_s": median(done) if done else None, "all_s": sum(done) + limit * (boards - len(done))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", dest="out", type=Path)
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--solvers", type=lambda names: names.split(","), default=SOLVERS)
    parser.add_argument("sets", nargs="*", default=SETS)
    chosen = parser.parse_args()
    print(machine())
    print("".join(f"{column:>12}" for column in COLUMNS))
    rows: list[Row] = []
    for name in chosen.sets:
        size, _, density = name.partition("x")
        for solver in chosen.solvers:
            if any(2 * row["solved"] < row["boards"] for row in rows if row["solver"] == solver):
                continue
            row = measured(int(size), float(density), solver, chosen.boards, chosen.limit)
            rows.append(row)
            print("".join(f"{shown(row[column]):>12}" for column in COLUMNS), flush=True)
    if chosen.out is not None:
        write_table(chosen.out, "frontier", COLUMNS, rows, f"limit {chosen.limit:g} CPU seconds")


if __name__ == "__main__":
    main()
