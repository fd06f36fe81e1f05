"""A plug-in with a generator of its own: boards of diagonal lines, with a parameter that nothing of ours has."""

from __future__ import annotations

from typing import Any

from nonosat.generators.density import SIZE
from nonosat.generators.registry import Generator, Parameter
from nonosat.puzzles.nonogram import Nonogram


def slant(value: Any) -> str:
    """The two of them. ValueError: there is no third."""
    if value not in ("left", "right"):
        raise ValueError(f"expected left or right, not {value!r}")
    return str(value)


def diagonals(size: tuple[int, int], slant: str, seed: int) -> Nonogram:
    """Every third diagonal, from the one of the seed on."""
    sign = 1 if slant == "left" else -1
    cells = [[int((row + sign * column + seed) % 3 == 0) for column in range(size[1])] for row in range(size[0])]
    return Nonogram.from_picture(cells, title=f"{slant} diagonals, seed {seed}")


GENERATOR = Generator(
    name="diagonals",
    kind="nonogram",
    meaning="every third diagonal is filled",
    parameters=(
        SIZE,
        Parameter(word="slant", key="slants", metavar="SIDE", meaning="left or right", read=slant, default="left"),
    ),
    make=diagonals,
)
PARTS = [GENERATOR]
