"""What tests of pages need: a server, a browser, and pages that may not look elsewhere or complain.

They are skipped, with a reason, where there is no playwright or no chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from features import LOOKS, TESTS, Look, told
from packs_made import write_packs
from sampling import RARE
from serving import Server

from nonosat.making.editing import warm

STUDY = """
encodings = ["tight+r3+order"]
solvers = ["minisat22", "propagation"]
[[puzzles]]
generator = "density"
sizes = [8]
densities = [0.5]
count = 4
"""
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")


FIREFOX_TOO = {
    *("test_a_walk_through_the_rooms", "test_the_page_opens_in_play_and_hides_the_token"),
    *("test_a_puzzle_is_solved_by_the_keyboard_alone", "test_a_stroke_is_one_move", "test_feature_05_uncover_and_mark"),
    *("test_the_first_nonogram_is_solved_by_the_hints_of_the_page", "test_ones_own_puzzle_is_played"),
    *("test_a_text_is_pasted_and_a_wrong_one_refused", "test_a_cell_of_the_heat_map_opens_its_run"),
    *("test_feature_12_solve_fills_the_board_and_shows_the_time", "test_axe_finds_nothing"),
    *("test_an_explanation_is_walked_and_begins_anywhere", "test_no_stroke_of_play_or_make_is_lost_by_kills"),
    *("test_moves_wait_for_the_server_and_are_sent_to_the_next_one", "test_missing_pages_are_reported_in_one_line"),
    "test_the_board_stays_under_the_pointer_when_the_server_goes_and_comes",
}
"""Tests of pages that are slow in Firefox, too: each room once, and what loses no move. There, others are nightly."""

DAILY = {
    *("test_a_walk_through_the_rooms", "test_a_stroke_is_one_move", "test_no_stroke_of_play_or_make_is_lost_by_kills"),
    *("test_axe_finds_nothing", "test_ones_own_puzzle_is_played", "test_a_cell_of_the_heat_map_opens_its_run"),
}
"""The default run has these of them, in Chromium: each room is opened, and no move is lost. All others are slow."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Before ``-m`` chooses."""
    for item in items:
        if "browser" not in getattr(item, "fixturenames", ()):
            continue
        item.user_properties.append(("look", [item.originalname, item.callspec.params["browser"].name]))
        if item.originalname not in DAILY:
            item.add_marker(pytest.mark.slow)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each test of a page runs in Chromium, and in Firefox, too: among the slow ones (``FIREFOX_TOO``) or nightly.

    Those of a feature run in all looks, nightly. ``chromium`` marks what playwright has for it alone. In Firefox fields
    are typed into (one that a script has filled tells no change), requests are not held (they are sent on without their
    body), fingers are events that a script makes, phones are a preference, and a lost page is opened in a new tab.
    """
    if "browser" not in metafunc.fixturenames:
        return
    test = metafunc.definition.originalname
    chromium = metafunc.definition.get_closest_marker("chromium")
    looks = []
    for look in LOOKS:
        first = look == Look(look.engine)
        other_scheme = look.scheme == "dark" and "scheme" in metafunc.fixturenames
        if (look.engine == "firefox" and chromium) or not (first or (test in TESTS and not other_scheme)):
            continue
        marks = RARE if not first else () if look.engine == "chromium" else RARE[: 1 if test in FIREFOX_TOO else 2]
        looks.append(pytest.param(look, id=look.name, marks=marks))
    metafunc.parametrize("browser", looks, indirect=True)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Where features were tried in all looks: a table."""
    outcomes = defaultdict(list)
    for outcome in ("passed", "failed", "error", "skipped"):
        for report in terminalreporter.stats.get(outcome, []):
            for test, look in (value for name, value in getattr(report, "user_properties", ()) if name == "look"):
                outcomes[test, look].append(outcome)
    if any("narrow" in look for _, look in outcomes):
        terminalreporter.section("features by browser, size and scheme")
        terminalreporter.write("\n".join(told(outcomes)) + "\n")


@pytest.fixture(scope="session")
def playwright() -> Iterator[Any]:
    """Playwright. Code that pages need is compiled before, for minutes on a busy machine with a new environment."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    warm()
    with sync_api.sync_playwright() as found:
        yield found


@pytest.fixture(scope="session")
def browser(playwright: Any, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Debian's Chromium or Firefox, in one look; playwright's own are not downloaded."""
    found = Browsers(playwright, request.param, tmp_path_factory.mktemp("downloads"))
    yield found
    found.close()


