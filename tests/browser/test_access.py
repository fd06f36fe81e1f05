"""The page for everybody: axe, a narrow screen, dark, less motion, text at 200 %, a screen reader's words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import axe
import pytest
from boards import BOARD, CANVAS, click, drag, filled, open_puzzle, press, settled, until, visit
from packs_made import HEART, write_packs
from serving import Server

Open = Callable[..., Any]
EXAMPLES = Path(__file__).parents[2] / "examples"
NARROW = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory, studied: Path) -> Iterator[Server]:
    """A server with packs to play and a study to look at."""
    data = tmp_path_factory.mktemp("furnished")
    write_packs(data)
    found = Server(data, "--studies", str(studied))
    found.enter()
    yield found
    found.close()


@pytest.fixture
def server(furnished: Server) -> Server:
    return furnished


@pytest.fixture(scope="module")
def script() -> str:
    found = axe.source()
    if found is None:
        pytest.skip("axe-playwright-python, which brings axe-core, is not installed")
    return found


LIGHT = ["light", pytest.param("dark", marks=pytest.mark.slow)]
DARK = ["dark", pytest.param("light", marks=pytest.mark.slow)]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(open_page: Open, server: Server, script: str, scheme: str) -> None:
    page = open_page(color_scheme=scheme)
    page.wait_for_selector(".pack-card")
    found = {"packs": axe.violations(page, script)}
    visit(page, f"{server.origin}/#/play/heart")
    page.wait_for_selector(".puzzle-card")
    found["pack"] = axe.violations(page, script)
    open_puzzle(page, server, "heart", 50, "lives")
    click(page, 0, 0)
    settled(page)
    found["lives"] = axe.violations(page, script)
    page.get_by_role("button", name="Free play").click()
    found["question"] = axe.violations(page, script)
    page.locator("dialog").get_by_role("button", name="Play freely").click()
    page.get_by_role("button", name="Try something").click()
    page.wait_for_selector(".trial")
    page.locator("summary").first.click()
    found["trial"] = axe.violations(page, script)
    for row, column in filled(HEART):
        click(page, row, column)
    page.wait_for_selector(".finished")
    found["won"] = axe.violations(page, script)
    open_puzzle(page, server, "towers", 3)
    found["towers"] = axe.violations(page, script)
    open_puzzle(page, server, "flag", 3)
    found["colours"] = axe.violations(page, script)
    assert found == {place: [] for place in found}


@pytest.mark.parametrize("scheme", DARK)
def test_axe_finds_nothing_in_make(open_page: Open, script: str, scheme: str) -> None:
    page = open_page("#/make", color_scheme=scheme)

    def looked() -> list[str]:
        page.wait_for_selector(".light[data-verdict][data-busy=false]", timeout=120_000)
        return axe.violations(page, script)

    page.wait_for_selector(CANVAS)
    found = {"empty": looked()}
    for cell in ((0, 0), (1, 1), (4, 4)):
        click(page, *cell)
    page.get_by_label("Add a colour").click()
    found["drawing"] = looked()
    page.get_by_role("button", name="Differences").click()
    page.get_by_role("button", name="Share", exact=True).click()
    page.locator(".link").wait_for()
    found["differences, link"] = looked()
    page.get_by_role("button", name="Type clues").click()
    found["clues"] = looked()
    page.get_by_label("Row 1", exact=True).fill("9")
    page.keyboard.press("Tab")
    found["no solution"] = looked()
    page.get_by_role("button", name="Paste text…").click()
    found["text"] = looked()
    page.locator("dialog").get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Image…").click()
    page.locator("input[type=file]").set_input_files(EXAMPLES / "pictures" / "20-cherries.png")
    page.wait_for_selector(".preview canvas", timeout=120_000)
    found["image"] = looked()
    page.get_by_role("button", name="Use it").click()
    page.locator("dialog").wait_for(state="detached")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/#/make/own/*")
    page.get_by_role("link", name="My puzzles").click()
    page.locator("[data-own] input").first.check()
    page.locator("summary").first.click()
    page.wait_for_selector("details li")
    found["shelf"] = axe.violations(page, script)
    page.get_by_role("button", name="Delete").first.click()
    found["question"] = axe.violations(page, script)
    assert found == {place: [] for place in found}


@pytest.mark.parametrize("scheme", LIGHT)
def test_axe_finds_nothing_in_watch(open_page: Open, script: str, scheme: str) -> None:
    page = open_page("#/watch?pack=dog&puzzle=3", color_scheme=scheme)
    page.wait_for_selector(CANVAS)
    found = {"before": axe.violations(page, script)}
    page.get_by_role("button", name="Add a solver").click()
    for number, name in enumerate(("propagation", "minisat22")):
        page.get_by_label("Solver", exact=True).nth(number).select_option(name)
    page.locator("summary", has_text="Options").click()
    page.get_by_label("How many solutions").select_option(label="All solutions")
    page.get_by_role("button", name="Solve", exact=True).last.click()
    for lane in (0, 1):
        page.locator(".lane-status").nth(lane).filter(has_text="no other").wait_for(timeout=120_000)
    found["solved"] = axe.violations(page, script)
    page.get_by_role("button", name="Encodings").click()
    page.locator("tbody tr:nth-child(22)").wait_for(timeout=120_000)
    page.get_by_role("button", name="tight+r3+direct", exact=True).click()
    found["encodings"] = axe.violations(page, script)
    page.get_by_role("button", name="Files and proofs").click()
    page.get_by_role("button", name="Certify").click()
    page.locator(".made a").first.wait_for(timeout=120_000)
    found["files"] = axe.violations(page, script)
    page.get_by_role("button", name="Paste…").click()
    found["paste"] = axe.violations(page, script)
    assert found == {place: [] for place in found}


@pytest.mark.parametrize("scheme", DARK)
def test_axe_finds_nothing_in_explain(open_page: Open, script: str, scheme: str) -> None:
    page = open_page("#/explain?pack=dog&puzzle=3", color_scheme=scheme)
    page.locator(".steps li").nth(3).wait_for(timeout=120_000)
    found = {"beginning": axe.violations(page, script)}
    for _ in range(3):
        page.get_by_role("button", name="Next").click()
    found["a step"] = axe.violations(page, script)
    page.get_by_role("button", name="Set cells").click()
    found["set cells"] = axe.violations(page, script)
    assert found == {place: [] for place in found}


@pytest.mark.parametrize("scheme", LIGHT)
def test_axe_finds_nothing_in_studies(open_page: Open, script: str, scheme: str) -> None:
    page = open_page("#/studies", color_scheme=scheme)
    page.wait_for_selector("a.card")
    found = {"list": axe.violations(page, script)}
    page.locator("a.card").click()
    page.locator("progress").wait_for(timeout=120_000)
    found["records"] = axe.violations(page, script)
    page.locator("summary", has_text="Heat map").click()
    page.locator("td.heat").first.wait_for()
    found["heat map"] = axe.violations(page, script)
    assert found == {place: [] for place in found}


@pytest.mark.parametrize(
    "options",
    [
        {"viewport": NARROW, "has_touch": True, "is_mobile": True},
        {"viewport": {"width": 600, "height": 410}, "device_scale_factor": 2},
    ],
    ids=["390 px", "200 %"],
)
def test_nothing_is_cut_off(open_page: Open, server: Server, options: dict[str, Any]) -> None:
    page = open_page(**options)
    for place in ("#/play", "#/play/heart", "#/play/heart/51", "#/play/towers/4", "#/play/dog/3", "#/play/flag/4"):
        visit(page, f"{server.origin}/{place}")
        page.wait_for_selector(f"{CANVAS}, .card")
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), place
        small = page.evaluate(
            """() => [...document.querySelectorAll("button, main a.card, nav a")]
                .map((found) => found.getBoundingClientRect())
                .filter(({ width, height }) => width && Math.min(width, height) < 32).length"""
        )
        assert small == 0, place
    until(page, f"{BOARD}?.view.x.length > 0")
    assert page.evaluate(f"{BOARD}.view.cell * {BOARD}.view.x.count") > 100


CUT = """() => [...document.querySelectorAll("main *")].filter((one) => one.getClientRects().length).flatMap((one) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(one);
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    const arrow = 14;
    const room = one.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow;
    const chosen = one.selectedOptions?.[0]?.text;
    context.font = font;
    const words = /^(BUTTON|A|P|H1|H2|LABEL|CAPTION)$/.test(one.tagName) && !one.closest("td, th");
    const beyond = words && one.getBoundingClientRect().right > innerWidth;
    const cut = chosen ? context.measureText(chosen).width > room : beyond;
    return cut ? [chosen ?? one.textContent] : [];
})"""
"""What a page shows in part: the choice of a field, and words that end beyond it. Tables scroll."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "place",
    [
        "play",
        "watch?pack=pictures&puzzle=12",
        "watch?pack=things&puzzle=2&lanes=cpsat-automaton,auto",
        "explain?pack=first&puzzle=10",
    ],
)
def test_words_are_seen_whole_on_a_phone(open_page: Open, place: str) -> None:
    page = open_page(f"#/{place}", viewport=NARROW, has_touch=True, is_mobile=True)
    page.wait_for_selector(f"{CANVAS}, .card")
    assert page.evaluate(CUT) == []
    if place.startswith("watch"):
        page.get_by_role("button", name="Encodings").click()
        page.locator("tbody tr").first.wait_for(timeout=120_000)
        assert page.evaluate(CUT) == []


