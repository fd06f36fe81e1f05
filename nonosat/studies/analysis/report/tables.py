"""What a report is of, and its tables: the ranking of the configurations, how they differ, and a paragraph of text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from typing import Any

import pandas as pd

from nonosat.runs.events import Verdict
from nonosat.studies.analysis import html
from nonosat.studies.analysis.axes import FILE, Axis, axes_of, file_names
from nonosat.studies.analysis.boards import Clock, clock_by, latest, limits_of
from nonosat.studies.analysis.ranking import FASTER, SLOWER, VIRTUAL, differences, ranking
from nonosat.studies.analysis.selection import CHOOSER, selection
from nonosat.studies.analysis.sheets import Column, Sheet
from nonosat.studies.analysis.summary import (
    boards_in,
    counted,
    counts_line,
    ended_runs,
    limit_of,
    share_of,
    survival_of,
    thing_of,
)  # fmt: skip
from nonosat.studies.counters import COUNTERS


@dataclass(frozen=True)
class ReportedStudy:
    """The records of a study, and what its report derives from them.

    ``by``: what the configurations are ranked by, one of ``boards.BY``. ``whole``: all records. ``state``: a sentence
    about how complete these are. The properties are of the runs that ended, each in its latest version.
    """

    whole: pd.DataFrame
    title: str
    toml: str = ""
    provenance: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    seed: int = 0
    by: str = "total"
    state: str = ""

    @cached_property
    def runs(self) -> pd.DataFrame:
        """The runs that count."""
        return latest(self.whole)

    @cached_property
    def clock(self) -> Clock:
        """What is compared: times, or a counter of the solvers."""
        return clock_by(self.runs, self.by)

    @property
    def times(self) -> Clock:
        """The times that figures show: of what is compared, or all, if that is a count."""
        return self.clock if self.clock.time else clock_by(self.runs, "total")

    @cached_property
    def axes(self) -> list[Axis]:
        """What the study varies."""
        return axes_of(self.runs)

    @cached_property
    def ranked(self) -> pd.DataFrame:
        """The configurations, the best first, and the virtual best."""
        return ranking(self.runs, self.clock, self.seed)

    @cached_property
    def thing(self) -> str:
        """What the runs are on, in a word."""
        return thing_of(self.runs)

    @property
    def limit(self) -> float:
        """The limit on time; NaN if there is none, or several."""
        return limit_of(self.runs)

    @cached_property
    def names(self) -> list[str]:
        """The configurations in their order, also those that the ranking's boards leave out."""
        ranked = [str(name) for name in self.ranked["configuration"] if name != VIRTUAL]
        return ranked + sorted(set(self.runs["configuration"].dropna()) - set(ranked))

    def of_names(self, column: str) -> list[str]:
        """The values of ``label`` or ``solver`` in the order of their best configuration."""
        found = self.runs.drop_duplicates("configuration").set_index("configuration")[column]
        return list(dict.fromkeys(str(found[name]) for name in self.names))

    @property
    def right(self) -> bool:
        """Whether no answer was found to be wrong."""
        return not (self.runs["wrong"].any() or self.runs["false_unsat"].any())


# Files with many puzzles, such as those of tournaments: the result of each configuration on each file.


ALL = "all files"
COLUMNS = (
    *("file", "configuration", "puzzles", "solved", "share", "share_low", "share_high"),
    *("sum_s", "median_s", "median_low_s", "median_high_s", "most_s"),
)


def by_collection(runs: pd.DataFrame, clock: Clock) -> pd.DataFrame:
    """A row a file and configuration, over the puzzles that all configurations have run on; then all files together.

    ``sum_s``: an unsolved run counts as its limit, as the tournaments do; infinite without one. ``median_s`` is Kaplan
    & Meier's, with Brookmeyer & Crowley's 95 % interval, ``share`` solved with Wilson's; ``most_s``: the longest that
    was solved. ``solved`` and ``sum_s`` count repetitions as runs of their own; intervals are over puzzles. Empty if no
    file has several puzzles.
    """
    names = runs["configuration"].nunique()
    here = runs[runs["instance"].str.startswith("file/").fillna(False)]
    met = here.groupby("instance")["configuration"].nunique()
    here = here[here["instance"].isin(met[met.eq(names)].index)]
    here = here.assign(source=file_names(here))
    sizes = here.groupby("source")["instance"].nunique()
    here = here[here["source"].isin(sizes[sizes.gt(1)].index)]
    rows = [_row(str(file), str(name), some, clock) for (file, name), some in here.groupby(["source", "configuration"])]
    if here["source"].nunique() > 1:
        rows += [_row(ALL, str(name), some, clock) for name, some in here.groupby("configuration")]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    last = table["file"].eq(ALL)
    return table.assign(last=last).sort_values(
        ["last", "file", "solved", "sum_s", "configuration"], ascending=[True, True, False, True, True],
        ignore_index=True,
    ).drop(columns="last")  # fmt: skip


