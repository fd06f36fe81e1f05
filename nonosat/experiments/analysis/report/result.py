"""The result: configurations in their order, how they differ from the first, and a paragraph that says so."""

from __future__ import annotations

import math

import pandas as pd

from nonosat.experiments.analysis.paired import FASTER, SLOWER, differences
from nonosat.experiments.analysis.ranking import VIRTUAL
from nonosat.experiments.analysis.report.study import Study
from nonosat.experiments.analysis.sheets.sheet import Column, Sheet
from nonosat.experiments.analysis.summary import counted

MOST_TOLD = 3
"""Configurations that the paragraph tells of, beside the first."""


def ranking_sheet(study: Study) -> Sheet:
    """The ranking; columns of outcomes that nothing had are left out."""
    table, limit = study.ranked, study.limit
    columns = [
        Column("rank", "", "count"),
        Column("encoding", "encoding"),
        Column("solver", "solver"),
        Column("solved", "solved", "count", best="most", meaning="runs with a right result"),
        *_outcomes(table),
        Column("par2_s", f"PAR2 ({study.clock.words})", "seconds", "par2_low_s", "par2_high_s", best="least",
               meaning="mean time, twice the limit where there is no result; with the bootstrap's 95 % interval"),
        Column("median_s", "median", "seconds", "median_low_s", "median_high_s", best="least", beyond=limit,
               meaning="Kaplan-Meier's median, with Brookmeyer & Crowley's 95 % interval"),
        Column("fastest", "fastest on", "count", best="most", meaning="boards on which no other is faster"),
        Column("first", "first in", "share", best="most",
               meaning="bootstrap samples of the boards in which it has the least PAR2"),
    ]  # fmt: skip
    shown = table.assign(encoding=table["encoding"].where(table["configuration"].ne(VIRTUAL), VIRTUAL))
    boards = int(table["boards"].max()) if len(table) else 0
    runs = study.runs
    reps = runs["repetition"].nunique()
    caption = (
        f"Encodings and solvers on {counted(boards, 'board')}{f', {reps} runs each' if reps > 1 else ''}, best first"
    )
    if math.isfinite(limit):
        caption += f"; limit {limit:g} s"
    left = runs["instance"].nunique() - boards
    note = f"Left out: {counted(left, 'board')} that not every configuration has run on. " if left else ""
    note += "Bold: the best of a column. Virtual best: on each board what was fastest there." if len(table) else ""
    note += " First in: of the bootstrap's samples of the boards." if table["first"].notna().any() else ""
    return Sheet("result", caption + ".", shown, columns, True, int(table["configuration"].eq(VIRTUAL).sum()), note)


def _outcomes(table: pd.DataFrame) -> list[Column]:
    heads = {"wrong": "wrong", "over": "over a limit", "failed": "failed"}
    return [Column(name, head, "count") for name, head in heads.items() if table[name].fillna(0).any()]


def crossed_sheet(study: Study) -> Sheet | None:
    """PAR2 of each encoding under each solver; None unless there are several of both."""
    table = study.ranked[study.ranked["encoding"].ne("")]
    wide = table.pivot_table(index="encoding", columns="solver", values="par2_s", sort=False)
    if min(wide.shape) < 2:
        return None
    columns = [Column("encoding", "encoding")]
    columns += [Column(name, name, "seconds", best="least") for name in map(str, wide.columns)]
    caption = f"PAR2 ({study.clock.words}) of each encoding by solver; bold: a solver's best encoding."
    return Sheet("encodings-by-solvers", caption, wide.reset_index(), columns)


def differences_table(study: Study) -> pd.DataFrame:
    """All against the first, in the ranking's order."""
    if len(study.names) < 2:
        return pd.DataFrame()
    found = differences(study.runs, study.clock, study.names[0], study.seed)
    return found.set_index("configuration").reindex(study.names[1:]).reset_index()


