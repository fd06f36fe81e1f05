"""What a line concludes, as clauses over the statement each of which follows from the earlier ones by propagation.

The statement has o[k,a]: run k starts at a or before. *A run does not start in a .. b* is the clause not o[k,b] or
o[k,a-1]. Propagation shows it where

- a cell that may not have the run's colour is covered from all of these starts; or
- the run before it starts too early: from its latest start that leaves room, there is a cell on the way that may not
  be blank (or there is no such start at all); or the same of the run behind it.

Which is why a start is impossible at which the runs up to it, or the runs from it on, do not fit: each such start is
excluded so, when it is needed (``below``, ``above``), after what that rests on. Then

- a cell does not have a colour: if it had, the runs before would have started by then, one after the other;
- a cell is not blank: if it were, run after run would lie before it.
"""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.certificates.steps import Steps, negation
from nonosat.puzzles.nonogram.line_board import LineBoard, LineConclusion, removed
from nonosat.puzzles.nonogram.placements import LineRuns, May, bits, prefixes, suffixes

MANY = 200
"""Runs of a line from which on starts are not excluded on demand: that recurses from run to run."""


class LineLemmas:
    """The clauses so far. Under assumptions, each begins with ``unless``, and ``known`` is a copy of the root's."""

    def __init__(self, board: LineBoard, steps: Steps) -> None:
        self.board, self.steps = board, steps
        self.unless: tuple[str, ...] = ()
        self.known: dict[int, list[int]] = {}
        self.root = self.known

    def under(self, unless: Sequence[str]) -> None:
        """From now on these literals are assumed to be false."""
        self.unless, self.known = tuple(unless), {}

    def leave(self) -> None:
        """Back to the root."""
        self.unless, self.known = (), self.root

    def clause(self, literals: Sequence[str]) -> None:
        """A clause, which holds unless an assumption does not."""
        self.steps.lemma((*self.unless, *literals))

    def excluded(self, line: int) -> list[int]:
        """By run, the starts that have been excluded."""
        if line not in self.known:
            at_root = self.root.get(line)
            self.known[line] = _bounds(self.board.lines[line]) if at_root is None else list(at_root)
        return self.known[line]

    def conclude(self, found: LineConclusion) -> None:
        """Prove what a line concludes."""
        about = _Line(self, found)
        if about.runs > MANY:
            about.exclude_in_order()
        if found.after is None:
            about.no_filling()
            return
        changes = sorted(removed(found.before, found.after), reverse=True)  # colours first, then blank
        if not self.unless:
            about.tighten()
        for value, gone in changes:
            for place in bits(gone):
                about.is_not(place, value)


