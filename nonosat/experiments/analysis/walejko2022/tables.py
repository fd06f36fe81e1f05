"""Wałejko's tables (2022) as they are read: our milliseconds, and behind them the thesis' in brackets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from nonosat.experiments.analysis.walejko2022.cells import OVER, cells, of_pictures
from nonosat.experiments.analysis.walejko2022.thesis import TABLES, Table
from nonosat.files import made_folder, write_atomically
from nonosat.solvers.answer import Verdict

EXCEEDED = "x"
CELLS = "walejko-cells"


def tables(frame: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """(name, caption, table) of those that the records permit: the thesis' four, how much faster, and all cells."""
    found = cells(frame)
    for table in TABLES:
        if len(here := found[found["table"].eq(table.number)]):
            caption = f"Table {table.number}: {table.title}, ms (the thesis')"
            yield f"walejko-{table.number}", caption, grid(table, here)
    if len(found):
        caption = "How many times faster than the thesis, where both have a figure and the thesis' is not rounded to 0"
        yield "walejko-faster", caption, faster(found)
        yield CELLS, "The cells of these tables", found


def grid(table: Table, here: pd.DataFrame) -> pd.DataFrame:
    """The cells of one table as text: a row a puzzle, a column a solver; "" where there are no runs."""
    texts = {(row["puzzle"], row["column"]): told(row) for row in here.to_dict("records")}
    sizes = dict(zip(here["puzzle"], here["size"], strict=True))
    rows = [
        [puzzle, sizes[puzzle], *(texts.get((puzzle, ours), "") for ours, _, _ in table.columns)]
        for puzzle in table.thesis
        if puzzle in sizes
    ]
    headings = [f"{ours} ({theirs})" for ours, theirs, _ in table.columns]
    return pd.DataFrame(rows, columns=["puzzle", "size", *headings])


def told(cell: dict[str, Any]) -> str:
    """One cell: ``0.144 (1)``; x is exceeded; without a result how the runs ended, or how few they are."""
    if pd.notna(ms := cell["ms"]):
        ours = f"{ms:.3g}" if ms < 100 else f"{ms:,.0f}"
    elif cell["outcome"] in OVER:
        ours = EXCEEDED
    else:
        ours = f"runs: {cell['runs']}" if cell["outcome"] == Verdict.SAT else cell["outcome"]
    theirs = cell["thesis_ms"]
    return f"{ours} ({EXCEEDED if pd.isna(theirs) else f'{theirs:,.0f}'})"


def faster(found: pd.DataFrame) -> pd.DataFrame:
    """Per solver: the puzzles solved, and of the ratios to the thesis' figures the median, the least and the most."""
    once = found.drop_duplicates(["puzzle", "solver"])  # two tables share a solver
    rows = []
    for solver, mine in once.groupby("solver", sort=False):
        ratios = mine["faster"]
        rows.append(
            {
                "solver": solver, "puzzles": len(mine), "solved": int(mine["ms"].notna().sum()),
                "compared": int(ratios.count()), "median": ratios.median(), "least": ratios.min(), "most": ratios.max(),
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def markdown(frame: pd.DataFrame, machine: str) -> str:
    """All tables but that of the cells; ``machine``: what the records were made on."""
    found, load = cells(frame), of_pictures(frame)["load_average"]
    runs, limits = _all(found.loc[found["ms"].notna(), "runs"]), _all(found["limit_s"].dropna())
    parts = [
        "# The tables of Wałejko 2022, measured again",
        f"Milliseconds of {machine}, in a process a run: the mean of {runs} runs without the fastest and the slowest; "
        f"limit {limits} s. CPU time, since others used the machine, whose load was {load.min():.1f} to "
        f"{load.max():.1f} (wall_ms in tables.csv has the wall time, which is longer by that). In "
        "brackets the thesis' figures (i5-6300HQ, Node.js 14, limit 300 s, whole milliseconds), which are "
        "those of its own pictures: ours have their names and sizes only. *x*: a run was over the limit.",
    ]
    for name, caption, table in tables(frame):
        if name != CELLS:
            parts += [f"## {caption}", pipes(table)]
    return "\n\n".join(parts) + "\n"


def _all(values: pd.Series) -> str:
    return " or ".join(f"{value:g}" for value in sorted(values.unique())) or "no"


def pipes(table: pd.DataFrame) -> str:
    """A table in Markdown; numbers with at most one digit behind the point."""
    rows: list[Sequence[str]] = [
        [str(name) for name in table],
        ["---", *("---:" for _ in range(table.shape[1] - 1))],
        *([_digits(value) for value in row] for row in table.itertuples(index=False, name=None)),
    ]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _digits(value: object) -> str:
    if isinstance(value, float):
        return "" if pd.isna(value) else f"{value:,.1f}"
    return str(value)


def write(frame: pd.DataFrame, folder: str | Path, machine: str) -> None:
    """Write ``tables.md`` and, a row a cell, ``tables.csv`` into ``folder``; results/ has them."""
    out = made_folder(folder)
    write_atomically(out / "tables.csv", cells(frame).to_csv(index=False, float_format="%.6g"))
    write_atomically(out / "tables.md", markdown(frame, machine))
