"""A generator for studies: the pictures of the packs that nonosat brings, and random boards to hold beside them.

    plugins = ["pack_boards.py"]            # in a study's file
    [[puzzles]]
    generator = "pack"
    packs = ["garden", "things"]            # of nonosat/app/packs
    cells = ["drawn", "shuffled"]
    count = 10                              # pictures of each, from number ``seed`` on

``shuffled`` is the same picture with its cells in random order: a random board of the same size, with as many cells of
each colour. So the two differ in nothing but that a person has drawn one of them.
"""

import json
from pathlib import Path

import nonosat
from nonosat.generators.registry import Generator, Parameter
from nonosat.puzzles.formats import loads
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.nonogram.puzzle import Picture
from nonosat.rng import Rng

PACKS = Path(nonosat.__file__).parent / "app" / "packs"
ORDERS = ("drawn", "shuffled")


def pack(value):
    """The name of a pack. ValueError: there is none of that name."""
    if not (isinstance(value, str) and value.isalnum() and (PACKS / f"{value}.json").is_file()):
        raise ValueError(f"expected a pack of nonosat such as garden, not {value!r}")
    return value


def order(value):
    """Of a picture's cells. ValueError: neither of ``ORDERS``."""
    if value not in ORDERS:
        raise ValueError(f"expected drawn or shuffled, not {value!r}")
    return value


def board(pack, order, seed):
    """Picture number ``seed`` (from 0) of a pack; shuffled by that seed."""
    puzzles = json.loads((PACKS / f"{pack}.json").read_text(encoding="utf-8"))["puzzles"]
    if seed >= len(puzzles):
        raise nonosat.NonosatError(f"pack {pack} has {len(puzzles)} pictures, numbers 0 to {len(puzzles) - 1}")
    (puzzle,) = loads(json.dumps(puzzles[seed]["puzzle"]), "json")
    if order == "drawn":
        return puzzle
    cells = puzzle.goal.cells
    mixed = cells.reshape(-1)[Rng(seed).shuffled(cells.size)].reshape(cells.shape)
    return Nonogram.from_picture(Picture(mixed, puzzle.goal.palette), title=f"{puzzle.title}, shuffled")


PARTS = [
    Generator(
        name="pack",
        kind="nonogram",
        meaning="pictures of the packs, as drawn or shuffled",
        parameters=(
            Parameter(word="pack", key="packs", metavar="NAME", meaning="of nonosat/app/packs", read=pack),
            Parameter(word="cells", key="cells", metavar="ORDER", meaning="drawn or shuffled", read=order),
        ),
        make=board,
    )
]
