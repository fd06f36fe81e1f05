"""Records as a data frame: a row a run, the columns of ``records.FIELDS`` and some that follow from them."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from nonosat.encodings.registry import encoding as encoding_named
from nonosat.errors import FormatError, NonosatError, UnknownNameError
from nonosat.files import opened_sqlite, printable, read_text, reason, shown
from nonosat.runs.events import Verdict
from nonosat.solvers.judgement import denies_a_solution
from nonosat.studies.records import CENSORED, FAILED, FIELDS, FORMERLY, NAMES, SCHEMA, SOLVED, renamed, stated

# Files of records: stores, Parquet, JSON lines and CSV.


MAX_BYTES = 2**33
"""No JSON lines or CSV over this are read; a whole study of the report's size has a hundredth of it."""
KINDS = (".sqlite", ".parquet", ".jsonl", ".csv")
"""How names of files of records end."""


_SQLITE, _PARQUET = b"SQLite format 3\0", b"PAR1"
_MAGIC = {".sqlite": (_SQLITE, "a store of runs"), ".parquet": (_PARQUET, "a Parquet file")}
"""The first bytes of files that are so called."""


def records_in(path: Path) -> pd.DataFrame:
    """The records of a file by its kind, without types; other columns than the fields' may be among them."""
    head = _head(path)
    if head.startswith(_SQLITE):
        found = _of_sqlite(path)
    elif head.startswith(_PARQUET):
        found = _of_parquet(path)
    else:
        found = of_records(_of_csv(path) if path.suffix.lower() == ".csv" else _of_jsonl(path))
    found = found.rename(columns={former: name for name, (former, _) in FORMERLY.items()})
    if (schema := schema_of(path)) < SCHEMA:
        for name in {"encoding", "parts"} & {*found.columns}:
            found[name] = found[name].map(lambda encoding: renamed(encoding, schema), na_action="ignore")
    return found


