"""The packs that come along: made by their program, each puzzle with one solution and the label that it says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from sampling import sampled

import nonosat
from nonosat.puzzles.formats import loads
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.puzzle import Puzzle, fault
from nonosat.solvers.propagation.difficulty import difficulty, line_solvable

FOLDER = Path(nonosat.__file__).parent / "app" / "packs"
MAKE = Path(__file__).parents[1] / "examples" / "packs" / "make.py"
PACKS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}
BY_LINES = ("learn", "first", "garden", "things", "colours")
ALL = [(name, entry["puzzle"]["title"]) for name, pack in PACKS.items() for entry in pack["puzzles"]]


def of(name: str, title: str) -> tuple[dict, Puzzle]:
    [entry] = [entry for entry in PACKS[name]["puzzles"] if entry["puzzle"]["title"] == title]
    [puzzle] = loads(json.dumps(entry["puzzle"]), "json")
    return entry, puzzle


def test_there_are_the_eighteen_and_seven_packs_of_ten() -> None:
    sizes = {name: len(pack["puzzles"]) for name, pack in PACKS.items()}
    assert sizes.pop("learn") == 2
    assert sizes.pop("pictures") == 18
    assert len(sizes) == 7
    assert set(sizes.values()) == {10}
    assert sorted(pack["order"] for pack in PACKS.values()) == list(range(9))
    kinds = [pack["puzzles"][0]["puzzle"]["kind"] for name, pack in PACKS.items() if name != "learn"]
    assert kinds.count("skyscrapers") == 2
    assert all(set("".join(pack["icon"])) == {".", "#"} for pack in PACKS.values())
    assert all({len(row) for row in pack["icon"]} == {len(pack["icon"])} for pack in PACKS.values())
    assert len({(name, title) for name, title in ALL}) == len(ALL)


@pytest.mark.parametrize("named", sampled([(named,) for named in ALL], 24))  # some of each pack
def test_a_puzzle_has_one_solution_and_its_label(named: tuple[str, str]) -> None:
    name, title = named
    entry, puzzle = of(name, title)
    answer = nonosat.solve(puzzle, solver="minisat22", unique=True)  # who made it asked other solvers
    assert answer.unique
    assert answer.picture == puzzle.goal
    assert fault(puzzle, puzzle.goal) is None
    assert entry["lives"] in (3, 5)
    if isinstance(puzzle, Nonogram):
        assert entry["label"] == difficulty(puzzle).label
        assert line_solvable(puzzle) == (name in BY_LINES or (name == "pictures" and title != "Swordsman"))
    else:
        assert entry["label"] in ("easy", "normal", "hard")


@pytest.mark.parametrize(("name", "title"), [pair for pair in ALL if pair[0] in BY_LINES and pair[1] != "Four streets"])
def test_what_is_shown_in_colours_is_the_solution(name: str, title: str) -> None:
    entry, puzzle = of(name, title)
    if name == "colours":
        assert puzzle.colours > 1
        return
    rows, palette = entry["picture"]["rows"], entry["picture"]["palette"]
    assert [len(row) for row in rows] == [puzzle.width] * puzzle.height
    for row, line in zip(rows, puzzle.goal.rows(), strict=True):
        for shown, cell in zip(row, line, strict=True):
            assert cell == "." or shown != "."
            assert shown == "." or 1 <= int(shown) < len(palette)


@pytest.mark.slow
@pytest.mark.skipif(not MAKE.exists(), reason="the program that makes them is not in the wheel")
def test_they_come_out_the_same(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(MAKE), str(tmp_path)], check=True, capture_output=True)
    for path in {*FOLDER.glob("*.json")} - {FOLDER / "learn.json"}:  # lessons are written by hand
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()
