"""A small canvas of coloured cells, for pictures drawn by code: a shape fills the cells whose centres it covers.

Coordinates are cells, right and down from the upper left corner; only sums and products are made of them, so that the
same cells are filled on every machine. A colour is a letter of ``INKS``, ``.`` is blank.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

INKS = {
    "k": "#2b2b33",
    "r": "#c8332e",
    "o": "#e2862a",
    "y": "#e8c02c",
    "g": "#3f8f46",
    "b": "#2f6fb5",
    "p": "#a0529b",
    "n": "#8a5a35",
    "w": "#a9b4bd",
    "s": "#e79aa8",
}
"""Ink, red, orange, yellow, green, blue, purple, brown (nut), grey (worn white), and salmon."""

Point = tuple[float, float]


class Canvas:
    """``rows``: lists of letters."""

    def __init__(self, height: int, width: int) -> None:
        self.rows = [["."] * width for _ in range(height)]

    def fill(self, ink: str, inside: Callable[[float, float], bool]) -> Canvas:
        """The cells whose centres (x, y) are ``inside``."""
        for y, row in enumerate(self.rows):
            for x in range(len(row)):
                if inside(x + 0.5, y + 0.5):
                    row[x] = ink
        return self

    def oval(self, ink: str, x: float, y: float, across: float, down: float | None = None) -> Canvas:
        """An ellipse around (x, y) with these half axes; a circle if there is one."""
        tall = across if down is None else down
        limit = across * across * tall * tall
        return self.fill(ink, lambda u, v: ((u - x) * tall) ** 2 + ((v - y) * across) ** 2 <= limit)

    def box(self, ink: str, left: float, top: float, right: float, bottom: float) -> Canvas:
        """A rectangle, without its right and lower edge."""
        return self.fill(ink, lambda u, v: left <= u < right and top <= v < bottom)

    def shape(self, ink: str, *points: Point) -> Canvas:
        """A polygon, by the even-odd rule."""
        edges = list(pairwise([*points, points[0]]))

        def inside(u: float, v: float) -> bool:
            found = False
            for (ax, ay), (bx, by) in edges:
                if (ay > v) != (by > v):
                    side = (bx - ax) * (v - ay) - (u - ax) * (by - ay)
                    found ^= side > 0 if by > ay else side < 0
            return found

        return self.fill(ink, inside)

    def stroke(self, ink: str, wide: float, *points: Point) -> Canvas:
        """A line through the points, ``wide`` to each side."""
        for (ax, ay), (bx, by) in pairwise(points):
            long = (bx - ax) ** 2 + (by - ay) ** 2

            def near(
                u: float,
                v: float,
                ax: float = ax,
                ay: float = ay,
                bx: float = bx,
                by: float = by,
                long: float = long,
            ) -> bool:
                along = max(0.0, min(long, (u - ax) * (bx - ax) + (v - ay) * (by - ay)))
                # all times ``long``, so that nothing is divided
                dx, dy = (u - ax) * long - along * (bx - ax), (v - ay) * long - along * (by - ay)
                return dx * dx + dy * dy <= (wide * long) ** 2

            self.fill(ink, near)
        return self

    def mirrored(self) -> Canvas:
        """The left half again at the right."""
        for row in self.rows:
            for x in range(len(row) // 2):
                row[-1 - x] = row[x]
        return self

    def text(self) -> tuple[str, ...]:
        """A string a row."""
        return tuple("".join(row) for row in self.rows)


def drawn(*rows: str) -> Sequence[str]:
    """A picture that is written as it is."""
    if len({len(row) for row in rows}) != 1:
        raise ValueError(f"rows of different lengths: {rows}")
    return rows
