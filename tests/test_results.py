"""What is committed in results/ is what the records there say, by the command that makes it again; and so is prose."""

from __future__ import annotations

import ast
import csv
import io
import json
import math
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
import pytest
from certainty import analysis as certainty_analysis
from counting_encodings import analysis as counting_analysis
from sampling import spread
from transition import analysis as transition_analysis
from transition import scaling as scaling_analysis
from walejko2022 import analysis as walejko_analysis

from nonosat.studies.analysis import intervals
from nonosat.studies.analysis.boards import CPU
from nonosat.studies.analysis.boards import boards_of as boards_of_runs
from nonosat.studies.analysis.frames import load
from nonosat.studies.analysis.ranking import compared

ROOT = Path(__file__).parents[1]
TRANSITION, COUNTING = ROOT / "results/transition", ROOT / "results/counting"
THESIS_DEMON = walejko_analysis.TABLES[3].thesis["Demon"]
DRAWN_BY = "3.11.2"
"""The version whose figures are committed: another one may draw other bytes."""


@pytest.mark.slow
def test_every_figure_and_table_is_made_again(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "benchmarks/figures.py"), str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert len(made) == 87
    for path in made:
        if path.suffix != ".png" or matplotlib.__version__ == DRAWN_BY:
            assert (tmp_path / path).read_bytes() == (ROOT / "results" / path).read_bytes(), path
    drawn = {path.relative_to(ROOT / "results") for path in (ROOT / "results").rglob("*.png")}
    assert drawn <= set(made)


def records_told() -> list[tuple[Path, str, str]]:
    """Of every README in experiments/ its table of records: the file, the number of runs, CPU hours."""
    line = re.compile(r"^\| \[[\w-]+\]\(([\w./-]+\.parquet)\) \| ([\d,]+) \| ([\d.]+) \|$", re.MULTILINE)
    pages = sorted((ROOT / "experiments").glob("*/README.md"))
    return [
        ((page.parent / path).resolve(), runs, hours)
        for page in pages
        for path, runs, hours in line.findall(page.read_text(encoding="utf-8"))
    ]


@pytest.mark.slow
def test_every_study_gives_the_number_of_its_runs() -> None:
    told = records_told()
    assert {path for path, _, _ in told} == set((ROOT / "results").rglob("*.parquet"))
    for path, runs, hours in told:
        frame = load(path)
        assert (runs, hours) == (f"{len(frame):,}", f"{frame['cpu_s'].sum() / 3600:.2f}"), path


def test_an_analysis_imports_what_is_public() -> None:
    scripts = sorted((ROOT / "experiments").glob("*/analysis.py"))
    assert len(scripts) == 8
    for script in scripts:
        for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] == "nonosat":
                assert node.module == "nonosat" or str(node.module).startswith("nonosat.studies.analysis"), script
                assert not any(alias.name.startswith("_") for alias in node.names), script


# Numbers in prose. A sentence is written here once more, with what it says computed from the records, or from a table
# that the test above makes of them again; it has to stand on its page so. To say something new of records: add it.


@cache
def runs_of(name: str) -> pd.DataFrame:
    return load(ROOT / "results" / f"{name}.parquet")


@cache
def table_of(name: str) -> pd.DataFrame:
    return pd.read_csv(ROOT / "results" / name, keep_default_na=False, na_values=[""])


def prose_of(page: str) -> str:
    """The text of a page, of a notebook its cells of text, with every white space one blank."""
    text = (ROOT / page).read_text(encoding="utf-8")
    if page.endswith(".ipynb"):
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
        text = "\n".join("".join(cell["source"]) for cell in cells)
    return re.sub(r"\s+", " ", text)


def ratio(
    measured: str, of: str = "decisions", estimator: str = "means", digits: int = 2, solver: str = "minisat22"
) -> str:
    """A number of Castilho & Welter's verdicts with its interval: "0.69 (0.57 to 0.83)"."""
    table = table_of("castilho2018-again/verdicts.csv")
    row = table[table["measured"].eq(measured) & table["of"].eq(of) & table["estimator"].eq(estimator)]
    row = row[row["solver"].eq(solver)].iloc[0]
    return "{:.{d}f} ({:.{d}f} to {:.{d}f})".format(row["value"], row["low"], row["high"], d=digits)


def typical(measured: str, of: str = "decisions") -> str:
    return ratio(measured, of, "typical")


def in_cell(measured: str, size: str, density: float, digits: int = 2) -> str:
    """The same of one cell, as a ratio of means of decisions."""
    table = table_of("castilho2018-again/verdicts-by-cell.csv")
    row = table[table["measured"].eq(measured) & table["size"].eq(size) & table["density"].eq(density)]
    row = row[row["of"].eq("decisions") & row["estimator"].eq("means")].iloc[0]
    return "{:.{d}f} ({:.{d}f} to {:.{d}f})".format(row["value"], row["low"], row["high"], d=digits)


def boards_of(measured: str, cells: bool = True, solver: str = "minisat22", of: str = "decisions") -> str:
    table = table_of("castilho2018-again/verdicts.csv")
    row = table[table["measured"].eq(measured) & table["solver"].eq(solver) & table["of"].eq(of)].iloc[0]
    return f"{row['cells']} cells, {row['boards']} boards" if cells else f"{row['boards']}"


def growth(of: str, ends: bool = False) -> str:
    """The least and the most growth of right encodings, or of its intervals: "77 to 136"."""
    table = table_of("castilho2018-again/verdicts.csv")
    here = table[table["measured"].str.fullmatch(r"2(alt)?/(3|5|3[+]4|5[+]6) at 40 % by 10 %")]
    here = here[here["of"].eq(of) & here["estimator"].eq("means")]
    assert set(here["cells"]) == {8}  # four sizes, two densities
    assert set(here["boards"]) == {192}
    low, high = ("low", "high") if ends else ("value", "value")
    return f"{here[low].min():,.0f} to {here[high].max():,.0f}"


def castilho() -> list[str]:
    again, readings = runs_of("castilho2018-again"), runs_of("castilho2018-readings")
    both = pd.concat([again, readings], ignore_index=True)
    both = both[both["rules"].isin(["4", "6"]) & both["outcome"].isin(["SAT", "UNSAT", "WRONG"])]
    ends = dict(iter(both.groupby("reading")))
    assert ends["ends"]["wrong"].all()
    assert not (ends["mirrored"]["wrong"] | ends["mirrored"]["false_unsat"]).any()
    wrong, false = int(ends["printed"]["wrong"].sum()), int(ends["printed"]["false_unsat"].sum())
    assert wrong + false == len(ends["printed"])
    every = pd.concat([again, readings], ignore_index=True)
    every = every[every["size"].eq("20x20") & every["solver"].eq("minisat22") & every["domain_rule"].eq("2alt")]
    named = every["rules"] + " " + every["reading"]
    wide = every.assign(name=named).pivot_table(index="instance", columns="name", values="decisions")
    shown = wide[["6 ends", "6 mirrored", "3 "]].dropna()
    assert every[every["instance"].isin(shown.index)].groupby("density")["instance"].nunique().tolist() == [8] * 5
    share = every.drop_duplicates("instance").set_index("instance")["density"].reindex(shown.index).to_numpy()
    at = {density: intervals.resamples(8, 10_000, seed) for seed, density in enumerate(sorted(set(share)))}

    def cells_of(values: np.ndarray) -> list[tuple[float, np.ndarray]]:
        return [(density, values[share == density]) for density in at]

    def read(name: str) -> str:
        """With the interval of the bootstrap of boards, cell by cell."""
        over, under = shown[name].to_numpy(), shown["3 "].to_numpy()
        above, below = (sum(part[at[cell]].sum(axis=1) for cell, part in cells_of(of)) for of in (over, under))
        low, high = np.quantile(above / below, [0.025, 0.975])
        return f"{over.sum() / under.sum():.2f} ({low:.2f} to {high:.2f})"

    (limit,) = set(again["cpu_limit_s"])
    over, load, begun = again[again["censored"]], again["load_average"], pd.to_datetime(again["started"])

    def hours(*of: str) -> pd.Series:
        """Within how many hours the runs of each were begun."""
        times = begun.groupby([again[name] for name in of], observed=True)
        return (times.max() - times.min()).dt.total_seconds() / 3600

    cell = ["solver", "size", "density"]
    others, apart = hours(*cell).drop("minisat22"), hours(*cell)["minisat22"].gt(1)
    speed = (again["load_cpu_s"] / again["clauses"]).groupby([again["encoding"], *(again[name] for name in cell)])
    pace = speed.median()["2alt/4"]["minisat22"] / speed.median()["2alt/3"]["minisat22"]
    assert (int(apart.sum()), set(again.loc[again["solver"].eq("minisat22"), "slots"])) == (4, {2})
    assert set(zip(over["solver"], over["size"], over["density"], strict=True)) == {
        *(("minisat22", size, density) for size, density in [("30x30", 0.4), ("40x40", 0.4), ("50x50", 0.4)]),
        ("minisat22", "50x50", 0.5),
        ("glucose4", "30x30", 0.4),
        ("lingeling", "30x30", 0.3),
        ("lingeling", "30x30", 0.4),
    }
    assert not (over["rules"].eq("6")).any()
    six, four, plus = "2alt/6 by 2alt/3", "2alt/6 by 2alt/4", "2alt/5+6 by 2alt/3"
    five, closed, alt = "2alt/5 by 2alt/3", "2alt/5+6 by 2alt/3+4", "2alt/3+4 by 2/3+4"
    dense = [f"(2alt/6 by 2alt/3) at {share} %, by that at 10 to 30 %" for share in (40, 50)]
    spread = "most by least of 12 encodings"
    cells = table_of("castilho2018-again/cells.csv")
    means = cells[cells["state"].eq("complete")].set_index(["solver", "size", "density", "encoding"])["mean_decisions"]

    def right(solver: str) -> tuple[str, str]:
        """The most by the least of the right encodings, and the median of that where chance exchanges them by board."""
        whole = means[solver].unstack().dropna().index
        names = sorted(set(again["report_name"]) - {"2/4", "2alt/4", "2/6", "2alt/6"})
        mine = again[again["solver"].eq(solver) & again["report_name"].isin(names)]
        wide = mine.pivot_table(index=["size", "density", "instance"], columns="report_name", values="decisions")
        parts = [here.to_numpy(dtype=float) for at, here in wide.groupby(["size", "density"]) if at in whole]
        assert len(parts) == len(whole)

        def extreme(boards: list[np.ndarray]) -> float:
            sums = sum(part.mean(axis=0) for part in boards)
            return float(sums.max() / sums.min())

        lots = np.random.default_rng(2018)
        chance = np.median([extreme([lots.permuted(part, axis=1) for part in parts]) for _ in range(499)])
        return f"{extreme(parts):.2f}", f"{chance:.2f}"

    correct = cells[cells["solver"].eq("minisat22") & ~cells["encoding"].str.contains("/[46]$")]
    times = correct.pivot(index=["encoding", "size"], columns="density", values="mean_total_s")
    later = times[0.5] / times[0.4]
    assert len(later) == 32
    assert times.loc[:, :0.4].diff(axis=1).iloc[:, 1:].gt(0).all(axis=None)
    told, chance = zip(*map(right, ("glucose4", "lingeling", "minisat22")), strict=True)
    three = cells[cells["solver"].eq("minisat22") & cells["encoding"].eq("2alt/3")]
    assert (three["state"].eq("complete").all(), len(three)) == (True, 20)
    hardest, runs = three[three["over"].gt(0)], three.groupby("size")["runs"].sum()
    assert [*zip(hardest["size"], hardest["density"], strict=True)] == [("40x40", 0.4), ("50x50", 0.4), ("50x50", 0.5)]
    table = table_of("castilho2018-again/verdicts.csv")
    peaks = table[table["measured"].str.contains("density of the most")].set_index(["measured", "of", "estimator"])
    peak = peaks["verdict"].filter(like="2alt/3").drop(("2alt/3: density of the most, 20x20", "solving", "typical"))
    assert (set(peak), len(peak), set(peaks["verdict"].drop(peak.index))) == ({"holds"}, 15, {"cannot be told"})
    few = table[table["claim"].eq("6 and 5+6 need very few decisions") & table["measured"].eq(six)]
    assert few.set_index("estimator")["verdict"].to_dict() == {"means": "cannot be told", "typical": "does not hold"}
    faster = table[table["measured"].isin([f"2alt/{rules} by 2/{rules}" for rules in ("3", "5", "3+4", "5+6")])]
    faster = faster[faster["of"].isin(["total", "solving"]) & faster["estimator"].eq("means")]
    assert (set(faster["verdict"]), len(faster)) == ({"cannot be told"}, 8)
    outs = table[table["of"].eq("over")].set_index("measured")["verdict"]
    larger, less = [f"2alt/3: share over the limit, {size} less 20x20" for size in ("50x50", "40x40")]
    assert outs.to_dict() == {less: "cannot be told", larger: "holds"}

    return [
        '"Very few", a quarter, cannot be told by the ratio of means, and does not hold on the typical board. The '
        "cells in which runs of rule 3 met the limit have no mean of decisions: 40x40 at 40 %, 50x50 at 40 and 50 "
        "%. No run of rule 6 met it.",
        f"Of the eight right encodings alone it is {told[0]}, {told[1]} and {told[2]}. Chance alone makes it "
        f"{chance[0]}, {chance[1]} and {chance[2]} (median of 499 times",
        f"**All {len(ends['ends']):,} runs of rules 4 and 6 alone ended with a wrong picture**",
        f"all {len(ends['printed'])} runs that ended gave a wrong picture ({wrong}) or a false UNSAT ({false}). "
        f"Mirrored, none of {len(ends['mirrored'])} was wrong.",
        f"With 2-alt it needs {ratio(six)} of rule 3's decisions by the ratio of means, and {typical(six)} times as "
        f"many on the typical board ({boards_of(six)}).",
        f"At 20x20 and 40 % the ratio of means is {in_cell(six, '20x20', 0.4)}, at 30x30 and 30 % it is "
        f"{in_cell(six, '30x30', 0.3)}, and at 40 % {in_cell(six, '30x30', 0.4, 3)}, of 32 boards each.",
        f"falls to {ratio(dense[0])} of what it was ({boards_of(dense[0], False)} boards of 20x20 and 30x30), but at "
        f"50 % it is {ratio(dense[1], digits=1)} times that (2-alt; ratios of means; {boards_of(dense[1], False)} "
        "boards, of 40x40, too)",
        f"With 2-alt it takes {ratio(six, 'solving')} of rule 3's time for solving, and {ratio(six, 'total')} in "
        f"total, by the ratio of means; on the typical board {typical(six, 'solving')} and {typical(six, 'total')} "
        f"({boards_of(six, of='total')}; a run over the limit counts as {limit:g} s).",
        f"{ratio(plus)} of rule 3's by the ratio of means, {typical(plus)} on the typical board ({boards_of(plus)}; "
        "without the hardest cells, in which runs met the limit). "
        f"Nor does 6 need far fewer than 4: {ratio(four)} and {typical(four)} ({boards_of(four)}).",
        f"5 by 3 with 2-alt is {ratio(five)} by the ratio of means, 5+6 by 3+4 is {ratio(closed)}; on the typical "
        f"board {typical(five)} and {typical(closed)}.",
        f"where the report saw no difference: {typical(alt, 'total')} in total and {typical(alt, 'solving')} for "
        "solving. By the ratio of means it cannot be told with 3, 5, 3+4 or 5+6: with 3 it is "
        f"{ratio('2alt/3 by 2/3', 'total')} and {ratio('2alt/3 by 2/3', 'solving')} "
        f"({boards_of('2alt/3 by 2/3', of='total')}).",
        f"{growth('total')} times in total and {growth('solving')} times for solving (ratios of means, whose intervals "
        f"go from {growth('total', ends=True)} and from {growth('solving', ends=True)}; 192 boards of all four sizes; "
        f"a run over the limit counts as {limit:g} s). At 50 % they are faster again: each takes {later.min():.2f} to "
        f"{later.max():.2f} of its time in total at 40 %, at each size.",
        f"the most by the least is {ratio(spread, solver='glucose4')} under Glucose and "
        f"{ratio(spread, solver='lingeling')} under Lingeling, by the ratio of means "
        f"({boards_of(spread, solver='glucose4')}; {boards_of(spread, solver='lingeling')}), and {ratio(spread)} under "
        f"MiniSat ({boards_of(spread)})",
        f"(load {load.min():.1f} to {load.max():.1f})",
        f"older runs of MiniSat were made again: all are from within {math.ceil(hours('solver')['minisat22'])} hours, "
        f"and those of each cell of the other solvers from within {math.ceil(others.max())}.",
        f"there loading a clause took 2alt/4 {pace[apart].min():.2f} to {pace[apart].max():.2f} of the time that it "
        f"took 2alt/3, and {pace[~apart].min():.2f} to {pace[~apart].max():.2f} in the other cells.",
        f"the limit is {limit:g} s, and {int(again['censored'].sum())} of {len(again):,} runs met it",
        f"with rule 3 and 2-alt {ratio(larger, 'over')} of the {runs['50x50']} runs at 50x50 met the limit, and none "
        f"of the {runs['20x20']} at 20x20; 40x40, with {ratio(less, 'over')} of {runs['40x40']}, cannot be told from "
        "20x20.",
        f"2alt/6 by 2alt/3 is {read('6 ends')} by the ratio of means as the prose has it, and {read('6 mirrored')} "
        f"mirrored ({len(shown)} boards, of 5 densities)",
    ]


