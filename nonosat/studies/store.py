"""A store that this process writes to, in a thread of its own: what has gathered meanwhile, in one transaction."""

from __future__ import annotations

import contextlib
import fcntl
import json
import math
import os
import sqlite3
import threading
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from nonosat.errors import NonosatError
from nonosat.files import opened_sqlite, shown
from nonosat.runs.events import Verdict
from nonosat.studies.provenance import Document, identity, written
from nonosat.studies.records import FIELDS, FORMERLY, NAMES, SCHEMA, Record, Value, renamed, stated

# The tables of a store in SQL, and what SQLite says of a file that does not hold them.


BUSY_S = 30.0
"""How long a writer waits for a reader that holds the file (which readers do for milliseconds)."""

APPLICATION = 0x6E6F6E6F
"""SQLite's application id of our files: "nono"."""

SQL_TYPES = {"text": "TEXT", "integer": "INTEGER", "real": "REAL", "boolean": "INTEGER"}
BOOLEANS = tuple(field.name for field in FIELDS if field.type == "boolean")
ENCODINGS = ("encoding", "parts")
"""The fields that name encodings."""
COLUMNS = ", ".join(f'"{name}"' for name in NAMES)

CREATE = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE provenance (id TEXT PRIMARY KEY, json TEXT NOT NULL)",
    "CREATE TABLE runs ("
    + ", ".join(f'"{f.name}" {SQL_TYPES[f.type]}{" PRIMARY KEY NOT NULL" if f.name == "key" else ""}' for f in FIELDS)
    + ")",
    "CREATE INDEX runs_by_outcome ON runs (outcome)",
)
INSERT = (
    f"INSERT INTO runs ({COLUMNS}) VALUES ({', '.join('?' for _ in NAMES)}) ON CONFLICT (key) DO UPDATE SET "
    + ", ".join(f'"{name}" = excluded."{name}"' for name in NAMES if name != "key")
    + f" WHERE runs.outcome = '{Verdict.INTERRUPTED}'"
)


class StoreError(NonosatError):
    """A store that cannot be opened, read or written."""


def explained(error: sqlite3.Error) -> str:
    """What ``error`` means, in the words of messages."""
    text = str(error)
    if isinstance(error, sqlite3.OperationalError) and "full" in text:
        return "the disk is full"
    if "not a database" in text or "no such table" in text:
        return "not a store of nonosat"
    if "malformed" in text:
        return "the file is damaged"
    return text[:1].lower() + text[1:]


# The right to write to a store.


TRIES, PAUSE_S = 10, 0.01
"""Who asks whether a store is written to (``written_to``) has its lock for microseconds: a writer tries again."""


class Lock:
    """The right to write to a store: a lock on a file next to it, which the system takes back from the dead."""

    def __init__(self, store: Path) -> None:
        self.path = _beside(store)
        while True:
            try:
                self.file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            except FileNotFoundError:
                raise StoreError(f"{shown(store)}: no such directory") from None
            except OSError as error:
                raise StoreError(f"{shown(store)}: cannot write: {(error.strerror or str(error)).lower()}") from None
            if not _locked(self.file, fcntl.LOCK_EX, TRIES):
                os.close(self.file)
                raise StoreError(f"{shown(store)}: another process is writing to it")
            with contextlib.suppress(OSError):
                if os.fstat(self.file).st_ino == self.path.stat().st_ino:
                    return
            os.close(self.file)  # its last holder removed it between our two calls

    def release(self) -> None:
        """Let others write."""
        self.path.unlink(missing_ok=True)
        os.close(self.file)


