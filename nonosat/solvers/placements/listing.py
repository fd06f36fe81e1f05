"""The placements of all lines: how many there are, whether they can be listed at all, and the lists."""

from __future__ import annotations

from math import log10

import numpy as np

from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.answer import Stopped, Verdict
from nonosat.solvers.placements.counting import counts
from nonosat.solvers.placements.lines import clues_of, lines_of, offsets
from nonosat.solvers.placements.lists import Lists, write
from nonosat.solvers.placements.moves import tables

BUDGET = 2**30
"""Bytes that the lists of a search, and what grows with them, may take."""
_AT_ONCE = 1 << 22  # placements in one call; between calls there is Ctrl-C
_LONG = 10**15  # numbers from here on are shown as a power of ten


class Placements:
    """The placements of all lines of some axes: counted when this is made, listed when they are asked for."""

    def __init__(self, puzzle: Nonogram, *axes: str) -> None:
        self.puzzle, self.axes = puzzle, axes
        self.lines = lines_of(puzzle, *axes)
        self.count = counts(self.lines)
        if puzzle.colours == 1:
            self.values = [[1]] * len(self.count)
        else:
            self.values = [sorted({c for _, c in clue}) or [1] for axis in axes for clue in clues_of(puzzle, axis)]
        self.stride = np.array([len(own) for own in self.values]) * ((self.lines.length + 63) // 64)

    def refusal(self, limit: int | None, beside: int) -> Stopped | None:
        """Why they will not be listed, if they won't.

        ``limit``: the most that a line may have. ``beside``: the bytes that the search needs beside the lists.
        """
        if limit is not None and (over := next((i for i, n in enumerate(self.count) if n > limit), None)) is not None:
            reason = f"{self.name(over)} has {_shown(self.count[over])} placements, the limit is {limit:,}"
            return Stopped(Verdict.MEMOUT, reason)
        words = sum(count * stride for count, stride in zip(self.count, self.stride.tolist(), strict=True))
        if (needed := 8 * words + beside) <= BUDGET:
            return None
        most = max(range(len(self.count)), key=self.count.__getitem__)
        which = "lines" if len(self.axes) > 1 else f"{self.axes[0]}s"
        return Stopped(
            Verdict.MEMOUT,
            f"{self.name(most)} alone has {_shown(self.count[most])} placements; "
            f"all {which} together need {_shown(-(-needed // 2**20))} MiB, the budget is {BUDGET // 2**20}",
        )

    def name(self, i: int) -> str:
        """Line ``i`` as people call it."""
        return [f"{axis} {n + 1}" for axis in self.axes for n in range(len(clues_of(self.puzzle, axis)))][i]

    def listed(self) -> Lists:
        """All of them; those of a line in the order of its first run's place, then its second's, ..."""
        count = np.array(self.count, dtype=np.int64)
        begin = offsets(count * self.stride)
        values = np.array([value for own in self.values for value in own])
        mask = offsets([len(own) for own in self.values])
        masks = np.empty(begin[-1], dtype=np.uint64)
        lists = Lists(self.lines.length, mask, values, self.stride, count, begin[:-1], masks)
        moves = tables(self.lines)
        scratch = np.empty((2, int(self.lines.free.max()) + 1), dtype=np.int64)
        first = 0
        while first < len(count):
            last, placements = first + 1, self.count[first]
            while last < len(count) and placements + self.count[last] <= _AT_ONCE:
                placements += self.count[last]
                last += 1
            write(self.lines, moves, lists, first, last, scratch[0], scratch[1])
            first = last
        return lists


def _shown(number: int) -> str:
    return f"{number:,}" if number < _LONG else f"about 10^{log10(number):.0f}"


def limit_of(solver: str) -> int | None:
    """The N of ``limit=N`` among the switches of a solver's name."""
    return next((int(word[6:]) for word in solver.split("+") if word.startswith("limit=")), None)
