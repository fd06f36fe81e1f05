"""Files of records as they are: stores, Parquet, JSON lines and CSV; and what goes with them."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from nonosat.errors import FormatError, NonosatError
from nonosat.experiments.records import NAMES
from nonosat.files import printable, read_text, shown
from nonosat.files.naming import reason

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
        return _of_sqlite(path)
    if head.startswith(_PARQUET):
        return _of_parquet(path)
    return of_records(_of_csv(path) if path.suffix.lower() == ".csv" else _of_jsonl(path))


def of_records(records: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Records as they are, one column of objects a field; other keys than the fields' are left out."""
    rows = list(records)
    return pd.DataFrame({name: pd.Series([row.get(name) for row in rows], dtype=object) for name in NAMES})


@dataclass(frozen=True)
class About:
    """What goes with records: the study's text, and the documents that their field ``provenance`` names."""

    toml: str = ""
    provenance: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def about(path: Path) -> About:
    """What a file of records tells of the study; JSON lines and CSV have ``NAME.provenance.json`` beside them."""
    head = _head(path)
    if head.startswith(_SQLITE):
        from nonosat.experiments.store import Reader

        with Reader(path) as reader:
            return About(reader.meta("toml") or "", reader.provenances())
    if head.startswith(_PARQUET):
        told = _parquet_told(path)
        return About(told.get("nonosat.toml", ""), json.loads(told.get("nonosat.provenance", "{}")))
    beside = path.with_suffix(".provenance.json")
    if not beside.is_file():
        return About()
    try:
        found = json.loads(read_text(beside, MAX_BYTES))
        return About(found["toml"] or "", found["provenance"])
    except (ValueError, KeyError, TypeError):
        raise FormatError("not what goes with exported records", source=shown(beside)) from None


def _parquet_told(path: Path) -> dict[str, str]:
    """What a Parquet file tells beside its table."""
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
    """The table ``runs``, opened read-only, so that a study that goes on is not disturbed."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            cursor = connection.execute("SELECT * FROM runs ORDER BY rowid")
            names = [column[0] for column in cursor.description]
            return pd.DataFrame(cursor.fetchall(), columns=names, dtype=object)
    except sqlite3.Error as error:
        raise FormatError(f"not a store of runs: {error}", source=shown(path)) from None
