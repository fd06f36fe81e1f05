"""The SQLite file that outlives the server: its tables, their number, and one transaction at a time."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from nonosat.app.requests import RequestError
from nonosat.errors import NonosatError
from nonosat.files import opened_sqlite, shown

SCHEMA = 4
TABLES = """
CREATE TABLE plays (
    pack TEXT NOT NULL, puzzle TEXT NOT NULL, style TEXT NOT NULL, state TEXT NOT NULL, lives INTEGER NOT NULL,
    losses INTEGER NOT NULL, won TEXT NOT NULL, cells BLOB NOT NULL, wrong TEXT NOT NULL, version INTEGER NOT NULL,
    position INTEGER NOT NULL, last INTEGER NOT NULL, trials TEXT NOT NULL, seconds REAL NOT NULL,
    hints INTEGER NOT NULL, checks INTEGER NOT NULL, client TEXT NOT NULL DEFAULT '', played TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (pack, puzzle)
) STRICT;
CREATE TABLE moves (
    pack TEXT NOT NULL, puzzle TEXT NOT NULL, number INTEGER NOT NULL, changes TEXT NOT NULL,
    PRIMARY KEY (pack, puzzle, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE own (
    id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, made TEXT NOT NULL, kind TEXT NOT NULL DEFAULT '',
    height INTEGER NOT NULL DEFAULT 0, width INTEGER NOT NULL DEFAULT 0, picture BLOB, text TEXT NOT NULL,
    received INTEGER NOT NULL DEFAULT 0
) STRICT;
"""
NEW = """
CREATE TABLE drafts (
    id TEXT PRIMARY KEY, client TEXT NOT NULL, version INTEGER NOT NULL, own INTEGER, title TEXT NOT NULL,
    kind TEXT NOT NULL, height INTEGER NOT NULL, width INTEGER NOT NULL, text TEXT NOT NULL, made TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE clients (client TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID;
"""
PLAYED = "ALTER TABLE plays ADD COLUMN played TEXT NOT NULL DEFAULT '';"
RECEIVED = "ALTER TABLE own ADD COLUMN received INTEGER NOT NULL DEFAULT 0;"
RACES = """
CREATE TABLE races (id TEXT PRIMARY KEY, made TEXT NOT NULL, text BLOB NOT NULL) STRICT, WITHOUT ROWID;
"""
"""``plays``: how far each puzzle is, which page (``client``) changed it last, and when; ``moves``: every move of the
attempt at hand, undone ones too; ``own``: puzzles that were entered or made, in our JSON, and what their cards show
(``kind`` is empty until that is known), ``received`` those of somebody else, whose title gives the picture away;
``drafts``: what Make has under its hands, in the page's own JSON;
``clients``: the number of the last write of each page that was done; ``races``: watched runs, as they were shown."""
UPGRADES = {
    0: TABLES + NEW + RACES,
    1: """
ALTER TABLE plays ADD COLUMN client TEXT NOT NULL DEFAULT '';
ALTER TABLE own ADD COLUMN kind TEXT NOT NULL DEFAULT '';
ALTER TABLE own ADD COLUMN height INTEGER NOT NULL DEFAULT 0;
ALTER TABLE own ADD COLUMN width INTEGER NOT NULL DEFAULT 0;
ALTER TABLE own ADD COLUMN picture BLOB;
"""
    + PLAYED
    + RECEIVED
    + NEW
    + RACES,
    2: PLAYED + RECEIVED + RACES,
    3: RECEIVED,
}
"""What makes today's tables of those with this number; 0: of none."""
TROUBLES = {
    sqlite3.SQLITE_FULL: (507, "the disk is full"),
    sqlite3.SQLITE_IOERR: (507, "the disk cannot be written"),
    sqlite3.SQLITE_READONLY: (507, "its file is read-only"),
    sqlite3.SQLITE_CANTOPEN: (507, "its file cannot be opened"),
    sqlite3.SQLITE_PERM: (507, "its file may not be written"),
    sqlite3.SQLITE_NOMEM: (503, "there is no memory left"),
    sqlite3.SQLITE_BUSY: (503, "another program holds its file"),
    sqlite3.SQLITE_LOCKED: (503, "another program holds its file"),
    sqlite3.SQLITE_CORRUPT: (503, "its file is damaged"),
    sqlite3.SQLITE_NOTADB: (503, "its file is damaged"),
}
"""What the machine, and no bug of ours, keeps SQLite from: HTTP's status and words, by SQLite's primary code."""


def now() -> str:
    """The time, in ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def is_progress(path: Path) -> bool:
    """Whether a file is a workbench's own, and nothing that somebody else keeps in SQLite."""
    try:
        with closing(opened_sqlite(path)) as connection:
            tables = connection.execute("SELECT count(*) FROM sqlite_master WHERE name IN ('plays', 'moves', 'own')")
            return bool(tables.fetchone() == (3,))
    except sqlite3.Error:
        return False


class ProgressFile:
    """One connection, which threads take in turn. A process that is killed loses no finished transaction."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.RLock()
        self._path = path
        try:
            self._connection = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise NonosatError(f"{shown(path)}: {error}") from None
        try:
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._prepare()
        except sqlite3.Error as error:
            self.close()
            raise NonosatError(f"{shown(path)}: {error}") from None
        except NonosatError:
            self.close()
            raise

    def _prepare(self) -> None:
        with self.transaction() as connection:
            [found] = connection.execute("PRAGMA user_version").fetchone()
            if found in UPGRADES:
                for statement in UPGRADES[found].split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {SCHEMA}")
            elif found != SCHEMA:
                raise NonosatError(f"{shown(self._path)}: made by another nonosat (tables {found}, ours are {SCHEMA})")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing of what is done inside, with nobody else in between: another process of ours waits.

        RequestError (507 or 503): the disk is full, or whatever else the machine refuses; nothing was changed.
        """
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
                self._connection.execute("COMMIT")  # which may fail, too: a full disk is seen here
            except sqlite3.DatabaseError as error:
                self._roll_back()
                code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # extended codes have the primary one below
                if code not in TROUBLES:
                    raise
                status, words = TROUBLES[code]
                raise RequestError(f"nothing can be kept in {shown(self._path)}: {words}", status) from None
            except BaseException:
                self._roll_back()
                raise

    def _roll_back(self) -> None:
        """Take back what was begun; after some errors SQLite has done so by itself."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def close(self) -> None:
        """End the connection."""
        with self._lock:
            self._connection.close()
