"""Random boards counted by a search through components, by a sweep, and by a sweep over live states.

    python tests/three_methods.py [--boards 2000] [--first 0] [--cpu 5]

Board i is always the same: its sides have 6 to 14 cells, its density is 10 to 60 %; every third has given cells, every
fourth two colours. A board that one of them does not count within ``--cpu`` seconds is left out, and counted as such.
Exit code 1 if any two numbers differ. The first two share nothing.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from time import perf_counter, process_time

import numpy as np

from nonosat.counting.native import ORDERS, CounterPortfolio, run_frontier
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.nonogram.puzzle import Picture, palette_of
from nonosat.solvers.propagation.board import PAUSED


def board(number: int) -> Nonogram:
    """The puzzle of this number."""
    rng = np.random.default_rng([7, number])
    height, width = rng.integers(6, 15, 2).tolist()
    colours = 2 if number % 4 == 3 else 1
    filled = rng.random((height, width)) < rng.uniform(0.1, 0.6)
    cells = np.where(filled, rng.integers(1, colours + 1, (height, width)), 0)
    made = Nonogram.from_picture(Picture(cells, palette_of(colours)))
    if number % 3 != 2:
        return made
    chosen = rng.choice(cells.size, size=3, replace=False).tolist()
    given = tuple((c // width, c % width, int(cells.flat[c])) for c in chosen)
    return Nonogram(made.rows, made.columns, given, made.palette)  # type: ignore[arg-type]


def counted(puzzle: Nonogram, orders: tuple[int, ...], cpu_s: float) -> int | None:
    """Its number of solutions by these orders alone, or (no orders) by the sweep alone; None: not in time."""
    portfolio, begin = CounterPortfolio(puzzle, orders, sweeping=not orders), process_time()
    while portfolio.go_on() == PAUSED and process_time() - begin < cpu_s:
        pass
    return portfolio.solutions if portfolio.done else None


def by_frontier(puzzle: Nonogram, cpu_s: float) -> int | None:
    """Its number of solutions by the sweep over live states alone; None: not in time."""
    begin = process_time()
    with closing(run_frontier(CounterPortfolio(puzzle, ()), perf_counter())) as events:
        while process_time() - begin < cpu_s:
            try:
                next(events)
            except StopIteration as end:
                return end.value.solutions if end.value.done else None
    return None


def compared(first: int, boards: int, cpu_s: float) -> tuple[int, int, list[str]]:
    """How many boards were counted by all, how many had more than one solution, and where they differ."""
    every, several, wrong = 0, 0, []
    for number in range(first, first + boards):
        puzzle = board(number)
        one, other, third = counted(puzzle, ORDERS, cpu_s), counted(puzzle, (), cpu_s), by_frontier(puzzle, cpu_s)
        if one is None or other is None or third is None:
            continue
        every += 1
        several += one > 1
        if not one == other == third:
            wrong.append(f"board {number}: {one} by components, {other} by a sweep, {third} over live states")
    return every, several, wrong


def main() -> int:
    """Print what differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--boards", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--cpu", type=float, default=5.0)
    asked, begin = parser.parse_args(), process_time()
    every, several, wrong = compared(asked.first, asked.boards, asked.cpu)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    told = f"{every} of {asked.boards} boards counted by all ({several} with several solutions), {len(wrong)} differ"
    print(f"{told}; {process_time() - begin:.0f} CPU s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