def _row(file: str, name: str, runs: pd.DataFrame, clock: Clock) -> dict[str, object]:
    solved, times = runs["solved"].astype(bool), runs[clock.column].astype("float64")
    limits = limits_of(runs).fillna(math.inf)
    share, median = share_of(solved, runs), survival_of(runs, clock.column).median().of_boards(boards_in(runs))
    return {
        "file": file, "configuration": name, "puzzles": runs["instance"].nunique(), "solved": int(solved.sum()),
        "share": share.value, "share_low": share.low, "share_high": share.high,
        "sum_s": float(times.where(solved, limits).sum()),
        "median_s": median.value, "median_low_s": median.low, "median_high_s": median.high,
        "most_s": float(times[solved].max()) if solved.any() else math.nan,
    }  # fmt: skip


def collections_sheet(study: ReportedStudy) -> Sheet | None:
    """The table by file; None if no file has several puzzles."""
    table, thing = by_collection(study.runs, study.times), study.thing
    if table.empty:
        return None
    columns = [
        Column("file", "file"),
        Column("configuration", "configuration"),
        Column("puzzles", f"{thing}s", "count"),
        Column("solved", "solved", "count"),
        Column("share", "solved", "share", "share_low", "share_high", meaning="with Wilson's 95 % interval"),
        Column("sum_s", f"sum ({study.times.words})", "seconds", meaning="an unsolved run counts as its limit"),
        Column("median_s", "median", "seconds", "median_low_s", "median_high_s", beyond=study.limit,
               meaning="Kaplan-Meier's, with Brookmeyer & Crowley's 95 % interval"),
        Column("most_s", "longest solved", "seconds"),
    ]  # fmt: skip
    caption = f"By file and solver: {thing}s solved, the sum of times, the median; the most solved first"
    caption += f"; limit {study.limit:g} s." if math.isfinite(study.limit) else "."
    return Sheet("by-collection", caption, table, columns, True)


# Other measurements: wrong answers, sizes of formulas, and times along what the study varies.


MOST_VALUES = 8
MOST_CONFIGURATIONS = 6


def wrong_sheet(study: ReportedStudy) -> Sheet:
    """Configurations with wrong answers; those whose encoding is declared sound first."""
    ends = study.runs[ended_runs(study.runs)]
    rows = []
    for name, here in ends.groupby("configuration"):
        wrong, unsat = int(here["wrong"].sum()), int(here["false_unsat"].sum())
        if wrong + unsat:
            share = share_of(here["wrong"] | here["false_unsat"], here)
            sound = here["sound"].fillna(True).astype(bool).all()
            rows.append((name, "yes" if sound else "no", len(here), wrong, unsat, share.value, share.low, share.high))
    names = ["configuration", "sound", "ended", "wrong", "false_unsat", "share", "low", "high"]
    table = pd.DataFrame(rows, columns=names).sort_values(["sound", "share"], ascending=False, kind="stable")
    columns = [
        Column("configuration", "configuration"),
        Column("sound", "said to be sound", meaning="if so, the encoding or the solver has a bug"),
        Column("ended", "runs that ended", "count"),
        Column("wrong", "wrong pictures", "count", meaning="pictures that break the clues"),
        Column("false_unsat", "false UNSAT", "count", meaning="UNSAT, of a board that has a solution"),
        Column("share", "share wrong", "share", "low", "high", meaning="with Wilson's 95 % interval over boards"),
    ]
    caption = f"Wrong answers among {len(ends):,} runs that ended by themselves; all others have none."
    return Sheet("wrong", caption, table, columns, True)


def wrong_words(study: ReportedStudy) -> str:
    """The page's first sentence if there are wrong answers."""
    runs = study.runs
    bad = runs[runs["wrong"] | runs["false_unsat"]]
    sound = int(bad["sound"].fillna(True).astype(bool).sum())
    text = f"{len(bad):,} of {len(runs):,} runs gave a wrong answer; they count as unsolved in all that follows. "
    if sound:
        return text + f"{sound:,} of them with an encoding or solver that is said to be right: one of these has a bug."
    return text + "All of them with encodings that are known to let wrong answers through."


