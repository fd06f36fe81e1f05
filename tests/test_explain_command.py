"""``nonosat explain``: text, JSON and the page, from any board; bad input is one line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from commands import complaint, run
from pages import ROOT
from test_cli import GCHQ

from nonosat.explanations.explain import board_of
from nonosat.puzzles.formats import load

HEART = str(ROOT / "examples" / "heart.mk")
SOLVED = str(ROOT / "examples" / "heart.txt")


def test_text() -> None:
    done = run("explain", HEART, "--steps", "2")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "1. Row 2: the 9 needs all 9 cells, so columns 1 to 9 are filled. [overlap]"
    assert lines[1] == "    9 │▫▫▫▫▫▫▫▫▫▫┊▫▫▫▫▫▫▫▫│"
    assert lines[2] == "    9 │██████████┊████████│"
    assert lines[3].startswith("2. ")
    assert done.stderr.strip().endswith("2 steps, 45 cells left open")


def test_json_ends_in_the_picture() -> None:
    done = run("explain", HEART, "--format", "json")
    steps = [json.loads(line) for line in done.stdout.splitlines()]
    assert [step["step"] for step in steps] == list(range(1, len(steps) + 1))
    puzzle = load(HEART)
    cells = [[-1] * puzzle.shape[1] for _ in range(puzzle.shape[0])]
    for step in steps:
        for fact in step["known"]:
            assert [cells[fact["row"]][fact["column"]]] == fact["values"]
        for fact in step["settles"]:
            [cells[fact["row"]][fact["column"]]] = fact["values"]
    rows = ["".join(".#"[value] for value in row) for row in cells]
    picture = json.loads(run("solve", HEART, "--format", "json").stdout)["picture"]
    assert rows == picture
    assert done.stderr.strip().endswith("solved")


def test_the_page_needs_nothing_else() -> None:
    done = run("explain", HEART, "--format", "html")
    assert done.returncode == 0
    assert done.stdout.startswith("<!DOCTYPE html>")
    assert done.stdout.rstrip().endswith("</html>")
    assert not re.search(r"(src|href)=|url\(|@import|fetch\(", done.stdout)
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', done.stdout)
    assert found is not None
    data = json.loads(found[1])
    lines = len(run("explain", HEART, "--format", "json").stdout.splitlines())
    assert len(data["steps"]) == lines
    assert [len(data[side]) for side in ("left", "top", "right", "bottom")] == [data["height"], data["width"], 0, 0]


@pytest.fixture
def half(tmp_path: Path) -> Path:
    rows = json.loads(run("solve", HEART, "--format", "json").stdout)["picture"]
    path = tmp_path / "half.txt"
    path.write_text("\n".join([*rows[:4], *("?" * len(row) for row in rows[4:])]) + "\n")
    return path


@pytest.mark.slow
def test_the_page_has_the_given_cells_and_heavy_lines_of_nonograms_alone(tmp_path: Path) -> None:
    run("generate", "--puzzle", "skyscrapers", "--level", "8", "-o", str(tmp_path))
    [file] = tmp_path.iterdir()
    for path, every in ((str(file), None), (HEART, 5)):
        text = run("explain", path, "--format", "html").stdout
        data = json.loads(text.split('id="data">')[1].split("</script>")[0])
        assert (data.get("every"), len(data["given"])) == (every, len(load(path).given))


def test_from_a_board(half: Path) -> None:
    whole = run("explain", HEART, "--format", "json").stdout.splitlines()
    some = run("explain", HEART, "--board", str(half), "--format", "json").stdout.splitlines()
    assert 0 < len(some) < len(whole)
    done = run("explain", HEART, "--board", SOLVED)
    assert done.stdout == ""
    assert done.stderr.strip().endswith("0 steps, solved")


def test_a_wrong_board(half: Path) -> None:
    lines = half.read_text().splitlines()
    half.write_text("\n".join(["#" * len(lines[0]), *lines[1:]]))
    done = run("explain", HEART, "--board", str(half))
    assert done.returncode == 1
    assert "[error]" in done.stdout
    assert "Row 1: " in done.stdout
    assert done.stderr.strip().endswith("the position is wrong")


def test_a_puzzle_without_a_solution(tmp_path: Path) -> None:
    path = tmp_path / "none.non"
    path.write_text("width 2\nheight 3\n\nrows\n1\n1\n1\n\ncolumns\n1\n1\n")
    done = run("explain", str(path))
    assert done.returncode == 1
    assert done.stderr.strip().endswith("there is no solution")


def test_boards_are_read_as_pictures_are() -> None:
    puzzle = load(HEART)
    height, width = puzzle.shape
    single = "\n".join(["#?" + "." * (width - 2)] * height)
    double = "\n".join(["██??" + "··" * (width - 2)] * height)
    assert board_of(single, puzzle) == board_of(double, puzzle) == [[1, -1, *[0] * (width - 2)]] * height


def test_bad_input(half: Path) -> None:
    assert complaint("explain", "nowhere.mk") == "nowhere.mk: no such file"
    assert complaint("explain", HEART, "--board", "nowhere.txt") == "nowhere.txt: no such file"
    assert "rows" in complaint("explain", GCHQ, "--board", str(half))
    half.write_text("what\n")
    assert str(half) in complaint("explain", HEART, "--board", str(half))
    for limit in ("0", "-1", "nan", "inf"):
        assert complaint("explain", HEART, "--time-limit", limit).startswith(
            f"Invalid value for '--time-limit': {limit}: expected"
        )
    assert complaint("explain", HEART, "--steps", "0")
    assert complaint("explain", HEART, "--format", "pdf")


@pytest.mark.slow
def test_the_time_limit() -> None:
    done = run("explain", GCHQ, "--time-limit", "1e-6")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.strip().endswith("0 steps, 603 cells left open; wall-time limit of 1e-06 s reached")
    done = run("explain", GCHQ, "--memory-limit", "20", "--steps", "3")
    assert done.returncode == 0
    assert "cells left open; memory limit reached" in done.stderr
    done = run("explain", HEART, "--time-limit", "100", "--cpu-limit", "100", "--format", "json")
    assert done.stdout == run("explain", HEART, "--format", "json").stdout


def test_skyscrapers(tmp_path: Path) -> None:
    words = ("--puzzle", "skyscrapers", "--level", "5", "--seed", "3", "-o", str(tmp_path))
    assert run("generate", *words).returncode == 0
    [path] = tmp_path.iterdir()
    done = run("explain", str(path))
    assert "22 steps, solved" in done.stderr
    assert "    3 │ 3 · 5 · · │ 2\n    3 │ 3 4 5 · · │ 2\n" in done.stdout
    assert "    column 1   2 │ · · · · · │\n    column 1   2 │ · · 5 · · │\n" in done.stdout
    page = run("explain", str(path), "--format", "html").stdout
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page)
    assert found is not None
    data = json.loads(found[1])
    assert [len(data[side]) for side in ("left", "top", "right", "bottom")] == [5] * 4
    assert any(step["candidates"] for step in data["steps"])
