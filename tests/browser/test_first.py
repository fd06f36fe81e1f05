"""The first minute: what a page tells one who has never seen a nonogram, and what brings others back to a board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from boards import BOARD, CANVAS, click, drag, open_puzzle, settled, shown, until
from packs_made import HEART, write_packs
from serving import Server

Open = Callable[..., Any]
DAILY = [1, 1, 2, 1, 2, 3, 1, 1, 1, 3]
"""The runs of the rows of one day's puzzle."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    write_packs(tmp_path)
    found = Server(tmp_path)
    found.enter()
    yield found
    found.close()


def step(page: Any) -> str:
    return str(page.locator(".lesson p").first.inner_text())


def at_hand(page: Any, number: int) -> None:
    """Wait for a step of the lesson. What it says, the board and the tools are in the window at once."""
    page.wait_for_selector(f".lesson:has-text('Step {number} of 5')")
    until(page, f"{BOARD}?.view.x.length > 0")
    top = page.evaluate(f"{BOARD}.canvas.getBoundingClientRect().top + scrollY")
    page.tops = {top, *getattr(page, "tops", ())}
    assert len(page.tops) == 1  # the board stays where it is, whatever is said
    parts = "['.lesson', '.board', '.tools'].map((name) => document.querySelector(name).getBoundingClientRect().bottom)"
    assert page.evaluate(f"Math.max(...{parts}) + scrollY - innerHeight") <= 0


def test_the_first_nonogram_is_solved_by_the_hints_of_the_page(open_page: Open, server: Server) -> None:
    page = open_page()
    page.locator(".welcome").filter(has_text="each number says how many cells of its line are filled").wait_for()
    page.get_by_role("link", name="Learn it in half a minute").click()
    at_hand(page, 1)
    assert page.locator("h1").text_content() == "No. 1"
    assert step(page) == "Step 1 of 5"
    assert page.evaluate(f"{BOARD}.lines") == [["row", 2]]
    click(page, 0, 2)  # not what it says
    page.wait_for_selector(
        ".lesson:has-text('Not quite: row 1, column 3 stays blank. Choose Fill and press on it again')"
    )
    click(page, 0, 2)
    drag(page, (2, 0), (2, 4))
    at_hand(page, 2)
    page.get_by_role("button", name="Show me").click()
    until(page, f"{BOARD}.outline.size === 11")
    for line in (((4, 0), (4, 4)), ((0, 0), (1, 0)), ((0, 4), (1, 4))):
        drag(page, *line)
    for column in (0, 4):
        click(page, 3, column)
    at_hand(page, 3)
    page.get_by_role("button", name="Mark", exact=True).click()
    drag(page, (0, 1), (0, 3))
    at_hand(page, 4)
    click(page, 1, 1)  # Mark is still chosen
    page.wait_for_selector(".lesson:has-text('Not quite: row 2, column 2 is to be filled. Press on it again')")
    click(page, 1, 1)
    at_hand(page, 4)
    page.get_by_role("button", name="Fill", exact=True).click()
    for column in (1, 3):
        click(page, 1, column)
    at_hand(page, 5)
    click(page, 3, 2)
    page.wait_for_selector(".finished figcaption:has-text('Kitten')")
    assert page.locator("h1").inner_text() == "Kitten"
    page.get_by_role("link", name="Choose a puzzle").click()
    page.wait_for_selector(".pack-card")
    assert page.locator(".welcome").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2])
