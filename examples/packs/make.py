"""Make the packs of the workbench: ``python examples/packs/make.py [FOLDER]`` (nonosat/app/packs).

Pictures drawn by code or written as they are, ink blots and Skyscrapers from seeds. Each puzzle is proved to have one
solution, and repaired first if it has not; the packs for beginners are solvable by lines alone. The files come out the
same every time. Their form is that of ``nonosat.app.packs``.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from blots import blot
from canvas import INKS, Canvas
from large import COLOURS, THINGS
from small import FIRST, GARDEN

from nonosat.files import write_atomically
from nonosat.generators.skyscrapers import level
from nonosat.generators.skyscrapers_made import made
from nonosat.making.criteria import repair, solutions
from nonosat.puzzles.formats import dumps, loads
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.nonogram.images import load_image
from nonosat.puzzles.nonogram.puzzle import Colour, Picture, palette_of
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.propagation.difficulty import difficulty

FOLDER = Path(__file__).parents[2] / "nonosat" / "app" / "packs"
PICTURES = Path(__file__).parents[1] / "pictures"
Rows = Sequence[str]
Entry = dict[str, Any]

BLOTS = {
    "Sulk": (16, 6),
    "Acrobat": (16, 35),
    "Twins": (16, 115),
    "Rabbit": (20, 7),
    "Juggler": (20, 45),
    "Kimono": (20, 87),
    "Bat": (20, 126),
    "Crab": (25, 53),
    "Battlements": (25, 54),
    "Antlers": (25, 98),
}
"""Ink blots that lines alone do not solve: each one's size and seed, and what we see in it."""

VILLAGE = {
    "Mill Lane": ("4x4-easy", 1),
    "Church Row": ("4x4-easy", 2),
    "The Green": ("4x4-easy", 3),
    "Market Place": ("4x4-normal", 4),
    "Old Forge": ("4x4-normal", 5),
    "Bridge End": ("4x4-normal", 6),
    "School House": ("5x5-easy", 7),
    "Bakery": ("5x5-easy", 8),
    "Station Road": ("5x5-normal", 9),
    "Town Hall": ("5x5-normal", 10),
}
CITY = {
    "Harbour": ("5x5-hard", 1),
    "Riverside": ("5x5-hard", 2),
    "Exchange": ("6x6-normal", 3),
    "Opera": ("6x6-normal", 4),
    "Old Docks": ("6x6-hard", 5),
    "Cathedral Square": ("6x6-hard", 6),
    "Grand Central": ("6x6-hard", 7),
    "Broadcast House": ("7x7-hard", 8),
    "Broad Street": ("7x7-hard", 9),
    "Skyline": ("8x8-hard", 10),
}


def entry(puzzle: Puzzle, label: str, picture: Entry | None = None) -> Entry:
    """A puzzle of a pack; larger ones have more lives."""
    cells = puzzle.shape[0] * puzzle.shape[1]
    told: Entry = {"label": label, "lives": 3 if cells <= 150 else 5}
    told["puzzle"] = json.loads(dumps(puzzle, "json"))
    return told if picture is None else told | {"picture": picture}


def nonogram(puzzle: Nonogram, by_lines: bool, seed: int = 0) -> Nonogram:
    """``puzzle``, its picture repaired if it must be, under its own title."""
    done = repair(puzzle, line_solvable=by_lines, seed=seed)
    return replace(done.puzzle, title=puzzle.title)


def silhouettes(pictures: Mapping[str, Rows | Callable[[], Canvas]], light: str = "") -> Iterable[Entry]:
    """Puzzles in black and white, which show themselves in colours when they are solved; ``light`` inks are blank."""
    for title, drawn in pictures.items():
        rows = drawn().text() if callable(drawn) else drawn
        dark = [[letter not in "." + light for letter in row] for row in rows]
        puzzle = nonogram(Nonogram.from_picture(dark, title), by_lines=True)
        yield entry(puzzle, difficulty(puzzle).label, painted(rows, puzzle, light))


def painted(rows: Rows, puzzle: Nonogram, light: str) -> Entry:
    """The picture in its colours; a cell that was repaired is as those around it."""
    assert puzzle.goal is not None
    filled = puzzle.goal.cells > 0
    shown = [list(row) for row in rows]
    for (row, column), dark in np.ndenumerate(filled):
        if dark != (rows[row][column] not in "." + light):
            shown[row][column] = nearby(rows, row, column, light) if dark else "."
    inks = sorted({letter for row in shown for letter in row} - {"."})
    digits = {".": "."} | {ink: str(number) for number, ink in enumerate(inks, start=1)}
    return {
        "palette": ["#ffffff", *(INKS[ink] for ink in inks)],
        "rows": ["".join(digits[letter] for letter in row) for row in shown],
    }


