"""All boards of a size, with a counter for every clue that there could be: one formula for all puzzles of that size.

A puzzle is then a set of assumptions, so that a solver can be asked about thousands of puzzles, and keeps what it
learns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nonosat.csp.model import Ints, ints
from nonosat.encodings.coupled import compile_coupled
from nonosat.encodings.formula import Formula
from nonosat.encodings.skyscrapers.rules import full, permutation, stated
from nonosat.encodings.skyscrapers.seen import Seen
from nonosat.encodings.skyscrapers.visibility import visible
from nonosat.puzzles.skyscrapers import Skyscrapers


@dataclass(frozen=True, eq=False)
class Counted:
    """``formula``: every Latin square is a model; ``counters``: shape (4N,), the variables that are the clues."""

    formula: Formula
    counters: Ints

    def assumptions(self, puzzle: Skyscrapers) -> list[int]:
        """The literals that say what the clues and given heights of ``puzzle`` say."""
        known = [(int(self.counters[place]), clue) for place, clue in enumerate(puzzle.clues) if clue]
        known += [(row * puzzle.size + column, height) for row, column, height in puzzle.given]
        return [
            -literal
            for variable, value in known
            for literal in self.formula.map.differ(ints([variable]), ints([value]))
        ]


@lru_cache(maxsize=16)
def counted(size: int) -> Counted:
    """The formula of all boards of ``size``, which is at least 2."""
    assert size > 1
    empty = Skyscrapers.from_clues([0] * (4 * size))
    seen = Seen.of(empty, every=True)
    csp, extra = stated(empty, seen, full, permutation, visible)
    first = next(block.first for block in extra.blocks if block.name.startswith("n_"))
    return Counted(compile_coupled(csp), ints(first + np.arange(1, len(seen.clue) + 1) * (size - 1) - 1))
