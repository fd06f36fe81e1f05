"""What a page sends is done once and kept, whatever the disk and the network do; what a person visits is a page."""

from __future__ import annotations

import asyncio
import json
import resource
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from packs_made import heart, write_packs
from sampling import spread
from serving import Server
from starlette.applications import Starlette

import nonosat
from nonosat.app import own, wire
from nonosat.app.database import SCHEMA, UPGRADES, ProgressFile
from nonosat.app.game import PlayStore
from nonosat.app.guard import Hosts
from nonosat.app.requests import RequestError
from nonosat.app.server import made
from nonosat.puzzles.nonogram import Nonogram
from nonosat.rng import Rng

PERSON = {"Sec-Fetch-Mode": "navigate", "Accept": "text/html,application/xhtml+xml"}
DOT = {"kind": "nonogram", "height": 1, "width": 1, "palette": ["#ffffff", "#000000"], "given": [], "values": [0, 1]}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("safe")
    write_packs(data)
    found = Server(data)
    found.enter()
    yield found
    found.close()


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Starlette]:
    """The app itself, without its guard and its rooms' lives."""
    found = made(tmp_path, Hosts("127.0.0.1", 1), tmp_path).app
    assert isinstance(found, Starlette)
    yield found
    found.state.progress.close()


def ask(app: Starlette, path: str, body: object = None) -> tuple[int, Any]:
    """A request to the app in this process, where a bug keeps its traceback."""
    messages: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"" if body is None else json.dumps(body).encode()}

    async def send(message: Any) -> None:
        messages.append(message)

    plain, _, query = path.partition("?")
    scope = {"type": "http", "method": "GET" if body is None else "POST", "path": plain, "query_string": query.encode()}
    scope |= {"headers": [], "raw_path": plain.encode(), "root_path": "", "scheme": "http", "http_version": "1.1"}
    asyncio.run(app(scope, receive, send))
    text = b"".join(message.get("body", b"") for message in messages)
    return messages[0]["status"], json.loads(text) if text[:1] in (b"{", b"[") else text


def draft(name: str, cells: list[int], **more: Any) -> dict[str, Any]:
    return {"draft": name, "puzzle": DOT, "cells": cells, "drawn": True, **more}


def test_a_write_that_is_sent_again_is_done_once(server: Server) -> None:
    at = {"pack": "heart", "puzzle": "50", "client": "a"}
    first = server.post("/api/play/do", {**at, "do": "restart", "style": "free", "version": 0, "number": 1})[1]
    move = {**at, "do": "move", "changes": [[0, 0]], "version": first["version"], "number": 2}
    for _ in range(3):
        status, play = server.post("/api/play/do", move)
        assert (status, play["version"]) == (200, first["version"] + 1)
    undo = {**at, "do": "undo", "version": first["version"], "number": 3}  # it does not know yet of its own move
    for _ in range(3):
        status, play = server.post("/api/play/do", undo)
        assert (status, play["undo"], play["version"]) == (200, False, first["version"] + 2)
    assert play["cells"] == [-1] * 25
    other = {**move, "client": "b", "number": 1}
    assert server.post("/api/play/do", other)[0] == 409  # of another page, which has not seen that
    assert server.post("/api/play/do", {**other, "version": play["version"]})[0] == 200
    assert server.post("/api/play/do", {**move, "number": 4})[0] == 409


def test_drafts_are_kept_whether_they_are_puzzles_or_not(server: Server) -> None:
    wrong = {**DOT, "rows": [[[3, 1]]], "columns": [[[1, 1]]], "title": "Wrong"}
    body = {"draft": "d1", "puzzle": wrong, "cells": None, "drawn": False, "client": "p", "number": 1}
    assert server.post("/api/make/draft", body) == (200, {"draft": "d1", "version": 1})
    assert server.post("/api/make/draft", body) == (200, {"draft": "d1", "version": 1})
    found = server.get("/api/make/drafts/d1")
    assert found == {"puzzle": wrong, "cells": None, "drawn": False, "id": None, "draft": "d1", "version": 1}
    [card] = [one for one in server.get("/api/make/drafts") if one["draft"] == "d1"]
    assert (card["title"], card["height"], card["width"], card["picture"]) == ("Wrong", 1, 1, None)
    drawn = {**body, "draft": "d4", "cells": [1], "drawn": True, "number": 2}
    assert server.post("/api/make/draft", drawn)[0] == 200
    [card] = [one for one in server.get("/api/make/drafts") if one["draft"] == "d4"]
    assert card["picture"] == {"palette": wrong.get("palette"), "cells": [1], "width": 1}
    assert server.post("/api/make/discard", {"draft": "d4"})[0] == 200
    assert server.post("/api/make/discard", {"draft": "d1"})[0] == 200
    assert server.ask("GET", "/api/make/drafts/d1")[0] == 404