def formulas_sheet(study: ReportedStudy) -> Sheet | None:
    """The formulas' sizes by encoding, medians over the boards that all encodings have a formula of.

    What CP-SAT has is no formula, and known only where it ended: it is shown where there is nothing else.
    """
    known = study.runs[study.runs["variables"].notna() & study.runs["label"].ne("")]
    formulas = known["family"].ne("CP").fillna(True).astype(bool)
    known = known[formulas] if formulas.any() else known
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
        *([Column("literals", "literals", "count", best="least")] if table["literals"].notna().all() else []),
        Column("most", "most clauses", "count", best="least", meaning="of the largest formula"),
        Column("encode_cpu_s", "encoding, CPU time", "seconds", best="least"),
        Column("load_cpu_s", "loading, CPU time", "seconds", best="least", meaning="into the first solver"),
        Column("encode_peak_mb", "peak memory", "mib", best="least", meaning="resident, of the process that encodes"),
    ]
    here, all_boards = common["instance"].nunique(), known["instance"].nunique()
    boards = counted(here, study.thing)
    caption = f"Formulas, medians over {boards}."
    if here < all_boards:
        caption = f"Formulas, medians over the {boards} (of {all_boards:,}) whose formulas are known in all encodings."
    return Sheet("formulas", caption, table, columns, True)


_SIZES = ("variables", "clauses", "literals", "encode_cpu_s", "load_cpu_s", "encode_peak_mb")


def axis_sheets(study: ReportedStudy) -> Iterator[Sheet]:
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
            text = head if turned or axis.name == FILE else f"{axis.words.removesuffix(', %')} {head}{unit}"
            shown.append(
                Column(
                    head, text, "seconds", best="" if turned else "least", beyond=study.limit, after=f"{head} solved"
                )
            )
        caption = f"Median {study.times.words} by {axis.words.removesuffix(', %')}"
        caption += (
            "; in brackets solved of runs." if wide[[f"{head} solved" for head in heads]].ne("").any(axis=None) else "."
        )
        if left := len(study.names) - len(names):
            caption += f" Not shown: {counted(left, 'configuration')} that {'ranks' if left == 1 else 'rank'} lower."
        yield Sheet(f"by-{axis.name}", caption, wide, shown)


def _cells(study: ReportedStudy, axis: Axis, names: list[str]) -> pd.DataFrame:
    runs = study.runs[study.runs["configuration"].isin(names)]
    rows = []
    for (value, name), here in runs.groupby([axis.of[runs.index], "configuration"]):
        solved = int(here["solved"].sum())
        text = "" if solved == len(here) else f"({solved}/{len(here)})"
        median = survival_of(here, study.times.column).median().value
        if math.isinf(median) and not here["censored"].any():  # no limit was met: there is no such time
            median = math.nan
        rows.append((value, name, median, text))
    return pd.DataFrame(rows, columns=[axis.name, "configuration", "median", "text"])


def _wide(cells: pd.DataFrame, rows: str, columns: str, order: list[str], heads: list[str]) -> pd.DataFrame:
    made = cells.pivot(index=rows, columns=columns, values="median").reindex(index=order, columns=heads)
    text = cells.pivot(index=rows, columns=columns, values="text").reindex(index=order, columns=heads).fillna("")
    for head in heads:
        made[f"{head} solved"] = text[head]
    made = made[made[heads].notna().any(axis=1) | text.ne("").any(axis=1)] if len(made) else made
    return made.reset_index().rename_axis(columns=None)


MOST_SHOWN = 3
"""Configurations that the paragraph compares with the first."""


