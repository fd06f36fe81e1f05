"""The puzzles of this user: kept in the database, and as a pack to play."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from nonosat.app.database import ProgressFile, now
from nonosat.app.game import forget, repeated
from nonosat.app.packs import LIVES, MINE, Pack, Packed
from nonosat.app.requests import Body, RequestError
from nonosat.app.wire import (
    cells_of,
    clues_picture,
    filled,
    native,
    native_text,
    picture_shades,
    puzzle_from_wire,
    puzzle_to_wire,
)
from nonosat.errors import NonosatError
from nonosat.puzzles.formats.texts import TEXTS
from nonosat.puzzles.puzzle import Puzzle

MOST = 10_000
"""Puzzles that are kept, and drafts; a page that saves in a loop fills no disk."""
MOST_CELLS, MOST_PICTURES = 4_096, 50
"""Puzzles and drafts of at most so many cells, so many of each, are shown with their picture in a list."""
DIGITS = 15
"""Of a puzzle's number, at most: SQLite's have 64 bits, and JavaScript's 53."""
NOT_CLUES = (*TEXTS, "palette", "goal", "solutions")
"""What is in our JSON of a puzzle beside its clues."""
UNREADABLE = ("unreadable", 0, 0, None)
"""The card of a text that no kind reads any more, as that of a plug-in that is gone."""
SECRET = f"""received AND NOT EXISTS
    (SELECT 1 FROM plays WHERE pack = '{MINE}' AND puzzle = CAST(own.id AS TEXT) AND won <> '')"""


class Card(NamedTuple):
    """What is shown of a puzzle that is not opened; ``made``: the day, in ISO 8601.

    ``secret``: it is somebody else's and not solved yet, so that its title says too much.
    """

    id: int
    title: str
    made: str
    kind: str
    height: int
    width: int
    secret: bool


def number_of(name: str) -> int:
    """The number that stands in an address. RequestError (404): none that a puzzle can have."""
    if not (name.isascii() and name.isdigit() and len(name) <= DIGITS):
        raise RequestError("that puzzle is not here any more", 404)
    return int(name)


def cards(database: ProgressFile) -> list[Card]:
    """All of them, the newest first; no puzzle is read."""
    with database.transaction() as connection:
        _complete(connection)
        rows = connection.execute(f"SELECT id, title, made, kind, height, width, {SECRET} FROM own ORDER BY id DESC")
        return [Card._make([*row, bool(secret)]) for *row, secret in rows]


def pictures(database: ProgressFile, numbers: list[int]) -> dict[int, Body]:
    """The pictures (``palette`` and ``cells``) of those of these puzzles that have one."""
    found = {}
    with database.transaction() as connection:
        for number in numbers:
            row = connection.execute("SELECT picture FROM own WHERE id = ?", (number,)).fetchone()
            if row is not None and row[0] is not None:
                found[number] = json.loads(zlib.decompress(row[0]))
    return found


