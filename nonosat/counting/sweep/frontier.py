"""The sweep over *live* states: those that a SAT solver does not refute.

Between two rows the columns are in a state each. Most combinations of them that lines allow belong to no solution:
behind the eighth row of one 20x20 board at 40 %, pairs of adjacent columns allow 2^39, and solutions have 3,699. A SAT
solver tells them apart. First, it is asked for each state of a column, and for each pair of states of near columns.
Then samples of the combinations that the sweep comes to are asked for. Where there is no solution, a few of the columns
are to blame. These, with their states, are a *nogood*: it refutes all combinations that have them. A column is left out
if the others are to blame without it. Where a known solution has the states of all others, that need not be asked.

A nogood that is missing costs time alone: a combination without a solution dies out later. So queries are limited, and
end where they gain too little. What the solver refutes is believed, as by ``backbones``.

Two sweeps start at the first row and at the last. The one that leads to fewer combinations, by a sample, goes on, until
they meet.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from itertools import accumulate
from math import inf, prod
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled, inlined
from nonosat.compiled.words import ONE, ZERO, Bytes, Int, IntCube, Ints, Word, Words
from nonosat.counting.sweep.counts import MET, STOPPED, may_of, sums_of
from nonosat.counting.sweep.states import DEAD, LineAutomaton, line_automaton, padded
from nonosat.counting.sweep.witnesses import Witnesses, read_states
from nonosat.encodings.cnf import TRUE
from nonosat.encodings.nonogram import Runs
from nonosat.rng import Rng
from nonosat.runs.events import Statistics
from nonosat.solvers.propagation.board import PAUSED, PropagationBoard

if TYPE_CHECKING:
    from nonosat.encodings.formula import Formula
    from nonosat.encodings.order import OrderMap
    from nonosat.puzzles.nonogram.puzzle import Nonogram
    from nonosat.solvers.sat.session import Session

# Compiled: the combinations behind a row from those before it.


MARKED = 3
"""Every third column, the combinations that are met are marked up to it."""
DISTANCE = 3
"""Columns are asked for with so many of those behind them, in pairs."""
LARGEST_KEY = 128
"""Bits of a key at most; it has two words."""
MOST_STATES, MOST_PAIRS = 64, 2_000_000
"""States of a column at most (they are the bits of a word), and pairs of states of adjacent columns."""
FULL, COUNTED = 1, 2
"""Further results of ``cross_row``: the table has no room; the row is crossed."""
SOURCE, COLUMN, USED, TOO_MANY, STEPS = range(5)
"""The entries of ``RowStep.state``: the last combination that has crossed, the column that is next (-1: none yet, or no
more), the entries of the table, whether a count exceeds a word, and the values that were tried."""


class RowStep(NamedTuple):
    """A step of the sweep across one row, from left to right.

    ``columns``, ``most``: how many, and the states of a column at most. ``options``: ways of a column across the row at
    most; those of column c in state s are from ``(c * most + s) * options`` on: a ``value`` (DEAD: no more) and the
    state ``then``. ``across[column, value, state]``: the row's next state, or DEAD. ``word``, ``bit``, ``mask``: where
    each column's state is in a key before the row; ``new_word``, ``new_bit``: behind it. ``beside[(d * columns + c) *
    most + s]``: the states of column c that go with the state s of column c - d - 1, as bits. The nogoods are sorted by
    their last columns; those of column c are ``ends[c] .. ends[c + 1]``. Sets of nogoods have ``words`` words:
    ``fits[c * most + s]``, those that are about another column, or about this state of column c; ``near[c]``, those
    that the way so far fits. The others are scratch, the way so far. It is that of the combinations ``first[c]`` ..
    ``behind[c]`` - 1, which agree up to column c; those before ``end[c]`` agree up to the column before.
    """

    columns: int
    most: int
    options: int
    value: Ints
    then: Ints
    across: IntCube
    word: Ints
    bit: Ints
    mask: Words
    new_word: Ints
    new_bit: Ints
    beside: Words
    words: int
    ends: Ints
    fits: Words
    near: Words
    first: Ints
    behind: Ints
    end: Ints
    option: Ints
    row: Ints
    was: Ints
    now: Ints
    key: Words
    state: Ints


@inlined
def hashed(low: Word, high: Word) -> Word:
    """A hash of a key."""
    x = (low ^ (high * np.uint64(0xC4CEB9FE1A85EC53))) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return x ^ (x >> np.uint64(32))


@inlined
def place_of(keys: Words, counts: Words, low: Word, high: Word) -> int:
    """Where a key is in a table, or would be: its count is 0."""
    at: Int = np.int64(hashed(low, high) & np.uint64(len(counts) - 1))
    while counts[at] != ZERO and not (keys[2 * at] == low and keys[2 * at + 1] == high):
        at = at + 1 if at + 1 < len(counts) else 0
    return int(at)


@inlined
def refuted(s: RowStep, column: int, state: int) -> bool:
    """Has the way so far, with this state, a nogood that ends here? If not, the nogoods that it fits are written."""
    begin, end = s.ends[column], s.ends[column + 1]
    here, now, then = (column * s.most + state) * s.words, column * s.words, (column + 1) * s.words
    for w in range(begin >> 6, (end + 63) >> 6):
        fits = s.near[now + w] & s.fits[here + w]
        if w == begin >> 6:
            fits &= ~ZERO << np.uint64(begin & 63)
        if w == end >> 6:
            fits &= (ONE << np.uint64(end & 63)) - ONE
        if fits != ZERO:
            return True
    for w in range(end >> 6, s.words):
        s.near[then + w] = s.near[now + w] & s.fits[here + w]
    return False


@inlined
def marked(marks: Words, low: Word, high: Word, column: int) -> int:
    """The bit of ``marks`` that stands for a key up to a column."""
    bit = hashed(low + np.uint64(column) * np.uint64(0x87C37B91114253D5), high) >> np.uint64(8)
    return int(np.int64(bit & np.uint64(64 * len(marks) - 1)))


class Filter(NamedTuple):
    """Nogoods, each with one of the states that it is about: those of the state s of column c are from
    ``begin[first[c] + s]`` on.

    Each has two words of ``chosen``, the bits of a key that it is about, and two of ``bad``. ``word``, ``bit``,
    ``mask``: where the state of each column is in a key.
    """

    word: Ints
    bit: Ints
    mask: Words
    first: Ints
    begin: Ints
    chosen: Words
    bad: Words


NO_INTS, NO_WORDS = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint64)
NONE = Filter(NO_INTS, NO_INTS, NO_WORDS, NO_INTS, NO_INTS, NO_WORDS, NO_WORDS)


@compiled
def count_shared(s: RowStep, keys: Words, shared: Bytes) -> None:
    """Of each key, with how many of its first columns it agrees with the one before it (of 255 or more, with 255)."""
    for i in range(1, len(shared)):
        c = 0
        while c < s.columns:
            other = keys[2 * i + s.word[c]] ^ keys[2 * (i - 1) + s.word[c]]
            if (other >> np.uint64(s.bit[c])) & s.mask[c] != ZERO:
                break
            c += 1
        shared[i] = min(c, 255)


@compiled
def cross_row(
    s: RowStep, old_keys: Words, old_counts: Words, shared: Bytes, keys: Words, counts: Words, marks: Words, budget: int
) -> int:
    """Add what the combinations ``old_keys`` lead to to a table: PAUSED after ``budget`` steps, FULL, or COUNTED.

    The combinations are sorted, so that those with the same first columns cross these together; ``shared``: see
    ``count_shared``. At the next call it goes on where it was. ``marks``: if there are any, only what is marked is
    added, about.
    """
    until = s.state[STEPS] + budget
    column = s.state[COLUMN]
    if column < 0:
        column = 0
        s.behind[0], s.end[0] = 0, len(old_counts)
        s.option[0], s.row[0] = s.options - 1, 0
        s.key[0], s.key[1] = ZERO, ZERO
    while True:
        s.option[column] += 1
        at = (column * s.most + s.was[column]) * s.options + s.option[column]
        if s.option[column] == s.options or s.value[at] < 0:
            first = s.behind[column]
            if first == s.end[column]:
                column -= 1
                if column < 0:
                    s.state[COLUMN] = column
                    return COUNTED
                continue
            if s.state[STEPS] > until:
                s.option[column] -= 1
                s.state[COLUMN] = column
                return PAUSED
            behind = first + 1
            while behind < s.end[column] and shared[behind] > column:
                behind += 1
            s.first[column], s.behind[column], s.option[column] = first, behind, -1
            word = old_keys[2 * first + s.word[column]]
            s.was[column] = np.int64((word >> np.uint64(s.bit[column])) & s.mask[column])
            continue
        row = s.across[column, s.value[at], s.row[column]]
        if row < 0:
            continue
        s.state[STEPS] += 1
        state = s.then[at]
        s.now[column] = state
        fits = ONE
        for d in range(min(column, DISTANCE)):
            fits &= s.beside[(d * s.columns + column) * s.most + s.now[column - d - 1]] >> np.uint64(state)
        if fits == ZERO:
            continue
        low, high = s.key[2 * column], s.key[2 * column + 1]
        piece = np.uint64(state) << np.uint64(s.new_bit[column])
        if s.new_word[column] == 0:
            low |= piece
        else:
            high |= piece
        if len(marks) > 0 and column % MARKED == MARKED - 1:
            mark = marked(marks, low, high, column)
            if (marks[mark >> 6] >> np.uint64(mark & 63)) & ONE == ZERO:
                continue
        if refuted(s, column, state):
            continue
        if column + 1 < s.columns:
            column += 1
            s.behind[column], s.end[column] = s.first[column - 1], s.behind[column - 1]
            s.option[column], s.row[column] = s.options - 1, row
            s.key[2 * column], s.key[2 * column + 1] = low, high
            continue
        if 2 * s.state[USED] >= len(counts):
            s.option[column] -= 1
            s.state[STEPS] -= 1
            s.state[COLUMN] = column
            return FULL
        place = place_of(keys, counts, low, high)
        if counts[place] == ZERO:
            keys[2 * place], keys[2 * place + 1] = low, high
            s.state[USED] += 1
        source = s.first[column]
        total = counts[place] + old_counts[source]
        if total < old_counts[source]:
            s.state[TOO_MANY] = 1
        counts[place] = total
        s.state[SOURCE] = source


@compiled
def copy_live(keys: Words, counts: Words, f: Filter, new_keys: Words, new_counts: Words, dense: int) -> int:
    """Copy the entries of a table that have none of the nogoods; how many.

    ``dense`` 1: one after the other; 0: into a table, which has room.
    """
    copied = 0
    for i in range(len(counts)):
        if counts[i] == ZERO:
            continue
        low, high, live = keys[2 * i], keys[2 * i + 1], True
        for c in range(len(f.word)):
            key = low if f.word[c] == 0 else high
            here = f.first[c] + np.int64((key >> np.uint64(f.bit[c])) & f.mask[c])
            for j in range(f.begin[here], f.begin[here + 1]):
                if (low & f.chosen[2 * j]) == f.bad[2 * j] and (high & f.chosen[2 * j + 1]) == f.bad[2 * j + 1]:
                    live = False
                    break
            if not live:
                break
        if live:
            place = copied if dense == 1 else place_of(new_keys, new_counts, low, high)
            new_keys[2 * place], new_keys[2 * place + 1], new_counts[place] = low, high, counts[i]
            copied += 1
    return copied


@compiled
def mark_beginnings(keys: Words, counts: Words, low_mask: Words, high_mask: Words, marks: Words) -> None:
    """Mark the beginnings of keys, up to each column with a mark."""
    for i in range(len(counts)):
        for column in range(MARKED - 1, len(low_mask), MARKED):
            mark = marked(marks, keys[2 * i] & low_mask[column], keys[2 * i + 1] & high_mask[column], column)
            marks[mark >> 6] |= ONE << np.uint64(mark & 63)


@compiled
def find_counts(keys: Words, counts: Words, wanted: Words, found: Words) -> None:
    """The counts of the ``wanted`` keys in a table; 0: it is not there."""
    for i in range(len(found)):
        found[i] = counts[place_of(keys, counts, wanted[2 * i], wanted[2 * i + 1])]


class Frontier(NamedTuple):
    """Combinations of states between two rows, and their counts: dense, or a table (a count of 0: no entry)."""

    keys: Words
    counts: Words

    @classmethod
    def empty(cls, places: int) -> Frontier:
        """A table of so many places, a power of two."""
        return cls(np.zeros(2 * places, dtype=np.uint64), np.zeros(places, dtype=np.uint64))

    def dense(self, nogoods: Filter, used: int) -> Frontier:
        """The entries, of which there are ``used``, that have none of the ``nogoods``."""
        keys, counts = np.empty(2 * used, dtype=np.uint64), np.empty(used, dtype=np.uint64)
        many = copy_live(self.keys, self.counts, nogoods, keys, counts, 1)
        return Frontier(keys[: 2 * many], counts[:many])

    def table(self, places: int) -> Frontier:
        """All entries in a table of so many places, a power of two."""
        new = Frontier.empty(places)
        copy_live(self.keys, self.counts, NONE, new.keys, new.counts, 0)
        return new

    def sorted(self) -> Frontier:
        """The entries, which are dense, sorted by the states of the columns."""
        keys = self.keys.reshape(-1, 2)
        return self.chosen(np.lexsort((keys[:, 1], keys[:, 0])))

    def chosen(self, places: npt.NDArray[np.int64]) -> Frontier:
        """The entries at these ``places``."""
        return Frontier(self.keys.reshape(-1, 2)[places].reshape(-1), self.counts[places])


class Nogood(NamedTuple):
    """The bits ``chosen`` of a key, and what they are in no solution: ``states``, by columns, are ranks."""

    chosen: int
    bad: int
    states: dict[int, int]


# The states of all columns in all layers, and what the solver says of them.


class States:
    """The states of the columns of a board (of its rows, if it is ``turned``) in each *layer*, before each row and
    behind the last.

    ``live[layer, column, state]``, ``pairs[d, layer, column, state, other]``: some solution has this state, and this
    pair of states of the column and of the one d + 1 behind it; or the solver has not refuted it. ``large``: there are
    too many to ask for.
    """

    def __init__(self, puzzle: Nonogram, may: npt.NDArray[np.bool_], formula: Formula, turned: bool) -> None:
        rows, columns = (puzzle.columns, puzzle.rows) if turned else (puzzle.rows, puzzle.columns)
        may = may.transpose(1, 0, 2) if turned else may
        self.turned, self.layers, self.width = turned, len(rows) + 1, len(columns)
        self.across = [line_automaton(clue, may[r]) for r, clue in enumerate(rows)]
        self.down = [line_automaton(clue, may[:, c]) for c, clue in enumerate(columns)]
        most = max(1, *(len(states) for reader in self.down for states in reader.states))
        shape = self.layers, self.width, most
        self.large = most > MOST_STATES or prod(shape) * most > MOST_PAIRS
        if self.large:
            return
        steps = np.stack([padded(reader.step, most) for reader in self.down])  # [column, row, value, state]
        self.steps, self.values = steps.astype(np.int64).reshape(-1), steps.shape[2]
        runs = Runs.of(puzzle)
        first = 0 if turned else puzzle.height
        self.literals = [
            said_by(reader, runs, first + c, formula.map)  # type: ignore[arg-type] # by the order encoding
            for c, reader in enumerate(self.down)
        ]
        self.live = np.zeros(shape, dtype=bool)
        self.pairs = np.zeros((DISTANCE, *shape, most), dtype=bool)
        self.layer = np.arange(self.layers)[:, None]
        self.column = np.arange(self.width)[None]

    def read(self, cells: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """The states that a solution has: [layer, column]."""
        states = np.empty((self.layers, self.width), dtype=np.uint8)
        cells = np.ascontiguousarray(cells.T if self.turned else cells)
        read_states(cells, self.steps, self.values, self.live.shape[2], states)
        return states

    def learn(self, cells: npt.NDArray[np.uint8]) -> None:
        """Take a solution into account: it has these states."""
        states = self.read(cells)
        self.live[self.layer, self.column, states] = True
        for d in range(min(DISTANCE, self.width - 1)):
            self.pairs[d, self.layer, self.column[:, : -d - 1], states[:, : -d - 1], states[:, d + 1 :]] = True

    def open_states(self) -> list[tuple[int, ...]]:
        """(layer, column, state) of those that no known solution has."""
        return [
            (layer, c, state)
            for c, reader in enumerate(self.down)
            for layer, states in enumerate(reader.states)
            for state in range(len(states))
            if not self.live[layer, c, state]
        ]

    def open_pairs(self, d: int) -> list[tuple[int, ...]]:
        """(d, layer, column, state, other) of the pairs of live states that no known solution has."""
        both = self.live[:, : -d - 1, :, None] & self.live[:, d + 1 :, None, :] & ~self.pairs[d, :, : -d - 1]
        return [(d, *pair) for pair in np.argwhere(both).tolist()]

    def known(self, question: tuple[int, ...]) -> bool:
        """Is a state, or a pair of states, known to be live?"""
        return bool((self.live if len(question) == 3 else self.pairs)[question])

    def suppose(self, question: tuple[int, ...]) -> None:
        """Take it to be live."""
        (self.live if len(question) == 3 else self.pairs)[question] = True

    def literals_of(self, question: tuple[int, ...]) -> list[int]:
        """The literals that say that the columns are in these states."""
        if len(question) == 3:
            layer, column, state = question
            return self.literals[column][layer][state]
        d, layer, column, state, other = question
        return [*self.literals[column][layer][state], *self.literals[column + d + 1][layer][other]]

    def bits(self) -> float:
        """The binary logarithm of the number of combinations that pairs allow, in the layer that has most."""
        most = 0.0
        for layer in range(self.layers):
            ways = self.live[layer, 0].astype(float)
            for c in range(self.width - 1):
                ways = ways @ self.pairs[0, layer, c]
            most = max(most, float(np.log2(max(1.0, ways.sum()))))
        return most


def said_by(reader: LineAutomaton, runs: Runs, line: int, order: OrderMap) -> list[list[list[int]]]:
    """Of each layer and state of a line, the literals that say that the line is in this state there.

    A line is in a run, k cells behind its start, or between two runs: the one before it is done (with the blank that
    must follow it, if any), and the other one has not begun.
    """
    begun: list[tuple[int, int]] = []  # of each state as a number of letters: the run, and how many of its letters
    gaps = runs.gap
    own = range(int(runs.first[line]), int(runs.first[line + 1]))
    for run in own:
        begun += [(run, k) for k in range(int(runs.length[run] + gaps[run]))]

    def starts_by(run: int, cell: int) -> int:
        found = order.at_most(runs.start[run : run + 1], np.array([cell], dtype=np.int32))
        return int(found[0])

    def said(letters: int, layer: int) -> list[int]:
        if letters == len(begun):
            return [starts_by(own[-1], layer - int(runs.length[own[-1]]))] if len(own) else []
        run, k = begun[letters]
        if k > 0:
            return [starts_by(run, layer - k), -starts_by(run, layer - k - 1)]
        done = [starts_by(run - 1, layer - int(runs.length[run - 1] + gaps[run - 1]))] if run > own[0] else []
        return [*done, -starts_by(run, layer - 1)]

    return [
        [[literal for literal in said(letters, layer) if literal != TRUE] for letters in states]
        for layer, states in enumerate(reader.states)
    ]


# The sweep.


WORD = 2**64 - 1
SAMPLE, ENOUGH = 40, 0.5
"""Combinations that are asked for at a time, and the share that is live from which on pruning ends."""
FEW = 2_000
"""So few combinations are not pruned."""
BASE, GROWTH = 20_000, 0.1
"""Lines that pruning a frontier may take, and how much longer than crossing the next row it may take."""
STEPS_A_LINE = 8
"""Steps of ``cross_row`` while a line is checked."""
PROPAGATIONS = 4
"""Propagations of the solver while a line is checked."""
CONFLICTS, FEW_CONFLICTS = 300, 6
"""Conflicts of a query at most, and of one that is to make a nogood shorter."""
QUERY = 400
"""Lines that a query takes besides its propagations, about."""
QUERIES = 200
"""Queries until the caller has a turn."""
SLICE = 3_000_000
"""Steps until the caller has a turn: 0.1 to 0.2 s."""
SOURCES = 200
"""Combinations that cross the next row to show how many there will be, and ``SAMPLED`` places for these."""
SAMPLED = 1 << 17
POOL = 1 << 15
"""Combinations of a larger frontier that are asked for, until the others are pruned too."""
BYTES = 60
"""Bytes that a place of a table takes, and what is copied from it."""
TABLE = 1 << 14
"""Places of a table at first."""
LARGEST = 1 << 26
"""Places of a table at most."""


class FrontierSweep:
    """A count of all solutions of ``puzzle`` in steps; ``go_on`` takes some.

    ``board``: what is known of it; ``formula``, ``session``: of the order encoding, in MiniSat, with all that is known.
    ``work``: so far, in lines. ``solutions``: once the sweeps have MET.
    """

    def __init__(self, puzzle: Nonogram, board: PropagationBoard, formula: Formula, session: Session) -> None:
        self.puzzle, self.formula, self.session = puzzle, formula, session
        may = may_of(board)
        self.both = [States(puzzle, may, formula, turned) for turned in (False, True)]
        self.states = self.both[0]
        self.layout: list[KeyLayout] = []
        self.queries, self.crossed = 0, 0
        self.propagated = self._propagations()
        self.nogoods: list[list[Nogood]] = []
        self.live: list[set[int]] = []
        self.witnesses: Witnesses
        self.room, self.bytes = 0, 0
        self.solutions = 0
        self.rng = Rng(0)
        self.run = self._run()

    @property
    def work(self) -> int:
        """The work so far, in lines, about."""
        return (
            self.queries * QUERY
            + (self._propagations() - self.propagated) // PROPAGATIONS
            + (self.crossed // STEPS_A_LINE)
        )

    def go_on(self, lines: int, room: int) -> int:
        """Take some ``lines`` of work, and ``room`` bytes at most: PAUSED, MET or STOPPED."""
        self.room, until = room, self.work + lines
        status = PAUSED
        while status == PAUSED and self.work < until:
            status = next(self.run)
        return status

    def _propagations(self) -> int:
        return self.session.statistics(Statistics()).propagations or 0

    def _run(self) -> Generator[int]:
        """The statuses, step by step; the last one is MET or STOPPED."""
        if any(states.large for states in self.both):
            yield STOPPED
        for states in self.both:
            yield from self._ask(states, states.open_states())
        for states in self.both:
            yield from self._ask(states, states.open_pairs(0))
        self.states = min(self.both, key=States.bits)
        for d in range(1, min(DISTANCE, self.states.width - 1)):
            yield from self._ask(self.states, self.states.open_pairs(d))
        self.witnesses = Witnesses(self.states.layers, self.states.width, self.states.live.shape[2])
        self.layout = [KeyLayout(self.states.live[layer]) for layer in range(self.states.layers)]
        if any(layout.bits > LARGEST_KEY for layout in self.layout):
            yield STOPPED
        self.nogoods = [[] for _ in self.layout]
        self.live = [set() for _ in self.layout]
        yield from self._meet()

    def _ask(self, states: States, questions: list[tuple[int, ...]]) -> Generator[int]:
        """Ask the solver for a solution with each of these; those that it does not refute are live."""
        for number, question in enumerate(questions):
            if not states.known(question):
                self._ask_for(states, question)
            if number % QUERIES == 0:
                yield PAUSED

    def _ask_for(self, states: States, question: tuple[int, ...]) -> None:
        literals = states.literals_of(question)
        if -TRUE in literals:
            return
        self.queries += 1
        model = self.session.solve(literals, CONFLICTS)
        if model is not None:
            cells = self.formula.cells(model)
            for each in self.both:
                each.learn(cells)
        elif self.session.gave_up:
            states.suppose(question)

    # Crossing a row, and pruning what is behind it.

    def _meet(self) -> Generator[int]:
        """Sweep from the first row and from the last until the two meet, and add up the products of their counts."""
        one = np.zeros(2, dtype=np.uint64), np.ones(1, dtype=np.uint64)
        above, below = Frontier(*one), Frontier(*one)
        top, bottom = 0, self.states.layers - 1
        while top < bottom:
            down = self._leads_to(above, top, True) <= self._leads_to(below, bottom, False)
            old, other, layer = (above, below, top) if down else (below, above, bottom)
            last = top + 1 == bottom
            marks = self._marks(layer + 1 if down else layer - 1, other) if last else NO_WORDS
            new = yield from self._cross(old, layer, down, marks)
            if down:
                above, top = new, top + 1
            else:
                below, bottom = new, bottom - 1
        table = below.table(max(TABLE, 1 << (2 * len(below.counts)).bit_length()))
        found = np.zeros_like(above.counts)
        find_counts(table.keys, table.counts, above.keys, found)
        self.solutions = sum(sums_of(above.counts, found, 0, len(found)))
        yield MET

    def _leads_to(self, old: Frontier, layer: int, down: bool) -> float:
        """About how many combinations there will be behind the next row, unpruned; inf: very many, or long to say."""
        if len(old.counts) <= SOURCES:
            return len(old.counts)
        some = old.chosen(np.sort(self.rng.many_below(len(old.counts), SOURCES)))
        step, table = self._step(layer, layer + 1 if down else layer - 1), Frontier.empty(SAMPLED)
        status = cross_row(step, *some, self._shared(step, some), *table, NO_WORDS, SLICE)
        self.crossed += int(step.state[STEPS])
        return int(step.state[USED]) / SOURCES * len(old.counts) if status == COUNTED else inf

    def _shared(self, step: RowStep, old: Frontier) -> Bytes:
        """See ``count_shared``."""
        shared = np.zeros(len(old.counts), dtype=np.uint8)
        count_shared(step, old.keys, shared)
        return shared

    def _marks(self, layer: int, frontier: Frontier) -> Words:
        """Marks of all beginnings of a frontier's keys."""
        layout = self.layout[layer]
        masks = list(accumulate((layout.chosen(c) for c in range(self.states.width)), or_))
        low, high = (np.array([mask >> by & WORD for mask in masks], dtype=np.uint64) for by in (0, 64))
        marks = np.zeros(1 << max(8, (len(frontier.counts) // 2).bit_length()), dtype=np.uint64)
        mark_beginnings(*frontier, low, high, marks)
        return marks

    def _cross(self, old: Frontier, layer: int, down: bool, marks: Words) -> Generator[int, None, Frontier]:
        """The frontier behind the next row, pruned; or the part of it that has ``marks``, where there are any."""
        new_layer = layer + 1 if down else layer - 1
        table, places = Frontier.empty(TABLE), TABLE
        step = self._step(layer, new_layer)
        shared = self._shared(step, old)
        while True:
            before = int(step.state[STEPS])
            status = cross_row(step, *old, shared, *table, marks, SLICE)
            self.crossed += int(step.state[STEPS]) - before
            if step.state[TOO_MANY]:
                yield STOPPED
            if status == PAUSED:
                yield PAUSED
                continue
            used, crossed = int(step.state[USED]), int(step.state[SOURCE]) + 1
            if len(marks):
                live = table.dense(NONE, used)
            else:
                live = yield from self._pruned(new_layer, table, used, int(step.state[STEPS]) / crossed)
            if status == COUNTED:
                return live.sorted()
            if 4 * len(live.counts) > places:
                places *= 2
                if BYTES * places > self.room or places > LARGEST:
                    yield STOPPED
            self.bytes = BYTES * places + self.witnesses.bytes
            table = live.table(places)
            step = self._renewed(step, new_layer)
            step.state[USED] = len(live.counts)
            yield PAUSED

    def _pruned(self, layer: int, table: Frontier, used: int, steps: float) -> Generator[int, None, Frontier]:
        """What is left of a frontier: until most of it is live, or to prune it costs more than to go on."""
        rest = table.dense(NONE, used)
        if not 0 < layer < self.states.layers - 1:
            return rest
        begin, done = self.work, False
        while not done and len(rest.counts) > FEW:
            pool = rest
            if len(rest.counts) > POOL:
                pool = rest.chosen(self.rng.many_below(len(rest.counts), POOL))
            asked, found, whole = len(pool.counts), list[Nogood](), len(rest.counts)
            while not done and len(pool.counts) > (FEW if asked == whole else asked // 16):
                some, live = self._sampled(layer, pool)
                found += some
                if some:
                    pool = pool.dense(self.layout[layer].filter(some), len(pool.counts))
                yield PAUSED
                left = len(pool.counts) / asked * whole
                most = BASE + GROWTH * left * steps / STEPS_A_LINE
                done = live >= ENOUGH * SAMPLE or self.work - begin > most
            rest = rest.dense(self.layout[layer].filter(found), whole)
            self.nogoods[layer] += found
            yield PAUSED
        return rest

    def _sampled(self, layer: int, pool: Frontier) -> tuple[list[Nogood], int]:
        """The nogoods of some combinations, and how many of these are live."""
        found: list[Nogood] = []
        live = 0
        for i in self.rng.many_below(len(pool.counts), SAMPLE).tolist():
            low, high = pool.keys[2 * i : 2 * i + 2].tolist()
            key = low | high << 64
            if key in self.live[layer]:
                live += 1
            elif not any(key & nogood.chosen == nogood.bad for nogood in found):
                nogood = self._nogood(layer, key)
                if nogood is None:
                    self.live[layer].add(key)
                    live += 1
                else:
                    found.append(nogood)
        return found, live

    def _nogood(self, layer: int, key: int) -> Nogood | None:
        """Why a combination has no solution; None: it has one, or the solver does not know."""
        layout = self.layout[layer]
        states = layout.states_of(key)
        said = [self.states.literals_of((layer, c, state)) for c, state in enumerate(states)]
        owner = {literal: c for c, literals in enumerate(said) for literal in literals}
        if self.witnesses.layer != layer:
            self.witnesses.look_at(layer)
        blamed = self._blamed(range(len(said)), said, owner, CONFLICTS)
        if blamed is None:
            return None
        needed = self.witnesses.needed(blamed, states)
        for column in blamed[::-1]:
            if column in blamed and len(blamed) > 1 and not needed[column]:
                without = [c for c in blamed if c != column]
                if (fewer := self._blamed(without, said, owner, FEW_CONFLICTS)) is not None:
                    blamed, needed = fewer, self.witnesses.needed(fewer, states)
        chosen = sum(layout.chosen(c) for c in blamed)
        return Nogood(chosen, key & chosen, {c: layout.rank(c, states[c]) for c in blamed})

    def _blamed(
        self, columns: Iterable[int], said: list[list[int]], owner: dict[int, int], conflicts: int
    ) -> list[int] | None:
        """Those of the ``columns`` whose states no solution has together; None: one has, or that is not known."""
        self.queries += 1
        model = self.session.solve([literal for c in columns for literal in said[c]], conflicts)
        if model is not None:
            self.witnesses.add(self.states.read(self.formula.cells(model)))
        if model is not None or self.session.gave_up:
            return None
        return sorted({owner[literal] for literal in self.session.core()})

    def _step(self, layer: int, new_layer: int) -> RowStep:
        """The step from a layer to an adjacent one."""
        states, old, new = self.states, self.layout[layer], self.layout[new_layer]
        row, down = min(layer, new_layer), new_layer > layer
        width, most = states.width, max(old.most, new.most)
        ways: list[list[tuple[int, int]]] = []
        for c in range(width):
            steps = states.down[c].step[row]
            here: list[list[tuple[int, int]]] = [[] for _ in range(most)]
            for cell, state in np.argwhere(steps != DEAD).tolist():
                one, other = (state, int(steps[cell, state])) if down else (int(steps[cell, state]), state)
                if old.has(c, one) and new.has(c, other):
                    here[old.rank(c, one)].append((cell, new.rank(c, other)))
            ways += here
        options = max(1, *map(len, ways))
        table = np.full((2, len(ways), options), DEAD, dtype=np.int64)
        for i, some in enumerate(ways):
            for o, way in enumerate(some):
                table[:, i, o] = way
        beside = np.zeros((DISTANCE, width, most), dtype=np.uint64)
        for d, c, state, after in np.argwhere(states.pairs[:, new_layer]).tolist():
            if new.has(c, state) and new.has(c + d + 1, after):
                beside[d, c + d + 1, new.rank(c, state)] |= np.uint64(1 << new.rank(c + d + 1, after))
        step = RowStep(
            columns=width,
            most=most,
            options=options,
            value=table[0].reshape(-1),
            then=table[1].reshape(-1),
            across=padded(states.across[row].step),
            word=old.word,
            bit=old.bit,
            mask=old.mask,
            new_word=new.word,
            new_bit=new.bit,
            beside=beside.reshape(-1),
            words=0,
            ends=np.zeros(width + 1, dtype=np.int64),
            fits=np.zeros(0, dtype=np.uint64),
            near=np.zeros(0, dtype=np.uint64),
            first=np.zeros(width, dtype=np.int64),
            behind=np.zeros(width, dtype=np.int64),
            end=np.zeros(width, dtype=np.int64),
            option=np.zeros(width, dtype=np.int64),
            row=np.zeros(width, dtype=np.int64),
            was=np.zeros(width, dtype=np.int64),
            now=np.zeros(width, dtype=np.int64),
            key=np.zeros(2 * width, dtype=np.uint64),
            state=np.array([0, -1, 0, 0, 0], dtype=np.int64),
        )
        return self._renewed(step, new_layer)

    def _renewed(self, step: RowStep, layer: int) -> RowStep:
        """The step with the nogoods that are known by now."""
        nogoods = sorted(self.nogoods[layer], key=lambda nogood: max(nogood.states))
        last = [max(nogood.states) for nogood in nogoods]
        words = (len(nogoods) + 63) // 64
        fits = np.ones((step.columns, step.most, 64 * words), dtype=np.uint8)
        for i, nogood in enumerate(nogoods):
            for column, state in nogood.states.items():
                fits[column, :, i] = 0
                fits[column, state, i] = 1
        packed = np.packbits(fits, axis=2, bitorder="little").view(np.uint64)
        near = np.full((step.columns + 1, words), 2**64 - 1, dtype=np.uint64)
        for column in range(int(step.state[COLUMN])):  # the way so far
            near[column + 1] = near[column] & packed[column, step.now[column]]
        ends = np.searchsorted(last, np.arange(step.columns + 1)).astype(np.int64)
        return step._replace(words=words, ends=ends, fits=packed.reshape(-1), near=near.reshape(-1))


class KeyLayout:
    """How the states of all columns in a layer are packed into a key: those that are ``live[column, state]``.

    Earlier columns have higher bits, and the first word those of the first columns: sorted keys are sorted by columns.
    """

    def __init__(self, live: npt.NDArray[np.bool_]) -> None:
        self.states = [np.flatnonzero(column).tolist() for column in live]
        self.ranks = [{state: rank for rank, state in enumerate(states)} for states in self.states]
        self.most = max(1, *map(len, self.states))
        widths = [max(0, len(states) - 1).bit_length() for states in self.states]
        word, bit, self.bits = [], [], 0
        for width in widths:
            if self.bits // 64 != (self.bits + max(1, width) - 1) // 64:  # no field lies in two words
                self.bits = -(-self.bits // 64) * 64
            word.append(self.bits // 64 if width else 0)
            bit.append(64 - self.bits % 64 - width if width else 0)
            self.bits += width
        self.word, self.bit = np.array(word, dtype=np.int64), np.array(bit, dtype=np.int64)
        self.mask = np.array([(1 << width) - 1 for width in widths], dtype=np.uint64)
        self.places = [64 * w + b for w, b in zip(word, bit, strict=True)]
        self.masks = self.mask.tolist()

    def filter(self, nogoods: list[Nogood]) -> Filter:
        """The ``nogoods``, each with its column that has most states: few combinations have the same one there."""
        first = np.cumsum([0, *map(len, self.states)])
        here = [max(nogood.states, key=lambda c: len(self.states[c]), default=0) for nogood in nogoods]
        places = np.array([first[c] + nogood.states.get(c, 0) for c, nogood in zip(here, nogoods, strict=True)])
        order = np.argsort(places, kind="stable")
        begin = np.searchsorted(places[order], np.arange(first[-1] + 1)).astype(np.int64)
        two = [[number & WORD, number >> 64] for i in order.tolist() for number in nogoods[i][:2]]
        words = np.array(two, dtype=np.uint64).reshape(-1, 2, 2)
        chosen, bad = words[:, 0].reshape(-1), words[:, 1].reshape(-1)
        return Filter(self.word, self.bit, self.mask, first[:-1], begin, chosen, bad)

    def has(self, column: int, state: int) -> bool:
        """Is the state live?"""
        return state in self.ranks[column]

    def rank(self, column: int, state: int) -> int:
        """Its number among those that are."""
        return self.ranks[column][state]

    def chosen(self, column: int) -> int:
        """The bits of a key that are about ``column``."""
        return int(self.masks[column] << self.places[column])

    def states_of(self, key: int) -> list[int]:
        """The states of all columns."""
        places = zip(self.states, self.places, self.masks, strict=True)
        return [states[key >> place & mask] for states, place, mask in places]
