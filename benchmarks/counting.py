"""How far counting, drawing and backbones get on random boards: CPU seconds, one process, a limit a board.

    python benchmarks/counting.py [-o DIR] [20x0.4 25x0.5x200 ...] [--boards 20] [--limit 60] [--seed 0]
    [--orders 012sn] [--ganak] [--draws] [--backbone]

A case is a size, a density, and the number of its boards (else that of ``--boards``). For each it prints how many
boards were counted within the limit, with a 95 % interval (Wilson), the median and the 95th percentile of CPU seconds
(a board that was not counted stands at the limit), the median logarithm of the counts, and how many the sweep and the
frontier counted.
``--draws``: what a draw costs afterwards (a sweep that is to be drawn from keeps its layers, and so needs more memory).
``--orders``: only these (0 by probes, 1 by rows, 2 by columns, s a sweep, n narrowed by SAT; both: the frontier, too).
``--ganak``: let Ganak count the boards that were counted too (it has no limit), and compare. ``--backbone``: the CPU
seconds of ``nonosat.backbone`` under the same limit. With -o: a row a case (counting, draws or backbones) and a row a
board (counting-runs, ...), of which that is made.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

import numpy as np
from tables import Row, shown, write_rows, write_table

import nonosat
from nonosat.counting.answer import log10_of
from nonosat.counting.native import ORDERS, CounterPortfolio, run_with_backbone
from nonosat.counting.native import run as plain
from nonosat.puzzles.nonogram import Nonogram
from nonosat.rng import Rng
from nonosat.studies.analysis.intervals import wilson

DRAWS = 200
CASES = {
    "counting": (
        "10x0.4x200", "15x0.4x60", "20x0.5x200", "25x0.5x200", "30x0.5x200",
        "15x0.1x20", "15x0.2x20", "15x0.3x20", "20x0.4x20",
    ),
    "draws": ("10x0.4x200", "15x0.4x60", "20x0.5x200", "25x0.5x200", "15x0.1x20"),
    "backbones": tuple(f"25x{percent / 100}x{20 if percent == 40 else 5}" for percent in range(5, 100, 5)),
}  # fmt: skip
"""What is measured if no case is named."""
COLUMNS = (
    "size", "density", "boards", "limit_s", "counted", "low", "high", "median_s", "p95_s", "most_s", "by_sweep",
    "by_frontier", "log10_median", "log10_most", "draw_ms", "draw_ms_most",
)  # fmt: skip
RUN_COLUMNS = ("size", "density", "seed", "solutions", "counter", "nodes", "cpu_s", "limit_s", "draw_ms")
BACKBONE_COLUMNS = ("size", "density", "boards", "limit_s", "settled", "median_s", "most_s")
BACKBONE_RUNS = ("size", "density", "seed", "settled", "cpu_s", "limit_s")


class Counted(NamedTuple):
    """A board: what its count took, its exact number (None: not within the limit), who counted, ms a draw."""

    cpu_s: float
    solutions: int | None
    nodes: int
    counter: str
    draw_ms: float | None


def counted(puzzle: Nonogram, orders: str, limit_s: float, draws: bool = False) -> Counted:
    begin = process_time()
    searches = tuple(int(name) for name in orders if name.isdigit())
    portfolio = CounterPortfolio(puzzle, searches, sweeping="s" in orders, keep=draws)
    events = run_with_backbone(portfolio, perf_counter()) if "n" in orders else plain(portfolio, perf_counter())
    while process_time() - begin < limit_s:
        try:
            next(events)
        except StopIteration as end:
            portfolio = end.value if "n" in orders else portfolio
            break
    found = portfolio.solutions if portfolio.done else None
    spent = process_time() - begin
    nodes = portfolio.statistics(0.0).nodes or 0
    if not found or not draws:
        return Counted(spent, found, nodes, portfolio.counter, None)
    rng, begin = Rng(1), process_time()
    for _ in range(DRAWS):
        portfolio.draw(rng)
    return Counted(spent, found, nodes, portfolio.counter, 1000 * (process_time() - begin) / DRAWS)


def summed(runs: list[Row]) -> Row:
    """The row of a case. Times of boards that were not counted are the limit.

    >>> run = {"size": 9, "density": 0.4, "limit_s": 60.0, "solutions": 100, "counter": "sweep", "cpu_s": 1.0}
    >>> row = summed([run, run | {"solutions": None, "cpu_s": 60.2}, run | {"counter": "components", "cpu_s": 3.0}])
    >>> row["counted"], row["median_s"], row["by_sweep"], row["log10_median"]
    (2, 3.0, 1, 2.0)
    """
    done = [run for run in runs if run["solutions"] is not None]
    times = [run["cpu_s"] if run["solutions"] is not None else run["limit_s"] for run in runs]
    share = wilson(len(done), len(runs))
    logs = [log10_of(run["solutions"]) for run in done if run["solutions"]]
    draws = [run["draw_ms"] for run in done if run.get("draw_ms") is not None]
    return {
        **{name: runs[0][name] for name in ("size", "density", "limit_s")},
        "boards": len(runs), "counted": len(done), "low": share.low, "high": share.high,
        "median_s": median(times), "p95_s": float(np.percentile(times, 95)), "most_s": max(times),
        "by_sweep": sum(run["counter"] == "sweep" for run in done),
        "by_frontier": sum(run["counter"] == "frontier" for run in done),
        "log10_median": median(logs) if logs else None, "log10_most": max(logs, default=None),
        "draw_ms": median(draws) if draws else None, "draw_ms_most": max(draws, default=None),
    }  # fmt: skip


def measured(case: str, asked: argparse.Namespace) -> list[Row]:
    """A row a board of a case."""
    size, density, *own = case.split("x")
    runs: list[Row] = []
    for seed in range(asked.seed, asked.seed + (int(own[0]) if own else asked.boards)):
        puzzle = nonosat.random_density(int(size), int(size), float(density), seed=seed)
        row: Row = {"size": int(size), "density": float(density), "seed": seed, "limit_s": asked.limit}
        if asked.backbone:
            answer = nonosat.backbone(puzzle, cpu_limit_s=asked.limit)
            settled = answer.decided is not None and bool(answer.decided.all())
            spent = answer.statistics.cpu_s if settled else None
            row |= {"settled": settled, "cpu_s": asked.limit if spent is None else spent}
        else:
            row |= counted(puzzle, asked.orders, asked.limit, asked.draws)._asdict()
        runs.append(row)
        if asked.each:
            print(f"  {row}", flush=True)
    return runs


def refuted(runs: list[Row]) -> list[str]:
    """What Ganak says otherwise of boards that were counted."""
    wrong = []
    for run in runs:
        if run["solutions"] is not None:
            puzzle = nonosat.random_density(run["size"], run["size"], run["density"], seed=run["seed"])
            if (other := nonosat.count(puzzle, counter="ganak").solutions) != run["solutions"]:
                wrong.append(f"{run['size']}x{run['density']} seed {run['seed']}: {run['solutions']}, Ganak {other}")
    return wrong


def main() -> int:
    """Print a line a case; 1 if Ganak disagrees."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("cases", nargs="*", metavar="SIZExDENSITY[xBOARDS]")
    parser.add_argument("-o", dest="out", metavar="DIR", type=Path)
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--limit", type=float, default=60.0, help="CPU seconds a board")
    parser.add_argument("--seed", type=int, default=0, help="of the first board")
    parser.add_argument("--orders", default="".join(map(str, ORDERS)) + "sn")
    parser.add_argument("--ganak", action="store_true")
    parser.add_argument("--draws", action="store_true")
    parser.add_argument("--backbone", action="store_true")
    parser.add_argument("--each", action="store_true", help="a line a board too")
    asked = parser.parse_args()
    stem = "backbones" if asked.backbone else "draws" if asked.draws else "counting"
    columns, run_columns = (BACKBONE_COLUMNS, BACKBONE_RUNS) if asked.backbone else (COLUMNS, RUN_COLUMNS)
    for names in ("012n", "s"):  # compiled, if it was not
        counted(nonosat.random_density(5, 5, 0.5, seed=0), names, 60.0)
    rows: list[Row] = []
    every: list[Row] = []
    wrong: list[str] = []
    print("".join(f"{column:>13}" for column in columns))
    for case in asked.cases or CASES[stem]:
        runs = measured(case, asked)
        every += runs
        rows.append(row := told_of_backbones(runs) if asked.backbone else summed(runs))
        print("".join(f"{shown(row[column]):>13}" for column in columns), flush=True)
        wrong += refuted(runs) if asked.ganak else []
    for line in wrong:
        print(f"WRONG: {line}")
    if asked.out is not None:
        write_table(asked.out, stem, columns, rows, f"limit {asked.limit:g} CPU seconds")
        write_rows(asked.out / f"{stem}-runs.csv", run_columns, every)
    return 1 if wrong else 0


def told_of_backbones(runs: list[Row]) -> Row:
    """The row of a case of backbones."""
    times = [run["cpu_s"] for run in runs]
    about = {name: runs[0][name] for name in ("size", "density", "limit_s")}
    settled = sum(run["settled"] for run in runs)
    return about | {"boards": len(runs), "settled": settled, "median_s": median(times), "most_s": max(times)}


if __name__ == "__main__":
    sys.exit(main())
