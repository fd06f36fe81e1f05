"""Records out of a store: as JSON lines, CSV and Parquet; and several stores made one."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from nonosat.errors import UnsupportedError
from nonosat.files import shown, write_atomically
from nonosat.runs.events import Verdict
from nonosat.studies.provenance import Document
from nonosat.studies.records import CENSORED, FIELDS, FORMERLY, NAMES, SCHEMA, Record, renamed, stated
from nonosat.studies.store import ENCODINGS, Store, StoreError, StoreReader

ROWS = 50_000
"""Records that are held in memory at a time while a Parquet file is made."""

RESULT = ("outcome", "solutions", "picture", "cnf")
"""What two runs of one key must agree in."""


def export(reader: StoreReader, path: str | Path) -> int:
    """Write all records to ``path``, as its suffix says (.jsonl, .csv, .parquet); gives their number.

    Next to JSON lines and CSV a second file, ``NAME.provenance.json``, has the study and the provenance; a Parquet file
    has both in its metadata.
    """
    writer = {".jsonl": _jsonl, ".csv": _csv, ".parquet": _parquet}.get(Path(path).suffix.lower())
    if writer is None:
        raise UnsupportedError(f"{shown(path)}: records are exported as .jsonl, .csv or .parquet")
    return writer(reader, Path(path))


def about(reader: StoreReader) -> dict[str, Any]:
    """What goes with the records."""
    return {
        "schema": SCHEMA,
        "study": reader.study,
        "toml": reader.toml,
        "fields": {field.name: {"type": field.type, "unit": field.unit, "meaning": field.meaning} for field in FIELDS},
        "provenance": reader.provenances(),
    }


def _jsonl(reader: StoreReader, path: Path) -> int:
    count = 0

    def lines() -> Iterator[str]:
        nonlocal count
        for count, record in enumerate(reader.records(), 1):  # noqa: B007 - what it ends with is the result
            yield json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"

    write_atomically(path, lines())
    _write_about(reader, path)
    return count


def _csv(reader: StoreReader, path: Path) -> int:
    """Absent values are empty; booleans are true and false."""
    count, buffer = 0, io.StringIO(newline="")

    def lines() -> Iterator[str]:
        nonlocal count
        out = csv.writer(buffer, lineterminator="\n")
        out.writerow(NAMES)
        for count, record in enumerate(reader.records(), 1):  # noqa: B007 - what it ends with is the result
            out.writerow([str(value).lower() if isinstance(value, bool) else value for value in record.values()])
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
        yield buffer.getvalue()

    write_atomically(path, lines())
    _write_about(reader, path)
    return count


def _write_about(reader: StoreReader, path: Path) -> None:
    text = json.dumps(about(reader), ensure_ascii=False, indent=1) + "\n"
    write_atomically(path.with_suffix(".provenance.json"), text)


def _parquet(reader: StoreReader, path: Path) -> int:
    import pyarrow as pa
    from pyarrow import parquet

    types = {"text": pa.string(), "integer": pa.int64(), "real": pa.float64(), "boolean": pa.bool_()}
    schema = pa.schema(
        [pa.field(f.name, types[f.type], metadata={"unit": f.unit, "meaning": f.meaning}) for f in FIELDS],
        metadata={
            f"nonosat.{name}": value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for name, value in about(reader).items()
            if name != "fields"
        },
    )
    buffer, records, count = io.BytesIO(), reader.records(), 0
    with parquet.ParquetWriter(buffer, schema, compression="zstd") as writer:
        while rows := list(islice(records, ROWS)):
            writer.write_table(pa.Table.from_pylist(rows, schema))
            count += len(rows)
    write_atomically(path, buffer.getvalue())
    return count


class ExportedRecords:
    """A Parquet file of ``export``, read as its store is."""

    def __init__(self, path: str | Path) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        self.path = Path(path)
        if not self.path.is_file():
            raise StoreError(f"{shown(path)}: no such file")
        try:
            self.file = parquet.ParquetFile(self.path)
        except (OSError, pa.ArrowException) as error:
            raise StoreError(f"{shown(path)}: {str(error).splitlines()[0]}") from None
        about = {key.decode(): text.decode() for key, text in (self.file.schema_arrow.metadata or {}).items()}
        self.schema = int(about.get("nonosat.schema", 0))
        if not 1 <= self.schema <= SCHEMA:
            self.close()
            raise StoreError(f"{shown(path)}: no records of a study, of schema 1 to {SCHEMA}")
        self.study, self.toml = about["nonosat.study"], stated(about["nonosat.toml"], self.schema)
        self._provenances = about["nonosat.provenance"]

    def close(self) -> None:
        """Let go of the file."""
        self.file.close()

    def records(self) -> Iterator[Record]:
        """Every record, complete, with today's names; fields that are newer than the file are None."""
        for batch in self.file.iter_batches():
            for row in batch.to_pylist():
                record = {name: row.get(name, row.get(FORMERLY.get(name, ("",))[0])) for name in NAMES}
                yield record | {name: renamed(record[name], self.schema) for name in ENCODINGS}

    def provenances(self) -> dict[str, Document]:
        """What the field ``provenance`` stands for."""
        found: dict[str, Document] = json.loads(self._provenances)
        return found


