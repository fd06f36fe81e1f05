"""Everything that records say, as a folder: ``index.html``, the figures, and the tables as CSV."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from html import escape
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from nonosat.experiments.analysis import claims, differences, html, plots, report_figures, style, summary
from nonosat.experiments.analysis.frames import sizes, values_of
from nonosat.experiments.analysis.walejko2022 import tables as walejko2022
from nonosat.files import made_folder, write_atomically

_NUMBERS = {
    ("decisions", "glucose", "30x30"): "5.1",
    ("decisions", "lingeling", "40x40"): "5.2",
    ("decisions", "minisat", "30x30"): "5.3",
    ("decisions", "minisat", "40x40"): "5.4",
    ("time_s", "minisat", "40x40"): "5.5",
    ("3", "minisat", ""): "5.6",
    ("6", "minisat", ""): "5.7",
}
PAGE_FORMATS = ("svg", "png")
"""PDF takes as long as both together; ``nonosat study report --format pdf`` writes it."""

_SUMMARY = [
    *summary.BY, "runs", "solved", "wrong", "timeout", "memout", "failed", "false_unsat", "share_solved", "share_low",
    "share_high", "report_mean_s", "report_left_out", "par2_s", "km_median_s", "km_median_low_s", "km_median_high_s",
    "km_mean_s", "report_mean_decisions", "solved_median_decisions",
]  # fmt: skip


@dataclass(frozen=True)
class Drawn:
    """A figure under the name of its files."""

    name: str
    section: str
    caption: str
    figure: Figure


@dataclass(frozen=True)
class Tabled:
    """A table under the name of its file; ``columns``: those that the page shows (the file has all)."""

    name: str
    caption: str
    frame: pd.DataFrame
    columns: Sequence[str] | None = None
    opened: bool = False


def write_report(
    frame: pd.DataFrame,
    out_dir: str | Path,
    title: str,
    provenance: Mapping[str, Any] | None = None,
    formats: Sequence[str] = PAGE_FORMATS,
    seed: int = 0,
    jobs: int = 1,
) -> Path:
    """Write the report of ``frame`` (of ``frames.load``) into ``out_dir``, and return the path of its page.

    Figures go to ``figures/``, tables to ``tables/``; those that the records do not permit are left out.
    ``provenance``: what to tell of where the records come from. Equal records give equal bytes. If ``jobs`` is
    above 1, so many processes make the files; a script that asks for them needs ``if __name__ == "__main__"``, as with
    all of multiprocessing. Raises ``NonosatError`` if the folder cannot be written to.
    """
    out = Path(out_dir)
    for folder in (out / "figures", out / "tables"):
        made_folder(folder)
    sections: dict[str, list[str]] = {"Records": [f"<p>{escape(summary.said(frame))}.</p>"]}
    sections["Records"] += [html.facts(provenance or {})]
    for made in tables(frame, seed):
        path = f"tables/{made.name}.csv"
        write_atomically(out / path, csv(made.frame))
        seen = made.frame if made.columns is None else made.frame[list(made.columns)]
        told = html.folded(made.caption, html.table(seen, summary.MEANINGS), path, made.opened)
        sections.setdefault("Tables", []).append(told)
    names: set[str] = set()
    for drawn, files in _rendered(figures(frame), tuple(dict.fromkeys(("svg", *formats))), jobs):
        name = _unique(drawn.name, names)
        for form in formats:
            write_atomically(out / f"figures/{name}.{form}", files[form])
        links = {form: f"figures/{name}.{form}" for form in formats}
        inside = html.picture(files["svg"], drawn.caption, links)
        sections.setdefault(drawn.section, []).append(inside)
    if not any(section not in ("Records", "Tables") for section in sections):
        sections["Figures"] = ['<p class="note">no data</p>']
    index = out / "index.html"
    write_atomically(index, html.page(title, [(head, "".join(parts)) for head, parts in sections.items()]))
    return index


def _rendered(
    figures: Iterable[Drawn], formats: tuple[str, ...], jobs: int
) -> Iterator[tuple[Drawn, dict[str, bytes]]]:
    """Each figure with its files; matplotlib takes most of a second for one, so that other processes may do it."""
    if jobs == 1:
        for drawn in figures:
            yield drawn, _files(drawn.figure, formats)
        return
    # Not forked from here: numpy's threads may hold locks.
    workers = ProcessPoolExecutor(jobs, get_context("spawn"), _leave_interrupts)
    try:
        made: list[tuple[Drawn, Future[dict[str, bytes]]]] = [
            (drawn, workers.submit(_files, drawn.figure, formats)) for drawn in figures
        ]
        for drawn, files in made:
            yield drawn, files.result()
    finally:
        workers.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that waits."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _files(figure: Figure, formats: tuple[str, ...]) -> dict[str, bytes]:
    return {form: style.rendered(figure, form) for form in formats}


def _unique(name: str, names: set[str]) -> str:
    base = re.sub(r"[^A-Za-z0-9+-]+", "-", name).strip("-")[:80] or "figure"
    found, number = base, 2
    while found in names:
        found, number = f"{base}-{number}", number + 1
    names.add(found)
    return found


def csv(frame: pd.DataFrame) -> str:
    """The table as CSV: absent values are empty, numbers are whole."""
    return str(frame.to_csv(index=False, lineterminator="\n"))


def tables(frame: pd.DataFrame, seed: int = 0) -> Iterator[Tabled]:
    """The tables: a thesis' own, what the report claims, then what was measured."""
    for name, caption, table in walejko2022.tables(frame):
        yield Tabled(name, f"Wałejko 2022. {caption}", table, opened=True)
    examined = claims.examine(frame, seed=seed)
    if len(examined):
        compared = claims.readings_compared(examined)
        yield Tabled("readings", "The report's claims in each reading of rules 4 and 6", compared, opened=True)
    wrong = differences.wrong_by_reading(frame)
    yield Tabled("wrong", "Wrong answers by the encoding's parts", wrong, opened=True)
    if len(examined):
        yield Tabled("claims", "The report's claims, each encoding over the boards that it ended", examined)
        paired = claims.examine(frame, paired=True, seed=seed)
        yield Tabled("claims-paired", "The report's claims, over the boards that all encodings ended", paired)
        yield Tabled(
            "decisions-by-rule", "Do the solver's decisions differ between rules?", differences.only_minisat(frame)
        )
        for reading in values_of(examined, "reading"):
            words = f"Density at which the mean time peaks (rules 4 and 6: {reading})"
            yield Tabled(f"peaks-{reading}", words, differences.time_peaks(frame, reading, seed=seed))
            limited = differences.time_peaks(frame, reading, at_limit=True, seed=seed)
            yield Tabled(f"peaks-{reading}-limited", f"{words}, where runs over the limit count the limit", limited)
    yield Tabled("timeouts", "Runs over the limit by size", differences.timeouts_by_size(frame))
    yield Tabled("summary", "All groups of runs", summary.summarise(frame, seed=seed), _SUMMARY)
    right = summary.paired_decisions(frame, seed=seed)
    yield Tabled("decisions-paired", "Decisions on the boards that all encodings solved", right)


