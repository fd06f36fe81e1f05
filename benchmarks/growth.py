"""How time and memory grow with the board: ``python benchmarks/growth.py [-o DIR] [SIZE...]``.

Pictures of our own (waves, see encoding.py) of 16x16 to 512x512, each in a process of its own: CPU seconds of encoding
(``tight+r3+order``), loading into MiniSat 2.2 and solving, and of ``auto``, from the puzzle to the checked answer; peak
memory of both processes. The exponents are those of the last doubling. With -o a table and a plot are written to DIR.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

from tables import Row, asked, shown, write_table

from nonosat.studies.analysis import lines, style
from nonosat.studies.analysis.style import TitledFigure, publish
from nonosat.studies.provenance import machine

SIZES = (16, 32, 64, 128, 256, 512)
COLUMNS = (
    *("size", "runs", "clauses", "encode_s", "load_s", "solve_s", "peak_mb", "auto_s", "auto_peak_mb"),
    *("encode_power", "load_power", "auto_power"),
)
ONE = """
import json, resource, sys, time
sys.path.insert(0, sys.argv[1])
from encoding import waves
from nonosat.generators.density import random_density
from nonosat.solvers.solve import solve
size, solver = int(sys.argv[2]), sys.argv[3]
solve(random_density(25, 25, 0.4, 1), solver=solver)  # what is loaded at first use
puzzle = waves(size, 4.0)
begin = time.process_time()
answer = solve(puzzle, solver=solver)
cpu = time.process_time() - begin
assert answer.picture is not None
about = answer.statistics
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"runs": sum(len(clue) for _, _, clue in puzzle.lines()), "clauses": about.clauses, "cpu_s": cpu,
    "encode_s": about.encode_s, "load_s": about.load_s, "solve_s": about.solve_s, "peak_mb": peak}))
"""


def told(size: int, solver: str) -> Row:
    """What a process of its own measured."""
    command = [sys.executable, "-c", ONE, str(Path(__file__).parent), str(size), solver]
    row: Row = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return row


def measured(sizes: list[int]) -> list[Row]:
    rows: list[Row] = []
    print("".join(f"{column:>14}" for column in COLUMNS))
    for size in sizes:
        sat, auto = told(size, "minisat22"), told(size, "auto")
        row = {"size": size, **sat, "auto_s": auto["cpu_s"], "auto_peak_mb": auto["peak_mb"]}
        if rows:
            doubled = math.log(size / rows[-1]["size"])
            for name in ("encode", "load", "auto"):
                row[f"{name}_power"] = math.log(row[f"{name}_s"] / rows[-1][f"{name}_s"]) / doubled
        rows.append(row)
        print("".join(f"{shown(row.get(column)):>14}" for column in COLUMNS), flush=True)
    return rows


def plot(rows: list[Row], on: str) -> TitledFigure:
    """Seconds and MiB over sizes; ``on``: the machine that they were measured on."""
    foot = (
        "Pictures of waves, the first solution; one run each, CPU time, processes of their own. SAT: MiniSat 2.2 on "
        f"tight+r3+order. {on}"
    )
    names = {"encode_s": "SAT, encode", "load_s": "SAT, load", "solve_s": "SAT, solve", "auto_s": "auto, in all"}
    peaks = {"peak_mb": "SAT, in all", "auto_peak_mb": "auto, in all"}
    shown_names = list(dict.fromkeys([*names.values(), *peaks.values()]))
    figure, axes = style.drawn("What a larger board costs", foot, 2, size=(3.4, 2.4), names=shown_names)
    looks, every = style.looks(shown_names), []
    for axis, columns, head in zip(axes, (names, peaks), ("CPU seconds", "peak MiB"), strict=True):
        style.headed(axis, head)
        xs = [row["size"] for row in rows]
        drawn = [
            lines.PlotLine(name, xs, [row[column] for row in rows], looks[name]) for column, name in columns.items()
        ]
        lines.draw_lines(axis, drawn)
        style.logarithmic(axis)
        axis.set_xscale("log", base=2)
        axis.set_xticks(xs, [str(x) for x in xs])
        style.labelled(axis, "size")
        style.panel_grid(axis)
        every += drawn
    lines.name_lines(figure, every)
    return figure


def main() -> None:
    out, sizes = asked(__doc__, SIZES)
    print(machine())
    rows = measured(sizes)
    if out is not None:
        write_table(out, "growth", COLUMNS, rows)
        publish(plot(rows, machine()), out / "growth")


if __name__ == "__main__":
    main()