def of_records(records: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Records as they are, one column of objects a field; other keys than the fields' are left out."""
    rows = list(records)
    names = {name: (name, *FORMERLY.get(name, ())[:1]) for name in NAMES}
    values = {
        name: [next((row[known] for known in names[name] if known in row), None) for row in rows] for name in NAMES
    }
    return pd.DataFrame({name: pd.Series(column, dtype=object) for name, column in values.items()})


def schema_of(path: Path) -> int:
    """The schema of a file of records (``records.SCHEMA``); of JSON lines and CSV by themselves, today's."""
    head = _head(path)
    if head.startswith(_SQLITE):
        try:
            with closing(opened_sqlite(path)) as connection:
                [schema] = connection.execute("SELECT value FROM meta WHERE name = 'schema'").fetchone() or [SCHEMA]
        except sqlite3.Error:  # a table of runs, and no store of ours
            return SCHEMA
    elif head.startswith(_PARQUET):
        schema = _parquet_metadata(path).get("nonosat.schema", SCHEMA)
    else:
        schema = _companion(path).get("schema", SCHEMA)
    return int(schema)


@dataclass(frozen=True)
class About:
    """What goes with records: the study's text, and the documents that their field ``provenance`` names."""

    toml: str = ""
    provenance: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def about(path: Path) -> About:
    """The study of a file of records; with JSON lines and CSV it is in ``NAME.provenance.json``."""
    head = _head(path)
    if head.startswith(_SQLITE):
        from nonosat.studies.store import StoreReader

        with StoreReader(path) as reader:
            return About(reader.toml, reader.provenances())
    if head.startswith(_PARQUET):
        metadata = _parquet_metadata(path)
        return About(
            stated(metadata.get("nonosat.toml", ""), schema_of(path)),
            json.loads(metadata.get("nonosat.provenance", "{}")),
        )
    found = _companion(path)
    return About(stated(found.get("toml") or "", schema_of(path)), found.get("provenance", {}))


def _companion(path: Path) -> dict[str, Any]:
    """What stands next to JSON lines and CSV, in ``NAME.provenance.json``; empty if it is not there."""
    companion = path.with_suffix(".provenance.json")
    if not companion.is_file():
        return {}
    try:
        found = json.loads(read_text(companion, MAX_BYTES))
        return {"schema": int(found.get("schema", SCHEMA)), "toml": found["toml"], "provenance": found["provenance"]}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FormatError("not what goes with exported records", source=shown(companion)) from None


def _parquet_metadata(path: Path) -> dict[str, str]:
    """The metadata of a Parquet file."""
    from pyarrow import ArrowException, parquet

    try:
        return {k.decode(): v.decode() for k, v in (parquet.read_schema(path).metadata or {}).items()}
    except (ArrowException, OSError, ValueError) as error:
        raise FormatError(f"not a Parquet file: {printable(str(error), 80)}", source=shown(path)) from None


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError as error:
        raise NonosatError(f"{shown(path)}: {reason(error, 'no such file')}") from None
    for suffix, (magic, what) in _MAGIC.items():
        if path.suffix.lower() == suffix and not head.startswith(magic):
            raise FormatError(f"not {what}", source=shown(path))
    return head


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


def _of_csv(path: Path) -> list[dict[str, Any]]:
    rows = csv.DictReader(io.StringIO(read_text(path, MAX_BYTES), newline=""))
    if "outcome" not in (rows.fieldnames or ()):
        raise FormatError("not records: no column is called outcome", 1, shown(path))
    words = {"": None, "true": True, "false": False}
    return [{name: words.get(value, value) for name, value in row.items()} for row in rows]


def _of_parquet(path: Path) -> pd.DataFrame:
    try:
        return pd.read_parquet(path)
    except (OSError, ValueError) as error:
        raise FormatError(f"not a Parquet file that can be read: {error}", source=shown(path)) from None


def _of_sqlite(path: Path) -> pd.DataFrame:
    """The table ``runs``; a study that goes on is not disturbed."""
    try:
        with closing(opened_sqlite(path)) as connection:
            cursor = connection.execute("SELECT * FROM runs ORDER BY rowid")
            names = [column[0] for column in cursor.description]
            return pd.DataFrame(cursor.fetchall(), columns=names, dtype=object)
    except sqlite3.Error as error:
        raise FormatError(f"not a store of runs: {error}", source=shown(path)) from None


# The parts of an encoding, by the rule numbers of Castilho & Welter (2018) where it has some.


_DOMAINS = {"plain": "2", "tight": "2alt"}
_READINGS = ("ends", "printed", "mirrored")


class ReportRules(NamedTuple):
    """The parts of an encoding, as columns of ``load``; absent parts are None."""

    domain_rule: str | None = None
    rules: str | None = None
    reading: str | None = None
    channel: str | None = None
    integers: str | None = None
    report_name: str | None = None


@cache
def rules_of(name: str | None, parts: str | None) -> ReportRules:
    """The parts of an encoding by its name (``parts``: written out), in the report's numbers where it has some.

    >>> rules_of("2alt/5+6", None)[:3], rules_of("tight+r6mirrored+iff", None).report_name
    (('2alt', '5+6', 'ends'), '2alt/6')
    >>> rules_of("tight+r3", None).report_name is None
    True
    """
    if name is None and parts is None:
        return ReportRules()
    try:
        whole = encoding_named(parts or name or "")
    except NonosatError:  # another version's, which this one does not know
        return ReportRules()
    if whole.domain is None or whole.kind != "nonogram":
        return ReportRules(integers=whole.integers)
    numbers, readings = [], []
    for rule in whole.ordering:
        reading = next((r for r in _READINGS if rule.endswith(r)), None)
        readings += [reading] if reading else []
        numbers.append(rule.removeprefix("r").removesuffix(reading or "") if rule != "accumulated" else rule)
    domain, rules = _DOMAINS[whole.domain], "+".join(numbers)
    reading = "+".join(dict.fromkeys(readings))
    of_report = whole.channel == "iff" and whole.integers == "order" and "accumulated" not in numbers
    report = f"{domain}/{rules}" if of_report else None
    return ReportRules(domain, rules, reading, whole.channel, whole.integers, report)


TEXT = pd.StringDtype("python")
DTYPES: dict[str, Any] = {"text": TEXT, "integer": "Int64", "real": "float64", "boolean": "boolean"}


def load(source: str | Path | Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """The frame of records: in memory, or in a file by its kind (a store's SQLite, Parquet, JSON lines, CSV).

    Columns that follow from the records:

    - ``size`` ("30x30"); ``total_s`` and ``total_cpu_s``: encoding, loading and solving, as far as they are known
    - ``time_s``: the time to the result, or for stopped runs the time spent (never less than the process took);
      ``cpu_time_s``: the same in CPU seconds
    - ``solving_s``, ``solving_cpu_s``: of solving alone, or for stopped runs that do not tell it all that was spent
    - ``solved``, ``censored``, ``failed``: the classes of ``records``; ``wrong``: a wrong picture; an interruption is
      none of them
    - ``log10_known``: decimal logarithm of the number of solutions, or if that is not known of how many there are at
      least
    - ``false_unsat``: UNSAT for a board that has a solution (it was made from a picture, or another run found a right
      one), a "best" solution where another run found a better one, or WRONG since a solution that comes with the board
      is denied: readings of the rules that shut solutions out say so. Such a run is not ``solved``
    - ``domain_rule`` ("2", "2alt"), ``rules`` ("3" ... "5+6"), ``reading`` of rules 4 and 6 ("ends", "printed",
      "mirrored"; "" where neither is used), ``channel``, ``integers``: the encoding's parts
    - ``report_name`` ("2alt/5+6"): the report's name, for any reading, with its channel and integers
    - ``label``: the encoding as the study writes it, "" without one; ``configuration``: that and the solver, and how
      many solutions were looked for where that differs between its runs

    Raises ``NonosatError`` if the file cannot be read, ``FormatError`` if it does not hold records.
    """
    raw = records_in(Path(source)) if isinstance(source, str | os.PathLike) else of_records(source)
    return derived(typed(raw))


def typed(raw: pd.DataFrame) -> pd.DataFrame:
    """The fields in order and with their types; a field that is missing (an older record) is absent throughout."""
    columns = {}
    for column in FIELDS:
        values = raw[column.name] if column.name in raw else pd.Series([None] * len(raw), dtype=object)
        try:
            columns[column.name] = _column(values, column.type)
        except (TypeError, ValueError, OverflowError) as error:
            raise FormatError(f"field {column.name} is no {column.type}: {error}") from None
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
    """A copy of ``frame`` with the columns that ``load`` derives."""
    frame = frame.copy()
    known = frame["rows"].notna() & frame["columns"].notna()
    size = frame["rows"].astype(TEXT) + "x" + frame["columns"].astype(TEXT)
    frame["size"] = size.where(known, pd.NA).astype(TEXT)
    frame["total_s"] = _sum(frame, "encode_s", "load_s", "solve_s")
    frame["total_cpu_s"] = _sum(frame, "encode_cpu_s", "load_cpu_s", "solve_cpu_s")
    wrong = frame["outcome"].eq(str(Verdict.WRONG)).fillna(False).astype(bool)
    denied = wrong & frame["reason"].map(lambda reason: denies_a_solution(_or_none(reason))).astype(bool)
    unsat = frame["outcome"].eq(str(Verdict.UNSAT)).fillna(False).astype(bool)
    frame["false_unsat"] = (unsat & _solvable(frame)) | denied | _worse(frame)
    frame["solved"] = frame["outcome"].isin([str(o) for o in SOLVED]) & ~frame["false_unsat"]
    frame["censored"] = frame["outcome"].isin([str(o) for o in CENSORED])
    frame["failed"] = frame["outcome"].isin([str(o) for o in FAILED])
    frame["wrong"] = wrong & ~denied
    frame["time_s"] = _until_the_end(frame, "total_s", "solve_s", "wall_s")
    frame["cpu_time_s"] = _until_the_end(frame, "total_cpu_s", "solve_cpu_s", "cpu_s")
    for recorded, spent, name in (("solve_s", "time_s", "solving_s"), ("solve_cpu_s", "cpu_time_s", "solving_cpu_s")):
        frame[name] = frame[recorded].where(frame[recorded].notna() | frame["solved"], frame[spent])
    with np.errstate(divide="ignore"):
        least = np.log10(frame["solutions"].astype("float64"))
    frame["log10_known"] = frame["log10_solutions"].fillna(least.where(np.isfinite(least)))
    parts = [rules_of(_or_none(name), _or_none(parts)) for name, parts in zip(frame.encoding, frame.parts, strict=True)]
    for position, name in enumerate(ReportRules._fields):
        frame[name] = pd.array([entry[position] for entry in parts], dtype=TEXT)
    frame["label"] = frame["encoding"].fillna("").astype(TEXT)
    together = (frame["label"] + " · ").where(frame["label"].ne(""), "") + frame["solver"].fillna("?")
    wanted = frame["count"].map(lambda count: "all" if pd.isna(count) else f"{count:,}")
    several = wanted.groupby(together).transform("nunique").gt(1).fillna(False).astype(bool)
    frame["configuration"] = together.where(~several, together + " · " + wanted).astype(TEXT)
    return frame


def _until_the_end(frame: pd.DataFrame, total: str, solve: str, process: str) -> pd.Series:
    """A run that was stopped may lack the time of the stage that it was in; its process' time is known."""
    whole = frame[total].notna() & (frame[solve].notna() | frame["solved"])
    return frame[total].where(whole, np.fmax(frame[total], frame[process]))


def _solvable(frame: pd.DataFrame) -> pd.Series:
    """Boards known to have a solution: the density generator reads its clues from a picture."""
    right = frame["outcome"].eq(str(Verdict.SAT)).fillna(False) | frame["objective"].notna()
    found = frame.loc[right, "instance"].dropna()
    return frame["density"].notna() | frame["instance"].isin(found)


def _worse(frame: pd.DataFrame) -> pd.Series:
    """Runs that call a solution the best one where another run found a better one."""
    value = frame["objective"].astype("float64")
    value = value.where(~frame["maximized"].fillna(False).astype(bool), -value)
    return frame["optimal"].fillna(False).astype(bool) & value.gt(value.groupby(frame["instance"]).transform("min"))


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


def refuse_unknown(frame: pd.DataFrame, column: str, names: Iterable[str] | None) -> None:
    """UnknownNameError: a name that no run has in ``column``, or a column that is not there. No runs: any may be."""
    if column not in frame.columns:
        raise UnknownNameError("column", column, [str(name) for name in frame.columns])
    known = values_of(frame, column)
    for name in () if names is None or frame.empty else names:
        if name not in known:
            raise UnknownNameError({"label": "encoding"}.get(column, column), name, known)
