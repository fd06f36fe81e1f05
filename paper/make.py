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
sys.path.insert(0, str(PAPER.parent / "experiments"))

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
    readings, walejko, majdandzic = (_runs(frames.load(RESULTS / f"{name}.parquet")) for name in names)
    again = frames.load(RESULTS / "castilho2018-again.parquet")
    alone = again[again["rules"].isin(["4", "6"])]
    families = [solver.family for name, solver in solvers().items() if not name.startswith("certified")]
    told = {kind.name: SimpleNamespace(encodings=len(kind.tested)) for kind in KINDS.values()}
    return {
        **told,
        "again": _runs(again),
        "alone": _runs(alone),
        "decisions": _decisions(),
        "readings": readings, "walejko": walejko, "majdandzic": majdandzic,
        "solvers": SimpleNamespace(sat=families.count("SAT"), own=families.count("own")),
        "rivals": _rivals(table("rivals")),
        "transition": SimpleNamespace(boards=f"{load_boards(RESULTS / 'transition')['instance'].nunique():,}"),
    }  # fmt: skip


def _runs(frame: pd.DataFrame) -> SimpleNamespace:
    return SimpleNamespace(
        runs=f"{len(frame):,}",
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
    if not cnf.ours.clauses == cnf.pindakaas.clauses == cnf.pysat.clauses:
        raise SystemExit("the paper says that Pindakaas and PySAT come to the same clauses: they do not any more")
    whole = [here["first", who] for name, who in names.items() if name != "cpmpy"]
    if any(row["done"] != row["puzzles"] for row in whole):
        raise SystemExit("the paper says that all but CPMpy solved all boards: they did not")
    return SimpleNamespace(size=SIZE, boards=whole[0]["puzzles"], cnf=cnf, first=first)


def _times(ratio: float) -> str:
    return f"{ratio:.3g}" if ratio < 100 else f"{ratio:,.0f}"


def _decisions() -> SimpleNamespace:
    """What the caption of figure 5.3 has."""
    cells = pd.read_csv(RESULTS / "castilho2018-again/cells.csv")
    here = cells[cells["solver"].eq("minisat22") & cells["size"].eq(FIGURE) & cells["state"].eq("complete")]
    if here["boards"].nunique() != 1 or here["over"].any():
        raise SystemExit(
            "the paper says that all points of figure 5.3 have the same number of boards, and no limit met"
        )
    limit = frames.load(RESULTS / "castilho2018-again.parquet")["cpu_limit_s"].max()
    return SimpleNamespace(size=FIGURE, boards=here["boards"].iloc[0], level=f"{100 * LEVEL:g}", limit=f"{limit:g}")


def made() -> str:
    """The paper's text."""
    return (PAPER / "template.md").read_text(encoding="utf-8").format(**facts())


if __name__ == "__main__":
    (PAPER / "paper.md").write_text(made(), encoding="utf-8")
