"""What Wałejko's app (2022) has in its place *play*, feature by feature, by the numbers of the thesis' table."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from boards import BOARD, CANVAS, HeldRequests, click, drag, filled, kept, open_puzzle, place, settled, shown, until
from packs_made import FLAG, HEART, LIVES
from serving import Server
from strays import settled as happens

from nonosat.app.database import SCHEMA

Open = Callable[..., Any]


@pytest.fixture
def server(played: Server) -> Server:
    return played


def solve(server: Server, pack: str, puzzle: int, goal: Any, style: str = "lives") -> None:
    """Solve a puzzle without a page."""
    ask(server, pack, puzzle, "restart", style=style)
    cells = np.asarray(goal).ravel()
    ask(server, pack, puzzle, "move", changes=[[cell, int(cells[cell])] for cell in np.flatnonzero(cells).tolist()])


def ask(server: Server, pack: str, puzzle: int, action: str, **more: Any) -> Any:
    version = kept(server, pack, puzzle)["version"]
    body = {"pack": pack, "puzzle": str(puzzle), "do": action, "version": version, **more}
    status, answer = server.post("/api/play/do", body)
    assert status == 200, answer
    return answer


def test_feature_01_play_opens_first(open_page: Open) -> None:
    page = open_page()
    page.wait_for_selector(".pack-card")
    assert page.locator("h1").inner_text() == "Play"
    page.get_by_role("link", name="Watch", exact=True).click()  # the solver
    page.locator(f".lane {CANVAS}").wait_for()
    assert page.title() == "Watch · nonosat"
    page.get_by_role("link", name="Play", exact=True).click()
    page.wait_for_selector(".pack-card")


@pytest.mark.slow
@pytest.mark.chromium
def test_what_takes_long_is_told(open_page: Open, server: Server) -> None:
    """Requests are held until their answer is asked for."""
    page = open_page()
    page.wait_for_selector(".pack-card")
    held = HeldRequests(page, re.compile("/api/(play/packs/.*/30|make/read|explain/steps)$"))
    page.get_by_role("button", name="Paste a puzzle…").click()
    page.get_by_label("Text of a puzzle").fill("no puzzle")
    page.get_by_role("button", name="Open").click()
    page.locator("dialog [role=status]", has_text="One moment").wait_for()
    held.let_go()
    page.locator("dialog [role=alert]").wait_for()
    assert page.locator("dialog [role=status]").is_hidden()
    page.get_by_role("button", name="Cancel").click()
    page.goto(f"{server.origin}/#/play/heart/30")
    page.get_by_text("Opening …").wait_for()
    held.let_go()
    page.wait_for_selector(CANVAS)
    assert page.get_by_text("Opening …").is_hidden()
    page.get_by_role("button", name="Hint").click()
    settled(page)  # it is kept that a hint was asked for
    page.get_by_text("A step is looked for").wait_for()
    held.let_go()
    page.locator(".sentence").wait_for()
    assert page.get_by_text("A step is looked for").count() == 0
    page.complaints.clear()


@pytest.mark.slow
@pytest.mark.parametrize("height", [700, 850, 1000])
def test_a_board_fills_the_window_without_a_scrollbar(open_page: Open, server: Server, height: int) -> None:
    page = open_page(viewport={"width": 1280, "height": height})
    for pack, puzzle in (("learn", 1), ("heart", 29)):
        open_puzzle(page, server, pack, puzzle)
        page.locator(".panel .buttons").first.wait_for()
        assert page.evaluate("document.documentElement.scrollHeight") == height


def test_feature_02_a_pack_card_has_name_icon_and_percentage(open_page: Open, server: Server) -> None:
    solve(server, "dog", 4, dog_goal())
    page = open_page()
    card = page.locator('[data-pack="dog"]')
    assert card.locator("h3").inner_text() == "Dog"
    assert card.locator("canvas.pack-icon").count() == 1
    assert card.inner_text().splitlines()[-1] == "25 % · 1 of 4"
    card.click()
    page.wait_for_selector(".puzzle-card")
    assert page.locator(".puzzle-card").count() == 4


def dog_goal() -> Any:
    from packs_made import dog

    goal = dog().goal
    assert goal is not None
    return goal.cells


def test_feature_03_cards_are_grey_silver_and_gold(open_page: Open, server: Server) -> None:
    solve(server, "heart", 2, HEART)
    ask(server, "heart", 3, "move", changes=[[0, 1]])
    ask(server, "heart", 3, "move", changes=[[2, 1]])
    assert ask(server, "heart", 3, "move", changes=[[4, 1]])["lost"] is True
    solve(server, "heart", 3, HEART)
    ask(server, "heart", 4, "move", changes=[[1, 1]])
    page = open_page("#/play/heart")
    page.wait_for_selector(".puzzle-card")
    cards = page.locator(".puzzle-card")
    assert [cards.nth(at).get_attribute("data-won") for at in range(1, 5)] == ["gold", "silver", "none", "none"]
    assert [cards.nth(at).locator(".state").inner_text() for at in range(1, 5)] == [
        "solved: gold",
        "solved: silver",
        "begun: 6 %",
        "not begun",
    ]
    assert [cards.nth(at).locator(".dot.started").count() for at in range(3, 5)] == [1, 0]


def test_feature_04_the_board_zooms(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "dog", 1)
    fitted = page.evaluate(f"{BOARD}.view.cell")
    page.get_by_label("Zoom in").click()
    page.get_by_label("Zoom in").click()
    larger = page.evaluate(f"{BOARD}.view.cell")
    assert larger > 1.3 * fitted
    page.get_by_label("Fit the board").click()
    assert page.evaluate(f"{BOARD}.view.cell") == fitted
    # the wheel zooms about the pointer: the cell under it stays there
    page.mouse.move(*place(page, 7, 6))
    before = place(page, 7, 6)
    for _ in range(6):
        page.mouse.wheel(0, -100)
    until(page, f"{BOARD}.view.cell > {1.2 * fitted}")
    settled(page)
    after = place(page, 7, 6)
    assert max(abs(before[0] - after[0]), abs(before[1] - after[1])) < page.evaluate(f"{BOARD}.view.cell")
    click(page, 7, 6)
    settled(page)
    assert shown(page)[7][6] >= 0


@pytest.mark.slow
def test_a_board_too_small_for_clues_says_so(open_page: Open, server: Server) -> None:
    page = open_page(viewport={"width": 390, "height": 844})
    open_puzzle(page, server, "pictures", 18)  # 64x64
    assert "Zoom in" in page.locator(".board-readout").inner_text()
    for _ in range(3):
        page.get_by_label("Zoom in").click()
    assert page.locator(".board-readout").inner_text() == ""
    assert page.evaluate(f"{BOARD}.view.x.before") > 0


def test_feature_05_uncover_and_mark(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 6)
    click(page, 0, 1)
    settled(page)
    assert shown(page)[0] == [-1, 1, -1, -1, -1]
    page.get_by_role("button", name="Mark").click()
    click(page, 0, 0)
    settled(page)
    assert shown(page)[0][0] == 0
    click(page, 0, 0)  # marking takes marks away
    settled(page)
    assert shown(page)[0][0] == -1
    page.get_by_role("button", name="Uncover").click()
    click(page, 0, 2)
    settled(page)
    play = kept(server, "heart", 6)
    assert (play["lives"], play["wrong"]) == (LIVES - 1, [2])
    assert page.get_by_text(f"2 of {LIVES} lives").is_visible()
    assert (
        page.locator(".board-live")
        .inner_text()
        .startswith(f"A life is lost: 2 of {LIVES} left. Row 1, column 3: an error.")
    )
    assert page.evaluate(f"[...{BOARD}.wrong]") == [2]
    click(page, 0, 2)
    click(page, 0, 2, "right")
    page.keyboard.press("Control+z")
    settled(page)
    assert kept(server, "heart", 6)["wrong"] == [2]  # it cannot be taken back
    assert kept(server, "heart", 6)["lives"] == LIVES - 1


@pytest.mark.slow
def test_with_lives_a_mark_protects_its_cell_and_says_so(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 9, "lives")
    click(page, 0, 1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.keyboard.press("Control+ArrowLeft")  # fills the marked cell, which is blank, and the one that is filled
    settled(page)
    assert shown(page)[0][:3] == [-1, 1, 0]
    assert kept(server, "heart", 9)["lives"] == LIVES
    readout = page.locator(".board-readout")
    click(page, 0, 2)
    assert "the mark protects it" in readout.inner_text()
    page.mouse.move(5, 5)
    page.keyboard.press("Enter")
    assert "the mark protects it" in readout.inner_text()
    page.keyboard.press("Space")  # marks no more
    page.keyboard.press("Enter")
    settled(page)
    assert kept(server, "heart", 9)["lives"] == LIVES - 1
    assert "the cell shows what it is" in page.locator("#notice").inner_text()


@pytest.mark.slow
def test_an_error_is_red(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 7)
    click(page, 0, 0)
    settled(page)
    x, y = place(page, 0, 0)
    page.mouse.move(5, 5)
    settled(page)
    pixel = page.evaluate(
        f"""([x, y]) => {{
            const {{ canvas }} = {BOARD};
            const {{ left, top }} = canvas.getBoundingClientRect();
            return [...canvas.getContext("2d").getImageData(x - left, y - top, 1, 1).data];
        }}""",
        [x, y],
    )
    assert pixel[0] - max(pixel[1:3]) > 100


def test_feature_06_a_swipe_takes_its_operation_from_the_first_cell(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 8, "free")
    page.get_by_role("button", name="Mark").click()
    drag(page, (0, 0), (0, 2))
    settled(page)
    assert shown(page)[0] == [0, 0, 0, -1, -1]
    drag(page, (0, 1), (0, 4))  # on a marked cell it only takes marks away
    settled(page)
    assert shown(page)[0] == [0, -1, -1, -1, -1]
    drag(page, (0, 4), (0, 0))  # on an open one it only marks
    settled(page)
    assert shown(page)[0] == [0, 0, 0, 0, 0]


def test_feature_06_the_second_cell_locks_the_line(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 9, "free")
    drag(page, (1, 0), (1, 1), (3, 3), (4, 4))  # off the line: projected on it
    settled(page)
    assert shown(page) == [[-1] * 5, [1] * 5, [-1] * 5, [-1] * 5, [-1] * 5]
    drag(page, (2, 2), (3, 2), (4, 0), (6, 4))  # down, and beyond the board
    settled(page)
    assert [row[2] for row in shown(page)] == [-1, 1, 1, 1, 1]
    assert [row[0] for row in shown(page)] == [-1, 1, -1, -1, -1]


@pytest.mark.slow
def test_an_error_ends_the_swipe(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 10)
    drag(page, (3, 1), (3, 4))
    settled(page)
    assert shown(page)[3] == [-1, 1, 1, 1, 0]
    assert kept(server, "heart", 10)["lives"] == LIVES - 1
    drag(page, (4, 0), (4, 4))
    settled(page)
    assert shown(page)[4] == [0, -1, -1, -1, -1]
    assert kept(server, "heart", 10)["lives"] == LIVES - 2


@pytest.mark.slow
def test_undo_says_that_an_error_stays(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 28)
    assert page.locator(".panel").get_by_text(f"{LIVES} lives. An error costs one.").is_visible()
    click(page, 2, 2)
    click(page, 0, 0)
    settled(page)
    page.get_by_role("button", name="Undo").click()
    settled(page)
    assert page.locator(".panel").get_by_text(f"{LIVES - 1} of {LIVES} lives. An error costs one.").is_visible()
    assert "An error cannot be undone" in page.locator("#notice").inner_text()
    assert (shown(page)[2][2], kept(server, "heart", 28)["lives"]) == (1, LIVES - 1)
    page.get_by_role("button", name="Undo").click()
    settled(page)
    assert shown(page)[2][2] == -1


@pytest.mark.slow
def test_feature_07_too_many_errors_begin_the_game_anew(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 11)
    click(page, 1, 1)
    for column in (0, 2, 4):
        click(page, 0, column)
        settled(page)
    assert "starts anew" in page.locator("#notice").inner_text()
    assert page.evaluate(f"[...{BOARD}.outline]") == [[4, "wrong"]]  # the last of them
    assert shown(page) == [[-1] * 5] * 5
    play = kept(server, "heart", 11)
    assert (play["lives"], play["wrong"], play["undo"], play["state"]) == (LIVES, [], False, "untouched")
    solve(server, "heart", 11, HEART)
    assert kept(server, "heart", 11)["won"] == "silver"


def test_feature_08_what_is_played_is_there_again(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 12)
    click(page, 1, 1)
    click(page, 1, 3)
    settled(page)
    page.goto(f"{server.origin}/#/play")
    page.wait_for_selector(".pack-card")
    open_puzzle(page, server, "heart", 12)
    assert shown(page)[1] == [-1, 1, -1, 1, -1]
    assert page.get_by_role("button", name="Undo").is_enabled()
    page.keyboard.press("Control+z")
    settled(page)
    assert shown(page)[1] == [-1, 1, -1, -1, -1]
    page.reload()
    page.wait_for_selector(CANVAS)
    page.keyboard.press("Control+y")
    settled(page)
    assert shown(page)[1] == [-1, 1, -1, 1, -1]


def test_feature_09_it_is_kept_in_sqlite(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 13)
    click(page, 0, 1)
    settled(page)
    with sqlite3.connect(server.data / "progress.sqlite") as connection:
        [(style, state, lives, won)] = connection.execute(
            "SELECT style, state, lives, won FROM plays WHERE pack = 'heart' AND puzzle = '13'"
        ).fetchall()
        moves = connection.execute("SELECT changes FROM moves WHERE pack = 'heart' AND puzzle = '13'").fetchall()
        assert len(moves) == 1
        assert (style, state, lives, won) == ("lives", "playing", LIVES, "")
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
    connection.close()


@pytest.mark.slow
def test_the_clock_runs_and_is_kept(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 14)
    click(page, 1, 1)
    until(page, "document.querySelector('.clock').textContent !== '0:00'")
    page.get_by_role("link", name="Play", exact=True).click()
    assert happens(lambda: kept(server, "heart", 14)["seconds"] >= 1)


def test_feature_14_packs_that_come_along_are_unique_and_labelled(server: Server) -> None:
    """The smaller ones, by SAT; `tests/test_packs.py` proves all of them, and what their labels say."""
    import nonosat
    from nonosat.app.packs import packs

    for pack in packs(server.data / "nothing").values():
        for packed in pack.puzzles:
            assert packed.label, (pack.name, packed.name)
            if max(packed.puzzle.shape) <= 10:
                answer = nonosat.solve(packed.puzzle, unique=True)
                assert (answer.verdict, answer.unique) == ("SAT", True), (pack.name, packed.name)
                assert answer.picture == packed.puzzle.goal


def test_feature_15_a_solved_puzzle_shows_its_colours(open_page: Open, server: Server) -> None:
    page = open_page(reduced_motion="reduce")  # else the picture comes cell by cell
    open_puzzle(page, server, "heart", 1)
    for row, column in filled(HEART):
        click(page, row, column)
    page.wait_for_selector(".finished canvas")
    assert "Solved" in page.locator(".panel").inner_text()
    assert colours(page, ".finished canvas") == {"255,255,255", "204,34,68"}
    page.goto(f"{server.origin}/#/play/heart")
    page.wait_for_selector(".face canvas")
    assert page.locator(".puzzle-card").first.get_attribute("data-won") == "gold"


def colours(page: Any, selector: str) -> set[str]:
    found = page.evaluate(
        """(selector) => {
            const canvas = document.querySelector(selector);
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            return Array.from({ length: data.length / 4 }, (_, at) => [...data.slice(4 * at, 4 * at + 3)].join());
        }""",
        selector,
    )
    return set(found)


@pytest.mark.slow
def test_feature_15_with_several_colours(open_page: Open, server: Server) -> None:
    page = open_page(reduced_motion="reduce")
    open_puzzle(page, server, "flag", 1)
    for colour in (1, 2, 3):
        page.get_by_label(f"Colour {colour}").click()
        for row, column in filled(colour == FLAG):
            click(page, row, column)
    page.wait_for_selector(".finished canvas")
    assert len(colours(page, ".finished canvas")) == 4
    assert kept(server, "flag", 1)["won"] == "gold"
    page.wait_for_load_state("networkidle")  # what comes later is there: the link is not made anew under the click
    page.get_by_role("link", name="Next puzzle").click()
    page.wait_for_selector(CANVAS)
    assert page.url.endswith("#/play/flag/2")


@pytest.mark.slow
def test_the_wrong_colour_is_an_error(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "flag", 2)
    page.get_by_label("Colour 2").click()
    click(page, 0, 0)
    settled(page)
    assert shown(page)[0][0] == 1  # what it is
    assert kept(server, "flag", 2)["lives"] == LIVES - 1