def castilho_notebook() -> list[str]:
    six, both, plus = "2alt/6 by 2alt/3", "2alt/5+6 by 2alt/3", "2alt/3+4 by 2/3+4"
    dense, spread = "(2alt/6 by 2alt/3) at 50 %, by that at 10 to 30 %", "most by least of 12 encodings"

    def with_boards(measured: str, **more: str | int) -> str:
        text = ratio(measured, **more)  # type: ignore[arg-type]
        count = boards_of(measured, False, str(more.get("solver", "minisat22")), str(more.get("of", "decisions")))
        return f"{text[:-1]}; {count} boards)"

    alone = runs_of("castilho2018-again")
    alone = alone[alone["rules"].isin(["4", "6"])]
    assert alone["wrong"].all()
    return [
        f"rules 4 and 6 alone ended with a wrong picture in every one of {len(alone):,} runs",
        f"with 2-alt, {with_boards(six).replace('(', '(95 %: ')} of rule 3's decisions; on the typical board "
        f"{typical(six)} times as many. At 20x20 and 40 % the ratio of means is "
        f"{in_cell(six, '20x20', 0.4)[:-1]}; 32 boards).",
        f"its ratio to rule 3 is {with_boards(dense, digits=1)} times that on sparser boards",
        f"{ratio(six, 'solving')} of rule 3's CPU time for solving and {ratio(six, 'total')} in total, by the ratio of "
        f"means; on the typical board {typical(six, 'solving')} and {typical(six, 'total')}.",
        f"{with_boards(both)} of rule 3's by the ratio of means, {typical(both)} on the typical board",
        f"{with_boards(plus, of='total', estimator='typical')} in total, {typical(plus, 'solving')} for solving",
        f"the most by the least is {with_boards(spread, solver='glucose4')} under Glucose, "
        f"{with_boards(spread, solver='lingeling')} under Lingeling",
        f"{growth('total')} times as long in total at 40 % as at 10 % (all four sizes, ratio of means), and "
        f"{growth('solving')} times as long to solve",
    ]


def drawn_and_random() -> list[str]:
    order = table_of("drawn-and-random/explained.csv")
    order = order[order["by"].eq("clauses")].set_index(["boards_of", "of"])
    effects = table_of("drawn-and-random/effects.csv").set_index(["boards_of", "encoding"])

    def rho(boards: str, of: str, count: bool = False, head: str = "") -> str:
        row = order.loc[(boards, of)]
        text = f"{row['correlation']:.2f} ({head}{row['low']:.2f} to {row['high']:.2f}"
        return f"{text}; {row['boards']} boards)" if count else f"{text})"

    automaton, direct = effects.loc[("drawn", "automaton+order")], effects.loc[("random", "tight+r3+support")]
    default, runs = effects.loc[("drawn", "tight+r3+order")], runs_of("drawn-and-random")
    of_default = runs.loc[runs["label"].eq("tight+r3+order") & runs["parameters"].str.contains("drawn"), "solve_cpu_s"]
    assert effects["ratio_high"].ge(1).all()

    def times(row: pd.Series, name: str, digits: int) -> str:
        return "{:.{d}f} ({:.{d}f} to {:.{d}f})".format(row[name], row[f"{name}_low"], row[f"{name}_high"], d=digits)

    return [
        f"rank correlation {rho('drawn', 'total', True, '95 %: ')} with the CPU time in total, nearly all of which is "
        f"encoding and loading. For solving alone, {100 * default['solving']:.0f} % of it, it is "
        f"{rho('drawn', 'solving')}: automata with the order encoding "
        f"take {times(automaton, 'ratio', 2)} times the default's time in total and "
        f"{times(automaton, 'solving_ratio', 2)} times for solving (medians of the boards' ratios). That is "
        f"{1000 * of_default.median():.1f} ms,",
        f"between: {rho('shuffled', 'total', True)} in total, {rho('shuffled', 'solving')} for solving",
        f"{rho('random', 'total', True)} in total, {rho('random', 'solving')} for solving. `tight+r3+support` has "
        f"{direct['conflicts_ratio']:.0f} times the conflicts of the default in sum; it takes "
        f"{times(direct, 'ratio', 1)} times as long in total and {times(direct, 'solving_ratio', 1)} times for "
        "solving.",
    ]


def drawn_notebook() -> list[str]:
    order = table_of("drawn-and-random/explained.csv")
    rho = order[order["by"].eq("clauses")].set_index(["boards_of", "of"])
    value = {at: f"{row['correlation']:.2f}" for at, row in rho.iterrows()}
    ends = {at: f"{row['low']:.2f} to {row['high']:.2f}" for at, row in rho.iterrows()}
    drawn, random = ("drawn", "total"), ("random", "total")
    return [
        f"it is {value[drawn]} on pictures (95 %: {ends[drawn]}), and {value[random]} on random boards "
        f"({ends[random]})",
        f"For solving alone it is {value['drawn', 'solving']} ({ends['drawn', 'solving']}) and "
        f"{value['random', 'solving']} ({ends['random', 'solving']})",
        f"Of the shuffled pictures it is {value['shuffled', 'total']} ({ends['shuffled', 'total']}) in total and "
        f"{value['shuffled', 'solving']} ({ends['shuffled', 'solving']}) for solving",
    ]