def figures(frame: pd.DataFrame) -> Iterator[Drawn]:
    """The figures that the records permit: the report's own first."""
    yield from _of_the_report(frame)
    if frame["wrong"].any() or frame["false_unsat"].any():
        yield Drawn("wrong", "Wrong answers", "Wrong answers by encoding", plots.wrong_pictures(frame))
    for solver in values_of(frame, "solver"):
        yield from _of_solver(frame[frame["solver"].eq(solver)], solver)
    if len(values_of(frame, "solver")) > 1 and frame["solved"].any():
        made = plots.cactus(frame, "configuration", None, "Solved within a time, all solvers")
        yield Drawn("cactus-all", "Solvers compared", "Runs solved within a time, by encoding and solver", made)


def _of_the_report(frame: pd.DataFrame) -> Iterator[Drawn]:
    for reading in report_figures.READINGS:
        runs = report_figures.of_report(frame, reading)
        runs = runs[runs["density"].notna() & summary.report_counts(runs)]
        head = f"The report's figures, rules 4 and 6: {reading}"
        for solver in values_of(runs, "solver"):
            here = runs[runs["solver"].eq(solver)]
            for size in sizes(here):
                some = here[here["size"].eq(size)]
                if reading != "ends" and not some["reading"].eq(reading).any():
                    continue  # it would be the same figure as under the first reading
                for column, word in (("decisions", "decisions"), ("time_s", "time")):
                    if some[column].notna().any():
                        made = report_figures.by_fill(frame, solver, size, column, reading)
                        told = f"Mean {word} by density, {size}, {solver}{_number(column, solver, size)}"
                        yield Drawn(f"{word}-{solver}-{size}-{reading}", head, told, made)
            for rules in ("3", "6"):
                if rules == "3" and reading != "ends":
                    continue
                if here.loc[here["rules"].eq(rules), "time_s"].notna().any():
                    made = report_figures.time_by_size(frame, solver, rules, reading)
                    told = f"Mean time by density and size, rule {rules}, {solver}{_number(rules, solver, '')}"
                    yield Drawn(f"time-rule-{rules}-{solver}-{reading}", head, told, made)


