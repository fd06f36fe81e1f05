"""Hands for a board on a page: where its cells are, and what they hold."""

from __future__ import annotations

import time
from typing import Any

BOARD = "document.querySelector('.board')?.boardView"
CANVAS = "canvas.board-canvas"


def open_puzzle(page: Any, server: Any, pack: str, puzzle: int, style: str | None = None) -> None:
    """Go to a puzzle, in a style of play, and wait for its board."""
    if style is not None:
        play = server.get(f"/api/play/packs/{pack}/{puzzle}")["play"]
        body = {"pack": pack, "puzzle": str(puzzle), "do": "restart", "style": style, "version": play["version"]}
        assert server.post("/api/play/do", body)[0] == 200
    visit(page, f"{server.origin}/#/play/{pack}/{puzzle}")
    until(page, f"{BOARD}?.view.x.length > 0")


def visit(page: Any, address: str) -> None:
    """Go to an address, and wait until what the page showed before, which may look like it, is gone."""
    if page.url != address:
        page.evaluate("document.querySelector('.place')?.setAttribute('data-former', '')")
    page.goto(address)
    until(page, "document.querySelector('.place:not([data-former])')?.firstChild")


def until(page: Any, condition: str) -> None:
    """Wait until an expression is true; one that cannot be evaluated yet, since what it reads is not there, is not.
    (Playwright's ``wait_for_function`` is JavaScript's ``eval``, which the page's policy forbids.)"""
    attempt = f"() => {{ try {{ return [!!({condition}), ''] }} catch (error) {{ return [false, String(error)] }} }}"
    late = time.monotonic() + 120  # as `open_page` has it for playwright's own: a busy machine paints late
    while time.monotonic() < late:
        true, error = page.evaluate(attempt)
        if true:
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"not in two minutes: {condition} {error}")


class HeldRequests:
    """The requests of a page to a pattern of addresses, which wait until they are let go.

    A page says that it waits before playwright tells of the request, so ``[number]`` waits for it.
    """

    def __init__(self, page: Any, pattern: Any) -> None:
        self.page, self.pattern, self.routes, self.gone = page, pattern, [], 0
        page.route(pattern, lambda route: self.routes.append(route))  # playwright wants a function

    def __getitem__(self, number: int) -> Any:
        late = time.monotonic() + 120
        while len(self.routes) <= number:
            assert time.monotonic() < late, f"not in two minutes: request {number + 1} to {self.pattern}"
            self.page.wait_for_timeout(20)
        return self.routes[number]

    def let_go(self) -> None:
        """Send the oldest that waits."""
        self[self.gone].continue_()
        self.gone += 1

    def end(self) -> None:
        """Hold no later ones."""
        self.page.unroute(self.pattern)


def entered(page: Any, room: str) -> None:
    """Wait until a page shows a room ("Make"), with its board: the room before it may have a board as well."""
    until(page, f"document.querySelector('nav [aria-current]')?.textContent === '{room}' && {BOARD}?.view.x.length > 0")


def place(page: Any, row: float, column: float) -> tuple[float, float]:
    """The middle of a cell, in pixels of the page, once its board is there: many a button builds it anew."""
    until(page, f"{BOARD}?.view.x.length > 0")
    x, y = page.evaluate(
        f"""async ([row, column]) => {{
            const board = {BOARD};
            const before = scrollY;
            board.canvas.scrollIntoView({{ block: "nearest" }});
            const frame = () => new Promise((done) => requestAnimationFrame(done));
            if (scrollY !== before) await frame().then(frame); // a pointer is sent to what is painted
            const {{ left, top }} = board.canvas.getBoundingClientRect();
            const {{ x, y, cell }} = board.view;
            return [left + x.origin + (column + 0.5) * cell, top + y.origin + (row + 0.5) * cell];
        }}""",
        [row, column],
    )
    return x, y


def click(page: Any, row: int, column: int, button: str = "left") -> None:
    page.mouse.click(*place(page, row, column), button=button)


def drag(page: Any, *cells: tuple[float, float], button: str = "left") -> None:
    """Press on the first cell, move over the others, release on the last."""
    page.mouse.move(*place(page, *cells[0]))
    page.mouse.down(button=button)
    for cell in cells[1:]:
        page.mouse.move(*place(page, *cell), steps=3)
    page.mouse.up(button=button)


def shown(page: Any) -> list[list[int]]:
    """The board's cells as the page shows them, once it is there."""
    until(page, f"{BOARD}?.view.x.length > 0")
    rows: list[list[int]] = page.evaluate(
        f"""() => {{
            const {{ cells, puzzle }} = {BOARD};
            return Array.from({{ length: puzzle.height }}, (_, row) =>
                Array.from(cells.slice(row * puzzle.width, (row + 1) * puzzle.width)));
        }}"""
    )
    return rows


def kept(server: Any, pack: str, puzzle: int) -> Any:
    """The play as the server keeps it."""
    return server.get(f"/api/play/packs/{pack}/{puzzle}")["play"]


def settled(page: Any) -> None:
    """Wait until the server has been told of every move, and the board is painted."""
    page.evaluate(
        """async () => {
            await document.querySelector(".game").game.session.queue;
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        }"""
    )


def press(page: Any, keys: str) -> None:
    """Press keys (words) on the board."""
    for key in keys.split():
        page.keyboard.press(key)


def refill(field: Any, text: str) -> None:
    """Type a text into a field in the place of what is there: by keys, since Firefox sends no change of a script."""
    field.focus()
    field.press("Control+a")
    field.press_sequentially(text)


def filled(goal: Any) -> list[tuple[int, int]]:
    return [(row, column) for row, line in enumerate(goal) for column, value in enumerate(line) if value]
