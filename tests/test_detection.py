"""Which format a text is of: each writer's texts are known as its own, and files are read by what is in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from drawn import puzzles
from hypothesis import HealthCheck, given, settings
from sampling import spread

from nonosat.errors import FormatError, NonosatError, UnsupportedError
from nonosat.puzzles.formats import FORMATS, detected, dumps, load_all, save
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.testing.brute import samples

SETTINGS = settings(deadline=None, derandomize=True, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
SMALL = Nonogram.from_picture([[1, 0], [1, 1]], "A title")


@pytest.mark.parametrize("name", spread([name for name, known in FORMATS.items() if "nonogram" in known.kinds], 3))
@SETTINGS
@given(puzzle=puzzles())
def test_what_is_written_is_known_as_that(name: str, puzzle: Nonogram) -> None:
    for each in (puzzle, Nonogram(puzzle.rows, puzzle.columns, (), puzzle.palette), SMALL):
        try:
            text = dumps(each, name)
        except UnsupportedError:
            continue
        assert [known.name for known in FORMATS.values() if known.marks is not None and known.marks(text)] == [name]
        for end in ("\r\n", "\r"):  # the last one is no line end to marks of lines, and must not be another format's
            found = detected(text.replace("\n", end))
            assert found is FORMATS[name] or (found is None and end == "\r")


@pytest.mark.parametrize("name", [name for name, known in FORMATS.items() if "skyscrapers" in known.kinds])
def test_what_is_written_of_skyscrapers_is_known_as_that(name: str) -> None:
    boards = [*samples("skyscrapers"), Skyscrapers((0,), (0,), (0,), (0,)), Skyscrapers(*[(0,) * 12] * 4)]
    for puzzle in boards:
        assert detected(dumps(puzzle, name)) is FORMATS[name]


@pytest.mark.parametrize("text", ["", "hello", "1 2 3", "<a/>", "https://example.org/", "\0", "p cnf 1 1\n1 0\n", "0"])
def test_what_is_of_no_format_is_not_guessed(text: str) -> None:
    assert detected(text) is None


@pytest.mark.parametrize(
    "part", spread([" ", "\n", "+ ", "1 ", "1\n", "/", "a/", "<", "<instance ", "[", "d=", "param m"], 3)
)
def test_marks_take_no_time(part: str) -> None:
    assert detected(part * (10**6 // len(part)) + "x") is None


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("sky", "clues")])
@pytest.mark.parametrize("suffix", ["", ".puzzle", ".txt", ".xml", ".dat"])
def test_files_of_common_suffixes_are_detected_by_their_text(name: str, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"one{suffix}"
    save(SMALL, path, name)
    [read] = load_all(path)
    assert (read.rows, read.columns) == (SMALL.rows, SMALL.columns)  # type: ignore[attr-defined]


def test_a_specific_suffix_decides_the_format(tmp_path: Path) -> None:
    path = tmp_path / "one.mk"
    save(SMALL, path, "nin")
    with pytest.raises(FormatError, match=r"one\.mk:\d"):
        load_all(path)
    (tmp_path / "odd.txt").write_text("what is this\n")
    with pytest.raises(FormatError, match=r'odd.txt:1: a puzzle begins with a header such as "\$1"'):
        load_all(tmp_path / "odd.txt")
    (tmp_path / "odd").write_text("what is this\n")
    with pytest.raises(NonosatError, match="the name has no suffix; name the format"):
        load_all(tmp_path / "odd")
