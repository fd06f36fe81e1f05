"""The pictures of README and docs/workbench.md: `make screenshots` writes docs/images/*.png, light and dark.

A page is a line in `PAGES`: its name, its address, and what is done there before it is taken.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from boards import BOARD, CANVAS, click, press, until
from serving import Server

IMAGES = Path(__file__).parents[2] / "docs" / "images"
EXAMPLES = Path(__file__).parents[2] / "examples"
WIDE, NARROW = (1200, 780), (390, 780)
CHROMIUM = "/usr/bin/chromium"
COLOURS = 64
"""Of a picture that is written; the pages have few."""


class Page(NamedTuple):
    """``schemes``: light, dark or both; ``size`` in CSS pixels."""

    name: str
    address: str
    prepare: Callable[[Any, Server], None] = lambda page, server: None
    schemes: tuple[str, ...] = ("light",)
    size: tuple[int, int] = WIDE


def play(server: Server, pack: str, puzzle: str, share: float, style: str = "lives", errors: int = 0) -> None:
    """Play the first ``share`` of a puzzle's filled cells, without a page."""
    found = server.get(f"/api/play/packs/{pack}/{puzzle}")
    goal, version = found["goal"], found["play"]["version"]
    filled = [[cell, value] for cell, value in enumerate(goal) if value]
    blank = [[cell, 0] for cell, value in enumerate(goal) if value == 0]
    wrong = [[cell, 1] for cell, value in enumerate(goal) if value != 1][-errors * 7 :: 7] if errors else []
    moves = [filled[: round(share * len(filled))]]
    if share < 1:
        moves += [blank[: round(share * len(blank))], *([change] for change in wrong)]
    for do, more in [("restart", {"style": style}), *(("move", {"changes": changes}) for changes in moves if changes)]:
        body = {"pack": pack, "puzzle": puzzle, "do": do, "version": version, "seconds": 41, **more}
        status, answer = server.post("/api/play/do", body)
        assert status == 200, answer
        version = answer["version"]


def played(
    pack: str, puzzle: str, share: float, style: str = "lives", errors: int = 0
) -> Callable[[Any, Server], None]:
    """A game under way; the cursor stands somewhere in it."""

    def prepare(page: Any, server: Server) -> None:
        play(server, pack, puzzle, share, errors=errors)
        page.goto(f"{server.origin}/#/play/{pack}/{puzzle}")
        page.wait_for_selector(f"{CANVAS}, .finished")
        if share < 1:
            page.focus(CANVAS)
            press(page, "ArrowDown " * 4 + "ArrowRight " * 3)

    return prepare


def trial(page: Any, server: Server) -> None:
    """Free play, with a trial begun."""
    play(server, "pictures", "7", 0.55, "free")
    page.goto(f"{server.origin}/#/play/pictures/7")
    page.get_by_role("button", name="Try something").click()
    page.wait_for_selector(".trial")
    page.focus(CANVAS)
    press(page, "ArrowDown " * 11 + "Control+ArrowRight " * 4)
    until(page, f"{BOARD}.trial.size > 0")


def some_solved(page: Any, server: Server) -> None:
    """Cards of every kind."""
    for puzzle in ("1", "2", "3", "5", "6"):
        play(server, "pictures", puzzle, 1)
    play(server, "pictures", "4", 1, "free")
    play(server, "pictures", "8", 0.4)
    page.reload()
    page.wait_for_selector(".face canvas")


def lesson(page: Any, server: Server) -> None:
    """The first nonogram, one step in."""
    page.wait_for_selector(".lesson p")
    until(page, f"{BOARD}.view.x.length > 0")
    for column in range(5):
        click(page, 2, column)
    page.wait_for_selector(".lesson:has-text('Step 2')")


def towers(page: Any, server: Server) -> None:
    """Skyscrapers with notes."""
    play(server, "city", "4", 0.4, "free")
    page.goto(f"{server.origin}/#/play/city/4")
    page.wait_for_selector(CANVAS)
    page.focus(CANVAS)
    press(page, "ArrowDown " * 3 + "Shift+1 Shift+3 Shift+5 ArrowRight Shift+2 Shift+4 ArrowRight Shift+1 Shift+6")


def looked(page: Any) -> None:
    """The light of Make says something of the puzzle as it is now."""
    page.wait_for_selector(".light[data-busy=false]", timeout=120_000)  # where code must be compiled first


def drawn(page: Any, server: Server) -> None:
    """A drawing with some solutions, and its heat map."""
    page.goto(f"{server.origin}/#/make/pack/things/2")
    page.wait_for_selector(CANVAS)
    looked(page)
    for cell in ((12, 2), (13, 3), (1, 13), (2, 12)):
        click(page, *cell)
    looked(page)


def typed(page: Any, server: Server) -> None:
    """Clues that are typed."""
    page.goto(f"{server.origin}/#/make/pack/colours/6")
    page.wait_for_selector(CANVAS)
    looked(page)
    page.get_by_role("button", name="Type clues").click()
    looked(page)


