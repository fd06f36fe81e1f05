"""Watching, explaining and studies, as a person sees them."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from boards import shown, until
from sampling import sampled
from serving import Server
from strays import settled

import nonosat
from nonosat.puzzles.formats import dumps
from nonosat.runs.limits import children

Open = Callable[..., Any]
HARD = dumps(nonosat.random_density(35, 35, 0.42, seed=2), "mk")

PIXELS = "(canvas) => canvas.toDataURL()"
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory, studied: Path) -> Iterator[Server]:
    """A server with one study to show, its code loaded."""
    found = Server(tmp_path_factory.mktemp("data"), "--studies", str(studied))
    found.enter()
    yield found
    found.close()


@pytest.fixture
def server(watched: Server) -> Server:
    return watched


def paste(page: Any, text: str) -> None:
    page.get_by_role("button", name="Paste…").click()
    page.locator("dialog textarea").fill(text)
    page.get_by_role("button", name="Open", exact=True).click()
    page.locator("dialog").wait_for(state="detached")


def solve(page: Any, *solvers: str, count: str = "Is there another?") -> None:
    """Choose these solvers, and begin."""
    for _ in solvers[1:]:
        page.get_by_role("button", name="Add a solver").click()
    for number, name in enumerate(solvers):
        page.get_by_label("Solver", exact=True).nth(number).select_option(name)
    page.locator("summary", has_text="Options").click()
    page.get_by_label("How many solutions").select_option(label=count)
    page.locator("summary", has_text="Options").click()
    page.get_by_role("button", name="Solve", exact=True).last.click()


def ended(page: Any, text: str, lane: int = 0) -> None:
    page.locator(".lane-status").nth(lane).filter(has_text=text).wait_for(timeout=120_000)


def at_work(server: Server) -> list[int]:
    return [pid for watcher in children(server.process.pid) for pid in children(watcher)]


def test_feature_12_solve_fills_the_board_and_shows_the_time(open_page: Open) -> None:
    page = open_page("#/watch")
    page.locator(".board-canvas").first.wait_for()
    empty = page.locator(".lane-board canvas").evaluate(PIXELS)
    solve(page, "auto")
    ended(page, "One solution, and no other")
    assert re.search(r" · [\d.]+ m?s · by lines", page.locator(".lane-status").inner_text())
    assert page.locator(".lane-board canvas").evaluate(PIXELS) != empty


def test_feature_13_all_solutions_are_browsed_or_there_is_one(open_page: Open) -> None:
    page = open_page("#/watch")
    paste(page, "2 2\n1\n1\n#\n1\n1\n")
    solve(page, "elimination", count="All solutions")
    ended(page, "2 solutions, and no others")
    told = page.locator(".solutions p")
    assert told.inner_text() == "Solution 1 of 2"
    page.evaluate(PAINTED)
    first = page.locator(".lane-board canvas").evaluate(PIXELS)
    page.get_by_role("button", name="The next").click()
    assert told.inner_text() == "Solution 2 of 2, 4 cells unlike the first"
    page.evaluate(PAINTED)
    assert page.locator(".lane-board canvas").evaluate(PIXELS) != first
    page.get_by_role("button", name="What they share").click()
    told.filter(has_text="0 cells of 4 the same in all solutions").wait_for(timeout=180_000)  # compiled once
    page.get_by_label("Pack").select_option(index=0)
    page.locator(".solutions").wait_for(state="detached")
    page.get_by_role("button", name="Solve", exact=True).last.click()
    ended(page, "One solution, and no other")
    assert page.locator(".solutions").count() == 0


HEATED = """() => {
    const range = document.querySelector(".timeline input[type=range]");
    const hot = (time) => {
        Object.assign(range, { value: time }).dispatchEvent(new Event("input"));
        return document.querySelectorAll(".lane .board")[2].boardView.heat?.some((share) => share > 0 && share < 1);
    };
    return [...Array(1000).keys()].some(hot);
}"""
"""Were the odds of the third search, which has beliefs, on its board at some time?"""


def test_four_searches_side_by_side_are_live_held_and_stepped(open_page: Open) -> None:
    page = open_page("#/watch")
    paste(page, HARD)
    solve(page, "propagation", "minisat22", "beliefs", "cadical195")
    lanes = page.locator(".lane")
    assert lanes.count() == 4
    page.locator(".lane-status").nth(0).filter(has_text="guesses").wait_for(timeout=120_000)
    page.locator(".curve-legend").nth(1).filter(has_text="conflicts").wait_for(timeout=120_000)
    page.get_by_role("button", name="Hold").click()
    held = page.locator(".timeline output").inner_text().split(" of ")[0]
    page.wait_for_timeout(300)
    assert page.locator(".timeline output").inner_text().startswith(f"{held} of ")  # others come meanwhile
    page.get_by_role("button", name="To the beginning").click()
    assert page.locator(".timeline output").inner_text().startswith("0 of ")
    page.get_by_role("button", name="A step on").click()
    assert page.locator(".timeline output").inner_text().startswith("1 of ")
    page.get_by_label("Speed").select_option(label="1000 × slower")
    assert re.fullmatch(r"[\d.]+ m?s", page.locator(".timeline output").inner_text())
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_timeout(300)
    page.get_by_role("button", name="Hold").click()
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Live").click()
    assert "Stopped" in lanes.nth(0).locator(".lane-status").inner_text()
    page.get_by_label("Speed").select_option(value="events:20")  # its odds may be a short while of a long race
    assert page.evaluate(HEATED)


@pytest.mark.slow
def test_four_boards_with_clues_and_their_controls_are_in_one_view(open_page: Open) -> None:
    """At 1280x800, and two of them where it is narrow; they zoom together."""
    four = "#/watch?pack=things&puzzle=2&lanes=auto,propagation,minisat22:tight%2Br3%2Border,beliefs"
    page = open_page(four, viewport={"width": 1280, "height": 800})
    page.locator(".lane canvas.board-canvas").nth(3).wait_for()
    boards = "[...document.querySelectorAll('.lane .board')].map(({ boardView }) => boardView)"
    until(page, f"{boards}.length === 4 && {boards}.every(({{ view }}) => view.x.length > 0)")
    bottoms = (
        "[...document.querySelectorAll('.lane-board, .controls')].map((box) => box.getBoundingClientRect().bottom)"
    )
    assert max(page.evaluate(bottoms)) < 800
    assert min(page.evaluate(f"{boards}.map(({{ view }}) => view.x.before)")) > 0  # where the clues of rows are
    tops = "[...document.querySelector('.controls').children].filter((one) => one.clientHeight)"
    middles = page.evaluate(
        f"{tops}.map((one) => one.getBoundingClientRect()).map((box) => (box.top + box.bottom) / 2)"
    )
    assert max(middles) - min(middles) < 4  # one row
    page.locator(".zooms").get_by_label("Zoom in").click()
    cells = page.evaluate(f"{boards}.map(({{ view }}) => view.cell)")
    assert len(set(cells)) == 1
    assert cells[0] > page.evaluate(f"{boards}[0].view.fit")
    assert page.locator("select[aria-label=Solver]").first.locator("optgroup").count() >= 4
    page = open_page(four, viewport={"width": 390, "height": 844})
    page.locator(".lane canvas.board-canvas").nth(3).wait_for()
    boxes = [page.locator(".lane-board").nth(at).bounding_box() for at in range(2)]
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[1]["y"] + boxes[1]["height"] < 844


@pytest.mark.slow
def test_a_race_is_replayed_by_its_events_and_from_a_file(open_page: Open, browser: Any) -> None:
    page = open_page("#/watch?pack=things&puzzle=2")
    page.locator(".board-canvas").first.wait_for()
    solve(page, "propagation", "minisat22")
    for lane in range(2):
        ended(page, "no other", lane)
    page.locator(".why .card").wait_for(timeout=120_000)
    assert re.match(r"\d+ % of the cells \(\d+ of 225\)", page.locator(".why .card p").first.inner_text())
    page.locator("summary", has_text="Options").click()
    path = browser.downloaded(page, page.get_by_role("link", name="Save the race").click)
    words = page.locator(".lane-status").all_inner_texts()
    page.get_by_label("Solver", exact=True).first.select_option("elimination")  # another race: nothing to compare yet
    page.locator(".why").wait_for(state="detached")
    page.wait_for_timeout(500)
    assert page.locator(".why").count() == 0
    context = browser.new_context(offline=True)
    alone = context.new_page()
    faults: list[str] = []
    alone.on("console", lambda said: faults.append(said.text))
    alone.on("pageerror", lambda error: faults.append(str(error)))
    alone.goto(path.as_uri())
    alone.locator(".lane-status").nth(1).filter(has_text="no other").wait_for()
    assert alone.locator(".lane-status").all_inner_texts() == words
    boards = "[...document.querySelectorAll('.board')]"
    known = f"{boards}.map(({{ boardView: {{ cells }} }}) => cells.filter((one) => one >= 0).length)"
    assert alone.evaluate(known) == [225, 225]
    assert sorted(text.rpartition(" · ")[2] for text in words) == ["first", "second"]
    chosen = alone.get_by_label("Speed").locator("option:checked")
    assert chosen.evaluate("one => one.parentElement.label") == "By time: a race"
    alone.get_by_label("Speed").select_option(label="100 events/s")
    alone.get_by_role("button", name="To the beginning").click()
    assert alone.evaluate(known) == [0, 0]
    counts = []
    for _ in range(3):
        alone.get_by_role("button", name="A step on").click()
        counts.append(alone.evaluate(known)[0])
    assert counts == sorted(counts)
    assert 0 < counts[-1] < 225
    alone.get_by_role("button", name="Play", exact=True).click()
    until(alone, f"String({known}) === '225,225'")
    assert faults == []
    context.close()


def test_a_closed_tab_ends_its_processes(open_page: Open, server: Server) -> None:
    page = open_page("#/watch")
    paste(page, HARD)
    solve(page, "lingeling", "cadical195")
    assert settled(lambda: len(at_work(server)) == 2)
    page.close()
    assert settled(lambda: not at_work(server))


@pytest.mark.slow
def test_a_killed_solver_is_reported_and_others_go_on(open_page: Open, server: Server) -> None:
    page = open_page("#/watch")
    paste(page, HARD)
    solve(page, "lingeling")
    assert settled(lambda: bool(at_work(server)))
    os.kill(at_work(server)[0], signal.SIGKILL)
    ended(page, "CRASH")
    paste(page, "1 1\n1\n#\n1\n")
    page.get_by_role("button", name="Solve", exact=True).last.click()
    ended(page, "One solution, and no other")


def test_encodings_are_compared_on_this_board(open_page: Open) -> None:
    page = open_page("#/watch/encodings")
    page.locator("tbody tr:nth-child(22)").wait_for(timeout=120_000)
    page.get_by_role("button", name="tight+r3+direct", exact=True).click()
    row = page.locator('tr[aria-selected="true"]')
    assert row.locator("th").inner_text() == "tight+r3+direct"
    assert "gaps" in row.inner_text()
    wide = "document.querySelector('.scroll').scrollWidth - document.querySelector('.scroll').clientWidth"
    assert page.evaluate(wide) == 0 or page.viewport_size["width"] < 600  # nothing is cut; on a phone it scrolls
    assert "unit propagation settles" in page.locator(".compare p[role=status]").inner_text()


@pytest.mark.slow
def test_formula_map_proof_and_certificate_are_taken_away(open_page: Open, browser: Any) -> None:
    page = open_page("#/watch/files")
    for button, begin in (
        ("Formula (DIMACS)", "c nonosat"),
        ("Map of its variables", "c nonosat"),
        ("Certify", "* #variable="),
    ):
        made = page.locator(".made", has=page.locator("a")).count()
        page.get_by_role("button", name=button).click()
        links = page.locator(".made a")
        links.nth(made).wait_for(timeout=120_000)
        link = page.get_by_role("button", name=button).locator("xpath=following-sibling::div[1]").locator("a").first
        link.wait_for(timeout=120_000)
        assert browser.downloaded(page, link.click).read_text().startswith(begin)
    assert "no other" in page.locator(".made p").first.inner_text()


def test_an_explanation_is_walked_and_begins_anywhere(open_page: Open) -> None:
    page = open_page("#/explain")
    paste(page, "2 2\n2\n1\n#\n2\n1\n")
    page.locator(".steps li").nth(1).wait_for(timeout=120_000)
    page.get_by_role("button", name="Next").click()
    assert "the 2 needs all 2 cells" in page.locator(".sentence").inner_text()
    page.locator("p.quiet[role=status]").filter(has_text="solved").wait_for()
    page.keyboard.press("ArrowRight")
    assert page.locator("[data-on]").count() == 1
    page.get_by_role("button", name="Set cells").click()
    assert page.get_by_role("button", name="To the beginning").is_disabled()  # it would leave what is set
    page.locator(".board-canvas").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    set_here = shown(page)
    assert set_here[1][1] == 1
    page.get_by_role("button", name="Undo").click()
    assert shown(page)[1][1] == -1
    page.keyboard.press("Control+y")
    assert shown(page) == set_here
    until(page, "decodeURIComponent(location.hash).includes('cells=(4)1')")
    page.reload()  # what was set is not lost
    page.locator(".steps li").first.wait_for(timeout=120_000)
    page.get_by_role("button", name="Set cells").click()
    assert shown(page) == set_here
    page.get_by_role("button", name="Explain from here").click()
    page.locator("p.quiet[role=status]").filter(has_text="wrong").wait_for(timeout=120_000)


@pytest.mark.slow
def test_a_puzzle_of_play_is_watched_solved_by_the_default_solver(open_page: Open) -> None:
    page = open_page("#/watch?pack=things&puzzle=2&lanes=propagation,beliefs")
    page.locator(".lane canvas.board-canvas").nth(1).wait_for(timeout=120_000)
    page.goto(page.url.partition("#")[0] + "#/play/first/1")
    page.get_by_role("link", name="Watch it solved").click()
    page.locator(".lane-status").filter(has_text="no other").wait_for(timeout=120_000)
    assert page.get_by_label("Solver", exact=True).count() == 1
    assert page.get_by_label("Solver", exact=True).input_value() == "auto"
    until(page, "location.hash.includes('race=') && !location.hash.includes('run=')")
    page.reload()  # the race is shown, and not run again
    page.locator(".lane-status").filter(has_text="no other").wait_for(timeout=120_000)


@pytest.mark.slow
def test_what_an_address_names_and_nobody_knows_is_told(open_page: Open) -> None:
    page = open_page("#/watch?pack=things&puzzle=2&lanes=propagatio,minisat22:no-such")
    page.locator("#notice", has_text="Not known for this puzzle: propagatio, no-such. The usual").wait_for()
    assert page.get_by_label("Solver", exact=True).nth(0).input_value() == "auto"
    assert page.get_by_label("Solver", exact=True).nth(1).input_value() == "minisat22"


@pytest.mark.slow
def test_hints_are_counted_in_the_play(open_page: Open, server: Server) -> None:
    before = server.get("/api/play/packs/first/1")["play"]["hints"]
    page = open_page("#/play")
    page.locator("[data-pack=first]").click()
    page.locator(".puzzle-card").first.click()
    page.get_by_role("button", name="Hint").click()
    page.locator(".sentence").wait_for(timeout=120_000)
    page.get_by_role("link", name="Explain it").click()
    page.locator(".steps li").first.wait_for(timeout=120_000)
    assert server.get("/api/play/packs/first/1")["play"]["hints"] == before + 1


def test_studies_are_listed_and_a_records_puzzle_is_opened(open_page: Open) -> None:
    page = open_page("#/studies")
    page.locator("a.card").click()
    page.get_by_text("8 of 8 runs").wait_for(timeout=120_000)
    page.locator("tbody button").first.click()
    page.locator(".lane-board canvas").first.wait_for(timeout=120_000)
    assert "density 0.5" in page.locator(".choose").inner_text()


def test_a_race_that_is_not_kept_is_told_of(open_page: Open) -> None:
    page = open_page("#/watch/solve?pack=first&puzzle=1&race=unknown")
    page.wait_for_selector("[role=status]:has-text('No race to show: that race is not kept any more.')")
    page.complaints.clear()  # Chromium reports the answer, Firefox does not


@pytest.mark.slow
def test_two_records_of_a_puzzle_are_raced(open_page: Open) -> None:
    page = open_page("#/studies/small.sqlite")
    page.locator("tbody tr").nth(7).wait_for(timeout=120_000)
    racing = page.get_by_role("button", name="Race the chosen in Watch")
    assert racing.is_disabled()
    page.get_by_text("Choose up to four records of one puzzle.").wait_for()
    rows = page.locator("tbody tr")
    named = rows.first.locator("button").inner_text()
    same = rows.filter(has_text=named)
    assert same.count() == 2
    for at in range(2):
        same.nth(at).get_by_role("checkbox").check()
    other = rows.filter(has_not_text=named).first.get_by_role("checkbox")
    other.check()
    assert racing.is_disabled()
    page.get_by_text("These records are of several puzzles: choose up to four of one.").wait_for()
    other.uncheck()
    racing.click()
    page.locator(".lane canvas.board-canvas").nth(1).wait_for(timeout=120_000)
    solvers = [page.get_by_label("Solver", exact=True).nth(at).input_value() for at in range(2)]
    assert sorted(solvers) == ["minisat22", "propagation"]
    page.locator(".lane-status").nth(1).filter(has_text="no other").wait_for(timeout=120_000)  # it starts by itself
    page.locator(".lane-status").nth(0).filter(has_text="no other").wait_for(timeout=120_000)
    until(page, "location.hash.includes('race=') && !location.hash.includes('run=')")
    while page.url.partition("#")[2] != "/studies/small.sqlite":
        page.go_back()
    rows.nth(7).wait_for()
    assert rows.locator("input:checked").count() == 2  # as they were left
    assert racing.is_enabled()


@pytest.mark.slow
def test_a_cell_of_the_heat_map_opens_its_run(open_page: Open) -> None:
    page = open_page("#/studies/small.sqlite")
    page.locator("summary", has_text="Heat map").click()
    page.locator("[aria-label='Times by puzzle and solver'] thead th").first.wait_for()
    heads = page.locator("[aria-label='Times by puzzle and solver'] thead th").all_inner_texts()
    assert heads == ["Puzzle", "minisat22:tight+r3+order", "propagation"]
    rows = page.locator("[aria-label='Times by puzzle and solver'] tbody tr")
    assert rows.count() == 4
    cell = rows.nth(2).locator("td").nth(1)
    assert cell.inner_text().endswith(" s")
    named = rows.nth(2).locator("td").first.inner_text()
    cell.get_by_role("button").click()
    page.locator(".lane canvas.board-canvas").wait_for(timeout=120_000)
    assert page.get_by_label("Solver", exact=True).input_value() == "minisat22"
    assert page.get_by_label("Encoding", exact=True).input_value() == "tight+r3+order"
    assert named.split("/")[0] in page.locator(".choose").inner_text()


@pytest.mark.slow  # pandas and matplotlib are loaded
def test_a_report_is_shown_and_runs_its_own_script_only(open_page: Open) -> None:
    page = open_page("#/studies/small.sqlite")
    page.get_by_role("button", name="Make its report").click()
    link = page.get_by_role("link", name="Open the report")
    link.wait_for(timeout=120_000)
    report = open_page(link.get_attribute("href").removeprefix("/"), context=page.context)
    report.locator("details:not([open]) summary").first.click()
    report.locator("th button:visible").first.click()
    assert report.locator("th[aria-sort]").count() == 1


PHONE = {"width": 390, "height": 800}


@pytest.mark.parametrize(
    ("room", "options"),
    sampled(product(["watch", "explain", "studies"], [{}, {"color_scheme": "dark"}, {"viewport": PHONE}])),
)
def test_rooms_fit_their_windows(open_page: Open, room: str, options: dict[str, Any]) -> None:
    page = open_page(f"#/{room}", **options)
    page.locator("h1").wait_for()
    page.wait_for_timeout(300)
    wide = page.locator("body").evaluate("body => document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0