def ranking_sheet(study: ReportedStudy) -> Sheet:
    """The ranking; columns of outcomes that nothing had are left out."""
    table, limit = study.ranked, study.limit
    penalty = "mean time, twice the limit"
    middle = "Kaplan-Meier's median, with Brookmeyer & Crowley's 95 % interval"
    if not study.clock.time:
        penalty = f"mean number of {study.clock.words}, twice the largest of any run"
        middle = "∞ where half of the runs have no result; with Brookmeyer & Crowley's 95 % interval"
    columns = [
        Column("rank", "", "count"),
        Column("encoding", "encoding"),
        Column("solver", "solver"),
        Column("solved", "solved", "count", best="most", meaning="runs with a right result"),
        *_outcomes(table),
        Column("par2_s", f"PAR2 ({study.clock.words})", study.clock.kind, "par2_low_s", "par2_high_s", best="least",
               meaning=f"{penalty} where there is no result; with the bootstrap's 95 % interval"),
        Column("median_s", "median", study.clock.kind, "median_low_s", "median_high_s", best="least",
               beyond=limit if study.clock.time else math.nan, meaning=middle),
        Column("fastest", "fastest on" if study.clock.time else "fewest on", "count", best="most", minor=True,
               meaning=f"{study.thing}s on which no other {'is faster' if study.clock.time else 'has fewer'}"),
        Column("first", "first in", "share", best="most",
               meaning=f"bootstrap samples of the {study.thing}s in which it has the least PAR2", minor=True),
    ]  # fmt: skip
    shown = table.assign(encoding=table["encoding"].where(table["configuration"].ne(VIRTUAL), VIRTUAL))
    boards = int(table["boards"].max()) if len(table) else 0
    runs = study.runs
    reps = runs["repetition"].nunique()
    each = f", {reps} runs each" if reps > 1 else ""
    caption = f"Encodings and solvers on {counted(boards, study.thing)}{each}, best first"
    if math.isfinite(limit):
        caption += f"; limit {limit:g} s"
    left = runs["instance"].nunique() - boards
    lack = "has run on" if study.clock.time else f"has a number of {study.clock.words} for"
    note = f"Left out: {counted(left, study.thing)} that not every configuration {lack}. " if left else ""
    note += (
        f"Bold: the best of a column. Virtual best: on each {study.thing} what was best there." if len(table) else ""
    )
    if not study.clock.time:
        untold = sorted(set(runs["configuration"].dropna()) - set(table["configuration"]))
        note += f" Without {study.clock.words} of a SAT solver: {', '.join(untold)}." if untold else ""
    aside = int(table["configuration"].eq(VIRTUAL).sum())
    return _counting(Sheet("result", caption + ".", shown, columns, True, aside, note), study.clock)


def _outcomes(table: pd.DataFrame) -> list[Column]:
    heads = {"wrong": "wrong", "over": "over a limit", "failed": "failed"}
    return [Column(name, head, "count") for name, head in heads.items() if table[name].fillna(0).any()]


def selection_sheet(study: ReportedStudy) -> Sheet | None:
    """What choosing by instance could gain: the single best, a simple chooser, the virtual best; None if nothing."""
    found = selection(study.runs, study.times, study.seed)
    if found is None:
        return None
    columns = [
        Column("chooser", "chosen by"),
        Column("solved", "solved", "count", best="most"),
        Column("par10_s", f"PAR10 ({study.times.words})", "seconds", "par10_low_s", "par10_high_s", best="least",
               meaning="mean time, ten times the limit where there is no result; with the bootstrap's 95 % interval"),
        Column("closed", "gap closed", "share", "closed_low", "closed_high",
               meaning="of the difference between the single best and the virtual best"),
    ]  # fmt: skip
    caption = f"Choosing by {study.thing}, on {counted(found.boards, study.thing)}, by {study.times.words}: "
    caption += f"single best is {found.single}."
    note = (
        f"{CHOOSER}: of a {study.thing} the configuration that was best on the five most similar ones of other folds "
    )
    note += "(ten-fold cross-validation), by what is known before a run."
    return Sheet("selection", caption, found.table, columns, True, note=note)


def objectives_sheet(study: ReportedStudy) -> Sheet | None:
    """What each configuration knows of the best solutions; None if no run has an objective."""
    runs = study.runs[study.runs["maximized"].notna() & ~study.runs["solver"].isin(COUNTERS.known())]
    if runs.empty:
        return None
    least = (
        runs["objective"].astype("float64").where(~runs["maximized"].astype(bool), -runs["objective"].astype("float64"))
    )
    best = least.groupby(runs["instance"]).transform("min")
    rows = [
        (
            str(name),
            here["instance"].nunique(),
            int(here["optimal"].fillna(False).sum()),
            int((least[here.index].notna() & least[here.index].eq(best[here.index])).sum()),
            int(here["objective"].isna().sum()),
        )
        for name, here in runs.groupby("configuration")
    ]
    names = ["configuration", "models", "proved", "best", "none"]
    table = pd.DataFrame(rows, columns=names).sort_values(["proved", "best"], ascending=False, kind="stable")
    columns = [
        Column("configuration", "configuration"),
        Column("models", "models", "count"),
        Column("proved", "proved best", "count", best="most", meaning="runs that proved that nothing is better"),
        Column("best", "found best", "count", best="most", meaning="runs that found the best value that any run found"),
        Column("none", "no solution", "count", best="least", meaning="runs that found no solution"),
    ]
    return Sheet("objectives", "Models with an objective: what is known of the best solutions.", table, columns, True)


