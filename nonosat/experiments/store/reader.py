"""A store to be read, which somebody may be writing to."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from nonosat.experiments.provenance import Document
from nonosat.experiments.records import NAMES, SCHEMA, Record, Value
from nonosat.experiments.store.tables import APPLICATION, BOOLEANS, BUSY_S, StoreError, explained
from nonosat.files import shown
from nonosat.solvers.answer import Verdict


def title_in(toml: str) -> str:
    """The title that the text of a study states; "": none.

    >>> title_in('title = "Two at the peak"'), title_in("of another [version")
    ('Two at the peak', '')
    """
    try:
        return str(tomllib.loads(toml).get("title", ""))
    except tomllib.TOMLDecodeError:  # stores keep what they were told
        return ""


class Reader:
    """A store, to be read; somebody may be writing to it."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise StoreError(f"{shown(path)}: no such file")
        self.connection = self._opened()
        try:
            with self.failing():
                self._verify()
                self.columns = {row[1] for row in self.connection.execute("PRAGMA table_info(runs)")}
        except BaseException:
            self.close()
            raise

    def _opened(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_S)

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
            raise StoreError(f"{shown(self.path)}: not a store of nonosat")
        schema = int(self.meta("schema") or 0)
        if schema > SCHEMA:
            raise StoreError(
                f"{shown(self.path)}: a store of schema {schema}; this nonosat knows {SCHEMA}: a newer one wrote it"
            )

    def meta(self, name: str) -> str | None:
        """``schema``, ``study`` (its name) or ``toml`` (its text)."""
        row = self.connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    @property
    def study(self) -> str:
        """The name of the study."""
        return self.meta("study") or ""

    @property
    def title(self) -> str:
        """What the study is called: as its text says it, or by its name."""
        return title_in(self.meta("toml") or "") or self.study

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
        columns = ", ".join(f'"{name}"' if name in self.columns else f'NULL AS "{name}"' for name in NAMES)
        with self.failing():
            rows = self.connection.execute(f"SELECT {columns} FROM runs{condition} ORDER BY rowid", values)
            for row in rows:
                record: Record = dict(zip(NAMES, row, strict=True))
                for name in BOOLEANS:
                    if (value := record[name]) is not None:
                        record[name] = bool(value)
                yield record

    def provenances(self) -> dict[str, Document]:
        """What the field ``provenance`` stands for."""
        with self.failing():
            found = self.connection.execute("SELECT id, json FROM provenance ORDER BY id")
            return {name: json.loads(text) for name, text in found}
