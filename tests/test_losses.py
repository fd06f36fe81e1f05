"""What is lost on the way from one format into another is told, a line a thing; nothing that matters is dropped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from drawn import puzzles
from hypothesis import HealthCheck, settings
from sampling import examples

from nonosat.cli import cli
from nonosat.errors import UnsupportedError
from nonosat.puzzles.formats import FORMATS, dumps, load, loads, save
from nonosat.puzzles.formats.goals import losses
from nonosat.puzzles.nonogram import Given, Nonogram
from nonosat.puzzles.nonogram.puzzle import Picture, palette_of

FULL = replace(
    Nonogram.from_picture(Picture([[1, 0], [0, 1]], palette_of(2)), "A title"),
    author="An author",
    licence="CC0",
    source="S",
    solutions=(Picture([[0, 1], [1, 0]], palette_of(2)),),
)
TEXTS = ['lost: the title "A title"', 'lost: the author "An author"', 'lost: the licence "CC0"', 'lost: the source "S"']
PLAIN = replace(Nonogram.from_picture([[1, 0], [0, 1]]), solutions=(Picture([[0, 1], [1, 0]]),))


def converted(source: Path, target: Path, *more: str) -> tuple[int, list[str]]:
    done = CliRunner().invoke(cli, ["convert", str(source), str(target), *more], standalone_mode=False)
    if isinstance(done.exception, UnsupportedError):
        return 2, [str(done.exception)]
    assert done.exception is None, done.exception
    return 0, [line.removeprefix(f"{target}: ") for line in done.stderr.splitlines()]


@pytest.mark.parametrize(
    ("name", "lost"),
    [
        ("json", []),
        ("webpbn", []),
        ("opb", []),
        ("non", ["lost: 1 further solution"]),
        ("olsak", [*TEXTS, "lost: the goal", "lost: 1 further solution"]),
        ("share", [*TEXTS[1:], "lost: the goal", "lost: 1 further solution"]),
        ("nonograms-org", [*TEXTS, "lost: 1 further solution"]),
    ],
)
def test_each_loss_is_reported(name: str, lost: list[str], tmp_path: Path) -> None:
    save(FULL, tmp_path / "in.json")
    assert converted(tmp_path / "in.json", tmp_path / "out", "--to", name) == (0, lost)


def test_lost_shades_and_letters_are_reported() -> None:
    odd = replace(PLAIN, palette=palette_of(3)[1:2], goal=None, solutions=())
    assert losses([odd], loads(dumps(odd, "xcsp3"), "xcsp3")) == [
        "lost: the letters of colours, such as r",
        "lost: the shades of colours, such as #d55e00",
    ]


def test_what_a_reader_ignores_is_reported(tmp_path: Path) -> None:
    text = dumps(PLAIN, "webpbn").replace(
        "</puzzle>", '<note>N</note><solution type="saved"><image/></solution></puzzle>'
    )
    (tmp_path / "in.xml").write_text(text)
    overlooked = ["overlooked: the note of a puzzle", "overlooked: a saved state of play"]
    assert converted(tmp_path / "in.xml", tmp_path / "out.json") == (0, overlooked)


def test_a_loss_of_several_puzzles_is_reported_once(tmp_path: Path) -> None:
    save([replace(PLAIN, title=f"P {number}") for number in (1, 2, 3)], tmp_path / "in.json")
    assert converted(tmp_path / "in.json", tmp_path / "out.url") == (
        0,
        [
            'lost: the title "P 1" (title: 3 of 3 puzzles, this is the first)',
            "lost: the goal (goal: 3 of 3 puzzles, this is the first)",
            "lost: 1 further solution (further solutions: 3 of 3 puzzles, this is the first)",
        ],
    )


def test_what_would_make_another_puzzle_is_refused(tmp_path: Path) -> None:
    save(replace(PLAIN, goal=None, solutions=(), given=(Given(0, 0, 1), Given(0, 1, 0))), tmp_path / "in.json")
    out = tmp_path / "out.mk"
    assert converted(tmp_path / "in.json", out) == (2, ["mk cannot hold given cells, the puzzle has 2; json can"])
    assert not out.exists()
    assert converted(tmp_path / "in.json", out, "--without-given") == (0, ["lost: 2 given cells"])
    assert load(out).given == ()
    save(FULL, tmp_path / "in.json")
    assert converted(tmp_path / "in.json", tmp_path / "new.mk")[0] == 2
    assert not (tmp_path / "new.mk").exists()


SETTINGS = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("name", [name for name, known in FORMATS.items() if "nonogram" in known.kinds])
@examples(8, 60, SETTINGS, puzzle=puzzles())
def test_no_loss_is_reported_only_if_all_comes_back(name: str, puzzle: Nonogram) -> None:
    try:
        text = dumps(puzzle, name)
    except UnsupportedError:
        return
    [back] = loads(text, name)
    told = losses([puzzle], [back])
    assert (told == []) == (back == puzzle and back.goal == puzzle.goal)
    assert all("\n" not in line and line.isprintable() for line in told)
    assert not any(line.startswith(("changed: the rows", "changed: the columns", "lost: the given")) for line in told)