def crossed_sheet(study: ReportedStudy) -> Sheet | None:
    """PAR2 of each encoding under each solver; None unless there are several of both."""
    table = study.ranked[study.ranked["encoding"].ne("")]
    wide = table.pivot_table(index="encoding", columns="solver", values="par2_s", sort=False)
    if min(wide.shape) < 2:
        return None
    columns = [Column("encoding", "encoding")]
    columns += [Column(name, name, study.clock.kind, best="least") for name in map(str, wide.columns)]
    caption = f"PAR2 ({study.clock.words}) of each encoding by solver; bold: a solver's best encoding."
    return Sheet("encodings-by-solvers", caption, wide.reset_index(), columns)


def differences_table(study: ReportedStudy) -> pd.DataFrame:
    """All against the first, in the ranking's order."""
    if len(study.names) < 2:
        return pd.DataFrame()
    found = differences(study.runs, study.clock, study.names[0], study.seed)
    kept = [name for name in study.names[1:] if name in set(found["configuration"])]
    return found.set_index("configuration").reindex(kept).reset_index()


def differences_sheet(study: ReportedStudy, table: pd.DataFrame) -> Sheet:
    """What the others take of the first one's time, or of its counter, on the same boards."""
    first, clock = study.names[0], study.clock
    less, more, has = ("faster", "slower", "is") if clock.time else ("fewer", "more", "has")
    many = "long" if clock.time else f"many {clock.words}"
    same = table["boards"].nunique() == 1
    columns = [
        Column("configuration", "configuration"),
        *([] if same else [Column("boards", f"{study.thing}s", "count")]),
        Column("solved_more", "solved only by it", "count"),
        Column("solved_less", "solved only by the first", "count"),
        Column("faster", f"{less} on", "count", meaning=f"{study.thing}s on which it {has} {less}, for sure",
               minor=True),
        Column("slower", f"{more} on", "count", meaning=f"{study.thing}s on which it {has} {more}, for sure",
               minor=True),
        Column("ratio", f"times as {many}", "factor", "ratio_low", "ratio_high", "ratio_upper",
               meaning=f"the median of the {study.thing}s' ratios of {'times' if clock.time else clock.words}, "
               "with its bounds where limits hide it"),
        Column("par2_s", f"PAR2{'' if clock.time else f' ({clock.words})'} less the first's", clock.kind,
               "par2_low_s", "par2_high_s", signed=True),
        Column("verdict", "by PAR2"),
    ]  # fmt: skip
    boards = f" on {counted(int(table['boards'].iloc[0]), study.thing)}" if same and len(table) else ""
    caption = f"Against {first}{boards}, {study.thing} by {study.thing}, with 95 % intervals of the paired bootstrap."
    note = "Each interval is for itself: of twenty one may err. The first was chosen by the same records."
    return _counting(Sheet("differences", caption, table, columns, True, note=note), clock)


def _counting(sheet: Sheet, clock: Clock) -> Sheet:
    """``sheet``, whose columns in seconds are named by the counter that stands there: ``par2_conflicts``."""
    if clock.time:
        return sheet
    names = {name: f"{name[:-2]}_{clock.words}" for name in map(str, sheet.frame.columns) if name.endswith("_s")}
    parts = ("name", "low", "high", "upper")
    columns = [
        replace(column, **{part: names.get(old := getattr(column, part), old) for part in parts})
        for column in sheet.columns
    ]
    return replace(sheet, frame=sheet.frame.rename(columns=names), columns=columns)


