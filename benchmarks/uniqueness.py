"""How many random boards are unique, how many lines alone solve, and how many cells must change until all are.

    python benchmarks/uniqueness.py [--sizes 5,10,15,20,25] [--densities 0.3,0.4,0.5,0.6,0.7] [--count 200]

Boards of ``random_density``, seeds 0, 1, ..; shares in percent, with Wilson's 95 % interval for the unique ones. A board
is "open" if a second solution was neither found nor excluded within --work lines settled. Of --repairs boards each,
repaired until unique and until solvable by lines: mean number of changed cells, and median seconds.
"""

from __future__ import annotations

import argparse
from math import sqrt
from statistics import mean, median
from time import perf_counter

from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.judges import repair, solutions
from nonosat.solvers.propagation.difficulty import line_solvable


def interval(hits: int, count: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a share, in percent."""
    z, share = 1.96, hits / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return 100 * (middle - half), 100 * (middle + half)


def repairs(boards: list[Nonogram], by_lines: bool) -> str:
    """Mean number of changes, and median time."""
    changes, seconds = [], []
    for seed, board in enumerate(boards):
        begin = perf_counter()
        changes.append(len(repair(board, by_lines=by_lines, seed=seed).changes))
        seconds.append(perf_counter() - begin)
    return f"{mean(changes):5.1f} cells {median(seconds):6.3f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="5,10,15,20,25")
    parser.add_argument("--densities", default="0.3,0.4,0.5,0.6,0.7")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--repairs", type=int, default=20)
    parser.add_argument("--work", type=int, default=4_000_000)
    options = parser.parse_args()
    repair(random_density(5, 5, 0.3, 0))  # compiles
    print("size  density   unique %  (95 %)         by lines %   open %   until unique             until by lines")
    for size in map(int, options.sizes.split(",")):
        for density in map(float, options.densities.split(",")):
            boards = [random_density(size, size, density, seed) for seed in range(options.count)]
            simple = [line_solvable(board) for board in boards]
            found = [
                1 if lines else (None if (s := solutions(board, work=options.work)) is None else len(s))
                for board, lines in zip(boards, simple, strict=True)
            ]
            unique = found.count(1)
            low, high = interval(unique, len(boards))
            told = [repairs(boards[: options.repairs], by_lines) for by_lines in (False, True)]
            print(
                f"{size:4}  {density:7g}  {100 * unique / len(boards):8.1f}  ({low:4.1f} .. {high:5.1f})"
                f"  {100 * sum(simple) / len(boards):10.1f}  {100 * found.count(None) / len(boards):7.1f}   "
                + "   ".join(told),
                flush=True,
            )


if __name__ == "__main__":
    main()
