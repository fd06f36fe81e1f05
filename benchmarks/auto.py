"""``auto`` beside its parts: ``python benchmarks/auto.py [OPTIONS] FILE_OR_FOLDER...``.

Every puzzle of the files (every N-th, with --every N) is solved for a first solution (with --unique: until it is known
whether there is another) by the plain order encoding with MiniSat 2.2 (encoding, loading and solving) and by ``auto``,
one after the other, in this process. With --limit S, each in a process of its own that is killed after S CPU seconds,
and by ``propagation`` and ``beliefs`` too (such a process is a fork, which makes native solvers slower at first).
--solvers NAME,NAME,...: these instead. Without files: a hundred random boards of 25x25 at 50 %, and forty at 40 %.
Printed: how many are solved, CPU seconds in all (a run that was killed counts its limit), the median, ratios to the
first solver, the puzzle that took longest, and which part of ``auto`` solved how many. With -o CSV: a row a run, too.
With --floor instead: what a call of ``auto`` and its parts cost on easy boards that are new to it (medians of each
board's least wall time of seven rounds), and how many of them ``solve_many`` solves a second (of CPU time, in this
process, in the best round).
"""

from __future__ import annotations

import argparse
import pickle
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter_ns, process_time
from typing import Any

import numpy as np
from tables import Row, write_rows

from nonosat.generators.density import random_density
from nonosat.puzzles.formats import FORMATS, load_all
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.judgement import judged
from nonosat.solvers.many import solve_many
from nonosat.solvers.propagation.tree import TreeSearch
from nonosat.solvers.registry import search
from nonosat.solvers.solve import SolveRequest, request_of, solve
from nonosat.studies.provenance import machine

SOLVERS = ("minisat22", "auto", "propagation", "beliefs")
ROW = ("set", "puzzle", "question", "solver", "solved", "cpu_ms")
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


BOARDS, ROUNDS = 300, 7


def easy() -> dict[str, list[Puzzle]]:
    """Sets of boards for ``--floor`` by their names."""
    alike = {
        f"{size}x{size} at {density:.0%}": [random_density(size, size, density, seed) for seed in range(BOARDS)]
        for size, density in ((20, 0.6), (25, 0.6), (20, 0.5), (25, 0.5))
    }
    sizes = [(height, width) for height in range(10, 45, 2) for width in range(10, 45, 3)]
    return alike | {f"{len(sizes)} sizes at 60%": [random_density(h, w, 0.6, 100 * h + w) for h, w in sizes]}


def request(puzzle: Puzzle) -> SolveRequest:
    """The call's arguments, looked up."""
    return request_of(puzzle, None, None, 1, False, None, None, None)


PARTS: dict[str, tuple[Callable[[Puzzle], Any], Callable[[Any], object]]] = {
    "call": (lambda puzzle: puzzle, solve),
    "request": (lambda puzzle: puzzle, request),
    "arrays": (lambda puzzle: puzzle, TreeSearch),
    "compiled": (TreeSearch, TreeSearch.go_on),
    "search": (request, lambda asked: list(search(*asked.arguments))),
    "check": (lambda puzzle: (puzzle, puzzle.goal.cells), lambda found: judged(*found)),
    "again": (lambda puzzle: (solve(puzzle), puzzle)[1], solve),
    "second": (lambda puzzle: puzzle, partial(solve, unique=True)),
}
"""A call and its parts (the first piece of compiled search; the whole search, arrays and all), the same call again, and
one for two pictures: what each begins with, and what is timed."""


