"""The line solver in plain Python: where the runs of one line can start, and what its cells can be.

Explanations and certificates use it. They need the starts of every run, on lines of any length, without compiled code.
``solvers/propagation/lines.py`` is the same dynamic program on machine words. The checkers have their own, on purpose.

A set is a whole number. Bit j of ``may[v]``: cell j may have the value v (0 is blank). Bit p of a set of starts: the
run may start at cell p. Bit p of a set of boundaries: it holds the boundary before cell p. A line of n cells has n + 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from nonosat.puzzles.nonogram.puzzle import Clue, gap

May = tuple[int, ...]
Sets = list[int]


class LineRuns(NamedTuple):
    """The runs of a line of ``size`` cells; ``gaps[k]``: how many blanks must follow run k."""

    size: int
    lengths: tuple[int, ...]
    colours: tuple[int, ...]
    gaps: tuple[int, ...]


def runs_of(size: int, clue: Clue) -> LineRuns:
    """The runs of ``clue``."""
    gaps = [gap(run, following) for run, following in pairwise(clue)]
    return LineRuns(size, tuple(run.length for run in clue), tuple(run.colour for run in clue), (*gaps, 0))


def prefixes(line: LineRuns, may: May) -> tuple[Sets, Sets]:
    """By run: the starts at which it and all earlier runs fit; the boundaries that the blanks before it reach.

    The second list has one entry more: the boundaries that the blanks behind the last run reach.
    """
    blank = may[0]
    found, before = [], []
    reached = _forwards(1, blank)
    for length, colour, space in zip(line.lengths, line.colours, line.gaps, strict=False):
        before.append(reached)
        starts = reached & _fits(may[colour], length)
        found.append(starts)
        ends = starts << length
        reached = _forwards((ends & blank) << 1 if space else ends, blank)
    before.append(reached)
    return found, before


def suffixes(line: LineRuns, may: May) -> tuple[Sets, Sets]:
    """By run: the starts at which it and all later runs fit; the boundaries from which these can be reached.

    The second list has one entry more: the boundaries behind which all cells may be blank.
    """
    blank = may[0]
    steps, size = [], 1
    stretch = blank
    while size <= line.size:
        steps.append((size, stretch))
        stretch &= stretch >> size
        size *= 2
    reached = _backwards(1 << line.size, steps)
    found, behind = [], [reached]
    for k in range(len(line.lengths) - 1, -1, -1):
        length = line.lengths[k]
        after = (reached >> 1) & blank if line.gaps[k] else reached
        starts = _fits(may[line.colours[k]], length) & (after >> length)
        found.append(starts)
        reached = _backwards(starts, steps)
        behind.append(reached)
    return found[::-1], behind[::-1]


def consequences(line: LineRuns, may: May) -> May | None:
    """The cells that have each value in some filling of the line; None: there is no filling.

    >>> from nonosat.puzzles.nonogram import Run
    >>> [format(cells, "04b") for cells in consequences(runs_of(4, (Run(3),)), (0b1111, 0b1111))]
    ['1001', '1111']
    """
    before = prefixes(line, may)
    if not before[1][-1] >> line.size & 1:
        return None
    return _possible(line, may, before, suffixes(line, may))


def _possible(line: LineRuns, may: May, before: tuple[Sets, Sets], behind: tuple[Sets, Sets]) -> May:
    """``consequences`` of a line that has a filling, from its prefixes and suffixes."""
    (first, left), (last, right) = before, behind
    out = [0] * len(may)
    blank = left[0] & right[0] >> 1
    for k, length in enumerate(line.lengths):
        starts = first[k] & last[k]
        out[line.colours[k]] |= spread(starts, length)
        if line.gaps[k]:
            blank |= starts << length
        blank |= left[k + 1] & right[k + 1] >> 1
    out[0] = blank & may[0]
    return tuple(out)


@dataclass(frozen=True)
class LinePlacements:
    """The fillings of ``size`` cells with the runs of ``clue``, where the cells ``may[v]`` may have the value v.

    >>> from nonosat.puzzles.nonogram.puzzle import Run
    >>> two_and_one = LinePlacements((Run(2), Run(1)), 5, (0b11111, 0b11111))
    >>> [bin(starts) for starts in two_and_one.starts], two_and_one.count
    (['0b11', '0b11000'], 3)
    """

    clue: Clue
    size: int
    may: May

    @cached_property
    def starts(self) -> Sets:
        """For each run the cells that it begins with in some filling."""
        return [first & last for first, last in zip(self._prefixes[0], self._suffixes[0], strict=True)]

    @cached_property
    def possible(self) -> May:
        """For each value the cells that have it in some filling; all are empty if there is no filling."""
        if self.none:
            return (0,) * len(self.may)
        return _possible(self._runs, self.may, self._prefixes, self._suffixes)

    @property
    def none(self) -> bool:
        """Is there no filling?"""
        return not self._suffixes[1][0] & 1

    @cached_property
    def count(self) -> int:
        """How many fillings there are."""
        ways = [int(p == self.size) for p in range(self.size + 2)]
        for k in range(len(self.clue) - 1, -1, -1):
            ways = self._ways(k, self._past_blanks(ways))
        return self._past_blanks(ways)[0]

    def some(self, most: int) -> Iterator[tuple[int, ...]]:
        """The first ``most`` fillings, runs as early as can be; a value a cell."""
        todo: list[tuple[int, int, tuple[int, ...]]] = [] if self.none else [(0, 0, ())]
        while todo and most:
            k, at, begins = todo.pop()
            if k == len(self.clue):
                most -= 1
                yield self._filled(begins)
                continue
            begin = at + self._runs.gaps[k - 1] if k else at
            later = [s for s in bits(self._suffixes[0][k]) if s >= begin and self._blank(at, s)]
            todo += [(k + 1, s + self.clue[k].length, (*begins, s)) for s in reversed(later)]

    def covering(self, cell: int) -> list[int]:
        """The runs that have ``cell`` in some filling."""
        return [
            k
            for k, (starts, (length, _)) in enumerate(zip(self.starts, self.clue, strict=True))
            if spread(starts, length) >> cell & 1
        ]

    @cached_property
    def _runs(self) -> LineRuns:
        return runs_of(self.size, self.clue)

    @cached_property
    def _prefixes(self) -> tuple[Sets, Sets]:
        return prefixes(self._runs, self.may)

    @cached_property
    def _suffixes(self) -> tuple[Sets, Sets]:
        return suffixes(self._runs, self.may)

    def _blank(self, begin: int, end: int) -> bool:
        cells = (1 << end) - (1 << begin)
        return cells & self.may[0] == cells

    def _past_blanks(self, ways: list[int]) -> list[int]:
        """Ways to go on from every boundary, where blanks may come first."""
        found = list(ways)
        for p in range(self.size - 1, -1, -1):
            if self.may[0] >> p & 1:
                found[p] += found[p + 1]
        return found

    def _ways(self, k: int, then: list[int]) -> list[int]:
        """Ways to complete the line with run k starting at each cell; ``then``: from its end on."""
        length, colour = self.clue[k]
        found = [0] * (self.size + 2)
        for s in bits(_fits(self.may[colour], length)):
            end = s + length
            if not self._runs.gaps[k]:
                found[s] = then[end]
            elif end < self.size and self.may[0] >> end & 1:
                found[s] = then[end + 1]
        return found

    def _filled(self, begins: tuple[int, ...]) -> tuple[int, ...]:
        cells = [0] * self.size
        for (length, colour), begin in zip(self.clue, begins, strict=True):
            cells[begin : begin + length] = [colour] * length
        return tuple(cells)


def _forwards(ends: int, blank: int) -> int:
    """The boundaries reached from ``ends`` by walking right over blank cells: a carry runs through these."""
    return ((ends & blank) + blank ^ blank) | ends


def _backwards(ends: int, steps: list[tuple[int, int]]) -> int:
    """The boundaries that reach ``ends`` so; ``steps``: (1, 2, 4, ...; the cells that begin so many blank ones)."""
    for size, stretch in steps:
        ends |= ends >> size & stretch
    return ends


def _fits(cells: int, length: int) -> int:
    """The cells that begin ``length`` neighbouring ``cells``."""
    have = 1
    while have < length:
        step = min(have, length - have)
        cells &= cells >> step
        have += step
    return cells


def spread(starts: int, length: int) -> int:
    """The cells of runs of ``length`` that begin at ``starts``.

    >>> bin(spread(0b10001, 3))
    '0b1110111'
    """
    have = 1
    while have < length:
        step = min(have, length - have)
        starts |= starts << step
        have += step
    return starts


def bits(number: int) -> Iterator[int]:
    """The numbers in a set, from the lowest on.

    >>> list(bits(0b1101))
    [0, 2, 3]
    """
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low
