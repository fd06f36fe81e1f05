"""What is played, kept in SQLite: one transaction a move, so that nothing is lost when the server is killed."""

from __future__ import annotations

import json
import sqlite3
import zlib

import numpy as np

from nonosat.app.database import ProgressFile
from nonosat.app.game import CellChange, Play, begun
from nonosat.app.packs import Packed
from nonosat.app.wire import Cells

_FIELDS = (
    *("style", "state", "lives", "losses", "won", "cells", "wrong", "version", "position", "last", "trials"),
    *("seconds", "hints", "checks", "client"),
)
Key = tuple[str, str]
"""A pack and a puzzle in it, by their names."""
MOST_CLIENTS = 10_000
"""Pages whose last write is remembered; their names begin with the time, so the oldest are forgotten."""


class PlayStore(ProgressFile):
    """The plays of all puzzles."""

    def summary(self, pack: str) -> dict[str, tuple[str, str, float]]:
        """State, best result and seconds of every play of a pack, by the puzzle's name."""
        with self.transaction() as connection:
            rows = connection.execute("SELECT puzzle, state, won, seconds FROM plays WHERE pack = ?", (pack,))
            return {name: (state, won, seconds) for name, state, won, seconds in rows}


def repeated(connection: sqlite3.Connection, client: str, number: int) -> bool:
    """Whether the write ``number`` of the page ``client`` was done before; if not, it is from this transaction on.

    A page numbers its writes upwards and sends one after the other, each until it is answered: an answer that was lost
    makes it send again what was done already. Writes without a client are never the same.
    """
    if not client:
        return False
    row = connection.execute("SELECT number FROM clients WHERE client = ?", (client,)).fetchone()
    if row is not None and number <= row[0]:
        return True
    connection.execute("INSERT OR REPLACE INTO clients VALUES (?, ?)", (client, number))
    if row is None:
        oldest = "SELECT client FROM clients ORDER BY client DESC LIMIT 1 OFFSET ?"
        connection.execute(f"DELETE FROM clients WHERE client <= ({oldest})", (MOST_CLIENTS,))
    return False


def found(connection: sqlite3.Connection, key: Key, packed: Packed) -> Play:
    """The play of a puzzle, an untouched one if there is none (or it is of another board)."""
    row = connection.execute(f"SELECT {', '.join(_FIELDS)} FROM plays WHERE (pack, puzzle) = (?, ?)", key).fetchone()
    fresh = begun(packed.puzzle, packed.lives, "free" if packed.puzzle.goal is None else "lives")
    if row is None:
        return fresh
    values = dict(zip(_FIELDS, row, strict=True))
    values["cells"] = _unpacked(values["cells"])
    values["wrong"], values["trials"] = json.loads(values["wrong"]), json.loads(values["trials"])
    play = Play(**values)
    return play if play.cells.size == fresh.cells.size else fresh


def kept(connection: sqlite3.Connection, key: Key, play: Play) -> None:
    """Keep a play as it is, one version further."""
    play.version += 1
    values = [getattr(play, name) for name in _FIELDS]
    for index, name in enumerate(_FIELDS):
        if name == "cells":
            values[index] = zlib.compress(play.cells.astype("<i4").tobytes(), 1)
        elif name in ("wrong", "trials"):
            values[index] = json.dumps(values[index])
    names, marks = ", ".join(_FIELDS), ", ".join("?" * (len(_FIELDS) + 2))
    connection.execute(f"INSERT OR REPLACE INTO plays (pack, puzzle, {names}) VALUES ({marks})", [*key, *values])


def add_move(connection: sqlite3.Connection, key: Key, play: Play, changes: list[CellChange]) -> None:
    """A move after those that stand; the undone ones are gone."""
    forget_moves(connection, key, play.position)
    play.position += 1
    play.last = play.position
    connection.execute("INSERT INTO moves VALUES (?, ?, ?, ?)", (*key, play.position, json.dumps(changes)))


def moves(connection: sqlite3.Connection, key: Key, after: int, upto: int) -> list[list[CellChange]]:
    """The moves with the numbers ``after + 1`` to ``upto``, in order."""
    rows = connection.execute(
        "SELECT changes FROM moves WHERE pack = ? AND puzzle = ? AND number > ? AND number <= ? ORDER BY number",
        (*key, after, upto),
    )
    return [[CellChange(*change) for change in json.loads(changes)] for (changes,) in rows]


def forget_moves(connection: sqlite3.Connection, key: Key, after: int) -> None:
    """Forget every move after the first ``after``."""
    connection.execute("DELETE FROM moves WHERE pack = ? AND puzzle = ? AND number > ?", (*key, after))


def forget(connection: sqlite3.Connection, key: Key) -> None:
    """Forget a play with all its moves."""
    connection.execute("DELETE FROM plays WHERE (pack, puzzle) = (?, ?)", key)
    forget_moves(connection, key, 0)


def _unpacked(blob: bytes) -> Cells:
    return np.frombuffer(zlib.decompress(blob), dtype="<i4").astype(np.int64)
