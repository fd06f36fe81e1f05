"""What tests of pages need: a server, a browser, and pages that may not look elsewhere or complain.

They are skipped, with a reason, where there is no playwright or no chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from packs_made import write_packs
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


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's chromium; playwright's own is not downloaded."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no chromium")
    warm()  # in a new environment code is compiled first, for minutes on a busy machine: no page waits for that
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server with nothing played yet."""
    found = Server(tmp_path / "data")
    yield found
    found.close()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests of a file, with the packs of ``packs_made``; ``server`` is it where a file says so."""
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
            context = browser.new_context(**{"viewport": {"width": 1200, "height": 820}, **options})
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
