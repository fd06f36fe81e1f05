"""Combinations of the columns' states between two rows, by halves of the columns, and how they cross a row.

A combination is a state of the left half and one of the right half. There are far fewer states of halves than
combinations, so the ways of each half across a row are found once. Then a combination takes a few additions, of some
10 ns each. The way of the whole is a way of the left half to some state of the row's automaton in the *middle*, and one
of the right half from there.

A nogood that is about both halves is a bit of the left states that have their part of it, and of the right ones.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled, inlined
from nonosat.compiled.words import ONE, ZERO, Bytes, ByteTable, IntCube, Ints, Word, Words, lowest
from nonosat.counting.sweep.counts import grouped
from nonosat.counting.sweep.states import DEAD, Shorts
from nonosat.solvers.propagation.board import PAUSED

DISTANCE = 2
"""Columns are asked for with so many of those behind them, in pairs."""
ANY = 63
"""Row states from this one on are one bit in sets of them."""
FULL, DONE = 1, 2
"""Further results: there is no room for more; all is crossed."""
LEFT, RIGHT, BOTH = range(3)
"""The parts of a combination."""
NEXT, USED, STEPS, TOO_MANY = range(4)
"""The entries of a crossing's state: what comes next, the results so far, steps, and whether a count exceeds a word."""


class HalfStep(NamedTuple):
    """A step of a half of the columns across one row, from left to right.

    ``columns``, ``most``: how many, and the states of a column at most. ``options``: ways of a column across the row at
    most; those of column c in state s are from ``(c * most + s) * options`` on: a ``value`` (DEAD: no more) and the
    state ``then``. ``across[column, value, state]``: the row's next state, or DEAD. ``bit``, ``mask``: where each
    column's state is in a key before the row; ``new_bit``: behind it. ``beside[(d * columns + c) * most + s]``: the
    states of column c that go with the state s of column c - d - 1, as bits. The others are scratch, the way so far.
    """

    columns: int
    most: int
    options: int
    value: Ints
    then: Ints
    across: IntCube
    bit: Ints
    mask: Words
    new_bit: Ints
    beside: Words
    option: Ints
    row: Ints
    now: Ints
    key: Words


@compiled
def cross_half(
    h: HalfStep,
    keys: Words,
    begins: Words,
    right: int,
    old: Shorts,
    middle: Shorts,
    new: Words,
    state: Ints,
    budget: int,
) -> int:
    """Find the ways of a half's states ``keys`` across the row: PAUSED after ``budget`` steps, FULL, or DONE.

    ``begins``: the row's states, as bits, with which the half may begin. Of each way, the place of the ``old`` state,
    the row's state in the ``middle``, and the ``new`` key are written. A state's ways are written all, or none yet.
    """
    until, rows = state[STEPS] + budget, h.across.shape[2]
    while state[NEXT] < len(keys):
        i, found = state[NEXT], state[USED]
        for q in range(rows if right == 1 else 1):
            if (begins[i] >> np.uint64(min(q, ANY))) & ONE == ZERO:
                continue
            c = 0
            h.option[0], h.row[0], h.key[0] = -1, q, ZERO
            while c >= 0:
                h.option[c] += 1
                was = np.int64((keys[i] >> np.uint64(h.bit[c])) & h.mask[c])
                at = (c * h.most + was) * h.options + h.option[c]
                if h.option[c] == h.options or h.value[at] < 0:
                    c -= 1
                    continue
                row = h.across[c, h.value[at], h.row[c]]
                if row < 0:
                    continue
                state[STEPS] += 1
                then = h.then[at]
                h.now[c] = then
                fits = ONE
                for d in range(min(c, DISTANCE)):
                    fits &= h.beside[(d * h.columns + c) * h.most + h.now[c - d - 1]] >> np.uint64(then)
                if fits == ZERO:
                    continue
                key = h.key[c] | (np.uint64(then) << np.uint64(h.new_bit[c]))
                if c + 1 < h.columns:
                    c += 1
                    h.option[c], h.row[c], h.key[c] = -1, row, key
                    continue
                if found == len(old):
                    return FULL
                old[found], middle[found], new[found] = i, q if right == 1 else row, key
                found += 1
        state[NEXT], state[USED] = i + 1, found
        if state[STEPS] > until:
            return PAUSED
    return DONE


