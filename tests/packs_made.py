"""Packs for tests of Play: several copies of each puzzle, so that every test has one that nobody has played."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

import nonosat
from nonosat.app.wire import native_text
from nonosat.puzzles.nonogram import Nonogram, Picture
from nonosat.puzzles.nonogram.images import load_image
from nonosat.puzzles.nonogram.puzzle import palette_of
from nonosat.puzzles.puzzle import Puzzle
from nonosat.puzzles.skyscrapers import Skyscrapers

HEART = np.array([[0, 1, 0, 1, 0], [1, 1, 1, 1, 1], [1, 1, 1, 1, 1], [0, 1, 1, 1, 0], [0, 0, 1, 0, 0]])
FLAG = np.array([[1, 2, 2, 0], [1, 2, 2, 3], [1, 0, 0, 0], [1, 3, 3, 3]])
TOWERS = np.array([[3, 2, 4, 1], [2, 1, 3, 4], [1, 4, 2, 3], [4, 3, 1, 2]])
LIVES = 3
"""Of every puzzle here."""


def heart() -> Nonogram:
    """5x5, one solution."""
    return Nonogram.from_picture(Picture(HEART), title="Heart")


def flag() -> Nonogram:
    """4x4 in three colours, one solution."""
    return Nonogram.from_picture(Picture(FLAG, palette_of(3)), title="Flag")


def towers() -> Skyscrapers:
    """4x4 with all clues."""
    return Skyscrapers.from_heights(TOWERS, title="Towers")


def dog() -> Nonogram:
    """10x10, by lines alone."""
    path = Path(__file__).parents[1] / "examples" / "pictures" / "10-dog.png"
    return Nonogram.from_picture(load_image(path), title="Dog")


def write_packs(data: Path) -> None:
    """The packs ``heart``, ``flag``, ``towers`` and ``dog`` in a data folder."""
    packs = {"heart": [heart()] * 60, "flag": [flag()] * 6, "towers": [towers()] * 8, "dog": [dog()] * 4}
    _write(data, packs)


def write_large(data: Path) -> None:
    """The pack ``large``: 100x100 and 512x512."""
    _write(data, {"large": [nonosat.random_density(side, side, 0.5, seed=side) for side in (100, 512)]})


def _write(data: Path, packs: Mapping[str, Sequence[Puzzle]]) -> None:
    (data / "packs").mkdir(parents=True)
    for name, puzzles in packs.items():
        entries = [{"label": "easy", "lives": LIVES, "puzzle": json.loads(native_text(puzzle))} for puzzle in puzzles]
        for entry in entries[:1] if name == "heart" else []:
            entry["picture"] = {
                "palette": ["#ffffff", "#cc2244"],
                "rows": _rows(HEART),
            }
        (data / "packs" / f"{name}.json").write_text(json.dumps({"name": name.title(), "puzzles": entries}))


def _rows(cells: np.ndarray) -> list[str]:
    return ["".join(map(str, row)).replace("0", ".") for row in cells.tolist()]
