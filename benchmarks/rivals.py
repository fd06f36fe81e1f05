"""What a Python user would pick instead, side by side: ``python benchmarks/rivals.py [-o DIR] [SIZE...]``.

CPMpy (with CP-SAT and with python-sat), Pindakaas, ``pysat.integer``, OR-Tools with automata, and a nonogram solver
from PyPI are installed into an environment of their own (``.venv-rivals``), and get the same random boards at 50 % (of
10x10 to 50x50, if no SIZE is named) as nonosat's ``tight+r3+order`` with MiniSat 2.2 and its ``auto``. Measured, in CPU
seconds of a process that has imported everything: from the puzzle to the formula, and from the puzzle to the answer,
the median over BOARDS boards a size; with the ratio to nonosat's. All answers are checked. A rival that needs more than
LIMIT_S for the boards of a size gets no more.

With -o the table (rivals.csv, rivals.md) and a plot (rivals.png) are written to DIR.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from tables import Row, asked, shown, write_table

from nonosat.encodings.registry import encoding
from nonosat.experiments.machine import machine
from nonosat.generators.density import random_density
from nonosat.puzzles.check import fault
from nonosat.puzzles.nonogram import Clue, Nonogram
from nonosat.solvers.formulas import no_garbage_collection
from nonosat.solvers.solve import solve

HERE = Path(__file__).parent
PYTHON = HERE.parent / ".venv-rivals" / "bin" / "python"
PACKAGES = ["cpmpy==1.1.1", "pindakaas==0.6.1", "python-sat==1.9.dev17", "ortools==9.15.6755", "nonogram==3.1.1"]
RIVALS = (
    *("Pindakaas", "pysat.integer", "CPMpy, python-sat", "CPMpy, CP-SAT"),
    *("OR-Tools, automata", "nonogram (PyPI)"),
)
OURS = ("nonosat, minisat22", "nonosat, auto")
SIZES, BOARDS, LIMIT_S = (10, 20, 30, 40, 50), 5, 120
COLUMNS = ("size", "who", "boards", "right", "clauses", "cnf_ms", "answer_ms", "cnf_ratio", "answer_ratio")


def installed() -> None:
    """The rivals' environment, made if it is not there."""
    if PYTHON.exists():
        return
    subprocess.run([sys.executable, "-m", "venv", str(PYTHON.parents[1])], check=True)
    subprocess.run([str(PYTHON), "-m", "pip", "install", "-q", *PACKAGES], check=True)


def rival(name: str, puzzles: list[Nonogram]) -> list[Row]:
    """What ``name`` says of each puzzle, until its time is up."""
    asked = "".join(
        json.dumps({"rows": lengths(puzzle.rows), "columns": lengths(puzzle.columns)}) + "\n" for puzzle in puzzles
    )
    command = [str(PYTHON), str(HERE / "rival_models.py"), name]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        told, _ = process.communicate(asked, LIMIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        told, _ = process.communicate()
    return [json.loads(line) for line in told.splitlines() if line.endswith("}")]


def lengths(clues: tuple[Clue, ...]) -> list[list[int]]:
    return [[run.length for run in clue] for clue in clues]


def ours(name: str, puzzles: list[Nonogram]) -> list[Row]:
    """The same of nonosat, in this process."""
    solver = name.rpartition(" ")[2]
    parts = encoding("tight+r3+order")
    found: list[Row] = []
    for puzzle in puzzles:
        row: Row = {}
        if solver == "minisat22":
            begin = time.process_time()
            with no_garbage_collection():
                formula = parts.formula(puzzle)
            row |= {"cnf_s": time.process_time() - begin, "clauses": formula.cnf.clauses}
        begin = time.process_time()
        answer = solve(puzzle, solver=solver)
        row["answer_s"] = time.process_time() - begin
        assert answer.picture is not None
        found.append(row | {"cells": answer.picture.cells.tolist()})
    return found


def right(puzzle: Nonogram, cells: list[list[int]]) -> bool:
    """Is it a whole picture that solves the puzzle?"""
    return min(map(min, cells)) >= 0 and fault(puzzle, puzzle.picture(cells)) is None


def measured(sizes: list[int]) -> Iterator[Row]:
    """A row a size and model."""
    slow: set[str] = set()
    for size in sizes:
        puzzles = [random_density(size, size, 0.5, seed) for seed in range(BOARDS)]
        base: Row = {}
        for name in (*OURS, *RIVALS):
            if name in slow:
                continue
            run: Callable[[str, list[Nonogram]], list[Row]] = ours if name in OURS else rival
            if name in OURS:  # what is compiled or cached at first use
                run(name, [*puzzles[:1], random_density(25, 25, 0.4, 1)])
            told = run(name, puzzles)
            if len(told) < len(puzzles):
                slow.add(name)
            row: Row = {"size": size, "who": name, "boards": len(told)}
            row["right"] = sum(right(puzzle, one["cells"]) for puzzle, one in zip(puzzles, told, strict=False))
            for column in ("cnf_s", "answer_s"):
                known = [one[column] for one in told if column in one]
                row[column.replace("_s", "_ms")] = 1000 * median(known) if known else None
            clauses = [one["clauses"] for one in told if one.get("clauses")]
            row["clauses"] = round(median(clauses)) if clauses else None
            base = base or row
            for column in ("cnf", "answer"):
                mine, own = row[f"{column}_ms"], base[f"{column}_ms"]
                row[f"{column}_ratio"] = None if mine is None else mine / own
            yield row


def plot(rows: list[Row], path: Path, on: str) -> None:
    """Times over sizes, to the formula and to the answer; ``on``: the machine that they were measured on."""
    from nonosat.experiments.analysis import lines, rendering, style

    foot = f"Medians of {BOARDS} random boards at 50 %, CPU time. Lines end where {LIMIT_S} s were not enough. {on}"
    names = [name for name in dict.fromkeys(row["who"] for row in rows) if name != "nonogram (PyPI)"]
    title = "From the puzzle to the formula, and to the answer"
    figure, axes = style.drawn(title, foot, 2, beside=names, sharey=True)
    every = []
    for axis, column, head in zip(axes, ("cnf_ms", "answer_ms"), ("formula", "answer"), strict=True):
        style.headed(axis, head)
        for name, look in style.looks(names).items():
            points = [(row["size"], row[column]) for row in rows if row["who"] == name and row[column] is not None]
            if points:
                every.append(lines.Line(name, *zip(*points, strict=True), look))
                lines.draw_lines(axis, every[-1:])
        style.logarithmic(axis)
        style.labelled(axis, "size", "ms" if axis is axes[0] else "")
        style.grid(axis)
    lines.name_lines(figure, every)
    path.write_bytes(rendering.rendered(figure, "png"))


def main() -> None:
    out, sizes = asked(__doc__, SIZES)
    installed()
    print(f"{machine()}; {', '.join(PACKAGES)}")
    rows: list[Row] = []
    print("".join(f"{column:>{22 if column == 'who' else 13}}" for column in COLUMNS))
    for row in measured(sizes):
        rows.append(row)
        print("".join(f"{shown(row[column]):>{22 if column == 'who' else 13}}" for column in COLUMNS), flush=True)
    if out is None:
        return
    write_table(out, "rivals", COLUMNS, rows, ", ".join(PACKAGES))
    plot(rows, out / "rivals.png", machine())


if __name__ == "__main__":
    main()
