"""A store that this process writes to, in a thread of its own: what has gathered meanwhile, in one transaction."""

from __future__ import annotations

import contextlib
import math
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from nonosat.experiments.provenance import Document, identity, written
from nonosat.experiments.records import FIELDS, NAMES, SCHEMA, Value
from nonosat.experiments.store.lock import Lock
from nonosat.experiments.store.reader import Reader
from nonosat.experiments.store.tables import APPLICATION, BUSY_S, CREATE, INSERT, SQL_TYPES, StoreError, explained
from nonosat.files import shown

COMMIT_S = 0.05
COMMIT_RUNS = 500

Stored = Callable[[Sequence[str]], None]


class Store(Reader):
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

    def _set(self, name: str, value: str) -> None:
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

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
        with contextlib.suppress(sqlite3.Error):  # a full disk, which has been told of; the log of changes is kept
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
