"""Puzzles that were entered or made here, in the table ``own``: our JSON, under a number."""

from __future__ import annotations

from datetime import UTC, datetime

from nonosat.app.database import Database
from nonosat.app.errors import RefusedError
from nonosat.app.packs import MINE
from nonosat.app.progress import forget
from nonosat.app.wire import native, native_text, puzzle_to_wire
from nonosat.puzzles.puzzle import Puzzle

MOST = 10_000
"""Puzzles that are kept; a page that saves in a loop fills no disk."""


def listed(database: Database) -> list[dict[str, object]]:
    """Number, title and day of all, the newest first."""
    with database.transaction() as connection:
        rows = connection.execute("SELECT id, title, made, text FROM own ORDER BY id DESC").fetchall()
    found = []
    for number, title, made, text in rows:
        puzzle = native(text)
        height, width = puzzle.shape
        found.append(
            {"id": number, "title": title, "made": made, "kind": puzzle.kind, "height": height, "width": width}
        )
    return found


def puzzles(database: Database) -> list[tuple[int, Puzzle]]:
    """All of them with their numbers, the newest first."""
    with database.transaction() as connection:
        rows = connection.execute("SELECT id, text FROM own ORDER BY id DESC").fetchall()
    return [(number, native(text)) for number, text in rows]


def get(database: Database, number: int) -> Puzzle:
    """The puzzle with this number."""
    with database.transaction() as connection:
        row = connection.execute("SELECT text FROM own WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise RefusedError("that puzzle is not here any more", 404)
    return native(row[0])


def save(database: Database, puzzle: Puzzle, number: int | None) -> int:
    """Keep ``puzzle``, anew or in the place of the one with this number; its number.

    What was played of it is forgotten when its clues are others now.
    """
    made, text = datetime.now(UTC).isoformat(timespec="seconds"), native_text(puzzle)
    with database.transaction() as connection:
        before = connection.execute("SELECT text FROM own WHERE id = ?", (number,)).fetchone()
        if number is not None and before is not None:
            connection.execute("UPDATE own SET title = ?, text = ? WHERE id = ?", (puzzle.title, text, number))
            if _asked(native(before[0])) != _asked(puzzle):
                forget(connection, (MINE, str(number)))
            return number
        [count] = connection.execute("SELECT count(*) FROM own").fetchone()
        if count >= MOST:
            raise RefusedError(f"there are {MOST:,} puzzles already: delete some first")
        row = connection.execute("INSERT INTO own (title, text, made) VALUES (?, ?, ?)", (puzzle.title, text, made))
        return int(row.lastrowid or 0)


def delete(database: Database, number: int) -> None:
    """Forget the puzzle with this number, and what was played of it."""
    with database.transaction() as connection:
        connection.execute("DELETE FROM own WHERE id = ?", (number,))
        forget(connection, (MINE, str(number)))


def _asked(puzzle: Puzzle) -> dict[str, object]:
    """What a player has to solve: all but the title and the shades."""
    return {**puzzle_to_wire(puzzle), "title": "", "palette": None}
