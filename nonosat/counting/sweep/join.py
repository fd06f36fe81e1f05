"""Where a sweep from above and one from below meet: all pairs of states that are one board; compiled.

A column above the boundary has read so many letters, below it so many of its word turned round. They fit if together
they have read the whole word, or all of it and the blank that is due between two runs twice. So two states of a column
are of one *class* if they lie at the same place of the word, where a due blank may have been read or not; and of two
states of one class that have not both a run that touches the boundary (*bare*: the blank is still due), one board can
be made. What fits is then: the same classes, and no column that is bare in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from nonosat.counting.sweep.automata import Reader
from nonosat.counting.sweep.side import Layer, Side
from nonosat.solvers.arrays import Ints, Words
from nonosat.solvers.compiled import compiled

HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
MARK = 64
PART = 1 << 20
"""States that are sorted by class at a time: about."""

Class = tuple[int, bool]


def classes_above(reader: Reader, row: int) -> list[Class]:
    """Of each state before ``row``: its class, and whether it is bare."""
    return [class_of(reader, state, above=True) for state in reader.states[row]]


def classes_below(reader: Reader, turned: Reader, row: int) -> list[Class]:
    """The same of the automaton ``turned`` of the column read from below; ``row`` is its own."""
    length = len(reader.letters)
    return [class_of(reader, length - state, above=False) for state in turned.states[row]]


def class_of(reader: Reader, place: int, above: bool) -> Class:
    """The class of the state at a ``place`` of the word, and whether it is bare."""
    behind_due = place > 0 and reader.due[place - 1]
    before_due = place < len(reader.letters) and reader.due[place]
    if above:
        return (place - 1, False) if behind_due else (place, before_due)
    return (place, False) if before_due else (place - 1, True) if behind_due else (place, False)


@compiled
def classify(keys: Words, sizes: Ints, first: Ints, worth: Words, bare: Ints, classes: Words, bares: Words) -> None:
    """Of each state, the number of its classes, and a bit for each column that is bare.

    ``sizes``: the states of each column; ``first``: where the column's begin in ``worth`` (what the class adds to the
    number) and ``bare``.
    """
    for i in range(len(keys)):
        key, number, bits = keys[i], np.uint64(0), np.uint64(0)
        for c in range(len(sizes) - 1, -1, -1):
            size = np.uint64(sizes[c])
            rest = key // size
            at = first[c] + np.int64(key - rest * size)
            number += worth[at]
            bits |= np.uint64(bare[at]) << np.uint64(c)
            key = rest
        classes[i], bares[i] = number, bits


class Classified(NamedTuple):
    """Some of a layer's states, sorted by class; ``order``: their places in the layer."""

    order: Ints
    classes: Words
    bares: Words
    counts: Words

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        return sum(array.nbytes for array in self)


class Columns(NamedTuple):
    """The columns where two sides meet: of each its states' classes above and below, and the places of the classes."""

    above: list[list[Class]]
    below: list[list[Class]]
    places: list[dict[int, int]]


def columns_of(above: Side, below: Side) -> Columns:
    """Those of two sweeps that have met."""
    ours = [classes_above(reader, above.row) for reader in above.down]
    theirs = [classes_below(*readers, below.row) for readers in zip(above.down, below.down, strict=True)]
    places = [
        {known: i for i, known in enumerate(sorted({known for known, _ in (*one, *other)}))}
        for one, other in zip(ours, theirs, strict=True)
    ]
    return Columns(ours, theirs, places)


def parts_of(columns: Columns, states: int) -> list[tuple[int, ...]]:
    """The classes of some first columns, so many that ``states`` fall into parts of PART states or so."""
    many, known = 1, 0
    while known < len(columns.places) and many * PART < states:
        many *= len(columns.places[known])
        known += 1
    return list(product(*columns.places[:known]))