def paragraph(study: ReportedStudy, table: pd.DataFrame) -> list[str]:
    """The result in a few sentences."""
    ranked = study.ranked[study.ranked["configuration"].ne(VIRTUAL)]
    if ranked.empty:
        return [f"There is no {study.thing} that every configuration has run on: nothing can be compared yet."]
    sheet = ranking_sheet(study)
    at = next(at for at, column in enumerate(sheet.columns) if column.name.startswith("par2_"))
    unit = sheet.heads()[at].rpartition(", ")[2] if study.clock.time else study.clock.words
    par2 = [row[at].text for row in sheet.cells()]
    best = ranked.iloc[0]
    if not best["solved"]:
        return ["No run of any configuration has a right result."]
    runs = int(best["solved"] + best["wrong"] + best["over"] + best["failed"])
    text = f"{best['configuration']} solved {int(best['solved']):,} of {runs:,} runs"
    text += f", PAR2 {par2[0]} {unit}" if not math.isnan(best["par2_s"]) else ""
    if len(ranked) == 1:
        return [*formulas_first(study), f"{text}."]
    text += ", the best of " + f"{len(ranked):,}"
    if not math.isnan(best["first"]):
        text += f"; it comes first in {100 * best['first']:.3g} % of resamplings "
        text += f"of the {int(best['boards']):,} {study.thing}s"
    sentences = [*formulas_first(study), text + ".", *encodings_alike(study)]
    if math.isnan(best["first"]) and best["boards"] < 6:
        few = int(best["boards"])
        sentences.append(f"{counted(few, study.thing)} {'is' if few == 1 else 'are'} too few to say how sure that is.")
    solved = dict(zip(ranked["configuration"], ranked["solved"], strict=True))
    for row in table.head(MOST_SHOWN).to_dict("records"):
        name = row["configuration"]
        none = f"{name} solved nothing."
        sentences.append(_compared(row, study.clock, study.thing) if solved.get(name, 1) else none)
    virtual = study.ranked[study.ranked["configuration"].eq(VIRTUAL)]
    if len(virtual) and not math.isnan(virtual["par2_s"].iloc[0]):
        sentences.append(f"A choice of the best for each {study.thing} would have PAR2 {par2[-1]} {unit}.")
    if not study.clock.time:
        sentences.append(f"Rankings and comparisons are by {study.clock.words}, all else by {study.times.words}.")
    return sentences


def formulas_first(study: ReportedStudy) -> list[str]:
    """A sentence, where making and loading formulas takes longer than solving them: on the typical board and in all."""
    if study.by != "total":
        return []
    suffix = "_cpu_s" if study.clock.column.startswith("cpu") else "_s"
    runs = study.runs[(study.runs["solved"] | study.runs["censored"]) & study.runs["label"].ne("")]
    times = runs[[f"{stage}{suffix}" for stage in ("encode", "load", "solve")]].astype("float64")
    if runs["censored"].any():  # a limit ended a stage: what it had is in the whole
        rest = runs[study.clock.column].astype("float64") - times.iloc[:, :2].fillna(0).sum(axis=1)
        times.iloc[:, 2] = times.iloc[:, 2].fillna(rest)
    times = times[
        times.notna().all(axis=1) & times.iloc[:, 2].gt(0)
    ]  # medians of the same runs: those that came to solving
    if 2 * len(times) < len(runs):
        return []
    encode, load, solve = times.median()
    whole = times.sum()
    if not (encode + load > solve and whole.iloc[0] + whole.iloc[1] > whole.iloc[2]):  # nor where one is not known
        return []
    shown = [f"{_number(1000 * value)} ms" for value in (encode, load, solve)]
    return [
        f"On the typical {study.thing}, encoding ({shown[0]}) and loading ({shown[1]}) outweigh solving ({shown[2]}), "
        "so this ranks mostly how long formulas take to make and load; --by solve ranks solving alone."
    ]


def encodings_alike(study: ReportedStudy) -> list[str]:
    """A sentence for encodings that have the same formula, clause by clause, on each board, of which there are several.

    On black-and-white boards ``automaton+order`` and ``automaton+log`` are one: a cell of two values is one Boolean.
    That of ``automaton+direct`` has the same clauses in another order, which is another formula to a solver.
    """
    known = study.runs[study.runs["label"].ne("") & study.runs["cnf"].notna()]
    alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for label in (label for label in study.of_names("label") if label):
        formulas = known.loc[known["label"].eq(label), ["instance", "cnf"]].drop_duplicates().astype(str)
        alike.setdefault(tuple(sorted(formulas.itertuples(index=False, name=None))), []).append(label)
    return [
        f"{', '.join(others)} and {last} have the same formula on all {counted(len(formulas), study.thing)}: "
        "there they are one encoding."
        for formulas, (*others, last) in alike.items()
        if others and len(formulas) > 1
    ]


