"""Records of the three studies as one table: a row a board, with what each of their runs tells of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from nonosat.experiments.analysis import frames
from nonosat.solvers.answer import Verdict

STUDIES = ("transition", "transition-finding", "transition-counting")
SAT, BELIEFS, COUNTER, BACKBONE, REASONING = "minisat22", "beliefs", "components", "backbone", "difficulty"


def load(folder: str | Path) -> pd.DataFrame:
    """The runs of all three studies, from the Parquet files of their names in ``folder``; no interrupted ones."""
    runs = pd.concat([frames.load(Path(folder) / f"{study}.parquet") for study in STUDIES], ignore_index=True)
    return runs[runs["outcome"].ne(str(Verdict.INTERRUPTED))].reset_index(drop=True)


def boards(runs: pd.DataFrame) -> pd.DataFrame:
    """A row a board: ``n`` (its side), ``density`` and ``seed``, and these, NaN or NA where no run tells them:

    - ``unique``: there is one picture (True), or several (False), say SAT or a count
    - ``backbone_least``, ``backbone_most``: the share of cells that all solutions share lies between them; 0 and 1 if
      the run was stopped before it knew anything
    - ``by_lines``: share of cells that lines settle; ``hardness``: the label of its difficulty
    - ``log10``: of the number of solutions, and ``counted``: that is the number, and not a lower bound
    - ``bethe``: the same by Bethe
    - ``find_s``, ``prove_s``, ``count_s``: CPU seconds of SAT until the first picture, of SAT from there until the
      second or the proof that there is none, and of counting; ``beliefs_s``: of beliefs until the first picture.
      Encoding and loading are left out; ``..._ended``: it came to that end, and was not stopped
    - ``find_conflicts``, ``prove_conflicts``
    """
    whole = pd.DataFrame(index=pd.MultiIndex.from_frame(_names(runs).drop_duplicates()))
    sat, count, backbone = _of(runs, SAT), _of(runs, COUNTER), _of(runs, BACKBONE)
    reasoning, beliefs = _of(runs, REASONING), _of(runs, BELIEFS)
    told = [run["unique"].astype("boolean") for run in (sat, count, backbone)]
    whole["unique"] = told[0].reindex(whole.index)
    for other in told[1:]:
        whole["unique"] = whole["unique"].fillna(other.reindex(whole.index))
    for name, unknown in (("backbone_least", 0.0), ("backbone_most", 1.0)):
        known = backbone[name].reindex(whole.index).fillna(count[name].reindex(whole.index))
        whole[name] = known.mask(known.isna() & whole.index.isin(backbone.index), unknown)
    whole["by_lines"], whole["hardness"] = reasoning["by_lines"], reasoning["hardness"]
    whole["hardness"] = whole["hardness"].mask(whole["unique"].eq(False).fillna(False), "ambiguous")
    exact = pd.concat([run["log10_solutions"] for run in (count, backbone, sat)])
    least = pd.concat([run["log10_known"] for run in (count, backbone, sat)])
    whole["log10"] = exact.groupby(level=[0, 1, 2]).max()
    whole["counted"] = whole["log10"].notna()
    whole["log10"] = whole["log10"].fillna(least.groupby(level=[0, 1, 2]).max())
    whole["bethe"] = count["entropy_bethe"].reindex(whole.index).fillna(backbone["entropy_bethe"].reindex(whole.index))
    return _with_costs(whole, sat, count, beliefs).reset_index().sort_values(["n", "density", "seed"])


def _with_costs(whole: pd.DataFrame, sat: pd.DataFrame, count: pd.DataFrame, beliefs: pd.DataFrame) -> pd.DataFrame:
    before = sat["encode_cpu_s"] + sat["load_cpu_s"].fillna(0)
    first = sat["first_cpu_s"].notna()
    whole["find_s"] = sat["first_cpu_s"].where(first, sat["cpu_s"]) - before
    whole["find_ended"] = first
    whole["prove_s"] = (sat["cpu_s"] - sat["first_cpu_s"]).where(first)
    whole["prove_ended"] = sat["solved"].where(first)
    whole["count_s"], whole["count_ended"] = count["solve_cpu_s"], count["solved"]
    whole["beliefs_s"] = beliefs["first_cpu_s"].fillna(beliefs["solve_cpu_s"])
    whole["beliefs_ended"] = beliefs["first_cpu_s"].notna()
    whole["find_conflicts"] = sat["first_conflicts"].astype("Float64").astype("float64")
    last = sat["conflicts"].astype("Float64").astype("float64")
    whole["prove_conflicts"] = np.maximum(last - whole["find_conflicts"], 0)
    return whole


def _of(runs: pd.DataFrame, solver: str) -> pd.DataFrame:
    """The runs of a solver, by board."""
    found = runs[runs["solver"].eq(solver)]
    return found.set_index(pd.MultiIndex.from_frame(_names(found)))


def _names(runs: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {"n": runs["rows"].astype("int64"), "density": runs["density"], "seed": runs["seed"].astype("int64")}
    )
