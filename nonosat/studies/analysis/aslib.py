"""Records as a scenario of ASlib: which configuration takes how long on which instance, and what is known of each.

The files are those of the format's second version: https://github.com/coseal/aslib-spec.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path

import pandas as pd

from nonosat.errors import NonosatError
from nonosat.files import made_folder, write_atomically
from nonosat.runs.events import Verdict
from nonosat.studies.analysis.boards import clock_of, latest, limits_of
from nonosat.studies.analysis.selection import features_of, folds_of

STEP = "facts"
_UNKNOWN = "'?'"
_STATUS = {Verdict.TIMEOUT: "timeout", Verdict.CPUOUT: "timeout", Verdict.MEMOUT: "memout", Verdict.CRASH: "crash",
           Verdict.UNSUPPORTED: "not_applicable"}  # fmt: skip


def write_scenario(frame: pd.DataFrame, folder: str | Path, name: str) -> int:
    """Write the scenario of ``frame`` (of ``frames.load``) into ``folder``; gives the number of runs.

    A wrong answer counts as no result. NonosatError: there is no run, or no limit on time that all runs have.
    """
    runs = latest(frame)
    limits = limits_of(runs).unique()
    if not len(runs):
        raise NonosatError("no run has ended: there is no scenario to write")
    if len(limits) != 1 or math.isnan(limits[0]):
        raise NonosatError("a scenario of ASlib has one limit on time for all runs")
    clock, features = clock_of(runs), features_of(runs)
    names, boards = sorted(set(runs["configuration"])), sorted(set(runs["instance"]))
    target = made_folder(folder)
    write_atomically(target / "description.txt", _description(runs, name, float(limits[0]), features.names, names))
    rows = (
        (quoted(run["instance"]), run["repetition"] + 1, quoted(run["configuration"]), _number(run[clock.column]),
         "ok" if run["solved"] else _STATUS.get(run["outcome"], "other"))
        for run in runs.sort_values(["instance", "configuration", "repetition"]).to_dict("records")
    )  # fmt: skip
    status = "{ok,timeout,memout,not_applicable,crash,other}"
    ids = [("instance_id", "STRING"), ("repetition", "NUMERIC")]
    heads = [*ids, ("algorithm", "STRING"), ("runtime", "NUMERIC"), ("runstatus", status)]
    write_atomically(target / "algorithm_runs.arff", _arff("ALGORITHM_RUNS", name, heads, rows))
    values = (
        (quoted(board), 1, *map(_number, row))
        for board, row in zip(features.boards, features.values.tolist(), strict=True)
    )
    heads = [*ids, *((quoted(feature), "NUMERIC") for feature in features.names)]
    write_atomically(target / "feature_values.arff", _arff("FEATURE_VALUES", name, heads, values))
    heads = [*ids, (STEP, "{ok,timeout,memout,presolved,crash,other}")]
    stated = ((quoted(board), 1, "ok") for board in features.boards)
    write_atomically(target / "feature_runstatus.arff", _arff("FEATURE_RUNSTATUS", name, heads, stated))
    folds = ((quoted(board), 1, fold) for board, fold in zip(boards, folds_of(boards), strict=True))
    write_atomically(target / "cv.arff", _arff("CV", name, [*ids, ("fold", "NUMERIC")], folds))
    return len(runs)


def _description(
    runs: pd.DataFrame, name: str, limit: float, features: Iterable[str], configurations: Iterable[str]
) -> str:
    memory = runs["memory_limit_mb"].dropna().unique()
    known = list(features)
    lines = [
        f"scenario_id: {quoted(name)}",
        "performance_measures: [runtime]",
        "maximize: [false]",
        "performance_type: [runtime]",
        f"algorithm_cutoff_time: {limit:g}",
        f"algorithm_cutoff_memory: {_number(memory[0]) if len(memory) == 1 else _UNKNOWN}",
        "features_cutoff_time: '?'",
        "features_cutoff_memory: '?'",
        "number_of_feature_steps: 1",
        f"default_steps: [{STEP}]",
        "feature_steps:",
        f"  {STEP}:",
        f"    provides: [{', '.join(map(quoted, known))}]",
        f"features_deterministic: [{', '.join(map(quoted, known))}]",
        "features_stochastic: []",
        "metainfo_algorithms:",
    ]
    for configuration in configurations:
        lines += [f"  {quoted(configuration)}:", "    configuration: ''", "    deterministic: true"]
    return "\n".join(lines) + "\n"


def _arff(
    relation: str, name: str, heads: Iterable[tuple[str, str]], rows: Iterable[tuple[object, ...]]
) -> Iterator[str]:
    yield f"@RELATION {quoted(f'{relation}_{name}')}\n\n"
    for head, kind in heads:
        yield f"@ATTRIBUTE {head} {kind}\n"
    yield "\n@DATA\n"
    for row in rows:
        yield ",".join(map(str, row)) + "\n"


def quoted(text: object) -> str:
    """A text as ARFF and YAML both take it.

    >>> quoted("order<=64,log · cpsat"), quoted("it's")
    ("'order<=64,log · cpsat'", "'it_s'")
    """
    return "'" + str(text).replace("'", "_").replace("\\", "_") + "'"


def _number(value: object) -> str:
    number = float(value)  # type: ignore[arg-type]
    return f"{number:.10g}" if math.isfinite(number) else "?"