def differences_sheet(study: Study, table: pd.DataFrame) -> Sheet:
    """What the others take of the first one's time, on the same boards."""
    first = study.names[0]
    same = table["boards"].nunique() == 1
    columns = [
        Column("configuration", "configuration"),
        *([] if same else [Column("boards", "boards", "count")]),
        Column("solved_more", "solved only by it", "count"),
        Column("solved_less", "solved only by the first", "count"),
        Column("faster", "faster on", "count", meaning="boards on which it is faster, for sure"),
        Column("slower", "slower on", "count", meaning="boards on which it is slower, for sure"),
        Column("ratio", "times as long", "factor", "ratio_low", "ratio_high", "ratio_upper",
               meaning="the median of the boards' ratios of times, with its bounds where limits hide it"),
        Column("par2_s", "PAR2 less the first's", "seconds", "par2_low_s", "par2_high_s", signed=True),
        Column("verdict", "by PAR2"),
    ]  # fmt: skip
    boards = f" on {counted(int(table['boards'].iloc[0]), 'board')}" if same and len(table) else ""
    caption = f"Against {first}{boards}, board by board, with 95 % intervals of the paired bootstrap."
    note = "Each interval is for itself: of twenty one may err. The first was chosen by the same records."
    return Sheet("differences", caption, table, columns, True, note=note)


def paragraph(study: Study, table: pd.DataFrame) -> list[str]:
    """The result in a few sentences."""
    ranked = study.ranked[study.ranked["configuration"].ne(VIRTUAL)]
    if ranked.empty:
        return ["There is no board that every configuration has run on: nothing can be compared yet."]
    sheet = ranking_sheet(study)
    at = [column.name for column in sheet.columns].index("par2_s")
    unit = sheet.heads()[at].rpartition(", ")[2]
    par2 = [row[at].text for row in sheet.cells()]
    best = ranked.iloc[0]
    if not best["solved"]:
        return ["No run of any configuration has a right result."]
    runs = int(best["solved"] + best["wrong"] + best["over"] + best["failed"])
    told = f"{best['configuration']} solved {int(best['solved']):,} of {runs:,} runs"
    told += f", PAR2 {par2[0]} {unit}" if not math.isnan(best["par2_s"]) else ""
    if len(ranked) == 1:
        return [f"{told}."]
    told += ", the best of " + f"{len(ranked):,}"
    if not math.isnan(best["first"]):
        told += f"; it comes first in {100 * best['first']:.3g} % of resamplings of the {int(best['boards']):,} boards"
    sentences = [told + "."]
    if math.isnan(best["first"]) and best["boards"] < 6:
        few = int(best["boards"])
        sentences.append(f"{counted(few, 'board')} {'is' if few == 1 else 'are'} too few to say how sure that is.")
    solved = dict(zip(ranked["configuration"], ranked["solved"], strict=True))
    for row in table.head(MOST_TOLD).to_dict("records"):
        name = row["configuration"]
        none = f"{name} solved nothing."
        sentences.append(_compared(row) if solved.get(name, 1) else none)
    virtual = study.ranked[study.ranked["configuration"].eq(VIRTUAL)]
    if len(virtual) and not math.isnan(virtual["par2_s"].iloc[0]):
        sentences.append(f"Whoever chose the best for each board would have PAR2 {par2[-1]} {unit}.")
    return sentences


def _compared(row: dict[str, object]) -> str:
    """``b takes 1.50 times as long on the typical board [1.20, 1.90]; its PAR2 is 3 s higher [1, 5].``."""
    ratio, low, high, upper = (float(str(row[name])) for name in ("ratio", "ratio_low", "ratio_high", "ratio_upper"))
    name = str(row["configuration"])
    if math.isinf(ratio):
        return f"{name} solves so little that no ratio can be told."
    told = f"{name} takes {ratio:.2f} times as long on the typical board"
    told = told.replace("takes ", "takes at least ") if math.isinf(upper) else told
    if not math.isnan(low):
        told += f" [{low:.2f}, {'∞' if math.isinf(high) else f'{high:.2f}'}]"
    less = int(str(row["solved_less"])) - int(str(row["solved_more"]))
    told += f", solves {less} fewer" if less > 0 else f", solves {-less} more" if less < 0 else ""
    more, at_least, at_most = (float(str(row[name])) for name in ("par2_s", "par2_low_s", "par2_high_s"))
    if row["verdict"] not in (SLOWER, FASTER):
        return f"{told}; whether its PAR2 differs is not settled."
    ends = sorted((abs(at_least), abs(at_most)))
    word = "higher" if more > 0 else "lower"
    scale, unit = (1.0, "s") if ends[1] >= 1 else (1000.0, "ms")
    by, low_end, high_end = (_number(scale * value) for value in (abs(more), *ends))
    return f"{told}; its PAR2 is {by} {unit} {word} [{low_end}, {high_end}]."


def _number(value: float) -> str:
    """Three digits, or all before the point.

    >>> _number(0.01234), _number(1234.5)
    ('0.0123', '1,234')
    """
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
