"""Two commits side by side: ``python benchmarks/compare.py OLD NEW [OPTIONS] [FILE...]``.

OLD, NEW: commits, or ``.`` for the checkout as it is. Each commit is unpacked into a folder of its own (kept, with its
compiled code, under --keep) and works in a process of its own; every puzzle goes to both, one after the other, who is
first by turns, with --repeat the least of several times. The puzzles are those of ``classes.py`` (--classes PART,...:
of classes whose names have one of these; --boards N: the first N of each), and those of FILEs and folders (--every N,
--from I; asked for a second picture with --unique), with the same solver (--solver). Printed, and written with -o DIR:
CPU seconds in all, median, 90 %, 99 %, most, the sum of the slowest 3 % (of each side's own slowest: whose time is luck
is not slow twice), peak memory; ratios NEW / OLD of sums and medians with 95 % intervals (bootstrap over puzzles), and
of the slowest. A puzzle that takes more than --limit CPU seconds counts that. -o DIR writes a row a puzzle, too
(classes-runs.csv).

Exit code 1: a class got slower by more than --gate (0.05: the lower end of an interval lies above 1.05).
2: the two say different things of a puzzle.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from select import select
from typing import Any

import numpy as np
from auto import puzzles_of
from classes import CLASSES
from tables import Row, shown, write_rows, write_table

from nonosat.puzzles.formats import dumps
from nonosat.puzzles.nonogram import Nonogram
from nonosat.studies.analysis.intervals import RESAMPLES, ratio_of_sums, resamples
from nonosat.studies.provenance import machine

ROOT = Path(__file__).parents[1]
COLUMNS = (
    *("class", "puzzles", "which", "solved", "sum_s", "median_ms", "p90_ms", "p99_ms", "most_s", "slowest_s"),
    *("peak_mb", "sum_ratio", "sum_interval", "median_ratio", "median_interval", "slowest_ratio"),
)
RUN_COLUMNS = ("class", "puzzle", "old_ms", "new_ms", "limit_s")
SLOWEST = 0.03
WORKER = """
import json, sys
from pathlib import Path
from time import process_time
from nonosat.generators.density import random_density
from nonosat.puzzles.formats import loads
from nonosat.solvers.solve import solve
solver = sys.argv[1]
for unique in (False, True):
    for size, density in ((25, 0.4), (5, 0.5), (70, 0.9)):
        solve(random_density(size, size, density, 1), solver=solver, unique=unique)
told = sys.stdout
import nonosat
print("ready", Path(nonosat.__file__).parents[1], file=told, flush=True)
for asked in sys.stdin:
    asked = json.loads(asked)
    (puzzle,) = loads(asked["puzzle"], "json")
    Path("/proc/self/clear_refs").write_text("5")
    begin = process_time()
    answer = solve(puzzle, solver=solver, unique=asked["unique"])
    spent = process_time() - begin
    peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
    said = answer.unique if asked["unique"] else answer.verdict.name
    print(json.dumps([spent, str(said), int(peak) / 1024]), file=told, flush=True)
