"""Nothing is lost: servers that are killed, two tabs, pages that hear late."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest
from boards import CANVAS, click, kept, open_puzzle, settled, shown
from packs_made import write_packs
from sampling import repeated
from serving import Server

from nonosat.app.database import SCHEMA, ProgressFile
from nonosat.errors import NonosatError
from nonosat.rng import Rng

Open = Callable[..., Any]


@pytest.fixture
def server(played: Server) -> Server:
    return played


def two_tabs(open_page: Open, server: Server, number: int, looks: bool = False) -> tuple[Any, Any]:
    """Two tabs on one puzzle in free play; ``looks``: the second may look by itself what the first one did."""
    one = open_page()
    two = open_page(context=one.context)
    open_puzzle(one, server, "heart", number, "free")
    open_puzzle(two, server, "heart", number)
    settled(two)
    if not looks:  # the browser may let it do so at any time
        two.evaluate("document.querySelector('.game').game.session.look = () => {}")
    return one, two


def test_two_tabs_on_one_puzzle_lose_nothing(open_page: Open, server: Server) -> None:
    one, two = two_tabs(open_page, server, 40)
    click(one, 0, 1)
    settled(one)
    assert shown(two)[0][1] == -1
    click(two, 2, 2)  # it does not know of the other's move: it is told, and its own is not taken
    two.wait_for_selector("#notice:has-text('another tab')")
    settled(two)
    assert shown(two)[0] == [-1, 1, -1, -1, -1]
    assert shown(two)[2] == [-1] * 5
    assert all("409" in complaint for complaint in two.complaints)  # Chromium reports it, Firefox does not
    two.complaints.clear()
    click(two, 2, 2)
    settled(two)
    one.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # it is looked at again
    one.wait_for_selector("#notice:has-text('another tab')")
    assert shown(one)[2] == [-1, -1, 1, -1, -1]
    assert kept(server, "heart", 40)["cells"] == [value for row in shown(one) for value in row]


def test_a_stroke_that_is_refused_is_told_as_it_is(open_page: Open, server: Server) -> None:
    one, two = two_tabs(open_page, server, 47)
    two.focus(CANVAS)
    click(one, 0, 1)
    settled(one)
    two.keyboard.press("Enter")
    two.wait_for_selector("#notice:has-text('another tab')")
    assert two.locator(".board-live").inner_text().startswith("Row 1, column 1: open.")
    two.complaints.clear()


def test_a_window_that_gets_the_focus_shows_what_another_did(open_page: Open, server: Server) -> None:
    one, two = two_tabs(open_page, server, 48, looks=True)
    click(one, 0, 1)
    settled(one)
    two.evaluate("window.dispatchEvent(new Event('focus'))")
    two.wait_for_selector("#notice:has-text('another tab')")
    assert shown(two)[0][1] == 1


def test_a_page_whose_server_is_gone_shows_it(open_page: Open, browser: Any, tmp_path: Path) -> None:
    write_packs(tmp_path)
    lost = Server(tmp_path)
    page = browser.new_context().new_page()
    page.goto(lost.url)
    page.wait_for_selector(".pack-card")
    open_puzzle(page, lost, "heart", 1)
    lost.kill()
    click(page, 1, 1)
    page.wait_for_selector("#away:has-text('does not answer')")
    page.wait_for_selector("#away:has-text('1 change')")
    page.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("kills", repeated(2, 4, 20))
def test_no_acknowledged_write_is_lost_by_kills(tmp_path: Path, kills: int) -> None:
    """Moves as fast as they go, and kill -9 at a moment drawn by chance: each time the board is as the last answer
    said, or one move further (it was kept, and the answer did not get through)."""
    write_packs(tmp_path)
    chance = Rng(20)
    done: list[int] = []
    for _ in range(kills):
        server = Server(tmp_path)
        server.enter()
        play = kept(server, "heart", 30)
        assert play["cells"] in (board(done), board([*done, len(done)])), "a move is lost"
        done = list(range(sum(value == 0 for value in play["cells"])))
        killer = threading.Timer(0.005 + 0.06 * float(chance.uniforms(1)[0]), server.process.kill)
        killer.start()
        if play["style"] == "lives":
            play = do(server, play, "restart", style="free")
        while play is not None and len(done) < 25:
            play = do(server, play, "move", changes=[[len(done), 0]])
            if play is not None:
                done.append(len(done))
        killer.join()
        server.kill()
        if len(done) == 25:
            done = []
            reset(tmp_path)
    with sqlite3.connect(tmp_path / "progress.sqlite") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def board(marked: list[int]) -> list[int]:
    return [0 if cell in marked else -1 for cell in range(25)]


def reset(data: Path) -> None:
    with sqlite3.connect(data / "progress.sqlite") as connection:
        connection.execute("DELETE FROM plays")
        connection.execute("DELETE FROM moves")
    connection.close()


def do(server: Server, play: Any, action: str, **more: Any) -> Any:
    """The answer, or None if the server was killed over it."""
    body = {"pack": "heart", "puzzle": "30", "do": action, "version": play["version"], **more}
    try:
        status, answer = server.post("/api/play/do", body)
    except (OSError, HTTPException):  # no answer, or half of one
        return None
    assert status == 200, answer
    return answer


@pytest.mark.slow
def test_undo_goes_back_through_all_kills(tmp_path: Path) -> None:
    write_packs(tmp_path)
    server = Server(tmp_path)
    server.enter()
    play = do(server, kept(server, "heart", 30), "restart", style="free")
    order = Rng(5).shuffled(25)
    for cell in order[:8]:
        play = do(server, play, "move", changes=[[cell, 0]])
    server.kill()
    server = Server(tmp_path)
    server.enter()
    play = kept(server, "heart", 30)
    for count in range(7, -1, -1):
        play = do(server, play, "undo")
        assert kept(server, "heart", 30)["cells"] == board(order[:count])
    assert play["undo"] is False
    for _ in range(8):
        play = do(server, play, "redo")
    assert kept(server, "heart", 30)["cells"] == board(order[:8])
    server.close()


MOVES: list[Any] = [[[0, 7]], [[0, -(2**40)]], [[25, 1]], [[-1, 1]], [[0]], [["0", 1]], [[0, 1.5]], [[0, True]]]
MOVES += [[], "x", None, [[0, 1, 2]], [None], [[0, 2]]]


@pytest.mark.parametrize("changes", MOVES, ids=range(len(MOVES)))
def test_moves_that_cannot_be_are_refused_and_change_nothing(server: Server, changes: Any) -> None:
    before = kept(server, "heart", 41)
    body = {"pack": "heart", "puzzle": "41", "do": "move", "version": before["version"], "changes": changes}
    status, answer = server.post("/api/play/do", body)
    assert status == 400
    assert "\n" not in answer["error"]
    assert kept(server, "heart", 41) == before


@pytest.mark.parametrize("more", [{"do": "fly"}, {"version": -1}, {"version": "0"}, {"seconds": -1}, {"seconds": "1"}])
def test_requests_that_cannot_be_are_refused(server: Server, more: dict[str, Any]) -> None:
    body = {"pack": "heart", "puzzle": "42", "do": "move", "version": 0, "changes": [[0, 0]], **more}
    assert server.post("/api/play/do", body)[0] == 400


def test_moves_at_once_are_taken_one_after_the_other(server: Server) -> None:
    """Thirty threads with the same version: one is taken, the others are told how it is now."""
    play = kept(server, "heart", 43)
    body = {"pack": "heart", "puzzle": "43", "do": "move", "version": play["version"]}
    answers: list[int] = []

    def one(cell: int) -> None:
        answers.append(server.post("/api/play/do", {**body, "changes": [[cell, 0]]})[0])

    threads = [threading.Thread(target=one, args=(cell % 25,)) for cell in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200] + [409] * 29
    assert sum(value == 0 for value in kept(server, "heart", 43)["cells"]) == 1


def test_a_database_of_another_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "progress.sqlite"
    ProgressFile(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(NonosatError, match="made by another nonosat"):
        ProgressFile(path)
    assert path.read_bytes() == before
    junk = tmp_path / "junk.sqlite"
    junk.write_bytes(b"x" * 5000)
    with pytest.raises(NonosatError, match="not a database"):
        ProgressFile(junk)


def test_a_late_answer_takes_no_newer_cell_back(open_page: Open, server: Server) -> None:
    """Three keys, each before the server has answered the one before."""
    page = open_page()
    open_puzzle(page, server, "heart", 44, "free")
    page.route("**/api/play/do", lambda route: (page.wait_for_timeout(60), route.continue_()))
    page.focus(CANVAS)
    seen = []
    for _ in range(5):
        page.keyboard.press("Enter")
        page.wait_for_timeout(25)
        seen.append(shown(page)[0][0])
    assert seen == [1, 0, -1, 1, 0]
    settled(page)
    assert shown(page)[0][0] == 0
    assert kept(server, "heart", 44)["cells"][0] == 0
    page.unroute_all(behavior="wait")