@dataclass(frozen=True)
class Merged:
    """How many records came together.

    ``same``: were there twice; ``limited``: of those, a limit ended one or both, not with the same result;
    ``conflicts``: keys whose results contradict each other. The first record is kept.
    """

    records: int
    same: int
    limited: int
    conflicts: tuple[str, ...]


def merge(paths: Sequence[str | Path], target: str | Path) -> Merged:
    """Put the records of ``paths``, stores or Parquet files, into the store ``target``, which is made, or added to.

    Of two records with one key a finished one wins over an INTERRUPTED one, else the first one does.
    """
    readers: list[StoreReader | ExportedRecords] = []
    try:
        for path in paths:
            readers.append((ExportedRecords if Path(path).suffix.lower() == ".parquet" else StoreReader)(path))
        studies = {reader.study: reader for reader in readers}
        if len(studies) > 1:
            names = ", ".join(f"{shown(reader.path)} is of {name!r}" for name, reader in studies.items())
            raise StoreError(f"stores of different studies cannot be merged: {names}")
        for reader in readers:
            if Path(target).exists() and Path(target).samefile(reader.path):
                raise StoreError(f"{shown(target)}: is among the stores to be merged; name another one to merge into")
        toml = next((text for reader in readers if (text := reader.toml)), "")
        with Store(target, readers[0].study, toml) as store:
            return _merge(readers, store)
    finally:
        for reader in readers:
            reader.close()


def _merge(readers: Sequence[StoreReader | ExportedRecords], store: Store) -> Merged:
    seen = {str(record["key"]): _result(record) for record in store.records()}
    conflicts: list[str] = []
    same = limited = 0
    store.runs_for("")
    for reader in readers:
        for document in reader.provenances().values():
            store.provenance(document)
        for record in reader.records():
            key, result = str(record["key"]), _result(record)
            before = seen.get(key)
            if before is None or before[0] == Verdict.INTERRUPTED:
                store.add(record)
                seen[key] = result
            elif result[0] == Verdict.INTERRUPTED or result == before:
                same += 1
            elif {before[0], result[0]} & {*CENSORED}:  # one machine was slower: neither denies what the other says
                same += 1
                limited += 1
            else:
                named = ", ".join(str(record[name]) for name in ("instance", "encoding", "solver"))
                conflicts.append(f"{key} ({named}): {before[0]} is kept, {shown(reader.path)} has {result[0]}")
        store.flush()
    return Merged(len(seen), same, limited, tuple(conflicts))


def _result(record: Record) -> tuple[Any, ...]:
    return tuple(record[name] for name in RESULT)
