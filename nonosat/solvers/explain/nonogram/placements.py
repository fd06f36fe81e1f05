"""Where the runs of a line can stand: all that techniques ask, by a dynamic program in plain Python.

Sets of cells, and of boundaries (p lies before cell p), are the bits of whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from nonosat.puzzles.nonogram.puzzle import Clue


@dataclass(frozen=True)
class Placements:
    """The fillings of ``size`` cells with the runs of ``clue``, where the cells ``may[v]`` may have the value v.

    >>> from nonosat.puzzles.nonogram.puzzle import Run
    >>> two_and_one = Placements((Run(2), Run(1)), 5, (0b11111, 0b11111))
    >>> [bin(starts) for starts in two_and_one.starts], two_and_one.count
    (['0b11', '0b11000'], 3)
    """

    clue: Clue
    size: int
    may: tuple[int, ...]

    @cached_property
    def starts(self) -> list[int]:
        """For each run the cells that it begins with in some filling."""
        return [ahead & behind for ahead, behind in zip(self._begun, self._ended, strict=True)]

    @cached_property
    def possible(self) -> tuple[int, ...]:
        """For each value the cells that have it in some filling; all are empty if there is no filling."""
        found = [0] * len(self.may)
        for (length, colour), starts in zip(self.clue, self.starts, strict=True):
            found[colour] |= spread(starts, length)
        for done, (after, _) in enumerate(self._after):
            found[0] |= after & (self._before[done] >> 1) & self.may[0]
        return tuple(found)

    @property
    def none(self) -> bool:
        """Is there no filling?"""
        return not self._before[0] & 1

    @cached_property
    def count(self) -> int:
        """How many fillings there are."""
        ways = [int(p == self.size) for p in range(self.size + 2)]
        for k in range(len(self.clue) - 1, -1, -1):
            ways = self._ways(k, self._walked(ways))
        return self._walked(ways)[0]

    def some(self, most: int) -> Iterator[tuple[int, ...]]:
        """The first ``most`` fillings, runs as early as can be; a value a cell."""
        todo: list[tuple[int, int, tuple[int, ...]]] = [] if self.none else [(0, 0, ())]
        while todo and most:
            k, at, begins = todo.pop()
            if k == len(self.clue):
                most -= 1
                yield self._filled(begins)
                continue
            later = [s for s in bits(self._ended[k]) if s >= at and self._blank(at, s) and self._may_follow(k, at, s)]
            todo += [(k + 1, s + self.clue[k].length, (*begins, s)) for s in reversed(later)]

    def covering(self, cell: int) -> list[int]:
        """The runs that have ``cell`` in some filling."""
        return [
            k
            for k, (starts, (length, _)) in enumerate(zip(self.starts, self.clue, strict=True))
            if spread(starts, length) >> cell & 1
        ]

    @cached_property
    def _fits(self) -> list[int]:
        """For each run the cells from which on all that it needs may have its colour."""
        fits = []
        for length, colour in self.clue:
            cells, have = self.may[colour], 1
            while have < length:
                step = min(have, length - have)
                cells &= cells >> step
                have += step
            fits.append(cells)
        return fits

    def _close(self, k: int) -> bool:
        """May run k touch the run before it?"""
        return k == 0 or self.clue[k - 1].colour != self.clue[k].colour

    @cached_property
    def _after(self) -> list[tuple[int, int]]:
        """For each number k of runs that are done: (boundaries behind them, those where run k may begin)."""
        ends, found = 1, []
        for k in range(len(self.clue) + 1):
            after = self._on(ends)
            begin = after if k == len(self.clue) or self._close(k) else self._on((ends & self.may[0]) << 1)
            found.append((after, begin))
            if k < len(self.clue):
                ends = (begin & self._fits[k]) << self.clue[k].length
        return found

    @cached_property
    def _begun(self) -> list[int]:
        return [begin & fits for (_, begin), fits in zip(self._after, self._fits, strict=False)]

    @cached_property
    def _ended(self) -> list[int]:
        """For each run the cells from which it and all later ones can be completed."""
        return [self._completed(k) for k in range(len(self.clue))]

    def _completed(self, k: int) -> int:
        then = self._before[k + 1]
        if k + 1 < len(self.clue) and not self._close(k + 1):
            then = (then >> 1) & self.may[0]
        return self._fits[k] & (then >> self.clue[k].length)

    @cached_property
    def _before(self) -> list[int]:
        """For each number k of runs: boundaries from which on run k and all later ones can be completed."""
        found = {len(self.clue): self._back(1 << self.size)}
        for k in range(len(self.clue) - 1, -1, -1):
            then = found[k + 1]
            if k + 1 < len(self.clue) and not self._close(k + 1):
                then = (then >> 1) & self.may[0]
            found[k] = self._back(self._fits[k] & (then >> self.clue[k].length))
        return [found[k] for k in range(len(self.clue) + 1)]

    def _on(self, boundaries: int) -> int:
        """``boundaries``, and those behind them with only blanks between."""
        found, more = 0, boundaries
        while more != found:
            found = more
            more |= (more & self.may[0]) << 1
        return found

    def _back(self, boundaries: int) -> int:
        """``boundaries``, and those before them with only blanks between."""
        found, more = 0, boundaries
        while more != found:
            found = more
            more |= (more >> 1) & self.may[0]
        return found

    def _blank(self, begin: int, end: int) -> bool:
        cells = (1 << end) - (1 << begin)
        return cells & self.may[0] == cells

    def _may_follow(self, k: int, at: int, start: int) -> bool:
        return start > at or self._close(k)

    def _walked(self, ways: list[int]) -> list[int]:
        """Ways to go on from every boundary, where blanks may come first."""
        found = list(ways)
        for p in range(self.size - 1, -1, -1):
            if self.may[0] >> p & 1:
                found[p] += found[p + 1]
        return found

    def _ways(self, k: int, then: list[int]) -> list[int]:
        """Ways to complete the line with run k beginning at each cell; ``then``: from its end on."""
        length = self.clue[k].length
        found = [0] * (self.size + 2)
        apart = k + 1 < len(self.clue) and not self._close(k + 1)
        for s in bits(self._fits[k]):
            end = s + length
            if not apart:
                found[s] = then[end]
            elif end < self.size and self.may[0] >> end & 1:
                found[s] = then[end + 1]
        return found

    def _filled(self, begins: tuple[int, ...]) -> tuple[int, ...]:
        cells = [0] * self.size
        for (length, colour), begin in zip(self.clue, begins, strict=True):
            cells[begin : begin + length] = [colour] * length
        return tuple(cells)


def spread(starts: int, length: int) -> int:
    """The cells of runs of ``length`` that begin at ``starts``.

    >>> bin(spread(0b10001, 3))
    '0b1110111'
    """
    cells, have = starts, 1
    while have < length:
        step = min(have, length - have)
        cells |= cells << step
        have += step
    return cells


def bits(cells: int) -> Iterator[int]:
    """The numbers in a set, from the least on.

    >>> list(bits(0b1101))
    [0, 2, 3]
    """
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low
