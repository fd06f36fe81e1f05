"""Writes paper.md: the template with its numbers, which are read from results/ and from the registries.

    python paper/make.py

A name in braces in the template is one of ``facts()``. ``tests/test_paper.py`` holds paper.md to be what this
makes, and the template to have no number of its own.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd

from nonosat.encodings.registry import KINDS
from nonosat.solvers.registry import solvers
from nonosat.studies.analysis import frames

PAPER = Path(__file__).parent
RESULTS = PAPER.parent / "results"
sys.path[:0] = [str(PAPER.parent / folder) for folder in ("experiments", "benchmarks")]

import rival_plot  # noqa: E402 - found by the line above

sys.path.remove(str(PAPER.parent / "benchmarks"))  # it has a module of the name of a folder in experiments

from transition.analysis import LEVEL, load_boards  # noqa: E402 - found by the line above

SIZE = 30
"""Of the boards of which the text tells how other encoders do; half of their cells are filled."""
FIGURE = "30x30"
"""The boards of figure 5.3."""


def table(name: str) -> list[dict[str, str]]:
    """A benchmark's rows."""
    with (RESULTS / name / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def facts() -> dict[str, Any]:
    """Every number of the paper, as text."""
    names = ("castilho2018-readings", "walejko2022", "majdandzic2022")
    readings, walejko, majdandzic = (frames.load(RESULTS / f"{name}.parquet") for name in names)
    again = frames.load(RESULTS / "castilho2018-again.parquet")
    alone = again[again["rules"].isin(["4", "6"])]
    by_reading = readings[readings["rules"].isin(["4", "6"])].groupby("reading")
    printed, mirrored = (by_reading.get_group(name) for name in ("printed", "mirrored"))
    if not alone["wrong"].all() or again[again["rules"].eq("5+6")]["wrong"].any():
        raise SystemExit("the paper says that all answers of rules 4 and 6 alone are wrong, and none of 5+6")
    if not _ended(printed)[["wrong", "false_unsat"]].any(axis=1).all() or mirrored["wrong"].any():
        raise SystemExit("the paper says that all answers of the printed formula are wrong, and none mirrored")
    families = [solver.family for name, solver in solvers().items() if not name.startswith("certified")]
    told = {kind.name: SimpleNamespace(encodings=len(kind.tested)) for kind in KINDS.values()}
    return {
        **told,
        "again": _runs(again),
        "alone": _runs(alone),
        "six": _runs(alone[alone["rules"].eq("6")]),
        "both": _verdict("2alt/5+6 by 2alt/3"),
        "printed": _runs(printed),
        "mirrored": _runs(mirrored),
        "decisions": _decisions(),
        "walejko": _runs(walejko), "majdandzic": _runs(majdandzic),
        "solvers": SimpleNamespace(sat=families.count("SAT"), own=families.count("own")),
        "rivals": _rivals(table("rivals")),
        "transition": _transition(),
    }  # fmt: skip


def _ended(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[~frame["censored"]]


def _verdict(measured: str) -> SimpleNamespace:
    """A ratio of means of decisions under MiniSat, of the repetition."""
    rows = pd.read_csv(RESULTS / "castilho2018-again/verdicts.csv")
    rows = rows[rows["measured"].eq(measured) & rows["of"].eq("decisions") & rows["estimator"].eq("means")]
    row = rows[rows["solver"].eq("minisat22")].iloc[0]
    ratio = f"{row['value']:.2f} ({row['low']:.2f} to {row['high']:.2f})"
    return SimpleNamespace(ratio=ratio, cells=row["cells"], boards=row["boards"])


def _transition() -> SimpleNamespace:
    """Boards of the studies of the transition: those asked three questions, and those of the finite-size scaling."""
    runs = load_boards(RESULTS / "transition")
    asked, counted = (set(runs.loc[runs["solver"].eq(who), "instance"]) for who in ("minisat22", "components"))
    boards = set(runs["instance"])
    boards |= set(frames.load(RESULTS / "transition/transition-scaling.parquet")["instance"])
    return SimpleNamespace(boards=f"{len(boards):,}", asked=f"{len(asked):,}", counted=f"{len(counted & asked):,}")


def _runs(frame: pd.DataFrame) -> SimpleNamespace:
    return SimpleNamespace(
        runs=f"{len(frame):,}",
        ended=f"{len(_ended(frame)):,}",
        limit=f"{frame['cpu_limit_s'].max():g}",
        wrong=f"{int(frame['wrong'].sum()):,}",
        false_unsat=f"{int(frame['false_unsat'].sum()):,}",
    )


def _rivals(rows: list[dict[str, str]]) -> SimpleNamespace:
    """Ratios as the benchmark has them: of medians, over the boards that both began (it keeps no times by board)."""
    here = {(row["question"], row["who"]): row for row in rows if row["set"] == f"{SIZE}x{SIZE}, 50 %"}

    def of(question: str, who: str) -> SimpleNamespace:
        row = here[question, who]
        clauses = f"{int(float(row['clauses'])):,}" if row["clauses"] else ""
        ratio = (
            f"{_times(float(row['ratio']))} ({row['ratio_interval'].replace('..?', ' or more').replace('..', ' to ')})"
        )
        return SimpleNamespace(clauses=clauses, ratio=ratio, begun=row["begun"], done=row["done"])

    names = {
        "ours": "nonosat, minisat22",
        "pindakaas": "Pindakaas",
        "pysat": "pysat.integer",
        "cpmpy": "CPMpy, python-sat",
    }
    cnf = SimpleNamespace(**{name: of("formula", who) for name, who in names.items()})
    names["ortools"] = "OR-Tools, automata"
    first = SimpleNamespace(**{name: of("first", who) for name, who in names.items()})
    records = pd.read_csv(RESULTS / "rivals/records.csv")
    made = records[records["set"].eq(f"{SIZE}x{SIZE}, 50 %") & records["question"].eq("formula")]
    by_board = made[made["who"].isin([names[who] for who in ("ours", "pindakaas", "pysat")])].groupby("puzzle")
    if by_board["clauses"].nunique().max() != 1 or by_board.size().min() != 3:
        raise SystemExit("the paper says that Pindakaas and PySAT come to the same clauses: they do not any more")
    whole = [here["first", who] for name, who in names.items() if name != "cpmpy"]
    if any(row["done"] != row["puzzles"] for row in whole):
        raise SystemExit("the paper says that all but CPMpy solved all boards: they did not")
    mean, most = here["first", "nonosat, auto"]["limits_s"].split(", ")
    drawn = [row["begun"] for row in rows if row["who"] in rival_plot.DRAWN and row["question"] in rival_plot.QUESTIONS
             and row["set"].partition(", ")[2] in rival_plot.DENSITIES and row["median_ms"]]  # fmt: skip
    return SimpleNamespace(
        size=SIZE, boards=whole[0]["puzzles"], fewest=min(map(int, drawn)), cnf=cnf, first=first, mean=mean, most=most
    )


def _times(ratio: float) -> str:
    return f"{ratio:.3g}" if ratio < 100 else f"{ratio:,.0f}"


def _decisions() -> SimpleNamespace:
    """What the caption of figure 5.3 has."""
    cells = pd.read_csv(RESULTS / "castilho2018-again/cells.csv")
    here = cells[cells["solver"].eq("minisat22") & cells["size"].eq(FIGURE) & cells["state"].eq("complete")]
    hard = here[here["over"].gt(0)]
    if here["boards"].nunique() != 1 or hard["density"].nunique() != 1 or len(here) != 60:
        raise SystemExit("the paper says that figure 5.3 has all encodings on as many boards, with one hard density")
    limit = frames.load(RESULTS / "castilho2018-again.parquet")["cpu_limit_s"].max()
    return SimpleNamespace(
        size=FIGURE,
        boards=here["boards"].iloc[0],
        level=f"{100 * LEVEL:g}",
        limit=f"{limit:g}",
        hard=f"{100 * hard['density'].iloc[0]:g}",
        over=int(hard["over"].sum()),
        at_hard=f"{int(here[here['density'].isin(hard['density'])]['boards'].sum()):,}",
    )


def made() -> str:
    """The paper's text."""
    return (PAPER / "template.md").read_text(encoding="utf-8").format(**facts())


if __name__ == "__main__":
    (PAPER / "paper.md").write_text(made(), encoding="utf-8")