class RowStep(NamedTuple):
    """The ways of all combinations across a row: those of the left half, then those of the right one.

    The left half comes to its new state i by the groups ``first[i]`` .. ``first[i + 1]`` - 1. Group g has the row's
    state ``middle[g]`` and the old states ``lefts[group[g] : group[g + 1]]``. With the row's state q, the right half
    goes from its old state j, of ``many``, to ``rights[w]``, w from ``ways[q * many + j]`` to the next one.
    """

    first: Ints
    middle: Ints
    group: Ints
    lefts: Shorts
    many: int
    ways: Shorts
    rights: Shorts


class Bars(NamedTuple):
    """``words`` of bits of each left state i, from ``one[i * stride]`` on, and of each right state.

    Those that have a bit in common do not go together.
    """

    one: Words
    other: Words
    stride: int
    words: int


@inlined
def barred(b: Bars, first: int, left: int, right: int) -> bool:
    """Have a left and a right state a bit in common, from the word ``first`` on?"""
    here, there = left * b.stride, right * b.stride
    for w in range(first, b.words):  # noqa: SIM110 # compiled code has no any()
        if b.one[here + w] & b.other[there + w] != ZERO:
            return True
    return False


@inlined
def mark(right: int, met: Words, blocks: Words) -> None:
    """Mark a right state as ``met``: its bit, and that of its word in ``blocks``, which are fewer."""
    word = right >> 6
    bits = met[word]
    if bits == ZERO:
        blocks[word >> 6] |= ONE << np.uint64(word & 63)
    met[word] = bits | (ONE << np.uint64(right & 63))


@inlined
def take_met(met: Words, blocks: Words, places: Shorts) -> tuple[int, int]:
    """Unmark the right states that are marked, and write them to ``places``, in order: how many, and words of marks."""
    many = words_met = 0
    for block in range(len(blocks)):
        words = blocks[block]
        blocks[block] = ZERO
        while words != ZERO:
            w = 64 * block + lowest(words)
            words &= words - ONE
            bits = met[w]
            met[w] = ZERO
            words_met += 1
            while bits != ZERO:
                places[many] = 64 * w + lowest(bits)
                bits &= bits - ONE
                many += 1
    return many, words_met


@inlined
def give(s: RowStep, at: int, count: Word, sums: Words, met: Words, blocks: Words, state: Ints) -> None:
    """Add a ``count`` to the ``sums`` of the new right states that follow, and mark them as ``met``."""
    for w in range(s.ways[at], s.ways[at + 1]):
        right = s.rights[w]
        total = sums[right] + count
        if total < count:
            state[TOO_MANY] = 1
            return
        sums[right] = total
        mark(right, met, blocks)
    state[STEPS] += s.ways[at + 1] - s.ways[at]