def test_two_pages_on_one_draft_lose_neither(server: Server) -> None:
    def keep(cells: list[int], client: str, number: int, version: int) -> dict[str, Any]:
        body = draft("d2", cells, client=client, number=number, version=version)
        status, answer = server.post("/api/make/draft", body)
        assert status == 200
        return dict(answer)

    assert keep([0], "x", 1, 0)["draft"] == "d2"
    assert keep([1], "y", 1, 1) == {"draft": "d2", "version": 2}  # which has read the first
    forked = keep([0], "x", 2, 1)["draft"]
    assert forked != "d2"
    assert keep([0], "x", 2, 1)["draft"] == forked  # sent again
    assert keep([1], "x", 3, 1)["draft"] == forked  # and gone on with, before the answer was heard
    assert server.get("/api/make/drafts/d2")["cells"] == [1]
    assert server.get(f"/api/make/drafts/{forked}")["cells"] == [1]


def test_a_saved_draft_is_gone_and_nothing_brings_it_back(server: Server) -> None:
    body = draft("d3", [1], client="s", number=1)
    server.post("/api/make/draft", body)
    status, answer = server.post("/api/make/save", {"puzzle": DOT, "cells": [1], "draft": "d3"})
    assert (status, server.get(f"/api/make/own/{answer['id']}")["cells"]) == (200, [1])
    server.post("/api/make/draft", body)
    assert server.ask("GET", "/api/make/drafts/d3")[0] == 404


def test_a_full_disk_is_reported_and_nothing_is_lost(server: Server) -> None:
    """The server's process may not let files grow any more, as on a full disk; then it may again."""
    at = {"pack": "heart", "puzzle": "51", "client": "full"}
    play = server.post("/api/play/do", {**at, "do": "restart", "style": "free", "version": 0, "number": 1})[1]
    log = server.data / "progress.sqlite-wal"
    limit = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    move = {**at, "do": "move", "changes": [[3, 0]], "version": play["version"], "number": 2}
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (log.stat().st_size, limit[1]))
    try:
        for path, body in (("play/do", move), ("make/draft", draft("d4", [1], client="f2", number=1))):
            status, answer = server.post(f"/api/{path}", body)
            assert (status, "nothing can be kept" in answer["error"]) == (507, True), answer
            assert "disk" in answer["error"]
    finally:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limit)
    assert server.post("/api/play/do", move)[0] == 200  # sent again, now it is kept
    assert server.get("/api/play/packs/heart/51")["play"]["cells"][3] == 0


def test_a_disk_that_is_full_within_a_transaction_breaks_nothing(tmp_path: Path) -> None:
    database = ProgressFile(tmp_path / "progress.sqlite")
    with database.transaction() as connection:
        [pages] = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
    puzzle = nonosat.random_density(60, 60, 0.5, seed=1)
    for _ in range(2):
        with pytest.raises(RequestError, match="the disk is full") as refused:
            own.save(database, puzzle, None)
        assert refused.value.status == 507
    with database.transaction() as connection:
        connection.execute("PRAGMA max_page_count = 100000")
    assert own.save(database, puzzle, None) == 1
    with pytest.raises(sqlite3.OperationalError, match="no such table"), database.transaction() as connection:
        connection.execute("SELECT * FROM nowhere")  # a bug keeps its traceback
    database.close()


