"""The page itself: it opens by the token, says where it is, and fails in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def test_the_page_opens_in_play_and_hides_the_token(open_page: Callable[..., Any]) -> None:
    page = open_page()
    page.wait_for_selector(".pack-card")
    assert page.title() == "Play · nonosat"
    assert "token" not in page.url
    assert page.locator("nav a[aria-current=page]").inner_text() == "Play"


def test_what_is_not_there_is_told_in_one_line(open_page: Callable[..., Any]) -> None:
    page = open_page("#/play/nothing")
    assert page.locator("[role=alert]").inner_text() == "no such pack"
    [complaint] = page.complaints
    assert "404" in complaint
    page.complaints.clear()
