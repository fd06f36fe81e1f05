"""Tables of encodings and solvers by themselves, from records: ``python benchmarks/alone.py [-o DIR] RECORDS...``.

RECORDS: of studies such as encodings-alone, encodings-tournament and cadical-options (experiments/encodings). For each
collection of boards, encoding and solver: CPU time of solving (encoding and loading apart), its median and its sum.
They are compared with ``tight+r3+order`` with the same solver, or with --solvers with ``cadical195`` with the same
encoding: the median of the boards' ratios, and the ratio of the sums, with 95 % intervals (bootstrap over boards). A
board that was not solved within the limit counts as the limit. One that somebody has no record of is left out for all.

Printed as a table a collection: the sum and the median, and behind them the median ratio with its interval. With
-o: NAME.csv and NAME.md in DIR, NAME being that of the first records, with all columns.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from tables import Row, shown, write_table

from nonosat.rng import Rng
from nonosat.studies.analysis import frames

COLUMNS = (
    *("boards", "encoding", "solver", "n", "solved", "clauses", "median_ms", "sum_s", "conflicts"),
    *("median_ratio", "median_interval", "sum_ratio", "sum_interval"),
)
BASE = {"encoding": "tight+r3+order", "solver": "cadical195"}


def collection(run: Any) -> str:
    """Which boards a record is of, as a heading."""
    if run.source == "density":
        return f"random {run.size}, {100 * run.density:.0f} %"
    return run.source if run.source.endswith(".txt") else "real" if run.source.endswith(".mk") else "drawn"


def rows_of(name: str, runs: pd.DataFrame, axis: str) -> list[Row]:
    """The rows of a collection: ``axis``, encodings or solvers, is what is held against its base."""
    other = "solver" if axis == "encoding" else "encoding"
    spent = runs.pivot_table(index="instance", columns=[axis, other], values="spent").dropna()
    found: list[Row] = []
    pairs = dict.fromkeys(zip(runs[axis], runs[other], strict=True))
    for one, beside in sorted(pairs, key=lambda pair: pair[0] != BASE[axis]):
        if (BASE[axis], beside) not in spent:
            continue
        mine, base = (spent[who, beside].to_numpy() for who in (one, BASE[axis]))
        here = runs[(runs[axis] == one) & (runs[other] == beside) & runs["instance"].isin(spent.index)]
        row: Row = {"boards": name, axis: one, other: beside, "n": len(mine), "solved": int(here["solved"].sum())}
        row |= {"clauses": int(here["clauses"].median()), "median_ms": float(1e3 * np.median(mine))}
        row |= {"sum_s": float(mine.sum()), "conflicts": int(here["conflicts"].median())}
        row |= {"median_ratio": float(np.median(mine / base)), "sum_ratio": float(mine.sum() / base.sum())}
        for what, ends in zip(("median", "sum"), bootstrap(mine, base), strict=True):
            row[f"{what}_interval"] = "..".join(shown(float(end)) for end in ends)
        found.append(row)
    return found


def bootstrap(mine: Any, base: Any) -> tuple[Any, Any]:
    """95 % intervals of the median of ratios and of the ratio of sums: boards drawn again, 1,000 times."""
    count = len(mine)
    drawn = Rng(0).many_below(count, 1000 * count).reshape(1000, count)
    medians, sums = np.median((mine / base)[drawn], axis=1), mine[drawn].sum(axis=1) / base[drawn].sum(axis=1)
    return np.quantile(medians, [0.025, 0.975]), np.quantile(sums, [0.025, 0.975])


def tables(rows: list[Row], axis: str, other: str) -> Iterator[str]:
    """Lines of Markdown: a table a collection."""
    for name in dict.fromkeys(row["boards"] for row in rows):
        here = {(row[axis], row[other]): row for row in rows if row["boards"] == name}
        across = list(dict.fromkeys(row[other] for row in rows))
        yield f"\n{name}, {next(iter(here.values()))['n']} boards:\n"
        yield f"| {axis} | {' | '.join(across)} |"
        yield "|---" * (1 + len(across)) + "|"
        for one in dict.fromkeys(first for first, _ in here):
            yield f"| `{one}` | {' | '.join(cell(here[one, each]) for each in across)} |"


def cell(row: Row) -> str:
    """Sum, median, how many boards it did not solve, if any; of what is not the base, the median ratio."""
    left = f", {row['n'] - row['solved']} not solved" if row["solved"] < row["n"] else ""
    base = BASE["encoding"] == row["encoding"] and row["median_interval"] == "1..1"
    ratio = "" if base else f": {shown(row['median_ratio'])} ({row['median_interval'].replace('..', ' to ')})"
    return f"{shown(row['sum_s'])} s, {shown(row['median_ms'])} ms{left}{ratio}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--solvers", action="store_true")
    parser.add_argument("-o", dest="out", metavar="DIR", type=Path)
    chosen = parser.parse_args()
    rows: list[Row] = []
    for file in chosen.records:
        runs = frames.load(file)
        runs = runs.assign(spent=runs["solve_cpu_s"].where(runs["solved"], runs["cpu_limit_s"]))
        runs["boards"] = [collection(run) for run in runs.itertuples()]
        for name, here in runs.groupby("boards", sort=True):
            rows += rows_of(str(name), here, "solver" if chosen.solvers else "encoding")
    print("\n".join(tables(rows, *(("solver", "encoding") if chosen.solvers else ("encoding", "solver")))))
    if chosen.out is not None:
        files = ", ".join(file.name for file in chosen.records)
        write_table(chosen.out, chosen.records[0].stem, COLUMNS, rows, files, machines(chosen.records))


def machines(files: list[Path]) -> str:
    """The machines that the records are of."""
    known = [document["machine"] for file in files for document in frames.about(file).provenance.values()]
    return " and ".join(
        dict.fromkeys(f"{one['cpu']}, {one['cores']} cores, {one['memory_gib']:.0f} GiB" for one in known)
    )


if __name__ == "__main__":
    main()
