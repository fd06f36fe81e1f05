"""What was measured beside the result: wrong answers, sizes of formulas, and times along what the study varies."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from nonosat.experiments.analysis import intervals
from nonosat.experiments.analysis.axes import Axis
from nonosat.experiments.analysis.report.study import Study
from nonosat.experiments.analysis.sheets.sheet import Column, Sheet
from nonosat.experiments.analysis.summary import counted, report_counts, survival_of

MOST_VALUES = 8
MOST_CONFIGURATIONS = 6


def wrong_sheet(study: Study) -> Sheet:
    """Configurations with wrong answers; those whose encoding is said to be sound first."""
    answers = study.runs[report_counts(study.runs)]
    rows = []
    for name, here in answers.groupby("configuration"):
        wrong, unsat = int(here["wrong"].sum()), int(here["false_unsat"].sum())
        if wrong + unsat:
            share = intervals.wilson(wrong + unsat, len(here))
            sound = here["sound"].fillna(True).astype(bool).all()
            rows.append((name, "yes" if sound else "no", len(here), wrong, unsat, share.value, share.low, share.high))
    names = ["configuration", "sound", "answers", "wrong", "false_unsat", "share", "low", "high"]
    table = pd.DataFrame(rows, columns=names).sort_values(["sound", "share"], ascending=False, kind="stable")
    columns = [
        Column("configuration", "configuration"),
        Column("sound", "said to be sound", meaning="if so, somebody has a bug"),
        Column("answers", "answers", "count"),
        Column("wrong", "wrong pictures", "count", meaning="pictures that break the clues"),
        Column("false_unsat", "false UNSAT", "count", meaning="UNSAT, of a board that has a solution"),
        Column("share", "share wrong", "share", "low", "high", meaning="with Wilson's 95 % interval"),
    ]
    caption = f"Wrong answers among {len(answers):,}; all others have none."
    return Sheet("wrong", caption, table, columns, True)


def wrong_words(study: Study) -> str:
    """What the page says first when there are wrong answers."""
    runs = study.runs
    bad = runs[runs["wrong"] | runs["false_unsat"]]
    sound = int(bad["sound"].fillna(True).astype(bool).sum())
    told = f"{len(bad):,} of {len(runs):,} runs gave a wrong answer; they count as unsolved in all that follows. "
    if sound:
        return told + f"{sound:,} of them with an encoding or solver that is said to be right: somebody has a bug."
    return told + "All of them with encodings that are known to let wrong answers through."


def formulas_sheet(study: Study) -> Sheet | None:
    """The formulas' sizes by encoding, medians over the boards that all encodings have a formula of."""
    known = study.runs[study.runs["variables"].notna() & study.runs["label"].ne("")]
    once = known.drop_duplicates(["instance", "label"])
    counts = once.groupby("instance")["label"].nunique()
    common = once[once["instance"].isin(counts[counts.eq(once["label"].nunique())].index)]
    if common.empty:
        return None
    rows = []
    for label, here in common.groupby("label", sort=False):
        middle = {name: here[name].astype("Float64").median() for name in _SIZES}
        rows.append({"label": label, **middle, "most": int(here["clauses"].max())})
    table = pd.DataFrame(rows).sort_values("clauses", kind="stable")
    columns = [
        Column("label", "encoding"),
        Column("variables", "variables", "count", best="least"),
        Column("clauses", "clauses", "count", best="least"),
        Column("most", "most clauses", "count", best="least", meaning="of the largest formula"),
        Column("encode_cpu_s", "encoding, CPU time", "seconds", best="least"),
        Column("load_cpu_s", "loading, CPU time", "seconds", best="least", meaning="into the first solver"),
        Column("encode_peak_mb", "peak memory", "mib", best="least", meaning="resident, of the process that encodes"),
    ]
    here, all_boards = common["instance"].nunique(), known["instance"].nunique()
    boards = counted(here, "board")
    caption = f"Formulas, medians over {boards}."
    if here < all_boards:
        caption = f"Formulas, medians over the {boards} (of {all_boards:,}) whose formulas are known in all encodings."
    return Sheet("formulas", caption, table, columns, True)


_SIZES = ("variables", "clauses", "encode_cpu_s", "load_cpu_s", "encode_peak_mb")


def axis_sheets(study: Study) -> Iterator[Sheet]:
    """A table for each axis: the median time of each configuration, and how many are solved where not all are."""
    for axis in study.axes:
        turned = len(axis.values) > MOST_VALUES
        names = study.names[:MOST_CONFIGURATIONS] if turned else study.names
        cells = _cells(study, axis, names)
        if cells.empty:
            continue
        rows, columns = (axis.name, "configuration") if turned else ("configuration", axis.name)
        heads = names if turned else list(axis.values)
        order = list(axis.values) if turned else names
        wide = _wide(cells, rows, columns, order, heads)
        unit = " %" if axis.words.endswith(", %") else ""
        shown = [Column(rows, axis.words if turned else "configuration")]
        for head in heads:
            told = head if turned else f"{axis.words.removesuffix(', %')} {head}{unit}"
            shown.append(
                Column(
                    head, told, "seconds", best="" if turned else "least", beyond=study.limit, after=f"{head} solved"
                )
            )
        caption = f"Median {study.clock.words} by {axis.words.removesuffix(', %')}"
        caption += (
            "; in brackets solved of runs." if wide[[f"{head} solved" for head in heads]].ne("").any(axis=None) else "."
        )
        yield Sheet(f"by-{axis.name}", caption, wide, shown)


def _cells(study: Study, axis: Axis, names: list[str]) -> pd.DataFrame:
    runs = study.runs[study.runs["configuration"].isin(names)]
    rows = []
    for (value, name), here in runs.groupby([axis.of[runs.index], "configuration"]):
        solved = int(here["solved"].sum())
        told = "" if solved == len(here) else f"({solved}/{len(here)})"
        rows.append((value, name, survival_of(here, study.clock.column).median().value, told))
    return pd.DataFrame(rows, columns=[axis.name, "configuration", "median", "told"])


def _wide(cells: pd.DataFrame, rows: str, columns: str, order: list[str], heads: list[str]) -> pd.DataFrame:
    made = cells.pivot(index=rows, columns=columns, values="median").reindex(index=order, columns=heads)
    told = cells.pivot(index=rows, columns=columns, values="told").reindex(index=order, columns=heads).fillna("")
    for head in heads:
        made[f"{head} solved"] = told[head]
    made = made[made[heads].notna().any(axis=1)] if len(made) else made
    return made.reset_index().rename_axis(columns=None)
