"""How long it takes to say all that is said of a puzzle after an edit: ``nonosat.making.editing.analyse``.

    python benchmarks/editing.py [--sizes 15,25,40] [--densities 0.3,0.4,0.5,0.6] [--count 50]

Boards of ``random_density``, seeds 0, 1, ..; then somebody who draws: blots grow cell by cell on an empty board, and
each cell is an edit. Milliseconds an edit, of CPU and (in brackets) on the wall: median, 95 % of them, the longest, in
a process that is warm.
"""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import product
from time import perf_counter, process_time

import numpy as np

from nonosat.generators.density import random_density
from nonosat.making.editing import analyse, warm
from nonosat.puzzles.nonogram import Nonogram
from nonosat.rng import Rng


def drawn(size: int, edits: int, seed: int) -> list[Nonogram]:
    """The boards of somebody who draws three blots, cell by cell."""
    chance = Rng(seed)
    cells = np.zeros((size, size), dtype=np.uint8)
    for _ in range(3):
        cells[chance.below(size), chance.below(size)] = 1
    boards = []
    while len(boards) < edits:
        row, column = np.argwhere(cells)[chance.below(int(cells.sum()))].tolist()
        down, right = ((0, 1), (1, 0), (0, -1), (-1, 0))[chance.below(4)]
        row, column = row + down, column + right
        if 0 <= row < size and 0 <= column < size and not cells[row, column]:
            cells[row, column] = 1
            boards.append(Nonogram.from_picture(cells.copy()))
    return boards


def told(name: str, boards: list[Nonogram]) -> None:
    cpu, wall, words, whole = [], [], Counter[str](), 0
    for board in boards:
        begin = process_time(), perf_counter()
        about = analyse(board)
        cpu.append(1000 * (process_time() - begin[0]))
        wall.append(1000 * (perf_counter() - begin[1]))
        words[about.verdict.word] += 1
        whole += about.tried_all and about.verdict.exact
    shown = [" ".join(f"{value:5.0f}" for value in np.percentile(times, [50, 95, 100])) for times in (cpu, wall)]
    verdicts = ", ".join(f"{count} {word}" for word, count in sorted(words.items()))
    print(f"{name:22} {shown[0]}  ({shown[1]})  n={len(cpu)}  {verdicts}; all told: {whole}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="15,25,40")
    parser.add_argument("--densities", default="0.3,0.4,0.5,0.6")
    parser.add_argument("--count", type=int, default=50)
    chosen = parser.parse_args()
    sizes, densities = [int(size) for size in chosen.sizes.split(",")], chosen.densities.split(",")
    warm()
    print("board                 CPU ms: median, 95 %, longest (wall)")
    for size, density in product(sizes, map(float, densities)):
        told(f"{size}x{size}, {density:g}", [random_density(size, size, density, s) for s in range(chosen.count)])
    for size in sizes:
        told(f"{size}x{size}, being drawn", drawn(size, size * size // 2, 0))


if __name__ == "__main__":
    main()
