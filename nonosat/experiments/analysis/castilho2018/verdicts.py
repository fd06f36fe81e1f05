"""Every claim of the report (ch. 5.3 and 6) with a number, its interval, and what that says of the claim.

``claims`` asks of one size and one reading at a time whether the report's curves have the shape that it tells. Here a
claim is one number over all boards of the grid, rules 4 and 6 read as the report's prose says: mostly the median of the
boards' ratios, with the paired bootstrap's 95 % interval. Wrong pictures count as the report counts them, as answers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from nonosat.experiments.analysis import intervals
from nonosat.experiments.analysis.boards import Clock, clock_of, latest
from nonosat.experiments.analysis.castilho2018.differences import time_peaks
from nonosat.experiments.analysis.castilho2018.figures import DOMAINS, RULES, of_report
from nonosat.experiments.analysis.castilho2018.predicates import CLOSE, FEW, MUCH, quotient
from nonosat.experiments.analysis.castilho2018.ratios import Pair, decisions_of, growth_of, times_of
from nonosat.experiments.analysis.frames import densities, sizes, values_of
from nonosat.experiments.analysis.ranking import FEWEST, ends, samples_of
from nonosat.experiments.analysis.sheets.sheet import Column, Sheet
from nonosat.experiments.analysis.sheets.written import markdown
from nonosat.experiments.analysis.summary import report_counts
from nonosat.experiments.analysis.survival import Estimate
from nonosat.files import made_folder, write_atomically

HOLDS, FAILS, OPEN = "holds", "does not hold", "cannot be told"
MINISAT = "minisat22"
DENSE, SPARSE = (0.4, 0.5), (0.1, 0.2, 0.3)

Range = tuple[float, float]
"""What a claim says of its number, both ends included."""
VERY_FEW, HALF, LESS, NO_LESS = (0.0, FEW), (0.0, 1 / MUCH), (0.0, math.nextafter(1, 0)), (1.0, math.inf)
SAME, SLOWER, STABLE = (1 / CLOSE, CLOSE), (MUCH, math.inf), (0.0, math.nextafter(MUCH, 0))
DIFFERENT, ALIKE = (math.nextafter(CLOSE, 2), math.inf), (0.0, CLOSE)
AT_40, SELDOM = (0.399, 0.401), (0.0, 0.05)


class Row(NamedTuple):
    """One number that a claim rests on; ``boards``: how many it is of, ``over``: runs of them that a limit ended."""

    claim: str
    measured: str
    solver: str
    boards: int
    over: int
    value: float
    low: float
    high: float
    verdict: str


def verdicts(frame: pd.DataFrame) -> pd.DataFrame:
    """A row a number, in the order of the report's claims, with the fields of ``Row``, where there are boards."""
    runs = latest(of_report(frame))
    counted = runs.assign(solved=report_counts(runs))
    minisat = counted[counted["solver"].eq(MINISAT)]
    if minisat.empty:
        return pd.DataFrame(columns=list(Row._fields))
    rows = [*_solvers_differ(counted), *_decisions(minisat), *_near_fifty(minisat), *_times(minisat, clock_of(frame))]
    rows += [*_along_density(minisat, clock_of(frame)), *_peaks(runs), *_over(minisat), *_wrong(minisat)]
    return pd.DataFrame([row for row in rows if row.boards], columns=list(Row._fields))


def sheet(table: pd.DataFrame) -> Sheet:
    """The table as it is read."""
    columns = [
        Column("claim", "the report says"),
        Column("measured", "measured"),
        Column("solver", "solver"),
        Column("boards", "boards", "count"),
        Column("over", "over the limit", "count", meaning="runs of these boards that a limit ended"),
        Column("value", "value", "factor", "low", "high", meaning="with its 95 % interval"),
        Column("verdict", "verdict"),
    ]
    caption = "What Castilho & Welter's report claims, each claim as a number over all boards, with its 95 % interval."
    return Sheet("verdicts", caption, table, columns, True)


def write(frame: pd.DataFrame, folder: str | Path) -> None:
    """Write ``verdicts.csv`` and ``verdicts.md``; results/ has them."""
    out, table = made_folder(folder), verdicts(frame)
    write_atomically(out / "verdicts.csv", table.to_csv(index=False, float_format="%.6g"))
    write_atomically(out / "verdicts.md", markdown(sheet(table)))


