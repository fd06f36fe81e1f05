"""How far counting, drawing and backbones get on random boards: CPU seconds, one process, a limit a board.

    python benchmarks/counting.py 20x0.4 25x0.5 [--boards 20] [--limit 60] [--seed 0] [--orders 012sn] [--ganak]
    [--draws] [--backbone]

A case is a size and a density. For each it prints how many boards were counted within the limit, with a 95 % interval
(Wilson), the median and the 95th percentile of CPU seconds (a board that was not counted stands at the limit), the
median logarithm of the counts, and who counted. ``--draws``: what a draw costs afterwards (a sweep that is to be drawn
from keeps its layers, and so needs more memory). ``--orders``: only these (0 by probes,
1 by rows, 2 by columns, s a sweep, n narrowed by SAT). ``--ganak``: let Ganak count the boards that were counted too
(it has no limit), and compare. ``--backbone``: the CPU seconds of ``nonosat.backbone`` under the same limit.
"""

from __future__ import annotations

import argparse
import math
import sys
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

import numpy as np

import nonosat
from nonosat.counting.answer import log10_of
from nonosat.counting.native import ORDERS, CounterPortfolio, run, run_with_backbone
from nonosat.puzzles.nonogram import Nonogram
from nonosat.rng import Rng

DRAWS = 200


class Counted(NamedTuple):
    """A board: what its count took, its exact number (None: not within the limit), who counted, seconds a draw."""

    cpu_s: float
    solutions: int | None
    nodes: int
    counter: str
    draw_s: float | None


def counted(puzzle: Nonogram, orders: str, limit_s: float, draws: bool = False) -> Counted:
    begin = process_time()
    searches = tuple(int(name) for name in orders if name.isdigit())
    portfolio = CounterPortfolio(puzzle, searches, sweeping="s" in orders, keep=draws)
    events = run_with_backbone(portfolio, perf_counter()) if "n" in orders else run(portfolio, perf_counter())
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
    return Counted(spent, found, nodes, portfolio.counter, (process_time() - begin) / DRAWS)


def interval(done: int, of: int) -> str:
    """Wilson's 95 % interval of a share."""
    z, p = 1.96, done / of
    middle, half = p + z * z / (2 * of), z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    low, high = ((middle + sign * half) / (1 + z * z / of) for sign in (-1, 1))
    return f"{max(0.0, low):.0%}-{min(1.0, high):.0%}"


def told(case: str, found: list[Counted], limit_s: float) -> str:
    """A line about a case."""
    done = [board for board in found if board.solutions is not None]
    times = [board.cpu_s if board.solutions is not None else limit_s for board in found]
    words = f"{case}: {len(done)} of {len(found)} counted ({interval(len(done), len(found))})"
    words += f", median {median(times):.3f} s, 95th percentile {np.percentile(times, 95):.3f} s"
    if done:
        logs = [log10_of(board.solutions) for board in done if board.solutions]
        draws = [board.draw_s for board in done if board.draw_s is not None]
        words += f", {sum(board.counter == 'sweep' for board in done)} by the sweep"
        words += f", log10 N {median(logs):.1f} (most {max(logs):.1f})"
        if draws:
            words += f", a draw {1000 * median(draws):.2f} ms (most {1000 * max(draws):.2f})"
    return words


def main() -> int:
    """Print a line a case; 1 if Ganak disagrees."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("cases", nargs="+", metavar="SIZExDENSITY")
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--limit", type=float, default=60.0, help="CPU seconds a board")
    parser.add_argument("--seed", type=int, default=0, help="of the first board")
    parser.add_argument("--orders", default="".join(map(str, ORDERS)) + "sn")
    parser.add_argument("--ganak", action="store_true")
    parser.add_argument("--draws", action="store_true")
    parser.add_argument("--backbone", action="store_true")
    parser.add_argument("--each", action="store_true", help="a line a board too")
    asked, wrong = parser.parse_args(), 0
    orders = asked.orders
    for names in ("012n", "s"):  # compiled, if it was not
        counted(nonosat.random_density(5, 5, 0.5, seed=0), names, 60.0)
    for case in asked.cases:
        size, density = case.split("x")
        found, compared, times = [], 0, []
        for seed in range(asked.seed, asked.seed + asked.boards):
            puzzle = nonosat.random_density(int(size), int(size), float(density), seed=seed)
            if asked.backbone:
                answer = nonosat.backbone(puzzle, cpu_limit_s=asked.limit)
                settled = answer.settled is not None and bool(answer.settled.all())
                times.append(answer.statistics.cpu_s if settled and answer.statistics.cpu_s else asked.limit)
                continue
            found.append(counted(puzzle, orders, asked.limit, asked.draws))
            if asked.each:
                print(f"  {seed}: {found[-1]}", flush=True)
            if asked.ganak and found[-1].solutions is not None:
                other = nonosat.count(puzzle, counter="ganak").solutions
                compared += 1
                if other != found[-1].solutions:
                    wrong += 1
                    print(f"  WRONG: {case} seed {seed}: {found[-1].solutions}, Ganak {other}")
        if asked.backbone:
            most = f"{sum(t >= asked.limit for t in times)} at the limit"
            print(f"{case}: backbones of {len(times)}: median {median(times):.2f} s, most {max(times):.2f} s, {most}")
        else:
            with_ganak = f"; {compared} compared with Ganak" if asked.ganak else ""
            print(told(case, found, asked.limit) + with_ganak, flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