def written_to(store: Path) -> bool:
    """Whether a process has the right to write to ``store`` now; the file may be left of one that was killed."""
    try:
        file = os.open(_beside(store), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not _locked(file, fcntl.LOCK_SH)
    finally:
        os.close(file)


def _beside(store: Path) -> Path:
    return store.with_name(store.name + ".lock")


def _locked(file: int, how: int, tries: int = 1) -> bool:
    for left in reversed(range(tries)):
        try:
            fcntl.flock(file, how | fcntl.LOCK_NB)
        except OSError:
            time.sleep(PAUSE_S if left else 0)
        else:
            return True
    return False


# A store to be read, while another process may write to it.


def title_in(toml: str) -> str:
    """The title that the text of a study states; "": none.

    >>> title_in('title = "Two at the peak"'), title_in("of another [version")
    ('Two at the peak', '')
    """
    try:
        return str(tomllib.loads(toml).get("title", ""))
    except tomllib.TOMLDecodeError:  # stores keep the text as it was
        return ""


class StoreReader:
    """A store, to be read; another process may write to it."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise StoreError(f"{shown(path)}: no such file")
        with self.failing():
            self.connection = opened_sqlite(self.path, BUSY_S)
        try:
            with self.failing():
                self._verify()
                self.columns = {row[1] for row in self.connection.execute("PRAGMA table_info(runs)")}
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Any:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    @contextlib.contextmanager
    def failing(self) -> Iterator[None]:
        """SQLite's errors as ours: one line that names the store."""
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"{shown(self.path)}: {explained(error)}") from None

    def _verify(self) -> None:
        application = self.connection.execute("PRAGMA application_id").fetchone()[0]
        if application != APPLICATION:
            empty = not self.path.stat().st_size  # a study that was killed before it made the tables left it
            raise StoreError(
                f"{shown(self.path)}: {'empty: nothing is stored yet' if empty else 'not a store of nonosat'}"
            )
        if self.schema > SCHEMA:
            raise StoreError(
                f"{shown(self.path)}: a store of schema {self.schema}; this nonosat knows {SCHEMA}: a newer wrote it"
            )

    def meta(self, name: str) -> str | None:
        """``schema``, ``study`` (its name), ``toml`` (its text as it was kept) or ``shard``."""
        row = self.connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    @property
    def schema(self) -> int:
        """That of its records' names of encodings (``records.SCHEMA``)."""
        return int(self.meta("schema") or 0)

    @property
    def study(self) -> str:
        """The name of the study."""
        return self.meta("study") or ""

    @property
    def title(self) -> str:
        """What the study is called: as its text says it, or by its name."""
        return title_in(self.toml) or self.study

    @property
    def toml(self) -> str:
        """The text of the study, with the keys of today; "": it was not kept."""
        return stated(self.meta("toml") or "", self.schema)

    @property
    def shard(self) -> str:
        """The part of the study, such as "3/10", if all runs of the store were run for that; else ""."""
        return self.meta("shard") or ""

    def outcomes(self) -> dict[str, str]:
        """The outcome of every run by its key."""
        with self.failing():
            return dict(self.connection.execute("SELECT key, outcome FROM runs"))

    def finished_keys(self) -> set[str]:
        """The keys of all runs that need not be run again."""
        with self.failing():
            found = self.connection.execute("SELECT key FROM runs WHERE outcome <> ?", (str(Verdict.INTERRUPTED),))
            return {key for (key,) in found}

    def count(self) -> Counter[str]:
        """How many runs had each outcome."""
        with self.failing():
            return Counter(dict(self.connection.execute("SELECT outcome, COUNT(*) FROM runs GROUP BY outcome")))

    def records(self, where: str = "", values: Sequence[Value] = ()) -> Iterator[Record]:
        """Every record, complete, in the order in which they were stored. ``where``: a condition in SQL.

        They are read as of one moment, whatever is written meanwhile.
        """
        condition = f" WHERE {where}" if where else ""
        columns = ", ".join(self._column(name) for name in NAMES)
        with self.failing():
            schema = self.schema
            rows = self.connection.execute(f"SELECT {columns} FROM runs{condition} ORDER BY rowid", values)
            for row in rows:
                record: Record = dict(zip(NAMES, row, strict=True))
                for name in ENCODINGS:
                    record[name] = renamed(row[NAMES.index(name)], schema)
                for name in BOOLEANS:
                    if (value := record[name]) is not None:
                        record[name] = bool(value)
                yield record

    def _column(self, name: str) -> str:
        """What selects a field: stores of older schemas may not have it, or by its former name."""
        known = (name, *FORMERLY.get(name, ())[:1])
        return next((f'"{column}" AS "{name}"' for column in known if column in self.columns), f'NULL AS "{name}"')

    def provenances(self) -> dict[str, Document]:
        """What the field ``provenance`` stands for."""
        with self.failing():
            found = self.connection.execute("SELECT id, json FROM provenance ORDER BY id")
            return {name: json.loads(text) for name, text in found}


COMMIT_S = 0.05
COMMIT_RUNS = 500

Stored = Callable[[Sequence[str]], None]


