"""How many towers are seen from a clue: three ways to say it.

The first tower of a line is always seen. *Counters* n_i, the number of towers seen among the first i + 1, sum the
others up: n_i is n_(i-1), or one more where tower i is seen, and the last is the clue. Their domains leave out what the
towers before and behind cannot reach.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from nonosat.csp.model import Block, Clauses, Comparison, Ints, Paths, at_least, at_most, ints
from nonosat.encodings.skyscrapers.rules import Extra, Seen


def running(seen: Seen) -> Extra:
    """By running maxima: m_i is the highest of the first i + 1 towers, and tower i is seen iff it is above m_(i-1).

    m_0 is the first cell itself. Variables a view: m_1 .. m_(N-2), the Booleans s_1 .. s_(N-1), n_1 .. n_(N-1).
    """
    views, size = seen.cells.shape
    if size == 1:
        return _nothing()
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
        (*_blocks("m", maxima), *_blocks("s", towers), *_blocks("n", counters)),
        (*clauses, *counting),
    )


def visible(seen: Seen) -> Extra:
    """By Booleans: s_i says that tower i is above each tower before it; if not, one of these is above it."""
    views, size = seen.cells.shape
    if size == 1:
        return _nothing()
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
        (*_blocks("s", towers), *_blocks("n", counters)),
        (*clauses, *counting),
    )


def states(seen: Seen) -> Extra:
    """By an automaton: a state is the highest tower so far and how many were seen; a line is a path to its clue."""
    views, size = seen.cells.shape
    nodes, tails, heads, variables, values, sources, sinks = 0, [], [], [], [], [], []
    for cells, clue in zip(seen.cells, seen.clue.tolist(), strict=True):
        count, tail, head, place, value = _graph(size, clue)
        sources.append(nodes)
        sinks.append(nodes + count - 1)
        tails.append(tail + nodes)
        heads.append(head + nodes)
        variables.append(cells[place])
        values.append(value)
        nodes += count
    if not views:
        return _nothing()
    tail, head, variable, value = (ints(np.concatenate(parts)) for parts in (tails, heads, variables, values))
    ends = np.arange(1, len(tail) + 1, dtype=np.int32)
    none = ints([])
    return Extra(none, none, (), (Paths(nodes, ints(sources), ints(sinks), tail, head, variable, value, ends),))


@cache
def _graph(size: int, clue: int) -> tuple[int, Ints, Ints, Ints, Ints]:
    """(nodes, tails, heads, places, heights) of the automaton for one clue: the arcs that lie on a path to its end.

    Node (place, highest, seen); an arc puts a tower at its place. That heights differ is not its business, but a tower
    as high as the highest is no tower of the line.
    """
    layers: list[set[tuple[int, int]]] = [{(0, 0)}]
    for _ in range(size):
        layers.append({after for state in layers[-1] for after, _ in _moves(state, size, clue)})
    good = {(size, clue)} & layers[-1]
    kept = [good]
    for layer in reversed(layers[:-1]):
        good = {state for state in layer if any(after in good for after, _ in _moves(state, size, clue))}
        kept.append(good)
    kept.reverse()
    number, count = [], 0
    for layer in kept:
        number.append({state: count + i for i, state in enumerate(sorted(layer))})
        count += len(layer)
    arcs = [
        (number[place][state], number[place + 1][after], place, height)
        for place in range(size)
        for state in sorted(kept[place])
        for after, height in _moves(state, size, clue)
        if after in number[place + 1]
    ]
    table = ints(arcs).reshape(-1, 4)
    return count, *(table[:, column].copy() for column in range(4))  # type: ignore[return-value]


def _moves(state: tuple[int, int], size: int, clue: int) -> list[tuple[tuple[int, int], int]]:
    highest, count = state
    found = [((highest, count), height) for height in range(1, highest)]
    if count < clue:
        found += [((height, count + 1), height) for height in range(highest + 1, size + 1)]
    return found


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


def _blocks(name: str, variables: Ints) -> tuple[Block, ...]:
    """Names such as ``m_3_1``: of the fourth view that has a clue, about its second tower (both from 0)."""
    if not variables.size:
        return ()
    count = variables.shape[1]
    index = np.stack(np.divmod(np.arange(variables.size, dtype=np.int32), np.int32(count)), axis=1)
    index[:, 1] += 1  # the first tower has no variable of its own
    return (Block(name, int(variables[0, 0]), index),)


def _nothing() -> Extra:
    none = ints([])
    return Extra(none, none, (), ())
