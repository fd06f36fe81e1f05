"""How fast the workbench paints: a drag over 100x100, opening 512x512, the first paint; a 10x10 on a shelf of 200 with
a 512x512; the longest block of the page while a 512x512 is pasted; and the bytes of its files.

``python benchmarks/workbench.py [--rounds N]``; Debian's chromium without a screen, which paints by the processor
alone. Milliseconds, median and largest; the time of the processor that the machine gave to others counts too.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from boards import BOARD, drag, open_puzzle, settled
from packs_made import write_large
from serving import Server

import nonosat
from nonosat.app.server import STATIC
from nonosat.app.wire import puzzle_to_wire
from nonosat.puzzles.formats import dumps
from nonosat.puzzles.nonogram import Nonogram

WATCHED = f"""() => {{
    const {{ sheet }} = {BOARD};
    const flush = sheet.flush.bind(sheet);
    window.spent = [];
    sheet.flush = () => {{
        const began = performance.now();
        flush();
        spent.push(performance.now() - began);
    }};
}}"""
OPENED = """async (address) => {
    const began = performance.now();
    location.hash = address;
    while (!(document.querySelector(".board")?.boardView.view.x.length > 0)) {
        await new Promise((done) => setTimeout(done, 2));
    }
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return performance.now() - began;
}"""
SHELF = 200
PASTED = """async (text) => {
    const blocks = [0];
    const seen = new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => blocks.push(duration)));
    seen.observe({ type: "longtask" });
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    const done = () => document.querySelector(".board")?.boardView?.puzzle.width === 512 &&
        document.querySelector(".light[data-verdict][data-busy=false]");
    while (!done()) await new Promise((next) => setTimeout(next, 50));
    await new Promise((next) => setTimeout(next, 200));
    seen.disconnect();
    return Math.max(...blocks);
}"""
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"


def main() -> None:
    """Measure, and print a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    data = Path(tempfile.mkdtemp())
    write_large(data)
    server = Server(data)
    server.enter()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            tell("first paint", [first_paint(browser, server) for _ in range(rounds)])
            page = entered(browser, server)
            tell("a frame of a drag over 100x100", [ms for _ in range(rounds) for ms in frames(page, server)])
            tell("512x512 opened", [opened(page, server, "large", 2) for _ in range(rounds)])
            numbers = stocked(server)
            tell(f"10x10 of a shelf of {SHELF} opened", [opened(page, server, "own", number) for number in numbers])
            tell("longest block, 512x512 pasted", [blocked(page, server) for _ in range(rounds)])
            browser.close()
    finally:
        server.close()
    print(f"static files: {sum(path.stat().st_size for path in STATIC.rglob('*') if path.is_file()):,} bytes")


def tell(what: str, figures: list[float]) -> None:
    """A line."""
    print(f"{what}: median {statistics.median(figures):.1f} ms, largest {max(figures):.1f} ms, n = {len(figures)}")


def entered(browser: Any, server: Server) -> Any:
    """A page of a new context, which has nothing in its cache."""
    context = browser.new_context(viewport={"width": 1200, "height": 820})
    name, _, value = server.cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": server.origin, "sameSite": "Strict"}])
    return context.new_page()


def first_paint(browser: Any, server: Server) -> float:
    """From the address to the first contents."""
    page = entered(browser, server)
    page.goto(server.origin + "/")
    page.wait_for_selector(".pack-card")
    found: float = page.evaluate(PAINT)
    page.context.close()
    return found


def frames(page: Any, server: Server) -> list[float]:
    """What each frame of three drags takes, clues and all."""
    page.goto(server.origin + "/#/play/large")  # who is at the board already would not open it anew
    page.wait_for_selector(".puzzle-card")
    open_puzzle(page, server, "large", 1, "free")
    page.reload()
    page.wait_for_selector("canvas.board-canvas")
    settled(page)
    page.evaluate(WATCHED)
    for line in (20, 50, 80):
        drag(page, (line, 0), (line, 99))
        drag(page, (0, line), (99, line))
    settled(page)
    spent: list[float] = page.evaluate("spent")
    return spent


def opened(page: Any, server: Server, pack: str, puzzle: int) -> float:
    """From the click on a card to the painted board."""
    page.goto(f"{server.origin}/#/play/{pack}")
    page.wait_for_selector(f"[href='#/play/{pack}/{puzzle}']")
    took: float = page.evaluate(OPENED, f"#/play/{pack}/{puzzle}")
    return took


def stocked(server: Server) -> list[int]:
    """A shelf of one 512x512 and 10x10s: the numbers of some of these."""
    numbers = []
    for seed, side in enumerate([512] + [10] * (SHELF - 1)):
        puzzle = nonosat.random_density(side, side, 0.6, seed=seed)
        status, answer = server.post("/api/make/save", {"puzzle": puzzle_to_wire(puzzle)})
        assert status == 200, answer
        numbers.append(answer["id"])
    return numbers[1::20]


def blocked(page: Any, server: Server) -> float:
    """Milliseconds of the longest task of the page, 0 below 50, from a paste into Make until all is said of it."""
    page.goto(server.origin + "/#/make/new")
    page.reload()
    page.wait_for_selector(".light[data-verdict][data-busy=false]")
    drawn = nonosat.random_density(512, 512, 0.5, seed=1)
    took: float = page.evaluate(PASTED, dumps(Nonogram(drawn.rows, drawn.columns), "mk"))
    return took


if __name__ == "__main__":
    main()