def judged(found: Estimate, claimed: Range) -> str:
    """What an interval says of the range that is claimed: it lies inside, outside, or neither.

    >>> judged(Estimate(0.2, 0.1, 0.24), (0, 0.25)), judged(Estimate(0.2, 0.1, 0.3), (0, 0.25))
    ('holds', 'cannot be told')
    >>> judged(Estimate(1.0, 0.5, 2.0), (0.8, 1.25)), judged(Estimate(2.0, 1.5, 2.5), (0.8, 1.25))
    ('cannot be told', 'does not hold')
    """
    if np.isnan([found.low, found.high]).any():
        return OPEN
    if claimed[0] <= found.low and found.high <= claimed[1]:
        return HOLDS
    return FAILS if found.high < claimed[0] or claimed[1] < found.low else OPEN


def _row(claim: str, measured: str, pair: Pair, claimed: Range, solver: str = MINISAT) -> Row:
    found = pair.found
    return Row(
        claim, measured, solver, pair.boards, pair.over, found.value, found.low, found.high, judged(found, claimed)
    )


def _solvers_differ(runs: pd.DataFrame) -> Iterator[Row]:
    claim = "only MiniSAT's decisions differ between the rules"
    for solver in values_of(runs, "solver"):
        here = runs[runs["solver"].eq(solver) & runs["size"].eq(sizes(runs)[0]) & runs["solved"]]
        table = here.assign(value=here["decisions"].astype("float64"))
        wide = table.pivot_table(index="instance", columns="report_name", values="value").dropna()
        if wide.shape[1] < 2 or len(wide) < FEWEST:
            continue
        means = np.vstack([wide.mean().to_numpy(), samples_of(len(wide), 0) @ wide.to_numpy()])
        spread = quotient(means.max(axis=1), means.min(axis=1))
        found = Estimate(float(spread[0]), *ends(spread[1:]))
        measured = f"most by least mean decisions of {wide.shape[1]} encodings, {sizes(runs)[0]}"
        yield _row(claim, measured, Pair(len(wide), 0, found), DIFFERENT if solver == MINISAT else ALIKE, solver)


def _decisions(runs: pd.DataFrame) -> Iterator[Row]:
    for rule in RULES:
        found = decisions_of(runs, f"2alt/{rule}", f"2/{rule}")
        yield _row("2-alt needs far fewer decisions than 2", f"2alt/{rule} by 2/{rule}", found, HALF)
    for d in DOMAINS:
        for rule in ("6", "5+6"):
            for shares, where in (((), ""), ((0.4,), " at 40 %")):
                few = decisions_of(runs, f"{d}/{rule}", f"{d}/3", shares)
                yield _row("6 and 5+6 need very few decisions", f"{d}/{rule} by {d}/3{where}", few, VERY_FEW)
    for d in DOMAINS:
        yield _row("5 needs about as many decisions as 3", f"{d}/5 by {d}/3", decisions_of(runs, f"{d}/5", f"{d}/3"),
                   SAME)  # fmt: skip
    for d in DOMAINS:
        found = decisions_of(runs, f"{d}/6", f"{d}/4")
        yield _row("6 needs far fewer decisions than 4", f"{d}/6 by {d}/4", found, HALF)
    for closed, rule in (("5", "3"), ("6", "4"), ("5+6", "3+4")):
        found = decisions_of(runs, f"2alt/{closed}", f"2alt/{rule}")
        yield _row("the closure lowers the decisions", f"2alt/{closed} by 2alt/{rule}", found, LESS)


def _near_fifty(runs: pd.DataFrame) -> Iterator[Row]:
    """The ratio to rule 3 on dense boards, by that on sparser ones; intervals by their ends, so wide ones."""
    for name, against in (("2/6", "2/3"), ("2/5+6", "2/3"), ("2alt/6", "2alt/3"), ("2alt/5+6", "2alt/3")):
        rest = decisions_of(runs, name, against, SPARSE)
        for share in DENSE:
            dense = decisions_of(runs, name, against, (share,))
            a, b = dense.found, rest.found
            with np.errstate(divide="ignore", invalid="ignore"):
                value, low, high = np.array([a.value, a.low, a.high]) / np.array([b.value, b.high, b.low])
            found = Estimate(float(value), float(low), float(high))
            pair = Pair(dense.boards + rest.boards if dense.boards else 0, dense.over + rest.over, found)
            measured = f"({name} by {against}) at {100 * share:g} %, by that at 10 to 30 %"
            yield _row("and fewest near 50 %", measured, pair, LESS)


