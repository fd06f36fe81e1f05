"""Records as a data frame: a row a run, the columns of ``records.FIELDS`` and some that follow from them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nonosat.errors import FormatError
from nonosat.experiments.analysis.parts import Rules, rules_of
from nonosat.experiments.analysis.reading import of_records, records_in
from nonosat.experiments.records import CENSORED, FAILED, FIELDS, SOLVED
from nonosat.solvers.answer import Verdict
from nonosat.solvers.judgement import denies_a_solution

TEXT = pd.StringDtype("python")
DTYPES: dict[str, Any] = {"text": TEXT, "integer": "Int64", "real": "float64", "boolean": "boolean"}


def load(source: str | Path | Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """The frame of records: in memory, or in a file by its kind (a store's SQLite, Parquet, JSON lines, CSV).

    Columns that follow from the records:

    - ``size`` ("30x30"); ``total_s`` and ``total_cpu_s``: encoding, loading and solving, as far as they are known
    - ``time_s``: the time to the result, or for stopped runs the time spent (never less than the process took);
      ``cpu_time_s``: the same in CPU seconds
    - ``solved``, ``censored``, ``failed``: the classes of ``records``; ``wrong``: a wrong picture; an interruption is
      none of them
    - ``log10_known``: decimal logarithm of the number of solutions, or if that is not known of how many there are at
      least
    - ``false_unsat``: UNSAT for a board that has a solution (it was made from a picture, or another run found a right
      one), or WRONG since a solution that comes with the board is denied: readings of the rules that shut solutions
      out say so. Such a run is not ``solved``
    - ``domain_rule`` ("2", "2alt"), ``rules`` ("3" ... "5+6"), ``reading`` of rules 4 and 6 ("ends", "printed",
      "mirrored"; "" where neither is used), ``channel``, ``integers``: the encoding's parts
    - ``report_name`` ("2alt/5+6"): the report's name, for any reading, with its channel and integers
    - ``label``: the encoding as the study writes it, "" without one; ``configuration``: that and the solver

    Raises ``NonosatError`` if the file cannot be read, ``FormatError`` if it does not hold records.
    """
    raw = records_in(Path(source)) if isinstance(source, str | os.PathLike) else of_records(source)
    return derived(typed(raw))


def typed(raw: pd.DataFrame) -> pd.DataFrame:
    """The fields in order and with their types; a field that is missing (an older record) is absent throughout."""
    columns = {}
    for field in FIELDS:
        values = raw[field.name] if field.name in raw else pd.Series([None] * len(raw), dtype=object)
        try:
            columns[field.name] = _column(values, field.type)
        except (TypeError, ValueError, OverflowError) as error:
            raise FormatError(f"field {field.name} is no {field.type}: {error}") from None
    # One order whatever the order of the runs, so that equal records give equal bytes.
    order = ["instance", "encoding", "solver", "repetition", "key"]
    return pd.DataFrame(columns).sort_values(order, kind="stable", ignore_index=True)


def _column(values: pd.Series, kind: str) -> pd.Series:
    values = values.reset_index(drop=True)
    if kind == "boolean":  # SQLite has 0 and 1
        return values.map(lambda v: pd.NA if pd.isna(v) else bool(v)).astype("boolean")
    if kind == "text":
        return values.astype(TEXT)
    if kind == "integer":
        return pd.Series(pd.array([pd.NA if pd.isna(v) else int(v) for v in values], dtype="Int64"))
    return pd.to_numeric(values).astype("float64")


def derived(frame: pd.DataFrame) -> pd.DataFrame:
    """``frame`` with the columns that ``load`` tells of; it is not changed."""
    frame = frame.copy()
    known = frame["rows"].notna() & frame["columns"].notna()
    size = frame["rows"].astype(TEXT) + "x" + frame["columns"].astype(TEXT)
    frame["size"] = size.where(known, pd.NA).astype(TEXT)
    frame["total_s"] = _sum(frame, "encode_s", "load_s", "solve_s")
    frame["total_cpu_s"] = _sum(frame, "encode_cpu_s", "load_cpu_s", "solve_cpu_s")
    wrong = frame["outcome"].eq(str(Verdict.WRONG)).fillna(False).astype(bool)
    denied = wrong & frame["reason"].map(lambda reason: denies_a_solution(_or_none(reason))).astype(bool)
    unsat = frame["outcome"].eq(str(Verdict.UNSAT)).fillna(False).astype(bool)
    frame["false_unsat"] = (unsat & _solvable(frame)) | denied
    frame["solved"] = frame["outcome"].isin([str(o) for o in SOLVED]) & ~frame["false_unsat"]
    frame["censored"] = frame["outcome"].isin([str(o) for o in CENSORED])
    frame["failed"] = frame["outcome"].isin([str(o) for o in FAILED])
    frame["wrong"] = wrong & ~denied
    frame["time_s"] = _until_the_end(frame, "total_s", "solve_s", "wall_s")
    frame["cpu_time_s"] = _until_the_end(frame, "total_cpu_s", "solve_cpu_s", "cpu_s")
    with np.errstate(divide="ignore"):
        least = np.log10(frame["solutions"].astype("float64"))
    frame["log10_known"] = frame["log10_solutions"].fillna(least.where(np.isfinite(least)))
    parts = [rules_of(_or_none(name), _or_none(parts)) for name, parts in zip(frame.encoding, frame.parts, strict=True)]
    for position, name in enumerate(Rules._fields):
        frame[name] = pd.array([entry[position] for entry in parts], dtype=TEXT)
    frame["label"] = frame["encoding"].fillna("").astype(TEXT)
    together = (frame["label"] + " · ").where(frame["label"].ne(""), "") + frame["solver"].fillna("?")
    frame["configuration"] = together.astype(TEXT)
    return frame


def _until_the_end(frame: pd.DataFrame, total: str, solve: str, process: str) -> pd.Series:
    """A run that was stopped may not have told the time of the stage that it was in; its process' time is known."""
    whole = frame[total].notna() & (frame[solve].notna() | frame["solved"])
    return frame[total].where(whole, np.fmax(frame[total], frame[process]))


def _solvable(frame: pd.DataFrame) -> pd.Series:
    """Boards known to have a solution: the density generator reads its clues from a picture."""
    found = frame.loc[frame["outcome"].eq(str(Verdict.SAT)).fillna(False), "instance"].dropna()
    return frame["density"].notna() | frame["instance"].isin(found)


def _sum(frame: pd.DataFrame, *names: str) -> pd.Series:
    return frame[list(names)].sum(axis=1, min_count=1)


def _or_none(value: Any) -> str | None:
    return None if pd.isna(value) else str(value)


def sizes(frame: pd.DataFrame) -> list[str]:
    """The sizes in the frame, small boards first."""
    known = frame.loc[frame["size"].notna(), ["size", "rows", "columns"]].drop_duplicates("size")
    area = (known["rows"] * known["columns"]).astype("int64")
    return [str(name) for _, name in sorted(zip(area, known["size"], strict=True))]


def densities(frame: pd.DataFrame) -> list[float]:
    """The densities in the frame, ascending."""
    return [float(value) for value in sorted(frame["density"].dropna().unique())]


def values_of(frame: pd.DataFrame, column: str) -> list[str]:
    """The different texts in a column, sorted."""
    return sorted(str(value) for value in frame[column].dropna().unique())