def test_each_step_of_a_lesson_follows_from_those_before(server: Server, number: int) -> None:
    """Its cells have one value in every solution that has the cells so far, and all steps together solve the puzzle."""
    import nonosat
    from nonosat.app.packs import packs
    from nonosat.puzzles.puzzle import Given, derived

    packed = packs(server.data)["learn"].find(str(number))
    puzzle, width = packed.puzzle, packed.puzzle.shape[1]
    assert puzzle.goal is not None
    goal = puzzle.goal.cells.ravel()
    known: set[int] = set()
    for step in packed.lesson:
        given = [Given(cell // width, cell % width, int(goal[cell])) for cell in sorted(known)]
        own = [one for one in puzzle.given if one.row * width + one.column not in known]
        shared = nonosat.backbone(derived(puzzle, given=(*own, *given))).cells
        assert shared is not None
        assert all(shared.ravel()[cell] == goal[cell] for cell in step["cells"])
        known |= set(step["cells"])
    rest = [cell for cell, value in enumerate(goal) if value > 0 and cell not in known]
    assert all((one.row * width + one.column) in rest for one in puzzle.given)
    assert len(rest) == len(puzzle.given)


STREETS = [
    {(0, 0): 1, (0, 1): 2, (0, 2): 3, (0, 3): 4},
    {(3, 0): 4, (3, 1): 3, (3, 2): 2, (3, 3): 1},
    {(1, 0): 3, (2, 0): 2},
    {(2, 1): 1, (1, 2): 1, (1, 3): 2},
    {(2, 2): 4, (2, 3): 3},
]
"""The heights that each step of the second lesson speaks of."""


def test_the_first_skyscrapers_are_solved_by_the_hints_of_the_page(open_page: Open) -> None:
    page = open_page("#/play/learn/2")
    choose = page.locator(".pad").get_by_role("button")
    at_hand(page, 1)
    click(page, 0, 0)
    choose.filter(has_text="2").click()
    page.wait_for_selector(
        ".lesson:has-text('Not quite: row 1, column 1 has another height. Press on it and choose that')"
    )
    for number, heights in enumerate(STREETS, start=1):
        for cell, height in heights.items():
            click(page, *cell)
            choose.filter(has_text=str(height)).click()
        if number < len(STREETS):
            at_hand(page, number + 1)
    page.locator(".panel strong", has_text="Solved.").wait_for()


@pytest.mark.slow
def test_skyscrapers_are_learned_by_keys_too(open_page: Open) -> None:
    page = open_page("#/play/learn/2")
    at_hand(page, 1)
    page.focus(CANVAS)
    for height in "1234":
        page.keyboard.press(height)
        page.keyboard.press("ArrowRight")
    at_hand(page, 2)


@pytest.mark.slow
def test_a_board_under_way_is_offered_to_go_on_with(open_page: Open, server: Server) -> None:
    page = open_page()
    for puzzle in (3, 4, 5, 6):
        open_puzzle(page, server, "heart", puzzle, "free")
        click(page, 1, 1)
        settled(page)
    page.get_by_role("link", name="Play", exact=True).click()
    cards = page.locator("[data-last]")

    def offered() -> list[str | None]:
        cards.first.wait_for()
        return [cards.nth(at).get_attribute("data-last") for at in range(cards.count())]

    assert offered() == ["heart/6", "heart/5", "heart/4"]
    page.get_by_role("link", name="All that you began").click()
    page.wait_for_selector("h1:has-text('Begun')")
    assert offered() == ["heart/6", "heart/5", "heart/4", "heart/3"]
    assert cards.first.locator("h3").inner_text() == "Heart · No. 6"
    cards.first.click()
    page.wait_for_selector(CANVAS)
    assert shown(page)[1][1] == 1


@pytest.mark.slow
def test_a_title_is_hidden_until_its_puzzle_is_solved(open_page: Open, server: Server) -> None:
    page = open_page("#/play/heart")
    card = page.locator(".puzzle-card").first
    assert card.locator("h2").inner_text() == "No. 1"
    assert "easy · 5x5" in card.inner_text()
    card.click()
    page.wait_for_selector(CANVAS)
    until(page, f"{BOARD}.view.x.length > 0")
    assert "Heart" not in page.title() + page.locator(CANVAS).get_attribute("aria-label")
    for row, line in enumerate(HEART.tolist()):
        for column, value in enumerate(line):
            if value:
                click(page, row, column)
    page.wait_for_selector(".finished figcaption:has-text('Heart')")
    page.locator(".panel", has_text="Hardest step: a line whose open cells were all blank, or all filled (").wait_for(
        timeout=120_000
    )
    assert "Silver: any other way." in page.locator(".panel").inner_text()
    assert page.title() == "Heart · nonosat"
    page.get_by_role("link", name="Heart", exact=True).click()
    page.locator(".puzzle-card h2", has_text="Heart").wait_for()
    page.goto(f"{server.origin}/#/watch?pack=heart&puzzle=2")
    page.locator("select[aria-label=Puzzle] option").nth(1).wait_for(state="attached")
    assert page.locator("select[aria-label=Puzzle] option").all_inner_texts()[:2] == ["Heart · 5x5", "No. 2 · 5x5"]


@pytest.mark.parametrize("kind", ["Nonogram", "Skyscrapers"])
def test_a_new_puzzle_comes_as_it_is_wanted_and_another_like_it(open_page: Open, server: Server, kind: str) -> None:
    page = open_page("#/play")
    page.get_by_label("Kind").select_option(label=kind)
    page.get_by_label("Size").select_option(label="5x5")
    page.get_by_role("button", name="New puzzle").click()
    page.wait_for_selector(CANVAS, timeout=120_000)
    until(page, f"{BOARD}.view.x.length > 0")
    assert page.locator("h1").inner_text() == f"{kind} 5x5"
    assert page.evaluate(f"[{BOARD}.puzzle.height, {BOARD}.puzzle.width]") == [5, 5]
    address, before = page.url, page.evaluate(f"JSON.stringify({BOARD}.puzzle)")
    page.get_by_role("button", name="Mark" if kind == "Nonogram" else "Note", exact=True).click()
    click(page, 0, 0)
    page.keyboard.press("1")
    settled(page)
    page.reload()  # its name says how it is made
    page.wait_for_selector(CANVAS)
    until(page, f"{BOARD}.view.x.length > 0")
    assert page.evaluate(f"JSON.stringify({BOARD}.puzzle)") == before
    page.get_by_role("button", name="Another like this").click()
    until(page, f"location.href !== '{address}' && document.querySelector('.board') && {BOARD}.view.x.length > 0")
    until(page, f"JSON.stringify({BOARD}.puzzle) !== {before!r}")
    page.get_by_role("link", name="Play", exact=True).click()
    page.locator("[data-last^='new/']").first.wait_for()


@pytest.mark.slow
def test_a_new_puzzle_is_in_as_many_colours_as_are_wanted(open_page: Open) -> None:
    page = open_page("#/play")
    page.get_by_label("Kind").select_option(label="Skyscrapers")
    assert page.locator(".new").get_by_label("Colours").count() == 0
    page.get_by_label("Kind").select_option(label="Nonogram")
    page.locator(".new").get_by_label("Colours").select_option(label="3 colours")
    page.get_by_role("button", name="New puzzle").click()
    page.wait_for_selector(CANVAS, timeout=120_000)
    until(page, f"{BOARD}.puzzle.palette.length === 4")
    assert page.locator("h1").inner_text() == "Nonogram 10x10 in 3 colours"
    page.get_by_role("link", name="Play", exact=True).click()
    assert page.locator(".new").get_by_label("Colours").input_value() == "3"  # as it was wanted before


@pytest.mark.slow
@pytest.mark.chromium
def test_a_puzzle_that_is_less_hard_than_was_wanted_says_so_on_its_page(open_page: Open) -> None:
    page = open_page("#/play")
    found = {"name": "nonogram-5-60-blobs-7", "missed": "easy"}
    page.route("**/api/play/new", lambda route: route.fulfill(json=found))
    page.get_by_label("Difficulty").select_option("hard")
    page.get_by_role("button", name="New puzzle").click()
    page.wait_for_selector(CANVAS, timeout=120_000)
    until(page, f"{BOARD}.view.x.length > 0")
    assert page.locator("#notice").inner_text().endswith("none was found that is hard: this one is easy.")


@pytest.mark.slow
def test_the_puzzle_of_the_day_is_the_same_for_all(open_page: Open, server: Server) -> None:
    page = open_page("#/play")
    page.get_by_role("link", name="Puzzle of the day").click()
    page.wait_for_selector(CANVAS, timeout=120_000)
    assert page.locator("h1").inner_text().startswith("Puzzle of the day, ")
    path = "/api/play/packs/new/daily-2026-11-23"
    one, other = server.get(path), server.get(path)
    assert one["puzzle"] == other["puzzle"]
    assert [len(clue) for clue in one["puzzle"]["rows"]] == DAILY
    assert (one["label"], one["goal"] is not None) == ("easy", True)
    for name in ("daily-2026-02-30", "nonogram-99-60-blobs-1", "x"):
        assert server.ask("GET", f"/api/play/packs/new/{name}")[0] == 404
    for body in ({"kind": "nonogram", "size": 512}, {"kind": "chess", "size": 8}, {"like": "x"}):
        assert server.post("/api/play/new", body)[0] in (400, 404)


@pytest.mark.slow
def test_gestures_are_explained_on_touch_screens(open_page: Open, server: Server) -> None:
    page = open_page("#/play/heart/1", has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    page.locator("summary", has_text="Gestures").click()
    assert "Two fingers" in page.locator(".keys").first.inner_text()