@pytest.mark.chromium  # in Firefox the scheme is a preference of the process, which does not change under a page
def test_it_is_dark_by_preference(open_page: Open, server: Server) -> None:
    page = open_page(color_scheme="dark")
    open_puzzle(page, server, "heart", 52)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(25, 26, 27)"
    sheet = f"{BOARD}.sheet.theme"
    assert page.evaluate(f"{sheet}.sheet") == "#202223"
    page.emulate_media(color_scheme="light")
    until(page, f"{sheet}.sheet === '#ffffff'")


@pytest.mark.parametrize(("motion", "moves"), [("reduce", 0), ("no-preference", 1)])
def test_nothing_moves_by_preference(open_page: Open, server: Server, motion: str, moves: int) -> None:
    puzzle = 53 + moves
    page = open_page(reduced_motion=motion)
    open_puzzle(page, server, "heart", puzzle)
    page.evaluate("window.moved = 0; addEventListener('transitionrun', (e) => (moved += e.target.matches('.frame')))")
    for row, column in filled(HEART):
        click(page, row, column)
    page.wait_for_selector(".finished")
    page.evaluate("new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(told)))")
    assert page.evaluate("moved") == moves
    duration = page.evaluate("getComputedStyle(document.querySelector('button')).transitionDuration")
    assert (duration == "0s") == (motion == "reduce")


