"""Nothing is lost on a page: servers that go and come again, disks that are full, drafts, and puzzles that are huge."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from boards import BOARD, CANVAS, click, entered, filled, open_puzzle, place, refill, shown, until, visit
from packs_made import write_packs
from sampling import RARE, spread
from serving import Server

import nonosat
from nonosat.puzzles.formats import dumps
from nonosat.puzzles.nonogram import Nonogram
from nonosat.rng import Rng

Open = Callable[..., Any]
JUDGED = ".light[data-verdict][data-busy=false]"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    write_packs(tmp_path)
    found = Server(tmp_path)
    found.enter()
    yield found
    found.close()


def again(server: Server) -> Server:
    """Another server at the same address and with the same data, and with another token."""
    return Server(server.data, "--port", str(server.port))


def told(page: Any, path: str) -> Any:
    """What the server of the page answers to it."""
    return page.evaluate("(path) => fetch(path).then((answer) => answer.json())", path)


def sent(page: Any) -> None:
    """Wait until nothing waits in the browser."""
    until(page, "!Object.keys(localStorage).some((key) => key.startsWith('nonosat/out/'))")


def retry(page: Any) -> None:
    """Try now; the page may have done so by itself just before, and then there is no such button any more."""
    page.evaluate("[...document.querySelectorAll('#away button')].forEach((each) => each.click())")


def make(open_page: Open, place: str = "#/make", **more: Any) -> Any:
    page = open_page(place, **more)
    page.wait_for_selector(CANVAS)
    until(page, f"{BOARD}.view.x.length > 0")
    page.wait_for_selector(JUDGED)
    return page


@pytest.fixture
def at_heart(open_page: Open, server: Server) -> Any:
    return heart(open_page, server)


def heart(open_page: Open, server: Server, **more: Any) -> Any:
    page = open_page(**more)
    open_puzzle(page, server, "heart", 1, "free")
    return page


def test_moves_wait_for_the_server_and_are_sent_to_the_next_one(at_heart: Any, server: Server) -> None:
    page = at_heart
    click(page, 0, 0)
    sent(page)
    server.kill()
    for cell in ((1, 1), (2, 2), (3, 3)):
        click(page, *cell)
    page.wait_for_selector("#away:has-text('does not answer'):has-text('3 changes')")
    page.get_by_role("button", name="Undo").click()  # nobody knows what was before
    page.wait_for_selector("#notice:has-text('needs the server')")
    assert shown(page)[3][3] == 1
    other = again(server)
    try:
        retry(page)
        page.wait_for_selector("#away:has-text('started anew')")
        click(page, 4, 4)
        page.wait_for_selector("#away:has-text('4 changes')")
        entering = page.context.new_page()
        entering.goto(other.url)
        entering.wait_for_selector(".pack-card")
        retry(page)
        page.wait_for_selector("#away", state="hidden")
        sent(page)
        play = told(page, "/api/play/packs/heart/1")["play"]
        assert [cell for cell, value in enumerate(play["cells"]) if value == 1] == [0, 6, 12, 18, 24]
        assert play["cells"] == [value for row in shown(page) for value in row]
        page.get_by_role("button", name="Undo").click()
        until(page, f"{BOARD}.cells[24] === -1")
        until(page, f"{BOARD}.cells[18] === 1")
    finally:
        page.complaints.clear()
        other.close()


def test_the_board_stays_under_the_pointer_when_the_server_goes_and_comes(at_heart: Any, server: Server) -> None:
    page = at_heart
    aimed = [place(page, cell, cell) for cell in range(3)]
    server.kill()
    page.mouse.click(*aimed[0])
    page.wait_for_selector("#away:has-text('1 change')")
    page.mouse.click(*aimed[1])
    other = again(server)
    try:
        page.context.new_page().goto(other.url)
        retry(page)
        page.wait_for_selector("#away", state="hidden")
        page.mouse.click(*aimed[2])
        sent(page)
        cells = told(page, "/api/play/packs/heart/1")["play"]["cells"]
        assert [cell for cell, value in enumerate(cells) if value == 1] == [0, 6, 12]
    finally:
        page.complaints.clear()
        other.close()


def test_a_page_stays_with_its_address_while_no_other_can_come(open_page: Open, server: Server) -> None:
    """Make was never loaded, Play was; the bar that says so lies over neither the links nor the board."""
    page = heart(open_page, server, viewport={"width": 1280, "height": 720})
    address, at = page.url, place(page, 1, 1)
    server.kill()
    page.get_by_role("link", name="Make", exact=True).click()
    page.wait_for_selector(
        "#notice:has-text('This page stays, with all that is done on it: the server does not answer.')"
    )
    page.wait_for_selector("#away:has-text('does not answer')")
    assert (page.url, place(page, 1, 1)) == (address, at)
    click(page, 1, 1)
    page.wait_for_selector("#away:has-text('1 change')")
    page.get_by_role("link", name="Play", exact=True).click()
    until(page, f"location.href === '{address}'")
    page.go_back()
    assert (page.url, shown(page)[1][1]) == (address, 1)
    assert page.locator("nav [aria-current]").inner_text() == "Play"
    assert page.locator("[role=alert]").count() == 0
    assert all("CONNECTION_REFUSED" in complaint for complaint in page.complaints)  # and no error of the page
    page.complaints.clear()


@pytest.mark.parametrize("width", [1280, 1000, 390])
def test_the_bar_of_a_server_that_is_gone_covers_no_link(open_page: Open, server: Server, width: int) -> None:
    page = heart(open_page, server, viewport={"width": width, "height": 720})
    server.kill()
    page.evaluate("fetch('/api/here').catch(() => window.dispatchEvent(new HashChangeEvent('hashchange')))")
    page.wait_for_selector("#away:has-text('does not answer')")
    bar = page.locator("#away").bounding_box()
    head = page.locator("header").bounding_box()
    assert bar["y"] + bar["height"] <= head["y"] or head["y"] + head["height"] <= bar["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.complaints.clear()


def test_a_reload_while_the_server_is_gone_loses_nothing(at_heart: Any, server: Server) -> None:
    page = at_heart
    server.kill()
    for cell in ((1, 1), (2, 2)):
        click(page, *cell)
    page.wait_for_selector("#away:has-text('2 changes')")
    with pytest.raises(Exception, match="CONNECTION_REFUSED"):
        page.reload()
    page.complaints.clear()
    page = page.context.new_page()  # Firefox's driver does not get away from the browser's own page of errors
    other = again(server)
    try:
        page.goto(f"{server.origin}/#/play/heart/1")  # the browser has the cookie of the server that is gone
        assert "This browser is not known here" in page.locator("h1").inner_text()
        page.goto(other.url)
        page.wait_for_selector(".pack-card")
        sent(page)
        open_puzzle(page, server, "heart", 1)
        assert [row[at] for at, row in enumerate(shown(page))] == [-1, 1, 1, -1, -1]
    finally:
        other.close()


LOSE = """() => {
    const { fetch } = window;
    window.lost = [];
    window.fetch = async (address, how) => {
        const answer = await fetch(address, how);
        if (!String(address).endsWith("/api/play/do") || lost.length) return answer;
        lost.push(answer.status);
        throw new TypeError("the answer is lost");
    };
}"""
"""What the first move asks is done, and nobody hears of it. (A request that Firefox's driver sends on has no body.)"""


def test_an_answer_that_is_lost_doubles_nothing(at_heart: Any, server: Server) -> None:
    page = at_heart
    before = told(page, "/api/play/packs/heart/1")["play"]["version"]
    page.evaluate(LOSE)
    click(page, 1, 1)
    page.wait_for_selector("#away:has-text('1 change')")
    click(page, 1, 2)
    retry(page)
    page.wait_for_selector("#away", state="hidden")
    sent(page)
    assert page.evaluate("lost") == [200]
    play = told(page, "/api/play/packs/heart/1")["play"]
    assert (play["version"], [play["cells"][cell] for cell in (6, 7)]) == (before + 2, [1, 1])
    page.complaints.clear()


def test_a_full_disk_is_reported_and_the_move_waits(at_heart: Any, server: Server) -> None:
    page = at_heart
    full = {"error": "nothing can be kept: the disk is full"}
    page.route("**/api/play/do", lambda route: route.fulfill(status=507, json=full))
    click(page, 1, 1)
    page.wait_for_selector("#away:has-text('the disk is full'):has-text('1 change')")
    page.unroute_all()
    retry(page)
    page.wait_for_selector("#away", state="hidden")
    sent(page)
    assert told(page, "/api/play/packs/heart/1")["play"]["cells"][6] == 1
    page.complaints.clear()


@pytest.mark.slow
def test_moves_that_waited_come_on_top_of_another_tabs(open_page: Open, at_heart: Any, server: Server) -> None:
    page = at_heart
    page.route("**/api/**", lambda route: route.abort())
    click(page, 0, 1)
    page.wait_for_selector("#away:has-text('1 change')")
    play = server.get("/api/play/packs/heart/1")["play"]
    move = {"pack": "heart", "puzzle": "1", "do": "move", "changes": [[24, 0]], "version": play["version"]}
    assert server.post("/api/play/do", move)[0] == 200
    page.unroute_all()
    retry(page)
    page.wait_for_selector("#away", state="hidden")
    sent(page)
    cells = server.get("/api/play/packs/heart/1")["play"]["cells"]
    assert (cells[1], cells[24]) == (1, 0)
    until(page, f"{BOARD}.cells[24] === 0 && {BOARD}.cells[1] === 1")
    page.complaints.clear()


@pytest.mark.slow
def test_a_draft_survives_play_and_back_reload_and_other_tabs(open_page: Open, server: Server) -> None:
    page = make(open_page)
    for cell in ((2, 3), (4, 5)):
        click(page, *cell)
    page.get_by_label("Title").fill("Half done")
    address = page.url
    assert "#/make/draft/" in address

    def there(some: Any) -> None:
        entered(some, "Make")
        assert filled(shown(some)) == [(2, 3), (4, 5)]
        assert some.get_by_label("Title").input_value() == "Half done"
        until(some, f"location.href === '{address}'")

    page.get_by_role("link", name="Play", exact=True).click()
    page.wait_for_selector(".pack-card")
    page.go_back()
    there(page)
    page.get_by_role("link", name="Watch", exact=True).click()
    page.wait_for_selector(".lane")
    page.get_by_role("link", name="Make", exact=True).click()
    there(page)
    page.reload()
    there(page)
    page.get_by_role("button", name="Undo").click()  # of before the reload
    assert filled(shown(page)) == [(2, 3)]
    page.get_by_role("button", name="Redo").click()
    there(page)
    there(open_page(f"#/make/draft/{address.rpartition('/')[2]}", context=page.context))
    there(open_page("#/make", context=page.context))
    page.get_by_role("link", name="New nonogram").click()
    until(
        page,
        f"location.hash === '#/make/new' && document.querySelector('.board') && {BOARD}.cells.every((value) => !value)",
    )
    visit(page, f"{server.origin}/#/make/mine")
    page.locator("[data-draft] a").click()
    there(page)
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/#/make/own/*")
    assert server.get("/api/make/drafts") == []


def test_a_draft_is_kept_without_the_server(open_page: Open, server: Server) -> None:
    page = make(open_page)
    page.get_by_role("button", name="Type clues").click()
    page.get_by_label("Row 1", exact=True).fill("1")
    page.keyboard.press("Enter")
    sent(page)
    server.kill()
    page.get_by_label("Row 2", exact=True).press_sequentially("40")  # of ten cells: a draft need be no puzzle
    page.keyboard.press("Tab")
    page.wait_for_selector("#away:has-text('change')")
    address = page.url
    other = again(server)
    try:
        page.goto(other.url)
        page.wait_for_selector(".pack-card")
        visit(page, address)
        page.wait_for_selector("[data-way=typed]")
        assert page.get_by_label("Row 1", exact=True).input_value() == "1"
        assert page.get_by_label("Row 2", exact=True).input_value() == "40"
        page.wait_for_selector(JUDGED)
    finally:
        page.complaints.clear()
        other.close()


@pytest.mark.slow
def test_a_server_that_is_gone_says_nothing_of_a_puzzle(open_page: Open, server: Server) -> None:
    page = make(open_page)
    server.kill()
    click(page, 0, 0)
    page.wait_for_selector(".light:has-text('Not known yet')")
    other = again(server)
    try:
        page.context.new_page().goto(other.url)
        retry(page)
        page.wait_for_selector("#away", state="hidden")
        page.wait_for_selector(".light:has-text('Solvable by lines')")
    finally:
        page.complaints.clear()
        other.close()


@pytest.mark.slow
def test_two_tabs_on_one_draft_are_two_drafts(open_page: Open, server: Server) -> None:
    page = make(open_page)
    click(page, 0, 0)
    sent(page)
    other = make(open_page, f"#/make/draft/{page.url.rpartition('/')[2]}", context=page.context)
    click(other, 0, 1)
    sent(other)
    click(page, 0, 2)
    page.wait_for_selector("#notice:has-text('draft of its own')")
    sent(page)
    assert page.url != other.url
    kept = [server.get(f"/api/make/drafts/{one.url.rpartition('/')[2]}")["cells"][:3] for one in (page, other)]
    assert kept == [[1, 0, 1], [1, 1, 0]]


def test_a_puzzle_on_watch_survives_a_reload(open_page: Open) -> None:
    puzzle = nonosat.random_density(7, 9, 0.5, seed=3)
    page = open_page("#/watch")
    page.wait_for_selector(CANVAS)
    page.get_by_role("button", name="Paste…").click()
    page.get_by_label("Text of a puzzle").fill(dumps(puzzle, "mk"))
    page.get_by_role("button", name="Open").click()
    until(page, f"{BOARD}.puzzle.width === 9 && location.hash.includes('share=')")
    page.get_by_role("button", name="Files and proofs").click()
    page.reload()
    page.wait_for_selector("text=Formula and proof")
    page.get_by_role("button", name="Solve", exact=True).click()
    until(page, "document.querySelector('.board')?.boardView.puzzle.width === 9")
    rows = page.evaluate(f"{BOARD}.puzzle.rows")
    assert [[run[0] for run in clue] for clue in rows] == [[run.length for run in clue] for clue in puzzle.rows]
    page.get_by_label("Pack").select_option("dog")
    until(page, "location.hash.includes('pack=dog')")
    page.reload()
    until(page, f"document.querySelector('.board') && {BOARD}.puzzle.width === 10")
    assert page.get_by_label("Pack").input_value() == "dog"


@pytest.mark.slow
def test_a_watched_run_survives_a_reload_back_and_a_new_tab(open_page: Open, server: Server) -> None:
    page = open_page("#/watch?pack=dog&puzzle=1")
    page.wait_for_selector(".lane canvas.board-canvas")
    page.get_by_role("button", name="Add a solver").click()
    page.get_by_label("Solver", exact=True).nth(1).select_option("minisat22")
    page.get_by_label("Solver", exact=True).first.select_option("propagation")
    page.get_by_role("button", name="Solve", exact=True).last.click()
    for lane in range(2):
        page.locator(".lane-status").nth(lane).filter(has_text="no other").wait_for(timeout=120_000)
    until(page, "location.hash.includes('race=')")
    words = page.locator(".lane-status").all_inner_texts()
    address = page.url

    def there(some: Any) -> None:
        some.locator(".lane-status").nth(1).filter(has_text="no other").wait_for()
        assert some.locator(".lane-status").all_inner_texts() == words
        assert some.get_by_label("Solver", exact=True).nth(1).input_value() == "minisat22"
        assert -1 not in [value for row in shown(some) for value in row]
        some.get_by_role("button", name="To the beginning").click()
        until(some, f"{BOARD}.cells.every((value) => value === -1)")

    page.reload()
    there(page)
    page.goto(f"{server.origin}/#/play")
    page.wait_for_selector(".pack-card")
    page.go_back()
    there(page)
    there(open_page("#" + address.partition("#")[2], context=page.context))
    page.get_by_label("Solver", exact=True).first.select_option("elimination")
    until(page, "!location.hash.includes('race=') && location.hash.includes('elimination')")
    page.reload()
    page.wait_for_selector(".lane canvas.board-canvas")
    assert page.get_by_label("Solver", exact=True).first.input_value() == "elimination"


@pytest.mark.slow
def test_a_run_that_is_cut_off_by_a_reload_shows_how_far_it_was(open_page: Open, server: Server) -> None:
    hard = nonosat.random_density(30, 30, 0.42, seed=1)
    page = open_page("#/watch")
    page.wait_for_selector(".lane canvas.board-canvas")
    page.get_by_role("button", name="Paste…").click()
    page.get_by_label("Text of a puzzle").fill(dumps(Nonogram(hard.rows, hard.columns), "mk"))
    page.get_by_role("button", name="Open").click()
    until(page, "document.querySelector('.board')?.boardView?.puzzle.width === 30 && location.hash.includes('share=')")
    page.get_by_label("Solver", exact=True).first.select_option("exhaustive")
    page.get_by_role("button", name="Solve", exact=True).last.click()
    until(page, f"{BOARD}.cells.some((value) => value >= 0)")
    until(page, "location.hash.includes('race=')")
    page.reload()
    for _ in range(100):  # the server ends the run when it finds its page gone
        page.wait_for_selector(".lane canvas.board-canvas")
        page.wait_for_timeout(100)
        if page.locator(".lane-status").first.inner_text().startswith("Stopped"):
            break
        page.complaints.clear()  # not kept yet
        page.reload()
    assert page.locator(".lane-status").first.inner_text().startswith("Stopped")


@pytest.mark.slow
def test_a_step_of_an_explanation_survives_a_reload_and_a_new_tab(open_page: Open) -> None:
    page = open_page("#/explain?pack=dog&puzzle=1")
    page.locator(".steps li").nth(9).wait_for(timeout=120_000)
    page.locator(".steps button").nth(6).click()
    until(page, "location.hash.includes('step=7')")
    cells, sentence = shown(page), page.locator(".sentence").inner_text()

    def there(some: Any) -> None:
        some.locator(".steps li[data-on]:nth-child(7)").wait_for(timeout=120_000)
        assert (shown(some), some.locator(".sentence").inner_text()) == (cells, sentence)

    page.reload()
    there(page)
    there(open_page(page.evaluate("location.hash"), context=page.context))
    page.goto(page.url.replace("step=7", "step=9999"))  # beyond the last one
    until(page, "!location.hash.includes('step=9999')")
    steps = page.locator(".steps li").count()
    until(page, f"location.hash.includes('step={steps}')")
    page.locator(f".steps li[data-on]:nth-child({steps})").wait_for()
    page.get_by_role("button", name="Set cells").click()
    click(page, 0, 0)
    page.get_by_role("button", name="Explain from here").click()
    until(page, "location.hash.includes('cells=')")
    begun = page.evaluate(f"Array.from({BOARD}.cells)")
    page.reload()
    page.wait_for_selector(CANVAS)
    until(page, f"String(Array.from({BOARD}.cells)) === '{','.join(map(str, begun))}'")


@pytest.mark.slow
@pytest.mark.parametrize("kills", [2, pytest.param(50, marks=RARE)])
def test_no_stroke_of_play_or_make_is_lost_by_kills(open_page: Open, server: Server, kills: int) -> None:
    """Clicks on two tabs, and kill -9 of the server at a random moment, over and over. After each restart, with
    another token, both boards are kept as the pages show them.
    """
    chance = Rng(33)
    playing = open_page()
    open_puzzle(playing, server, "dog", 1, "free")
    making = open_page("#/make/new", context=playing.context)
    making.wait_for_selector(CANVAS)
    until(making, f"{BOARD}.view.x.length > 0")
    click(making, 9, 9)
    pages, now = (playing, making), server
    try:
        for _ in range(kills):
            killer = threading.Timer(0.6 * float(chance.uniforms(1)[0]), now.process.kill)
            killer.start()
            for cell in chance.shuffled(100)[:12]:
                click(pages[cell % 2], *divmod(cell, 10))
            killer.join()
            now.kill()
            click(playing, 0, int(10 * float(chance.uniforms(1)[0])))  # one at least that nobody can take
            playing.wait_for_selector("#away:has-text('Kept in this browser')")
            expected = [[value for row in shown(page) for value in row] for page in pages]
            server.process = (now := again(server)).process
            entering = playing.context.new_page()
            entering.goto(now.url)
            entering.wait_for_selector("#rooms")
            for page in pages:
                page.evaluate("window.dispatchEvent(new Event('focus'))")
                until(page, "document.getElementById('away').hidden")
                sent(page)
            draft = making.url.rpartition("/")[2]
            assert told(entering, "/api/play/packs/dog/1")["play"]["cells"] == expected[0]
            assert told(entering, f"/api/make/drafts/{draft}")["cells"] == expected[1]
            assert [[value for row in shown(page) for value in row] for page in pages] == expected
            entering.close()
    finally:
        for page in pages:
            page.complaints.clear()


COUNTED = """() => {
    window.work = { now: { made: 0, painted: 0 }, most: { made: 0, painted: 0 } };
    const count = (what) => {
        work.now[what] += 1;
        work.most[what] = Math.max(work.most[what], work.now[what]);
        work.end ??= setTimeout(() => Object.assign(work, { now: { made: 0, painted: 0 }, end: null }));
    };
    const create = document.createElement.bind(document);
    document.createElement = (name) => (count("made"), create(name));
    const { fillRect } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillRect = function (...box) { count("painted"); fillRect.apply(this, box); };
}"""
"""Counts what is done before the page has a chance to do anything else: elements made, and boxes painted."""
PASTE = """(text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const how = { bubbles: true, cancelable: true, data: text, dataType: "text/plain" }; // these two are Firefox's
    document.dispatchEvent(new ClipboardEvent("paste", { clipboardData, ...how }));
}"""


@pytest.mark.parametrize(("side", "density"), spread([(512, 0.5), (100, 0.5), (512, 0.92)], 1))
def test_a_huge_puzzle_is_pasted_bit_by_bit(open_page: Open, side: int, density: float) -> None:
    """The bounds are of work at a time; at density 0.92 lines settle most cells at once."""
    drawn = nonosat.random_density(side, side, density, seed=1)
    page = make(open_page)
    page.evaluate(COUNTED)
    page.evaluate(PASTE, dumps(Nonogram(drawn.rows, drawn.columns), "mk"))
    until(page, f"{BOARD}?.puzzle.width === {side} && document.querySelector('{JUDGED}')")
    most = page.evaluate("work.most")
    assert most["made"] < 600  # the fields of lines in sight
    assert most["painted"] < 4000 if side > 100 else 30000
    assert page.locator(".entry input").count() < 100
    columns = page.locator("section[aria-label=Columns] .clue-list")
    columns.evaluate("(list) => (list.scrollTop = list.scrollHeight)")
    field = page.get_by_label(f"Column {side}", exact=True)
    field.wait_for()
    lengths = [run.length for run in drawn.columns[-1]]
    assert field.input_value() == " ".join(map(str, lengths))
    assert page.locator(".entry input").count() < 100
    refill(field, " ".join(map(str, [lengths[0] + 1, *lengths[1:]])))
    page.get_by_label(f"Column {side - 1}", exact=True).focus()
    until(page, f"{BOARD}.puzzle.columns.at(-1)[0][0] === {lengths[0] + 1}")
    columns.evaluate("(list) => (list.scrollTop = 0)")
    page.get_by_label("Column 1", exact=True).wait_for()
    assert page.get_by_label(f"Column {side - 1}", exact=True).evaluate(
        "(field) => field === document.activeElement"  # who is at a field stays there
    )
    page.wait_for_selector(JUDGED, timeout=120_000)
    page.complaints.clear()  # the clues may not fit any more
