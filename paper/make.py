"""Writes paper.md: the template with its numbers, which are read from results/ and from the registries.

    python paper/make.py

A name in braces in the template is one of ``facts()``. ``tests/test_paper.py`` holds paper.md to be what this
makes, and the template to have no number of its own.
"""

from __future__ import annotations

import csv
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd

from nonosat.encodings.registry import KINDS
from nonosat.solvers.registry import solvers
from nonosat.studies.analysis import frames, transition

PAPER = Path(__file__).parent
RESULTS = PAPER.parent / "results"
SIZE = 30
"""Of the boards of which the text tells how other encoders do; half of their cells are filled."""
FRONTIER = {"size": "60", "density": "0.4"}


def table(name: str) -> list[dict[str, str]]:
    """A benchmark's rows."""
    with (RESULTS / name / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def facts() -> dict[str, Any]:
    """Every number of the paper, as text."""
    names = ("castilho2018-readings", "walejko2022", "majdandzic2022")
    readings, walejko, majdandzic = (_runs(frames.load(RESULTS / f"{name}.parquet")) for name in names)
    families = [solver.family for solver in solvers().values()]
    told = {kind.name: SimpleNamespace(encodings=len(kind.tested)) for kind in KINDS.values()}
    return {
        **told, "readings": readings, "walejko": walejko, "majdandzic": majdandzic,
        "solvers": SimpleNamespace(sat=families.count("SAT"), own=families.count("own")),
        "rivals": _rivals(table("rivals")), "transition": _transition(transition.load_boards(RESULTS / "transition")),
        "frontier": _frontier(table("frontier")),
    }  # fmt: skip


def _runs(frame: pd.DataFrame) -> SimpleNamespace:
    return SimpleNamespace(
        runs=f"{len(frame):,}",
        wrong=f"{int(frame['wrong'].sum()):,}",
        false_unsat=f"{int(frame['false_unsat'].sum()):,}",
    )


def _rivals(rows: list[dict[str, str]]) -> SimpleNamespace:
    here = {(row["question"], row["who"]): row for row in rows if row["set"] == f"{SIZE}x{SIZE}, 50 %"}

    def ratio(question: str, who: str) -> str:
        mine, own = (float(here[question, name]["median_ms"]) for name in (who, "nonosat, minisat22"))
        return _times(mine / own)

    def of(who: str) -> SimpleNamespace:
        cnf, answer = ratio("formula", who), ratio("first", who)
        return SimpleNamespace(clauses=f"{int(float(here['formula', who]['clauses'])):,}", cnf=cnf, answer=answer)

    ours = of("nonosat, minisat22")
    others = {"pindakaas": of("Pindakaas"), "pysat": of("pysat.integer"), "cpmpy": of("CPMpy, python-sat")}
    if not ours.clauses == others["pindakaas"].clauses == others["pysat"].clauses:
        raise SystemExit("the paper says that Pindakaas and PySAT come to the same clauses: they do not any more")
    automata, boards = ratio("first", "CPMpy, CP-SAT"), here["first", "Pindakaas"]["puzzles"]
    return SimpleNamespace(size=SIZE, boards=boards, clauses=ours.clauses, automata=automata, **others)


def _times(ratio: float) -> str:
    return f"{ratio:.3g}" if ratio < 100 else f"{ratio:,.0f}"


def _transition(runs: pd.DataFrame) -> SimpleNamespace:
    density = sorted(runs["density"].dropna().unique())
    return SimpleNamespace(
        runs=f"{len(runs):,}", boards=f"{runs['instance'].nunique():,}", smallest=int(runs["rows"].min()),
        largest=int(runs["rows"].max()), sparsest=f"{100 * density[0]:.0f}", densest=f"{100 * density[-1]:.0f}",
    )  # fmt: skip


def _frontier(rows: list[dict[str, str]]) -> SimpleNamespace:
    here = {row["solver"]: row for row in rows if all(row[key] == value for key, value in FRONTIER.items())}
    limit = (RESULTS / "frontier" / "frontier.md").read_text(encoding="utf-8").partition("limit ")[2].split()[0]
    auto, minisat = here["auto"], here["minisat22"]
    return SimpleNamespace(
        **FRONTIER, limit=limit, boards=auto["boards"], auto=auto["solved"], minisat=minisat["solved"]
    )


def made() -> str:
    """The paper's text."""
    return (PAPER / "template.md").read_text(encoding="utf-8").format(**facts())


if __name__ == "__main__":
    (PAPER / "paper.md").write_text(made(), encoding="utf-8")