def _times(runs: pd.DataFrame, clock: Clock) -> Iterator[Row]:
    for rule in RULES:
        found = times_of(runs, clock, f"2alt/{rule}", f"2/{rule}")
        yield _row("2-alt is faster than 2, but with 3+4", f"2alt/{rule} by 2/{rule}", found,
                   LESS if rule != "3+4" else NO_LESS)  # fmt: skip
    for other in ("3", "4", "5", "3+4", "5+6"):
        found = times_of(runs, clock, "2alt/6", f"2alt/{other}")
        yield _row("6 is much better than all others", f"2alt/6 by 2alt/{other}", found, HALF)


def _along_density(runs: pd.DataFrame, clock: Clock) -> Iterator[Row]:
    """Mean times at two densities, of runs within the limit; those over it count the limit, so from below."""
    rising = {"2alt/5": True, "2alt/3+4": True, "2/3+4": True}
    names = [f"{d}/{rule}" for rule in RULES for d in DOMAINS]
    size = sizes(runs)[0]
    for name in names:
        growth = growth_of(runs, clock, name, size, 0.1, 0.4)
        word = "5 with 2-alt and 3+4 get slower with density, the others are stable"
        rises = rising.get(name, False)
        yield _row(word, f"{name}: mean time at 40 % by that at 10 %, {size}", growth,
                   SLOWER if rises else STABLE)  # fmt: skip
    for name in ("2alt/5+6", "2alt/3"):
        for large in sizes(runs):
            falls = growth_of(runs, clock, name, large, 0.3, 0.5)
            if falls.boards >= 2 * FEWEST:
                yield _row("5+6 gets far faster on dense boards", f"{name}: mean time at 50 % by that at 30 %, {large}",
                           falls, HALF)  # fmt: skip


def _peaks(runs: pd.DataFrame) -> Iterator[Row]:
    """Where mean times are highest, a run over the limit counting the limit."""
    claim = "the time peaks at 40 %"
    table = time_peaks(runs[runs["solver"].eq(MINISAT)], at_limit=True)
    reach = runs[runs["solver"].eq(MINISAT)].groupby("size")["density"].agg(set)
    whole = [str(size) for size, known in reach.items() if {0.3, 0.4, 0.5} <= known]
    for told in table[table["encoding"].isin(["2alt/3", "2alt/6"]) & table["size"].isin(whole)].itertuples():
        here = runs[runs["solver"].eq(MINISAT) & runs["size"].eq(told.size) & runs["report_name"].eq(told.encoding)]
        found = Estimate(float(told.peak), float(told.low), float(told.high))
        measured = f"{told.encoding}: density of the highest mean time, {told.size}"
        yield _row(claim, measured, Pair(here["instance"].nunique(), int(told.over), found),
                   AT_40)  # fmt: skip


def _over(runs: pd.DataFrame) -> Iterator[Row]:
    """The share of runs over the limit by size, of the densities that were run; more than at the smallest size."""
    most = 0.0
    for size in sizes(runs):
        here = runs[runs["size"].eq(size) & runs["report_name"].eq("2alt/3")]
        over = int(here["censored"].sum())
        found = intervals.wilson(over, len(here))
        told = ", ".join(f"{100 * density:g}" for density in densities(here))
        if size == sizes(runs)[0]:
            most = found.high
        elif size != "30x30":
            measured = f"2alt/3: share over the limit, {size} at {told} %"
            yield _row("time-outs are more at 40x40 and 50x50", measured, Pair(len(here), over, found),
                       (math.nextafter(most, 1), 1.0))  # fmt: skip


def _wrong(runs: pd.DataFrame) -> Iterator[Row]:
    for rules in (("4",), ("6",), ("3", "5", "3+4", "5+6")):
        here = runs[runs["rules"].isin(rules) & runs["solved"]]
        found = intervals.wilson(int(here["wrong"].sum()), len(here))
        yield _row("(not asked:) the pictures are right", f"rules {', '.join(rules)}: share of wrong pictures",
                   Pair(here["instance"].nunique(), 0, found), SELDOM)  # fmt: skip
