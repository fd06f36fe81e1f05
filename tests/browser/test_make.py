"""Make in a browser: Wałejko's entry of puzzles by the numbers of the thesis' table, and what others have beside."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from boards import BOARD, CANVAS, HeldRequests, click, drag, refill, shown, until, visit
from packs_made import HEART, TOWERS
from PIL import Image
from serving import Server

import nonosat
from nonosat.puzzles.formats import dumps, load, loads
from nonosat.puzzles.formats.share import shared
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.skyscrapers import Skyscrapers

Open = Callable[..., Any]
EXAMPLES = Path(__file__).parents[2] / "examples"
NARROW = {"width": 390, "height": 844}


@pytest.fixture
def server(played: Server) -> Server:
    return played


def entered(open_page: Open, place: str = "#/make", **options: Any) -> Any:
    """Make, with its board and what is said of it."""
    page = open_page(place, **options)
    page.wait_for_selector(CANVAS)
    until(page, f"{BOARD}.view.x.length > 0")
    said(page)
    return page


def said(page: Any) -> str:
    """What the light says, when nothing is asked any more."""
    page.wait_for_selector(".light[data-verdict][data-busy=false]")
    return page.locator(".light strong").inner_text()


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def save(page: Any, title: str) -> int:
    page.get_by_label("Title").fill(title)
    press(page, "Save")
    page.wait_for_url("**/#/make/own/*")
    return int(page.url.rpartition("/")[2])


def test_feature_10_a_list_of_predefined_and_entered_puzzles_deleted_after_a_question(open_page: Open) -> None:
    page = entered(open_page)
    click(page, 0, 0)
    said(page)
    number = save(page, "Dot")
    page.get_by_role("link", name="My puzzles").click()
    row = page.locator(f"[data-own='{number}']")
    assert re.match(r"Dot\s+10x10 · nonogram · \d{4}-\d\d-\d\d", row.inner_text())
    page.locator("summary", has_text="Dog").click()
    predefined = page.get_by_role("link", name="No. 1")
    assert "10x10" in page.locator("li", has=predefined).inner_text()
    row.get_by_label("Delete Dot").click()
    assert "Delete “Dot”?" in page.locator("dialog").inner_text()
    press(page, "Cancel")
    assert row.count() == 1
    row.get_by_label("Delete Dot").click()
    page.locator("dialog button.primary").click()
    row.wait_for(state="detached")
    page.reload()
    page.wait_for_selector("summary")
    assert page.locator(f"[data-own='{number}']").count() == 0
    page.locator("summary", has_text="Dog").click()
    predefined.click()
    page.wait_for_selector(CANVAS)
    assert page.get_by_label("Title").input_value() == "Dog"


@pytest.mark.slow
def test_ones_own_puzzle_is_played(open_page: Open, server: Server) -> None:
    page = entered(open_page)
    for cell in ((0, 0), (0, 1), (1, 0)):
        click(page, *cell)
    said(page)
    number = save(page, "Corner")
    page.get_by_role("link", name="My puzzles").click()
    page.locator(f"[data-own='{number}']").get_by_label("Play Corner").click()
    page.wait_for_selector(".game .lives")
    for cell in ((0, 0), (0, 1), (1, 0)):
        click(page, *cell)
    page.wait_for_selector(".finished")
    assert server.get(f"/api/play/packs/own/{number}")["play"]["won"] == "gold"
    page.get_by_role("link", name="Explain it").click()
    page.locator(".steps li").first.wait_for(timeout=120_000)
    assert page.get_by_label("Pack").input_value() == "own"
    page.evaluate("location.hash = '#/play'")  # the page writes to its address itself, which Firefox lets ``goto`` miss
    page.locator("[data-pack=own]").click()
    card = page.locator(f"[href='#/play/own/{number}']")
    assert card.get_attribute("data-won") == "gold"
    assert card.locator("h2").inner_text() == "Corner"
    page.evaluate(f"location.hash = '#/play/own/{number}'")
    press(page, "Play again")
    page.wait_for_selector(".game .lives")
    page.wait_for_load_state("networkidle")  # the page may look by itself, and would say so before the click
    server.post("/api/make/delete", {"id": number})
    click(page, 0, 0)  # deleted meanwhile: told, and nothing breaks
    until(page, "document.querySelector('#notice').textContent.includes('not here any more')")
    page.complaints.clear()


def test_feature_11_clues_are_entered_number_by_number(open_page: Open, server: Server) -> None:
    page = entered(open_page)
    for side in ("Rows", "Columns"):
        refill(page.get_by_label(side, exact=True), "2")
    press(page, "Resize")
    press(page, "Type clues")
    empty = page.locator(".entry input")
    assert [empty.nth(at).get_attribute("placeholder") for at in range(empty.count())] == ["0"] * 4
    press(page, "Add a row")
    assert page.locator("section[aria-label=Rows] li").count() == 3
    page.get_by_label("Row 1", exact=True).focus()
    page.keyboard.type("2\n1\n\n")  # Enter goes to the next line, and behind the rows to the columns
    page.keyboard.type("2\n1\n")
    assert said(page).startswith("Solvable by lines")
    assert shown(page) == [[1, 1], [1, 0], [0, 0]]
    page.get_by_label("Row 1", exact=True).focus()
    page.keyboard.press("Tab")  # goes to the next line, not to what removes this one
    assert page.get_by_label("Row 2", exact=True).evaluate("(field) => field === document.activeElement")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+Delete")
    said(page)
    assert shown(page) == [[1, 1], [1, 0]]
    press(page, "Undo")
    said(page)
    press(page, "Remove row 3")
    said(page)
    assert shown(page) == [[1, 1], [1, 0]]
    refill(page.get_by_label("Row 2", exact=True), "1 1")
    page.keyboard.press("Enter")
    assert said(page) == "Not a puzzle"  # 1 and 1 do not fit into two cells
    assert "row 2: runs 1 1 need 3 cells" in page.locator(".light p").inner_text()
    assert page.get_by_label("Row 2", exact=True).get_attribute("aria-invalid") == "true"
    for wrong in ("one", "2a", "99999999"):
        refill(page.get_by_label("Row 2", exact=True), wrong)
        page.keyboard.press("Enter")
        page.wait_for_selector(".light:has-text('Row 2 is no clue')")
        assert said(page) == "Not a puzzle"
        assert page.locator(".light p").inner_text().startswith("Row 2 is no clue")
    refill(page.get_by_label("Row 1", exact=True), "1")
    page.keyboard.press("Tab")
    assert page.locator(".light p").inner_text().startswith("Row 2 is no clue")  # it stays, and says so
    assert page.get_by_label("Row 2", exact=True).input_value() == "99999999"
    refill(page.get_by_label("Row 1", exact=True), "2")
    refill(page.get_by_label("Row 2", exact=True), "1, 0")  # 0 is no number of cells
    page.keyboard.press("Tab")
    assert said(page).startswith("Solvable by lines")
    number = save(page, "Corner")
    assert server.get(f"/api/make/own/{number}")["puzzle"]["rows"] == [[[2, 1]], [[1, 1]]]


def test_a_drawing_has_clues_and_a_light_that_follows(open_page: Open) -> None:
    page = entered(open_page)
    assert said(page).startswith("Solvable by lines")
    click(page, 0, 0)
    click(page, 1, 1)
    assert said(page) == "2 solutions"
    assert "4 cells differ" in page.locator(".light p").inner_text()
    drag(page, (4, 2), (4, 6))
    assert shown(page)[4][2:7] == [1] * 5
    click(page, 0, 1)
    assert said(page).startswith("Solvable by lines")
    page.keyboard.press("Control+z")
    assert said(page) == "6 solutions"  # two of the dots for each place of the five
    assert shown(page)[0][:2] == [1, 0]
    press(page, "Redo")
    assert shown(page)[0][:2] == [1, 1]
    press(page, "Clear")
    assert sum(map(sum, shown(page))) == 0


def test_heat_differences_and_a_repair_are_on_the_board(open_page: Open) -> None:
    page = entered(open_page)
    for cell in ((0, 0), (1, 1), (4, 4), (5, 4)):
        click(page, *cell)
    assert "solutions" in said(page)
    heat = page.evaluate(f"{BOARD}.heat")
    assert max(share or 0 for share in heat) > 0
    press(page, "Differences")
    assert page.evaluate(f"{BOARD}.heat") is None
    assert page.evaluate(f"[...{BOARD}.outline.keys()].length") >= 4
    press(page, "Make unique")
    page.locator("#notice", has_text="changed").wait_for()
    assert said(page).startswith(("Solvable by lines", "Unique"))
    assert set(page.evaluate(f"[...{BOARD}.outline.values()]")) == {"settled"}  # what was changed, and nothing differs
    page.keyboard.press("Control+z")
    assert "solutions" in said(page)


@pytest.mark.slow
def test_the_line_below_the_board_has_the_clues_of_what_is_drawn(open_page: Open) -> None:
    page = entered(open_page)
    click(page, 2, 3)
    said(page)
    assert page.locator(".board-readout").inner_text() == "Row 3: 1 · Column 4: 1"
    page.locator(CANVAS).focus()
    page.keyboard.press("Enter")
    assert page.locator(".board-live").inner_text().endswith("Row 3: 0 · Column 4: 0")


@pytest.mark.slow
def test_all_numbers_of_a_drawings_clues_are_in_sight(open_page: Open) -> None:
    page = entered(open_page, "#/make/new")
    room = f"""(() => {{
        const {{ face, face: {{ wide }}, view: {{ x, y, cell }} }} = {BOARD};
        return [x.before / face.font(cell) / wide, y.before / face.font(cell) / 1.3].map(Math.floor);
    }})()"""
    assert page.evaluate(room) == [3, 3]
    for at in (0, 2, 4, 6, 8):
        click(page, 1, at)
        click(page, at, 7)
    assert page.evaluate(room) == [5, 5]
    assert page.evaluate(f"{BOARD}.view.fitted && {BOARD}.view.x.edge(10) <= {BOARD}.view.x.length")
    click(page, 1, 4)
    assert page.evaluate(room) == [5, 5]  # the board does not move back


@pytest.mark.slow
def test_heat_is_full_or_framed_where_one_cell_makes_it_unique(open_page: Open) -> None:
    puzzle = nonosat.random_density(10, 10, 0.5, seed=5)
    page = entered(open_page, f"#/make/{shared(Nonogram(puzzle.rows, puzzle.columns))}")
    press(page, "Draw")
    said(page)
    drawn = Nonogram.from_picture(shown(page))
    heat, framed = page.evaluate(f"[{BOARD}.heat, [...{BOARD}.outline.keys()]]")
    unique = []
    for cell in range(100):
        cells = drawn.goal.cells.copy()
        cells[divmod(cell, 10)] ^= 1
        if nonosat.solve(Nonogram.from_picture(cells), unique=True).unique:
            unique.append(cell)
    assert 0 < len(unique) < 100
    assert [cell for cell in range(100) if heat[cell] >= 0.8] == unique
    assert sorted(framed) == unique
    assert f"{len(unique)} single cells would make it unique" in page.locator(".light p").inner_text()
    page.get_by_text("Framed: a change of this cell alone").wait_for()
    press(page, "Differences")
    page.get_by_text("Framed: solutions differ in this cell.").wait_for()


def test_skyscrapers_are_made_of_clues_and_given_heights(open_page: Open) -> None:
    page = entered(open_page)
    page.get_by_role("link", name="New Skyscrapers").click()
    refill(page.get_by_label("Size"), "3")
    press(page, "Resize")
    assert said(page) == "Several solutions"
    for edge, clues in {"top": [2, 3, 1], "left": [2, 1, 2]}.items():
        for index, clue in enumerate(clues, start=1):
            refill(page.get_by_label(f"{edge} {index}", exact=True), str(clue))
            page.keyboard.press("Tab")
    assert said(page).startswith("Unique")
    assert shown(page) == [[2, 1, 3], [3, 2, 1], [1, 3, 2]]  # what follows from the clues
    typed = page.get_by_label("top 1", exact=True)
    refill(typed, "1")  # and the field is not left
    until(page, f"{BOARD}.puzzle.clues.top[0] === 1")
    refill(typed, "2")
    until(page, f"{BOARD}.puzzle.clues.top[0] === 2")
    refill(typed, "9")  # while another field is typed into, what cannot be read stays
    refill(page.get_by_label("top 2", exact=True), "")
    page.keyboard.press("Delete")
    until(page, f"{BOARD}.puzzle.clues.top[1] === 0")
    assert typed.input_value() == "9"
    refill(typed, "2")
    refill(page.get_by_label("top 2", exact=True), "3")
    until(page, f"String({BOARD}.puzzle.clues.top) === '2,3,1'")
    refill(typed, "9")  # no line of three shows nine
    page.keyboard.press("Tab")
    assert said(page) == "Not a puzzle"
    assert "nobody sees 9 of 3 towers" in page.locator(".light").inner_text()
    assert page.get_by_label("top 1", exact=True).get_attribute("aria-invalid") == "true"
    refill(page.get_by_label("top 2", exact=True), "2")  # the others are still taken
    page.keyboard.press("Tab")
    assert said(page) == "Not a puzzle"
    refill(page.get_by_label("top 2", exact=True), "3")
    page.keyboard.press("Tab")
    press(page, "Undo")  # nothing came of the nine
    assert page.evaluate(f"{BOARD}.puzzle.clues.top") == [2, 2, 1]
    press(page, "Redo")
    refill(page.get_by_label("top 1", exact=True), "")
    page.keyboard.press("Delete")
    page.keyboard.press("Tab")
    assert said(page).startswith("Unique")
    assert page.evaluate(f"{BOARD}.puzzle.clues.top") == [0, 3, 1]
    page.locator(CANVAS).focus()
    for key, given in (("3", [[0, 0, 3]]), ("3", []), ("2", [[0, 0, 2]]), ("Backspace", [])):
        page.keyboard.press(key)
        said(page)
        assert page.evaluate(f"{BOARD}.puzzle.given") == given
    page.locator(".pad").get_by_role("button", name="2").click()
    said(page)
    number = save(page, "Made towers")
    kept = page.evaluate("(number) => fetch(`/api/make/own/${number}`).then((found) => found.json())", number)
    assert kept["puzzle"]["clues"] == {"top": [0, 3, 1], "bottom": [0] * 3, "left": [2, 1, 2], "right": [0] * 3}
    assert kept["puzzle"]["given"] == [[0, 0, 2]]
    page.goto(f"{page.url.partition('#')[0]}#/play/own/{number}")
    page.wait_for_selector(".game .lives")


@pytest.mark.slow
def test_game_ids_of_simon_tathams_programs_are_pasted(open_page: Open) -> None:
    page = entered(open_page)
    for text, width, kind, told in (
        ("3x2:1/1/1/1.1/1", 3, "nonogram", "Solvable by lines"),
        ("4dh:/3//1/2////2////1//3/2,f4i", 4, "skyscrapers", "Several solutions"),
    ):
        press(page, "Paste text…")
        page.get_by_label("Text of a puzzle").fill(text)
        page.locator("dialog button.primary").click()
        until(page, f"{BOARD}?.puzzle.width === {width}")
        assert page.evaluate(f"{BOARD}.puzzle.kind") == kind
        assert said(page).startswith(told)


def test_a_drawing_is_pasted_and_a_dialog_ends_with_its_page(open_page: Open) -> None:
    page = entered(open_page)
    press(page, "Paste text…")
    page.get_by_label("Text of a puzzle").fill(".##.\n####\n")
    page.locator("dialog button.primary").click()
    until(page, f"{BOARD}?.puzzle.width === 4")
    assert shown(page) == [[0, 1, 1, 0], [1, 1, 1, 1]]
    press(page, "Paste text…")
    page.evaluate("location.hash = '#/studies'")
    page.locator("h1", has_text="Studies").wait_for()
    assert page.locator("dialog").count() == 0


@pytest.mark.slow
def test_colours_are_added_drawn_and_exported(open_page: Open, browser: Any) -> None:
    page = entered(open_page)
    click(page, 0, 0)
    page.get_by_label("Add a colour").click()
    until(page, f"{BOARD}.puzzle.palette.length === 3")
    click(page, 0, 1)
    said(page)
    assert shown(page)[0][:3] == [1, 2, 0]
    page.get_by_label("File format").select_option("json")
    [puzzle] = loads(browser.downloaded(page, lambda: press(page, "Export")).read_text(), "json")
    page.get_by_label("File format").select_option("pattern")
    press(page, "Export")
    page.wait_for_selector("#notice:has-text('pattern')")
    held = HeldRequests(page, "**/api/make/booklet")

    def printed() -> None:
        press(page, "Print (PDF)")
        page.locator("button:disabled", has_text="Print (PDF) …").wait_for()
        held.let_go()

    browser.downloaded(page, printed)
    until(
        page,
        "[...document.querySelectorAll('button')].some((one) => one.textContent === 'Print (PDF)' && !one.disabled)",
    )
    assert all("400" in complaint for complaint in page.complaints)  # no error of the page
    page.complaints.clear()
    assert puzzle.rows[0] == ((1, 1), (1, 2))


CODE = """() => {
    const { width } = document.querySelector(".code");
    const { data } = document.querySelector(".code").getContext("2d").getImageData(0, 0, width, width);
    const dark = (x, y) => data[4 * (y * width + x)] === 0;
    return Array.from({ length: width }, (_, y) => Array.from({ length: width }, (_, x) => dark(x, y)));
}"""
ENCODED = """async (text) => (await import("/static/vendored/uqr.js")).encode(text, { border: 4 }).data"""


@pytest.mark.slow
def test_a_text_is_shared_and_pasted_in_play(open_page: Open, server: Server) -> None:
    puzzle = load(EXAMPLES / "heart.mk")
    page = entered(open_page, f"#/make/{shared(puzzle)}")
    assert said(page).startswith("Solvable by lines")
    press(page, "Share")
    page.locator(".link").wait_for()
    text = page.locator(".link").input_value()
    assert text.startswith("n1")
    [again] = loads(text, "share")
    assert (again.rows, again.columns) == (puzzle.rows, puzzle.columns)
    assert page.evaluate(CODE) == page.evaluate(ENCODED, text)
    page.get_by_label("Title").fill("Another")
    page.locator(".link").wait_for(state="hidden")  # it was of the puzzle before
    visit(page, f"{server.origin}/#/play")
    page.wait_for_selector(".pack-card")
    paste(page, text)
    page.wait_for_url("**/#/play/own/*")
    page.wait_for_selector(".game .lives")
    assert page.evaluate(f"{BOARD}.puzzle.rows") == [[list(run) for run in clue] for clue in puzzle.rows]
    address = page.url
    visit(page, f"{server.origin}/#/play")
    page.wait_for_selector(".pack-card")
    paste(page, text)
    page.wait_for_url(address)  # it is not kept twice
    page.locator("#notice", has_text="among yours already").wait_for()


def paste(page: Any, text: str) -> None:
    """Paste a text on the page."""
    page.evaluate(
        """(text) => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", text);
            const firefoxs = { data: text, dataType: "text/plain" };
            document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, ...firefoxs, bubbles: true }));
        }""",
        text,
    )


@pytest.mark.slow
def test_a_draft_of_skyscrapers_is_shown_by_its_clues(open_page: Open) -> None:
    page = entered(open_page)
    towers = Skyscrapers.from_heights(TOWERS.tolist(), "Four streets")
    paste(page, dumps(replace(towers, goal=None), "json"))
    until(page, f"{BOARD}.puzzle.size === 4 && location.hash.includes('/draft/')")
    page.get_by_role("link", name="My puzzles").click()
    drawn = page.locator("li", has_text="Four streets").locator("canvas").first
    drawn.wait_for()
    shades = """(canvas) => {
        const { width, height } = canvas;
        const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
        const from = (row, column) => 4 * (row * width + column);
        const shade = (row, column) => [...data.slice(from(row, column), from(row, column) + 4)].join();
        return [width, height, new Set([1, 2, 3, 4].map((at) => shade(0, at))).size, shade(0, 0), shade(2, 2)];
    }"""
    width, height, clues, corner, inside = drawn.evaluate(shades)
    assert (width, height, clues) == (6, 6, len(set(towers.top)))
    assert corner == inside == "0,0,0,0"


@pytest.mark.slow
def test_what_is_pasted_again_is_the_draft_that_is_there(open_page: Open) -> None:
    page = entered(open_page)
    text = (EXAMPLES / "heart.mk").read_text()
    paste(page, text)
    until(page, f"{BOARD}.puzzle.height === {load(EXAMPLES / 'heart.mk').height} && location.hash.includes('/draft/')")
    address = page.url
    paste(page, "#.\n.#")
    until(page, f"{BOARD}.puzzle.height === 2 && location.href !== '{address}'")
    paste(page, text)
    page.wait_for_url(address)
    page.locator("#notice", has_text="one of your drafts already").wait_for()


@pytest.mark.parametrize("kind", ["nonogram", "skyscrapers"])
def test_a_shared_page_is_played_without_a_server(open_page: Open, browser: Any, kind: str) -> None:
    pack = {"nonogram": "heart", "skyscrapers": "towers"}[kind]
    page = entered(open_page, f"#/make/pack/{pack}/1")
    press(page, "Share")
    path = browser.downloaded(page, lambda: press(page, "Page to play offline"))
    assert path.stat().st_size < 100_000
    context = browser.new_context(offline=True)
    alone = context.new_page()
    faults: list[str] = []
    alone.on("console", lambda heard: faults.append(heard.text))
    alone.on("pageerror", lambda error: faults.append(str(error)))
    alone.goto(path.as_uri())
    until(alone, f"document.querySelector('.board') && {BOARD}.view.x.length > 0")
    assert "Heart" not in alone.locator("h1").inner_text()
    goal = (HEART if kind == "nonogram" else TOWERS).tolist()
    cells = [(row, column) for row, line in enumerate(goal) for column, value in enumerate(line) if value]
    for row, column in cells[:-1]:
        click(alone, row, column)
        if kind == "skyscrapers":
            alone.keyboard.press(str(goal[row][column]))
    alone.get_by_role("button", name="Start anew").click()
    alone.keyboard.press("Control+z")  # wherever the focus is
    alone.reload()  # what was played is kept
    until(alone, f"document.querySelector('.board') && {BOARD}.view.x.length > 0")
    assert alone.get_by_role("button", name="Undo").is_enabled()
    beside = context.new_page()
    beside.goto(path.as_uri())
    until(beside, f"document.querySelector('.board') && {BOARD}.view.x.length > 0")
    beside.get_by_role("button", name="Undo").click()
    alone.get_by_text("played on in another window").wait_for()
    beside.close()
    alone.get_by_role("button", name="Redo").click()
    alone.get_by_role("button", name="Undo").click()
    for row, column in cells[-2:]:
        click(alone, row, column)
        if kind == "skyscrapers":
            alone.get_by_role("button", name=str(goal[row][column]), exact=True).click()
    alone.locator("[role=status]").filter(has_text="Solved").wait_for()
    assert alone.locator("h1").inner_text() == {"nonogram": "Heart", "skyscrapers": "Towers"}[kind]
    assert faults == []
    context.close()


def test_a_text_is_pasted_and_a_wrong_one_refused(open_page: Open) -> None:
    page = entered(open_page)
    press(page, "Paste text…")
    page.get_by_label("Text of a puzzle").fill("n1wrong")
    press(page, "Open")
    page.wait_for_selector("dialog [role=alert]:not(:empty)")
    assert "the string is damaged" in page.locator("dialog [role=alert]").inner_text()
    page.complaints.clear()
    page.get_by_label("Text of a puzzle").fill(dumps(nonosat.load(EXAMPLES / "towers.sky"), "sky"))
    press(page, "Open")
    until(page, f"{BOARD}.puzzle.kind === 'skyscrapers'")
    assert said(page).startswith("Unique")


def test_an_image_is_previewed_and_used(open_page: Open, tmp_path: Path) -> None:
    page = entered(open_page)
    press(page, "Image…")
    page.locator("input[type=file]").set_input_files(EXAMPLES / "pictures" / "20-cherries.png")
    page.wait_for_selector(".preview canvas[width='20'][aria-label='The puzzle, 20x20']")  # a cell a pixel
    refill(page.get_by_label("Cells of the longer side"), "15")
    page.wait_for_selector(".preview canvas[width='15']")
    refill(page.get_by_label("Cells of the longer side"), "500")
    page.wait_for_selector(".preview canvas[width='100']")
    assert page.get_by_label("Cells of the longer side").input_value() == "100"  # as many as there may be
    (tmp_path / "none.png").write_bytes(b"no image")
    page.locator("input[type=file]").set_input_files(tmp_path / "none.png")
    page.get_by_text("That image cannot be read.").wait_for()
    page.complaints.clear()  # the server could not read it either
    assert not page.locator("dialog", has_text="Solvable by lines").count()
    page.locator("input[type=file]").set_input_files(EXAMPLES / "pictures" / "20-cherries.png")
    page.wait_for_selector(".preview canvas[width='20']")  # as many cells as it has pixels
    assert page.get_by_label("Cells of the longer side").input_value() == "20"
    press(page, "Use it")
    until(page, f"{BOARD}.puzzle.width === 20")
    assert said(page) == "2 solutions"
    expected = load_cherries()
    assert shown(page) == expected


def test_an_image_that_browsers_do_not_read_is_used(open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "hook.pbm").write_text("P1\n3 4\n1 1 1\n0 0 1\n0 0 1\n1 1 1\n")
    page = entered(open_page)
    press(page, "Image…")
    page.locator("input[type=file]").set_input_files(tmp_path / "hook.pbm")
    page.wait_for_selector(".preview canvas[width='3'][aria-label='The puzzle, 4x3']")
    press(page, "Use it")
    until(page, f"{BOARD}.puzzle.width === 3")
    assert shown(page) == [[1, 1, 1], [0, 0, 1], [0, 0, 1], [1, 1, 1]]


@pytest.mark.slow
def test_solve_shows_how_the_draft_is_solved(open_page: Open) -> None:
    page = entered(open_page)
    click(page, 0, 0)
    said(page)
    press(page, "Solve")
    page.locator(".lane-status", has_text="One solution, and no other").wait_for(timeout=120_000)
    assert "race=" in page.url


@pytest.mark.slow
def test_what_is_typed_or_chosen_while_an_image_is_read_stays(open_page: Open, tmp_path: Path) -> None:
    for name, lines in {"first": ("1 1 1 1 1 1", "0 0 1 1 0 0"), "second": ("1 1 0 0 1 1", "0 0 1 1 1 1")}.items():
        rows = "".join(f"{line}\n{line}\n" for line in lines)
        (tmp_path / f"{name}.pbm").write_text(f"P1\n6 4\n{rows}")
    page = entered(open_page)
    held = HeldRequests(page, "**/api/make/bitmap")
    press(page, "Image…")
    for number, name in enumerate(("first", "second")):
        page.locator("input[type=file]").set_input_files(tmp_path / f"{name}.pbm")
        assert held[number]
    refill(page.get_by_label("Cells of the longer side"), "3")
    held[1].continue_()
    page.wait_for_selector(".preview canvas[width='3'][aria-label='The puzzle, 2x3']")
    with page.expect_response("**/api/make/bitmap"):
        held[0].continue_()
    press(page, "Use it")
    until(page, f"{BOARD}.puzzle.width === 3")
    assert shown(page) == [[1, 0, 1], [0, 1, 1]]


def load_cherries() -> list[list[int]]:
    from nonosat.puzzles.nonogram.images import load_image

    cells: list[list[int]] = load_image(EXAMPLES / "pictures" / "20-cherries.png").cells.tolist()
    return cells


@pytest.mark.slow
def test_an_image_has_a_blank_colour_and_its_dialog_no_scrollbar(open_page: Open, tmp_path: Path) -> None:
    sun = Image.new("RGB", (20, 20), "#3366cc")
    sun.paste("#ffdd22", (5, 5, 15, 15))
    sun.save(tmp_path / "sun.png")
    page = entered(open_page, viewport={"width": 1280, "height": 850})
    press(page, "Image…")
    page.locator("input[type=file]").set_input_files(tmp_path / "sun.png")
    page.wait_for_selector(".preview canvas")
    told = page.locator("label", has_text="Colours").locator("output")
    assert told.inner_text() == "1"
    refill(page.get_by_label("Cells of the longer side"), "20")
    page.locator("dialog [type=range][aria-label=Colours]").press("ArrowRight")
    assert told.inner_text() == "2"
    blank = page.get_by_label("Blank colour")
    blank.locator("[value='#3366cc']").wait_for(state="attached")  # the sun is the lightest, and blank
    held = HeldRequests(page, "**/api/make/image")
    blank.select_option("#3366cc")
    assert held[0]
    assert page.get_by_role("button", name="Use it").is_disabled()  # until what it takes is there
    held.let_go()
    held.end()
    page.locator(".outcome strong").wait_for()
    assert page.locator("dialog").evaluate("({ scrollHeight, clientHeight }) => scrollHeight - clientHeight") == 0
    press(page, "Use it")
    until(page, f"{BOARD}.puzzle.palette.at(-1) === '#ffdd22'")
    assert [shown(page)[row][row] for row in (0, 10)] == [0, 1]


@pytest.mark.slow
def test_a_drawing_is_exported_as_an_image(open_page: Open, browser: Any) -> None:
    page = entered(open_page)
    drag(page, (2, 2), (2, 6))
    said(page)
    page.get_by_label("File format").select_option("png")
    path = browser.downloaded(page, lambda: press(page, "Export"))
    with Image.open(path) as image:
        dark = image.convert("L").histogram()[0]
        assert image.format == "PNG"
    assert dark > 100


@pytest.mark.slow
def test_feature_14_packed_puzzles_are_judged(open_page: Open, server: Server) -> None:
    for pack, told in (("first", "Solvable by lines"), ("garden", "Solvable by lines"), ("village", "Unique")):
        page = entered(open_page, f"#/make/pack/{pack}/1")
        assert said(page).startswith(told), pack


@pytest.mark.slow
def test_print_gives_a_pdf(open_page: Open, browser: Any) -> None:
    page = entered(open_page)
    click(page, 2, 2)
    page.get_by_label("Title").fill("A dot")
    page.get_by_label("Paper").select_option("Letter")
    path = browser.downloaded(page, lambda: press(page, "Print (PDF)"))
    assert path.name == "A dot.pdf"
    assert path.read_bytes().startswith(b"%PDF-")


@pytest.mark.slow
def test_a_large_drawing_is_judged_in_time(open_page: Open) -> None:
    puzzle = nonosat.random_density(25, 25, 0.55, seed=3)
    page = entered(open_page, f"#/make/{shared(Nonogram(puzzle.rows, puzzle.columns))}")
    press(page, "Draw")
    said(page)
    for column in range(10):  # how long that takes is measured by benchmarks/editing.py
        before = shown(page)[12][column]
        click(page, 12, column)
        assert said(page) != "Not a puzzle"
        assert shown(page)[12][column] == 1 - before


@pytest.mark.slow
def test_make_fits_a_narrow_page(open_page: Open) -> None:
    page = entered(open_page, viewport=NARROW)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    press(page, "Type clues")
    said(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    press(page, "Image…")
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


@pytest.mark.slow
def test_drawing_by_keyboard_alone(open_page: Open) -> None:
    page = entered(open_page)
    page.locator(CANVAS).focus()
    for key in ("Enter", "Control+ArrowRight", "Control+ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    said(page)
    assert shown(page)[0][:4] == [1, 1, 1, 0]
    assert shown(page)[1][2] == 1


DROP = """([where, name, text]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name));
    const dropped = (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
    const place = document.querySelector(where);
    return [dropped("dragover"), dropped("drop")].map((event) => !place.dispatchEvent(event));
}"""
"""A file dropped at a place: whether the page takes it, or the browser leaves the page for it."""


@pytest.mark.slow
def test_a_file_may_be_dropped_anywhere_and_undo_brings_back_what_was_there(open_page: Open) -> None:
    page = entered(open_page)
    click(page, 2, 3)
    said(page)
    before = shown(page)
    assert page.evaluate(DROP, ["header", "junk.mk", "junk"]) == [True, True]
    page.locator("#notice").filter(has_text="no format that we know").wait_for()
    assert shown(page) == before
    assert page.evaluate(DROP, ["header", "small.mk", "2 2\n1\n1\n#\n1\n1\n"]) == [True, True]
    page.get_by_role("button", name="Add a row", exact=True).wait_for()
    assert said(page) == "2 solutions"
    press(page, "Undo")
    said(page)
    assert shown(page) == before
    press(page, "Redo")
    assert said(page) == "2 solutions"
    page.get_by_label("Row 1", exact=True).fill("2")
    page.keyboard.press("Enter")
    assert said(page) == "No solution"
    press(page, "Undo")
    assert said(page) == "2 solutions"
    page.complaints.clear()  # of the file that is no puzzle


@pytest.mark.slow
def test_undo_goes_back_to_the_draft_that_was_there_before(open_page: Open) -> None:
    page = entered(open_page)
    click(page, 2, 3)
    said(page)
    first = page.url
    assert "/draft/" in first
    assert page.evaluate(DROP, ["header", "other.mk", "2 3\n1\n1\n#\n1\n1\n0\n"]) == [True, True]
    page.get_by_role("button", name="Add a row", exact=True).wait_for()
    assert said(page) == "2 solutions"
    second = page.url
    assert second != first
    press(page, "Undo")
    said(page)
    assert page.url == first
    click(page, 2, 4)
    press(page, "Save")
    page.get_by_text("Saved among your puzzles.").wait_for()
    saved = page.url
    press(page, "Undo")  # changes what was saved
    press(page, "Save")
    page.get_by_text("Saved.", exact=True).wait_for()
    assert page.url == saved
    page.get_by_role("link", name="My puzzles").click()
    page.locator(f"[data-own='{saved.split('/')[-1]}'] canvas").wait_for()
    places = [page.locator(f"[data-draft='{url.split('/')[-1]}']") for url in (first, second)]
    assert [place.count() for place in places] == [0, 1]
    places[1].get_by_role("link").click()
    page.get_by_role("button", name="Add a row", exact=True).wait_for()
    assert said(page) == "2 solutions"


@pytest.mark.slow
def test_a_clue_that_cannot_be_read_is_neither_saved_nor_forgotten(open_page: Open) -> None:
    page = entered(open_page, "#/make/new")
    press(page, "Type clues")
    refill(page.get_by_label("Row 5", exact=True), "2")
    page.keyboard.press("Tab")
    until(page, "location.hash.startsWith('#/make/draft/')")
    page.get_by_label("Row 6", exact=True).fill("3")
    page.reload()  # at once: it was not left, and no pause was made
    page.get_by_label("Row 6", exact=True).wait_for()
    assert page.get_by_label("Row 6", exact=True).input_value() == "3"
    refill(page.get_by_label("Row 6", exact=True), "4 x")
    page.keyboard.press("Tab")
    for name, said_so in (("Save", "Not saved: Row 6 is no clue"), ("Draw", "Not drawn: Row 6 is no clue")):
        press(page, name)
        page.locator("#notice").filter(has_text=said_so).wait_for()
    assert page.get_by_label("Row 6", exact=True).input_value() == "4 x"


@pytest.mark.slow
def test_what_is_new_and_not_changed_is_no_draft(open_page: Open) -> None:
    page = entered(open_page, "#/make/new")
    drafts = "fetch('/api/make/drafts').then((answer) => answer.json()).then((drafts) => drafts.length)"
    before = page.evaluate(drafts)
    press(page, "Type clues")
    page.locator(".entry").wait_for()
    page.get_by_role("link", name="New Skyscrapers").click()
    page.get_by_label("Size").wait_for()
    assert said(page) == "Several solutions"
    page.reload()
    page.get_by_label("Size").wait_for()
    assert said(page) == "Several solutions"
    assert page.evaluate(f"{BOARD}.puzzle.kind") == "skyscrapers"
    page.get_by_role("link", name="My puzzles").click()
    page.get_by_role("heading", name="My puzzles").wait_for()
    assert page.evaluate(drafts) == before


@pytest.mark.slow
def test_clues_begin_with_those_of_the_drawing_as_it_is(open_page: Open) -> None:
    page = entered(open_page)
    for cell in ((0, 0), (0, 1), (0, 3), (2, 3)):
        click(page, *cell)
    press(page, "Type clues")  # at once: nobody has said yet what the drawing is
    assert page.get_by_label("Row 1", exact=True).input_value() == "2 1"
    said(page)
    assert page.evaluate(f"{BOARD}.face.known('rows', 1).state.done") == []  # clues at work are not crossed out
    assert page.get_by_label("Column 4", exact=True).input_value() == "1 1"


MANY = ((0, 0), (1, 1), (2, 2), (2, 3), (2, 4), (3, 5), (4, 4))  # several solutions, of which another is found


@pytest.mark.slow
def test_who_looks_at_the_clues_comes_back_to_the_same_drawing(open_page: Open, server: Server) -> None:
    page = entered(open_page)
    for cell in MANY:
        click(page, *cell)
    assert said(page) == "40 solutions"
    drawn = shown(page)
    number = save(page, "Halfway")
    press(page, "Type clues")
    said(page)
    page.reload()
    page.wait_for_selector(CANVAS)
    said(page)
    press(page, "Draw")
    said(page)
    assert shown(page) == drawn
    press(page, "Save")
    page.wait_for_selector("#notice:has-text('Saved')")
    assert server.get(f"/api/make/own/{number}")["cells"] == [value for row in drawn for value in row]
    press(page, "Type clues")
    page.get_by_label("Row 1", exact=True).fill("2")
    page.keyboard.press("Enter")
    said(page)
    press(page, "Draw")
    assert shown(page) != drawn  # it is of other clues now


@pytest.mark.slow
def test_typed_clues_without_a_solution_are_not_drawn_over(open_page: Open) -> None:
    page = entered(open_page)
    press(page, "Type clues")
    said(page)
    page.get_by_label("Row 1", exact=True).fill("3")
    page.keyboard.press("Enter")
    said(page)
    press(page, "Draw")
    page.wait_for_selector("#notice:has-text('No solution of these clues is known')")
    assert page.get_by_label("Row 1", exact=True).input_value() == "3"
    assert page.locator(".light").evaluate("(light) => light.getBoundingClientRect().top >= 0")
    page.locator("[label='Columns'], section[aria-label=Columns]").get_by_label("Column 10", exact=True).focus()
    assert page.locator(".light").evaluate(
        "(light) => light.getBoundingClientRect().top >= 0"
    )  # what it says is in sight


@pytest.mark.slow
def test_what_is_drawn_while_a_repair_is_made_stays(open_page: Open) -> None:
    page = entered(open_page)
    for cell in MANY:
        click(page, *cell)
    said(page)
    held = HeldRequests(page, "**/api/make/repair")
    press(page, "Make unique")
    page.wait_for_selector(".light:has-text('Repairing')")
    assert page.get_by_role("button", name="Make unique").is_disabled()
    click(page, 8, 8)
    drawn = shown(page)
    held.let_go()
    page.wait_for_selector("#notice:has-text('changed meanwhile')")
    assert shown(page) == drawn
    held.end()
    press(page, "Make unique")
    page.wait_for_selector("#notice:has-text('changed.')")
    said(page)
    assert shown(page) != drawn


PASTE_INTO = """(field, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const firefoxs = { data: text, dataType: "text/plain" };
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, ...firefoxs, bubbles: true, cancelable: true }));
}"""


@pytest.mark.slow
def test_a_column_of_clues_is_pasted_and_taken_back_whole(open_page: Open) -> None:
    page = entered(open_page)
    press(page, "Type clues")
    said(page)
    page.get_by_label("Row 9", exact=True).evaluate(PASTE_INTO, "1 1\n2\n\n3 1\n")
    said(page)
    rows = [page.get_by_label(f"Row {row}", exact=True).input_value() for row in (8, 9, 10, 11, 12)]
    assert rows == ["", "1 1", "2", "", "3 1"]  # two lines more than there were
    assert page.get_by_label("Row 12", exact=True).evaluate("(field) => field === document.activeElement")
    press(page, "Undo")
    said(page)
    assert page.locator("section[aria-label=Rows] li").count() == 10
    assert page.get_by_label("Row 9", exact=True).input_value() == ""


def test_what_is_typed_is_taken_though_its_field_is_not_left(open_page: Open) -> None:
    page = entered(open_page)
    press(page, "Type clues")
    said(page)
    field = page.get_by_label("Row 1", exact=True)
    field.focus()
    page.keyboard.type("3 ")
    until(page, f"String({BOARD}.puzzle.rows[0]) === '3,1'")
    assert field.input_value() == "3 "  # as it is typed, until it is left
    page.keyboard.type("1")
    until(page, f"String({BOARD}.puzzle.rows[0]) === '3,1,1,1'")
    page.reload()
    page.wait_for_selector(CANVAS)
    said(page)
    assert page.get_by_label("Row 1", exact=True).input_value() == "3 1"


@pytest.mark.slow
def test_a_saved_puzzle_that_is_looked_at_is_no_draft(open_page: Open) -> None:
    page = entered(open_page)
    click(page, 0, 0)
    said(page)
    number = save(page, "Dot")
    visit(page, page.url.partition("#")[0] + f"#/make/own/{number}")
    page.wait_for_selector(CANVAS)
    said(page)
    for way in ("Type clues", "Draw"):
        press(page, way)
        said(page)
        assert page.url.endswith(f"#/make/own/{number}")
    click(page, 1, 1)
    until(page, "location.hash.startsWith('#/make/draft/')")


@pytest.mark.slow
def test_colours_are_on_light_paper_in_the_dark(open_page: Open) -> None:
    page = entered(open_page, "#/make/pack/flag/1", color_scheme="dark")
    assert page.evaluate(f"{BOARD}.sheet.theme.paper") == "#fbfaf7"
    visit(page, page.url.partition("#")[0] + "#/play/dog/1")
    page.wait_for_selector(CANVAS)
    until(page, f"{BOARD}.sheet.theme.paper === '#191a1b'")


@pytest.mark.slow
def test_clues_in_colours_have_letters(open_page: Open, server: Server) -> None:
    page = entered(open_page, "#/make/pack/flag/1")
    press(page, "Type clues")
    said(page)
    first = page.get_by_label("Row 1", exact=True)
    assert first.input_value() == "1a 2b"
    assert "3a 1b" in page.locator(".entry > p").inner_text()
    first.press("End")  # the ring of the focus stays inside the list, which cuts what is outside
    assert page.evaluate("getComputedStyle(document.activeElement).outlineOffset") == "-2px"
    first.fill("1a 1c 2b")
    page.keyboard.press("Enter")
    until(page, f"String({BOARD}.puzzle.rows[0]) === '1,1,1,3,2,2'")
    first.fill("1d")  # there are three colours
    page.keyboard.press("Enter")
    page.wait_for_selector(".light:has-text('a letter from a to c')")
    page.complaints.clear()
