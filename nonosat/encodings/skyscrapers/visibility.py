"""How many towers are seen from a clue: two ways to say it by counters (``states.py`` has a third).

The first tower of a line is always seen. *Counters* n_i, the number of towers seen among the first i + 1, sum the
others up: n_i is n_(i-1), or one more where tower i is seen, and the last is the clue. Their domains leave out what the
towers before and behind cannot reach.
"""

from __future__ import annotations

import numpy as np

from nonosat.csp.model import Block, Clauses, Comparison, Ints, at_least, at_most, ints
from nonosat.encodings.skyscrapers.rules import Extra, nothing
from nonosat.encodings.skyscrapers.seen import Seen


def running(seen: Seen) -> Extra:
    """By running maxima: m_i is the highest of the first i + 1 towers, and tower i is seen iff it is above m_(i-1).

    m_0 is the first cell itself. Variables a view: m_1 .. m_(N-2), the Booleans s_1 .. s_(N-1), n_1 .. n_(N-1).
    """
    views, size = seen.cells.shape
    if size == 1:
        return nothing()
    first = size * size
    maxima = _numbered(first, views, size - 2)
    towers = _numbered(first + maxima.size, views, size - 1)
    counters = _numbered(first + maxima.size + towers.size, views, size - 1)
    place = np.arange(1, size - 1, dtype=np.int32)
    before = np.concatenate((seen.cells[:, :1], maxima), axis=1)  # the maximum before tower 1 .. N-1
    clauses = []
    here, least, up = seen.cells[:, 1:-1], before[:, :-1], maxima
    heights = range(1, size)
    clauses += [
        Clauses((_least(up, heights, 1), _most(here, heights))),  # m_i >= x_i
        Clauses((_least(up, heights, 1), _most(least, heights))),  # m_i >= m_(i-1)
        Clauses((_most(up, heights), _least(here, heights, 1), _least(least, heights, 1))),  # and no more
    ]
    here, every = seen.cells[:, 1:], range(1, size + 1)
    clauses += [
        Clauses((_no(towers, every), _least(here, every, 1), _most(before, every, -1))),  # seen: above all before
        Clauses((_yes(towers, heights), _most(here, heights), _least(before, heights, 1))),  # not seen: below one
    ]
    low = np.broadcast_to(place + 1, maxima.shape).reshape(-1)  # i + 1 heights differ
    lower, upper, counting = _counted(seen, towers, counters)
    return Extra(
        ints(np.concatenate((low, np.zeros(towers.size), lower))),
        ints(np.concatenate((np.full(maxima.size, size), np.ones(towers.size), upper))),
        (*_blocks("m", maxima, seen), *_blocks("s", towers, seen), *_blocks("n", counters, seen)),
        (*clauses, *counting),
    )


def visible(seen: Seen) -> Extra:
    """By Booleans: s_i says that tower i is above each tower before it; if not, one of these is above it."""
    views, size = seen.cells.shape
    if size == 1:
        return nothing()
    towers = _numbered(size * size, views, size - 1)
    counters = _numbered(size * size + towers.size, views, size - 1)
    clauses = []
    for i in range(1, size):
        here, flag = seen.cells[:, i : i + 1], towers[:, i - 1 : i]
        earlier = seen.cells[:, :i]
        every = range(1, size + 1)
        one = np.broadcast_to(flag, earlier.shape)
        itself = np.broadcast_to(here, earlier.shape)
        clauses.append(Clauses((_no(one, every), _least(itself, every, 1), _most(earlier, every, -1))))
        some = [_least(earlier[:, j : j + 1], every, 1) for j in range(i)]
        clauses.append(Clauses((_yes(flag, every), _most(here, every, -1), *some)))
    lower, upper, counting = _counted(seen, towers, counters)
    return Extra(
        ints(np.concatenate((np.zeros(towers.size), lower))),
        ints(np.concatenate((np.ones(towers.size), upper))),
        (*_blocks("s", towers, seen), *_blocks("n", counters, seen)),
        (*clauses, *counting),
    )


def _counted(seen: Seen, towers: Ints, counters: Ints) -> tuple[Ints, Ints, tuple[Clauses, ...]]:
    """The domains of the counters, and that they count ``towers``, whose first is the second of the line."""
    size, place = seen.size, np.arange(1, seen.size, dtype=np.int32)
    clue = seen.clue[:, None]
    lower = np.maximum(1, clue - (size - 1 - place))
    upper = np.minimum(place + 1, np.where(clue, clue, size))
    every, one = range(1, size + 1), range(1, 2)
    clauses = [
        Clauses((_no(towers[:, :1], one), _least(counters[:, :1], one, 1))),  # n_1 is 2 if tower 1 is seen
        Clauses((_yes(towers[:, :1], one), _most(counters[:, :1], one))),  # and else 1
    ]
    before, here, flag = counters[:, :-1], counters[:, 1:], towers[:, 1:]
    clauses += [
        Clauses((_most(before, every, -1), _least(here, every))),  # n_i >= n_(i-1)
        Clauses((_least(before, every, 1), _most(here, every, 1))),  # n_i <= n_(i-1) + 1
        Clauses((_no(flag, every), _most(before, every, -1), _least(here, every, 1))),  # seen: one more
        Clauses((_yes(flag, every), _least(before, every, 1), _most(here, every))),  # not seen: no more
    ]
    return lower.reshape(-1), upper.reshape(-1), tuple(clauses)


def _least(variables: Ints, heights: range, shift: int = 0) -> Comparison:
    """``variable >= height + shift`` for every variable and, within it, every height."""
    repeated, bounds = _spread(variables, heights, shift)
    return at_least(repeated, bounds)


def _most(variables: Ints, heights: range, shift: int = 0) -> Comparison:
    """``variable <= height + shift``, as above."""
    repeated, bounds = _spread(variables, heights, shift)
    return at_most(repeated, bounds)


def _no(flags: Ints, heights: range) -> Comparison:
    """That a Boolean is 0, once for every height."""
    return at_most(_spread(flags, heights, 0)[0], 0)


def _yes(flags: Ints, heights: range) -> Comparison:
    """That a Boolean is 1, once for every height."""
    return at_least(_spread(flags, heights, 0)[0], 1)


def _spread(variables: Ints, heights: range, shift: int) -> tuple[Ints, Ints]:
    flat = variables.reshape(-1)
    values = np.arange(heights.start + shift, heights.stop + shift, dtype=np.int32)
    return np.repeat(flat, len(values)), np.tile(values, len(flat))


def _numbered(first: int, views: int, count: int) -> Ints:
    """New variables, shape (views, count), numbered from ``first``."""
    return np.arange(first, first + views * count, dtype=np.int32).reshape(views, count)


def _blocks(name: str, variables: Ints, seen: Seen) -> tuple[Block, ...]:
    """Names such as ``m_top2_1``: of the view from the top of column 2, about its second tower (from 0)."""
    place = np.arange(1, variables.shape[1] + 1, dtype=np.int32).reshape(-1, 1)  # the first tower has no variable
    firsts = variables[:, 0].tolist() if place.size else []
    return tuple(Block(f"{name}_{view}", first, place) for view, first in zip(seen.names, firsts, strict=False))