@compiled
def cross_rows(
    s: RowStep, begin: Ints, which: Shorts, counts: Words, bars: Bars, rows: Ints,
    same: Ints, same_right: Ints, known_begin: Ints, known_which: Shorts,
    sums: Words, met: Words, blocks: Words, new_sums: Words, new_met: Words, new_blocks: Words, places: Shorts,
    new_begin: Ints, new_which: Shorts, new_counts: Words, state: Ints, limit: int, budget: int,
) -> int:  # fmt: skip
    """Find the combinations behind a row and their counts, left state by left state in the order ``rows``.

    PAUSED after ``budget`` steps; FULL if there are ``limit`` combinations, or a count is too large; or DONE.
    ``begin``, ``which``, ``counts``: as in ``Combinations``; new ones are written to ``new_begin`` and so on. What the
    ``bars`` rule out is left out.

    ``same``: if it is not empty, only known combinations are counted. The left state i is the known ``same[i]``, and
    the known right state j is ``same_right[j]``, or none (DEAD). Scratch, all zero: ``sums``, a bit each in ``met``,
    and one of each word of these in ``blocks``, of the right states before and behind the row; and
    ``places``, for as many of them as there are.
    """
    until = state[STEPS] + budget
    while state[NEXT] < len(rows):
        if state[USED] >= limit or state[TOO_MANY] == 1:
            return FULL
        if state[STEPS] > until:
            return PAUSED
        row, used = rows[state[NEXT]], state[USED]
        for g in range(s.first[row], s.first[row + 1]):
            base, first, end = s.middle[g] * s.many, s.group[g], s.group[g + 1]
            if end == first + 1:
                left = s.lefts[first]
                for e in range(begin[left], begin[left + 1]):
                    give(s, base + which[e], counts[e], new_sums, new_met, new_blocks, state)
                state[STEPS] += begin[left + 1] - begin[left]
                continue
            for j in range(first, end):
                left = s.lefts[j]
                for e in range(begin[left], begin[left + 1]):
                    right = which[e]
                    total = sums[right] + counts[e]
                    if total < counts[e]:
                        state[TOO_MANY] = 1
                        return FULL
                    sums[right] = total
                    mark(right, met, blocks)
                state[STEPS] += begin[left + 1] - begin[left]
            many, _ = take_met(met, blocks, places)
            for n in range(many):
                right = places[n]
                give(s, base + right, sums[right], new_sums, new_met, new_blocks, state)
                sums[right] = ZERO
            if state[TOO_MANY] == 1:
                return FULL
        if len(same) > 0:
            for e in range(known_begin[same[row]], known_begin[same[row] + 1]):
                right = same_right[known_which[e]]
                new_counts[e] = new_sums[right] if right >= 0 else ZERO
        many, words = take_met(new_met, new_blocks, places)
        state[STEPS] += words
        for n in range(many):
            right = places[n]
            if len(same) == 0 and not barred(bars, 0, row, right):
                new_which[used], new_counts[used] = right, new_sums[right]
                used += 1
            new_sums[right] = ZERO
        state[NEXT] += 1
        state[USED] = used
        if len(same) == 0:
            new_begin[state[NEXT]] = used
    return DONE


@compiled
def drop_barred(
    begin: Ints,
    which: Shorts,
    counts: Words,
    rows: Ints,
    many: int,
    bars: Bars,
    word: int,
    dead: Bytes,
    dead_right: Bytes,
) -> int:
    """Leave out the combinations of the first ``many`` ``rows`` that are barred from ``word`` on, or have a dead half.

    How many are left.
    """
    used = first = 0
    for i in range(many):
        end = begin[i + 1]
        if dead[rows[i]] == 0:
            for e in range(first, end):
                if dead_right[which[e]] == 0 and not barred(bars, word, rows[i], which[e]):
                    which[used], counts[used] = which[e], counts[e]
                    used += 1
        first = end
        begin[i + 1] = used
    return used


@compiled
def find_bits(
    keys: Words, bit: Ints, mask: Words, fits: Words, most: int, words: int, found: Words, stride: int, word: int
) -> None:
    """Of each key the bits that fit the states of all its columns; ``fits[(column * most + state) * words ..]``."""
    for i in range(len(keys)):
        for w in range(words):
            bits = ~ZERO
            for c in range(len(bit)):
                state = np.int64((keys[i] >> np.uint64(bit[c])) & mask[c])
                bits &= fits[(c * most + state) * words + w]
            found[i * stride + word + w] = bits


@compiled
def possible_middles(begin: Ints, which: Shorts, left: Words, right: Words) -> None:
    """Add the bits of each left state to those of all right states that it is combined with."""
    for i in range(len(left)):
        for e in range(begin[i], begin[i + 1]):
            right[which[e]] |= left[i]


@compiled
def mark_used(which: Shorts, many: int, used: Shorts) -> None:
    """Mark each number that is among the first ``many``."""
    for e in range(many):
        used[which[e]] = 1


@compiled
def renumber(which: Shorts, many: int, place: Shorts) -> None:
    """Give the first ``many`` numbers others: their places."""
    for e in range(many):
        which[e] = place[which[e]]


