"""The page's files: few bytes, nothing from elsewhere, and one name for one thing."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from sampling import spread

import nonosat
from nonosat.app import making
from nonosat.app.bundle import bundled
from nonosat.app.server import STATIC
from nonosat.puzzles.nonogram.puzzle import NAMED

FILES = sorted(path for path in STATIC.rglob("*") if path.is_file())
MODULES = [path for path in FILES if path.suffix == ".js" and path.parent.name != "vendored"]
MOST_BYTES = 64_000
"""Before the first page is painted."""


def imported(path: Path, found: set[Path]) -> set[Path]:
    """``path`` and all modules that it imports before it runs."""
    if path not in found:
        found.add(path)
        for name in re.findall(r'from\s*"(\.[^"]+)"', path.read_text(encoding="utf-8")):
            imported((path.parent / name).resolve(), found)
    return found


def test_what_the_first_page_needs_is_small() -> None:
    """The page, every stylesheet, and the modules of Play's cards, as they are written; a board comes later."""
    shared = {path for path in FILES if path.suffix in (".css", ".html", ".svg")}
    modules = imported((STATIC / "rooms" / "play.js").resolve(), imported((STATIC / "main.js").resolve(), set()))
    assert len(modules) <= 8
    assert sum(path.stat().st_size for path in shared | modules) < MOST_BYTES


@pytest.mark.whole
@pytest.mark.parametrize(
    "path", spread([path for path in FILES if path.suffix != ".LICENSE"], 20), ids=lambda path: path.name
)
def test_nothing_comes_from_elsewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|(?<!:)//[\w-]+\.\w", text)
    assert not re.search(r"\son\w+=|style=|javascript:|<style|\beval\(|innerHTML|new Function", text)


def test_the_page_has_no_inline_script() -> None:
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<script[^>]*>([^<]*)", text) == [""]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_modules_import_what_is_there(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) <= 160
    for name in re.findall(r'from "(\.[^"]+)"', text):
        assert (path.parent / name).resolve() in MODULES


@pytest.mark.parametrize("name", ["board.js", "watch/replay.js", "play/offline.js"])
def test_what_leaves_the_server_is_one_file(name: str) -> None:
    text = bundled(name)
    assert not re.search(r"^import ", text, re.MULTILINE)
    assert re.findall(r"^export .*", text, re.MULTILINE) == (["export default {"] if name == "board.js" else [])
    names = re.findall(r"^(?:async )?(?:function|class|const|let) (\w+)", text, re.MULTILINE)
    assert len(names) == len(set(names)) > 30


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix in (".js", ".css")], ids=lambda path: path.name)
def test_no_text_of_the_code_goes_over_several_lines(path: Path) -> None:
    """``standalone`` leaves out indentation and lines of comments."""
    assert not any(line.count("`") % 2 for line in path.read_text(encoding="utf-8").splitlines())


def test_a_page_to_play_offline_is_small() -> None:
    puzzle = nonosat.random_density(40, 40, 0.5, seed=1)
    page = making.page_to_play(puzzle).decode()
    assert len(page) < 100_000
    assert not re.search(r"^\s*//|^\s*/\*|^[ \t]|\n\n", page, re.MULTILINE)


def test_notebooks_can_load_the_board(tmp_path: Path) -> None:
    text = bundled("board.js")
    if shutil.which("node"):
        (tmp_path / "board.mjs").write_text(text)
        code = "import('./board.mjs').then((found) => console.log(typeof found.default.render))"
        done = subprocess.run(["node", "-e", code], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "function"


def test_colours_have_the_same_names_on_the_page() -> None:
    table = (STATIC / "board/theme.js").read_text(encoding="utf-8").partition("const NAMED = {")[2].partition("};")[0]
    found = re.findall(r'"?([a-z ]+?)"?: "#(\w\w)(\w\w)(\w\w)"', table)
    assert {name.strip(): tuple(int(part, 16) for part in shade) for name, *shade in found} == NAMED
