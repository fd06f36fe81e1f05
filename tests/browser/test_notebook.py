"""``nonosat.widget`` in a real JupyterLab, driven by a browser."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_execute import record
from strays import settled

import nonosat
from nonosat.studies.store import Store

SOURCE = [
    "import nonosat\npuzzle = nonosat.random_density(8, 8, 0.6, seed=4)\nboard = nonosat.widget(puzzle)\nboard",
    "print('answer', board.watch(solver='propagation', closely=10).verdict, board.solved)",
    "board.cells = [[-1] * 8] * 8\nprint('step', board.step().technique)",
]


def test_a_widget_is_played_watched_and_explained_on() -> None:
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    puzzle = nonosat.random_density(10, 10, 0.6, seed=4)
    board = nonosat.widget(puzzle)
    board.board.on_message(None, {"type": "move", "changes": [[0, 1], [1, 0]]}, None)
    assert board.cells[0, :3].tolist() == [1, 0, -1]
    board.board.on_message(None, {"type": "undo"}, None)
    assert (board.cells == -1).all()
    first, second = board.step(), board.step()
    assert first is not None
    assert second is not None
    assert (board.cells >= 0).sum() >= 2
    assert board.board.overlay["outline"]
    assert board.watch(solver="beliefs", closely=10).picture is not None
    assert board.solved
    assert board._repr_mimebundle_()[0]["application/vnd.jupyter.widget-view+json"]
    with pytest.raises(nonosat.errors.NonosatError):
        nonosat.widget(puzzle, np.zeros((3, 3)))


def test_a_running_study_is_shown_as_it_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    from nonosat.app import notebook

    monkeypatch.setattr(notebook, "EVERY_S", 0.01)
    path = tmp_path / "s.sqlite"
    text = 'encodings = ["tight+r3+order"]\nsolvers = ["minisat22"]\n[[puzzles]]\nfiles = ["*.mk"]\n'
    (tmp_path / "a.mk").write_text("1 1\n1\n#\n1\n")
    (tmp_path / "b.mk").write_text("1 2\n2\n#\n1\n1\n")

    def until(board: Any, runs: int, running: bool) -> None:
        deadline = time.monotonic() + 120
        while (board.study["runs"], board.study["running"]) != (runs, running):
            assert time.monotonic() < deadline, board.study
            time.sleep(0.01)

    with Store(path, "s", text) as store:
        board = nonosat.widget(path)
        assert (board.study["title"], board.study["total"], board.study["runs"]) == ("s", 2, 0)
        for count, key in enumerate(("a", "b"), 1):
            store.add(record(key))
            store.flush()
            until(board, count, True)
    until(board, 2, False)
    assert "progress" in board._esm
    with pytest.raises(nonosat.errors.NonosatError, match="no such file"):
        nonosat.widget(tmp_path / "none.sqlite")


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[str]:
    """The address of a JupyterLab with a notebook."""
    pytest.importorskip("jupyterlab", reason="jupyterlab is not installed")
    anywidget = pytest.importorskip("anywidget", reason="anywidget is not installed")
    shared = Path(anywidget.__file__).parents[4] / "share" / "jupyter"  # where its front end was installed
    cells = [
        {
            "cell_type": "code",
            "id": f"cell-{at}",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
            "source": text,
        }
        for at, text in enumerate(SOURCE)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "board.ipynb").write_text(json.dumps(notebook))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--no-browser", "--allow-root", f"--ServerApp.port={port}", "--IdentityProvider.token=secret"]
    environment = {**os.environ, "HOME": str(tmp_path), "JUPYTER_CONFIG_DIR": str(tmp_path / "config")}
    environment["JUPYTER_PATH"] = str(shared)
    process = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", *options, f"--ServerApp.root_dir={tmp_path}"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    whole = tmp_path / "config" / "lab" / "user-settings" / "@jupyterlab" / "notebook-extension"
    whole.mkdir(parents=True)  # all cells are on the page, those out of sight too
    (whole / "tracker.jupyterlab-settings").write_text('{"windowingMode": "none"}')
    try:
        until = time.monotonic() + 120
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/api?token=secret", timeout=5).close()
                break
            except OSError:
                assert time.monotonic() < until, "JupyterLab does not start"
                assert process.poll() is None, "JupyterLab has ended"
                time.sleep(0.3)
        yield f"http://127.0.0.1:{port}/lab/tree/board.ipynb?token=secret"
    finally:
        process.terminate()
        process.wait(30)


def printed(page: Any, text: str) -> None:
    """Wait for an output with ``text``; without it the failure says what the notebook shows."""
    try:
        page.locator(".jp-OutputArea-output", has_text=text).wait_for()
    except Exception as error:
        raise AssertionError(page.locator(".jp-Notebook").inner_text()) from error


def run_all(page: Any, address: str) -> None:
    """Run all cells; where nothing begins, load the page and try again.

    While its kernel connects, JupyterLab drops the command or opens a dialog that offers no kernel.
    """
    from playwright.sync_api import TimeoutError as NotThere

    prompts = page.locator(".jp-Notebook .jp-InputPrompt")
    for _ in range(20):
        page.goto(address)
        with contextlib.suppress(NotThere):
            page.locator(".jp-Notebook .jp-Cell").nth(2).wait_for(timeout=30_000)
            page.locator(".jp-Toolbar-kernelName", has_text="Python 3").wait_for(timeout=30_000)
            page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']").wait_for(timeout=30_000)
            page.get_by_role("menuitem", name="Run", exact=True).click(timeout=10_000)
            page.get_by_role("menuitem", name="Run All Cells", exact=True).click(timeout=10_000)
            if settled(lambda: prompts.first.inner_text() != "[ ]:", 10):
                return
    raise AssertionError(page.locator("body").inner_text())


@pytest.mark.slow
def test_a_board_in_jupyterlab(lab: str, browser: Any) -> None:
    page = browser.new_page(viewport={"width": 1200, "height": 1000})
    page.set_default_timeout(120_000)
    page.on("dialog", lambda dialog: dialog.accept())  # leave a notebook that is not saved
    run_all(page, lab)
    canvas = page.locator(".board-canvas")
    canvas.wait_for()
    printed(page, "answer SAT True")
    printed(page, "step overlap")
    light = "canvas => [...canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.slice(0, 3)]"
    assert min(canvas.evaluate(light)) > 200  # it has the stylesheet's colours
    before = canvas.screenshot()
    canvas.focus()
    page.keyboard.press("Enter")  # the first cell is filled, in the kernel too
    assert settled(lambda: canvas.screenshot() != before)
    folder = os.environ.get("NONOSAT_SCREENSHOTS")
    if folder:
        page.screenshot(path=f"{folder}/notebook.png")
    page.close()
