"""The native solver beside order encoding with MiniSat 2.2, on the same boards, in one process; CPU seconds.

python benchmarks/native.py [--size 25] [--density 0.5] [--count 1000] [--sat 100] [FOLDER ...]

First ``count`` random boards (seeds 0, 1, ...), of which the SAT solver gets the first ``sat``. Then every puzzle file
in the folders that lines alone can solve: the slowest are listed. Compiling comes before the clock starts.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median
from time import process_time

from nonosat.generators.density import random_density
from nonosat.puzzles.formats import FORMATS, load_all
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.propagation.difficulty import line_solvable
from nonosat.solvers.solve import solve


def timed(puzzle: Nonogram, solver: str) -> float:
    begin = process_time()
    answer = solve(puzzle, solver=solver)
    assert answer.picture is not None, (solver, puzzle.title, answer.verdict, answer.reason)
    return process_time() - begin


def told(name: str, seconds: list[float]) -> str:
    middle, most = median(seconds) * 1e3, max(seconds) * 1e3
    return f"{name:28} sum {sum(seconds):8.3f} s, median {middle:8.3f} ms, most {most:8.1f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=25)
    parser.add_argument("--density", type=float, default=0.5)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--sat", type=int, default=100)
    parser.add_argument("folders", nargs="*", type=Path)
    options = parser.parse_args()
    size = options.size
    boards = [random_density(size, size, options.density, seed) for seed in range(options.count)]
    names = ("propagation", "propagation+nomemo", "minisat22")
    for name in names:
        solve(random_density(5, 5, 0.5, 0), solver=name)

    print(f"{options.count} boards of {size}x{size} at {options.density:.0%}: first solution, checked; CPU time")
    times = {name: [timed(board, name) for board in boards] for name in names[:2]}
    few = boards[: options.sat]
    times |= {name: [timed(board, name) for board in few] for name in names[2:]}
    for name in names:
        print(told(f"{name} ({len(times[name])})", times[name]))
    same = times["propagation"][: options.sat]
    print(
        f"the first {len(few)}: minisat22 / propagation = {sum(times['minisat22']) / sum(same):.1f} in all, "
        f"{median(times['minisat22']) / median(same):.1f} at the median"
    )

    files = sorted(path for folder in options.folders for path in folder.iterdir() if path.suffix in suffixes())
    puzzles = [(path.name, puzzle) for path in files for puzzle in load_all(path)]
    simple = [(name, puzzle) for name, puzzle in puzzles if line_solvable(puzzle)]
    if simple:
        found = sorted(((timed(puzzle, "propagation"), name, puzzle.shape) for name, puzzle in simple), reverse=True)
        print(f"\n{len(simple)} of {len(puzzles)} puzzles are solved by lines alone; clues to picture, slowest first:")
        for seconds, name, shape in found[:8]:
            print(f"{seconds * 1e3:8.2f} ms  {shape[0]}x{shape[1]}  {name}")


def suffixes() -> set[str]:
    return {suffix for entry in FORMATS.values() for suffix in entry.suffixes}


if __name__ == "__main__":
    main()