def part(layer: Layer, columns: Sequence[list[Class]], part_of: tuple[int, ...]) -> tuple[Ints, Layer]:
    """The states of a layer whose first columns are of these classes: their places in it, and themselves."""
    sizes = [len(states) for states in columns]
    rest = prod(sizes[len(part_of) :])
    prefixes = [0]
    for states, known in zip(columns, part_of, strict=False):
        prefixes = [p * len(states) + i for p in prefixes for i, found in enumerate(states) if found[0] == known]
    edges = np.searchsorted(layer.keys, np.array([(p + k) * rest for p in prefixes for k in (0, 1)], dtype=np.uint64))
    spans = [np.arange(begin, end) for begin, end in edges.reshape(-1, 2).tolist()]
    places = np.concatenate([np.zeros(0, dtype=np.int64), *spans])
    return places, Layer(layer.keys[places], layer.counts[places])


def classified(
    layer: Layer, columns: Sequence[list[Class]], places: Sequence[dict[int, int]], part_of: tuple[int, ...]
) -> Classified:
    """The states of ``layer`` of one part; ``places`` numbers the classes of each column."""
    at, (keys, counts) = part(layer, columns, part_of)
    worth: list[list[int]] = []
    one = 1
    for states, place in zip(reversed(columns), reversed(places), strict=True):
        worth.insert(0, [place[known] * one for known, _ in states])
        one *= len(place)
    sizes = np.array([len(states) for states in columns], dtype=np.int64)
    bare = np.array([flag for states in columns for _, flag in states], dtype=np.int64)
    classes, bares = np.empty_like(keys), np.empty_like(keys)
    worths = np.array([number for states in worth for number in states], dtype=np.uint64)
    classify(keys, sizes, np.cumsum(sizes) - sizes, worths, bare, classes, bares)
    order = np.argsort(classes, kind="stable")
    return Classified(at[order], classes[order], bares[order], counts[order])


@compiled
def add(total: Words, a: np.uint64, high: np.uint64, low: np.uint64) -> None:
    """Add ``a`` times (``high``, ``low``) to a number of four words, the lowest first."""
    a1, a0 = a >> HALF, a & LOW
    for k in range(2):
        word = low if k == 0 else high
        b1, b0 = word >> HALF, word & LOW
        p00, p01, p10, p11 = a0 * b0, a0 * b1, a1 * b0, a1 * b1
        middle = (p00 >> HALF) + (p01 & LOW) + (p10 & LOW)
        bottom = (p00 & LOW) | (middle << HALF)
        top = p11 + (p01 >> HALF) + (p10 >> HALF) + (middle >> HALF)
        old = total[k]
        total[k] = old + bottom
        carry = np.uint64(1) if total[k] < old else np.uint64(0)
        top += carry  # no overflow: it is the upper half of a product
        i = k + 1
        while top != np.uint64(0) and i < len(total):
            old = total[i]
            total[i] = old + top
            top = np.uint64(1) if total[i] < old else np.uint64(0)
            i += 1


@compiled
def pairs(
    above: Words, above_bares: Words, above_counts: Words, below: Words, below_bares: Words, below_counts: Words,
    at: Ints, until: int, total: Words, marks: Words,
) -> None:  # fmt: skip
    """Add the products of the counts of all pairs that fit to ``total`` (four words), up to the state ``until`` above.

    ``at``: the next state above, and the first below of its class or a later one. ``marks``: ``total`` before every
    MARK-th state above.
    """
    begin = at[1]
    for i in range(at[0], until):
        if i % MARK == 0:
            for k in range(4):
                marks[4 * (i // MARK) + k] = total[k]
        while begin < len(below) and below[begin] < above[i]:
            begin += 1
        high = low = np.uint64(0)
        j = begin
        while j < len(below) and below[j] == above[i]:
            if above_bares[i] & below_bares[j] == np.uint64(0):
                low += below_counts[j]
                if low < below_counts[j]:
                    high += np.uint64(1)
            j += 1
        add(total, above_counts[i], high, low)
    at[0], at[1] = until, begin