class Browsers:
    """One engine and its contexts. Firefox has a process for each choice of colours and motion: its preferences."""

    def __init__(self, playwright: Any, look: Look, downloads: Path) -> None:
        self.playwright, self.look, self.engine, self.downloads = playwright, look, look.engine, downloads
        self.started: dict[tuple[tuple[str, int], ...], Any] = {}

    def new_context(self, **options: Any) -> Any:
        """As playwright's; skipped where this engine, or a playwright that can drive it, is not there."""
        options = {**self.look.options, **options}
        if self.engine == "chromium":
            return self.running(()).new_context(**options)
        for chromiums in ("is_mobile", "offline"):
            options.pop(chromiums, None)
        dark, calm = options.pop("color_scheme", "light") == "dark", options.pop("reduced_motion", None) == "reduce"
        preferences = (("layout.css.prefers-color-scheme.content-override", 0 if dark else 1),)
        preferences += (("ui.prefersReducedMotion", int(calm)),)
        if options.get("has_touch"):
            preferences += (("ui.primaryPointerCapabilities", 1), ("ui.allPointerCapabilities", 1))  # coarse
        try:
            return self.running(preferences).new_context(**options)
        except self.playwright_error() as error:
            if "unknown command" not in str(error):
                raise
            pytest.skip(f"this playwright is for a later Firefox: {str(error).splitlines()[0]}")

    def new_page(self, **options: Any) -> Any:
        """A page in a context of its own."""
        return self.new_context(**options).new_page()

    def running(self, preferences: tuple[tuple[str, int], ...]) -> Any:
        """The browser with these preferences."""
        if preferences not in self.started:
            self.started[preferences] = self.launched(dict(preferences))
        return self.started[preferences]

    def launched(self, preferences: dict[str, int]) -> Any:
        """A new process."""
        program = CHROMIUM if self.engine == "chromium" else FIREFOX
        if program is None:
            pytest.skip(f"there is no {self.engine}")
        if self.engine == "chromium":
            return self.playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        how = {"channel": "moz-firefox", "firefox_user_prefs": preferences}  # by WebDriver BiDi, as Firefox is
        return self.playwright.firefox.launch(executable_path=program, downloads_path=self.downloads, **how)

    def downloaded(self, page: Any, begin: Callable[[], None]) -> Path:
        """The file that ``begin`` downloads, by its name. Playwright hears of Chromium's only."""
        if self.engine == "chromium":
            with page.expect_download(timeout=120_000) as downloading:
                begin()
            path = self.downloads / downloading.value.suggested_filename
            downloading.value.save_as(path)
            return path
        for path in self.downloads.iterdir():
            path.unlink()  # else a second file of one name gets another
        begin()
        for _ in range(1200):
            new = list(self.downloads.iterdir())
            if new and all(path.suffix != ".part" and path.stat().st_size for path in new):
                return new.pop()
            page.wait_for_timeout(100)
        raise AssertionError("nothing was downloaded")

    @staticmethod
    def playwright_error() -> Any:
        from playwright.sync_api import Error

        return Error

    def close(self) -> None:
        """End its processes."""
        for found in self.started.values():
            found.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server with nothing played yet."""
    found = Server(tmp_path / "data")
    yield found
    found.close()


@pytest.fixture(scope="module")
def played(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for a file's tests in one browser: what that has played is not there for the other one.

    It has the packs of ``packs_made``; ``server`` is it where a file says so.
    """
    data = tmp_path_factory.mktemp("played")
    write_packs(data)
    found = Server(data)
    found.enter()
    yield found
    found.close()


@pytest.fixture(scope="session")
def studied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the store of a study."""
    folder = tmp_path_factory.mktemp("studies")
    (folder / "small.toml").write_text(STUDY)
    command = [sys.executable, "-m", "nonosat", "study", "run", "small.toml", "--jobs", "1"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture
def open_page(browser: Any, server: Server) -> Iterator[Callable[..., Any]]:
    """``open_page(hash, **options)``: a page in a browser context of its own (``options`` are playwright's).

    The first page of a server that nobody has entered brings the token. When the test ends: no request has left the
    server, and nothing was complained of in the console. A test that means an error strikes it off ``page.complaints``.
    """
    contexts, pages = [], []

    def opened(place: str = "", *, context: Any = None, **options: Any) -> Any:
        if context is None:
            context = browser.new_context(**options)
            context.set_default_timeout(120_000)  # a busy machine paints late
            if server.cookie:
                name, _, value = server.cookie.partition("=")
                context.add_cookies([{"name": name, "value": value, "url": server.origin, "sameSite": "Strict"}])
            contexts.append(context)
        page = context.new_page()
        page.complaints, page.elsewhere = [], []
        page.on("console", lambda said: said.type in ("error", "warning") and page.complaints.append(said.text))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on("request", lambda asked: _inside(asked.url, server) or page.elsewhere.append(asked.url))
        pages.append(page)
        page.goto((server.origin + "/" if server.cookie else server.url) + place)
        return page

    yield opened
    complaints = [text for page in pages for text in page.complaints]
    elsewhere = [url for page in pages for url in page.elsewhere]
    for context in contexts:
        context.close()
    assert complaints == []
    assert elsewhere == []


def _inside(url: str, server: Server) -> bool:
    return url.startswith((server.origin + "/", "data:", "blob:" + server.origin))