class Store(StoreReader):
    """A store that this process writes to; it is made if it is not there. ``toml``: the study's text.

    StoreError: another process writes to it, it is no store, or it is another study's.
    """

    def __init__(self, path: str | Path, study: str, toml: str = "", stored: Stored | None = None) -> None:
        self.path, self.on_stored = Path(path), stored
        self.lock = Lock(self.path)
        try:
            self._open(study, toml)
        except BaseException:
            self.lock.release()
            raise
        self.wake = threading.Condition()
        self.waiting: list[tuple[Value, ...]] = []
        self.committed = self.added = 0
        self.error: StoreError | None = None
        self.closing = False
        self.known: set[str] = set()
        self.thread = threading.Thread(target=self._write_all, name="store", daemon=True)
        self.thread.start()

    def _open(self, study: str, toml: str) -> None:
        with self.failing():
            self.connection = sqlite3.connect(self.path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        try:
            with self.failing():
                self._create(study)
                self._verify()
                if self.study != study:
                    raise StoreError(
                        f"{shown(self.path)}: the store of study {self.study!r}, not of {study!r}: name another"
                    )
                self.connection.execute("PRAGMA journal_mode = WAL")
                self.connection.execute("PRAGMA synchronous = NORMAL")
                self._take_over()
                self._add_columns()
                if toml:
                    self._set("toml", toml)
        except BaseException:
            self.connection.close()
            raise

    def _create(self, study: str) -> None:
        """The tables, in one transaction, if the file has none: it is new, or its maker was killed at this point."""
        execute = self.connection.execute
        if execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]:
            return
        execute("BEGIN IMMEDIATE")
        for statement in CREATE:
            execute(statement)
        self._set("schema", str(SCHEMA))
        self._set("study", study)
        execute(f"PRAGMA application_id = {APPLICATION}")
        execute("COMMIT")

    def _add_columns(self) -> None:
        """Fields that are newer than the store; a schema number does not change for them."""
        self.columns = {row[1] for row in self.connection.execute("PRAGMA table_info(runs)")}
        for field in FIELDS:
            if field.name not in self.columns:
                self.connection.execute(f'ALTER TABLE runs ADD COLUMN "{field.name}" {SQL_TYPES[field.type]}')
                self.columns.add(field.name)

    def _take_over(self) -> None:
        """A store of an older schema, in one transaction; ``made_by_schema`` keeps which one it was."""
        if (schema := self.schema) >= SCHEMA:
            return
        execute = self.connection.execute
        execute("BEGIN IMMEDIATE")
        for field in ENCODINGS:
            for (name,) in execute(f'SELECT DISTINCT "{field}" FROM runs').fetchall():
                if (now := renamed(name, schema)) != name:
                    execute(f'UPDATE runs SET "{field}" = ? WHERE "{field}" = ?', (now, name))
        columns = {row[1] for row in execute("PRAGMA table_info(runs)")}
        for field, (former, _) in FORMERLY.items():
            if former in columns:
                execute(f'ALTER TABLE runs RENAME COLUMN "{former}" TO "{field}"')
        self._set("toml", self.toml)
        self._set("made_by_schema", str(schema))
        self._set("schema", str(SCHEMA))
        execute("COMMIT")

    def _set(self, name: str, value: str) -> None:
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    def runs_for(self, shard: str) -> None:
        """Keep that runs of ``shard`` ("": of any part of the study) come into the store."""
        with self.failing(), self.wake:
            first = self.meta("shard") is None and not self.connection.execute("SELECT 1 FROM runs LIMIT 1").fetchone()
            self._set("shard", shard if first or shard == self.shard else "")

    def provenance(self, document: Document) -> str:
        """Keep what records come from; gives the id for their field ``provenance``."""
        name = identity(document)
        if name not in self.known:
            with self.failing(), self.wake:
                self.connection.execute("INSERT OR IGNORE INTO provenance VALUES (?, ?)", (name, written(document)))
            self.known.add(name)
        return name

    def add(self, record: Mapping[str, Value]) -> None:
        """Store a record soon; ``stored`` is called with its key once it is committed (in a thread of the store's).

        A finished run is never replaced, an INTERRUPTED one is. StoreError: an earlier record could not be written.
        """
        row = tuple(_plain(record[name]) for name in NAMES)
        with self.wake:
            self._complain()
            self.waiting.append(row)
            self.added += 1
            self.wake.notify_all()

    def flush(self) -> None:
        """Come back when everything added is committed."""
        with self.wake:
            target = self.added
            self.wake.notify_all()
            self.wake.wait_for(lambda: self.committed >= target or self.error is not None)
            self._complain()

    def close(self) -> None:
        """Commit what is left, and let go of the file."""
        with self.wake:
            self.closing = True
            self.wake.notify_all()
        self.thread.join()
        with contextlib.suppress(sqlite3.Error):  # a full disk, which has been reported; the log of changes is kept
            self._settle()
        with contextlib.suppress(sqlite3.Error):
            self.connection.close()
        self.lock.release()

    def _settle(self) -> None:
        """Leave one plain file, that can be copied and read where nothing may be written; unless it is being read."""
        self.connection.execute("PRAGMA busy_timeout = 0")
        self.connection.execute("PRAGMA journal_mode = DELETE")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if kind is None:
            self._complain()

    def _complain(self) -> None:
        if self.error is not None:
            raise self.error

    def _write_all(self) -> None:
        """The writing thread: what has gathered, in one transaction."""
        while self.error is None:
            with self.wake:
                self.wake.wait_for(lambda: self.waiting or self.closing)
                if not self.waiting:
                    return
                until = time.monotonic() + COMMIT_S
                while len(self.waiting) < COMMIT_RUNS and not self.closing:
                    if (left := until - time.monotonic()) <= 0:
                        break
                    self.wake.wait(left)
                rows, self.waiting = self.waiting, []
                try:
                    self._commit(rows)
                except sqlite3.Error as error:
                    self.error = StoreError(f"{shown(self.path)}: {explained(error)}; what was stored before is kept")
                else:
                    self.committed += len(rows)
                self.wake.notify_all()
            if self.error is None and self.on_stored is not None:
                self.on_stored([str(row[0]) for row in rows])

    def _commit(self, rows: list[tuple[Value, ...]]) -> None:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            self.connection.executemany(INSERT, rows)
            self.connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")
            raise


def _plain(value: Value) -> Value:
    """A value as SQLite takes it; what is no number is absent."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


# The store of a study: one SQLite file, to which one process writes and which any number may read meanwhile.
#
# A record is committed within ``COMMIT_S``, together with those that come meanwhile; one that was committed survives
# the
# end of the process by any signal. (Power loss may take the last seconds, and never leaves a broken file.)
