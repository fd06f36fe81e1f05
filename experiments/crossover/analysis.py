"""From which size of domains on is which integer encoding better? The tables and the figure of results/crossover.

    python experiments/crossover/analysis.py [DIR]

makes the files of results/crossover anew, or in DIR, from the records there. A run that a limit ended took longer than
what it had: ratios of times have bounds then, and means are restricted to the limit (Kaplan & Meier). Intervals are the
bootstrap's, over instances: all runs of an instance are drawn together.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from nonosat.studies.analysis.boards import CPU, boards_of, latest
from nonosat.studies.analysis.frames import load
from nonosat.studies.analysis.intervals import ratio_of_sums, resamples
from nonosat.studies.analysis.lines import PlotLine, draw_lines, limit_line, name_lines
from nonosat.studies.analysis.ranking import SAMPLES, ends
from nonosat.studies.analysis.selection import par10_of, selection
from nonosat.studies.analysis.sheets import Sheet, markdown, plain_columns
from nonosat.studies.analysis.style import (
    COLUMNS,
    TitledFigure,
    drawn,
    drawn_for,
    headed,
    labelled,
    look,
    paper,
    publish,
)
from nonosat.studies.analysis.summary import survival_of

RESULTS = Path(__file__).parents[2] / "results" / "crossover"
FAMILIES = ("comparison", "linear", "all_different", "table", "element", "product")
LIMIT_S = 10.0
NEVER = math.inf
"""The crossover where the other encoding is not better at any size."""
CPSAT = "cpsat"
APART = 1.09
"""By how much more values two points of one size stand apart."""
FEW = 6
"""Instances of a cell with fewer have no interval."""
PAIRS = (
    ("log+adder", "order"),
    ("log+adder", "coupled"),
    ("order", "coupled"),
    ("log", "log+adder"),
    ("order<=256,log+adder", "log+adder"),
    ("order<=256,log+adder", "order"),
)
VALUES = (("direct", "order"), ("support", "order"), ("direct", "support"))
"""Of the encodings with a Boolean a value."""
Array = npt.NDArray[np.float64]


def runs_of(path: Path) -> pd.DataFrame:
    """The runs of a study, with ``constraint`` and ``domain`` of generated instances; ``low_s`` to ``high_s``: the CPU
    time of each. Without an encoding, CP-SAT stands for itself.
    """
    runs = latest(load(path))
    stated = [json.loads(text) if isinstance(text, str) else {} for text in runs["parameters"]]
    time, over = runs[CPU.column].astype("float64"), runs["censored"].astype(bool)
    return runs.assign(
        constraint=[entry.get("constraint", "") for entry in stated],
        domain=[int(entry.get("domain", 0)) for entry in stated],
        label=runs["label"].where(runs["label"].ne(""), CPSAT),
        low_s=time.where(runs["solved"] | over, math.inf),
        high_s=time.where(runs["solved"], math.inf),
    )


# Two encodings on the same instances and solvers.


def pairs_of(runs: pd.DataFrame, one: str, other: str) -> pd.DataFrame:
    """A row an instance and solver that both have run on: bounds of the logarithm of the ratio of their times.

    That of two runs over the limit may be anything.
    """
    columns = ["instance", "solver", "domain", "low_s", "high_s"]
    sides = [runs.loc[runs["label"].eq(name), columns] for name in (one, other)]
    both = sides[0].merge(sides[1], on=columns[:3], suffixes=("", "_other"))
    with np.errstate(divide="ignore", invalid="ignore"):
        low = np.log(both["low_s"].to_numpy() / both["high_s_other"].to_numpy())
        high = np.log(both["high_s"].to_numpy() / both["low_s_other"].to_numpy())
    return both[columns[:3]].assign(
        low=np.where(np.isnan(low), -math.inf, low), high=np.where(np.isnan(high), math.inf, high)
    )


def drawn_rows(pairs: pd.DataFrame, seed: int = 0) -> Iterable[npt.NDArray[np.intp]]:
    """Bootstrap samples of the instances, each as the rows of all its solvers."""
    rows = [np.asarray(found) for found in pairs.groupby("instance", sort=True).indices.values()]
    for chosen in resamples(len(rows), SAMPLES, seed):
        yield np.concatenate([rows[at] for at in chosen])


def ratio_of(pairs: pd.DataFrame, seed: int = 0) -> tuple[float, float, float, float]:
    """The median ratio between its bounds, and the interval: from the low end of the lower medians to the high end of
    the upper ones. NaN for the interval of fewer than ``FEW`` instances.
    """
    low, high = pairs["low"].to_numpy(), pairs["high"].to_numpy()
    interval = (math.nan, math.nan)
    if pairs["instance"].nunique() >= FEW:
        samples = [(middle(low[rows], -1), middle(high[rows], 1)) for rows in drawn_rows(pairs, seed)]
        interval = ends(np.sort([one for one, _ in samples]))[0], ends(np.sort([two for _, two in samples]))[1]
    found = (middle(low, -1), middle(high, 1), *interval)
    return tuple(math.inf if value == math.inf else math.exp(value) for value in found)  # type: ignore[return-value]


def middle(values: Array, sign: int) -> float:
    """The median; of the two in the middle the outer one, if the mean of both is not a number."""
    ordered = np.sort(values)
    one, two = float(ordered[(len(ordered) - 1) // 2]), float(ordered[len(ordered) // 2])
    if math.isinf(one) or math.isinf(two):
        return min(one, two) if sign < 0 else max(one, two)
    return (one + two) / 2


# The crossover of a family: the size from which on the one is better than the other.


def threshold(domains: Array, faster: Array, sizes: Array) -> float:
    """The size that classifies with the fewest errors: below it the other is faster, from it on the one (``faster`` 1
    for the one, -1 for the other, 0 where limits hide it, which counts for neither). Of several the largest.

    >>> sizes = np.array([4.0, 32.0, 256.0])
    >>> threshold(np.array([4.0, 32.0, 256.0]), np.array([-1, -1, 1]), sizes)
    256.0
    >>> threshold(np.array([4.0, 32.0, 256.0]), np.array([-1, 1, -1]), sizes)
    inf
    """
    places = [*sizes.tolist(), NEVER]
    errors = [int(((faster > 0) & (domains < at)).sum() + ((faster < 0) & (domains >= at)).sum()) for at in places]
    best = min(errors)
    return [at for at, wrong in zip(places, errors, strict=True) if wrong == best][-1]


def crossovers(runs: pd.DataFrame) -> pd.DataFrame:
    """A row a family and pair of encodings: the crossover with the interval of 95 % of the resampled ones."""
    sizes = np.array(sorted(runs["domain"].unique()), dtype=float)
    rows = []
    for family in FAMILIES:
        for one, other in PAIRS:
            pairs = pairs_of(runs[runs["constraint"].eq(family)], one, other)
            if pairs.empty:
                continue
            faster = np.where(pairs["high"] < 0, 1, np.where(pairs["low"] > 0, -1, 0))
            domains = pairs["domain"].to_numpy(dtype=float)
            found = np.sort([threshold(domains[rows_], faster[rows_], sizes) for rows_ in drawn_rows(pairs)])
            rows.append(
                (family, one, other, pairs["instance"].nunique(), threshold(domains, faster, sizes), *ends(found))
            )
    names = ["family", "encoding", "against", "instances", "crossover", "low", "high"]
    return pd.DataFrame(rows, columns=names)


def ratios(runs: pd.DataFrame, compared: Iterable[tuple[str, str]] = PAIRS) -> pd.DataFrame:
    """A row a family, size and pair of encodings: how many times as long the one takes."""
    rows = []
    for (family, domain), here in runs.groupby(["constraint", "domain"]):
        for one, other in compared:
            pairs = pairs_of(here, one, other)
            if len(pairs):
                rows.append((family, domain, one, other, pairs["instance"].nunique(), len(pairs), *ratio_of(pairs)))
    names = ["family", "domain", "encoding", "against", "instances", "runs", "ratio", "ratio_upper", "low", "high"]
    return pd.DataFrame(rows, columns=names)


def cells(runs: pd.DataFrame) -> pd.DataFrame:
    """A row a family, size and encoding: runs, results, the mean CPU time restricted to the limit, median clauses."""
    rows = []
    for (family, domain, label), here in runs.groupby(["constraint", "domain", "label"]):
        mean = survival_of(here, CPU.column).restricted_mean(LIMIT_S)
        solved, clauses = int(here["solved"].sum()), here["clauses"].astype("Float64").median()
        count = here["instance"].nunique()
        rows.append((family, domain, label, count, len(here), solved, mean.value, mean.low, mean.high, clauses))
    names = ["family", "domain", "encoding", "instances", "runs", "solved", "mean_s", "low_s", "high_s", "clauses"]
    return pd.DataFrame(rows, columns=names)


def figure(table: pd.DataFrame, crossed: pd.DataFrame) -> TitledFigure:
    """Mean time by the size of domains, a panel a family, with the crossover of ``log+adder`` and ``order``."""
    order = ("order", "coupled", "log", "log+adder", "order<=256,log+adder", CPSAT)
    few, most = table["instances"].min(), table["instances"].max()
    sizes = sorted(table["domain"].unique())
    parts = {
        family: [
            line_of(table[table["family"].eq(family) & table["encoding"].eq(name)], name, number - (len(order) - 1) / 2)
            for number, name in enumerate(order)
        ]
        for family in FAMILIES
    }
    every = [line for lines in parts.values() for line in lines]
    foot = (
        f"Mean CPU time of encoding, loading and solving, restricted to {LIMIT_S:g} s (Kaplan & Meier), with 95 % "
        f"intervals; {few} to {most} instances a point, each with MiniSat, Glucose and CaDiCaL, or once with CP-SAT. "
        "Open: some runs were not settled, for their time or memory, or since the formula is too large; on the limit: "
        "none was. Points of one size stand side by side. Shaded: where log+adder becomes faster than order (95 % of "
        "resampled instances); no shade: never, or at the smallest size."
    )
    made, panels = drawn(
        "Integer encodings by size of domains", foot, 6, 3, (2.2, 1.7), order, sharex=True, sharey=True
    )
    for panel, family in zip(panels, FAMILIES, strict=True):
        draw_lines(panel, parts[family])
        ours = crossed["encoding"].eq("log+adder") & crossed["against"].eq("order")
        for row in crossed[crossed["family"].eq(family) & ours].to_dict("records"):
            if row["crossover"] != NEVER and row["crossover"] > sizes[0]:
                before = max((size for size in sizes if size < row["low"]), default=sizes[0])
                after = sizes[-1] if row["high"] == NEVER else row["high"]
                panel.axvspan(before, after, color="0.9", zorder=0)
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.set_xticks(sizes, [f"{size:,}" for size in sizes])
        panel.set_xticks([], minor=True)
        headed(panel, family.replace("_", " "))
        place = panel.get_subplotspec()
        assert place is not None
        labelled(
            panel, "values of a variable" if place.is_last_row() else "", "CPU time, s" if place.is_first_col() else ""
        )
    for panel in panels:
        limit_line(panel, LIMIT_S)
    name_lines(made, every, hollow="some not settled")
    return made


def line_of(cells_: pd.DataFrame, name: str, at: float) -> PlotLine:
    """The means of an encoding by size; ``at``: how many places to the right its points stand."""
    here = cells_.sort_values("domain")
    x = [float(size) * APART**at for size in here["domain"]]
    none = here["solved"].eq(0).tolist()
    y, low, high = (
        [math.nan if gone else float(value) for gone, value in zip(none, here[of], strict=True)]
        for of in ("mean_s", "low_s", "high_s")
    )
    hollow = here["solved"].lt(here["runs"]).tolist()
    beyond = [place for place, gone in zip(x, none, strict=True) if gone]
    return PlotLine(name, x, y, look(round(at + 2.5)), hollow, low=low, high=high, beyond=beyond, limit=LIMIT_S)


def closed_by_cell(runs: pd.DataFrame) -> float:
    """The share of the gap that the best encoding of each family and size closes, over instances that all ran on."""
    both = boards_of(runs, CPU).common()
    cost = par10_of(both, LIMIT_S)
    named = runs.drop_duplicates("instance").set_index("instance").loc[list(both.boards)]
    cell = pd.factorize(named["constraint"] + named["domain"].astype(str))[0]
    chosen = np.concatenate([cost[cell == at][:, cost[cell == at].mean(axis=0).argmin()] for at in np.unique(cell)])
    single, virtual = cost.mean(axis=0).min(), cost.min(axis=1).mean()
    return float((single - chosen.mean()) / (single - virtual))


# What was claimed before (claims.md), by the rules written there.


def verdicts(crossed: pd.DataFrame, by_cell: pd.DataFrame, table: pd.DataFrame, closed: float) -> pd.DataFrame:
    """A row a claim: whether it is refuted, and the cells that refute it, or the numbers that decide."""
    ours = crossed[crossed["encoding"].eq("log+adder") & crossed["against"].eq("order")].set_index("family")

    def crossing(family: str) -> tuple[bool, str]:
        """Whether the interval has 256 or 2,000, and the interval."""
        low, high = float(ours.loc[family, "low"]), float(ours.loc[family, "high"])
        return any(low <= size <= high for size in (256, 2000)), f"{_size(low)} to {_size(high)}"

    def low_end(family: str, domain: int, one: str, other: str) -> float:
        """That of the interval of one : other, which stands in the table either way round."""
        here = by_cell[by_cell["family"].eq(family) & by_cell["domain"].eq(domain)]
        for first, second in ((one, other), (other, one)):
            row = here[here["encoding"].eq(first) & here["against"].eq(second)]
            if len(row):
                return float(row["low"].iloc[0] if first == one else 1 / row["high"].iloc[0])
        return math.nan

    def refuted(families: Iterable[str], domains: Iterable[int], one: str, other: str, above: float = 1.0) -> list[str]:
        """The cells in which the interval of one : other lies above a number."""
        return [
            f"{family.replace('_', ' ')} {_size(domain)}"
            for family in families
            for domain in domains
            if low_end(family, domain, one, other) > above
        ]

    sizes = sorted(int(size) for size in table["domain"].unique())
    large = [size for size in sizes if size >= 256]
    at = table[table["family"].eq("product") & table["domain"].eq(2000)].set_index("encoding")[["solved", "runs"]]
    settled = (2 * at["solved"] < at["runs"]).drop(CPSAT).all() and at.loc[CPSAT, "solved"] == at.loc[CPSAT, "runs"]
    best = at.drop(CPSAT)["solved"].idxmax()
    each = [f"{name} {at.loc[name, 'solved']} of {at.loc[name, 'runs']}" for name in (best, CPSAT)]
    both = set(refuted(FAMILIES, sizes, "order<=256,log+adder", "log+adder", 1.5))
    both &= set(refuted(FAMILIES, sizes, "order<=256,log+adder", "order", 1.5))
    slower = refuted(["comparison"], [size for size in sizes if size <= 2000], "order", "log+adder")
    coupled = refuted(["table", "element"], large, "coupled", "log+adder")
    listed = refuted(FAMILIES, large, "log+adder", "log")
    rows = [
        (1, *crossing("linear")),
        (2, not slower, _cells(slower)),
        (3, *crossing("all_different")),
        (4, not coupled, _cells(coupled)),
        (5, bool(settled), ", ".join(each)),
        (6, not listed, _cells(listed)),
        (7, not both, _cells(sorted(both))),
        (8, closed > 0.5, f"{closed:.3f}"),
    ]
    return pd.DataFrame(
        [(number, "not refuted" if good else "refuted", why) for number, good, why in rows],
        columns=["claim", "verdict", "by"],
    )


def _cells(refuting: list[str]) -> str:
    return ", ".join(refuting) or "no cell"


def _size(size: float) -> str:
    return "never" if size == NEVER else f"{size:,.0f}"


# Instances of XCSP3.


def by_instance(runs: pd.DataFrame) -> pd.DataFrame:
    """A row an instance and encoding, whose runs are those of the solvers: how many have a result, the mean CPU time
    restricted to the limit, the clauses.
    """
    rows = []
    for (source, label), here in runs.groupby(["source", "label"]):
        most, done = int(here["domain_most"].max()), int(here["solved"].sum())
        mean = here["high_s"].clip(upper=LIMIT_S).mean()
        clauses = here["clauses"].astype("Float64").median()
        rows.append((source.removesuffix(".xml"), most, label, len(here), done, mean, clauses))
    names = ["instance", "domain_most", "encoding", "runs", "solved", "mean_s", "clauses"]
    return pd.DataFrame(rows, columns=names)


def over_instances(runs: pd.DataFrame) -> pd.DataFrame:
    """A row a pair of encodings: how many times as long the one takes, over all instances and solvers."""
    rows = []
    for one, other in (*PAIRS, *VALUES, ("log", "order")):
        pairs = pairs_of(runs, one, other)
        rows.append((one, other, pairs["instance"].nunique(), len(pairs), *ratio_of(pairs)))
    names = ["encoding", "against", "instances", "runs", "ratio", "ratio_upper", "low", "high"]
    return pd.DataFrame(rows, columns=names)


# Other encoders (encoders.py).


TOOLS = {
    "ours": ("order", "log+adder"),
    "CPMpy": ("cpmpy pysat", "cpmpy pindakaas", "cpmpy pindakaas order", "cpmpy pindakaas binary"),
    "pysat.integer": ("pysat.integer clauses", "pysat.integer propagated"),
}
"""The ways of each tool."""


def encoder_runs(path: Path) -> pd.DataFrame:
    """A row a run of encoders.py; ``cost_s``: its CPU time, and the limit where it has no result."""
    runs = pd.read_csv(path)
    solved = runs["outcome"].isin(("SAT", "UNSAT"))
    assert runs[solved].groupby(["family", "domain", "seed"])["outcome"].nunique().max() == 1, "answers differ"
    return runs.assign(solved=solved, cost_s=runs["cpu_s"].where(solved, LIMIT_S).clip(upper=LIMIT_S))


def by_encoder(runs: pd.DataFrame) -> pd.DataFrame:
    """A row a family, size and encoder: instances, results, the mean CPU time restricted to the limit."""
    groups = runs.groupby(["family", "domain", "encoder"])
    found = groups.agg(instances=("seed", "nunique"), solved=("solved", "sum"), mean_s=("cost_s", "mean"))
    return found.reset_index()


def beside_others(runs: pd.DataFrame) -> pd.DataFrame:
    """A row a way of another tool, and its best way instance by instance: ours : its, of the sums of restricted times.

    Ours is the better of its two ways, instance by instance. The interval resamples instances.
    """
    cost = runs.pivot(index=["family", "domain", "seed"], columns="encoder", values="cost_s")
    ours = cost[list(TOOLS["ours"])].min(axis=1)
    rows = []
    for tool, ways in TOOLS.items():
        if tool == "ours":
            continue
        for name, theirs in ((tool, cost[list(ways)].min(axis=1)), *((way, cost[way]) for way in ways)):
            both = theirs.notna()
            found = ratio_of_sums(ours[both], theirs[both], 0, SAMPLES)
            rows.append((name, int(both.sum()), found.value, found.low, found.high))
    return pd.DataFrame(rows, columns=["against", "instances", "ratio", "low", "high"])


def main(folder: Path) -> None:
    """Write the tables and the figure."""
    runs = runs_of(RESULTS / "crossover.parquet")
    one = runs[runs["solver"].isin(("cadical195", CPSAT))]
    crossed, table, by_cell = crossovers(runs), cells(runs), ratios(runs)
    tables = {
        "cells": (table, "Runs of each family, size of domains and encoding."),
        "ratios": (by_cell, "How many times as long the first encoding takes, by family and size of domains."),
        "crossovers": (crossed, "The size of domains from which on the first encoding is faster; inf: never."),
        "verdicts": (
            verdicts(crossed, by_cell, table, closed_by_cell(one)),
            "The claims of claims.md, by their rules.",
        ),
    }
    for name in ("crossover-values", "crossover-xcsp3"):
        path = RESULTS / f"{name}.parquet"
        if path.exists():
            more = runs_of(path)
            if name == "crossover-values":
                tables["values"] = (cells(more), "Direct and support beside the others, CaDiCaL.")
                words = "How many times as long the first encoding takes, CaDiCaL."
                tables["values-ratios"] = (ratios(more, VALUES), words)
            else:
                words = f"Instances of XCSP3: runs of all solvers, mean CPU time restricted to {LIMIT_S:g} s."
                tables["xcsp3"] = (by_instance(more), words)
                words = "How many times as long the first encoding takes on instances of XCSP3."
                tables["xcsp3-ratios"] = (over_instances(more), words)
    others = encoder_runs(RESULTS / "encoders.csv")
    tables["encoders-by-cell"] = (by_encoder(others), f"Encoders: mean CPU time restricted to {LIMIT_S:g} s.")
    tables["encoders-ratios"] = (beside_others(others), "Our better way : a way of another tool, of sums of CPU time.")
    for name, (frame, words) in tables.items():
        frame.to_csv(folder / f"{name}.csv", index=False, lineterminator="\n", float_format="%.6g")
        (folder / f"{name}.md").write_text(markdown(Sheet(name, words, frame, plain_columns(frame))), encoding="utf-8")
    gained = selection(one, CPU)
    if gained is not None:
        print(f"{gained.single} is the single best of {gained.boards}; by cell {closed_by_cell(one):.3f} of the gap")
        gained.table.to_csv(folder / "selection.csv", index=False, lineterminator="\n", float_format="%.6g")
    for name, made in printed(table, crossed):
        publish(made, folder / name)


def printed(table: pd.DataFrame, crossed: pd.DataFrame) -> Iterator[tuple[str, TitledFigure]]:
    """The figure for print, by name: two columns wide."""
    with drawn_for(paper(COLUMNS[2], font=None)):
        yield "crossover", figure(table, crossed)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else RESULTS
    target.mkdir(parents=True, exist_ok=True)
    main(target)
