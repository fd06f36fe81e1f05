"""How many random boards are unique, how many lines alone solve, and how many cells must change until all are.

    python benchmarks/uniqueness.py [--sizes 5,10,15,20,25] [--densities 0.3,0.4,0.5,0.6,0.7] [--count 200]
    python benchmarks/uniqueness.py --bias [--sizes 10,15] [--densities 0.4,0.5] [--count 200]
    python benchmarks/uniqueness.py --give [--sizes 10,15] [--densities 0.3,0.4] [--repairs 20]

Boards of ``random_density``, seeds 0, 1, ..; shares in percent, with Wilson's 95 % interval for the unique ones. A
board is "open" if a second solution was neither found nor excluded within --work lines settled. Of --repairs boards
each, repaired until unique and until solvable by lines: mean number of changed cells, and median seconds.

--bias: what unique boards look like that were found by rejection, and by repair.

--give: how many cells are given until --repairs boards are unique (mean, least, most), and median and longest seconds.
"""

from __future__ import annotations

import argparse
from itertools import count as numbers
from itertools import product
from math import sqrt
from statistics import mean, median, stdev
from time import perf_counter

from nonosat.generators.density import random_density
from nonosat.making.criteria import accepted, judge, repair, solutions
from nonosat.making.giving import give
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.propagation.difficulty import difficulty, line_solvable


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
        changes.append(len(repair(board, line_solvable=by_lines, seed=seed).changes))
        seconds.append(perf_counter() - begin)
    return f"{mean(changes):5.1f} cells {median(seconds):6.3f} s"


def shares(sizes: list[int], densities: list[float], count: int, repaired: int, work: int) -> None:
    print("size  density   unique %  (95 %)         by lines %   open %   until unique             until by lines")
    for size, density in product(sizes, densities):
        boards = [random_density(size, size, density, seed) for seed in range(count)]
        simple = [line_solvable(board) for board in boards]
        found = [
            1 if lines else (None if (s := solutions(board, work=work)) is None else len(s))
            for board, lines in zip(boards, simple, strict=True)
        ]
        unique = found.count(1)
        low, high = interval(unique, len(boards))
        told = [repairs(boards[:repaired], by_lines) for by_lines in (False, True)]
        print(
            f"{size:4}  {density:7g}  {100 * unique / len(boards):8.1f}  ({low:4.1f} .. {high:5.1f})"
            f"  {100 * sum(simple) / len(boards):10.1f}  {100 * found.count(None) / len(boards):7.1f}   "
            + "   ".join(told),
            flush=True,
        )


def bias(sizes: list[int], densities: list[float], count: int) -> None:
    print("size  density  by          seeds   filled         runs a row   by lines %   sweeps of those")
    for size, density in product(sizes, densities):
        boards = (random_density(size, size, density, seed) for seed in numbers())
        found = list(accepted(boards, judge("unique"), "unique", count, attempts=100 * count))
        kinds = {"rejection": [board for _, board in found]}
        for by_lines in (False, True):
            kinds["repair, lines" if by_lines else "repair"] = [
                repair(random_density(size, size, density, seed), seed=seed, line_solvable=by_lines).puzzle
                for seed in range(count)
            ]
        for name, puzzles in kinds.items():
            filled = [float((puzzle.goal.cells > 0).mean()) for puzzle in puzzles if puzzle.goal is not None]
            runs = mean(len(clue) for puzzle in puzzles for clue in puzzle.rows)
            lines = [about.sweeps for puzzle in puzzles if (about := difficulty(puzzle)).kind == "lines"]
            print(
                f"{size:4}  {density:7g}  {name:13} {found[-1][0] + 1 if name == 'rejection' else count:5}   "
                f"{mean(filled):.3f} ± {stdev(filled) / sqrt(count):.3f}  {runs:8.2f}   "
                f"{100 * len(lines) / count:9.0f}   {mean(lines):12.1f}",
                flush=True,
            )


def given(sizes: list[int], densities: list[float], count: int) -> None:
    print("size  density  boards   cells given (least .. most)   of all cells   median s    most s")
    for size, density in product(sizes, densities):
        cells, seconds = [], []
        for seed in range(count):
            begin = perf_counter()
            cells.append(len(give(random_density(size, size, density, seed), seed=seed).given))
            seconds.append(perf_counter() - begin)
        print(
            f"{size:4}  {density:7g}  {count:6}   {mean(cells):6.1f} ({min(cells):3} .. {max(cells):3})"
            f"   {100 * mean(cells) / size**2:17.1f} %   {median(seconds):8.2f}   {max(seconds):7.2f}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="5,10,15,20,25")
    parser.add_argument("--densities", default="0.3,0.4,0.5,0.6,0.7")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--repairs", type=int, default=20)
    parser.add_argument("--work", type=int, default=4_000_000)
    parser.add_argument("--bias", action="store_true")
    parser.add_argument("--give", action="store_true")
    options = parser.parse_args()
    sizes, densities = [int(s) for s in options.sizes.split(",")], [float(d) for d in options.densities.split(",")]
    repair(random_density(5, 5, 0.3, 0))  # compiles
    if options.give:
        given(sizes, densities, options.repairs)
    elif options.bias:
        bias(sizes, densities, options.count)
    else:
        shares(sizes, densities, options.count, options.repairs, options.work)


if __name__ == "__main__":
    main()