class _Line:
    """One line with what is known of its cells, and its clauses."""

    def __init__(self, lemmas: LineLemmas, found: LineConclusion) -> None:
        self.lemmas, self.index = lemmas, found.line
        self.line: LineRuns = lemmas.board.lines[found.line]
        self.name = lemmas.board.name(found.line)
        self.may: May = found.after or found.before
        self.first = prefixes(self.line, found.before)[0]
        self.last = suffixes(self.line, found.before)[0]
        self.excluded = lemmas.excluded(found.line)
        full = (1 << self.line.size) - 1
        self.never = [full & ~cells for cells in found.before]  # by value, the cells that may not have it
        self.runs = len(self.line.lengths)

    def top(self, k: int) -> int:
        return self.line.size - self.line.lengths[k]

    def low(self, k: int) -> int:
        """The first start that is not excluded."""
        left = ~self.excluded[k]
        return (left & -left).bit_length() - 1

    def high(self, k: int) -> int:
        left = ((2 << self.top(k)) - 1) & ~self.excluded[k]
        return left.bit_length() - 1

    def by(self, k: int, place: int) -> str | bool:
        """The literal: run ``k`` starts at ``place`` or before; a constant where that is known."""
        if place < self.low(k):
            return False
        if place >= self.high(k):
            return True
        return f"{self.name}_{k}_{place}"

    def add(self, *literals: str | bool) -> None:
        self.lemmas.clause([x for x in literals if isinstance(x, str)])

    def cell(self, place: int, value: int) -> str:
        row, column = self.index, place
        if row >= self.lemmas.board.height:
            row, column = place, row - self.lemmas.board.height
        return f"x{row}_{column}_{value}"

    def colours(self, place: int) -> list[str]:
        return [self.cell(place, v) for v in range(1, len(self.may)) if self.may[v] >> place & 1]

    def tighten(self) -> None:
        for k in range(self.runs):
            if self.first[k]:
                self.below(k, _lowest(self.first[k]) - 1)
        for k in range(self.runs - 1, -1, -1):
            if self.last[k]:
                self.above(k, self.last[k].bit_length())

    def exclude_in_order(self) -> None:
        """Exclude every impossible start, run by run, so that none recurses to others."""
        for k in range(self.runs):
            self.below(k, self.top(k))
        for k in range(self.runs - 1, -1, -1):
            self.above(k, 0)

    def exclude(self, k: int, a: int, b: int) -> None:
        """Run ``k`` does not start at ``a`` .. ``b``."""
        upper = self.by(k, b)
        lower = self.by(k, a - 1)
        self.add(negation(upper) if isinstance(upper, str) else False, lower)
        self.excluded[k] |= (2 << b) - (1 << a)

    def below(self, k: int, start: int) -> None:
        """A run that starts at ``start`` or before, starts where the runs up to it fit."""
        start = min(start, self.top(k))
        while start >= 0:
            left = ~self.excluded[k] & ((2 << start) - 1)
            start = left.bit_length() - 1
            if start < 0 or self.first[k] >> start & 1:
                return
            start = self.exclude_first(k, start) - 1

    def exclude_first(self, k: int, b: int) -> int:
        """Exclude ``b`` and some starts before it, since the runs up to ``k`` do not fit: the first of them."""
        length = self.line.lengths[k]
        over = self.never[self.line.colours[k]] >> b
        covered = b + _lowest(over) - length + 1 if over else b + 1
        begin, room = 0, -1
        if k:
            room = b - self.line.lengths[k - 1] - self.line.gaps[k - 1]
            fits = self.first[k - 1] & ((2 << room) - 1) if room >= 0 else 0
            begin = fits.bit_length() - 1 + self.line.lengths[k - 1] if fits else -1
        stop = self.never[0] >> begin if begin >= 0 else 0
        behind = 0 if begin < 0 else begin + _lowest(stop) + 1 if stop else b + 1
        a = max(0, min(covered, behind))
        assert a <= b
        if behind < covered and k:
            self.below(k - 1, room)
        self.exclude(k, a, b)
        return a

    def above(self, k: int, start: int) -> None:
        """A run that starts at ``start`` or later, starts where the runs from it on fit."""
        start = max(start, 0)
        while start <= self.top(k):
            left = ~self.excluded[k] >> start
            start += _lowest(left)
            if start > self.top(k) or self.last[k] >> start & 1:
                return
            start = self.exclude_last(k, start) + 1

    def exclude_last(self, k: int, a: int) -> int:
        """Exclude ``a`` and some starts behind it, since the runs from ``k`` on do not fit: the last of them."""
        length = self.line.lengths[k]
        over = self.never[self.line.colours[k]] & ((1 << a + length) - 1)
        covered = over.bit_length() - 1  # before a, if it is of no use
        end, room = self.line.size, -1
        if k + 1 < self.runs:
            room = a + length + self.line.gaps[k]
            fits = self.last[k + 1] >> room
            end = room + _lowest(fits) if fits else -1
        stop = self.never[0] & ((1 << end) - 1) if end >= 0 else 0
        before = self.top(k) if end < 0 else stop.bit_length() - 1 - length
        b = min(self.top(k), max(covered, before))
        assert b >= a
        if before > covered and k + 1 < self.runs:
            self.above(k + 1, room)
        self.exclude(k, a, b)
        return b

    def no_filling(self) -> None:
        if self.runs:
            self.below(self.runs - 1, self.top(self.runs - 1))
            self.above(self.runs - 1, 0)
        self.add()

    def is_not(self, place: int, value: int) -> None:
        if value:
            self.not_coloured(place, value)
        else:
            self.not_blank(place)

    def not_coloured(self, place: int, colour: int) -> None:
        cell = self.cell(place, colour)
        lengths = self.line.lengths
        covering = [
            k
            for k in range(self.runs)
            if self.line.colours[k] == colour and self.low(k) <= place and self.high(k) + lengths[k] > place
        ]
        for k in covering:
            self.uncover(k, place)
        covering = [k for k in covering if self.low(k) <= place and self.high(k) + lengths[k] > place]
        for k in covering[1:]:
            started = self.by(k, place)
            if isinstance(started, str):
                self.add(negation(cell), started)
        if covering:
            self.add(negation(cell))

    def uncover(self, k: int, place: int) -> None:
        """No start of run ``k`` from which it covers the place is left."""
        length = self.line.lengths[k]
        window = (2 << place) - (1 << max(0, place - length + 1))
        window &= (2 << self.top(k)) - 1
        while left := window & ~self.excluded[k]:
            low, high = _lowest(left), left.bit_length() - 1
            if not self.first[k] >> high & 1:
                self.exclude_first(k, high)
            elif not self.last[k] >> low & 1:
                self.exclude_last(k, low)
            elif not self.first[k] >> low & 1:
                self.exclude_first(k, low)
            else:  # it does not follow, and the checker will refuse it
                return

    def not_blank(self, place: int) -> None:
        for k in range(self.runs):
            if self.high(k) <= place < self.low(k) + self.line.lengths[k]:
                return
        some = self.colours(place)
        for k in range(self.runs + 1):
            if k < self.runs and self.high(k) <= place:
                continue
            if k:
                self.below(k - 1, place - self.line.lengths[k - 1])
            if k < self.runs:
                self.above(k, place + 1)
            started = self.by(k, place) if k < self.runs else False
            if started is True:
                continue
            self.add(*some, started)
            if started is False:
                return


def _lowest(number: int) -> int:
    return (number & -number).bit_length() - 1


def _bounds(line: LineRuns) -> list[int]:
    """The starts that propagation excludes by itself: the runs before and behind need room."""
    lows, low = [], 0
    for length, space in zip(line.lengths, line.gaps, strict=False):
        lows.append(low)
        low += length + space
    spare = line.size - low
    return [
        ((1 << low) - 1) | ((2 << line.size - length) - 1 & ~((2 << low + spare) - 1))
        for low, length in zip(lows, line.lengths, strict=True)
    ]