class Combinations(NamedTuple):
    """Combinations of states between two rows, and their counts.

    ``left``, ``right``: the keys of the halves' states. Those with the left state i are from ``begin[i]`` on: ``which``
    right state, and the ``counts``. There is room for more.
    """

    left: Words
    right: Words
    begin: Ints
    which: Shorts
    counts: Words

    @classmethod
    def start(cls) -> Combinations:
        """The only one outside the board, once."""
        key = np.zeros(1, dtype=np.uint64)
        return cls(key, key, np.array([0, 1]), np.zeros(1, dtype=np.int32), np.ones(1, dtype=np.uint64))

    @property
    def many(self) -> int:
        """How many there are."""
        return int(self.begin[-1])

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        return sum(array.nbytes for array in self)

    def dense(self) -> Combinations:
        """The same, in the same memory, without states that no combination has."""
        some = np.diff(self.begin) > 0
        place = np.zeros(len(self.right), dtype=np.int32)
        mark_used(self.which, self.many, place)
        there = place > 0
        np.cumsum(there, out=place)
        place -= 1
        renumber(self.which, self.many, place)
        begin = np.concatenate(([0], self.begin[1:][some]))
        return Combinations(self.left[some], self.right[there], begin, self.which, self.counts)


class HalfWays(NamedTuple):
    """The ways of a half across a row: the place of the ``old`` state, the row's state in the ``middle``, and the place
    of the new one among the ``keys``.
    """

    old: Shorts
    middle: Shorts
    new: Shorts
    keys: Words


def row_step(left: HalfWays, right: HalfWays, many: int) -> RowStep:
    """The ways of both halves, sorted; ``many``: the right states before the row."""
    rows = rows_of(left, right)
    _, order = grouped(np.arange(len(left.old), dtype=np.int32), left.middle, rows)
    _, order = grouped(order, left.new[order], len(left.keys))
    new, middle = left.new[order], left.middle[order].astype(np.int64)
    other = np.flatnonzero((np.diff(new) != 0) | (np.diff(middle) != 0)) + 1
    begins = np.concatenate(([0], other)) if len(order) else np.zeros(0, dtype=np.int64)
    first = np.searchsorted(new[begins], np.arange(len(left.keys) + 1))
    group = np.concatenate((begins, [len(order)]))
    ways, rights = grouped(right.new, right.middle * np.int32(many) + right.old, rows * many)
    return RowStep(first, middle[begins], group, left.old[order], many, ways.astype(np.int32), rights)


def rows_of(left: HalfWays, right: HalfWays) -> int:
    """How many states the row has in the middle, as far as these ways have them."""
    return 1 + max(int(half.middle.max(initial=0)) for half in (left, right))


# The same in Python: how states are packed, what does not go together, and the crossing of a row, step by step.


Clash = dict[int, int]
"""Columns, and for each some of its states, as bits of their places: no solution has one of each."""
NO_INTS, NO_WORDS = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint64)


class HalfLayout:
    """How the states of columns from ``first`` on, in a layer, are packed into a word: those that are ``live``.

    ``states``: of each column; ``places``: where each is among them. ``most``: states of a column at most. ``bit``,
    ``mask``: where a column's place is in the word.
    """

    def __init__(self, first: int, live: npt.NDArray[np.bool_]) -> None:
        self.first = first
        self.states = [np.flatnonzero(column).tolist() for column in live]
        self.places = [{state: place for place, state in enumerate(states)} for states in self.states]
        self.most = max([1, *map(len, self.states)])
        widths = [max(0, len(states) - 1).bit_length() for states in self.states]
        self.bits = sum(widths)
        begins = accumulate(widths, initial=0)
        self.bit = np.array([at if width else 0 for at, width in zip(begins, widths, strict=False)], dtype=np.int64)
        self.mask = np.array([(1 << width) - 1 for width in widths], dtype=np.uint64)

    def states_of(self, keys: Words) -> ByteTable:
        """The places of all columns' states, shape (columns, keys)."""
        return ((keys >> self.bit[:, None].astype(np.uint64)) & self.mask[:, None]).astype(np.uint8)

    def write_bits(self, keys: Words, clashes: list[Clash], bars: Words, stride: int, word: int) -> None:
        """Write of each key the clashes that it has the states of, as bits, to ``bars`` from a ``word`` on."""
        words = words_of(clashes)
        fits = np.zeros((len(self.states), self.most, 64 * words), dtype=np.uint8)  # [column, place, clash]
        fits[:, :, : len(clashes)] = 1
        places = np.arange(self.most)
        for i, clash in enumerate(clashes):
            for c, states in clash.items():
                if 0 <= c - self.first < len(self.states):
                    fits[c - self.first, :, i] = (states >> places) & 1
        packed = np.packbits(fits, axis=2, bitorder="little").view(np.uint64).reshape(-1)
        find_bits(keys, self.bit, self.mask, packed, self.most, words, bars, stride, word)


