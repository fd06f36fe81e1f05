"""What a player can ask for, done in one transaction: moves, undo and redo, trials, a new beginning."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field

from nonosat.app import requests
from nonosat.app.game import STYLES, Play, anew, applied, changes_of, erred, finished, goal_of, judged, win
from nonosat.app.packs import Packed
from nonosat.app.progress import Key, PlayStore, add_move, forget_moves, found, kept, moves, repeated
from nonosat.app.requests import Body, RequestError

MAX_CHANGES = 2**18


@dataclass
class PlayRequest:
    """A request at work: the play that it changes, and ``told``, what the page is told beside the play."""

    connection: sqlite3.Connection
    key: Key
    packed: Packed
    play: Play
    changed: set[int] = field(default_factory=set)
    told: Body = field(default_factory=dict)


def handle(progress: PlayStore, key: Key, packed: Packed, body: Body) -> Body:
    """Do what ``body["do"]`` says, once, however often the page sends it (``repeated``).

    RefusedError (409, with the play as it is): the page knows an older one, and another page has changed it since.
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
        kept(connection, key, now.play)
        return {**_brief(connection, key, now.play), **now.told, **_cells(now)}


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
    if now.told.get("all"):
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
        now.told["error_at"] = error
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
    now.told["lost"] = True


def _begin(now: PlayRequest, style: str) -> None:
    forget_moves(now.connection, now.key, 0)
    anew(now.play, now.packed.puzzle, now.packed.lives, style)
    now.told["all"] = True


def _undo(now: PlayRequest, body: Body) -> None:
    _not_won(now.play)
    _back_to(now, max(0, now.play.position - 1))


def _back_to(now: PlayRequest, position: int) -> None:
    play = now.play
    for changes in reversed(moves(now.connection, now.key, position, play.position)):
        now.changed.update(applied(play, changes, back=True))
    play.position = position
    play.trials = [start for start in play.trials if start <= position]


def _redo(now: PlayRequest, body: Body) -> None:
    play = now.play
    _not_won(play)
    for changes in moves(now.connection, now.key, play.position, play.position + 1):
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
    """Which cells are wrong, without a price: told of puzzles whose solution is known."""
    goal, play = goal_of(now.packed.puzzle), now.play
    if goal is None:
        raise RequestError("this puzzle's solution is not known")
    play.checks += 1
    now.told["faults"] = [int(cell) for cell in ((play.cells >= 0) & (play.cells != goal)).nonzero()[0]]


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
