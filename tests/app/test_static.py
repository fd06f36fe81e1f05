"""The page's files: few bytes, nothing from elsewhere, and one name for one thing."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from nonosat.app.notebook import board_module
from nonosat.app.server import STATIC

FILES = sorted(path for path in STATIC.rglob("*") if path.is_file())
MODULES = [path for path in FILES if path.suffix == ".js"]
MOST_BYTES = {"make": 132_000}
"""Of a room and all that it imports; of Play, which opens first, and the others ``MOST_OF_OTHERS``."""
MOST_OF_OTHERS = 112_000


def imported(path: Path, found: set[Path]) -> set[Path]:
    """``path`` and all modules that it imports, now or later."""
    if path not in found:
        found.add(path)
        for name in re.findall(r'(?:from|import\()\s*"(\.[^"]+)"', path.read_text(encoding="utf-8")):
            imported((path.parent / name).resolve(), found)
    return found


@pytest.mark.parametrize("room", sorted((STATIC / "rooms").glob("*.js")), ids=lambda path: path.stem)
def test_what_a_room_needs_is_small(room: Path) -> None:
    """The page, every stylesheet, and the modules of the room, as they are written."""
    shared = {path for path in FILES if path.suffix != ".js"}
    modules = imported(room.resolve(), imported((STATIC / "main.js").resolve(), set()))
    assert sum(path.stat().st_size for path in shared | modules) < MOST_BYTES.get(room.stem, MOST_OF_OTHERS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nothing_comes_from_elsewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|(?<!:)//[\w-]+\.\w", text)
    assert not re.search(r"\son\w+=|style=|javascript:|<style|\beval\(|innerHTML|new Function", text)


def test_the_page_has_no_inline_script() -> None:
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<script[^>]*>([^<]*)", text) == [""]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_modules_are_short_and_import_what_is_there(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 300
    assert max(map(len, text.splitlines())) <= 160
    for name in re.findall(r'from "(\.[^"]+)"', text):
        assert (path.parent / name).resolve() in MODULES


def test_the_board_is_one_file_for_notebooks(tmp_path: Path) -> None:
    text = board_module()
    assert not re.search(r"^import ", text, re.MULTILINE)
    assert re.findall(r"^export .*", text, re.MULTILINE) == ["export default {"]
    names = re.findall(r"^(?:async )?(?:function|class|const|let) (\w+)", text, re.MULTILINE)
    assert len(names) == len(set(names)) > 30
    if shutil.which("node"):
        (tmp_path / "board.mjs").write_text(text)
        code = "import('./board.mjs').then((found) => console.log(typeof found.default.render))"
        done = subprocess.run(["node", "-e", code], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "function"
