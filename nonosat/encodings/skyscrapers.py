"""The rules of Skyscrapers as a CSP: lines without repetition, and the number of towers that a clue sees.

For the number there are counters in two ways (``running``, ``visible``), and an automaton (``states``).

The first tower of a line is always seen. *Counters* n_i, the number of towers seen among the first i + 1, sum the
others up: n_i is n_(i-1), or one more where tower i is seen, and the last is the clue. Their domains leave out what the
towers before and behind cannot reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import NamedTuple

import numpy as np

from nonosat.csp.meanings import AtMostMeaning, Entry, LemmaMeaning, Meanings, MeaningTerm, Means, SumMeaning, Within
from nonosat.csp.model import (
    CSP,
    AllDifferent,
    Block,
    Clauses,
    Comparison,
    Constraint,
    Ints,
    Paths,
    at_least,
    at_most,
    ints,
    within,
)
from nonosat.encodings.coupled import compile_coupled
from nonosat.encodings.formula import Formula
from nonosat.encodings.parts import INTEGERS, OURS, Chosen, Kind, Part
from nonosat.puzzles.skyscrapers import Skyscrapers

# The lines of a board as they are seen from its edges, in the numbers of the CSP's variables.


@dataclass(frozen=True, eq=False)
class Seen:
    """The lines as they are seen from the ends that have a clue.

    ``size``: N; ``cells``: shape (views, N), the variables from the clue's end on; ``clue``: shape (views,), 0 where
    the number is left open (of visibility parts that count); ``names``: of the views, ``top2`` is the top of column 2.
    """

    size: int
    cells: Ints
    clue: Ints
    names: tuple[str, ...]

    @classmethod
    def of(cls, puzzle: Skyscrapers, every: bool = False) -> Seen:
        """Those of ``puzzle``; ``every``: those from the ends without a clue too."""
        size = puzzle.size
        views = [view for view in puzzle.views() if view.clue or every]
        names = tuple(f"{view.edge}{view.place}" for view in views)
        cells = [[row * size + column for row, column in view.cells] for view in views]
        return cls(size, ints(cells).reshape(-1, size), ints([view.clue for view in views]), names)


# For proofs: what is said of the lines that are seen, in the terms of the puzzle's statement.
#
# Of tower i (from 0) as seen from a clue: ``m_top2_i`` is the highest of the towers up to it, ``s_top2_i`` is 1 iff it
# is
# seen, both of which the statement tells of; ``n_top2_i`` counts those up to it that are seen. Domains, counters and
# automata follow from what is said here by unit propagation, and this does line by line.


@dataclass(frozen=True)
class ViewedLine:
    """A line as it is seen from its clue: the name of that, and the variables of its ``cells`` from there on."""

    name: str
    clue: int
    cells: list[int]

    @property
    def size(self) -> int:
        """N."""
        return len(self.cells)

    def highest(self, at: int, low: int | None = None, high: int | None = None) -> Within:
        """Of the towers up to that one."""
        return Within(f"m_{self.name}_{at}", low, high)

    def count(self, at: int, low: int | None = None, high: int | None = None) -> Within:
        """How many of the towers up to that one are seen."""
        return Within(f"n_{self.name}_{at}", low, high)

    def seen(self, at: int, value: int) -> Within:
        """Whether it is: 1 or 0."""
        return Within(f"s_{self.name}_{at}", value, value)


def viewed_lines(seen: Seen) -> Iterator[ViewedLine]:
    """Those that are seen."""
    for line in zip(seen.names, seen.clue.tolist(), seen.cells.tolist(), strict=True):
        yield ViewedLine(*line)


def view_meanings(seen: Seen) -> Iterator[Entry]:
    """Of all lines that are seen from a clue."""
    for line in viewed_lines(seen):
        yield from _counts(line)
        yield from _heights(line)
        yield from _rest(line)


def _counts(line: ViewedLine) -> Iterator[Entry]:
    """What the counters are: the last one is the clue; each other one differs by the towers behind it at most."""
    name, size, clue, last = line.name, line.size, line.clue, line.size - 1
    yield LemmaMeaning((), [[line.seen(0, 1)]])
    for at in range(size):
        before = [MeaningTerm(1, f"n_{name}_{at - 1}", 0, at)] if at else []
        yield SumMeaning(f"n_{name}_{at}", [*before, MeaningTerm(1, f"s_{name}_{at}", 0, 1)])
    for sign in (1, -1):
        yield AtMostMeaning([MeaningTerm(sign, f"n_{name}_{last}", 0, size)], sign * clue)
    for at in reversed(range(size)):
        yield LemmaMeaning((), [[line.count(at, max(1, clue - (last - at)))]])
        yield LemmaMeaning((), [[line.count(at, None, min(at + 1, clue))]])


def _heights(line: ViewedLine) -> Iterator[Entry]:
    """A tower that is seen is above the highest before it; as many heights as are seen are not above the highest."""
    for at in range(line.size - 1):
        for height in range(1, line.size - 1):
            yield LemmaMeaning([line.highest(at, None, height)], [[line.highest(at, None, height + 1)]])
        for height in range(1, line.size):
            before = [line.highest(at - 1, None, height)] if at else []
            yield LemmaMeaning([*before, Within(line.cells[at], None, height)], [[line.highest(at, None, height)]])
    for at, cell in enumerate(line.cells[1:], 1):
        for height in range(1, line.size + 1):
            yield LemmaMeaning(
                [line.seen(at, 1), Within(cell, height, height)], [[line.highest(at - 1, None, height - 1)]]
            )
    for at in range(1, line.size - 1):
        for height in range(1, at + 1):
            given, then = line.highest(at, None, height), [[line.count(at, None, height)]]
            yield LemmaMeaning([given, line.seen(at, 0)], then)
            yield LemmaMeaning([given], then)


def _rest(line: ViewedLine) -> Iterator[Entry]:
    """Behind the highest so far, as many towers are seen as there are higher ones, at most; behind all, it is N."""
    size, clue = line.size, line.clue
    for at in reversed(range(size - 1)):
        yield LemmaMeaning([line.count(at, clue)], [[line.highest(at, size)]])
        for height in range(1, size + 1):
            given, then = line.highest(at, height), [[line.count(at, clue - (size - height))]]
            yield LemmaMeaning([given, line.seen(at + 1, 0)], then)
            yield LemmaMeaning([given], then)


# Skyscrapers to CSP: the heights of all cells, their domains, and lines whose heights all differ.
#
# Variables: ``x_row_column`` in 1..N, then those of the visibility part. Given heights are clauses, not domains, so
# that
# a cell's number does not depend on what is given.


@dataclass(frozen=True, eq=False)
class Extra:
    """What a visibility part adds: variables with their domains and names, and constraints."""

    lower: Ints
    upper: Ints
    blocks: tuple[Block, ...]
    constraints: tuple[Constraint, ...]


def nothing() -> Extra:
    """Where there is nothing to add."""
    none = ints([])
    return Extra(none, none, (), ())


Domain = Callable[[Seen], tuple[Ints, Ints]]
Lines = Callable[[int], list[Constraint]]
Visibility = Callable[[Seen], Extra]


def state_with(puzzle: Skyscrapers, domain: Domain, lines: Lines, visibility: Visibility) -> CSP:
    """The CSP of ``puzzle``."""
    return stated(puzzle, Seen.of(puzzle), domain, lines, visibility)[0]


def stated(puzzle: Skyscrapers, seen: Seen, domain: Domain, lines: Lines, visibility: Visibility) -> tuple[CSP, Extra]:
    """The CSP of ``puzzle`` with the lines as ``seen``, and what the visibility part adds to it.

    The numbers of the extra variables begin with N x N.
    """
    size = seen.size
    count = size * size
    lower, upper = domain(seen)
    extra = visibility(seen)
    constraints = [Meanings(partial(view_meanings, seen)), *lines(size), *extra.constraints]
    if (empty := lower > upper).any():  # clues that leave no height to a cell: a clause that nothing satisfies
        lower, upper = np.where(empty, 1, lower), np.where(empty, size, upper)
        none = ints([])
        constraints.append(Clauses((Comparison(none, none, rows=none),), 1))
    if puzzle.given:
        given = ints(puzzle.given)
        constraints.append(Clauses((within(given[:, 0] * size + given[:, 1], given[:, 2], given[:, 2]),)))
    cells = np.arange(count, dtype=np.int32)
    index = np.stack(np.divmod(cells, np.int32(size)), axis=1)
    csp = CSP(
        np.concatenate((ints(lower), extra.lower)),
        np.concatenate((ints(upper), extra.upper)),
        tuple(constraints),
        cells.reshape(size, size),
        (Block("x", 0, index), *extra.blocks),
    )
    return csp, extra


def full(seen: Seen) -> tuple[Ints, Ints]:
    """Every cell has a height from 1 to N."""
    count = seen.size * seen.size
    return np.ones(count, dtype=np.int32), np.full(count, seen.size, dtype=np.int32)


def cut(seen: Seen) -> tuple[Ints, Ints]:
    """What a clue c says by itself of the cell at distance i from it (from 0).

    c = 1: the first cell has N. Else the cell has N - c + 1 + i at most, since c - 1 - i higher ones must follow; and
    where c = N, it has i + 1.
    """
    lower, upper = full(seen)
    distance = np.arange(seen.size, dtype=np.int32)
    np.minimum.at(upper, seen.cells, np.minimum(seen.size, seen.size - seen.clue[:, None] + 1 + distance))
    one, all_seen = seen.clue == 1, seen.clue == seen.size
    lower[seen.cells[one, 0]] = seen.size
    np.maximum.at(lower, seen.cells[all_seen], np.broadcast_to(distance + 1, (int(all_seen.sum()), seen.size)))
    return lower, upper


def different(size: int) -> list[Constraint]:
    """The heights of each row and of each column differ."""
    cells = np.arange(size * size, dtype=np.int32).reshape(size, size)
    lines = np.concatenate((cells, cells.T))
    return [AllDifferent(lines.reshape(-1), ints(np.arange(1, 2 * size + 1) * size))]


def permutation(size: int) -> list[Constraint]:
    """They differ, and (which follows) every height stands somewhere in each row and in each column.

    Redundant, and worth a lot to unit propagation: the "3-D" encoding of Latin squares.
    """
    cells = np.arange(size * size, dtype=np.int32).reshape(size, size)
    lines = np.concatenate((cells, cells.T))
    heights = np.arange(1, size + 1, dtype=np.int32)
    columns = []
    for place in range(size):  # clause (line, height): some place of the line has it
        variables = np.repeat(lines[:, place], size)
        values = np.tile(heights, len(lines))
        columns.append(within(variables, values, values))
    return [*different(size), Clauses(tuple(columns))]


# How many towers are seen from a clue, by an automaton.
#
# Source: the regular constraint's graph (Pesant 2004), as in ``encodings/nonogram.py``.


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
    meanings = partial(state_meanings, seen)
    graphs = Paths(nodes, ints(sources), ints(sinks), tail, head, variable, value, ends, meanings)
    return Extra(none, none, (), (graphs,))


def state_meanings(seen: Seen, node: Ints, arc: Ints) -> Iterator[Entry]:
    """For proofs: the highest and the number seen at a node, the tower of an arc; and that a line is on its path."""
    nodes, arcs = node.tolist(), arc.tolist()
    for line in viewed_lines(seen):
        known, tails, heads, places, heights = _graph(line.size, line.clue)
        own, between = nodes[: len(known)], arcs[: len(tails)]
        nodes, arcs = nodes[len(known) :], arcs[len(tails) :]
        into: list[list[int]] = [[] for _ in known]
        for name, (place, highest, count) in zip(own, known, strict=True):
            conditions = [line.highest(place - 1, highest, highest), line.count(place - 1, count, count)]
            yield Means(name, conditions if 0 < place < line.size else [])
        for name, tail, head, place, height in zip(between, tails, heads, places, heights, strict=True):
            yield Means(name, [Within(own[tail], 1, 1), Within(line.cells[place], int(height), int(height))])
            if height < known[head][1]:
                into[head].append(name)
        yield from _before(line)
        yield from _layers(line, known, own)
        for name, (place, highest, _), arrive in zip(own, known, into, strict=True):
            if place:  # where the tower before is not the highest so far
                given = [Within(name, 1, 1), Within(line.cells[place - 1], None, highest - 1)]
                yield LemmaMeaning(given, [[Within(one, 1, 1)] for one in arrive])


def _before(line: ViewedLine) -> Iterator[Entry]:
    """What a number of towers that are seen says of the number before the last of them."""
    for at in range(1, line.size):
        for count in range(1, at + 1):
            yield LemmaMeaning([line.count(at, count), line.seen(at, 0)], [[line.count(at - 1, count)]])
            yield LemmaMeaning([line.count(at, count + 1)], [[line.count(at - 1, count)]])
            yield LemmaMeaning([line.count(at, None, count)], [[line.count(at - 1, None, count)]])
            yield LemmaMeaning([line.count(at, None, count), line.seen(at, 1)], [[line.count(at - 1, None, count - 1)]])


def _layers(line: ViewedLine, known: Sequence[State], nodes: list[int]) -> Iterator[Entry]:
    """A tower is not as high as the highest before it; behind each some node is on the path; N stands somewhere."""
    size = line.size
    layers: dict[tuple[int, int], list[list[Within]]] = {}
    for name, (place, highest, _) in zip(nodes, known, strict=True):
        layers.setdefault((place, highest), []).append([Within(name, 1, 1)])
    for place in range(1, size):
        for height in range(1, size + 1):
            before = line.highest(place - 1, height, height)
            yield LemmaMeaning([before, Within(line.cells[place], height, height)], [])
            yield LemmaMeaning([before], layers.get((place, height), []))
        yield LemmaMeaning((), [one for (at, _), some in layers.items() if at == place for one in some])
    if size > 1:
        yield LemmaMeaning([Within(line.cells[-1], None, size - 1)], [[line.highest(size - 2, size)]])


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


# All boards of a size, with a counter for every clue that there could be: one formula for all puzzles of that size.
#
# A puzzle is then a set of assumptions, so that one solver can decide thousands of puzzles, and keeps what it
# learns.


@dataclass(frozen=True, eq=False)
class Counted:
    """``formula``: every Latin square is a model; ``counters``: shape (4N,), the variables that are the clues."""

    formula: Formula
    counters: Ints

    def assumptions(self, puzzle: Skyscrapers) -> list[int]:
        """The literals that say what the clues and given heights of ``puzzle`` say."""
        known = [(int(self.counters[place]), clue) for place, clue in enumerate(puzzle.clues) if clue]
        known += [(row * puzzle.size + column, height) for row, column, height in puzzle.given]
        return [
            -literal
            for variable, value in known
            for literal in self.formula.map.differ(ints([variable]), ints([value]))
        ]


@lru_cache(maxsize=16)
def counted(size: int) -> Counted:
    """The formula of all boards of ``size``, which is at least 2."""
    assert size > 1
    empty = Skyscrapers.from_clues([0] * (4 * size))
    seen = Seen.of(empty, every=True)
    csp, extra = stated(empty, seen, full, permutation, visible)
    first = next(block.first for block in extra.blocks if block.name.startswith("n_"))
    return Counted(compile_coupled(csp), ints(first + np.arange(1, len(seen.clue) + 1) * (size - 1) - 1))


# The parts of skyscrapers' encodings.


PARTS: tuple[Part, ...] = (
    Part("full", "domain", full, "a cell has any height", OURS),
    Part(
        "cut",
        "domain",
        cut,
        "a clue takes the highest from the cells next to it",
        "Majdandžić 2022, phases 1 to 3",
    ),
    Part("different", "lines", different, "the heights of a line differ", "Gomes & Shmoys 2002, 2-D"),
    Part("permutation", "lines", permutation, "and every height stands in every line", "Gomes & Shmoys 2002, 3-D"),
    Part("running", "visibility", running, "a tower above the running maximum is seen; counters", OURS),
    Part("visible", "visibility", visible, "a tower above each one before it is seen; counters", OURS),
    Part(
        "states",
        "visibility",
        states,
        "an automaton of the highest so far and the number seen",
        "Pesant, CP 2004",
    ),
)

ENCODINGS: tuple[str, ...] = tuple(
    f"{lines}+{seen}+{integers}"
    for lines in ("different", "permutation")
    for seen in ("running", "visible", "states")
    for integers in INTEGERS.own
) + tuple(f"full+permutation+{seen}+order" for seen in ("running", "visible", "states"))


def state(puzzle: Skyscrapers, chosen: Chosen) -> CSP:
    """The rules applied to ``puzzle``."""
    return state_with(puzzle, chosen("domain")[0], chosen("lines")[0], chosen("visibility")[0])


SKYSCRAPERS = Kind(
    "skyscrapers",
    PARTS,
    (("domain", "lines", "visibility"),),
    state,
    "permutation+visible+coupled",
    ENCODINGS,
    omitted={"domain": "cut"},
)
