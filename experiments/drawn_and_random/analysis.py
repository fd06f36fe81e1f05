"""Encodings on boards that people draw, on the same boards shuffled, and on random ones: what wins where, and why.

    python experiments/drawn_and_random/analysis.py [DIR]

makes the files of results/drawn-and-random anew, or in DIR, but for settled.csv (``benchmarks/settled.py``).

Each encoding is compared with the default one, board by board: its time (with the paired bootstrap's interval), in all
and for solving alone, the size of its formula, its conflicts.
"""

from __future__ import annotations

import itertools
import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, NullLocator

from nonosat.studies.analysis import intervals, style
from nonosat.studies.analysis.boards import CPU, Clock, boards_of, latest
from nonosat.studies.analysis.frames import load
from nonosat.studies.analysis.lines import PlotLine, draw_lines, marks_note, name_handles
from nonosat.studies.analysis.ranking import compared, ends
from nonosat.studies.analysis.style import (
    Look,
    Numbers,
    TitledFigure,
    drawn,
    drawn_for,
    headed,
    labelled,
    look,
    marks,
    panel_grid,
    paper,
    publish,
)
from nonosat.studies.analysis.summary import survival_of

RESULTS = Path(__file__).parents[2] / "results"

DEFAULT = "tight+r3+order"
SOLVING = Clock("solve_cpu_s", "CPU time of solving")
KINDS = ("drawn", "shuffled", "random")
WORDS = {"drawn": "drawn by people", "shuffled": "the same, shuffled", "random": "random, 40 %"}
FAMILIES = ("order, gaps", "order, iff", "coupled", "support", "log", "automaton")
COLUMNS = (
    *("boards_of", "encoding", "family", "boards", "solved", "sum_s", "median_s", "ratio", "ratio_low", "ratio_high"),
    *("solving_ratio", "solving_ratio_low", "solving_ratio_high"),
    *("clauses", "conflicts", "conflicts_ratio", "without_conflict", "solving"),
)


def kind_of(parameters: object) -> str:
    """The kind of a board, by its generator's parameters.

    >>> kind_of('{"pack": "garden", "cells": "shuffled"}'), kind_of('{"size": "20x20", "density": "0.4"}')
    ('shuffled', 'random')
    """
    known = json.loads(parameters) if isinstance(parameters, str) else {}
    return str(known.get("cells", "random"))


def family_of(encoding: str) -> str:
    """What an encoding's line in the figure is: its integers, and of the order encoding its channel too."""
    parts = encoding.split("+")
    if "automaton" in parts:
        return "automaton"
    return parts[-1] if parts[-1] != "order" else "order, iff" if "iff" in parts else "order, gaps"


