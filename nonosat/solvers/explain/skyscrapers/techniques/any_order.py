"""Any order: what all orders of a line's towers share. Nothing more follows from a line with its clues."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.skyscrapers.line import Finding, Line
from nonosat.solvers.explain.skyscrapers.orders import orders, places
from nonosat.solvers.explain.words import listed, many

SHOWN = 12
"""Orders that a finding shows, at most."""


def find(line: Line) -> Iterator[Finding]:
    """The heights that cells have in some of them, however many they are.

    >>> found = next(find(Line.drawn(". . . .", front=2, back=3)))
    >>> found.leaves[1], found.why
    (8, '2 towers are seen from the left and 3 from the right, so its towers can stand in 3 ways')
    """
    yield from shared(line, None)


def shared(line: Line, most: int | None) -> Iterator[Finding]:
    """What orders share, if these are ``most`` at most; none at all: a contradiction."""
    found = orders(line.cells, line.front, line.back)
    if not found.complete or (most is not None and found.number > most):
        return
    ends = list(line.ends())
    clues = listed([end.told if i == 0 else f"{end.clue} from the {end.side}" for i, end in enumerate(ends)] or [""])
    if not found.number:
        none = "no order of its towers goes with that"
        yield Finding({}, clues, none, so=", and")
        return
    ways = "in one way only" if found.number == 1 else f"in {many(found.number, 'way')}"
    why = f"{clues}, so its towers can stand {ways}" if clues else f"its towers can stand {ways}"
    so = {1: ":", 2: ", and in both of them"}.get(found.number, ", and in all of them")
    sample = tuple(found.some(SHOWN, places(line.cells), line.front, line.back))
    yield Finding(dict(enumerate(found.possible)), why, so=so, ways=sample)
