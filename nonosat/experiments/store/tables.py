"""The tables of a store in SQL, and what SQLite says of a file that does not hold them."""

from __future__ import annotations

import sqlite3

from nonosat.errors import NonosatError
from nonosat.experiments.records import FIELDS, NAMES
from nonosat.solvers.answer import Verdict

BUSY_S = 30.0
"""How long a writer waits for a reader that holds the file (which readers do for milliseconds)."""

APPLICATION = 0x6E6F6E6F
"""SQLite's application id of our files: "nono"."""

SQL_TYPES = {"text": "TEXT", "integer": "INTEGER", "real": "REAL", "boolean": "INTEGER"}
BOOLEANS = tuple(field.name for field in FIELDS if field.type == "boolean")
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