def encodings_alone() -> list[str]:
    parts = [table_of(f"encodings-alone/{name}.csv") for name in ("encodings-alone", "encodings-tournament")]
    table = pd.concat(parts, ignore_index=True)
    for what in ("median", "sum"):
        interval = table[f"{what}_interval"].str.split("..", regex=False, expand=True).astype("float64")
        table[[f"{what}_low", f"{what}_high"]] = interval.to_numpy()
    base = table["encoding"].eq("tight+r3+order")
    clauses = table["boards"].map(table[base].groupby("boards")["clauses"].first())
    table = table.assign(larger=table["clauses"] / clauses)[~base]
    below = table[table["median_high"].lt(1)]
    numbering = table[table["encoding"].isin([f"tight+r3+{name}" for name in ("cells-last", "mine", "shuffled")])]
    lower, upper = numbering["median_high"].lt(1), numbering["median_low"].gt(1)
    at = table.set_index(["boards", "encoding", "solver"])

    def of(boards: str, encoding: str, solver: str) -> str:
        row = at.loc[(boards, encoding, solver)]
        return f"{row['median_ratio']:.2f} ({row['median_interval'].replace('..', ' to ')})"

    forty, fifty, taai, last = "random 25x25, 40 %", "random 25x25, 50 %", "taai2011.txt", "tight+r3+cells-last"
    direct = table[table["encoding"].eq("tight+r3+support") & ~table["boards"].isin(["drawn", "real"])]["median_ratio"]
    totals = table[table["encoding"].eq("tight+r3+totals+order")]
    assert below.index.equals(table.index[table["sum_high"].lt(1)])
    turned = at.xs(last, level="encoding").xs("glucose4", level="solver")
    assert set(turned.index[turned["median_high"].lt(1)]) == {forty, fifty, taai}
    assert list(turned.index[turned["median_low"].gt(1)]) == ["real"]
    options = table_of("encodings-alone/cadical-options.csv").set_index(["boards", "solver"]).loc[forty]
    unsat, plain = options.loc["cadical195-set+unsat"], options.loc["cadical195-set+plain"]

    def ends(row: pd.Series, what: str) -> str:
        return str(row[f"{what}_interval"]).replace("..", " to ")

    names = ("encodings-alone", "encodings-tournament", "cadical-options")
    load = pd.concat([runs_of(name)["load_average"] for name in names])
    return [
        f"Of {len(table)} (five sets, three solvers, nine encodings) six have intervals below 1",
        f"(random 40 %: {of(forty, last, 'glucose4')}; random 50 %: {of(fifty, last, 'glucose4')}; TAAI 2011: "
        f"{of(taai, last, 'glucose4')}) and with CaDiCaL (random 50 %: {of(fifty, last, 'cadical195')}), `accumulated` "
        f"with CaDiCaL (TAAI 2011: {of(taai, 'tight+accumulated+order', 'cadical195')}), and shuffled Booleans with "
        f"CaDiCaL (drawn: {of('drawn', 'tight+r3+shuffled', 'cadical195')})",
        f"takes {direct.min():.1f} to {direct.max():.1f} times as long on the typical random or tournament board",
        f"Of {len(numbering)} intervals (five sets, three solvers, three numberings) "
        f"{int((~lower & ~upper).sum())} contain 1, {int(lower.sum())} lie below and {int(upper.sum())} above",
        f"above on the published ones ({turned.loc['real', 'median_ratio']:.2f} times)",
        f"take {totals['median_ratio'].min():.1f} to {totals['median_ratio'].max():.1f} times as long on the typical "
        f"board, for {totals['larger'].min():.0f} to {totals['larger'].max():.0f} times as many clauses",
        f"At 40 %, `unsat` takes {unsat['sum_ratio']:.2f} times as long in sum ({ends(unsat, 'sum')}), `plain` "
        f"{plain['sum_ratio']:.2f} times ({ends(plain, 'sum')}); on the typical board neither can be told from CaDiCaL "
        f"as it is ({unsat['median_ratio']:.2f} ({ends(unsat, 'median')}) and {plain['median_ratio']:.2f} "
        f"({ends(plain, 'median')})).",
        f"two shared cores (load {load.min():.1f} to {load.max():.1f})",
    ]


def tried() -> list[str]:
    """What results/what-we-tried.md repeats of results/encodings-alone."""
    numbering, totals = encodings_alone()[3], encodings_alone()[5]
    count, contained = (re.findall(r"\d+", numbering)[at] for at in (0, 1))
    runs = runs_of("encodings-alone")
    runs = runs[runs["solver"].eq("minisat22")]
    conflicts = runs.pivot_table(index=["density", "instance"], columns="encoding", values="conflicts")
    over, under = conflicts["automaton+order"], conflicts["tight+r3+order"]
    sums = over.groupby("density").sum() / under.groupby("density").sum()
    medians = (over / under).groupby("density").median()
    return [
        f"On 60 boards of 100x100 at 40 % the median board takes {repairs()[3].split()[-5]} of the time",
        f"{contained} of {count} intervals of ratios contain 1",
        totals,
        f"At 50 % MiniSat needs {medians[0.5]:.2f} of the conflicts at the median of the boards ({sums[0.5]:.2f} in "
        f"sum), at 40 % {medians[0.4]:.2f} ({sums[0.4]:.2f} in sum).",
    ]


def tournaments() -> list[str]:
    runs = runs_of("tournament-sample")
    assert runs["solved"].all()
    assert len(runs) == 6 * runs["instance"].nunique()
    assert set(runs.groupby("source")["instance"].nunique()) == {50}
    sums, sat = runs.groupby("solver")["cpu_time_s"].sum(), ["minisat22", "glucose4", "cadical195"]
    unfitted = runs[runs["source"].str.contains("tcga")].groupby("solver")["cpu_time_s"].sum()
    assert sums.idxmin() == unfitted.idxmin() == "beliefs"
    whole = boards_of_runs(runs, CPU)
    names = {str(name).partition(" · ")[2] or str(name): str(name) for name in set(runs["configuration"])}
    ratios = pd.DataFrame(
        {solver: compared(whole, names[solver], "beliefs") for solver in ("auto", "propagation", *sat)}
    )

    def ratio(solver: str) -> str:
        return "{:.2f} ({:.2f} to {:.2f})".format(
            *(ratios.loc[of, solver] for of in ("ratio", "ratio_low", "ratio_high"))
        )

    load, hard = runs["load_average"], runs[runs["solver"].eq("propagation")]["cpu_time_s"].nlargest(5).sum()
    assert hard > 0.5 * sums["propagation"]
    return [
        f"Every solver solved all {runs['instance'].nunique()}.",
        f"Belief propagation is fastest in sum, {sums['beliefs']:.2f} s.",
        "Its parameters were fitted on boards of TAAI 2011; on the 50 puzzles of TCGA 2012 it takes "
        f"{unfitted['beliefs']:.2f} s.",
        f"`auto`, which can, takes {sums['auto']:.2f} s, {ratio('auto')} times as long on the typical puzzle, and "
        f"{unfitted['auto']:.2f} s on TCGA 2012.",
        f"SAT solvers take {sums[sat].min():.1f} to {sums[sat].max():.1f} s, {ratios.loc['ratio', sat].min():.1f} to "
        f"{ratios.loc['ratio', sat].max():.1f} times as long as belief propagation (intervals from "
        f"{ratios.loc['ratio_low', sat].min():.1f} to {ratios.loc['ratio_high', sat].max():.1f}).",
        f"Propagation with guesses takes {sums['propagation']:.1f} s, most of it on few puzzles: on the typical one "
        f"{ratio('propagation')} times as long.",
        f"Ratios are medians of the {runs['instance'].nunique()} puzzles' ratios",
        f"(limit {runs['cpu_limit_s'].max():g} s; load {load.min():.1f} to {load.max():.1f})",
    ]


def tournament_notebook() -> list[str]:
    return tournaments()[:6]


def majdandzic() -> list[str]:
    runs = runs_of("majdandzic2022")
    assert runs.loc[runs["solved"], "goal"].all()
    assert set(runs["cpu_limit_s"]) == {60}
    late = runs[runs["censored"]]
    assert set(late["solver"]) == {"phases+no2+no3+no4", "phases+no3+no4", "phases+no4"}
    by_level = table_of("majdandzic2022/by-level.csv").set_index(["level", "way"])
    sized = table_of("majdandzic2022/by-size.csv").set_index(["rows", "way"])
    against = table_of("majdandzic2022/against.csv").set_index(["rows", "way"])
    boards = {n: set(sized.loc[n, "runs"]) for n in sized.index.unique("rows")}
    assert all(boards[n] == ({50} if n <= 6 else {100} if n <= 9 else {20}) for n in boards)
    phases, three = by_level.xs("phases 1-4, 5", level="way"), by_level.xs("phases 1-3, 5", level="way")
    assert phases["solved"].eq(phases["runs"]).all()
    assert three["solved"].loc[:9].eq(three["runs"].loc[:9]).all()
    assert (phases["mean_ms"] < phases["thesis_mean_ms"]).loc[7:].all()
    first, two = phases["min_ms"].loc[:8], by_level.loc[(6, "phases 1-2, 5")]
    assert first.max() - first.min() < 0.15
    medians = sized["median_ms"].unstack("way")
    minisat, cpsat = medians.filter(like="minisat"), medians.filter(like="cpsat")
    assert minisat.loc[:9].idxmin(axis=1).eq("minisat22 different+running+order").all()
    assert minisat.loc[11:].idxmin(axis=1).eq("minisat22 permutation+visible+coupled").all()
    slower = cpsat.min(axis=1) / minisat.min(axis=1)
    levels = by_level["median_ms"].unstack("way")
    of_sat = levels.filter(regex="minisat|cadical").div(levels["phases 1-4, 5"], axis=0)
    default, shares = "minisat22 permutation+visible+coupled", []
    for n in (11, 12, 13):
        here = runs[runs["rows"].eq(n) & runs["solver"].eq("minisat22")]
        wide = here.pivot_table(index="instance", columns="label", values="cpu_time_s")
        shares.append(intervals.median(wide["permutation+visible+order"] / wide["permutation+visible+coupled"]))
    assert all(share.low > 1 for share in shares)
    least, most = min(shares, key=lambda share: share.value), max(shares, key=lambda share: share.value)
    hours = {name: f"{part['cpu_s'].sum() / 3600:.2f}" for name, part in by_study(runs).items()}

    def told(n: int, way: str, of: str = "typical", digits: int = 2) -> str:
        row = against.loc[(n, way)]
        return "{:.{d}f} ({:.{d}f} to {:.{d}f})".format(row[of], row[f"{of}_low"], row[f"{of}_high"], d=digits)

    def mean(n: int, way: str, digits: int = 2) -> str:
        return told(n, way, "ratio_of_means", digits)

    load = runs["load_average"]
    return [
        f"one run each (load {load.min():.1f} to {load.max():.1f}), of 50 boards up to level 8 and of size 6x6, 100 of "
        "7x7 to 9x9, and 20 of each larger size. A run has 60 CPU seconds.",
        f"level 6 takes {two['boards_median']:,.0f} boards with phases 1-2 at the median of 50 puzzles, and "
        f"{two['boards_mean']:,.0f} in the mean (its figure, of one puzzle: {two['thesis_boards']:,.0f})",
        f"({three.loc[6, 'thesis_boards']:.0f}, and {three.loc[6, 'boards_median']:.0f} here at the median)",
        f"{len(late)} runs met the limit, all of fewer than four phases.",
        f"phases 1-2 take {told(6, 'phases 1-2, 5', digits=1)} times as long as all phases on hard 6x6 boards, with it "
        f"{told(6, 'phases 1-3, 5')} times (typical; in the mean {mean(6, 'phases 1-2, 5', 0)} and "
        f"{mean(6, 'phases 1-3, 5')}).",
        f"a factor of {told(7, 'phases 1-3, 5', digits=1)} at 7x7, {mean(7, 'phases 1-3, 5', 0)} in the mean. At 8x8 "
        f"it is worth {told(8, 'phases 1-3, 5', digits=0)}, and {three.loc[10, 'solved']:.0f} of 100 boards are solved "
        f"without it; at 9x9 {three.loc[11, 'solved']:.0f} of 100; with it all.",
        f"the mean is {phases.loc[0, 'mean_ms']:.2f} ms at level 0 and {phases.loc[11, 'mean_ms']:.2f} ms at level 11, "
        f"of which {majdandzic_first():.1f} ms is a fresh process' first call.",
        "The thesis' means are larger from level 7 on, and those of levels 10 and 11 "
        f"({phases.loc[10, 'thesis_mean_ms']:g} and {phases.loc[11, 'thesis_mean_ms']:g} ms)",
        f"on the thesis' levels: {of_sat.min(axis=None):.1f} to {of_sat.max(axis=None):.1f} times at the median.",
        f"takes {told(11, default, digits=1)} times as long at 11x11, {told(12, default)} times at 12x12, and "
        f"{told(13, default)} times at 13x13; in the mean {mean(11, default)}, {mean(12, default)} and "
        f"{mean(13, default)}.",
        f"takes {least.value:.2f} ({least.low:.2f} to {least.high:.2f}) to {most.value:.2f} ({most.low:.2f} to "
        f"{most.high:.2f}) times as long.",
        f"takes {slower.min():.1f} to {slower.max():.1f} times as long as MiniSat",
        f"study run majdandzic2022 # {hours['majdandzic2022']} CPU hours nonosat study run majdandzic2022-large # "
        f"{hours['majdandzic2022-large']} nonosat study run majdandzic2022-three # {hours['majdandzic2022-three']}",
    ]