def floor() -> None:
    """What ``--floor`` prints."""
    for name, puzzles in easy().items():
        sent = [pickle.dumps(puzzle) for puzzle in puzzles]
        told = []
        for part, (begins, timed) in PARTS.items():
            spent = np.empty((ROUNDS, len(puzzles)))
            for times in spent:
                for number, given in enumerate([begins(pickle.loads(each)) for each in sent]):
                    begin = perf_counter_ns()
                    timed(given)
                    times[number] = perf_counter_ns() - begin
            told.append(f"{part} {np.median(spent.min(axis=0)) / 1e6:.3f}")
        rates = []
        for _ in range(ROUNDS):
            new = [pickle.loads(each) for each in sent]
            begin_s = process_time()
            count = sum(1 for _ in solve_many(new, jobs=1))
            rates.append(count / (process_time() - begin_s))
        print(f"{name}: {', '.join(told)} ms; solve_many {max(rates):,.0f} a second", flush=True)


def measured(
    name: str, puzzles: dict[int, Puzzle], solvers: Sequence[str], unique: bool, limit: float | None
) -> tuple[list[Row], Counter[str]]:
    """A row a run of ``puzzles``, which have their numbers in the file (``cpu_ms`` of one that was not solved is its
    limit), and which part of ``auto`` solved how many.
    """
    for solver in solvers:
        solve(puzzles[1], solver=solver, cpu_limit_s=limit)  # what is made at first use is made now
        solve(random_density(25, 25, 0.4, 0), solver=solver, cpu_limit_s=limit)
    rows: list[Row] = []
    reasons: Counter[str] = Counter()
    for number, puzzle in puzzles.items():
        for solver in solvers:
            begin = process_time()
            answer = solve(puzzle, solver=solver, cpu_limit_s=limit, unique=unique)
            spent = process_time() - begin
            done = answer.unique is not None if unique else answer.verdict in ("SAT", "UNSAT")
            if limit is not None:
                own = answer.statistics.cpu_s  # of its process, by the kernel's clock; without checking
                spent = own if done and own is not None else limit
            rows.append({"set": name, "puzzle": number, "question": "second" if unique else "first",
                         "solver": solver, "solved": done, "cpu_ms": 1000 * spent})  # fmt: skip
            if solver == "auto":
                reasons[answer.reason or ""] += 1
    return rows, reasons


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--floor", action="store_true")
    parser.add_argument("--limit", type=float)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--unique", action="store_true")
    parser.add_argument("--solvers", type=lambda names: names.split(","))
    parser.add_argument("-o", dest="out", metavar="CSV", type=Path)
    parser.add_argument("names", nargs="*")
    chosen = parser.parse_args()
    print(machine())
    if chosen.floor:
        floor()
        return
    solvers = chosen.solvers or (SOLVERS if chosen.limit else SOLVERS[:2])
    every: list[Row] = []
    for name, puzzles in puzzles_of(chosen.names, chosen.every).items():
        print(f"{name}: {len(puzzles)} puzzles")
        numbered = {1 + i * chosen.every: puzzle for i, puzzle in enumerate(puzzles)}
        rows, reasons = measured(Path(name).stem, numbered, solvers, chosen.unique, chosen.limit)
        every += rows
        by_solver = {solver: [row for row in rows if row["solver"] == solver] for solver in solvers}
        base, middle = (reduce([row["cpu_ms"] for row in by_solver[solvers[0]]]) for reduce in (sum, median))
        for solver, mine in by_solver.items():
            times = [row["cpu_ms"] for row in mine]
            solved = sum(row["solved"] for row in mine)
            told = f"{solved:5} solved {sum(times) / 1000:9.2f} s in all {median(times):8.2f} ms median"
            at = max(range(len(times)), key=times.__getitem__)
            title = puzzles[at].title or f"number {mine[at]['puzzle']}"
            most = f"most {times[at] / 1000:.2f} s ({title})"
            print(f"  {solver:<12}{told}  {sum(times) / base:6.2f} {median(times) / middle:6.2f}  {most}")
        if reasons:
            print("  auto: " + ", ".join(f"{count} {reason}" for reason, count in reasons.most_common()), flush=True)
    if chosen.out is not None:
        write_rows(chosen.out, ROW, every)


if __name__ == "__main__":
    main()