def test_a_screen_reader_hears_the_cell_and_its_clues(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 55, "free")
    live = page.locator(".board-live")
    assert live.get_attribute("aria-live") == "polite"
    page.keyboard.press("Tab")
    page.focus(CANVAS)
    press(page, "ArrowDown")
    assert live.inner_text() == "Row 2, column 1: open. Row 2: 5 · Column 1: 2"
    press(page, "Enter")
    assert live.inner_text().startswith("Row 2, column 1: filled.")
    assert "No. 55, 5 rows, 5 columns" in page.locator(CANVAS).get_attribute("aria-label")
    open_puzzle(page, server, "towers", 5)
    page.focus(CANVAS)
    press(page, "ArrowRight Backspace Shift+2 Shift+3")  # what another look of this test has left goes
    assert live.inner_text() == "notes 2 3. Row 1, column 2 · from the left 2, right 2, top 2, bottom 2"


def test_the_focus_is_seen(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 56)
    for _ in range(14):
        page.keyboard.press("Tab")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid" or page.evaluate("document.activeElement === document.body")


def contrast(one: str, other: str) -> float:
    """The ratio of two shades, 1 to 21, as WCAG 2 has it."""

    def luminance(shade: str) -> float:
        parts = [int(shade[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


WRITTEN = f"""() => {{
    const {{ face: {{ context }}, sheet }} = {BOARD};
    const found = [];
    const one = new OffscreenCanvas(1, 1).getContext("2d", {{ willReadFrequently: true }});
    const shade = (parts) => "#" + [...parts].slice(0, 3).map((part) => part.toString(16).padStart(2, "0")).join("");
    const fillText = context.fillText.bind(context);
    context.fillText = (text, x, y, ...room) => {{
        const {{ x: across, y: down }} = context.getTransform().transformPoint({{ x, y }});
        one.drawImage(context.canvas, Math.round(across), Math.round(down), 1, 1, 0, 0, 1, 1);
        const {{ data }} = one.getImageData(0, 0, 1, 1);
        found.push([String(text), context.fillStyle, shade(data)]);
        fillText(text, x, y, ...room);
    }};
    sheet.paintAll();
    delete context.fillText;
    return found;
}}"""
"""Each text of the board as it is painted: its ink, and what is there before, in the middle of it."""


def legible(page: Any) -> set[str]:
    """The texts on the board, all of them 4.5:1 on what they stand on, as WCAG asks."""
    written = page.evaluate(WRITTEN)
    assert [one for one in written if contrast(*one[1:]) < 4.5] == []
    return {text for text, _, _ in written}


@pytest.mark.parametrize("scheme", DARK)
def test_what_is_written_on_the_board_can_be_read(open_page: Open, server: Server, scheme: str) -> None:
    """Which axe cannot see. A settled clue has a line through it, too."""
    page = open_page(color_scheme=scheme)
    open_puzzle(page, server, "heart", 53, "free")
    drag(page, (4, 0), (4, 4))  # more than the clue has
    settled(page)
    assert legible(page) == {"1", "2", "3", "4", "5"}
    click(page, 0, 1)
    click(page, 0, 3)
    settled(page)  # a settled clue, where the pointer is
    assert legible(page) == {"1", "2", "3", "4", "5"}
    open_puzzle(page, server, "flag", 5, "free")
    click(page, 0, 0)
    settled(page)
    assert legible(page) == {"1", "2", "3", "4"}
    open_puzzle(page, server, "towers", 6)
    click(page, 0, 0)
    press(page, "1 ArrowRight Shift+2 Shift+4 ArrowRight 4")
    settled(page)
    assert page.evaluate(f"{BOARD}.wrong.size") == 1  # red, and written on
    assert legible(page) == {"1", "2", "3", "4"}
    visit(page, f"{server.origin}/#/make/pack/heart/58")
    page.wait_for_selector(".light[data-verdict][data-busy=false]", timeout=120_000)
    assert legible(page) == {"1", "2", "3", "4", "5"}


BEHIND = """(cells) => cells.map((cell) => {
    const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const seen = (...shades) => {
        for (const shade of shades) Object.assign(context, { fillStyle: shade }).fillRect(0, 0, 1, 1);
        const { data } = context.getImageData(0, 0, 1, 1);
        return "#" + [...data].slice(0, 3).map((part) => part.toString(16).padStart(2, "0")).join("");
    };
    const button = cell.querySelector("button");
    const page = getComputedStyle(document.body).backgroundColor;
    const around = [page, getComputedStyle(cell).backgroundColor, getComputedStyle(button).backgroundColor];
    return [seen(getComputedStyle(button).color), seen(...around)];
})"""
"""The ink of cells and what is behind it, layers mixed as they are painted."""


@pytest.mark.parametrize("scheme", DARK)
def test_times_can_be_read_on_the_heat_map(open_page: Open, scheme: str) -> None:
    page = open_page("#/studies/small.sqlite", color_scheme=scheme)
    page.locator("summary", has_text="Heat map").click()
    page.locator("td.heat").nth(7).wait_for()
    found = page.locator("td.heat").evaluate_all(BEHIND)
    assert len({behind for _, behind in found}) > 2  # shades, by time
    assert [one for one in found if contrast(*one) < 4.5] == []


@pytest.mark.parametrize("scheme", DARK)
def test_a_code_is_black_on_white_in_the_dark_too(open_page: Open, scheme: str) -> None:
    """As phones read it: black and white alone, white around it, at least three pixels a module."""
    page = open_page("#/make/pack/dog/1", color_scheme=scheme)
    page.wait_for_selector(CANVAS)
    page.get_by_role("button", name="Share", exact=True).click()
    page.locator("canvas.code").wait_for()
    modules, shades, around, wide = page.locator("canvas.code").evaluate(
        """(canvas) => {
            const { width } = canvas;
            const { data } = canvas.getContext("2d").getImageData(0, 0, width, width);
            const shade = (at) => [...data.slice(4 * at, 4 * at + 4)].join();
            const all = Array.from({ length: width * width }, (_, at) => shade(at));
            const outside = (at) => Math.min(at % width, Math.floor(at / width), width - 1 - (at % width)) < 4;
            const around = all.filter((_, at) => outside(at));
            return [width, [...new Set(all)].sort(), [...new Set(around)], canvas.getBoundingClientRect().width];
        }"""
    )
    assert shades == ["0,0,0,255", "255,255,255,255"]
    assert around == ["255,255,255,255"]
    assert wide / modules >= 3
    style = "(canvas) => [getComputedStyle(canvas).filter, getComputedStyle(canvas).opacity]"
    assert page.locator("canvas.code").evaluate(style) == ["none", "1"]
