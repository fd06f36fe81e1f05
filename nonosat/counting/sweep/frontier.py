"""The sweep over *live* states: those that a SAT solver does not refute.

Between two rows the columns are in a state each. Most combinations of them that lines allow belong to no solution:
behind the eighth row of one 20x20 board at 40 %, pairs of adjacent columns allow 2^39, and solutions have 3,699. A SAT
solver tells them apart. First, it is asked for each state of a column, and for each pair of states of near columns.
Then samples of what the sweep comes to are asked for: of the states of a half of the columns, then of combinations.
Where there is no solution, bounds on the states of a few columns are to blame: this column is at least so far in its
clue, that one at most so far. Together they are a *nogood*: it refutes all combinations that have them. A bound is left
out if the others are to blame without it, those first that few combinations have. Where a known solution has all others
and not this one, that need not be asked.

A nogood that is missing costs time alone: a combination without a solution dies out later. So queries are limited, and
end where they gain too little. What the solver refutes is believed, as by ``backbones``.

Two sweeps start at the first row and at the last. The one that leads to fewer combinations, by a sample, goes on, until
they meet. How combinations cross a row: ``halves.py``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from math import prod
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nonosat.compiled.words import ONE, ByteTable, Words
from nonosat.counting.sweep.counts import MET, STOPPED, may_of, sums_of
from nonosat.counting.sweep.halves import (
    ANY,
    BOTH,
    DISTANCE,
    DONE,
    FULL,
    LEFT,
    NEXT,
    NO_WORDS,
    RIGHT,
    STEPS,
    TOO_MANY,
    USED,
    Clash,
    Combinations,
    HalfLayout,
    HalfStep,
    HalfWays,
    RowCrossing,
    cross_half,
    possible_middles,
    rows_of,
)
from nonosat.counting.sweep.states import DEAD, LineAutomaton, Shorts, line_automaton, padded
from nonosat.counting.sweep.witnesses import AT_LEAST, Witnesses, read_states
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

LARGEST_KEY = 64
"""Bits of the states of a half of the columns at most: a word."""
MOST_STATES, MOST_PAIRS = 64, 2_000_000
"""States of a column at most (they are the bits of a word), and pairs of states of adjacent columns."""


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
        self.bounds = [
            bounds_of(reader, runs, first + c, formula.map)  # type: ignore[arg-type] # by the order encoding
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
            bounds = [*self.bounds[column][layer][state]]
        else:
            d, layer, column, state, other = question
            bounds = [*self.bounds[column][layer][state], *self.bounds[column + d + 1][layer][other]]
        return [literal for literal in bounds if literal != TRUE]

    def bits(self, layer: int, back: bool = False) -> list[float]:
        """Of the first column, the first two and so on, how many combinations pairs allow in a layer: its binary
        logarithm. ``back``: of the last column, the last two and so on.
        """
        columns = range(self.width - 1)
        ways, pairs = self.live[layer, 0], [self.pairs[0, layer, c] for c in columns]
        if back:
            ways, pairs = self.live[layer, -1], [self.pairs[0, layer, c].T for c in reversed(columns)]
        found, shares = [], ways.astype(float)
        bits = 0.0
        for pair in [np.eye(len(shares)), *pairs]:
            shares = shares @ pair
            total = max(1e-300, float(shares.sum()))
            shares /= total
            bits += float(np.log2(total))
            found.append(bits)
        return found

    def most_bits(self) -> float:
        """The same of all columns, in the layer that has most."""
        return max(self.bits(layer)[-1] for layer in range(self.layers))

    def middle(self) -> int:
        """How many columns the left half is to have, so that no half has many states in any layer."""
        if self.width == 1:
            return 0
        both = [[self.bits(layer, back) for layer in range(self.layers)] for back in (False, True)]
        left, right = (np.array(bits).max(axis=0) for bits in both)
        return int(np.argmin(np.maximum(left[:-1], right[-2::-1]))) + 1


def bounds_of(reader: LineAutomaton, runs: Runs, line: int, order: OrderMap) -> list[list[tuple[int, int]]]:
    """Of each layer and state of a line, the literals of two bounds: it is in this state or a later one; or an earlier.

    A line is in a run, k cells behind its start, or between two runs: the one before it is done (with the blank that
    must follow it, if any), and the other one has not begun.
    """
    always = int(TRUE)
    begun: list[tuple[int, int]] = []  # of each state as a number of letters: the run, and how many of its letters
    gaps = runs.gap
    own = range(int(runs.first[line]), int(runs.first[line + 1]))
    for run in own:
        begun += [(run, k) for k in range(int(runs.length[run] + gaps[run]))]

    def starts_by(run: int, cell: int) -> int:
        found = order.at_most(runs.start[run : run + 1], np.array([cell], dtype=np.int32))
        return int(found[0])

    def said(letters: int, layer: int) -> tuple[int, int]:
        if letters == len(begun):
            return (starts_by(own[-1], layer - int(runs.length[own[-1]])) if len(own) else always), always
        run, k = begun[letters]
        if k > 0:
            return starts_by(run, layer - k), -starts_by(run, layer - k - 1)
        done = starts_by(run - 1, layer - int(runs.length[run - 1] + gaps[run - 1])) if run > own[0] else always
        return done, -starts_by(run, layer - 1)

    return [[said(letters, layer) for letters in states] for layer, states in enumerate(reader.states)]


# The sweep.


SAMPLE, ENOUGH = 10, 0.5
"""Combinations that are asked for at a time, and the share that is live from which on pruning ends."""
FEW = 2_000
"""So few combinations are not pruned."""
BATCHES, BASE, WORTH = 4, 20_000, 0.1
"""Pruning ends when the last so many samples have taken more lines than this, and than the combinations that they ruled
out are worth: this much of what it takes to cross the next row with them.
"""
LEAST = 4
"""A nogood that rules out fewer of those in the pool is worth less than the bit that it takes."""
TOGETHER = 64
"""Adjacent left states that cross a row together: what they lead to is in the cache. Such groups come in random order,
so that the first ones are a sample.
"""
STEPS_A_LINE = 8
"""Steps of ``cross_rows`` while a line is checked."""
PROPAGATIONS = 4
"""Propagations of the solver while a line is checked."""
CONFLICTS, FEW_CONFLICTS = 300, 6
"""Conflicts of a query at most, and of one that is to make a nogood shorter."""
QUERY = 400
"""Lines that a query takes besides its propagations, about."""
QUERIES = 200
"""Queries until the caller has a turn."""
SLICE, SORTED = 3_000_000, 20
"""Steps until the caller has a turn (0.1 s), and those in whose time a way of a half is sorted."""
SOURCES, SAMPLED = 200, 1 << 17
"""Left states that cross the next row to show how many combinations there will be, and how many of these at most."""
POOL = 1 << 15
"""Combinations of a larger frontier that are asked for, until the others are pruned too."""
TABLE = 1 << 18
"""Combinations behind a row until they are pruned for the first time; then at twice as many."""
LARGEST = 1 << 28
"""Combinations at most."""
WAYS, MOST_WAYS, WAY_BYTES = 1 << 16, 1 << 26, 40
"""Ways of a half across a row that are written at a time, ways at most, and bytes that a way takes."""
MOST_PLACES, PLACE_BYTES, ENTRY_BYTES = 2**31 - 1, 24, 12
"""Pairs of a state of the row in the middle and a right state at most, bytes that one of them takes while ways are
sorted, and those of a combination.
"""
NO_NUMBERS = np.zeros(0, dtype=np.int32)


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
        self.layout: list[tuple[HalfLayout, HalfLayout]] = []
        self.queries, self.crossed = 0, 0
        self.propagated = self._propagations()
        self.nogoods: list[list[Clash]] = []
        self.live: list[set[tuple[int, bytes]]] = []
        self.witnesses: Witnesses
        self.room = 0
        self.ends = [Combinations.start(), Combinations.start()]
        self.crossings: list[RowCrossing | None] = [None, None]
        self.spare = NO_NUMBERS, NO_WORDS
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

    @property
    def taken(self) -> int:
        """The memory that it takes, in bytes."""
        crossings = sum(crossing.bytes for crossing in self.crossings if crossing is not None)
        spare = sum(array.nbytes for array in self.spare)
        return self.witnesses.bytes + sum(end.bytes for end in self.ends) + crossings + spare

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
        self.states = min(self.both, key=States.most_bits)  # by what is known so far
        for d in range(min(DISTANCE, self.states.width - 1)):
            yield from self._ask(self.states, self.states.open_pairs(d))
        self.witnesses = Witnesses(self.states.layers, self.states.width, self.states.live.shape[2])
        middle = self.states.middle()
        self.layout = [(HalfLayout(0, live[:middle]), HalfLayout(middle, live[middle:])) for live in self.states.live]
        if any(half.bits > LARGEST_KEY for layout in self.layout for half in layout):
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
        layers = [0, self.states.layers - 1]
        while True:
            for side, step in ((0, 1), (1, -1)):
                if self.crossings[side] is None:
                    self.crossings[side] = yield from self._crossing(side, layers[side], layers[side] + step)
            one, other = self.crossings
            assert one is not None
            assert other is not None
            side = 0 if one.leads_to <= other.leads_to else 1
            crossing = self.crossings[side]
            assert crossing is not None
            if not crossing.old.many:
                break
            if abs(layers[0] - layers[1]) == 1:
                self.solutions = yield from self._joined(crossing, self.ends[1 - side])
                break
            self.ends[side] = yield from self._crossed(crossing)
            self.spare = crossing.old.which, crossing.old.counts  # memory at hand: to get more takes long
            self.crossings[side] = None
            layers[side] = crossing.layer
        yield MET

    def _crossing(self, side: int, layer: int, new_layer: int) -> Generator[int, None, RowCrossing]:
        """The combinations of one end, ready to cross the row between two layers."""
        old = self.ends[side]
        begins = np.full(len(old.left), 2**64 - 1, dtype=np.uint64)
        left = yield from self._half_ways(0, layer, new_layer, old.left, begins)
        middles = np.zeros(len(old.left), dtype=np.uint64)
        np.bitwise_or.at(middles, left.old, np.uint64(1) << np.minimum(left.middle, ANY).astype(np.uint64))
        begins = np.zeros(len(old.right), dtype=np.uint64)
        possible_middles(old.begin, old.which, middles, begins)
        right = yield from self._half_ways(1, layer, new_layer, old.right, begins)
        places = rows_of(left, right) * len(old.right)
        sorting = PLACE_BYTES * places + WAY_BYTES * (len(left.old) + len(right.old))
        if places > MOST_PLACES or self.taken + sorting > self.room:
            yield STOPPED
        crossing = RowCrossing(old, new_layer, self.layout[new_layer], left, right, self._clashes(new_layer))
        steps = self._sampled_steps(crossing)
        if crossing.leads_to > TABLE:
            for half in (LEFT, RIGHT):
                yield from self._pruned(crossing, half, steps / max(1, crossing.many(half)))
            self._sampled_steps(crossing)
        return crossing

    def _sampled_steps(self, crossing: RowCrossing) -> float:
        """How many steps it takes to cross the row, about, by a sample: it also shows what that ``leads_to``."""
        rows = np.flatnonzero(crossing.live[LEFT])
        many = len(rows)
        crossing.begin_with(rows[self.rng.many_below(many, SOURCES)] if many > SOURCES else rows)
        before = int(crossing.state[STEPS])
        crossing.cross(SAMPLED, SLICE)
        steps = int(crossing.state[STEPS]) - before
        self.crossed += steps
        share = many / max(1, int(crossing.state[NEXT]))
        crossing.leads_to = crossing.used * share
        return steps * share

    def _half_ways(
        self, half: int, layer: int, new_layer: int, keys: Words, begins: Words
    ) -> Generator[int, None, HalfWays]:
        """The ways of a half across a row, from the states ``keys`` on; ``begins``: see ``cross_half``."""
        if not self.layout[layer][half].states:
            nothing = np.zeros(len(keys), dtype=np.int32)
            return HalfWays(nothing, nothing, nothing, keys)
        step = self._half_step(half, layer, new_layer)
        room, state = WAYS, np.zeros(4, dtype=np.int64)
        found: list[tuple[Shorts, Shorts, Words]] = []
        status, many = PAUSED, 0
        while status != DONE:
            old, middle, new = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.uint64)
            status = cross_half(step, keys, begins, half, old, middle, new, state, SLICE)
            if status == FULL and not state[USED]:
                room *= 2
            used = int(state[USED])
            found.append((old[:used].copy(), middle[:used].copy(), new[:used].copy()))
            many += used
            self.crossed += int(state[STEPS]) + SORTED * used
            state[USED] = state[STEPS] = 0
            if max(many, room) > MOST_WAYS or WAY_BYTES * many > self.room:
                yield STOPPED
            yield PAUSED
        old, middle, new = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
        new_keys, places = np.unique(new, return_inverse=True)
        return HalfWays(old, middle, places.astype(np.int32), new_keys)

    def _crossed(self, crossing: RowCrossing) -> Generator[int, None, Combinations]:
        """The combinations behind the row, pruned."""
        live = np.flatnonzero(crossing.live[LEFT])
        groups = np.argsort(self.rng.raw(-(-len(live) // TOGETHER)))
        rows = (TOGETHER * groups[:, None] + np.arange(TOGETHER)).reshape(-1)
        crossing.begin_with(live[rows[rows < len(live)]])
        crossing.which, crossing.counts = self.spare
        self.spare = NO_NUMBERS, NO_WORDS
        limit = TABLE
        while True:
            before = int(crossing.state[STEPS])
            status = crossing.cross(limit, SLICE)
            self.crossed += int(crossing.state[STEPS]) - before
            if crossing.state[TOO_MANY] or self.taken > self.room:
                yield STOPPED
            if status == PAUSED:
                yield PAUSED
                continue
            if crossing.used:
                share = int(crossing.state[NEXT]) / len(crossing.rows)
                yield from self._pruned(crossing, BOTH, int(crossing.state[STEPS]) / crossing.used / share)
            if status == DONE:
                return crossing.result()
            if 2 * crossing.used > limit:
                limit *= 2
                if limit > LARGEST or self.taken + ENTRY_BYTES * limit > self.room:
                    yield STOPPED
            yield PAUSED

    def _joined(self, crossing: RowCrossing, known: Combinations) -> Generator[int, None, int]:
        """The number of solutions: the combinations behind the row are ``known`` from the other side."""
        crossing.only(known)
        while crossing.cross(1, SLICE) == PAUSED:
            yield PAUSED
        self.crossed += int(crossing.state[STEPS])
        if crossing.state[TOO_MANY]:
            yield STOPPED
        return sum(sums_of(known.counts[: known.many], crossing.counts, 0, known.many))

    def _pruned(self, crossing: RowCrossing, part: int, steps: float) -> Generator[int]:
        """Prune the states of a half, or the combinations so far (BOTH), each of which is worth so many ``steps``.

        It ends where most of them are live, or where to rule them out costs more than it is worth.
        """
        layer, first = crossing.layer, crossing.layout[RIGHT].first if part == RIGHT else 0
        if not 0 < layer < self.states.layers - 1:
            return
        samples, done = deque[tuple[int, float]](maxlen=BATCHES), False
        while not done and (whole := crossing.many(part)) > FEW:
            places = np.arange(whole) if whole <= POOL else self.rng.many_below(whole, POOL)
            pool, found = crossing.states_of(part, places), list[Clash]()
            asked, shares = pool.shape[1], shares_of(pool, self.states.live.shape[2])
            while not done and pool.shape[1] > (FEW if asked == whole else asked // 16):
                begin, before = self.work, pool.shape[1]
                some, live = self._sampled(layer, first, pool, shares)
                pool, useful = without(pool, first, some)
                found += useful
                samples.append((self.work - begin, (before - pool.shape[1]) / asked * whole))
                lines, gone = (sum(each) for each in zip(*samples, strict=True))
                done = live >= ENOUGH * SAMPLE or lines > BASE + WORTH * gone * steps / STEPS_A_LINE
                yield PAUSED
            self.nogoods[layer] += found
            crossing.prune(found)
            yield PAUSED

    def _sampled(self, layer: int, first: int, pool: ByteTable, shares: Shares) -> tuple[list[Clash], int]:
        """The nogoods of some in the ``pool``, which is about the columns from ``first`` on; and how many are live."""
        found: list[Clash] = []
        live = 0
        for i in self.rng.many_below(pool.shape[1], SAMPLE).tolist():
            key = pool[:, i].tobytes()
            if (first, key) in self.live[layer]:
                live += 1
            elif not any(all(having >> key[c - first] & 1 for c, having in nogood.items()) for nogood in found):
                nogood = self._nogood(layer, first, key, shares)
                if nogood is None:
                    self.live[layer].add((first, key))
                    live += 1
                else:
                    found.append(nogood)
        return found, live

    def _nogood(self, layer: int, first: int, places: bytes, shares: Shares) -> Clash | None:
        """Why no solution has these states in the columns from ``first`` on; None: one has, or that is not known.

        What rules out most is left out last: bounds that many in the pool have are asked for first, and the others are
        the first that are left out.
        """
        columns = [states for half in self.layout[layer] for states in half.states]
        most, numbers, common = self.witnesses.most, dict[int, int](), dict[int, float]()  # of bounds by their literals
        for c, place in enumerate(places, first):
            state = columns[c][place]
            for side, literal in enumerate(self.states.bounds[c][layer][state]):
                if literal != TRUE:
                    numbers[literal] = (c * most + state) * 2 + side
                    common[literal] = shares[side][c - first][place]
        if self.witnesses.layer != layer:
            self.witnesses.look_at(layer)
        blamed = self._blamed(sorted(numbers, key=lambda literal: -common[literal]), CONFLICTS)
        if blamed is None:
            return None
        needed = self._needed(blamed, numbers)
        for literal in blamed[::-1]:
            if literal in needed and len(blamed) > 1 and not needed[literal]:
                without = [other for other in blamed if other != literal]
                if (fewer := self._blamed(without, FEW_CONFLICTS)) is not None:
                    blamed, needed = fewer, self._needed(fewer, numbers)
        nogood: Clash = {}
        for literal in blamed:
            bound, side = divmod(numbers[literal], 2)
            c = bound // most
            place = places[c - first]
            allowed = -1 << place if side == AT_LEAST else (2 << place) - 1
            nogood[c] = nogood.get(c, (1 << len(columns[c])) - 1) & allowed
        return nogood

    def _needed(self, literals: list[int], numbers: dict[int, int]) -> dict[int, int]:
        """Of each literal, whether a known solution shows that it cannot be left out."""
        needed = self.witnesses.needed([numbers[literal] for literal in literals])
        return dict(zip(literals, needed, strict=True))

    def _blamed(self, literals: list[int], conflicts: int) -> list[int] | None:
        """Those of the ``literals`` that no solution has together; None: one has, or that is not known."""
        self.queries += 1
        model = self.session.solve(literals, conflicts)
        if model is not None:
            self.witnesses.add(self.states.read(self.formula.cells(model)))
        if model is not None or self.session.gave_up:
            return None
        core = set(self.session.core())
        return [literal for literal in literals if literal in core]

    def _half_step(self, half: int, layer: int, new_layer: int) -> HalfStep:
        """The step of a half from a layer to an adjacent one."""
        states, old, new = self.states, self.layout[layer][half], self.layout[new_layer][half]
        row, down = min(layer, new_layer), new_layer > layer
        width, most = len(old.states), max(old.most, new.most)
        ways: list[list[tuple[int, int]]] = []
        for c in range(width):
            steps = states.down[old.first + c].step[row]
            here: list[list[tuple[int, int]]] = [[] for _ in range(most)]
            for cell, state in np.argwhere(steps != DEAD).tolist():
                one, other = (state, int(steps[cell, state])) if down else (int(steps[cell, state]), state)
                if one in old.places[c] and other in new.places[c]:
                    here[old.places[c][one]].append((cell, new.places[c][other]))
            ways += here
        options = max(1, *map(len, ways))
        table = np.full((2, len(ways), options), DEAD, dtype=np.int64)
        for i, some in enumerate(ways):
            for o, way in enumerate(some):
                table[:, i, o] = way
        beside = np.zeros((DISTANCE, width, most), dtype=np.uint64)
        for c, other, place, after in self._pairs(new_layer):
            if new.first <= c and other < new.first + width:
                beside[other - c - 1, other - new.first, place] |= np.uint64(1 << after)
        return HalfStep(
            columns=width,
            most=most,
            options=options,
            value=table[0].reshape(-1),
            then=table[1].reshape(-1),
            across=np.ascontiguousarray(padded(states.across[row].step)[old.first : old.first + width]),
            bit=old.bit,
            mask=old.mask,
            new_bit=new.bit,
            beside=beside.reshape(-1),
            option=np.zeros(width, dtype=np.int64),
            row=np.zeros(width, dtype=np.int64),
            now=np.zeros(width, dtype=np.int64),
            key=np.zeros(width, dtype=np.uint64),
        )

    def _pairs(self, layer: int) -> Iterator[tuple[int, int, int, int]]:
        """Pairs of live states in a layer that go together: two columns, and the places of their states."""
        places = [places for half in self.layout[layer] for places in half.places]
        for d, c, state, other in np.argwhere(self.states.pairs[:, layer]).tolist():
            if state in places[c] and other in places[c + d + 1]:
                yield c, c + d + 1, places[c][state], places[c + d + 1][other]

    def _clashes(self, layer: int) -> list[Clash]:
        """What pairs of near columns, one in each half, rule out."""
        left, right = self.layout[layer]
        first, end = right.first, right.first + len(right.states)
        near = [
            (c, other)
            for c in range(max(0, first - DISTANCE), first)
            for other in range(first, min(end, c + DISTANCE + 1))
        ]
        clashes = {
            (c, other, place): {c: 1 << place, other: (1 << len(right.states[other - first])) - 1}
            for c, other in near
            for place in range(len(left.states[c]))
        }
        for c, other, place, after in self._pairs(layer):
            if (clash := clashes.get((c, other, place))) is not None:
                clash[other] &= ~(1 << after)
        return [clash for (_, other, _), clash in clashes.items() if clash[other]]


def without(pool: ByteTable, first: int, nogoods: list[Clash]) -> tuple[ByteTable, list[Clash]]:
    """The ``pool`` without those that have a nogood, and the ``nogoods`` that rule out enough of it.

    ``pool``: shape (columns, ..), the columns from ``first`` on.
    """
    useful = []
    for nogood in nogoods:
        dead = np.ones(pool.shape[1], dtype=bool)
        for c, having in nogood.items():
            dead &= (np.uint64(having) >> pool[c - first]) & ONE == ONE
        if np.count_nonzero(dead) >= LEAST:
            useful.append(nogood)
        pool = pool[:, ~dead]
    return pool, useful


Shares = tuple[list[list[float]], list[list[float]]]
"""Of each column and place: in what share of a pool the column is there or later; and there or earlier."""


def shares_of(pool: ByteTable, most: int) -> Shares:
    """The shares in a ``pool`` of at most so many places.

    >>> later, earlier = shares_of(np.array([[0, 1, 1, 2]], dtype=np.uint8), 3)
    >>> later, earlier
    ([[1.0, 0.75, 0.25]], [[0.25, 0.75, 1.0]])
    """
    shares = np.stack([np.bincount(places, minlength=most) for places in pool]) / pool.shape[1]
    return np.cumsum(shares[:, ::-1], axis=1)[:, ::-1].tolist(), np.cumsum(shares, axis=1).tolist()