def _compared(row: dict[str, object], clock: Clock, thing: str) -> str:
    """``b takes 1.50 times as long on the typical board [1.20, 1.90]; its PAR2 is 3 s higher [1, 5].``."""
    ratio, low, high, upper = (float(str(row[name])) for name in ("ratio", "ratio_low", "ratio_high", "ratio_upper"))
    name = str(row["configuration"])
    text = f"{name} takes {ratio:.2f} times as {'long' if clock.time else f'many {clock.words}'} on the typical {thing}"
    if math.isinf(ratio):
        none, lost = (int(str(row[name])) for name in ("none", "lost"))
        text = f"{name} solves so little that no ratio is known"
        if none:
            text = f"{name}: no ratio, since the first has no {clock.words} on {none:,} of {row['boards']:,} {thing}s"
            text += f" and it has no result on {lost:,}" if lost else ""
    text = text.replace("takes ", "takes at least ") if math.isinf(upper) else text
    if not math.isnan(low) and not math.isinf(ratio):
        text += f" [{low:.2f}, {'∞' if math.isinf(high) else f'{high:.2f}'}]"
    less = int(str(row["solved_less"])) - int(str(row["solved_more"]))
    text += f", solves {less} fewer" if less > 0 else f", solves {-less} more" if less < 0 else ""
    more, at_least, at_most = (float(str(row[name])) for name in ("par2_s", "par2_low_s", "par2_high_s"))
    if row["verdict"] not in (SLOWER, FASTER):
        return f"{text}; whether its PAR2 differs is not settled."
    ends = sorted((abs(at_least), abs(at_most)))
    word = "higher" if more > 0 else "lower"
    scale, unit = (1.0, "s") if ends[1] >= 1 else (1000.0, "ms")
    scale, unit = (scale, unit) if clock.time else (1.0, clock.words)
    by, low_end, high_end = (_number(scale * value) for value in (abs(more), *ends))
    return f"{text}; its PAR2 is {by} {unit} {word} [{low_end}, {high_end}]."


def _number(value: float) -> str:
    """Three digits, or all before the point.

    >>> _number(0.01234), _number(1234.5)
    ('0.0123', '1,234')
    """
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


# The opening of the page: boards, encodings, solvers, limits; where and when the study was run.


_LISTED = 6
NAMES = {
    "nonosat": "nonosat", "python": "Python", "numpy": "numpy", "python-sat": "python-sat", "ortools": "OR-Tools",
    "numba": "numba", "commit": "commit", "plugins": "plug-ins", "cpu": "processor", "cores": "cores",
    "memory_gib": "memory, GiB", "kernel": "kernel", "libc": "C library",
}  # fmt: skip
IN_ONE_LINE = ("nonosat", "python-sat", "ortools", "python")


def opening(study: ReportedStudy) -> str:
    """The paragraph below the title as HTML, and the study's own text to be unfolded."""
    about = boards(study), tried(study), limits(study), study.state
    lines = [" ".join(sentence for sentence in about if sentence), made(study)]
    text = "".join(f'<p class="aim">{escape(line)}</p>\n' for line in lines if line)
    if study.toml.strip():
        text += html.folded("The study's file", f"<pre>{escape(study.toml.strip())}</pre>")
    return text


def boards(study: ReportedStudy) -> str:
    """``24 nonograms: size 15x15, 25x25; density 35, 45 %.``"""
    runs = study.runs
    kinds = sorted(set(runs["kind"].dropna()))
    count = runs["instance"].nunique()
    kind = kinds[0] if len(kinds) == 1 else "puzzle"
    word = kind if kind.endswith("s") else f"{kind}{'' if count == 1 else 's'}"
    text = [f"{axis.words.removesuffix(', %')} {axis.text()}" for axis in study.axes if axis.name != "file"]
    files = runs.loc[runs["instance"].str.startswith("file/").fillna(False), "source"].nunique()
    text += [f"{files:,} {'file' if files == 1 else 'files'}"] if files else []
    varied = {axis.name for axis in study.axes}
    fixed = [name for name in ("size",) if name not in varied and runs[name].nunique() == 1]
    text += [f"all of {name} {runs[name].dropna().iloc[0]}" for name in fixed]
    return f"{count:,} {word}{': ' + '; '.join(text) if text else ''}."


def tried(study: ReportedStudy) -> str:
    """The encodings and solvers, by name where they are few."""
    parts = []
    for column, word in (("label", "encoding"), ("solver", "solver")):
        names = [name for name in study.of_names(column) if name]
        if names:
            listed = ", ".join(names[:_LISTED]) + (", ..." if len(names) > _LISTED else "")
            parts.append(f"{len(names)} {word}{'' if len(names) == 1 else 's'} ({listed})")
    return f"{' and '.join(parts)}; {counts_line(study.runs)}." if parts else ""


