"""For proofs: what is said of the lines that are seen, in the terms of the puzzle's statement.

Of tower i (from 0) as seen from a clue: ``m_top2_i`` is the highest of the towers up to it, ``s_top2_i`` is 1 iff it is
seen, both of which the statement tells of; ``n_top2_i`` counts those up to it that are seen. Domains, counters and
automata follow from what is said here by unit propagation, and this does line by line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nonosat.csp.meanings import AtMost, Entry, Lemma, Sum, Term, Within
from nonosat.encodings.skyscrapers.seen import Seen


@dataclass(frozen=True)
class Line:
    """A line as it is seen from its clue: the name of that, and the variables of its ``cells`` from there on."""

    name: str
    clue: int
    cells: list[int]

    @property
    def size(self) -> int:
        """N."""
        return len(self.cells)

    def highest(self, at: int, low: int | None = None, high: int | None = None) -> Within:
        """Of the towers up to that one."""
        return Within(f"m_{self.name}_{at}", low, high)

    def count(self, at: int, low: int | None = None, high: int | None = None) -> Within:
        """How many of the towers up to that one are seen."""
        return Within(f"n_{self.name}_{at}", low, high)

    def seen(self, at: int, value: int) -> Within:
        """Whether it is: 1 or 0."""
        return Within(f"s_{self.name}_{at}", value, value)


def lines(seen: Seen) -> Iterator[Line]:
    """Those that are seen."""
    for line in zip(seen.names, seen.clue.tolist(), seen.cells.tolist(), strict=True):
        yield Line(*line)


def meanings(seen: Seen) -> Iterator[Entry]:
    """Of all lines that are seen from a clue."""
    for line in lines(seen):
        yield from _counts(line)
        yield from _heights(line)
        yield from _rest(line)


def _counts(line: Line) -> Iterator[Entry]:
    """What the counters are: the last one is the clue; each other one differs by the towers behind it at most."""
    name, size, clue, last = line.name, line.size, line.clue, line.size - 1
    yield Lemma((), [[line.seen(0, 1)]])
    for at in range(size):
        before = [Term(1, f"n_{name}_{at - 1}", 0, at)] if at else []
        yield Sum(f"n_{name}_{at}", [*before, Term(1, f"s_{name}_{at}", 0, 1)])
    for sign in (1, -1):
        yield AtMost([Term(sign, f"n_{name}_{last}", 0, size)], sign * clue)
    for at in reversed(range(size)):
        yield Lemma((), [[line.count(at, max(1, clue - (last - at)))]])
        yield Lemma((), [[line.count(at, None, min(at + 1, clue))]])


def _heights(line: Line) -> Iterator[Entry]:
    """A tower that is seen is above the highest before it; as many heights as are seen are not above the highest."""
    for at in range(line.size - 1):
        for height in range(1, line.size - 1):
            yield Lemma([line.highest(at, None, height)], [[line.highest(at, None, height + 1)]])
        for height in range(1, line.size):
            before = [line.highest(at - 1, None, height)] if at else []
            yield Lemma([*before, Within(line.cells[at], None, height)], [[line.highest(at, None, height)]])
    for at, cell in enumerate(line.cells[1:], 1):
        for height in range(1, line.size + 1):
            yield Lemma([line.seen(at, 1), Within(cell, height, height)], [[line.highest(at - 1, None, height - 1)]])
    for at in range(1, line.size - 1):
        for height in range(1, at + 1):
            given, then = line.highest(at, None, height), [[line.count(at, None, height)]]
            yield Lemma([given, line.seen(at, 0)], then)
            yield Lemma([given], then)


def _rest(line: Line) -> Iterator[Entry]:
    """Behind the highest so far, as many towers are seen as there are higher ones, at most; behind all, it is N."""
    size, clue = line.size, line.clue
    for at in reversed(range(size - 1)):
        yield Lemma([line.count(at, clue)], [[line.highest(at, size)]])
        for height in range(1, size + 1):
            given, then = line.highest(at, height), [[line.count(at, clue - (size - height))]]
            yield Lemma([given, line.seen(at + 1, 0)], then)
            yield Lemma([given], then)
