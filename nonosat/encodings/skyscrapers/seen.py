"""The lines of a board as they are seen from its edges, in the numbers of the CSP's variables."""

from __future__ import annotations

from dataclasses import dataclass

from nonosat.csp.model import Ints, ints
from nonosat.puzzles.skyscrapers import Skyscrapers


@dataclass(frozen=True, eq=False)
class Seen:
    """The lines as they are seen from the ends that have a clue.

    ``size``: N; ``cells``: shape (views, N), the variables from the clue's end on; ``clue``: shape (views,), 0 where
    the number is left open (of visibility parts that count); ``names``: of the views, ``top2`` is the top of column 2.
    """

    size: int
    cells: Ints
    clue: Ints
    names: tuple[str, ...]

    @classmethod
    def of(cls, puzzle: Skyscrapers, every: bool = False) -> Seen:
        """Those of ``puzzle``; ``every``: those from the ends without a clue too."""
        size = puzzle.size
        views = [view for view in puzzle.views() if view.clue or every]
        names = tuple(f"{view.edge}{view.place}" for view in views)
        cells = [[row * size + column for row, column in view.cells] for view in views]
        return cls(size, ints(cells).reshape(-1, size), ints([view.clue for view in views]), names)
