"""A play of a puzzle: the board and its rules, what is kept of it in SQLite, and the moves of a page."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from nonosat.app import requests
from nonosat.app.database import ProgressFile
from nonosat.app.database import now as time_now
from nonosat.app.packs import Packed
from nonosat.app.requests import Body, RequestError
from nonosat.app.wire import Cells, board_of, open_cells
from nonosat.explanations.explain import explainer_of
from nonosat.puzzles.puzzle import Puzzle, fixed_cells, is_solution

# The board as it is played: lives or free play, what is filled, what is wrong, when it is won.


STYLES = ("lives", "free")


class CellChange(NamedTuple):
    """A cell (its place in the flat list) that was ``before`` and is ``after``."""

    cell: int
    before: int
    after: int


@dataclass
class Play:
    """How far a puzzle is. ``position``: how many of the ``last`` moves stand; ``trials``: at which positions trials
    began; ``won``: "", "silver" or "gold", the best so far; ``wrong``: the errors of this attempt; ``client``: the page
    that changed it last; ``played``: when, in ISO 8601.
    """

    style: str
    lives: int
    cells: Cells
    state: str = "untouched"
    losses: int = 0
    won: str = ""
    wrong: list[int] = field(default_factory=list)
    version: int = 0
    position: int = 0
    last: int = 0
    trials: list[int] = field(default_factory=list)
    seconds: float = 0.0
    hints: int = 0
    checks: int = 0
    client: str = ""
    played: str = ""


def begun(puzzle: Puzzle, lives: int, style: str) -> Play:
    """An untouched play."""
    return Play(style, lives, open_cells(puzzle))


def anew(play: Play, puzzle: Puzzle, lives: int, style: str) -> None:
    """Begin another attempt; losses and the best result stay."""
    fresh = begun(puzzle, lives, style)
    fresh.losses, fresh.won, fresh.version = play.losses, play.won, play.version
    play.__dict__.update(fresh.__dict__)


def changes_of(puzzle: Puzzle, play: Play, pairs: list[list[int]]) -> list[CellChange]:
    """The changes that a move asks for, ``[cell, value]`` each, without those that change nothing.

    RequestError: a cell outside the board, given, or known for an error; a value that the board has not.
    """
    least, most = explainer_of(puzzle).values(puzzle)
    width = puzzle.shape[1]
    fixed = {row * width + column for row, column, _ in fixed_cells(puzzle)} | set(play.wrong)
    changes: dict[int, CellChange] = {}
    for cell, value in pairs:
        if not 0 <= cell < play.cells.size:
            raise RequestError(f"cell {cell} is outside the board")
        if value > most or 0 <= value < least:
            raise RequestError(f"no cell of this board has the value {value}")
        if cell not in fixed and value != int(play.cells[cell]):
            changes[cell] = CellChange(cell, int(play.cells[cell]), value)
    return list(changes.values())


def judged(play: Play, changes: list[CellChange], goal: Cells | None) -> tuple[list[CellChange], int | None]:
    """What of a move holds: up to its first error, if lives are at stake; and the cell of that error."""
    if play.style != "lives" or goal is None:
        return changes, None
    for index, change in enumerate(changes):
        if change.after > 0 and change.after != goal[change.cell]:
            return changes[:index], change.cell
    return changes, None


def applied(play: Play, changes: list[CellChange], back: bool = False) -> list[int]:
    """Make changes, or take them back; errors stay. The cells that are others now."""
    wrong = set(play.wrong)
    touched = [change for change in changes if change.cell not in wrong]
    for change in touched:
        play.cells[change.cell] = change.before if back else change.after
    return [change.cell for change in touched]


def erred(play: Play, cell: int, goal: Cells) -> bool:
    """An error: a life is lost, and the cell shows what it is. Whether that was the last life."""
    play.wrong.append(cell)
    play.cells[cell] = goal[cell]
    play.lives -= 1
    return play.lives <= 0


def finished(puzzle: Puzzle, play: Play) -> bool:
    """Whether the board solves the puzzle. Lines are looked at when as many cells are filled as the solution has."""
    goal = goal_of(puzzle)
    if goal is not None and np.count_nonzero(play.cells > 0) != np.count_nonzero(goal):
        return False
    board = board_of(puzzle, play.cells)
    return board is not None and is_solution(puzzle, board)


def win(play: Play) -> None:
    """The puzzle is solved: gold with lives and at the first try, silver otherwise; the better one is kept."""
    play.state = "won"
    if play.won != "gold":
        play.won = "gold" if play.style == "lives" and play.losses == 0 and not play.won else "silver"


def goal_of(puzzle: Puzzle) -> Cells | None:
    """The solution that the puzzle was made from, flat."""
    return None if puzzle.goal is None else puzzle.goal.cells.astype(np.int64).ravel()


# What is kept: one transaction a move, so that nothing is lost when the server is killed.


_FIELDS = (
    *("style", "state", "lives", "losses", "won", "cells", "wrong", "version", "position", "last", "trials"),
    *("seconds", "hints", "checks", "client", "played"),
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

    def under_way(self, pack: str | None = None, most: int = -1) -> dict[Key, Cells]:
        """The boards that were begun and are not solved, of one pack or of all, the one that was played last first."""
        with self.transaction() as connection:
            rows = connection.execute(
                "SELECT pack, puzzle, cells FROM plays WHERE state = 'playing' AND pack = ifnull(?, pack)"
                " ORDER BY played DESC, pack, puzzle LIMIT ?",
                (pack, most),
            )
            return {(pack, puzzle): _unpacked(cells) for pack, puzzle, cells in rows}


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
    free = packed.puzzle.goal is None or packed.lesson
    fresh = begun(packed.puzzle, packed.lives, "free" if free else "lives")
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


# The moves of a page, each in one transaction: fill, undo and redo, trials, a new beginning.


MAX_CHANGES = 2**18


@dataclass
class PlayRequest:
    """A request at work: the play that it changes, and ``more``, further fields of the answer."""

    connection: sqlite3.Connection
    key: Key
    packed: Packed
    play: Play
    changed: set[int] = field(default_factory=set)
    more: Body = field(default_factory=dict)


def handle(progress: PlayStore, key: Key, packed: Packed, body: Body) -> Body:
    """Do what ``body["do"]`` says, once, however often the page sends it (``repeated``).

    RequestError (409, with the play as it is): the page knows an older one, and another page has changed it since.
    """
    action = requests.choice(body, "do", tuple(ACTIONS))
    version = requests.integer(body, "version", 0, 2**53)
    seconds = requests.number(body, "seconds", 0, 86400, 0)
    client, number = requests.sender(body)
    with progress.transaction() as connection:
        now = PlayRequest(connection, key, packed, found(connection, key, packed))
        if repeated(connection, client, number):
            return play_json(connection, key, packed, now.play)
        known = version == now.play.version or (client != "" and client == now.play.client)
        if action != "leave" and not known:
            raise RequestError(
                "the puzzle was played on elsewhere", 409, play=play_json(connection, key, packed, now.play)
            )
        if now.play.state != "won":
            now.play.seconds += seconds
        ACTIONS[action](now, body)
        if action != "leave":
            now.play.client = client
            now.play.played = time_now()
        kept(connection, key, now.play)
        return {**_brief(connection, key, now.play), **now.more, **_cells(now)}


def opened(progress: PlayStore, key: Key, packed: Packed) -> Body:
    """The play for a page that opens it."""
    with progress.transaction() as connection:
        return play_json(connection, key, packed, found(connection, key, packed))


def play_json(connection: sqlite3.Connection, key: Key, packed: Packed, play: Play) -> Body:
    """All of a play."""
    return {**_brief(connection, key, play), "cells": play.cells.tolist()}


def _brief(connection: sqlite3.Connection, key: Key, play: Play) -> Body:
    """All of a play but its cells. ``trial``: ``[cell, depth]`` of what was changed since a trial began."""
    names = ("style", "state", "lives", "losses", "won", "wrong", "version", "seconds", "hints", "checks")
    trial: dict[int, int] = {}
    for depth, start in enumerate(play.trials, start=1):
        for changes in moves(connection, key, start, play.position):
            trial.update((change.cell, depth) for change in changes)
    more = {"undo": play.position > 0, "redo": play.last > play.position, "trials": len(play.trials)}
    return {**{name: getattr(play, name) for name in names}, **more, "trial": sorted(map(list, trial.items()))}


def _cells(now: PlayRequest) -> Body:
    """The cells that changed, or all of them after a new beginning."""
    if now.more.get("all"):
        return {"cells": now.play.cells.tolist()}
    return {"changed": [[cell, int(now.play.cells[cell])] for cell in sorted(now.changed)]}


def _move(now: PlayRequest, body: Body) -> None:
    play, puzzle = now.play, now.packed.puzzle
    _not_won(play)
    pairs = body.get("changes")
    if not isinstance(pairs, list) or not 1 <= len(pairs) <= MAX_CHANGES:
        raise RequestError('"changes" is a list of [cell, value]')
    wanted = changes_of(puzzle, play, [requests.integers(pair, "a change", 2) for pair in pairs])
    goal = goal_of(puzzle)
    changes, error = judged(play, wanted, goal)
    if changes:
        now.changed.update(applied(play, changes))
        add_move(now.connection, now.key, play, changes)
        play.state = "playing"
    if error is not None and goal is not None:
        play.state = "playing"
        now.changed.add(error)
        now.more["error_at"] = error
        add_move(now.connection, now.key, play, [])  # undo finds that an error stays
        if erred(play, error, goal):
            _lose(now)
            return
    if finished(puzzle, play):
        play.trials = []
        win(play)


def _lose(now: PlayRequest) -> None:
    """The last life is gone: the game starts anew."""
    now.play.losses += 1
    _begin(now, now.play.style)
    now.more["lost"] = True


def _begin(now: PlayRequest, style: str) -> None:
    forget_moves(now.connection, now.key, 0)
    anew(now.play, now.packed.puzzle, now.packed.lives, style)
    now.more["all"] = True


def _undo(now: PlayRequest, body: Body) -> None:
    """Take a move back. An error stays: undo only says so, and the next one takes back the move before."""
    play = now.play
    _not_won(play)
    now.more["stays"] = stays = [] in moves(now.connection, now.key, play.position - 1, play.position)
    _back_to(now, max(0, play.position - 1))
    if stays and play.last == play.position + 1:
        forget_moves(now.connection, now.key, play.position)  # there is nothing to redo
        play.last = play.position


def _back_to(now: PlayRequest, position: int) -> None:
    play = now.play
    for changes in reversed(moves(now.connection, now.key, position, play.position)):
        now.changed.update(applied(play, changes, back=True))
    play.position = position
    play.trials = [start for start in play.trials if start <= position]


def _redo(now: PlayRequest, body: Body) -> None:
    play = now.play
    _not_won(play)
    changes: list[CellChange] = []
    while play.position < play.last and not changes:  # an error was never undone
        (changes,) = moves(now.connection, now.key, play.position, play.position + 1)
        now.changed.update(applied(play, changes))
        play.position += 1
    if finished(now.packed.puzzle, play):
        play.trials = []
        win(play)


def _trial(now: PlayRequest, body: Body) -> None:
    _not_won(now.play)
    if now.play.style != "free":
        raise RequestError("trials are for free play")
    now.play.trials.append(now.play.position)


def _accept(now: PlayRequest, body: Body) -> None:
    if now.play.trials:
        now.play.trials.pop()


def _reject(now: PlayRequest, body: Body) -> None:
    _not_won(now.play)
    if now.play.trials:
        start = now.play.trials.pop()
        _back_to(now, start)


def _restart(now: PlayRequest, body: Body) -> None:
    style = requests.choice(body, "style", STYLES, now.play.style)
    if style == "lives" and now.packed.puzzle.goal is None:
        raise RequestError("lives need a puzzle whose solution is known")
    _begin(now, style)


def _check(now: PlayRequest, body: Body) -> None:
    """Which cells are wrong, of a puzzle whose solution is known. It costs no life."""
    goal, play = goal_of(now.packed.puzzle), now.play
    if goal is None:
        raise RequestError("this puzzle's solution is not known")
    play.checks += 1
    now.more["faults"] = [int(cell) for cell in ((play.cells >= 0) & (play.cells != goal)).nonzero()[0]]


def _leave(now: PlayRequest, body: Body) -> None:
    """Only the time is kept; another page may have gone on, whose version stays what it is."""
    now.play.version -= 1


def _hint(now: PlayRequest, body: Body) -> None:
    now.play.hints += 1


def _not_won(play: Play) -> None:
    if play.state == "won":
        raise RequestError("the puzzle is solved", 409)


ACTIONS: dict[str, Callable[[PlayRequest, Body], None]] = {
    "move": _move,
    "undo": _undo,
    "redo": _redo,
    "trial": _trial,
    "accept": _accept,
    "reject": _reject,
    "restart": _restart,
    "check": _check,
    "leave": _leave,
    "hint": _hint,
}