def by_study(runs: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The records of majdandzic2022 by the file that states them."""
    large = runs["level"].isin([10, 11]) | runs["rows"].ge(10)
    three = large & runs["solver"].eq("phases+no4")
    return {
        "majdandzic2022": runs[~large],
        "majdandzic2022-large": runs[large & ~three],
        "majdandzic2022-three": runs[three],
    }


def walejko() -> list[str]:
    runs, table = runs_of("walejko2022-large"), table_of("walejko2022/queue.csv")
    whole = table[table["cell"].eq("all")].set_index(["way", "of"])
    assert set(runs["outcome"]) == {"SAT", "MEMOUT"}
    assert set(table.loc[table["cell"].ne("all"), "boards"] + table.loc[table["cell"].ne("all"), "left_out"]) == {32}
    refused = runs[runs["outcome"].eq("MEMOUT")]
    assert (refused["instance"].nunique(), refused["solver"].nunique()) == (1, 6)

    def told(way: str, of: str, estimator: str) -> str:
        row = whole.loc[(way, of)]
        return f"{row[estimator]:.2f} ({row[f'{estimator}_low']:.2f} to {row[f'{estimator}_high']:.2f})"

    def both(way: str) -> str:
        (lines, takes), (typical, typical_time) = (
            [told(way, of, estimator) for of in ("lines_checked", "solve_cpu_s")]
            for estimator in ("ratio_of_means", "typical")
        )
        return (
            f"filters {lines} times as many lines in the mean and takes {takes} times as long, {typical} and "
            f"{typical_time} on the typical board"
        )

    tracked = whole.loc[("tracking, lifo", "lines_checked")]
    assert (tracked["ratio_of_means"], tracked["typical"]) == (1, 1)
    mean, most = whole.iloc[0]["boards"], runs["cpu_s"].max()
    cells = table_of("walejko2022/tables.csv")
    queue = cells[cells["table"].eq(4.4)]
    times = queue.groupby("puzzle")["ms"].agg(["min", "max"]).assign(apart=lambda ends: ends["max"] - ends["min"])
    butcher = queue[queue["puzzle"].eq("Butcher")].set_index("column")
    pictures = runs_of("walejko2022")
    elimination = pictures[pictures["solver"].str.startswith("elimination")]["load_average"]
    thesis = dict(zip(walejko_analysis.WAYS.values(), THESIS_DEMON[1:], strict=True))
    return [
        f"Demon: {THESIS_DEMON[0]:,.0f} ms by lifo, {thesis['fifo']:,.0f} by fifo, {thesis['unchanged']:,.0f} "
        "unchanged",
        f"with tracking {thesis['tracking, lifo']:,.0f}, {thesis['tracking, fifo']:,.0f} and "
        f"{thesis['tracking, unchanged']:,.0f}",
        f"On {mean} random boards of 30x30 at 55 % to 50x50 at 70 % (32 in each of {table['cell'].nunique() - 1} "
        f"cells, without one that no way has the memory for; limit {runs['cpu_limit_s'].max():g} CPU seconds, which "
        f"none met; load {runs['load_average'].min():.1f} to {runs['load_average'].max():.1f}), by lifo without "
        "tracking, with 95 % intervals",
        f"Unchanged {both('unchanged')}",
        f"On our pictures the ways differ by {times['apart'].drop('Butcher').max():.1f} ms at most, but on Butcher, "
        f"which takes {butcher.loc['lifo', 'ms']:.1f} ms by lifo and {butcher.loc['unchanged', 'ms']:.1f} ms unchanged "
        f"({butcher.loc['lifo', 'lines_checked']:.0f} and {butcher.loc['unchanged', 'lines_checked']:.0f} lines "
        "filtered).",
        f"later on another machine, with {elimination.min():.1f} to {elimination.max():.1f}.",
        f"It {both('fifo')}",
        f"takes {told('tracking, lifo', 'solve_cpu_s', 'ratio_of_means')} times as long in the mean, "
        f"{told('tracking, lifo', 'solve_cpu_s', 'typical')} on the typical board",
        f"the mean of lifo is {whole.loc[('fifo', 'solve_cpu_s'), 'plain_mean']:.2f} s, the longest run {most:.0f} s",
    ]


def levels() -> list[str]:
    """What results/majdandzic2022 says of the levels of the thesis."""
    table = table_of("majdandzic2022/by-level.csv").pivot(index="level", columns="way", values="median_ms")
    against = table_of("majdandzic2022/against.csv").set_index(["rows", "way"]).filter(like="minisat", axis=0)
    phases, sat = table["phases 1-4, 5"], table.filter(like="minisat")
    faster = against.xs(13, level="rows").filter(like="permutation", axis=0)
    assert faster[["typical_high", "ratio_of_means_high"]].lt(1).all(axis=None)
    default = against.xs("minisat22 permutation+visible+coupled", level="way")
    assert default["typical_low"].loc[:10].gt(1).all()
    assert default["typical_low"].loc[11:12].lt(1).all()
    assert default["typical_high"].loc[11:12].gt(1).all()
    assert not against.loc[10:12, "ratio_of_means_high"].lt(1).any()
    return [
        f"(9,320 runs, `results/majdandzic2022.parquet`; limit {runs_of('majdandzic2022')['cpu_limit_s'].max():g} CPU "
        "seconds)",
        f"levels of the thesis in {phases.min():.1f} to {phases.max():.1f} ms at the median",
        f"of which {majdandzic_first():.1f} ms is a fresh process' first call",
        f"MiniSat takes {sat.min(axis=None):.1f} to {sat.max(axis=None):.1f} ms",
    ]


def majdandzic_first() -> float:
    """The least time of the five phases on small boards, ms."""
    table = table_of("majdandzic2022/by-level.csv")
    return float(table.loc[table["way"].eq("phases 1-4, 5") & table["level"].le(8), "min_ms"].min())


def by_size() -> list[str]:
    """What results/growth says of `auto` beside MiniSat."""
    rows = table_of("growth/growth.csv").set_index("size")
    ratio_ = rows["auto_s"] / (rows["encode_s"] + rows["load_s"] + rows["solve_s"])
    return [
        f"`auto` takes {ratio_[16]:.2f} times as long as MiniSat (encoding, loading, solving) at 16x16, "
        f"{ratio_[32]:.2f} times at 32x32, {ratio_[64]:.1f} at 64x64, {ratio_[128]:.1f} at 128x128, "
        f"{ratio_[256]:.1f} at 256x256 and {ratio_[512]:.1f} at 512x512.",
        f"512x512 has {rows.loc[512, 'clauses'] / 1e6:.1f} million clauses",
    ]


def transition() -> list[str]:
    cells = table_of("transition/by-cell.csv").set_index(["n", "density"])
    peaks = table_of("transition/peaks.csv").set_index(["n", "cost"])
    assert all(peaks.loc[(n, "find"), "density"] == 0.4 for n in (20, 25, 30))
    assert set(cells.loc[40].loc[[0.4, 0.45], "asked"]) == {6}

    def peak(n: int) -> str:
        row = peaks.loc[(n, "find")]
        return f"{100 * row['density_low']:.0f} % to {100 * row['density_high']:.0f} %"

    def late(density: float) -> int:
        row = cells.loc[(40, density)]
        return round(row["find_late"] * row["asked"])

    flat = cells.reset_index()
    most = flat.loc[flat["prove_conflicts"].idxmax()]
    assert (most["n"], most["density"]) == (20, 0.4)
    assert all(peaks.loc[(n, "prove"), "density"] == 0.4 for n in (20, 25, 30, 40))
    assert 80 < cells.loc[(30, 0.4), "find_s"] / cells.loc[(30, 0.4), "prove_s"] < 120
    halves = transition_analysis.halves(transition_analysis.boards(transition_analysis.load_boards(TRANSITION)))

    def half(n: int) -> str:
        row = halves["unique"].set_index("n").loc[n]
        ends = " to ".join(f"{100 * row[f'half_{end}']:.0f}" for end in ("low", "high"))
        return f"{100 * row['half']:.0f} % ({ends} %; {n}x{n})"

    sparse = flat[flat["n"].ge(15) & flat["density"].between(0.15, 0.35)]
    dense = flat[flat["density"].ge(0.5)]
    assert sparse["count_late"].eq(1).all()
    assert set(sparse["counts"]) == {2, 3}
    assert (dense["count_late"] * dense["counts"]).sum() < 0.01 * dense["counts"].sum()
    jump = cells.loc[[20, 25]].reset_index()
    assert jump.loc[jump["density"].between(0.2, 0.35), "backbone_most"].max() < 0.05
    assert jump.loc[jump["density"].eq(0.5), "backbone_least"].min() > 0.9
    few = " or ".join(f"{n:.0f}" for n in sorted(set(jump.loc[jump["density"].between(0.2, 0.35), "asked"])))
    [many] = set(jump.loc[jump["density"].eq(0.5), "asked"])
    hard, easy = cells.loc[(30, 0.4)], cells.loc[(30, 0.6)]
    assert (round(hard["find_late"] * hard["asked"]), easy["find_late"]) == (1, 0)

    def finding(row: pd.Series, digits: int) -> str:
        ends = " to ".join(f"{row[name]:.{digits}f}" for name in ("find_s_low", "find_s_high"))
        return f"{row['find_s']:.{digits}f} s ({ends}; {row['asked']:.0f} boards"

    unique = table_of("transition/shares.csv").set_index(["what", "n", "density"]).loc["unique"]
    several = ", ".join(
        f"{row['yes']:.0f} of {row['decided']:.0f}{' boards' * (n == 15)} of {n}x{n}"
        for n in (15, 20, 25, 30)
        for row in [unique.loc[(n, 0.45)]]
    )
    return [
        "Finding peaks at 40 % from 20x20 to 30x30 "
        f"(at 20x20 from {peak(20)}, at 30x30 from {peak(30)}, by the bootstrap of boards). At 40x40 the peak cannot "
        f"be told: {late(0.4)} of 6 runs at 40 % and all {late(0.45)} at 45 % met the limit. "
        f"At 30x30 MiniSat takes {finding(hard, 2)}, one run over the limit as the limit) at 40 %, and "
        f"{finding(easy, 4)}) at 60 %",
        f"from the first solution on {most['prove_conflicts']:.0f} conflicts at most in the mean of a cell "
        f"(at 20x20 and 40 %, {most['asked']:.0f} boards), and {flat['prove_s'].max():.3f} s at "
        "most, the end of the process included.",
        f"hardly any board is unique: at 45 % {several} (`transition-scaling`).",
        "all counts met the limit at every density from 15 % to 35 %, of 2 or 3 boards a cell",
        f"at 20x20 and 25x25 it has at most 5 % of the cells in the mean at 20 % to 35 % ({few} boards a cell), and at "
        f"50 % more than 90 % ({many:.0f} boards)",
        f"Half of the boards are unique from {half(10)} to {half(40)} on.",
    ]


def four_solvers() -> list[str]:
    table = table_of("transition/solvers.csv").set_index(["n", "solver", "density"])
    peaks = table_of("transition/solver-peaks.csv")
    assert peaks["density"].eq(0.4).all()
    assert table["boards"].eq(20).all()
    names = ("minisat22", "cadical195", "kissat404", "auto")
    four, easy = ([table.loc[(30, solver, density)] for solver in names] for density in (0.4, 0.6))
    assert all(row["boards"] - row["found"] == row["late"] for row in four)

    def told(row: pd.Series, of: str, digits: int = 2) -> str:
        ends = " to ".join(f"{row[f'{of}_{end}']:.{digits}f}" for end in ("low", "high"))
        return f"{row[of]:.{digits}f} s ({ends})"

    found = [told(row, "find_s", 2 + (row is four[3])) for row in four]
    return [
        "All four solvers take longest to find at 40 % in the mean, at 20x20, 25x25 and 30x30; by "
        f"the bootstrap of boards the peak lies between {100 * peaks['density_low'].min():.0f} % and "
        f"{100 * peaks['density_high'].max():.0f} %.",
        f"MiniSat takes {found[0]}, CaDiCaL {found[1]}, Kissat {found[2]}, `auto` {found[3]}: means of 20 boards, 10 "
        "CPU seconds a run, which {:.0f}, {:.0f}, {:.0f} and {:.0f} met before the first solution.".format(
            *(row["late"] for row in four)
        ),
        f"Of the others CaDiCaL takes {told(four[1], 'prove_s')} from there on, and Kissat {told(four[2], 'prove_s')}, "
        f"but MiniSat {four[0]['prove_s']:.3f} s and `auto` {four[3]['prove_s']:.3f} s, the end of the process "
        "included, which is most of it: at 60 %, where nothing is hard, the four take {:.3f}, {:.3f}, {:.3f} and "
        "{:.3f} s.".format(*(easy[at]["prove_s"] for at in (1, 2, 0, 3))),
    ]


def finite_size() -> list[str]:
    fits = table_of("transition/fits.csv").drop_duplicates("what").set_index("what")
    shares = table_of("transition/shares.csv").set_index(["what", "n", "density"])
    runs = runs_of("transition/transition-scaling").groupby(["solver", "rows", "density"]).size()

    def ended(row: pd.Series, name: str, digits: int = 2) -> str:
        return "{:.{d}f} ({:.{d}f} to {:.{d}f})".format(row[name], row[f"{name}_low"], row[f"{name}_high"], d=digits)

    def of(what: str, name: str, digits: int) -> str:
        return ended(fits.loc[what], name, digits)

    unique, lines, backbone = (fits.loc[what] for what in ("unique", "lines", "backbone"))
    every = table_of("transition/fits.csv")
    of_backbone = every[every["what"].eq("backbone")].set_index("sizes")
    large, small = of_backbone.loc["15 20 25"], of_backbone.loc["10 15 20"]
    thirty = shares.loc[("backbone", 30)].loc[[0.375, 0.4, 0.425, 0.45]]
    assert backbone["critical_high"] < 0.5
    every = every[every["what"].ne("backbone")]
    later, earlier = (every[every["sizes"].eq(sizes)] for sizes in ("25 30 40 60", "15 20 25 30 40"))
    whole = every[~every["sizes"].isin(["15 20 25 30 40"])]
    assert whole["critical_low"].max() < 1 < whole["critical_high"].min()
    assert later["critical_high"].eq(scaling_analysis.MOST).all()
    assert runs.min() == runs.max()
    return [
        f"`transition-scaling` is done, with {runs.min()} boards a cell",
        "**The curves collapse, at a density that cannot be told from 1**",
        f'"unique" has rho_c {of("unique", "critical", 2)} and nu {of("unique", "nu", 1)}, of {unique["boards"]:,.0f} '
        f'boards in {unique["cells"]:.0f} cells; "solved by lines" {of("lines", "critical", 2)} and '
        f"{of('lines', 'nu', 1)}, of {lines['boards']:,.0f} boards in {lines['cells']:.0f} cells. The dispersion is "
        f"{unique['dispersion']:.2f} and {lines['dispersion']:.2f}, so that one curve suffices. The sizes "
        "from 25 on alone give {:.2f} ({:.2f} to no end) and {:.2f} ({:.2f} to no end), with a dispersion of ".format(
            *later[["critical", "critical_low"]].to_numpy().reshape(-1)
        )
        + f"{' and '.join(f'{value:.2f}' for value in later['dispersion'])}: there one curve begins to be too few. "
        "Without 60x60 it is "
        f"{' and '.join(ended(row, 'critical') for _, row in earlier.iterrows())}: rho_c moves up with the sizes.",
        "four cells [[1, 0], [0, 1]] stand in a ring of twelve blank ones, exchanging them gives another solution. So "
        "P(unique) <= (1 - 2 rho^2 (1 - rho)^14)^(floor(n/4)^2), which tends to 0 at every density below 1;",
        "**There is no rho_c below 1, and this is proved.**",
        '**"backbone > 1/2" has a rho_c below 1/2** on these sizes: '
        f"{of('backbone', 'critical', 3)}, and nu {of('backbone', 'nu', 2)}, of {backbone['boards']:,.0f} boards in "
        f"{backbone['cells']:.0f} cells of 10x10 to 25x25, with a dispersion of {backbone['dispersion']:.2f}. It moves "
        f"down with the sizes: without 25x25 these are {ended(small, 'critical', 3)} and {ended(small, 'nu')}, without "
        f"10x10 {ended(large, 'critical', 3)} and {ended(large, 'nu')}.",
        "{:.0f}, {:.0f}, {:.0f} and {:.0f} of 50 boards at 37.5 %, 40 %, 42.5 % and 45 %".format(
            *thirty["boards"] - thirty["decided"]
        ),
        "[arXiv 2507.07283](https://arxiv.org/abs/2507.07283)",
        "P = f((rho - rho_c) n^(1/nu)) is fitted",
        '"backbone > 1/2"',
        "the exponent of 1 - rho in the limit (the bound allows n^(-1/7), larger",
    ]


def counting() -> list[str]:
    counts = pd.read_csv(ROOT / "results/counting-encodings/counts.csv", dtype={"models": "str", "solutions": "str"})
    table = table_of("counting-encodings/encodings.csv")
    assert counts["models"].eq(counts["solutions"]).all()
    assert counts["cpu_s"].max() < 5
    assert table["parsimonious"].eq(table["boards"]).all()
    ganak = table[table["way"].eq("Ganak, projected")].set_index("encoding")
    assert table.loc[table["high"].lt(1)].empty
    for name in ("tight+accumulated+order", "tight+r5+order"):
        assert ganak.loc[name, "low"] < 1 < ganak.loc[name, "high"]
    boards, most = table["boards"].max(), counts["solutions"].astype(int)

    def of(encoding: str) -> str:
        return "{:.2f} ({:.2f} to {:.2f})".format(*ganak.loc[encoding, ["ratio", "low", "high"]])

    whole = table[table["way"].eq("ApproxMC")].set_index("encoding").loc["tight+accumulated+order"]
    automata = ganak[ganak.index.str.startswith("automaton")]["ratio"]
    native = "{:.2f} ({:.2f} to {:.2f})".format(*counting_analysis.native(counting_analysis.load_counts()))
    return [
        f"All {len(ganak)} sound encodings of nonograms, on {boards} random boards of 8x8 to 15x15 at 40 and 50 % "
        f"({most.min()} to {most.max()} solutions)",
        f"{len(counts):,} counts, one run each, at most 5 CPU seconds",
        f"**All {len(ganak)} sound encodings are parsimonious** on all {boards} boards",
        f"the native counter's number in all {len(counts):,} counts, ApproxMC by luck of small numbers: it promises a "
        "factor of 1.8",
        f"Automata take {automata.min():.2f} to {automata.max():.2f} times its CPU time by Ganak on the board alone, "
        "`tight+r3+log` "
        f"{of('tight+r3+log')}, `plain+r3+iff+log` {of('plain+r3+iff+log')}",
        f"takes {native} of the time of Ganak",
        f"the former takes {whole['ratio']:.2f} ({whole['low']:.2f} to {whole['high']:.2f}) times as long.",
    ]


def versions(runs: pd.DataFrame, before: str, after: str) -> tuple[int, int, pd.Series]:
    """How many boards two versions have counted, with the same numbers, and the ratios of CPU time.

    Of those that both have counted, and that took the first one more than a second.
    """
    old, new = (runs[runs["version"] == version].set_index("seed") for version in (before, after))
    assert len(old) == len(new) == 60
    had, done = old["solutions"].dropna(), new["solutions"].dropna()
    known = done.index.intersection(had.index)
    assert done[known].eq(had[known]).all()
    long = known[old["cpu_s"][known] > 1]
    return len(had), len(done), new["cpu_s"][long] / old["cpu_s"][long]


def counted() -> list[str]:
    """What results/counting says of boards counted, of draws and of backbones."""
    table = table_of("counting/counting.csv").set_index(["size", "density"])
    draws, backbones = table_of("counting/draws.csv"), table_of("counting/backbones.csv").set_index("density")
    assert set(table["limit_s"]) == {60}
    for n, density in ((10, 0.4), (15, 0.4), (20, 0.5), (30, 0.5)):
        assert table.loc[(n, density), "counted"] == table.loc[(n, density), "boards"]
    assert backbones["settled"].eq(backbones["boards"]).all()

    def share(row: pd.Series) -> str:
        return f"({100 * row['low']:.0f} to {100 * row['high']:.0f} %)"

    five, forty = table.loc[(25, 0.5)], table.loc[(20, 0.4)]
    sparse = [table.loc[(15, density)] for density in (0.1, 0.2, 0.3)]
    dense, thin = draws[draws["density"].ge(0.4)], draws[draws["density"].eq(0.1)].iloc[0]
    others, at = backbones["median_s"].drop(0.4), backbones.loc[0.4]
    assert [round(row["log10_median"]) for row in sparse] == [8, 12, 9]
    twenty = pd.read_csv(COUNTING / "twenty-runs.csv", dtype={"solutions": "str"})
    assert set(twenty["limit_s"]) == {60}
    one, last, ratios = versions(twenty, "c497978b", "62c24a38")
    again, latest, later = versions(twenty, "62c24a38 again", "bounds")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for each in (ratios, later):
        assert f"that took more than a second take {each.median():.2f} of the CPU time" in changes
    within = intervals.wilson(latest, 60)
    return [
        f"(62c24a38) counts {last} of 60 boards of 20x20 at 40 %, and the version before it (c497978b) {one}. Of the "
        f"{len(ratios)} boards that took that one more than 1 s, it counts each in {ratios.median():.2f} of the CPU "
        f"time at the median ({ratios.min():.2f} to {ratios.max():.2f})",
        f"The next version counts {latest} of them ({100 * within.low:.0f} to {100 * within.high:.0f} %) on another "
        f"machine, where 62c24a38 counts {again}. The {len(later)} boards that took that one more than 1 s take "
        f"{later.median():.2f} of the CPU time at the median ({later.min():.2f} to {later.max():.2f})",
        f"{five['counted']:.0f} of {five['boards']:.0f} of 25x25 at 50 % {share(five)}.",
        "{:.0f} of 20 at 10 % are counted (median {:.2f} s), {:.0f} of 20 at 20 % ({:.1f} s), {:.0f} of 20 at 30 % "
        "({:.1f} s)".format(*(row[of] for row in sparse for of in ("counted", "median_s"))),
        f"the most has 10^{max(row['log10_most'] for row in sparse):.1f}",
        f"{forty['counted']:.0f} of {forty['boards']:.0f} boards of 20x20 at 40 % {share(forty)} are counted, median "
        f"{forty['median_s']:.1f} s. `frontier` counts {forty['by_frontier']:.0f} of them.",
        f"takes {dense['draw_ms'].min():.2f} to {dense['draw_ms'].max():.2f} ms at the median of a case of 40 or 50 %, "
        f"{dense['draw_ms_most'].max():.1f} ms at most, and {thin['draw_ms']:.1f} ms on 15x15 at 10 %",
        f"at 40 % in {at['median_s']:.2f} s at the median of 20 boards ({at['most_s']:.1f} s at most), at other "
        f"densities in {others.min():.3f} to {others.max():.2f} s at the median of five",
    ]


def test_tables_of_counting_are_those_of_their_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import counting as benchmark
    from tables import number

    for stem, summed in (
        ("counting", benchmark.summed),
        ("draws", benchmark.summed),
        ("backbones", benchmark.told_of_backbones),
    ):
        rows, runs = (
            [
                {name: text == "True" if name == "settled" and text in ("True", "False") else number(text)
                 for name, text in row.items()}
                for row in csv.DictReader(io.StringIO((COUNTING / f"{name}.csv").read_text(encoding="utf-8")))
            ]
            for name in (stem, f"{stem}-runs")
        )  # fmt: skip
        for row in rows:
            made = summed([run for run in runs if (run["size"], run["density"]) == (row["size"], row["density"])])
            assert {name: made[name] for name in row} == pytest.approx(row, abs=2e-5)


def certainty() -> list[str]:
    costs = certainty_analysis.load_costs()
    table = certainty_analysis.factors(costs).set_index(["set", "way"])

    def of(group: str, way: str, digits: int = 1) -> str:
        return "{:.{d}f} ({:.{d}f} to {:.{d}f})".format(*table.loc[(group, way), ["factor", "low", "high"]], d=digits)

    def all_s(way: str) -> str:
        here = costs[costs["set"].eq("random") & costs["way"].eq(way)]
        return f"{math.exp(here['certain_s'].map(math.log).mean()):.2f} s"

    def slower(group: str, way: str, other: str) -> tuple[float, float, float]:
        """The paired ratio of writing and checking: a geometric mean with its interval."""
        wide = costs[costs["set"].eq(group)].pivot_table(index="puzzle", columns="way", values="certain_s")
        logs = np.log(wide[way] / wide[other]).to_numpy()
        low, high = np.quantile(logs[intervals.resamples(len(logs), 10_000, 0)].mean(axis=1), [0.025, 0.975])
        return math.exp(logs.mean()), math.exp(low), math.exp(high)

    assert all(slower("random", certainty_analysis.WAYS[2], way)[2] < 1 for way in certainty_analysis.WAYS[:2])
    cheaper = "{:.2f} ({:.2f} to {:.2f})".format(
        *slower("random", certainty_analysis.WAYS[2], certainty_analysis.WAYS[0])
    )
    grown = (
        costs[costs["set"].eq("random")].groupby(["way", "rows"])["factor"].agg(lambda v: math.exp(np.log(v).mean()))
    )
    published = slower("published", certainty_analysis.WAYS[2], certainty_analysis.WAYS[0])
    count = table["puzzles"].groupby("set").max()
    mb = {way: f"{table.loc[('random', way), 'bytes'] / 1e6:.2f} MB" for way in certainty_analysis.WAYS}
    auto, sat, drat, same = certainty_analysis.WAYS
    large = (
        costs[costs["rows"].eq(40) & costs["way"].eq(same)]["check_s"]
        - costs[costs["rows"].eq(40) & costs["way"].eq(drat)]["check_s"].to_numpy()
    )
    return [
        f"Of {count['random']} random boards at 65 % (15x15 to 60x60, three a size) and {count['published']} published",
        f"**Random boards**: `auto` {of('random', auto, 0)}, SAT with a certificate {of('random', sat)}, SAT with DRAT "
        f"{of('random', drat)}, of {count['random']} boards.",
        f"`auto` {grown[auto, 15]:.0f} at 15x15 and {grown[auto, 60]:.0f} at 60x60, SAT with DRAT "
        f"{grown[drat, 15]:.1f} and {grown[drat, 60]:.1f}.",
        f"it solves in {table.loc[('random', auto), 'solve_s']:.3f} s, SAT in "
        f"{table.loc[('random', sat), 'solve_s']:.3f} s, and its certificates take {all_s(auto)}, those of SAT "
        f"{all_s(sat)}, DRAT {all_s(drat)} (geometric means).",
        f"Writing and checking take {cheaper} times as long as with `auto` on the random boards",
        f"**Published puzzles**: {of('published', auto)}, {of('published', sat)} and {of('published', drat)}, "
        f"of {count['published']} puzzles.",
        "on the published puzzles they take {:.2f} ({:.2f} to {:.2f}) times as long as with `auto`, of {}.".format(
            *published, count["published"]
        ),
        f"makes it {of('random', same, 0)} on the {table.loc[('random', same), 'ended']} random boards where that was "
        f"tried: {large.min():.0f} to {large.max():.0f} CPU seconds at 40x40",
        f"{mb[auto]} a random board by `auto`, {mb[sat]} by SAT with a certificate, {mb[drat]} by DRAT "
        "with its formula (geometric means)",
    ]


def encodings() -> list[str]:
    runs = runs_of("encodings-small")
    assert runs["solved"].all()
    assert set(runs["cpu_limit_s"]) == {5}
    whole = boards_of_runs(runs, CPU)

    def costs(*labels: str) -> pd.DataFrame:
        sat = ("minisat22", "glucose4", "cadical195")
        pairs = [(f"{label} · {name}", f"tight+r3+order · {name}") for label in labels for name in sat]
        return pd.DataFrame([compared(whole, *pair) for pair in pairs])

    def percent(*values: float) -> str:
        return f"{' to '.join(f'{100 * value - 100:.0f}' for value in values)} %"

    iff, plain = costs("tight+r3+iff+order"), costs("plain+r3+order")
    both = pd.concat([iff, plain])
    twice = costs("automaton+order", "automaton+support", "automaton+coupled", "tight+r3+support", "tight+r3+log")
    found = compared(whole, "tight+r3 · cpsat", "tight+r3+order · minisat22")
    factor = "{:.1f} times ({:.1f} to {:.1f})".format(*(found[name] for name in ("ratio", "ratio_low", "ratio_high")))
    return [
        f"On {runs['instance'].nunique()} boards of up to 20x20 (eight at each density from 20 to 60 %; limit 5 s, "
        f"which no run met) the channel `iff` costs {percent(iff['ratio'].min(), iff['ratio'].max())} on the typical "
        f"board, plain domains {percent(plain['ratio'].min(), plain['ratio'].max())}, under every solver (medians of "
        "the boards' ratios of CPU time: encoding, loading and solving; intervals from "
        f"{percent(both['ratio_low'].min(), both['ratio_high'].max())}). Automata, the support and the log encoding "
        f"take {twice['ratio'].min():.1f} to {twice['ratio'].max():.1f} times as long (intervals from "
        f"{twice['ratio_low'].min():.1f} to {twice['ratio_high'].max():.1f}).",
        f"CP-SAT takes {factor} as long as MiniSat",
        "({} of {} intervals of ratios contain 1); implied totals".format(
            *re.findall(r"\d+", encodings_alone()[3])[1::-1]
        ),
        encodings_alone()[5].partition(", for")[0],
    ]


def cell(value: float) -> str:
    """As benchmarks' tables have numbers: three digits that count."""
    return f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"


def explanations() -> list[str]:
    names = {
        "label": "label by explanation", "label_today": "label of `difficulty`", "rounds": "rounds", "steps": "steps",
        "conflicts": "conflicts", "sweeps": "sweeps", "widest": "widest step",
    }  # fmt: skip
    more = {("label", "rounds"): "rounds of probing", ("label", "conflicts"): "conflicts of MiniSat"}
    said = [("label", "label_today"), ("label", "rounds"), ("label", "conflicts"), ("label", "sweeps"),
            ("steps", "sweeps"), ("widest", "conflicts"), ("rounds", "conflicts")]  # fmt: skip
    table = table_of("explained/correlations.csv").set_index(["first", "second"])
    rows = [
        f"| {names[one]}, {more.get((one, two), names[two])} | {row['n']:.0f} "
        f"| {row['rho']:.2f} ({row['low']:.2f} to {row['high']:.2f}) |"
        for one, two in said
        for row in [table.loc[(one, two)]]
    ]
    puzzles = table_of("explained/explained.csv")
    assert puzzles["solutions"].gt(1).sum() == 1
    several = f"One of the {puzzles['solutions'].notna().sum()} has several solutions"
    return [f"has the {len(puzzles)} published puzzles", several, *rows]


def before_and_after() -> list[str]:
    """What is said of two commits: sums of CPU time by class, later by earlier."""
    runs, table = table_of("compare/classes-runs.csv"), table_of("compare/classes.csv")
    table = table[table["which"].eq("new")].set_index("class")
    ratios = {name: intervals.ratio_of_sums(here["new_ms"], here["old_ms"]) for name, here in runs.groupby("class")}
    assert all(abs(table.loc[name, "sum_ratio"] - each.value) < 0.001 for name, each in ratios.items())
    assert set(runs["limit_s"]) == {20}
    assert all(each.high < 1 for each in ratios.values())
    least, most = (of(ratios, key=lambda name: ratios[name].value) for of in (min, max))
    one, two, three, four = (
        with_ends(ratios[f"{name}, {which}"]) for which in ("first", "second") for name in ("taai2011", "tcga2012")
    )
    return [
        f"between {ratios[least].value:.2f} ({least}) and {ratios[most].value:.2f} ({most}) of what they were",
        f"they are {one} and {two} for the first solution, {three} and {four} for the second",
    ]


def frontier() -> list[str]:
    """The rows of the table of `auto` and MiniSat, from the runs; the table of the benchmark says the same."""
    runs = table_of("frontier/frontier-runs.csv")
    runs["ended_s"] = runs["cpu_s"].where(runs["solved"], math.inf)
    assert (set(runs["limit_s"]), set(runs["density"])) == ({60}, {0.4})
    found, table = [], table_of("frontier/frontier.csv").set_index(["size", "solver"])
    for size, here in runs.groupby("size"):
        told = dict.fromkeys(("minisat22", "auto"), "not run")
        for solver, mine in here.groupby("solver"):
            assert mine["seed"].tolist() == list(range(20))
            middle = mine["ended_s"].median()
            median = f"median {middle:.2g} s" if math.isfinite(middle) else "median over the limit"
            told[str(solver)] = f"{mine['solved'].sum()} of 20, {median}"
            assert table.loc[(size, solver), "solved"] == mine["solved"].sum()
        found.append(f"| {size}x{size} at 40 %, first | {told['minisat22']} | {told['auto']} | |")
    return [*tournaments_by_board(), *found]


def tournaments_by_board() -> list[str]:
    """The rows of TAAI 2011, and what is said of the boards on which nothing was fitted."""
    first, second = (
        table_of(f"frontier/tournament-{which}.csv").pivot(index="puzzle", columns="solver", values="cpu_ms")
        for which in ("first", "second")
    )
    assert (len(first), second.index.tolist()) == (1000, list(range(1, 1001, 10)))
    assert all(table_of(f"frontier/tournament-{which}.csv")["solved"].all() for which in ("first", "second"))
    found = []
    for name, spent in (("all 1,000, first", first), ("every 10th, second", second)):
        sides = (spent[who] for who in ("minisat22", "auto"))
        told = [f"{side.sum() / 1000:.2f} s, median {side.median():.1f} ms" for side in sides]
        found.append(f"| TAAI 2011, {name} | {' | '.join(told)} | {by_board(spent)} |")
    fresh = first[first.index % 4 == 0]
    return [*found, f"it takes, of MiniSat's time, {by_board(fresh)}."]


def by_board(spent: pd.DataFrame) -> str:
    """`auto`'s time by MiniSat's, in sum and typically."""
    ours, theirs = spent["auto"], spent["minisat22"]
    both = intervals.ratio_of_sums(ours, theirs), intervals.median(ours / theirs)
    sums, typical = map(with_ends, both)
    return f"{sums} in sum, {typical} typically"


def with_ends(estimate: intervals.IntervalEstimate) -> str:
    """An estimate and its interval."""
    return f"{estimate.value:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"


def repairs() -> list[str]:
    """The table of decimation with restarts and with repairs, and what is said of it elsewhere."""
    runs = table_of("frontier/repairs.csv")
    runs["ended_s"] = runs["cpu_s"].where(runs["solved"], math.inf)
    found, ratios = [], {}
    for size, here in runs[runs["limit_s"].eq(60)].groupby("size"):
        spent = here.pivot(index="seed", columns="way", values="cpu_s")
        assert len(spent) == 60
        ratios[size] = intervals.median(spent["repairs"] / spent["restarts"])
        ways = here.groupby("way").agg({"solved": "sum", "ended_s": "median", "cpu_s": "sum"})
        told = [f"{way.solved:.0f}, median {way.ended_s:.2f} s, sum {way.cpu_s:.1f} s" for way in
                (ways.loc["restarts"], ways.loc["repairs"])]  # fmt: skip
        found.append(f"| {size}x{size} | {told[0]} | {told[1]} | {with_ends(ratios[size])} |")
    largest = runs[runs["limit_s"].eq(120)]
    assert set(largest["size"]) == {200}
    later = table_of("frontier/largest-runs.csv")
    assert (set(later["size"]), set(later["limit_s"]), len(later)) == ({200}, {120}, 20)
    assert all(estimate.high < 1 for size, estimate in ratios.items() if size > 40)
    found.append(
        f"Of {len(largest)} boards of 200x200 within 120 s {largest['solved'].sum()}, median "
        f"{largest['ended_s'].median():.0f} s"
    )
    ended = later["cpu_s"].where(later["solved"], math.inf)
    found.append(
        f"A later one solves {later['solved'].sum()} of {len(later)} within 120 CPU seconds, median "
        f"{ended.median():.0f} s"
    )
    return found


def rivals() -> list[str]:
    """The rows of the table of first solutions: `auto`, MiniSat, and whoever is named as the best of the others."""
    table = table_of("rivals/rivals.csv")
    first = table[table["question"].eq("first")].set_index(["set", "who"])
    page = (ROOT / "results/rivals/README.md").read_text(encoding="utf-8")
    found = []
    for line in re.findall(r"^[|] \d+x\d+ at \d+ % [|].*$", page, re.MULTILINE):
        name, _, _, best = (part.strip() for part in line.strip("|").split("|"))
        here = first.loc[name.replace(" at ", ", ")]
        mine = here.loc["nonosat, minisat22"] if "nonosat, minisat22" in here.index else None
        others = [who for who in here.index if best.startswith(who)]
        ours = "not run" if mine is None else "over the limit" if pd.isna(mine["median_ms"]) else ratio_of(mine)
        rest = f"{others[0]} {ratio_of(here.loc[others[0]])}" if others else "none"
        found.append(f"| {name} | {cell(here.loc['nonosat, auto', 'median_ms'])} | {ours} | {rest} |")
        if others:
            right = here[here["right"].eq(here["done"]) & ~here.index.str.startswith("nonosat")]
            assert here.loc[others[0], "median_ms"] == right["median_ms"].min(), name
    assert len(found) == 15
    stating = table[table["question"].eq("formula")].set_index(["who", "set"])["ratio"].dropna()
    least, most = stating.groupby("who").min(), stating.groupby("who").max()
    slow = "CPMpy, python-sat"
    records = table_of("rivals/records.csv")
    whole = records[records["question"].eq("process")].pivot_table(
        index=["set", "puzzle"], columns="who", values="cpu_ms"
    )
    for who in ("Pindakaas", "pysat.integer"):
        assert (whole[who] < whole["nonosat, auto"]).all()
    spans = [
        f"{cell(here[who].median())} ({cell(here[who].min())} to {cell(here[who].max())})"
        for _, here in whole.groupby("set")
        for who in ("nonosat, auto", "Pindakaas", "pysat.integer")
    ]
    picross = first.xs("picross-solver", level="who")[["done", "begun"]].astype(int)
    assert picross.loc[["30x30, 50 %", "20x20, 40 %"]].to_numpy().tolist() == [[2, 4], [1, 3]]
    return [
        *found,
        *spans,
        f"CPMpy takes {least[slow]:.0f} to {most[slow]:.0f} times as long, up to 30x30",
        "It solves two of the four that it began of 30x30 at 50 %, and one of three of 20x20 at 40 %.",
    ]


def cpmpy_examples() -> list[str]:
    """What results/rivals says of CPMpy's own examples: the fastest of our encodings for each model."""
    wide = table_of("rivals/cpmpy-examples.csv").pivot(index=["number", "model"], columns="route", values="cpu_s")
    wide = wide.droplevel("number")
    theirs = ["pysat", "pindakaas"]
    best = wide.drop(columns=theirs).min(axis=1)
    taken = wide[theirs].notna()
    assert not (best.isna() & taken.any(axis=1)).any()
    all_three = wide.assign(best=best)[best.notna() & taken.all(axis=1)]
    for other in theirs:
        slower = wide.index[best.notna() & taken[other] & (best > wide[other] + 0.1)]
        assert slower.tolist() == ["prob001_car_sequence"]
    sums, order_sums = (
        [all_three[mine].sum() / all_three[other].sum() for other in theirs] for mine in ("best", "order")
    )
    ratios = [(all_three["best"] / all_three[other].clip(lower=0.001)).median() for other in theirs]
    slower = [int((all_three["best"] > all_three[other]).sum()) for other in theirs]
    ends = []
    for other in theirs:
        found = intervals.ratio_of_sums(all_three["best"], all_three[other], 0, 10_000)
        ends.append(f"{found.low:.2f} to {found.high:.2f}")
    alone = int((best.notna() & ~taken.any(axis=1)).sum())
    cars = wide.loc["prob001_car_sequence"]
    return [
        f"The first model of {len(wide)} example scripts",
        f"On the {len(all_three)} models that all three take, it takes {sums[0]:.2f} ({ends[0]}) of the sum of "
        f"CPMpy's own route by python-sat and {sums[1]:.2f} ({ends[1]}) of that by Pindakaas (median of "
        f"ratios {ratios[0]:.2f} and {ratios[1]:.2f}), and `order` alone {order_sums[0]:.2f} and {order_sums[1]:.2f} "
        f"of these sums; {alone} models it takes alone",
        f"It is slower on {slower[0]} and {slower[1]} of the {len(all_three)}, by more than 0.1 s on one of them",
        f"({best['prob001_car_sequence']:.1f} s for {cars['pysat']:.1f} and {cars['pindakaas']:.1f})",
    ]


def test_medians_beside_rivals_are_those_of_the_records() -> None:
    keys = ["set", "question", "who"]
    records = table_of("rivals/records.csv")
    table = table_of("rivals/rivals.csv").set_index(keys)
    each = records.assign(cpu_ms=records["cpu_ms"].fillna(math.inf)).groupby(keys)["cpu_ms"].agg(["median", "size"])
    assert len(each) == len(table)
    assert each["size"].equals(table["begun"].reindex(each.index).astype("int64").rename("size"))
    medians = each["median"].replace(math.inf, math.nan)
    pd.testing.assert_series_equal(medians, table["median_ms"].reindex(each.index), check_names=False, atol=1e-4)


def ratio_of(row: pd.Series) -> str:
    left = "" if row["done"] == row["puzzles"] else f", {row['done']:.0f} of {row['begun']:.0f} solved"
    ends = str(row["ratio_interval"]).replace("..?", " to more").replace("..", " to ")
    return f"{cell(row['median_ms'])}: {cell(row['ratio'])} ({ends}){left}"


def front_page() -> list[str]:
    here = table_of("rivals/records.csv")
    here = here[here["question"].eq("process") & here["set"].eq("10x10, 50 %")].groupby("who")["cpu_ms"]
    here = here.agg(["median", "min", "max"]) / 1000

    def of(who: str, unit: str = "") -> str:
        middle, least, most = here.loc[who]
        return f"{middle:.2f}{unit} ({least:.2f} to {most:.2f})"

    return [
        f"`nonosat solve` takes {of('nonosat, auto', ' s of CPU time')} for a 10x10, Pindakaas {of('Pindakaas')}, "
        f"OR-Tools {of('OR-Tools, automata')}: medians, the least and the most of 5 boards, half filled"
    ]


def crossover() -> list[str]:
    """Tables, and the rule of thumb."""
    crossed, by_cell, cells, claims = (
        table_of(f"crossover/{name}.csv") for name in ("crossovers", "ratios", "cells", "verdicts")
    )
    pair = crossed["encoding"].eq("log+adder")

    def size(value: float) -> str:
        return "never" if math.isinf(value) else f"{value:,.0f}"

    def start(family: str, against: str) -> str:
        row = crossed[pair & crossed["family"].eq(family) & crossed["against"].eq(against)].iloc[0]
        return f"{size(row['crossover'])} | {size(row['low'])} to {size(row['high'])}"

    def times(family: str, domain: int) -> str:
        """``log+adder`` : ``order`` with its interval, as far as limits let it be known."""
        here = by_cell[by_cell["encoding"].eq("log+adder") & by_cell["against"].eq("order")]
        row = here[here["family"].eq(family) & here["domain"].eq(domain)].iloc[0]
        if row["ratio"] != row["ratio_upper"]:
            return "not known" if math.isinf(row["ratio_upper"]) else f"under {row['ratio_upper']:.2g}"
        if row["ratio_upper"] == 0:
            return "0"
        return f"{row['ratio']:.2g} ({row['low']:.2g} to {row['high']:.2g})"

    def faster(family: str) -> str:
        """The sizes at which the interval says that ``order`` is, that ``log+adder`` is, and neither."""
        here = by_cell[
            by_cell["encoding"].eq("log+adder") & by_cell["against"].eq("order") & by_cell["family"].eq(family)
        ]
        groups: list[list[str]] = [[], [], []]
        for row in here.to_dict("records"):
            groups[0 if row["low"] > 1 else 1 if row["high"] < 1 else 2].append(size(row["domain"]))
        return " | ".join(", ".join(group) or "no size" for group in groups)

    def cell(family: str, domain: int, encoding: str) -> pd.Series:
        return cells[cells["family"].eq(family) & cells["domain"].eq(domain) & cells["encoding"].eq(encoding)].iloc[0]

    def seconds(family: str, domain: int, encoding: str) -> str:
        return f"{cell(family, domain, encoding)['mean_s']:.2g} s"

    def settled(family: str, domain: int, encoding: str) -> str:
        row = cell(family, domain, encoding)
        return f"{row['solved'] or 'none'} of {row['runs']}"

    names = {one: one.replace("_", " ") for one in crossed["family"].unique()}
    many = crossed[pair & crossed["against"].eq("order")].set_index("family")["instances"]
    single = table_of("crossover/selection.csv").set_index("chooser").loc["single best"]
    instances = cells.loc[cells["encoding"].eq("cpsat"), "runs"].sum()
    runs = runs_of("crossover/crossover")
    named = runs["parameters"].map(lambda text: str(json.loads(text)["constraint"]))
    domain = runs["parameters"].map(lambda text: int(json.loads(text)["domain"]))
    rulers = runs[named.eq("all_different") & domain.eq(2000) & runs["encoding"].eq("order")]
    assert set(rulers["outcome"]) == {"MEMOUT"}
    sizes = (4, 32, 256, 2000, 10000)
    by_value = table_of("crossover/values-ratios.csv").set_index(["family", "domain", "encoding", "against"])

    def rounded(value: float) -> str:
        """Two digits, without an exponent."""
        return f"{float(f'{value:.2g}'):g}"

    def beside_order(family: str, domain: int, encoding: str) -> str:
        row = by_value.loc[(family, domain, encoding, "order")]
        if row["ratio"] != row["ratio_upper"] or math.isinf(row["ratio"]):
            return "over" if math.isinf(row["ratio"]) else f"over {rounded(row['ratio'])}"
        return f"{rounded(row['ratio'])} ({rounded(row['low'])} to {rounded(row['high'])})".replace("inf", "no bound")

    conflicts = by_value.loc[[(one, 32, "direct", "support") for one in names if one not in ("table", "element")]]
    fields = table_of("crossover/xcsp3.csv")
    ways = ("order", "coupled", "direct", "support", "log", "log+adder", "order<=256,log+adder", "cpsat")
    over = table_of("crossover/xcsp3-ratios.csv")
    assert set(over["instances"]) == {12}
    assert set(over["runs"]) == {48}

    def instance(name: str) -> str:
        here = fields[fields["instance"].eq(name)].set_index("encoding")
        told = [f"{here.loc[way, 'mean_s']:.2g} ({here.loc[way, 'solved']})" for way in ways]
        return f"| {name} | {size(here['domain_most'].max())} | {' | '.join(told)} |"

    def bounded(row: pd.Series) -> str:
        both = dict.fromkeys(f"{row[column]:.2g}" for column in ("ratio", "ratio_upper"))
        interval = f"{row['low']:.2g} to {row['high']:.2g}".replace("to inf", "to no bound")
        return f"| `{row['encoding']}` : `{row['against']}` | {' to '.join(both)} | {interval} |"

    shown = [("log+adder", "order"), ("coupled", "order"), ("log", "order"), ("direct", "order"), ("support", "order")]
    chosen = over.set_index(["encoding", "against"], drop=False)
    small = fields[fields["instance"].ne("SchedulingJS-min") & fields["encoding"].ne("cpsat")]
    least = small.set_index("encoding").groupby("instance")["mean_s"].idxmin()
    assert least.index[~least.isin(["order", "coupled"])].tolist() == ["NumberPartitioning-12"]
    assert least["NumberPartitioning-12"] == "log+adder"
    few = by_value.query("family in ('table', 'element') and domain <= 32 and against == 'order'")
    assert not by_value.query("against == 'order'")["high"].lt(1).any()
    return [
        *(
            f"| {name} | {' | '.join(beside_order(one, n, way) for way in ('direct', 'support') for n in sizes[:3])} |"
            for one, name in names.items()
        ),
        f"at 32 values they take {conflicts['ratio'].min():.1f} to {conflicts['ratio'].max():.1f} times as long",
        *map(instance, fields["instance"].unique()),
        *(bounded(chosen.loc[pair]) for pair in shown if pair in chosen.index),
        f"tables and elements of up to 32 values both take at most {few['ratio'].max():.2f} times as long as `order`",
        f"largest domain of {small['domain_most'].min()} to {small['domain_most'].max()} values",
        f"on {len(least) - 1} of the {len(least)} instances",
        *(f"| {name} | {many[one]} | {start(one, 'order')} | {start(one, 'coupled')} |" for one, name in names.items()),
        f"| family | {' | '.join(map(size, sizes))} |",
        f"({single['solved']:.0f} of {instances} instances settled, PAR10 {single['par10_s']:.1f} s, "
        f"{single['par10_low_s']:.1f} to {single['par10_high_s']:.1f})",
        f"of claim 1 the estimate is {start('linear', 'order').partition(' |')[0]}, and of claim 2 the sizes 4 and "
        "2,000 are not settled.",
        *(f"| {name} | {' | '.join(times(one, domain) for domain in sizes)} |" for one, name in names.items()),
        *(f"| {name} | {faster(one)} |" for one, name in names.items()),
        *(f"| {row['claim']} | {row['verdict']} | {row['by']} |" for row in claims.to_dict("records")),
        f"At 2,000 values `order` settles {settled('linear', 2000, 'order')} runs of sums within 10 s, and "
        f"{settled('all_different', 2000, 'order')} of rulers within 1,500 MiB; `log+adder` "
        f"{settled('linear', 2000, 'log+adder')} and {settled('all_different', 2000, 'log+adder')}.",
        f"At 2,000 values `coupled` settles {settled('element', 2000, 'coupled')} runs, `order` "
        f"{settled('element', 2000, 'order')}, `log+adder` {settled('element', 2000, 'log+adder')}, CP-SAT "
        f"{settled('element', 2000, 'cpsat')}; at 10,000 no way settles one.",
        f"At 2,000 values `log+adder` settles {settled('product', 2000, 'log+adder')} runs, `order` "
        f"{settled('product', 2000, 'order')}, CP-SAT {settled('product', 2000, 'cpsat')}.",
        f"({seconds('table', 2000, 'order')} in the mean for {seconds('table', 2000, 'cpsat')} on tables of 2,000 "
        f"values, {seconds('element', 256, 'order')} for {seconds('element', 256, 'cpsat')} on elements of 256)",
        f"on sums of 256 values it settles {settled('linear', 256, 'order<=256,log+adder')} runs, where `log+adder` "
        f"takes {cell('linear', 256, 'log+adder')['mean_s']:.2f} s in the mean.",
    ]


def other_encoders() -> list[str]:
    """CPMpy and `pysat.integer` on the instances of crossover."""
    cells = table_of("crossover/encoders-by-cell.csv").set_index(["family", "domain", "encoder"])
    beside = table_of("crossover/encoders-ratios.csv").set_index("against")
    runs = table_of("crossover/encoders.csv")
    ways = [
        "order", "log+adder", "cpmpy pysat", "cpmpy pindakaas", "cpmpy pindakaas order", "cpmpy pindakaas binary",
        "pysat.integer clauses", "pysat.integer propagated",
    ]  # fmt: skip

    def cell(family: str, domain: int, way: str) -> str:
        if (family, domain, way) not in cells.index:
            return "–"
        row = cells.loc[(family, domain, way)]
        assert row["instances"] == 4
        return f"{row['mean_s']:.2g} ({row['solved']:.0f})"

    def against(name: str) -> str:
        row = beside.loc[name]
        return f"{row['ratio']:.2g} ({row['low']:.2g} to {row['high']:.2g})"

    named = {"CPMpy": "CPMpy, the best of four", "pysat.integer": "`pysat.integer`, the better of two"}
    means = table_of("crossover/encoders-by-cell.csv").pivot(
        index=["family", "domain"], columns="encoder", values="mean_s"
    )
    failed = runs[runs["outcome"].eq("failed")]
    assert set(failed["encoder"]) == {"cpmpy pindakaas binary"}
    assert cells.loc[[("linear", 32, "cpmpy pysat"), ("linear", 32, "cpmpy pindakaas")], "solved"].eq(0).all()
    ours = means[["order", "log+adder"]].min(axis=1)
    theirs = means.drop(columns=["order", "log+adder"]).min(axis=1)
    faster = theirs.index[theirs < ours]
    small = [family.replace("_", " ") for family, domain in faster if domain == 4]
    larger = [f"{family} {domain}" for family, domain in faster if domain > 4]
    pairs = runs[["family", "domain"]].drop_duplicates().sort_values(["family", "domain"]).itertuples(index=False)
    return [
        *(f"| {one.replace('_', ' ')} {n:,} | {' | '.join(cell(one, n, way) for way in ways)} |" for one, n in pairs),
        *(f"| {words} | {beside.loc[name, 'instances']} | {against(name)} |" for name, words in named.items()),
        f"{len(runs)} runs",
        f"On {['no', 'one', 'two'][len(failed)]} instances of {' and '.join(failed['family'].unique())} its `binary` "
        "ends with an error",
        f"sums of 32 values take it more than 10 s, and {means['cpmpy pindakaas binary']['linear', 32]:.2g} s with "
        "`binary`",
        f"Another is faster than both of ours in {len(faster)} of the {len(means)} rows: at 4 values on "
        f"{', '.join(small)}; and on {', '.join(larger)}",
    ]


def propagation() -> list[str]:
    cell = table_of("transition/by-cell.csv").set_index(["n", "density"]).loc[(30, 0.4)]

    def told(of: str) -> str:
        return f"{cell[of]:.2f} s ({cell[f'{of}_low']:.2f} to {cell[f'{of}_high']:.2f})"

    return [
        f"30x30 at 40 %, in {told('beliefs_s')} in the mean, where MiniSat takes {told('find_s')}, of "
        f"{cell['asked']:.0f} boards"
    ]


SENTENCES: dict[str, Callable[[], list[str]]] = {
    "docs/propagation.md": propagation,
    "experiments/crossover/README.md": lambda: [*crossover(), *other_encoders()],
    "experiments/castilho2018/README.md": castilho,
    "README.md": front_page,
    "results/what-we-tried.md": tried,
    "experiments/drawn_and_random/README.md": drawn_and_random,
    "experiments/encodings/README.md": encodings,
    "experiments/majdandzic2022/README.md": majdandzic,
    "experiments/tournaments/README.md": tournaments,
    "experiments/walejko2022/README.md": walejko,
    "notebooks/01-castilho-welter-2018.ipynb": castilho_notebook,
    "experiments/transition/README.md": lambda: [*transition(), *four_solvers(), *finite_size()],
    "experiments/counting_encodings/README.md": counting,
    "experiments/certainty/README.md": certainty,
    "notebooks/02-which-encoding-wins-where.ipynb": lambda: [
        "costs" + encodings()[0].partition("`iff` costs")[2].partition(", under every")[0],
        encodings()[1].removeprefix("CP-SAT takes ").removesuffix(" as MiniSat"),
    ],
    "notebooks/04-the-transition.ipynb": lambda: [
        transition()[3],
        transition()[2].partition(": ")[2].replace(" (`", ", by `").partition(", by")[0],
    ],
    "notebooks/05-pictures-and-random-boards.ipynb": drawn_notebook,
    "notebooks/06-tournaments.ipynb": tournament_notebook,
    "results/compare/README.md": before_and_after,
    "results/counting/README.md": counted,
    "results/growth/README.md": by_size,
    "results/majdandzic2022/README.md": levels,
    "results/encodings-alone/README.md": encodings_alone,
    "results/explained/README.md": explanations,
    "results/frontier/README.md": lambda: [*frontier(), *repairs()],
    "results/rivals/README.md": lambda: [*rivals(), *cpmpy_examples()],
}
"""By page: what is said there of records."""


@pytest.mark.whole
@pytest.mark.parametrize("page", spread(SENTENCES, 3))
def test_sentences_agree_with_the_records(page: str) -> None:
    text = prose_of(page)
    missing = [sentence for sentence in SENTENCES[page]() if re.sub(r"\s+", " ", sentence) not in text]
    assert missing == []


LEFT = {
    "experiments/crossover/README.md": 0,
    "experiments/castilho2018/README.md": 0,
    "experiments/drawn_and_random/README.md": 0,
    "experiments/certainty/README.md": 0,
    "experiments/counting_encodings/README.md": 0,
    "experiments/encodings/README.md": 0,
    "experiments/majdandzic2022/README.md": 0,
    "experiments/tournaments/README.md": 0,
    "experiments/transition/README.md": 0,
    "experiments/walejko2022/README.md": 0,
}
"""Numbers of a study's section "What came out" that no sentence above reads: none may be added."""


@pytest.mark.parametrize("page", LEFT)
def test_numbers_of_what_came_out_are_read(page: str) -> None:
    section = prose_of(page).partition("## What came out")[2].partition(" ## ")[0]
    for sentence in SENTENCES[page]():
        section = section.replace(re.sub(r"\s+", " ", sentence), "")
    names = [
        r"`[^`]*`",
        r"\[[^]]*\]\([^)]*\)",
        r"\d+x\d+",
        r"[\d.]+ (to [\d.]+ )?%",
        r"\b2-?alt\S*",
        "figures 5.1 to 5.7",
    ]
    for name in (*names, r"\b[2-6]([+][46])?\b(?![.,]\d)"):  # the last are rules and phases
        section = re.sub(name, "", section)
    assert len(re.findall(r"\d[\d.,]*", section)) == LEFT[page], re.findall(r".{20}\d[\d.,]*.{10}", section)