def image(page: Any, server: Server) -> None:
    """The dialog for images, with its preview."""
    page.wait_for_selector(CANVAS)
    looked(page)
    page.get_by_role("button", name="Image…").click()
    page.locator("input[type=file]").set_input_files(EXAMPLES / "pictures" / "20-cherries.png")
    page.wait_for_selector(".preview canvas", timeout=120_000)


HALF_FULL = """() => {
    const range = document.querySelector(".timeline input[type=range]");
    const hold = (time) => ((range.value = time), range.dispatchEvent(new Event("input")));
    const share = ({ boardView: { cells } }) => cells.filter((value) => value >= 0).length / cells.length;
    const full = (time) => (hold(time), [...document.querySelectorAll(".lane .board")].map(share));
    const half = (known, lane) => Math.sqrt(known * (1 - known)) / (lane + 1);
    const worth = (time) => full(time).map(half).reduce((sum, one) => sum + one);
    const times = [...Array(1000).keys()].map((time) => [worth(time), time]);
    hold(times.reduce((best, other) => (other[0] > best[0] ? other : best))[1]);
}"""
"""Hold the searches where their boards, the first ones before all, are neither empty nor full."""


def raced(page: Any, server: Server) -> None:
    """Four searches side by side, held while they work."""
    page.locator(".board-canvas").first.wait_for()
    for _ in range(3):
        page.get_by_role("button", name="Add a solver").click()
    for number, name in enumerate(("propagation", "elimination", "beliefs", "minisat22")):
        page.get_by_label("Solver", exact=True).nth(number).select_option(name)
    page.get_by_role("button", name="Solve", exact=True).last.click()
    for lane in range(4):
        page.locator(".lane-status").nth(lane).filter(has_text="no other").wait_for(timeout=120_000)
    page.evaluate(f"({HALF_FULL})()")


def explained(page: Any, server: Server) -> None:
    """Some steps into an explanation."""
    page.locator("text=: solved.").wait_for(timeout=120_000)  # all steps are there
    page.locator(".steps button").nth(24).click()


def compared(page: Any, server: Server) -> None:
    """The formulas of all encodings."""
    page.locator("tbody tr:nth-child(22)").wait_for(timeout=120_000)
    page.get_by_role("button", name="tight+r3+direct", exact=True).click()


BOTH = ("light", "dark")
PAGES = [
    Page("pack", "#/play/pictures", some_solved, BOTH),
    Page("packs", "#/play", schemes=BOTH),
    Page("lesson", "#/play/learn/1", lesson),
    Page("play", "#/play", played("pictures", "10", 0.6, errors=1), BOTH),
    Page("trial", "#/play", trial),
    Page("colours", "#/play", played("colours", "6", 0.6), BOTH),
    Page("finished", "#/play", played("colours", "7", 1)),
    Page("towers", "#/play", towers),
    Page("make", "#/make", drawn, BOTH),
    Page("make-clues", "#/make", typed),
    Page("make-image", "#/make", image),
    Page("make-narrow", "#/make", drawn, size=NARROW),
    Page("watch", "#/watch?pack=pictures&puzzle=12", raced, BOTH, (1280, 800)),
    Page("encodings", "#/watch/encodings?pack=pictures&puzzle=12", compared),
    Page("explain", "#/explain?pack=pictures&puzzle=10", explained, BOTH),
    Page("explain-narrow", "#/explain?pack=pictures&puzzle=10", explained, size=NARROW),
    Page("narrow", "#/play", played("pictures", "7", 0.6), BOTH, NARROW),
]


def take(folder: Path, names: list[str]) -> None:
    """Write the pictures of these pages, of all if none is named."""
    folder.mkdir(parents=True, exist_ok=True)
    server = Server(Path(tempfile.mkdtemp()))
    server.enter()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for page in PAGES:
                for scheme in page.schemes if not names or page.name in names else ():
                    _write(folder / f"{page.name}-{scheme}.png", _taken(browser, server, page, scheme))
            browser.close()
    finally:
        server.close()


def _taken(browser: Any, server: Server, page: Page, scheme: str) -> bytes:
    width, height = page.size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        reduced_motion="reduce",
        device_scale_factor=1.5,
    )
    name, _, value = server.cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": server.origin, "sameSite": "Strict"}])
    found = context.new_page()
    found.set_default_timeout(60000)
    found.goto(f"{server.origin}/{page.address}")
    found.wait_for_selector("main > .place > *")
    page.prepare(found, server)
    found.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found.evaluate("document.getElementById('notice').textContent = ''")
    picture: bytes = found.screenshot()
    context.close()
    return picture


def _write(path: Path, picture: bytes) -> None:
    with Image.open(io.BytesIO(picture)) as image:
        few = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        few.save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    take(IMAGES, sys.argv[1:])
