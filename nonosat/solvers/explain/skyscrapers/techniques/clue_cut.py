"""Clue cut: to let c towers be seen, those near the clue must leave room for others to rise behind them."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.solvers.explain.skyscrapers.line import Finding, Line


def find(line: Line) -> Iterator[Finding]:
    """The cell at distance i from a clue c has N - c + 1 + i at most (the phase 3 of Majdandžić 2022).

    >>> for found in find(Line.drawn(". . . .", front=3)):
    ...     print([bin(mask) for mask in found.leaves.values()], found.why)
    ['0b11', '0b111'] 3 towers are seen from the left, and the first ones must leave room for higher ones
    """
    for end in line.ends():
        if end.clue > 1:
            leaves = {cell: line.every >> end.clue - 1 - i for i, cell in enumerate(end.cells[: end.clue - 1])}
            some = "one must leave room for a higher one" if end.clue == 2 else "ones must leave room for higher ones"
            yield Finding(leaves, f"{end.told}, and the first {some}")