def text_of(database: ProgressFile, number: int) -> tuple[str, bool]:
    """The puzzle with this number, in our JSON, and whether it is secret."""
    with database.transaction() as connection:
        row = connection.execute(f"SELECT text, {SECRET} FROM own WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise RequestError("that puzzle is not here any more", 404)
    return str(row[0]), bool(row[1])


def get(database: ProgressFile, number: int) -> Puzzle:
    """The puzzle with this number."""
    text, _ = text_of(database, number)
    return native(text)


def save(database: ProgressFile, puzzle: Puzzle, number: int | None, draft: str = "", received: bool = False) -> int:
    """Keep ``puzzle``, anew or in the place of the one with this number; its number. Its ``draft`` is done with.

    What was played of it is forgotten when its clues are others now. ``received``: it is somebody else's.
    """
    text, shown = native_text(puzzle), _shown(puzzle)
    with database.transaction() as connection:
        connection.execute("DELETE FROM drafts WHERE id = ?", (draft,))
        before = connection.execute("SELECT text FROM own WHERE id = ?", (number,)).fetchone()
        if number is not None and before is not None:
            connection.execute(
                "UPDATE own SET title = ?, text = ?, kind = ?, height = ?, width = ?, picture = ?, received = ? "
                "WHERE id = ?",
                (puzzle.title, text, *shown, received, number),
            )
            if _checked_id(native(before[0])) != _checked_id(puzzle):
                forget(connection, (MINE, str(number)))
            return number
        _refuse_more(connection, "own", "puzzles")
        row = connection.execute(
            "INSERT INTO own (title, text, made, kind, height, width, picture, received) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (puzzle.title, text, now(), *shown, received),
        )
        return int(row.lastrowid or 0)


def same(database: ProgressFile, puzzle: Puzzle) -> int | None:
    """The number of the newest one with the clues of ``puzzle``, if there is one."""
    clues = _clues(native_text(puzzle))
    statement = "SELECT id, text FROM own WHERE kind = ? AND height = ? AND width = ? ORDER BY id DESC"
    with database.transaction() as connection:
        _complete(connection)
        rows = connection.execute(statement, (puzzle.kind, *puzzle.shape)).fetchall()
    return next((number for number, text in rows if _clues(text) == clues), None)


def delete(database: ProgressFile, number: int) -> None:
    """Forget the puzzle with this number, and what was played of it."""
    with database.transaction() as connection:
        connection.execute("DELETE FROM own WHERE id = ?", (number,))
        forget(connection, (MINE, str(number)))


class Draft(NamedTuple):
    """A draft as a page sends it: ``id`` is the page's word for it, ``version`` the one that the page has read (0:
    none), ``own`` the number of the puzzle that it is to take the place of, ``text`` what the page shows again.
    """

    id: str
    version: int
    own: int | None
    title: str
    kind: str
    height: int
    width: int
    text: str


def keep_draft(database: ProgressFile, draft: Draft, client: str, number: int) -> Body:
    """Keep a draft, once, however often the page sends it; its name and version from now on.

    If another page has changed it since this one read it, it is kept as a draft of its own: both are there then.
    """
    with database.transaction() as connection:
        name = draft.id
        stored = _version(connection, name)
        if stored is not None and stored[0] != client and stored[1] != draft.version:
            name = hashlib.sha256(f"{draft.id} {client}".encode()).hexdigest()[:16]  # the same one whenever it is sent
            stored = _version(connection, name)
        if repeated(connection, client, number):
            return {"draft": name, "version": 0 if stored is None else stored[1]}
        if stored is None:
            _refuse_more(connection, "drafts", "drafts")
        version = 1 + (0 if stored is None else stored[1])
        connection.execute(
            "INSERT OR REPLACE INTO drafts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (name, client, version, *draft[2:], now()),
        )
        return {"draft": name, "version": version}


def draft(database: ProgressFile, name: str) -> Body:
    """A draft as it was sent."""
    with database.transaction() as connection:
        row = connection.execute("SELECT text, own, version FROM drafts WHERE id = ?", (name,)).fetchone()
    if row is None:
        raise RequestError("that draft is not here any more: it was saved or deleted", 404)
    return {**json.loads(row[0]), "id": row[1], "draft": name, "version": row[2]}


def drafts(database: ProgressFile) -> list[Body]:
    """Name, title, size and time of all drafts, the one that was changed last first; small ones have their
    picture, if there is one.
    """
    names = ("draft", "own", "title", "kind", "height", "width", "made")
    with database.transaction() as connection:
        rows = connection.execute(
            "SELECT id, own, title, kind, height, width, made, CASE WHEN height * width <= ? THEN text ELSE '{}' END "
            "FROM drafts ORDER BY made DESC, id",
            (MOST_CELLS,),
        ).fetchall()
    found = []
    for number, (*row, text) in enumerate(rows):
        page = json.loads(text) if number < MOST_PICTURES else {}
        found.append({**dict(zip(names, row, strict=True)), "picture": _drawn(page) if page else None})
    return found


def _drawn(page: Body) -> Body | None:
    """The picture of a draft, with its ``width``: what is drawn, or as ``clues_picture`` has it."""
    stated, cells = page["puzzle"], page["cells"]
    if cells:
        return {"palette": stated.get("palette"), "cells": cells, "width": stated["width"]}
    with suppress(NonosatError):  # it may be no puzzle yet
        return clues_picture(puzzle_from_wire(stated))
    return None


def same_draft(database: ProgressFile, wanted: Body, read: Callable[[Body], Puzzle]) -> str | None:
    """The draft with the title and clues of ``wanted``, a puzzle as the page has it, and its cells if it is drawn.

    Another drawing with these clues is no copy. ``read`` makes a puzzle of what a page sent.
    """
    statement = "SELECT id, text FROM drafts WHERE title = ? AND kind = ? AND height = ? AND width = ?"
    asked = [wanted["puzzle"][key] for key in ("title", "kind", "height", "width")]
    with database.transaction() as connection:
        rows = connection.execute(statement, asked).fetchall()

    def of(page: Body) -> tuple[Body, Body | None] | None:
        drawn = page.get("drawn", page["puzzle"]["kind"] == "nonogram")  # as the page has what is read
        cells = page["cells"] if drawn else None
        with suppress(NonosatError):  # a draft may be no puzzle yet
            return _clues(native_text(read({**page, "cells": cells}))), cells
        return None

    known = of(wanted) if rows else None
    return next((str(name) for name, text in rows if known and of(json.loads(text)) == known), None)


def delete_draft(database: ProgressFile, name: str) -> None:
    """Forget a draft."""
    with database.transaction() as connection:
        connection.execute("DELETE FROM drafts WHERE id = ?", (name,))


def _version(connection: sqlite3.Connection, name: str) -> tuple[str, int] | None:
    row = connection.execute("SELECT client, version FROM drafts WHERE id = ?", (name,)).fetchone()
    return None if row is None else (row[0], row[1])


def _refuse_more(connection: sqlite3.Connection, table: str, word: str) -> None:
    [count] = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    if count >= MOST:
        raise RequestError(f"there are {MOST:,} {word} already: delete some first", 507)


def _shown(puzzle: Puzzle) -> tuple[str, int, int, bytes | None]:
    """What a card shows of ``puzzle``: its kind, its size, and its picture, if it has a goal that is one."""
    shades = picture_shades(puzzle)
    if puzzle.goal is None or shades is None:
        return (puzzle.kind, *puzzle.shape, None)
    picture = json.dumps({"palette": shades, "cells": cells_of(puzzle.goal)}, separators=(",", ":"))
    return (puzzle.kind, *puzzle.shape, zlib.compress(picture.encode(), 1))


def _complete(connection: sqlite3.Connection) -> None:
    """Write what cards show of puzzles from before that was kept; each of them is read this once."""
    for number, text in connection.execute("SELECT id, text FROM own WHERE kind = ''").fetchall():
        shown: tuple[Any, ...]
        try:
            shown = _shown(native(text))
        except NonosatError:
            shown = UNREADABLE
        statement = "UPDATE own SET kind = ?, height = ?, width = ?, picture = ? WHERE id = ?"
        connection.execute(statement, (*shown, number))


def _clues(text: str) -> Body:
    """The clues and given cells of a puzzle in our JSON, to compare."""
    return {key: value for key, value in json.loads(text).items() if key not in NOT_CLUES}


def _checked_id(puzzle: Puzzle) -> dict[str, object]:
    """What a player has to solve: all but the title and the shades."""
    return {**puzzle_to_wire(puzzle), "title": "", "palette": None}


# A pack of them: with lives where a puzzle is unique, in free play otherwise.


TITLE = "My puzzles"
ICON = ("...##", "..###", ".###.", "###..", "##...")
LABELS = {"several": "several solutions", "none": "no solution", "unsettled": "perhaps several solutions"}


@dataclass(frozen=True)
class Shelved:
    """A puzzle as its card shows it: not known to be unique, and not even parsed or made where a list is long."""

    name: str
    title: str
    kind: str
    shape: tuple[int, int]
    secret: bool = False
    label: str = ""
    palette: list[str] | None = None
    filled: int | None = None


def pack(database: ProgressFile) -> Pack[Shelved]:
    """All of them, the newest first."""
    shown = cards(database)
    puzzles = tuple(
        Shelved(str(card.id), card.title, card.kind, (card.height, card.width), card.secret) for card in shown
    )
    return Pack(MINE, TITLE, ICON, puzzles)


def shelved(database: ProgressFile, name: str) -> Shelved:
    """One of them, for the card of its board: it is parsed, and its solution is not looked for."""
    text, secret = text_of(database, number_of(name))
    puzzle = native(text)
    shown = (puzzle.title, puzzle.kind, puzzle.shape, secret)
    return Shelved(name, *shown, palette=picture_shades(puzzle), filled=filled(puzzle))


def packed(database: ProgressFile, name: str) -> Packed:
    """A puzzle, ready to play: its goal is its only solution; none if it has several, or that is not known."""
    number = number_of(name)
    text, secret = text_of(database, number)
    label, puzzle = judged(text)
    return Packed(str(number), label, LIVES, puzzle, secret=secret)


@lru_cache(maxsize=64)
def judged(text: str) -> tuple[str, Puzzle]:
    """The label of a puzzle in our JSON, and the puzzle with its goal. It is called at every move: the result is kept.

    The bounds of the analysis are amounts of work, so its result is always the same.
    """
    from nonosat.making.editing import analyse  # compiled code

    puzzle = native(text)
    verdict = analyse(puzzle).verdict
    goal = puzzle.picture(verdict.shared) if verdict.word in ("lines", "unique") else None
    label = LABELS.get(verdict.word) or verdict.label or verdict.word
    return label, replace(puzzle, goal=goal)  # type: ignore[type-var]