"""


class Side:
    """A process of one commit that solves what it is sent."""

    def __init__(self, commit: str, keep: Path, solver: str, limit: float) -> None:
        self.folder, self.solver, self.limit = unpacked(commit, keep), solver, limit
        self.begin()

    def begin(self) -> None:
        """Start the process; it has compiled all it needs when it says so."""
        command = [sys.executable, "-P", "-c", WORKER, self.solver]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": self.folder}
        self.process = subprocess.Popen(command, **pipes, env={"PYTHONPATH": str(self.folder), "PATH": "/usr/bin:/bin"})
        if self.process.stdout is None or self.process.stdout.readline() != f"ready {self.folder}\n":
            raise SystemExit(f"{self.folder}: the solver does not work")

    def solve(self, puzzle: str, unique: bool) -> tuple[float, str, float]:
        """CPU seconds, what it says, and its peak of memory in MiB."""
        if self.process.stdin is None or self.process.stdout is None:
            raise AssertionError
        clock = (~self.process.pid << 3) | 2  # Linux: the CPU clock of a process
        until = time.clock_gettime(clock) + self.limit
        print(json.dumps({"puzzle": puzzle, "unique": unique}), file=self.process.stdin, flush=True)
        while not select([self.process.stdout], [], [], 0.5)[0]:
            if time.clock_gettime(clock) > until:
                self.process.kill()
                self.process.wait()
                self.begin()
                return self.limit, "over the limit", float("nan")
        spent, said, peak = json.loads(self.process.stdout.readline())
        return spent, said, peak


def unpacked(commit: str, keep: Path) -> Path:
    """The folder with the files of ``commit``."""
    if commit == ".":
        return ROOT
    name = subprocess.run(["git", "rev-parse", commit], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    folder = keep / name.strip()[:12]
    if not (folder / "nonosat").exists():
        packed = subprocess.run(["git", "archive", commit, "nonosat"], cwd=ROOT, capture_output=True, check=True)
        with tarfile.open(fileobj=BytesIO(packed.stdout)) as files:
            files.extractall(folder, filter="data")
    return folder


def sets(chosen: argparse.Namespace) -> Iterator[tuple[str, bool, list[Nonogram]]]:
    """Classes by name: whether a second picture is asked for, and the puzzles."""
    for name in chosen.classes if chosen.classes is not None else [] if chosen.files else CLASSES:
        boards, unique, make = CLASSES[name]
        yield name, unique, [make(i) for i in range(min(boards, chosen.boards or boards))]
    for file in chosen.files:
        for unique in (False, True) if chosen.unique else (False,):
            (found,) = puzzles_of([str(file)], 1).values()
            if puzzles := found[chosen.first :: chosen.every]:
                yield f"{file.stem}, {'second' if unique else 'first'}", unique, puzzles


def measured(sides: list[Side], puzzles: list[Nonogram], unique: bool, repeat: int) -> tuple[Any, list[str], Any]:
    """Seconds, shape (puzzles, 2), puzzles on which the sides differ, and the peaks of memory."""
    spent, peaks, differ = np.zeros((len(puzzles), 2)), np.zeros((len(puzzles), 2)), []
    for i, puzzle in enumerate(puzzles):
        text = dumps(replace(puzzle, goal=None), "json")
        says = ["", ""]
        for turn in range(repeat):
            for which in (0, 1) if (i + turn) % 2 else (1, 0):
                seconds, says[which], peaks[i, which] = sides[which].solve(text, unique)
                spent[i, which] = seconds if turn == 0 else min(seconds, spent[i, which])
            if spent[i].max() > 1.0:
                break
        if says[0] != says[1] and "over the limit" not in says:
            differ.append(f"{puzzle.title or i + 1}: {says[0]}, {says[1]}")
    return spent, differ, peaks


def rows_of(name: str, spent: Any, peaks: Any, limit: float) -> list[Row]:
    """A row a side."""
    old, new = spent.T
    sums, middle = ratio_of_sums(new, old), _ratio_of_medians(spent)
    slowest = np.sort(spent, axis=0)[-max(1, round(SLOWEST * len(spent))) :].sum(axis=0)
    rows: list[Row] = []
    for which, side in enumerate(("old", "new")):
        mine = spent[:, which]
        p90, p99 = np.quantile(mine, [0.9, 0.99])
        row: Row = {"class": name, "puzzles": len(mine), "which": side, "solved": int((mine < limit).sum())}
        row |= {"sum_s": float(mine.sum()), "median_ms": float(np.median(mine)) * 1e3, "p90_ms": p90 * 1e3}
        row |= {"p99_ms": p99 * 1e3, "most_s": float(mine.max()), "slowest_s": slowest[which]}
        row |= {"peak_mb": float(np.nanmax(peaks[:, which]))}
        rows.append(row)
    rows[1] |= {"sum_ratio": sums.value, "sum_interval": f"{sums.low:.2f}..{sums.high:.2f}"}
    rows[1] |= {"median_ratio": np.median(new) / np.median(old), "median_interval": "{:.2f}..{:.2f}".format(*middle)}
    rows[1] |= {"slowest_ratio": slowest[1] / slowest[0]}
    return rows


def _ratio_of_medians(spent: Any) -> Any:
    """Its 95 % interval: puzzles drawn again."""
    middles = np.median(spent[resamples(len(spent), RESAMPLES, 0)], axis=1)
    return np.quantile(middles[:, 1] / middles[:, 0], [0.025, 0.975])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commits", metavar="COMMIT", nargs=2)
    parser.add_argument("files", metavar="FILE", nargs="*", type=Path)
    parser.add_argument(
        "--classes", type=lambda names: [n for n in CLASSES if any(w and w in n for w in names.split(","))]
    )
    parser.add_argument("--boards", type=int)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--unique", action="store_true")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--solver", default="auto")
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("--gate", type=float, default=0.05)
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "nonosat-compare")
    parser.add_argument("-o", dest="out", type=Path)
    chosen = parser.parse_args()
    print(machine(), " ".join(chosen.commits))
    sides = [Side(commit, chosen.keep, chosen.solver, chosen.limit) for commit in chosen.commits]
    rows: list[Row] = []
    every: list[Row] = []
    slower, differ = [], []
    for name, unique, puzzles in sets(chosen):
        spent, odd, peaks = measured(sides, puzzles, unique, chosen.repeat)
        differ += odd
        every += [
            {"class": name, "puzzle": number, "old_ms": 1000 * old, "new_ms": 1000 * new, "limit_s": chosen.limit}
            for number, (old, new) in enumerate(spent.tolist(), 1)
        ]
        found = rows_of(name, spent, peaks, chosen.limit)
        rows += found
        slower += [name] if float(str(found[1]["sum_interval"]).split("..")[0]) > 1 + chosen.gate else []
        for row in found:
            print(" | ".join(shown(row.get(column, "")) for column in COLUMNS), flush=True)
    if chosen.out is not None:
        write_table(chosen.out, "classes", COLUMNS, rows, f"{' and '.join(chosen.commits)}, {chosen.solver}")
        write_rows(chosen.out / "classes-runs.csv", RUN_COLUMNS, every)
    for text in (*(f"differs: {text}" for text in differ), *(f"slower: {name}" for name in slower)):
        print(text, file=sys.stderr)
    return 2 if differ else 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