def words_of(clashes: list[Clash]) -> int:
    """Words that their bits take: see ``barred``."""
    return -(-len(clashes) // 64)


class RowCrossing:
    """Combinations that cross a row, left state by left state, and what they have led to so far.

    ``old``: before the row. ``layer``: that behind it, with its ``layout``. ``left``, ``right``: the ways of the
    halves. ``clashes`` rule out some of what is there. ``live``: of each half, the states that may be combined.
    ``leads_to``: about how many combinations there will be.
    """

    def __init__(
        self,
        old: Combinations,
        layer: int,
        layout: tuple[HalfLayout, HalfLayout],
        left: HalfWays,
        right: HalfWays,
        clashes: list[Clash],
    ) -> None:
        self.old, self.layer, self.layout = old, layer, layout
        self.keys = left.keys, right.keys
        self.step = row_step(left, right, len(old.right))
        most = max(len(old.right), len(right.keys))
        self.scratch = *zeros_of(len(old.right)), *zeros_of(len(right.keys))
        self.places = np.zeros(most, dtype=np.int32)
        self.state = np.zeros(4, dtype=np.int64)
        self.which, self.counts = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.uint64)
        self.same = NO_INTS, NO_INTS, NO_INTS, self.which
        self.clashes: list[Clash] = []
        self.bars = Bars(NO_WORDS, NO_WORDS, 0, 0)
        self._bar(clashes)
        self.leads_to = 0.0
        self.live = np.ones(len(left.keys), dtype=bool), np.ones(len(right.keys), dtype=bool)
        self.begin_with(NO_INTS)

    def begin_with(self, rows: Ints) -> None:
        """Cross the row anew, to those of these left states that are live, in this order."""
        self.rows = rows[self.live[LEFT][rows]]
        self.begin = np.zeros(len(self.rows) + 1, dtype=np.int64)
        self.state[:TOO_MANY] = 0

    def only(self, known: Combinations) -> None:
        """Count these alone: ``counts`` will be theirs."""
        left, right = places_in(known.left, self.keys[0]), places_in(self.keys[1], known.right)
        self.begin_with(np.flatnonzero(left >= 0))
        self.same = left, right, known.begin, known.which
        self.counts = np.zeros(known.many, dtype=np.uint64)
        self._drop_ways(places_in(known.right, self.keys[1]) >= 0)

    @property
    def used(self) -> int:
        """How many combinations there are behind the row so far."""
        return int(self.state[USED])

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        step, bars = self.step, self.bars
        numbers: list[npt.NDArray[Any]] = [
            step.first,
            step.middle,
            step.group,
            step.lefts,
            step.ways,
            step.rights,
            self.which,
            self.places,
        ]
        words = [*self.scratch, bars.one, bars.other, self.counts]
        return sum(array.nbytes for array in numbers) + sum(array.nbytes for array in words)

    def cross(self, limit: int, budget: int) -> int:
        """Go on for so many steps, or until there are ``limit`` combinations: PAUSED, FULL or DONE."""
        room = limit + len(self.keys[1])  # a left state may be combined with all right ones
        if not len(self.same[0]) and len(self.which) < room:
            self.which, self.counts = grown(self.which, self.used, room), grown(self.counts, self.used, room)
        begin, which, counts = self.old[2:]
        return cross_rows(
            self.step, begin, which, counts, self.bars, self.rows, *self.same,
            *self.scratch, self.places, self.begin, self.which, self.counts, self.state, limit, budget,
        )  # fmt: skip

    def prune(self, clashes: list[Clash]) -> None:
        """Leave out what has one of the ``clashes``, now and from now on."""
        first, done, word = self.layout[1].first, int(self.state[NEXT]), len(self.clashes) // 64
        own: tuple[list[Clash], list[Clash]] = [], []
        mixed = []
        for clash in clashes:
            if all(c < first for c in clash):
                own[0].append(clash)
            elif all(c >= first for c in clash):
                own[1].append(clash)
            else:
                mixed.append(clash)
        self._bar(mixed)
        dead = self._having(0, own[0]), self._having(1, own[1])  # whatever the other half is in
        flags = dead[0].view(np.uint8), dead[1].view(np.uint8)
        self.state[USED] = drop_barred(self.begin, self.which, self.counts, self.rows, done, self.bars, word, *flags)
        for live, gone in zip(self.live, dead, strict=True):
            live &= ~gone
        self._drop_ways(~dead[1])
        rest = self.rows[done:]
        self.rows = np.concatenate((self.rows[:done], rest[~dead[0][rest]]))

    def _having(self, half: int, clashes: list[Clash]) -> npt.NDArray[np.bool_]:
        """The states of a half that have all that one of the ``clashes`` is about."""
        words, keys = words_of(clashes), self.keys[half]
        bits = np.zeros(len(keys) * words, dtype=np.uint64)
        self.layout[half].write_bits(keys, clashes, bits, words, 0)
        return np.asarray((bits.reshape(len(keys), words) != 0).any(axis=1))

    def _bar(self, clashes: list[Clash]) -> None:
        """Let these rule out what is not there yet, too."""
        word = len(self.clashes) // 64  # the first one that is not full
        self.clashes += clashes
        words, (one, other, stride, _) = words_of(self.clashes), self.bars
        both = [one, other]
        if words > stride:
            wider = max(words, 2 * stride)
            for half, keys in enumerate(self.keys):
                bars = np.empty((len(keys), wider), dtype=np.uint64)
                bars[:, :word] = both[half].reshape(len(keys), stride)[:, :word]
                both[half] = bars.reshape(-1)
            stride = wider
        for half in (0, 1):
            self.layout[half].write_bits(self.keys[half], self.clashes[64 * word :], both[half], stride, word)
        self.bars = Bars(both[0], both[1], stride, words)

    def _drop_ways(self, live: npt.NDArray[np.bool_]) -> None:
        """Leave out the ways to right states that are not ``live``."""
        kept = live[self.step.rights]
        if not kept.all():
            before = np.concatenate(([0], np.cumsum(kept))).astype(np.int32)
            self.step = self.step._replace(ways=before[self.step.ways], rights=self.step.rights[kept])

    def many(self, part: int) -> int:
        """How many live states a half has, or how many combinations there are so far (BOTH)."""
        return self.used if part == BOTH else int(self.live[part].sum())

    def states_of(self, part: int, places: Ints) -> ByteTable:
        """The places of the columns' states in these live states of a half, or combinations (BOTH).

        Shape (columns, states).
        """
        if part != BOTH:
            return self.layout[part].states_of(self.keys[part][np.flatnonzero(self.live[part])[places]])
        lefts = self.rows[np.searchsorted(self.begin[: self.state[NEXT] + 1], places, side="right") - 1]
        left, right = self.keys[0][lefts], self.keys[1][self.which[places]]
        return np.concatenate((self.layout[0].states_of(left), self.layout[1].states_of(right)))

    def result(self) -> Combinations:
        """All that was found, once all is crossed."""
        left, right = self.keys
        begin = self.begin[: len(self.rows) + 1]
        return Combinations(left[self.rows], right, begin, self.which, self.counts).dense()


N = TypeVar("N", np.int32, np.uint64)


def grown(array: npt.NDArray[N], used: int, room: int) -> npt.NDArray[N]:
    """The first numbers that are ``used``, with room for more."""
    new = np.empty(room, dtype=array.dtype)
    new[:used] = array[:used]
    return new


def zeros_of(many: int) -> tuple[Words, Words, Words]:
    """Scratch of ``cross_rows`` for so many right states."""
    sums, met, blocks = (np.zeros(many // each + 1, dtype=np.uint64) for each in (1, 64, 4096))
    return sums, met, blocks


def places_in(keys: Words, wanted: Words) -> Ints:
    """Where each of the ``wanted`` is among ``keys``, which are different; DEAD: nowhere."""
    if not len(keys):
        return np.full(len(wanted), DEAD, dtype=np.int64)
    order = np.argsort(keys)
    at = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)]
    return np.where(keys[at] == wanted, at, DEAD)