def test_a_shelf_of_200_and_a_huge_one_is_not_read(
    app: Starlette, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    huge = nonosat.random_density(512, 512, 0.5, seed=1)
    small = [nonosat.random_density(10, 10, 0.6, seed=seed) for seed in range(200)]
    progress: PlayStore = app.state.progress
    own.save(progress, huge, None)
    numbers = [own.save(progress, replace(puzzle, title=str(at)), None) for at, puzzle in enumerate(small)]
    parsed: list[str] = []
    loads = wire.loads

    def counted(text: str, *more: Any) -> Any:
        parsed.append(text)
        return loads(text, *more)

    monkeypatch.setattr(wire, "loads", counted)
    for path in ("/api/play/packs", "/api/play/packs/own", "/api/make/own"):
        assert ask(app, path)[0] == 200
    assert parsed == []
    assert ask(app, "/api/play/packs/own")[1]["puzzles"][-1]["height"] == 512
    status, found = ask(app, f"/api/play/packs/own/{numbers[7]}")
    assert (status, found["puzzle"]["title"], found["next"]) == (200, "7", str(numbers[6]))
    assert len(parsed) == 1
    move = {"pack": "own", "puzzle": str(numbers[7]), "do": "move", "version": 0, "changes": [[0, 0]]}
    assert ask(app, "/api/play/do", move)[0] == 200
    assert len(parsed) == 1  # nor is it read again at a move
    assert ask(app, f"/api/make/own/{numbers[7]}")[0] == 200
    assert len(parsed) == 2


def test_a_solved_one_shows_its_picture_on_its_card(app: Starlette) -> None:
    number = own.save(app.state.progress, heart(), None)
    cells = [[cell, 1] for cell in heart().goal.cells.ravel().nonzero()[0].tolist()]  # type: ignore[union-attr]
    move = {"pack": "own", "puzzle": str(number), "do": "move", "version": 0, "changes": cells}
    assert ask(app, "/api/play/do", move)[1]["won"] == "gold"
    [card] = ask(app, "/api/play/packs/own")[1]["puzzles"]
    assert (card["won"], sum(card["picture"]["cells"])) == ("gold", len(cells))


def test_tables_of_the_version_before_go_on(tmp_path: Path) -> None:
    path = tmp_path / "progress.sqlite"
    before = """
    CREATE TABLE plays (pack TEXT NOT NULL, puzzle TEXT NOT NULL, style TEXT NOT NULL, state TEXT NOT NULL,
        lives INTEGER NOT NULL, losses INTEGER NOT NULL, won TEXT NOT NULL, cells BLOB NOT NULL, wrong TEXT NOT NULL,
        version INTEGER NOT NULL, position INTEGER NOT NULL, last INTEGER NOT NULL, trials TEXT NOT NULL,
        seconds REAL NOT NULL, hints INTEGER NOT NULL, checks INTEGER NOT NULL, PRIMARY KEY (pack, puzzle)) STRICT;
    CREATE TABLE moves (pack TEXT NOT NULL, puzzle TEXT NOT NULL, number INTEGER NOT NULL, changes TEXT NOT NULL,
        PRIMARY KEY (pack, puzzle, number)) STRICT, WITHOUT ROWID;
    CREATE TABLE own (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, text TEXT NOT NULL,
        made TEXT NOT NULL) STRICT;
    PRAGMA user_version = 1;
    """
    connection = sqlite3.connect(path)
    connection.executescript(before)
    texts = [wire.native_text(heart()), '{"kind": "of a plug-in that is gone"}']
    connection.executemany(
        "INSERT INTO own (title, text, made) VALUES ('x', ?, '2025-01-01')", [(one,) for one in texts]
    )
    connection.commit()
    connection.close()
    progress = PlayStore(path)
    assert [(card.kind, card.height) for card in own.cards(progress)] == [("unreadable", 0), ("nonogram", 5)]
    assert own.pictures(progress, [1])[1]["cells"][1] == 1
    assert own.get(progress, 1).shape == (5, 5)
    progress.close()
    with sqlite3.connect(path) as again:
        assert again.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
    again.close()
    assert set(UPGRADES) == set(range(SCHEMA))


@pytest.mark.parametrize("path", ["/", "/?token=used", "/api/play/packs", "/static/main.js", "/nowhere"])
def test_a_person_without_the_cookie_gets_a_page(server: Server, path: str) -> None:
    status, headers, body = server.ask("GET", path, headers={**PERSON, "Cookie": "a=b"})
    assert (status, headers["content-type"]) == (403, "text/html; charset=utf-8")
    text = body.decode()
    assert "<h1>" in text
    assert f"{server.origin}/?token=" in text
    assert "nonosat app" in text
    assert not text.startswith("{")
    style = text.partition("<style>")[2].partition("</style>")[0]
    assert style
    assert "'sha256-" in headers["content-security-policy"]
    assert headers["x-frame-options"] == "DENY"


def test_a_script_without_the_cookie_gets_json(server: Server) -> None:
    headers = {"Cookie": "a=b", "Sec-Fetch-Mode": "cors", "Accept": "*/*"}
    status, kinds, body = server.ask("GET", "/api/play/packs", headers=headers)
    assert (status, kinds["content-type"]) == (403, "application/json")
    assert "nonosat app" in json.loads(body)["error"]


@pytest.mark.parametrize("path", ["/nowhere", "/api/play/packs/none", "/api/studies/pages/x/index.html", "/static/x"])
def test_an_address_that_leads_nowhere_is_a_page_too(server: Server, path: str) -> None:
    status, headers, body = server.ask("GET", path, headers=PERSON)
    assert status == 404
    assert headers["content-type"].startswith("text/html")
    assert b"To the beginning" in body


HUGE = "9" * 20
ODD = [
    "0",
    "-1",
    "9" * 15,
    "9" * 16,
    HUGE,
    "9" * 5000,
    "1e9",
    "1.5",
    "%00",
    "x" * 3000,
    "\u0663",
    "\u00b2",
    "..",
    "a b",
]
ODD += ["null", "\U0001f600", "heart", "own", "1", "nonogram", "'", '"', "%", "\ud7ff", "[]", "true", "\n"]
READ = ["/api/make/own/{}", "/api/make/drafts/{}", "/api/play/packs/{}", "/api/play/packs/own/{}"]
READ += ["/api/play/packs/{}/1", "/api/watch/choices/{}", "/api/watch/files/{}/1", "/api/watch/files/a/{}"]
READ += ["/api/studies/one/{}", "/api/studies/pages/{}/x", "/static/{}", "/{}"]


@pytest.mark.parametrize("path", READ)
def test_odd_words_in_addresses_are_refused(server: Server, path: str) -> None:
    from urllib.parse import quote

    for odd in ODD:
        status, _, body = server.ask("GET", path.format(quote(odd, safe="%")))
        assert status in (200, 307, 400, 404), (path, odd[:40], status, body[:200])


ODD_VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    2**31,
    2**53,
    2**63,
    10**19,
    10**400,
    1e300,
    "",
    "x" * 300,
    "\0",
    "\ud800",
]
ODD_VALUES += [
    "\U0001f600",
    [],
    [[]],
    [None],
    [2**63],
    {},
    {"kind": "nonogram"},
    "9" * 20,
    [[0, 2**70]],
    "n1pUlSWIdmdA",
]
FIELDS = {
    "play/do": {"pack": "heart", "puzzle": "52", "do": "move", "version": 0, "seconds": 0, "changes": [[0, 0]]},
    "make/draft": draft("odd", [0], version=0, id=None),
    "make/discard": {"draft": "odd"},
    "make/save": {"puzzle": DOT, "cells": [0], "id": None, "goal": None, "draft": ""},
    "make/delete": {"id": 10**9},
    "make/booklet": {"ids": [10**9], "paper": "A4", "title": ""},
    "make/share": {"puzzle": DOT, "cells": [0]},
    "make/formats": {"puzzle": DOT, "cells": [0]},
    "make/analyse": {"puzzle": DOT, "cells": [0]},
    "studies/total": {"store": "x"},
    "studies/puzzle": {"store": "x", "key": "y"},
    "watch/run": {"puzzle": DOT, "lanes": []},
    "explain/steps": {"puzzle": DOT, "cells": None, "steps": 0},
}