def nearby(rows: Rows, row: int, column: int, light: str) -> str:
    """The commonest dark ink around a cell."""
    around = [line[max(0, column - 1) : column + 2] for line in rows[max(0, row - 1) : row + 2]]
    found = Counter(letter for line in around for letter in line if letter not in "." + light)
    return min(found, key=lambda ink: (-found[ink], ink)) if found else "k"


def in_colours(pictures: Mapping[str, Callable[[], Canvas]]) -> Iterable[Entry]:
    """Puzzles in several colours."""
    for title, drawn in pictures.items():
        rows = drawn().text()
        inks = sorted({letter for row in rows for letter in row} - {"."})
        palette = tuple(Colour(known.symbol, INKS[ink]) for known, ink in zip(palette_of(len(inks)), inks, strict=True))
        cells = [[inks.index(letter) + 1 if letter != "." else 0 for letter in row] for row in rows]
        puzzle = nonogram(Nonogram.from_picture(Picture(cells, palette), title), by_lines=True)
        yield entry(puzzle, difficulty(puzzle).label)


def eighteen() -> Iterable[Entry]:
    """The pictures of examples/pictures, the one that has two solutions repaired."""
    for path in sorted(PICTURES.glob("[0-9][0-9]-*.png")):
        title = path.stem.partition("-")[2].capitalize()
        puzzle = nonogram(Nonogram.from_picture(load_image(path), title), by_lines=False)
        yield entry(puzzle, difficulty(puzzle).label)


def blots() -> Iterable[Entry]:
    """The ink blots, as they are."""
    for title, (size, seed) in BLOTS.items():
        puzzle = Nonogram.from_picture(blot(size, seed), title)
        yield entry(puzzle, difficulty(puzzle).label)


def streets(names: Mapping[str, tuple[str, int]]) -> Iterable[Entry]:
    """Skyscrapers by level and seed."""
    for title, (told, seed) in names.items():
        yield entry(made(level(told), seed, title), level(told).difficulty)


PACKS: dict[str, tuple[str, Rows, Callable[[], Iterable[Entry]]]] = {
    "first": ("First lines", FIRST["Heart"], lambda: silhouettes(FIRST)),
    "garden": ("Garden", FIRST["Tulip"], lambda: silhouettes(GARDEN)),
    "pictures": ("Pictures", FIRST["Cat"], eighteen),
    "things": ("Things", FIRST["Umbrella"], lambda: silhouettes(THINGS, light="wy")),
    "colours": (
        "Colours",
        (".##.##.", "#..#..#", "#.###.#", "##.#.##", ".#...#.", "..###.."),
        lambda: in_colours(COLOURS),
    ),
    "blots": ("Ink blots", ("#.....#", "##.#.##", ".#####.", "##.#.##", "#..#..#"), blots),
    "village": ("Village", ("......#", "..#...#", "#.#.#.#", "###.###", "#######"), lambda: streets(VILLAGE)),
    "city": ("City", ("..#....", ".##..#.", ".##.##.", "###.##.", "######.", "#######"), lambda: streets(CITY)),
}
"""By the file's name: the title, the icon, and the puzzles; in the order in which they are shown."""


def pack(name: str) -> str:
    """The text of a pack's file, a line a puzzle."""
    title, icon, entries = PACKS[name]
    head = {"name": title, "order": 1 + list(PACKS).index(name), "icon": square([flat(row) for row in icon])}
    lines = ",\n".join(json.dumps(told, ensure_ascii=False) for told in map(proved, entries()))
    return f'{json.dumps(head, ensure_ascii=False)[:-1]}, "puzzles": [\n{lines}\n]}}\n'


def flat(row: str) -> str:
    """A row of an icon: every ink is ``#``."""
    return "".join("." if letter == "." else "#" for letter in row)


def square(rows: list[str]) -> list[str]:
    """``rows`` with blanks around them, as high as wide."""
    side = max(len(rows), len(rows[0]))
    above = (side - len(rows)) // 2
    filled = [row.center(side, ".") for row in rows]
    return ["." * side] * above + filled + ["." * side] * (side - len(rows) - above)


def proved(told: Entry) -> Entry:
    """``told``, if its puzzle has one solution."""
    [puzzle] = loads(json.dumps(told["puzzle"]), "json")
    if isinstance(puzzle, Nonogram):
        found = solutions(puzzle)
        if found is None or found != [puzzle.goal]:
            raise SystemExit(f"{puzzle.title} is not unique")
    return told


def main() -> None:
    """Write all packs."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for name in PACKS:
        write_atomically(folder / f"{name}.json", pack(name))
        print(folder / f"{name}.json")


if __name__ == "__main__":
    main()
