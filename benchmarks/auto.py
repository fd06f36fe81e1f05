"""``auto`` beside its parts: ``python benchmarks/auto.py [OPTIONS] FILE_OR_FOLDER...``.

Every puzzle of the files (every N-th, with --every N) is solved for a first solution (with --unique: until it is known
whether there is another) by the plain order encoding with MiniSat 2.2 (encoding, loading and solving) and by ``auto``,
one after the other, in this process. With --limit S, each in a process of its own that is killed after S CPU seconds,
and by ``propagation`` and ``beliefs`` too (such a process is a fork, which makes native solvers slower at first).
--solvers NAME,NAME,...: these instead. Without files: a hundred random boards of 25x25 at 50 %, and forty at 40 %.
Printed: how many are solved, CPU seconds in all (a run that was killed counts its limit), the median, ratios to the
first solver, the puzzle that took longest, and which part of ``auto`` solved how many.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from statistics import median
from time import process_time

from nonosat.generators.density import random_density
from nonosat.puzzles.formats import FORMATS, load_all
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.solve import solve
from nonosat.studies.provenance import machine

SOLVERS = ("minisat22", "auto", "propagation", "beliefs")
SUFFIXES = tuple(suffix for entry in FORMATS.values() for suffix in entry.suffixes)


def puzzles_of(names: list[str], every: int) -> dict[str, list[Puzzle]]:
    """Sets of puzzles by their names."""
    if not names:
        return {
            "random 25x25, 50 %": [random_density(25, 25, 0.5, seed) for seed in range(100)],
            "random 25x25, 40 %": [random_density(25, 25, 0.4, seed) for seed in range(40)],
        }
    found: dict[str, list[Puzzle]] = {}
    for name in names:
        path = Path(name)
        files = [path] if path.is_file() else sorted(p for p in path.iterdir() if p.suffix in SUFFIXES)
        found[name] = [puzzle for file in files for puzzle in load_all(file)][::every]
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=float)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--unique", action="store_true")
    parser.add_argument("--solvers", type=lambda names: names.split(","))
    parser.add_argument("names", nargs="*")
    chosen = parser.parse_args()
    print(machine())
    solvers = chosen.solvers or (SOLVERS if chosen.limit else SOLVERS[:2])
    for name, puzzles in puzzles_of(chosen.names, chosen.every).items():
        print(f"{name}: {len(puzzles)} puzzles")
        spent: dict[str, list[float]] = {solver: [] for solver in solvers}
        solved: Counter[str] = Counter()
        reasons: Counter[str] = Counter()
        for solver in solvers:
            solve(puzzles[0], solver=solver, cpu_limit_s=chosen.limit)  # what is made at first use is made now
            solve(random_density(25, 25, 0.4, 0), solver=solver, cpu_limit_s=chosen.limit)
        for puzzle in puzzles:
            for solver in solvers:
                begin = process_time()
                answer = solve(puzzle, solver=solver, cpu_limit_s=chosen.limit, unique=chosen.unique)
                here = process_time() - begin
                done = answer.unique is not None if chosen.unique else answer.verdict in ("SAT", "UNSAT")
                solved[solver] += done
                if chosen.limit is None:
                    spent[solver].append(here)
                else:
                    own = answer.statistics.cpu_s  # of its process, by the kernel's clock; without checking
                    spent[solver].append(own if done and own is not None else chosen.limit)
                if solver == "auto":
                    reasons[answer.reason or ""] += 1
        base, middle = sum(spent[solvers[0]]), median(spent[solvers[0]])
        for solver, times in spent.items():
            told = f"{solved[solver]:5} solved {sum(times):9.2f} s in all {1000 * median(times):8.2f} ms median"
            at = max(range(len(times)), key=times.__getitem__)
            most = f"most {times[at]:.2f} s ({puzzles[at].title or f'number {at + 1}'})"
            print(f"  {solver:<12}{told}  {sum(times) / base:6.2f} {median(times) / middle:6.2f}  {most}")
        if reasons:
            print("  auto: " + ", ".join(f"{count} {reason}" for reason, count in reasons.most_common()), flush=True)


if __name__ == "__main__":
    main()