def effects(frame: pd.DataFrame, solver: str = "minisat22") -> pd.DataFrame:
    """A row a kind of boards and encoding, with ``COLUMNS``, over the boards that all encodings have run on.

    ``ratio``: of its time to the default's, the median over the boards; ``solving_ratio``: of that for solving alone;
    ``clauses`` likewise. ``conflicts``: in all, of the boards that both solved, and ``conflicts_ratio`` by the
    default's on these. ``without_conflict``: share of boards. ``solving``: what solving takes of the time, the median;
    the rest is encoding and loading.
    """
    runs = latest(frame[frame["solver"].eq(solver)])
    runs = runs.assign(kind=runs["parameters"].map(kind_of))
    rows = [_row(kind, name, here) for kind, here in _whole(runs) for name in sorted(set(here["label"]))]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _whole(runs: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """The runs of each kind, on the boards that all encodings have run on."""
    found = []
    for kind in KINDS:
        here = runs[runs["kind"].eq(kind)]
        met = here.groupby("instance")["label"].nunique()
        found.append((kind, here[here["instance"].isin(met[met.eq(runs["label"].nunique())].index)]))
    return [(kind, here) for kind, here in found if len(here)]


def _row(kind: str, name: str, runs: pd.DataFrame) -> dict[str, object]:
    mine, base = (runs[runs["label"].eq(label)].set_index("instance") for label in (name, DEFAULT))
    keys, ratios = ("ratio", "ratio_low", "ratio_high"), {}
    for clock, prefix in ((CPU, ""), (SOLVING, "solving_")):
        found = (
            compared(boards_of(runs, clock, "label"), name, DEFAULT) if name != DEFAULT else dict.fromkeys(keys, 1.0)
        )
        ratios |= {f"{prefix}{key}": found[key] for key in keys}
    both = mine.index[mine["solved"] & base["solved"].reindex(mine.index)]
    ours, theirs = (part.loc[both, "conflicts"].astype("float64") for part in (mine, base))
    sizes = mine["clauses"].astype("float64") / base["clauses"].astype("float64").reindex(mine.index)
    return {
        "boards_of": kind, "encoding": name, "family": family_of(name), "boards": len(mine),
        "solved": int(mine["solved"].sum()), "sum_s": float(mine[CPU.column].sum()),
        "median_s": survival_of(mine.reset_index(), CPU.column).median().value,
        **ratios,
        "clauses": float(sizes.median()), "conflicts": float(ours.sum()),
        "conflicts_ratio": float(ours.sum() / theirs.sum()) if theirs.sum() else math.nan,
        "without_conflict": float(ours.eq(0).mean()),
        "solving": float((mine["solve_cpu_s"] / mine[CPU.column]).median()),
    }  # fmt: skip


def explained(frame: pd.DataFrame, solver: str = "minisat22", samples: int = 1000) -> pd.DataFrame:
    """How far size, or conflicts, order the encodings by time: Spearman's rank correlation over them, a row a kind.

    ``of``: the time in all (``total``), or that of ``solving`` alone. Of the boards' mean logarithms, with 95 %
    intervals of the bootstrap over boards.
    """
    runs = latest(frame[frame["solver"].eq(solver) & frame["solved"]])
    runs = runs.assign(kind=runs["parameters"].map(kind_of))
    rows = []
    for kind, here in _whole(runs):
        wide = {
            name: here.assign(v=values).pivot_table(index="instance", columns="label", values="v").to_numpy()
            for name, values in (
                ("total", np.log(here[CPU.column].astype("float64"))),
                ("solving", np.log(here[SOLVING.column].astype("float64"))),
                ("clauses", np.log(here["clauses"].astype("float64"))),
                ("conflicts", np.log1p(here["conflicts"].astype("float64"))),
            )
        }
        count = len(wide["total"])
        every = [np.arange(count), *intervals.resamples(count, samples, 0)]
        means = {name: np.array([values[at].mean(axis=0) for at in every]) for name, values in wide.items()}
        for of, name in itertools.product(("total", "solving"), ("clauses", "conflicts")):
            found = [_spearman(a, b) for a, b in zip(means[of], means[name], strict=True)]
            rows.append((kind, of, name, count, wide[of].shape[1], found[0], *ends(np.array(found[1:]))))
    return pd.DataFrame(rows, columns=["boards_of", "of", "by", "boards", "encodings", "correlation", "low", "high"])


def _spearman(a: np.ndarray, b: np.ndarray) -> float:
    ranks = [pd.Series(values).rank().to_numpy() for values in (a, b)]
    return float(np.corrcoef(*ranks)[0, 1]) if min(part.std() for part in ranks) else math.nan


def size_and_time(table: pd.DataFrame, kinds: Sequence[str] = KINDS) -> TitledFigure:
    """The encodings' times by the sizes of their formulas, both against the default's, a panel a kind of boards.

    On the diagonal an encoding takes as much longer as its formula is larger; above it the search takes the rest.
    """
    shown = [kind for kind in kinds if table["boards_of"].eq(kind).any()]
    counts = ", ".join(f"{int(table.loc[table['boards_of'].eq(kind), 'boards'].max())} {WORDS[kind]}" for kind in shown)
    foot = (
        f"{table['encoding'].nunique()} encodings, each a point: the median over the boards ({counts}) of its CPU time "
        "and of its clauses, as multiples of those of tight+r3+order (at 1, 1), with 95 % intervals of "
        "the paired bootstrap; limit 20 CPU s, which no run met. On the diagonal time grows as the formula does. "
        "effects.csv has each point by its encoding's name."
    )
    styles = {family: look(at) for at, family in enumerate(FAMILIES)}
    foot += marks_note(_points(table, styles))
    figure, panels = drawn("Time by size of the formula", foot, len(shown), len(shown), (1.9, 2.6), list(styles),
                           fixed=True, sharex=True, sharey=True)  # fmt: skip
    known = table[["ratio", "ratio_high"]].to_numpy(dtype=np.float64)
    tops = float(table["clauses"].max()), float(known[np.isfinite(known)].max())
    for axes, kind in zip(panels, shown, strict=True):
        _panel(axes, table[table["boards_of"].eq(kind)], styles, tops)
        headed(axes, WORDS[kind], 20)
        middle = axes is panels[len(panels) // 2]
        labelled(axes, "clauses, times the default's" if middle else "", "CPU time, times" if axes is panels[0] else "")
    name_handles(figure, list(styles), marks(styles))
    return figure


def _points(table: pd.DataFrame, styles: Mapping[str, Look]) -> list[PlotLine]:
    """A line of one point each encoding."""
    return [
        PlotLine(row.family, [row.clauses], [row.ratio], styles[row.family], low=[row.ratio_low], high=[row.ratio_high])
        for row in table.itertuples()
    ]


def _panel(axes: Axes, here: pd.DataFrame, styles: Mapping[str, Look], tops: tuple[float, float]) -> None:
    for which, top in zip("xy", tops, strict=True):
        ticks = [tick for tick in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if tick < 1.4 * top]
        (axes.set_xscale if which == "x" else axes.set_yscale)("log")
        axis = axes.xaxis if which == "x" else axes.yaxis
        axis.set_major_locator(FixedLocator(ticks))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(Numbers())
    axes.set_xlim(0.8, 1.4 * tops[0])
    axes.set_ylim(0.6, 1.4 * tops[1])
    axes.plot([0.5, 1000], [0.5, 1000], color="#999999", linewidth=0.8, zorder=1)
    draw_lines(axes, _points(here, styles))
    panel_grid(axes)


def write(frame: pd.DataFrame, out: Path) -> None:
    """Write ``effects.csv``, ``explained.csv`` and the figure."""
    out.mkdir(parents=True, exist_ok=True)
    table = effects(frame)
    for name, made in (("effects", table), ("explained", explained(frame))):
        made.to_csv(out / f"{name}.csv", index=False, float_format="%.6g")
    for name, figure in printed(table):
        publish(figure, out / name)


def printed(table: pd.DataFrame) -> Iterator[tuple[str, TitledFigure]]:
    """The figure for print, by name; ``table``: of ``effects``."""
    with drawn_for(paper(style.COLUMNS[2], font=None)):
        yield "size-and-time", size_and_time(table)


if __name__ == "__main__":
    name = "drawn-and-random"
    write(load(RESULTS / f"{name}.parquet"), Path(sys.argv[1]) if sys.argv[1:] else RESULTS / name)
