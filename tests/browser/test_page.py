"""The page itself: it opens by the token, says where it is, and fails in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boards import BOARD, CANVAS, click, drag, kept, open_puzzle, press, settled, shown, until, visit
from serving import Server


def test_the_page_opens_in_play_and_hides_the_token(open_page: Callable[..., Any]) -> None:
    page = open_page()
    page.wait_for_selector(".pack-card")
    assert page.title() == "Play · nonosat"
    assert "token" not in page.url
    assert page.locator("nav a[aria-current=page]").inner_text() == "Play"


def test_missing_pages_are_reported_in_one_line(open_page: Callable[..., Any]) -> None:
    page = open_page("#/play/nothing")
    assert page.locator("[role=alert]").inner_text() == "no such pack"
    assert all("404" in complaint for complaint in page.complaints)  # Chromium reports it, Firefox does not
    page.complaints.clear()


def test_the_skip_link_stays_in_its_room(open_page: Callable[..., Any]) -> None:
    page = open_page("#/make/mine")
    page.locator("h1", has_text="Puzzles").wait_for()
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    until(page, "document.activeElement.id === 'room'")
    until(page, "location.hash === '#/make/mine'")
    assert page.locator("h1").inner_text() == "Puzzles"


def test_a_walk_through_the_rooms(open_page: Callable[..., Any], server: Server) -> None:
    """By mouse and keys."""
    server.enter()
    page = open_page()
    page.wait_for_selector(".pack-card")
    open_puzzle(page, server, "first", 1, "free")
    drag(page, (1, 0), (1, 2))
    page.keyboard.press("Control+z")
    press(page, "ArrowDown Enter")
    settled(page)
    assert kept(server, "first", 1)["cells"] == [value for row in shown(page) for value in row]
    assert sum(value == 1 for row in shown(page) for value in row) == 1
    page.get_by_role("link", name="Make", exact=True).click()
    page.locator("[data-way=drawn]").wait_for()
    until(page, f"{BOARD}?.view.x.length > 0")
    click(page, 2, 2)
    page.locator(".light strong", has_text="Solvable by lines").wait_for()
    visit(page, f"{server.origin}/#/watch?pack=first&puzzle=1")
    page.locator(f".lane {CANVAS}").wait_for()
    page.get_by_role("button", name="Solve", exact=True).last.click()
    page.locator(".lane-status", has_text="no other").wait_for()
    visit(page, f"{server.origin}/#/explain?pack=first&puzzle=1")
    page.locator(".steps li").first.wait_for()
    page.get_by_role("button", name="Next").click()
    until(page, "location.hash.includes('step=1')")
