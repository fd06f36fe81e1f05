"""How many towers are seen from a clue, by an automaton.

Source: the regular constraint's graph (Pesant 2004), as in ``nonogram/automaton.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from nonosat.csp.meanings import Entry, Lemma, Means, Within
from nonosat.csp.model import Ints, Paths, ints
from nonosat.encodings.skyscrapers.rules import Extra, nothing
from nonosat.encodings.skyscrapers.seen import Seen
from nonosat.encodings.skyscrapers.views import Line, lines


class State(NamedTuple):
    """A node: ``place`` towers have been put, the ``highest`` of them, and how many are ``seen``."""

    place: int
    highest: int
    seen: int


def states(seen: Seen) -> Extra:
    """By an automaton: a state is the highest tower so far and how many were seen; a line is a path to its clue."""
    views, size = seen.cells.shape
    nodes, tails, heads, variables, values, sources, sinks = 0, [], [], [], [], [], []
    for cells, clue in zip(seen.cells, seen.clue.tolist(), strict=True):
        known, tail, head, place, value = _graph(size, clue)
        count = len(known)
        sources.append(nodes)
        sinks.append(nodes + count - 1)
        tails.append(tail + nodes)
        heads.append(head + nodes)
        variables.append(cells[place])
        values.append(value)
        nodes += count
    if not views:
        return nothing()
    tail, head, variable, value = (ints(np.concatenate(parts)) for parts in (tails, heads, variables, values))
    ends = np.arange(1, len(tail) + 1, dtype=np.int32)
    none = ints([])
    said = partial(meanings, seen)
    return Extra(none, none, (), (Paths(nodes, ints(sources), ints(sinks), tail, head, variable, value, ends, said),))


def meanings(seen: Seen, node: Ints, arc: Ints) -> Iterator[Entry]:
    """For proofs: the highest and the number seen at a node, the tower of an arc; and that a line is on its path."""
    nodes, arcs = node.tolist(), arc.tolist()
    for line in lines(seen):
        known, tails, heads, places, heights = _graph(line.size, line.clue)
        own, between = nodes[: len(known)], arcs[: len(tails)]
        nodes, arcs = nodes[len(known) :], arcs[len(tails) :]
        into: list[list[int]] = [[] for _ in known]
        for name, (place, highest, count) in zip(own, known, strict=True):
            told = [line.highest(place - 1, highest, highest), line.count(place - 1, count, count)]
            yield Means(name, told if 0 < place < line.size else [])
        for name, tail, head, place, height in zip(between, tails, heads, places, heights, strict=True):
            yield Means(name, [Within(own[tail], 1, 1), Within(line.cells[place], int(height), int(height))])
            if height < known[head][1]:
                into[head].append(name)
        yield from _before(line)
        yield from _layers(line, known, own)
        for name, (place, highest, _), arrive in zip(own, known, into, strict=True):
            if place:  # where the tower before is not the highest so far
                given = [Within(name, 1, 1), Within(line.cells[place - 1], None, highest - 1)]
                yield Lemma(given, [[Within(one, 1, 1)] for one in arrive])


def _before(line: Line) -> Iterator[Entry]:
    """What a number of towers that are seen says of the number before the last of them."""
    for at in range(1, line.size):
        for count in range(1, at + 1):
            yield Lemma([line.count(at, count), line.seen(at, 0)], [[line.count(at - 1, count)]])
            yield Lemma([line.count(at, count + 1)], [[line.count(at - 1, count)]])
            yield Lemma([line.count(at, None, count)], [[line.count(at - 1, None, count)]])
            yield Lemma([line.count(at, None, count), line.seen(at, 1)], [[line.count(at - 1, None, count - 1)]])


def _layers(line: Line, known: Sequence[State], nodes: list[int]) -> Iterator[Entry]:
    """A tower is not as high as the highest before it; behind each some node is on the path; N stands somewhere."""
    size = line.size
    layers: dict[tuple[int, int], list[list[Within]]] = {}
    for name, (place, highest, _) in zip(nodes, known, strict=True):
        layers.setdefault((place, highest), []).append([Within(name, 1, 1)])
    for place in range(1, size):
        for height in range(1, size + 1):
            before = line.highest(place - 1, height, height)
            yield Lemma([before, Within(line.cells[place], height, height)], [])
            yield Lemma([before], layers.get((place, height), []))
        yield Lemma((), [one for (at, _), some in layers.items() if at == place for one in some])
    if size > 1:
        yield Lemma([Within(line.cells[-1], None, size - 1)], [[line.highest(size - 2, size)]])


@cache
def _graph(size: int, clue: int) -> tuple[list[State], Ints, Ints, Ints, Ints]:
    """(nodes, tails, heads, places, heights) of the automaton for one clue: the arcs that lie on a path to its end.

    An arc puts a tower at its place. That heights differ is not its business, but a tower
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
    nodes = [State(place, *state) for place, layer in enumerate(kept) for state in sorted(layer)]
    number = {node: at for at, node in enumerate(nodes)}
    arcs = [
        (number[node], number[ahead], node.place, height)
        for node in nodes
        for after, height in _moves((node.highest, node.seen), size, clue)
        if (ahead := State(node.place + 1, *after)) in number
    ]
    table = ints(arcs).reshape(-1, 4)
    return nodes, *(table[:, column].copy() for column in range(4))  # type: ignore[return-value]


def _moves(state: tuple[int, int], size: int, clue: int) -> list[tuple[tuple[int, int], int]]:
    highest, count = state
    found = [((highest, count), height) for height in range(1, highest)]
    if count < clue:
        found += [((height, count + 1), height) for height in range(highest + 1, size + 1)]
    return found
