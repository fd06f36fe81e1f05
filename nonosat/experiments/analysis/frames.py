"""Records as a data frame: a row a run, the columns of ``records.FIELDS`` and some that follow from them."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from nonosat.encodings.registry import encoding as encoding_named
from nonosat.errors import FormatError, NonosatError
from nonosat.experiments.records import CENSORED, FAILED, FIELDS, NAMES, SOLVED
from nonosat.files import read_text, shown
from nonosat.solvers.answer import Verdict

MAX_BYTES = 2**33
"""No JSONL file over this is read; a whole study of the report's size has a hundredth of it."""

TEXT = pd.StringDtype("python")
DTYPES: dict[str, Any] = {"text": TEXT, "integer": "Int64", "real": "float64", "boolean": "boolean"}

_DOMAINS = {"plain": "2", "tight": "2alt"}
_READINGS = ("ends", "printed", "mirrored")


def load(source: str | Path | Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """The frame of records: in memory, or in a file by its kind (JSON lines, Parquet, or a store's SQLite).

    Columns that follow from the records:

    - ``size`` ("30x30"); ``total_s`` and ``total_cpu_s``: encoding, loading and solving, as far as they are known
    - ``time_s``: the time to the result, or for stopped runs the time spent (never less than the process took)
    - ``solved``, ``censored``, ``failed``: the classes of ``records``; ``wrong``: a wrong picture; an interruption is
      none of them
    - ``log10_known``: decimal logarithm of the number of solutions, or if that is not known of how many there are at
      least
    - ``false_unsat``: UNSAT for a board that has a solution (it was made from a picture, or another run found a right
      one): readings of the rules that shut solutions out say so. Such a run is not ``solved``
    - ``domain_rule`` ("2", "2alt"), ``rules`` ("3" ... "5+6"), ``reading`` of rules 4 and 6 ("ends", "printed",
      "mirrored"; "" where neither is used), ``channel``, ``integers``: the encoding's parts
    - ``report_name`` ("2alt/5+6"): the report's name, for any reading, with its channel and integers
    - ``label``: what figures call the encoding; ``configuration``: that and the solver

    Raises ``NonosatError`` if the file cannot be read, ``FormatError`` if it does not hold records.
    """
    if not isinstance(source, str | os.PathLike):
        return derived(typed(of_records(source)))
    path = Path(source)
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError as error:
        raise NonosatError(f"{shown(path)}: {error.strerror or error}") from None
    if head.startswith(b"SQLite format 3\0"):
        raw = _of_sqlite(path)
    elif head.startswith(b"PAR1"):
        raw = _of_parquet(path)
    else:
        raw = of_records(_of_jsonl(path))
    return derived(typed(raw))


def of_records(records: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Records as they are, one column of objects a field; other keys than the fields' are left out."""
    rows = list(records)
    return pd.DataFrame({name: pd.Series([row.get(name) for row in rows], dtype=object) for name in NAMES})


def _of_jsonl(path: Path) -> list[dict[str, Any]]:
    records = []
    for number, line in enumerate(read_text(path, MAX_BYTES).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else type(error).__name__
            raise FormatError(f"not a line of JSON: {reason}", number, shown(path)) from None
        if not isinstance(record, dict) or "outcome" not in record:
            raise FormatError("not a record: it has no outcome", number, shown(path))
        records.append(record)
    return records


def _of_parquet(path: Path) -> pd.DataFrame:
    try:
        return pd.read_parquet(path)
    except ImportError:
        raise NonosatError(f"{shown(path)}: reading Parquet needs pyarrow (pip install pyarrow)") from None
    except (OSError, ValueError) as error:
        raise FormatError(f"not a Parquet file that can be read: {error}", source=shown(path)) from None


def _of_sqlite(path: Path) -> pd.DataFrame:
    """The table ``runs``, opened read-only, so that a study that goes on is not disturbed."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            cursor = connection.execute("SELECT * FROM runs ORDER BY rowid")
            names = [column[0] for column in cursor.description]
            return pd.DataFrame(cursor.fetchall(), columns=names, dtype=object)
    except sqlite3.Error as error:
        raise FormatError(f"not a store of runs: {error}", source=shown(path)) from None


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
    frame["false_unsat"] = frame["outcome"].eq(str(Verdict.UNSAT)).fillna(False).astype(bool) & _solvable(frame)
    frame["solved"] = frame["outcome"].isin([str(o) for o in SOLVED]) & ~frame["false_unsat"]
    frame["censored"] = frame["outcome"].isin([str(o) for o in CENSORED])
    frame["failed"] = frame["outcome"].isin([str(o) for o in FAILED])
    frame["wrong"] = frame["outcome"].eq(str(Verdict.WRONG)).fillna(False).astype(bool)
    # A run that was stopped may not have told the time of the stage that it was in; its process' wall time is known.
    spent = np.fmax(frame["total_s"], frame["wall_s"])
    whole = frame["total_s"].notna() & (frame["solve_s"].notna() | frame["solved"])
    frame["time_s"] = frame["total_s"].where(whole, spent)
    with np.errstate(divide="ignore"):
        least = np.log10(frame["solutions"].astype("float64"))
    frame["log10_known"] = frame["log10_solutions"].fillna(least.where(np.isfinite(least)))
    parts = [rules_of(_or_none(name), _or_none(parts)) for name, parts in zip(frame.encoding, frame.parts, strict=True)]
    for position, name in enumerate(Rules._fields):
        frame[name] = pd.array([entry[position] for entry in parts], dtype=TEXT)
    frame["configuration"] = [
        solver if label is pd.NA or not label else f"{label} · {solver}"
        for label, solver in zip(frame["label"], frame["solver"].fillna("?"), strict=True)
    ]
    frame["configuration"] = frame["configuration"].astype(TEXT)
    return frame


def _solvable(frame: pd.DataFrame) -> pd.Series:
    """Boards known to have a solution: the density generator reads its clues from a picture."""
    found = frame.loc[frame["outcome"].eq(str(Verdict.SAT)).fillna(False), "instance"].dropna()
    return frame["density"].notna() | frame["instance"].isin(found)


def _sum(frame: pd.DataFrame, *names: str) -> pd.Series:
    return frame[list(names)].sum(axis=1, min_count=1)


def _or_none(value: Any) -> str | None:
    return None if pd.isna(value) else str(value)


class Rules(NamedTuple):
    """What an encoding is made of, as ``load`` tells; absent parts are None."""

    domain_rule: str | None = None
    rules: str | None = None
    reading: str | None = None
    channel: str | None = None
    integers: str | None = None
    report_name: str | None = None
    label: str = ""


@cache
def rules_of(name: str | None, parts: str | None) -> Rules:
    """The parts of an encoding by its name (``parts``: written out), in the report's numbers where it has some.

    >>> rules_of("2alt/5+6", None)[:3], rules_of("tight+r6mirrored+iff", None).label
    (('2alt', '5+6', 'ends'), '2alt/6 mirrored')
    >>> rules_of("tight+r3", None).report_name is None, rules_of("tight+r3", None).label
    (True, 'tight+r3')
    """
    if name is None and parts is None:
        return Rules()
    try:
        whole = encoding_named(parts or name or "")
    except NonosatError:  # another version's, which this one does not know
        return Rules(label=name or parts or "")
    if whole.domain is None or whole.kind != "nonogram":
        return Rules(channel=None, integers=whole.integers, label=name or whole.name)
    numbers, readings = [], []
    for rule in whole.ordering:
        reading = next((r for r in _READINGS if rule.endswith(r)), None)
        readings += [reading] if reading else []
        numbers.append(rule.removeprefix("r").removesuffix(reading or "") if rule != "accumulated" else rule)
    domain, rules = _DOMAINS[whole.domain], "+".join(numbers)
    reading = "+".join(dict.fromkeys(readings))
    report = f"{domain}/{rules}"
    if not (whole.channel == "iff" and whole.integers == "order" and "accumulated" not in numbers):
        return Rules(domain, rules, reading, whole.channel, whole.integers, None, name or whole.name)
    label = report if reading in ("", "ends") else f"{report} {reading}"
    return Rules(domain, rules, reading, whole.channel, whole.integers, report, label)


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
