"""The page for everybody: axe, a narrow screen, dark, less motion, text at 200 %, a screen reader's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import axe
import pytest
from boards import CANVAS, click, filled, open_puzzle, press, settled, until
from packs_made import HEART
from serving import Server

Open = Callable[..., Any]
NARROW = {"width": 390, "height": 844}


@pytest.fixture
def server(played: Server) -> Server:
    return played


@pytest.fixture(scope="module")
def script() -> str:
    found = axe.source()
    if found is None:
        pytest.skip("axe-playwright-python, which brings axe-core, is not installed")
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(open_page: Open, server: Server, script: str, scheme: str) -> None:
    page = open_page(color_scheme=scheme)
    page.wait_for_selector(".pack-card")
    found = {"packs": axe.violations(page, script)}
    page.goto(f"{server.origin}/#/play/heart")
    page.wait_for_selector(".puzzle-card")
    found["pack"] = axe.violations(page, script)
    open_puzzle(page, server, "heart", 50, "lives")
    click(page, 0, 0)
    settled(page)
    found["lives"] = axe.violations(page, script)
    page.get_by_role("button", name="Free play").click()
    found["question"] = axe.violations(page, script)
    page.locator("dialog").get_by_role("button", name="Start anew").click()
    page.get_by_role("button", name="Try something").click()
    page.wait_for_selector(".trial")
    page.locator("summary").click()
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
        page.goto(f"{server.origin}/{place}")
        page.wait_for_selector(f"{CANVAS}, .card")
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), place
        small = page.evaluate(
            """() => [...document.querySelectorAll("button, main a.card, nav a")]
                .map((found) => found.getBoundingClientRect())
                .filter(({ width, height }) => width && Math.min(width, height) < 32).length"""
        )
        assert small == 0, place
    page.wait_for_selector(CANVAS)  # a card of the page before is no board
    fit = page.evaluate(
        "() => { const { view } = document.querySelector('.board').boardView; return view.cell * view.width }"
    )
    assert fit > 100


def test_it_is_dark_where_that_is_asked_for(open_page: Open, server: Server) -> None:
    page = open_page(color_scheme="dark")
    open_puzzle(page, server, "heart", 52)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(25, 26, 27)"
    sheet = "document.querySelector('.board').boardView.sheet.theme"
    assert page.evaluate(f"{sheet}.open") == "#202223"
    page.emulate_media(color_scheme="light")
    until(page, f"{sheet}.open === '#ffffff'")


@pytest.mark.parametrize(("motion", "moves"), [("reduce", 0), ("no-preference", 1)])
def test_nothing_moves_where_that_is_asked_for(open_page: Open, server: Server, motion: str, moves: int) -> None:
    puzzle = 53 + moves
    page = open_page(reduced_motion=motion)
    open_puzzle(page, server, "heart", puzzle)
    page.add_style_tag  # noqa: B018 - the policy allows no style of another's
    for row, column in filled(HEART):
        click(page, row, column)
    page.wait_for_selector(".finished")
    assert page.evaluate("document.querySelector('.frame').getAnimations().length") == moves
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
    assert "Heart, 5 rows, 5 columns" in page.locator(CANVAS).get_attribute("aria-label")
    open_puzzle(page, server, "towers", 5)
    page.focus(CANVAS)
    press(page, "ArrowRight Shift+2 Shift+3")
    assert live.inner_text() == "notes 2 3. Row 1, column 2 · from the left 2, right 2, top 2, bottom 2"


def test_the_focus_is_seen(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 56)
    for _ in range(14):
        page.keyboard.press("Tab")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid" or page.evaluate("document.activeElement === document.body")
