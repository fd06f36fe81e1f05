"""Lines as automata and as tables in XCSP3's models of nonograms, and the clue of such an automaton or table.

A clue is written with the automaton of the XCSP3 competitions, whose states are ``q0, q1, ...``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import comb

from nonosat.errors import FormatError
from nonosat.puzzles.nonogram.automaton import clue_automaton
from nonosat.puzzles.nonogram.puzzle import Clue, clue_length, gap, read_clue

MAX_WORK = 400_000
"""Pairs of states that are looked at before an automaton is refused: those of a clue have some hundreds."""
State = str
Moves = Mapping[int, State]


@dataclass(frozen=True)
class Automaton:
    """A deterministic automaton over the values of cells: ``moves[state][value]``, missing ones refuse."""

    moves: Mapping[State, Moves]
    start: State
    final: frozenset[State]

    @cached_property
    def triples(self) -> list[tuple[State, int, State]]:
        """(state, value, next state)."""
        return [(state, value, then) for state, moves in self.moves.items() for value, then in moves.items()]


def automaton_of(clue: Clue) -> Automaton:
    """The automaton of ``clue``.

    >>> from nonosat.puzzles.nonogram.puzzle import Run
    >>> automaton_of((Run(1), Run(1))).triples
    [('q0', 0, 'q0'), ('q0', 1, 'q1'), ('q1', 0, 'q2'), ('q2', 0, 'q2'), ('q2', 1, 'q3'), ('q3', 0, 'q3')]
    """
    reader = clue_automaton(clue, "between")
    moves: dict[State, dict[int, State]] = {}
    for state, value, then in reader.transitions:
        moves.setdefault(f"q{state}", {})[value] = f"q{then}"
    return Automaton(moves, "q0", frozenset(f"q{state}" for state in reader.accepting))


def placements(clue: Clue, length: int) -> int:
    """How many lines of ``length`` cells ``clue`` has."""
    return comb(length - clue_length(clue) + len(clue), len(clue))


def lines_of(clue: Clue, length: int) -> Iterator[tuple[int, ...]]:
    """All lines of a clue that fits, in the order of tables: those that are blank longest come first.

    >>> from nonosat.puzzles.nonogram.puzzle import Run
    >>> list(lines_of((Run(1), Run(1)), 4))
    [(0, 1, 0, 1), (1, 0, 0, 1), (1, 0, 1, 0)]
    """
    gaps = [gap(left, right) for left, right in pairwise(clue)]
    starts = [0] * len(clue)

    def place(k: int, begin: int, slack: int) -> Iterator[tuple[int, ...]]:
        if k == len(clue):
            cells = [0] * length
            for start, run in zip(starts, clue, strict=True):
                cells[start : start + run.length] = [run.colour] * run.length
            yield tuple(cells)
            return
        for later in range(slack, -1, -1):
            starts[k] = begin + later
            following = begin + later + clue[k].length + (gaps[k] if k < len(gaps) else 0)
            yield from place(k + 1, following, slack - later)

    return place(0, 0, length - clue_length(clue))


def clue_of_table(table: Sequence[tuple[int, ...]]) -> Clue:
    """The clue whose lines are those of ``table``. FormatError: there is none."""
    if not table:
        raise FormatError("a table without tuples, which no line satisfies")
    clue = read_clue(table[0])
    count, length = placements(clue, len(table[0])), len(table[0])
    if len(set(table)) != count or any(read_clue(line) != clue for line in table):
        tuples = f"{len(set(table)):,} tuples that are not all {count:,} lines of a clue of {length} cells"
        raise FormatError(f"a table of {tuples}")
    return clue


def clue_of_automaton(automaton: Automaton, length: int) -> Clue:
    """The clue whose lines of ``length`` cells are those that ``automaton`` accepts. FormatError: there is none."""
    short = _shortest(automaton)  # the automata of clues say by themselves how long lines are, at least
    if short is not None and len(short) <= length and _same(automaton, automaton_of(read_clue(short)), None):
        return read_clue(short)
    line = _accepted(automaton, length)
    if line is None:
        raise FormatError(f"an automaton that accepts no line of {length} cells")
    clue = read_clue(line)
    if not _same(automaton, automaton_of(clue), length):
        raise FormatError(f"an automaton of no clue: it accepts {_shown(line)}, and not the lines of that clue alone")
    return clue


def _shortest(automaton: Automaton) -> tuple[int, ...] | None:
    """A line as short as any that is accepted."""
    before: dict[State, tuple[State, int] | None] = {automaton.start: None}
    queue = deque([automaton.start])
    while queue:
        state = queue.popleft()
        if state in automaton.final:
            line = []
            while (step := before[state]) is not None:
                state, value = step
                line.append(value)
            return tuple(reversed(line))
        for value, then in automaton.moves.get(state, {}).items():
            if then not in before:
                before[then] = state, value
                queue.append(then)
    return None


def _accepted(automaton: Automaton, length: int) -> tuple[int, ...] | None:
    """A line of ``length`` cells that is accepted."""
    reached: list[dict[State, tuple[State, int] | None]] = [{automaton.start: None}]
    work = 0
    for _ in range(length):
        ahead: dict[State, tuple[State, int] | None] = {}
        for state in reached[-1]:
            for value, then in automaton.moves.get(state, {}).items():
                ahead.setdefault(then, (state, value))
                work += 1
        if work > MAX_WORK:
            raise FormatError("an automaton with too many states")
        reached.append(ahead)
    ends = [state for state in reached[-1] if state in automaton.final]
    if not ends:
        return None
    state, line = ends[0], []
    for layer in reversed(reached[1:]):
        before = layer[state]
        assert before is not None
        state, value = before
        line.append(value)
    return tuple(reversed(line))


def _same(one: Automaton, other: Automaton, length: int | None) -> bool:
    """Do they accept the same lines: of ``length`` cells, or (None) of any length?"""
    values = {value for moves in (*one.moves.values(), *other.moves.values()) for value in moves}
    layer: set[tuple[State | None, State | None]] = {(one.start, other.start)}
    seen, steps, work = set(layer), 0, 0
    while layer and (length is None or steps < length):
        if length is None and any(_accepts(one, a) != _accepts(other, b) for a, b in layer):
            return False
        ahead = {(_move(one, a, value), _move(other, b, value)) for a, b in layer for value in values} - {(None, None)}
        work += len(layer) * len(values)
        if work > MAX_WORK:
            raise FormatError("an automaton with too many states")
        layer = ahead - seen if length is None else ahead
        seen |= layer
        steps += 1
    return length is None or all(_accepts(one, a) == _accepts(other, b) for a, b in layer)


def _move(automaton: Automaton, state: State | None, value: int) -> State | None:
    return None if state is None else automaton.moves.get(state, {}).get(value)


def _accepts(automaton: Automaton, state: State | None) -> bool:
    return state in automaton.final


def _shown(line: tuple[int, ...]) -> str:
    text = "".join(map(str, line[:20]))
    return text + ("..." if len(line) > 20 else "")
