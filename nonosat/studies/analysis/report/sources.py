"""What the page has for studies of the documents that nonosat follows: their own tables and figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd

from nonosat.studies.analysis import castilho2018, summary, walejko2022
from nonosat.studies.analysis.boards import clock_of
from nonosat.studies.analysis.frames import sizes, values_of
from nonosat.studies.analysis.report.figures import Drawn
from nonosat.studies.analysis.sheets import Sheet, plain_columns
from nonosat.studies.analysis.style import TitledFigure

CASTILHO = "Castilho & Welter 2018"
WALEJKO = "Wałejko 2022"
ENOUGH = 6
"""Of the report's twelve encodings: with fewer a study is not about it."""
_NUMBERS = {
    ("decisions", "glucose", "30x30"): "5.1",
    ("decisions", "lingeling", "40x40"): "5.2",
    ("decisions", "minisat", "30x30"): "5.3",
    ("decisions", "minisat", "40x40"): "5.4",
    ("time", "minisat", "40x40"): "5.5",
    ("3", "minisat", ""): "5.6",
    ("6", "minisat", ""): "5.7",
}


def is_of_the_report(frame: pd.DataFrame) -> bool:
    """Whether the records are of the report's encodings, over densities."""
    runs = castilho2018.of_report(frame)
    return bool(runs["report_name"].nunique() >= ENOUGH and runs["density"].nunique() > 1)


def sheets(frame: pd.DataFrame, seed: int = 0) -> Iterator[tuple[str, Sheet]]:
    """(section, table): a thesis' own, and what the report claims."""
    for name, caption, table in walejko2022.tables(frame):
        yield WALEJKO, _sheet(name, caption, table, opened=True)
    if not is_of_the_report(frame):
        return
    yield CASTILHO, castilho2018.sheet(castilho2018.verdicts(frame))
    examined = castilho2018.examine(frame, seed=seed)
    compared = castilho2018.readings_compared(examined)
    yield CASTILHO, _sheet("readings", "The report's claims in each reading of rules 4 and 6", compared, opened=True)
    yield CASTILHO, _sheet("claims", "The report's claims, each encoding over the boards that it ended", examined)
    paired = castilho2018.examine(frame, paired=True, seed=seed)
    yield CASTILHO, _sheet("claims-paired", "The report's claims, over the boards that all encodings ended", paired)
    differ = castilho2018.only_minisat(frame)
    yield CASTILHO, _sheet("decisions-by-rule", "Do the solver's decisions differ between rules?", differ)
    yield CASTILHO, _sheet("timeouts", "Runs over the limit by size", castilho2018.timeouts_by_size(frame))
    yield (
        CASTILHO,
        _sheet("wrong-by-parts", "Wrong answers by the encoding's parts", castilho2018.wrong_by_reading(frame)),
    )
    for reading in values_of(examined, "reading"):
        words = f"Density at which the mean time peaks (rules 4 and 6: {reading})"
        yield CASTILHO, _sheet(f"peaks-{reading}", words, castilho2018.time_peaks(frame, reading, seed=seed))
        limited = castilho2018.time_peaks(frame, reading, at_limit=True, seed=seed)
        yield CASTILHO, _sheet(f"peaks-{reading}-limited", f"{words}, runs over the limit at the limit", limited)


def _sheet(name: str, caption: str, table: pd.DataFrame, opened: bool = False) -> Sheet:
    return Sheet(name, f"{caption}.", table, plain_columns(table, summary.MEANINGS), opened)


def figures(frame: pd.DataFrame, every: bool = False) -> Iterator[Drawn]:
    """The report's figures: those that it has; ``every``: for all solvers, sizes and readings that the records have."""
    if not is_of_the_report(frame):
        return
    for reading in castilho2018.READINGS:
        runs = castilho2018.of_report(frame, reading)
        runs = runs[runs["density"].notna() & summary.report_counts(runs)]
        for solver in values_of(runs, "solver"):
            for name, number, made in _of_solver(frame, runs[runs["solver"].eq(solver)], solver, reading):
                if every or (number and reading == "ends"):
                    figure = made()
                    if number:
                        figure.title += f" (the report's figure {number})"
                    yield Drawn(name, CASTILHO, figure)


def _of_solver(frame: pd.DataFrame, runs: pd.DataFrame, solver: str, reading: str) -> Iterator[tuple[str, str, _Made]]:
    for size in sizes(runs):
        some = runs[runs["size"].eq(size)]
        if reading != "ends" and not some["reading"].eq(reading).any():
            continue  # it would be the same figure as under the first reading
        for column, word in (("decisions", "decisions"), (clock_of(frame).column, "time")):
            if some[column].notna().any():
                number = _number(word, solver, size)
                yield f"{word}-{solver}-{size}-{reading}", number, _by_fill(frame, solver, size, column, reading)
    for rules in ("3", "6"):
        if (rules == "6" or reading == "ends") and runs["rules"].eq(rules).any():
            number = _number(rules, solver, "")
            yield f"time-rule-{rules}-{solver}-{reading}", number, _by_size(frame, solver, rules, reading)


_Made = Callable[[], TitledFigure]


def _by_fill(frame: pd.DataFrame, solver: str, size: str, column: str, reading: str) -> _Made:
    return lambda: castilho2018.by_fill(frame, solver, size, column, reading)


def _by_size(frame: pd.DataFrame, solver: str, rules: str, reading: str) -> _Made:
    return lambda: castilho2018.time_by_size(frame, solver, rules, reading)


def _number(what: str, solver: str, size: str) -> str:
    for (which, name, board), number in _NUMBERS.items():
        if which == what and solver.startswith(name) and board == size:
            return number
    return ""
