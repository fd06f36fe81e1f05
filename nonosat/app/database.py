"""The SQLite file that outlives the server: its tables, their number, and one transaction at a time."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nonosat.errors import NonosatError
from nonosat.files import shown

SCHEMA = 1
TABLES = """
CREATE TABLE plays (
    pack TEXT NOT NULL, puzzle TEXT NOT NULL, style TEXT NOT NULL, state TEXT NOT NULL, lives INTEGER NOT NULL,
    losses INTEGER NOT NULL, won TEXT NOT NULL, cells BLOB NOT NULL, wrong TEXT NOT NULL, version INTEGER NOT NULL,
    position INTEGER NOT NULL, last INTEGER NOT NULL, trials TEXT NOT NULL, seconds REAL NOT NULL,
    hints INTEGER NOT NULL, checks INTEGER NOT NULL, PRIMARY KEY (pack, puzzle)
) STRICT;
CREATE TABLE moves (
    pack TEXT NOT NULL, puzzle TEXT NOT NULL, number INTEGER NOT NULL, changes TEXT NOT NULL,
    PRIMARY KEY (pack, puzzle, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE own (
    id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, text TEXT NOT NULL, made TEXT NOT NULL
) STRICT;
"""
"""``plays``: how far each puzzle is; ``moves``: every move of the attempt at hand, undone ones too; ``own``: puzzles
that were entered or made, in our JSON."""


class Database:
    """One connection, which threads take in turn. A process that is killed loses no transaction that was told done."""

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
            if found == 0:
                for statement in TABLES.split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {SCHEMA}")
            elif found != SCHEMA:
                raise NonosatError(f"{shown(self._path)}: made by another nonosat (tables {found}, ours are {SCHEMA})")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing of what is done inside, with nobody else in between: another process of ours waits."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def close(self) -> None:
        """End the connection."""
        with self._lock:
            self._connection.close()
