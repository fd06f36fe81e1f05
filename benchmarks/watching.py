"""What it costs to be watched: CPU time of the same search with glimpses ten times a second and without.

python benchmarks/watching.py [--boards 12] [--least 1] [SOLVER ...]

Boards are random, 30x30 at 40 %, from seed 0 on; those that the solver takes less than ``--least`` CPU seconds for
are passed over, as are those that it takes more than twenty times as long for. Each is solved in turn, unwatched and
watched, twice each, in processes of their own (so sending glimpses is counted in). Printed: the geometric mean of
watched/unwatched with its 95 % interval (bootstrap), and glimpses a second of the search's time. Native searches take
the same way watched; SAT solvers begin a new restart at each glimpse, so theirs is another search, with a heavy tail:
of them the ratio of the CPU time of a conflict is told too.
"""

from __future__ import annotations

import argparse
import math
from math import exp, log
from typing import NamedTuple

import numpy as np

import nonosat
from nonosat.puzzles.nonogram import Nonogram
from nonosat.rng import Rng
from nonosat.runs.events import Answer, Glimpse, Statistics

MOST = 20


class Cost(NamedTuple):
    """CPU seconds, and those of a conflict (nan: it counts none)."""

    cpu_s: float
    conflict_s: float


def cost(about: Statistics) -> Cost:
    spent = about.cpu_s or math.nan
    return Cost(spent, spent / about.conflicts if about.conflicts else math.nan)


def unwatched(puzzle: Nonogram, solver: str, limit: float) -> Cost | None:
    answer = nonosat.solve(puzzle, solver=solver, cpu_limit_s=limit)
    return None if answer.stopped else cost(answer.statistics)


def watched(puzzle: Nonogram, solver: str, limit: float) -> tuple[Cost | None, float]:
    *said, answer = nonosat.watch(puzzle, solver=solver, cpu_limit_s=limit)
    assert isinstance(answer, Answer)
    looks = sum(isinstance(event, Glimpse) for event in said)
    spent = answer.statistics
    return None if answer.stopped else cost(spent), looks / (spent.solve_s or 1.0)


def told(logs: list[float]) -> str:
    """The geometric mean, and its interval."""
    drawn = Rng(0)
    means = sorted(np.mean([logs[drawn.below(len(logs))] for _ in logs]) for _ in range(2000))
    return f"{exp(np.mean(logs)):.3f} ({exp(means[50]):.3f} to {exp(means[1949]):.3f})"


def measure(solver: str, boards: int, least: float) -> None:
    logs: list[float] = []
    conflicts: list[float] = []
    rates: list[float] = []
    seed = -1
    while len(logs) < boards:
        seed += 1
        puzzle = nonosat.random_density(30, 30, 0.4, seed=seed)
        first = unwatched(puzzle, solver, MOST * least)
        if first is None or first.cpu_s < least:
            continue
        again, rate = watched(puzzle, solver, 10 * MOST * least)
        second = unwatched(puzzle, solver, 2 * MOST * least)
        last, _ = watched(puzzle, solver, 10 * MOST * least)
        if again is not None and second is not None and last is not None:
            logs.append(log(min(again.cpu_s, last.cpu_s) / min(first.cpu_s, second.cpu_s)))
            conflicts.append(log(min(again.conflict_s, last.conflict_s) / min(first.conflict_s, second.conflict_s)))
            rates.append(rate)
    by_conflict = "" if math.isnan(sum(conflicts)) else f"; of a conflict {told(conflicts)}"
    spread = f"{exp(min(logs)):.2f} to {exp(max(logs)):.2f}"
    rate = float(np.mean(rates))
    print(
        f"{solver:14} n {len(logs)}: {told(logs)}, single boards {spread}{by_conflict}; {rate:.1f} glimpses/s",
        flush=True,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "solvers", nargs="*", default=["propagation", "elimination", "rowsearch", "minisat22", "cadical153"]
    )
    parser.add_argument("--boards", type=int, default=12)
    parser.add_argument("--least", type=float, default=1.0)
    asked = parser.parse_args()
    for named in asked.solvers:
        measure(named, asked.boards, asked.least)
