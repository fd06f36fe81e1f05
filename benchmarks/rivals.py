"""What a Python user would pick instead, side by side: ``python benchmarks/rivals.py [OPTIONS] [SIZE...]``.

CPMpy, Pindakaas, ``pysat.integer``, OR-Tools and the solvers of nonograms from PyPI are installed into an environment
of their own (``.venv-rivals``), each stated as its authors do it (``rival_models.py``, ``rival_packages.py``). They get
the same puzzles as nonosat by ``auto`` (the default) and by MiniSat 2.2 on ``tight+r3+order``: random boards of each
SIZE at 40, 50 and 60 %, and every --every-th puzzle of each --file and of each --folder (without any of these: 10 to
50). Four questions, medians in CPU seconds with 95 % intervals (bootstrap over puzzles):

    formula   from the puzzle to the clauses
    first     from the puzzle to a picture, in a process that has imported everything
    second    to two pictures, or the proof that there is only one
    process   from a file with a puzzle to its picture: a whole process, nonosat's the command ``nonosat solve FILE``

A puzzle gets --most CPU seconds, and a set --mean for each of its puzzles; then a rival gets no more of it. A puzzle
that was begun and has no answer counts as longer than any other. Who solves less than half of a size gets no larger one
of that density. All answers are checked: each picture by its clues, and how many there are against what the others say.
Ratios are to nonosat's ``auto``, of formulas to MiniSat's, on the puzzles that both began. Exit code 1: nonosat told a
wrong picture, or that there is no other where there is one.

With -o the table (rivals.csv, rivals.md), a plot (rivals.png) and the time of each puzzle (records.csv) are written to
DIR; with --add, what is there of other sets and questions stays.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rival_answers import COLUMNS, RECORDED, Measured, Puzzles
from rival_plot import plot
from rival_runs import OURS, PACKAGES, Limit, Rival, installed, whole_process
from tables import Row, number, shown, write_rows, write_table

from nonosat.generators.density import random_density
from nonosat.puzzles.formats import load_all
from nonosat.puzzles.nonogram import Nonogram
from nonosat.studies.analysis.style import publish
from nonosat.studies.provenance import machine

TO_CLAUSES = ("Pindakaas", "pysat.integer", "CPMpy, python-sat")
BOTH = (*OURS, "OR-Tools, automata", "CPMpy, CP-SAT", *TO_CLAUSES, "multi-puzzle-solver")
GUESSING = ("puzzlekit", "picross-solver", "nonogram, dynamic_optimized")
LINES = ("nonogram, dynamic", "nonogram-cracker")
ASKED = {"formula": (0, (OURS[1], *TO_CLAUSES)), "first": (1, (*BOTH, *GUESSING, *LINES)), "second": (2, BOTH)}
SIZES, DENSITIES = (10, 20, 30, 40, 50), (0.4, 0.5, 0.6)
PROCESSES, PROCESS_SIZES, PROCESS_DENSITY = 5, (10, 20, 30), "50 %"


def sets(chosen: argparse.Namespace) -> Iterator[Puzzles]:
    """What is asked for; without given cells and colours, of which the rivals know nothing."""
    for density in DENSITIES:
        for size in chosen.sizes:
            boards = [random_density(size, size, density, seed) for seed in range(chosen.boards)]
            yield Puzzles(f"{size}x{size}, {density:.0%}".replace("%", " %"), boards, f"{100 * density:.0f} %", size)
    for file in chosen.files:
        yield Puzzles(f"{file.stem}, every {chosen.every}th", plain(load_all(file))[chosen.first :: chosen.every])
    for folder in chosen.folders:
        found = [puzzle for path in sorted(folder.iterdir()) if path.suffix != ".tsv" for puzzle in load_all(path)]
        yield Puzzles(f"folder {folder.name}", plain(found)[chosen.first :: chosen.every])


def plain(puzzles: Iterator[Nonogram] | list[Nonogram]) -> list[Nonogram]:
    return [puzzle for puzzle in puzzles if puzzle.colours == 1 and not puzzle.given]


def measured(chosen: argparse.Namespace, records: list[Row]) -> Iterator[Row]:
    """The rows of each set and question; ``records`` grows by those of each puzzle."""
    limit, asked = Limit(chosen.mean, chosen.most), [question for question in ASKED if question in chosen.questions]
    rivals = [Rival(who) for who in ASKED["first"][1] if any(who in ASKED[question][1] for question in asked)]
    for each in sets(chosen):
        for question in asked:
            count, names = ASKED[question]
            found = Measured(each, question)
            for rival in rivals:
                if rival.who in names and (each.density, question) not in rival.slow:
                    found.add(rival.who, rival.answers(each.puzzles, count, limit))
                    if each.density and 2 * found.done(rival.who) < len(each.puzzles):
                        rival.slow.add((each.density, question))
            records += found.records()
            yield from (found.row(who, names[0]) for who in found.told)
        if "process" in chosen.questions and each.density == PROCESS_DENSITY and each.size in PROCESS_SIZES:
            yield from processes(Puzzles(each.name, each.puzzles[:PROCESSES], each.density, each.size), records)


def processes(each: Puzzles, records: list[Row]) -> Iterator[Row]:
    """The rows of whole processes, one a puzzle."""
    found = Measured(each, "process")
    with tempfile.TemporaryDirectory() as folder:
        for who in ASKED["first"][1]:
            if who != OURS[1]:
                found.add(who, [whole_process(who, puzzle, Path(folder)) for puzzle in each.puzzles])
    records += found.records()
    yield from (found.row(who, OURS[0]) for who in found.told)


def measured_before(path: Path) -> list[Row]:
    """The rows of a table, with numbers where there are some."""
    with path.open(encoding="utf-8", newline="") as file:
        return [{key: number(value) for key, value in row.items()} for row in csv.DictReader(file)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", metavar="SIZE", nargs="*", type=int, default=[])
    parser.add_argument("-o", dest="out", metavar="DIR", type=Path)
    parser.add_argument("--add", action="store_true")
    parser.add_argument("--question", dest="questions", action="append", choices=[*ASKED, "process"])
    parser.add_argument("--boards", type=int, default=8)
    parser.add_argument("--mean", type=float, default=0.75)
    parser.add_argument("--most", type=float, default=2.5)
    parser.add_argument("--file", dest="files", action="append", type=Path, default=[])
    parser.add_argument("--every", type=int, default=50)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--folder", dest="folders", action="append", type=Path, default=[])
    chosen = parser.parse_args()
    if not (chosen.sizes or chosen.files or chosen.folders):
        chosen.sizes = list(SIZES)
    chosen.questions = chosen.questions or [*ASKED, "process"]
    installed()
    print(f"{machine()}; {', '.join(PACKAGES)}")
    print(" | ".join(COLUMNS))
    rows: list[Row] = []
    records: list[Row] = []
    for row in measured(chosen, records):
        print(" | ".join(shown(row.get(column)) for column in COLUMNS), flush=True)
        rows.append(row | {"limits_s": f"{chosen.mean:g}, {chosen.most:g}" if row["question"] != "process" else "-"})
    if chosen.out is not None:
        if chosen.add:
            asked = {(row["set"], row["question"]) for row in rows}
            before = [measured_before(chosen.out / name) for name in ("rivals.csv", "records.csv")]
            kept = [[row for row in some if (row["set"], row["question"]) not in asked] for some in before]
            rows, records = kept[0] + rows, kept[1] + records
        note = f"limits: CPU seconds a puzzle, in the mean of a set and at most; {', '.join(PACKAGES)}"
        write_table(chosen.out, "rivals", COLUMNS, rows, note)
        write_rows(chosen.out / "records.csv", RECORDED, records)
        publish(plot(rows, machine()), chosen.out / "rivals")
    return 1 if any(row.get("wrong") for row in rows if row["who"] in OURS) else 0


if __name__ == "__main__":
    sys.exit(main())
