"""What the values of cells are called: filled, blank, or a colour by its name."""

from __future__ import annotations

from functools import lru_cache

from nonosat.puzzles.drawing.shades import channels
from nonosat.puzzles.nonogram.palette import Colour

_NAMES = {
    "black": (0, 0, 0),
    "white": (255, 255, 255),
    "grey": (128, 128, 128),
    "red": (215, 60, 10),
    "orange": (235, 140, 0),
    "yellow": (245, 230, 50),
    "green": (0, 150, 60),
    "light blue": (90, 180, 235),
    "blue": (0, 80, 200),
    "purple": (128, 0, 128),
    "pink": (235, 130, 180),
    "brown": (140, 80, 30),
}


@lru_cache(maxsize=100)
def names(palette: tuple[Colour, ...]) -> tuple[str, ...]:
    """The name of each value of a cell, 0 (blank) first; colours whose names would be the same go by their symbols.

    >>> names((Colour("#", "#000000"),)), names((Colour("#", "#000000"), Colour("r", "#d55e00")))
    (('blank', 'filled'), ('blank', 'black', 'red'))
    """
    if len(palette) == 1:
        return "blank", "filled"
    nearest = [_nearest(colour.rgb) for colour in palette]
    unique = len(set(nearest)) == len(nearest)
    return "blank", *(nearest if unique else [f"colour {colour.symbol}" for colour in palette])


def _nearest(shade: str) -> str:
    here = channels(shade)
    return min(_NAMES, key=lambda name: sum((a - b) ** 2 for a, b in zip(_NAMES[name], here, strict=True)))
