"""What it costs to be watched: CPU time of the same search with glimpses ten times a second and without.

python benchmarks/watching.py [--boards 12] [--least 1] [SOLVER ...]

Boards are random, 30x30 at 40 %, from seed 0 on; those that the solver takes less than ``--least`` CPU seconds for
are passed over, as are those that it takes more than twenty times as long for. Each is solved in turn, unwatched and
watched, twice each, in processes of their own (so sending glimpses is counted in). Printed: the geometric mean of
watched/unwatched with its 95 % interval (bootstrap), and glimpses a second of the search's time. Native searches take
the same way watched; SAT solvers begin a new restart at each glimpse, so theirs is another search, with a heavy tail.
"""

from __future__ import annotations

import argparse
from math import exp, log

import numpy as np

import nonosat
from nonosat.chance import Chance
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.answer import Answer, Glimpse

MOST = 20


def cpu_s(puzzle: Nonogram, solver: str, limit: float) -> float | None:
    answer = nonosat.solve(puzzle, solver=solver, cpu_limit_s=limit)
    return None if answer.stopped else answer.statistics.cpu_s


def watched_s(puzzle: Nonogram, solver: str, limit: float) -> tuple[float | None, float]:
    *said, answer = nonosat.watch(puzzle, solver=solver, cpu_limit_s=limit)
    assert isinstance(answer, Answer)
    looks = sum(isinstance(event, Glimpse) for event in said)
    spent = answer.statistics
    return None if answer.stopped else spent.cpu_s, looks / (spent.solve_s or 1.0)


def interval(logs: list[float]) -> tuple[float, float]:
    drawn = Chance(0)
    means = sorted(np.mean([logs[drawn.below(len(logs))] for _ in logs]) for _ in range(2000))
    return exp(means[50]), exp(means[1949])


def measure(solver: str, boards: int, least: float) -> None:
    logs: list[float] = []
    rates: list[float] = []
    seed = -1
    while len(logs) < boards:
        seed += 1
        puzzle = nonosat.random_density(30, 30, 0.4, seed=seed)
        first = cpu_s(puzzle, solver, MOST * least)
        if first is None or first < least:
            continue
        again, rate = watched_s(puzzle, solver, 10 * MOST * least)
        second = cpu_s(puzzle, solver, 2 * MOST * least)
        last, _ = watched_s(puzzle, solver, 10 * MOST * least)
        if again is not None and second is not None and last is not None:
            logs.append(log(min(again, last) / min(first, second)))
            rates.append(rate)
    low, high = interval(logs)
    mean, spread = exp(np.mean(logs)), (exp(min(logs)), exp(max(logs)))
    print(
        f"{solver:14} n {len(logs)}: {mean:.3f} ({low:.3f} to {high:.3f}), of single boards {spread[0]:.2f} to "
        f"{spread[1]:.2f}; {np.mean(rates):.1f} glimpses a second",
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