def limits(study: ReportedStudy) -> str:
    """The limits of a run; several of one kind are all named."""
    words = {"cpu_limit_s": "s of CPU time", "time_limit_s": "s of wall time", "memory_limit_mb": "MiB of memory"}
    parts = []
    for column, word in words.items():
        values = sorted({float(value) for value in study.runs[column].dropna()})
        if values:
            parts.append(f"{' or '.join(f'{value:g}' for value in values)} {word}")
    text = f"Limits of a run: {', '.join(parts)}." if parts else "Runs had no limit."
    text += _waited(study)
    interrupted = len(study.whole) - len(study.runs)
    return text + (
        f" {interrupted:,} runs that were interrupted or made again later are left out." if interrupted else ""
    )


WAITED = 0.8
"""Of a limit on wall time: who has used less of it when it ends has waited for the processor."""


def _waited(study: ReportedStudy) -> str:
    """A warning, where CPU times are compared and runs were ended by their wall time long before they had used it."""
    if "cpu" not in study.clock.column:
        return ""
    ended = study.runs[study.runs["outcome"].eq(str(Verdict.TIMEOUT)).fillna(False)]
    shares = (ended["cpu_time_s"].astype("float64") / ended["time_limit_s"].astype("float64")).dropna()
    if shares.empty or shares.median() >= WAITED:
        return ""
    return (
        f" {counted(len(shares), 'run')} that the limit on wall time ended had used {100 * shares.median():.0f} % of "
        "it as CPU time (median): they waited. They count as longer than the limit; "
        "with cpu_limit_s all runs have the same."
    )


def made(study: ReportedStudy) -> str:
    """When, on what machine and with which versions, in one line."""
    days = sorted({str(value)[:10] for value in study.whole["started"].dropna()})
    when = "" if not days else days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
    used = [_flat(document) for document in study.provenance.values()]
    if not used:
        return when and f"Run {when}."
    machine = _all(used, "cpu")
    cores, memory = _all(used, "cores"), _all(used, "memory_gib")
    versions = ", ".join(f"{NAMES[name]} {_all(used, name)}" for name in IN_ONE_LINE if _all(used, name))
    slots = sorted({int(value) for value in study.whole["slots"].dropna()})
    parallel = f", {' or '.join(map(str, slots))} at a time" if slots else ""
    return f"Run {when} on {machine} ({cores} cores, {memory} GiB){parallel}, with {versions}."


_HASH = re.compile("([0-9a-f]{12})[0-9a-f]{20,}")


def provenance_table(study: ReportedStudy) -> str:
    """Versions and machine as HTML, a column each that records are from; what is the same for all stands once."""
    used = {name: _flat(document) for name, document in study.provenance.items()}
    if not used:
        return ""
    runs = study.whole["provenance"].value_counts()
    rows: list[tuple[str, Sequence[str]]] = []
    if len(used) > 1:
        rows.append(("runs", [f"{int(runs.get(name, 0)):,}" for name in used]))
    words = list(dict.fromkeys([*NAMES, *(word for flat in used.values() for word in flat)]))
    for word in words:
        texts = [flat.get(word, "") for flat in used.values()]
        if any(texts):
            rows.append((NAMES.get(word, word), texts if len(set(texts)) > 1 else texts[:1]))
    return html.facts(rows)


def _flat(document: Mapping[str, Any]) -> dict[str, str]:
    """A document of provenance as name and text; hashes are cut to twelve digits."""
    flat = {name: str(value) for name, value in document.get("versions", {}).items() if value is not None}
    source = document.get("source", {})
    if source.get("commit"):
        flat["commit"] = str(source["commit"])[:12] + (", changed" if source.get("dirty") else "")
    for group in ("machine", "system"):
        flat |= {name: str(value) for name, value in document.get(group, {}).items() if value is not None}
    if plugins := document.get("plugins"):
        flat["plugins"] = _HASH.sub(r"\1", ", ".join(map(str, plugins)))
    for name, value in document.get("files", {}).items():
        if value:
            flat[f"SHA-256 of {name}"] = str(value)[:12]
    return flat


def _all(used: Sequence[Mapping[str, str]], name: str) -> str:
    return " or ".join(dict.fromkeys(flat[name] for flat in used if name in flat))
