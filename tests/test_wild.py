"""Texts as each format has them by its documentation (tests/wild): they are read as what stands beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from nonosat.puzzles.formats import FORMATS, detected, loads
from nonosat.puzzles.formats.goals import collected_losses
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.puzzle import fault

FOLDER = Path(__file__).parent / "wild"
NOT_THERE = {"mk", "tournament", "json", "share", "sky", "clues"}
"""Ours, and those that tests/test_formats.py and tests/test_skyscrapers.py have from long ago."""
FLAGS = ("crlf", "bom", "open")


class Wild(NamedTuple):
    """A text, its format, what is special about it, and what is due: rows and columns as text, and other facts."""

    format: str
    what: str
    rows: str
    columns: str
    facts: dict[str, str]
    text: str

    def __str__(self) -> str:
        return f"{self.format}: {self.what}"


def texts(path: Path) -> Iterator[Wild]:
    """Those of a file."""
    for part in re.split(r"^@@ ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        head, _, text = part.partition("\n")
        what, rows, columns, *facts = [word.strip() for word in head.split("|")]
        known = {key: value for key, _, value in (fact.partition("=") for fact in facts)}
        if "crlf" in known:
            text = text.replace("\n", "\r\n")
        text = ("\ufeff" if "bom" in known else "") + (text.rstrip("\n") if "open" in known else text)
        yield Wild(path.stem, what, rows, columns, known, text)


WILD = [wild for path in sorted(FOLDER.glob("*.txt")) for wild in texts(path)]


def test_there_are_twenty_of_each_format() -> None:
    for name in set(FORMATS) - NOT_THERE:
        assert sum(wild.format == name for wild in WILD) >= 20, name


def clues_of(puzzle: Any) -> tuple[str, str]:
    if isinstance(puzzle, Nonogram):
        rows, columns = ("; ".join(map(puzzle.clue_text, clues)) for clues in (puzzle.rows, puzzle.columns))
        return rows, columns
    return "; ".join(" ".join(map(str, edge)) for edge in (puzzle.top, puzzle.bottom, puzzle.left, puzzle.right)), ""


@pytest.mark.parametrize("wild", WILD, ids=str)
def test_it_is_read(wild: Wild) -> None:
    with collected_losses() as overlooked:
        puzzles = loads(wild.text, wild.format, wild.what)
    puzzle: Any = puzzles[0]
    assert len(puzzles) == int(wild.facts.get("count", 1))
    assert clues_of(puzzle) == (wild.rows, wild.columns)
    seen = {
        "goal": "/".join(puzzle.goal.rows()) if puzzle.goal is not None else "",
        "given": ",".join(str(number) for cell in puzzle.given for number in cell),
        "solutions": str(len(getattr(puzzle, "solutions", ()))),
        "overlooked": ", ".join(overlooked),
        **{key: getattr(puzzle, key) for key in ("title", "author", "licence", "source")},
    }
    for key, value in seen.items():
        due = wild.facts.get(key, "0" if key == "solutions" else "")
        assert value == (f"overlooked: {due}" if key == "overlooked" and due else due), key
    if "shades" in wild.facts:
        assert " ".join(colour.rgb for colour in puzzle.palette) == wild.facts["shades"]
    assert set(wild.facts) <= {*seen, *FLAGS, "count", "shades"}, "a fact that nobody looks at"
    for board in (puzzle.goal, *getattr(puzzle, "solutions", ())):
        assert board is None or fault(puzzle, board) is None


@pytest.mark.parametrize("wild", WILD, ids=str)
def test_its_format_is_found(wild: Wild) -> None:
    found = detected(wild.text.removeprefix("\ufeff"))
    assert found is not None
    assert found.name == ("xcsp3" if wild.format == "xcsp3-table" and "<regular>" in wild.text else wild.format)