def _number(what: str, solver: str, size: str) -> str:
    for (which, name, board), number in _NUMBERS.items():
        if which == what and solver.startswith(name) and board == size:
            return f": the report's figure {number}"
    return ""


def _of_solver(runs: pd.DataFrame, solver: str) -> Iterator[Drawn]:
    head = f"Solver {solver}"
    if runs["solved"].any():
        line = "label" if runs["label"].ne("").any() else "solver"
        panel = "domain_rule" if runs["domain_rule"].notna().any() else None
        made = plots.cactus(runs, line, panel, f"Solved within a time, {solver}")
        yield Drawn(f"cactus-{solver}", head, f"Runs solved within a time, {solver}", made)
    for across, up in pairs(runs):
        made = plots.scatter(runs, across, up, by="label", title=f"{up} against {across}, {solver}")
        yield Drawn(f"scatter-{across}-{up}-{solver}", head, f"Times of {up} against {across}, {solver}", made)
    if runs["density"].notna().any() and runs["size"].notna().any():
        line = "label" if runs["label"].ne("").any() else "solver"
        words_of = {"share": "Share solved", "median": "Median time (Kaplan-Meier)"}
        if (runs["outcome"].eq("MEASURED") & runs["counted"].notna()).any():
            words_of["solutions"] = "Median number of solutions (Kaplan-Meier), decimal logarithm"
        for what, words in words_of.items():
            made = plots.heat(runs, solver, what, line)
            yield Drawn(f"heat-{what}-{solver}", head, f"{words} by size and density, {solver}", made)
    if (runs["decisions"].notna() & runs["label"].ne("")).any():
        made = plots.decisions_against_time(runs, solver)
        yield Drawn(f"decisions-time-{solver}", head, f"Decisions against time, {solver}", made)


def pairs(runs: pd.DataFrame) -> list[tuple[str, str]]:
    """The encodings that are worth a scatter: the report's questions, or else the two that solve the most."""
    solved = runs[runs["solved"] & runs["label"].ne("")].groupby("label").size()
    asked = [("2/3", "2alt/3"), ("2alt/3", "2alt/5"), ("2alt/3", "2alt/6"), ("2alt/3", "2alt/5+6")]
    labels = set(values_of(runs, "label"))
    found = [pair for pair in asked if labels.issuperset(pair)]
    best = sorted(solved.index, key=lambda label: (-solved[label], label))[:2]
    return found or ([(str(best[0]), str(best[1]))] if len(best) == 2 else [])
