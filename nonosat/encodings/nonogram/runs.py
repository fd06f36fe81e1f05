"""All runs of a puzzle as one table, the common ground of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np

from nonosat.csp.model import Ints
from nonosat.puzzles.nonogram import Nonogram


@dataclass(frozen=True, eq=False)
class Runs:
    """The runs of every line (rows, then columns), in order; each array has one entry a run, or one a line.

    A run's *position* is counted along its line from 0. The cell at position j of line l is the CSP variable
    ``base[l] + j * stride[l]`` (cells come first, row by row), and run r starts at the variable ``start[r]``.
    """

    length: Ints
    colour: Ints
    line: Ints
    start: Ints
    first: Ints
    """Per line: its first run; one more entry at the end, so that line l has the runs ``first[l]:first[l+1]``."""
    size: Ints
    """Per line: its number of cells."""
    base: Ints
    stride: Ints
    colours: int

    @classmethod
    def of(cls, puzzle: Nonogram) -> Runs:
        """The table of ``puzzle``'s runs."""
        clues = puzzle.rows + puzzle.columns
        height, width = puzzle.shape
        counts = np.fromiter(map(len, clues), dtype=np.int32, count=len(clues))
        first = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
        flat = np.fromiter(chain.from_iterable(chain.from_iterable(clues)), dtype=np.int32, count=2 * int(first[-1]))
        rows, columns = np.arange(height, dtype=np.int32), np.arange(width, dtype=np.int32)
        return cls(
            length=flat[0::2].copy(),
            colour=flat[1::2].copy(),
            line=np.repeat(np.arange(len(clues), dtype=np.int32), counts),
            start=np.arange(height * width, height * width + first[-1], dtype=np.int32),
            first=first,
            size=np.repeat(np.array([width, height], dtype=np.int32), [height, width]),
            base=np.concatenate((rows * width, columns)),
            stride=np.repeat(np.array([1, width], dtype=np.int32), [height, width]),
            colours=puzzle.colours,
        )

    def __len__(self) -> int:
        return len(self.length)

    @property
    def has_next(self) -> Ints:
        """The runs that have a run behind them on their line; run r's is r + 1."""
        return np.flatnonzero(self.line[1:] == self.line[:-1]).astype(np.int32)

    @property
    def gap(self) -> Ints:
        """Per run: the blanks that must lie between it and the next run of its line; 0 for the last run of a line."""
        gap = np.zeros(len(self), dtype=np.int32)
        gap[:-1] = (self.line[1:] == self.line[:-1]) & (self.colour[1:] == self.colour[:-1])
        return gap

    def names(self, height: int) -> list[str]:
        """Per run: what its start is called, by variables and by the puzzle's statement: ``h_0_1``."""
        axes = np.where(self.line < height, "h", "v").tolist()
        return [f"{axis}_{line}_{k}" for axis, (line, k) in zip(axes, self.index(height).tolist(), strict=True)]

    def index(self, height: int) -> Ints:
        """Per run: (line within its axis, number within its line), for names."""
        line = np.where(self.line < height, self.line, self.line - height)
        return np.stack((line, np.arange(len(self)) - self.first[self.line]), axis=1).astype(np.int32)