@pytest.mark.slow
@pytest.mark.parametrize("path", spread(FIELDS, 2))
def test_odd_values_in_bodies_are_refused(server: Server, path: str) -> None:
    """Every field of a write, and every field of its puzzle, in turn as it should not be."""
    whole = {**FIELDS[path], "client": "odd", "number": 1}
    bodies = [{**whole, key: odd} for key in whole for odd in ODD_VALUES]
    if "puzzle" in whole and isinstance(whole["puzzle"], dict):
        shown = {**DOT, "title": "", "rows": [], "columns": []}
        bodies += [{**whole, "puzzle": {**shown, key: odd}} for key in shown for odd in ODD_VALUES]
    for body in bodies:
        status, answer = server.post(f"/api/{path}", body)
        assert status in (200, 400, 404, 409), (body, status, answer)


@pytest.mark.slow
def test_random_writes_from_several_pages_are_each_done_once(tmp_path: Path) -> None:
    """Answers that are lost at random, and sent again: each page's moves are all there, in order, none twice."""
    write_packs(tmp_path)
    server = Server(tmp_path)
    server.enter()
    try:
        chance = Rng(4)
        start = server.get("/api/play/packs/heart/53")["play"]
        server.post("/api/play/do", {"pack": "heart", "puzzle": "53", "do": "restart", "style": "free", "version": 0})
        sent = {"a": 0, "b": 0}
        version = start["version"] + 1
        for draw in chance.uniforms(60).tolist():
            page = "a" if draw < 0.5 else "b"
            again = (draw * 10) % 1 < 0.4 and sent[page] > 0
            sent[page] += 0 if again else 1
            cell = (sent[page] - 1) % 12 + (12 if page == "b" else 0)
            body = {"pack": "heart", "puzzle": "53", "do": "move", "changes": [[cell, 0]], "version": version}
            status, play = server.post("/api/play/do", {**body, "client": page, "number": sent[page]})
            assert status == 200
            assert play["version"] == version + (not again)
            version = play["version"]
    finally:
        server.close()


def test_a_nonogram_of_clues_alone_has_no_picture(app: Starlette) -> None:
    puzzle = Nonogram.from_lengths([[1]], [[1]])
    number = own.save(app.state.progress, puzzle, None)
    assert own.pictures(app.state.progress, [number]) == {}
