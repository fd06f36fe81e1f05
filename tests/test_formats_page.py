"""docs/formats.md: each format has its example, which is read; the table says what is measured."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from pages import PAGES

from nonosat.errors import UnsupportedError
from nonosat.puzzles.formats import FORMATS, detected, dumps, loads
from nonosat.puzzles.nonogram import Given, Nonogram, Picture
from nonosat.puzzles.nonogram.puzzle import palette_of
from nonosat.puzzles.skyscrapers import Skyscrapers

PAGE = PAGES["docs/formats.md"]
EXAMPLES = re.findall(r"^<!-- format: ([\w-]+) -->\n```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
CHERRY = Nonogram.from_picture([[1, 1, 0], [0, 0, 1]])
TOWERS = Skyscrapers((0, 2), (0, 0), (0, 0), (1, 0), (Given(1, 0, 2),))
TEXTS = {"title": "T", "author": "A", "licence": "CC0", "source": "S"}
NO = "–"


def back(puzzle: Any, name: str, count: int = 1) -> list[Any] | None:
    """The puzzle, so many times, written and read again; None: the format can't hold it."""
    try:
        return list(loads(dumps([puzzle] * count, name), name))
    except UnsupportedError:
        return None


def kept(puzzle: Any, name: str, field: str) -> bool:
    found = back(puzzle, name)
    return found is not None and getattr(found[0], field) == getattr(puzzle, field)


def measured(name: str) -> list[str]:
    """The row of the table: kinds, colours, given cells, goal, further solutions, texts, many puzzles."""
    known = FORMATS[name]
    square = Nonogram.from_picture([[1, 0], [0, 1]])
    plain: Any = square if "nonogram" in known.kinds else Skyscrapers.from_heights([[1, 2], [2, 1]])
    coloured = Nonogram.from_picture(Picture([[1, 2], [0, 2]], palette_of(3)[1:]))
    colours = NO
    if "nonogram" in known.kinds and (found := back(coloured, name)) is not None:
        same = [colour.rgb for colour in found[0].palette] == [colour.rgb for colour in coloured.palette]
        colours = "yes" if same else "without shades"
    boards = {"nonogram": square, "skyscrapers": Skyscrapers.from_heights([[1, 2], [2, 1]])}
    given = [kind for kind in known.kinds if kept(replace(boards[kind], given=(Given(0, 0, 1),)), name, "given")]
    texts = [key for key in TEXTS if kept(replace(plain, **TEXTS), name, key)]
    other = replace(square, solutions=(Picture([[0, 1], [1, 0]]),))
    return [
        " and ".join(kind + "s" * (kind == "nonogram") for kind in known.kinds),
        colours,
        "yes" if given == list(known.kinds) else ", ".join(given) or NO,
        "yes" if kept(plain, name, "goal") else NO,
        "yes" if "nonogram" in known.kinds and kept(other, name, "solutions") else NO,
        "all" if len(texts) == len(TEXTS) else ", ".join(texts) or NO,
        "yes" if back(plain, name, 2) is not None else NO,
    ]


def table() -> dict[str, list[str]]:
    """The page's table by format."""
    rows = re.findall(r"^\| \[`([\w-]+)`\]\(#[\w-]+\) \| (.*) \|$", PAGE, re.MULTILINE)
    return {name: [cell.strip() for cell in cells.split("|")] for name, cells in rows}


def test_the_table_has_every_format() -> None:
    assert list(table()) == list(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_the_table_has_what_is_measured(name: str) -> None:
    suffixes, *cells = table()[name]
    assert suffixes.replace("`", "").split() == list(FORMATS[name].suffixes)
    assert cells == measured(name)


def test_every_format_has_its_section_and_an_example() -> None:
    assert {name for name, _ in EXAMPLES} == set(FORMATS)
    for name in FORMATS:
        assert f"\n### {name}\n" in PAGE


@pytest.mark.parametrize(("name", "text"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_an_example_is_the_puzzle_of_the_page(name: str, text: str) -> None:
    for puzzle in loads(text, name):
        if isinstance(puzzle, Skyscrapers):
            assert (puzzle.clues, puzzle.given) == (TOWERS.clues, TOWERS.given)
        else:
            assert isinstance(puzzle, Nonogram)
            square = Nonogram.from_picture([[1, 0], [0, 1]])
            due = square if name == "tournament" else CHERRY
            lengths = [[[run.length for run in clue] for clue in side] for side in (puzzle.rows, puzzle.columns)]
            assert lengths == [[[run.length for run in clue] for clue in side] for side in (due.rows, due.columns)]
    assert detected(text) is FORMATS[name]
