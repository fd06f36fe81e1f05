"""Elimination (Wałejko 2022, pseudocode 4.3 and 4.4): every line keeps the placements that may still be right.

All placements of all lines are listed. Lines wait in a queue; the one taken out drops the placements that contradict
what is known of its cells, and what the rest have in common becomes known, which puts crossing lines into the queue.
When the queue is empty and lines are open, the placements of one of them are assumed, one after the other. "Known" is a
set of values a cell can still have: in black and white that is the thesis' full, blank or unknown, with colours "not
red" counts too.

Where the thesis is silent or wrong:

- The pseudocode copies the lines, but lays the assumed placement on the original, which spoils all later branches.
  Here an assumption is undone: each line's placements are partitioned, those left in front, so a copy is two small
  arrays.
- It hands what is left of the queue on to the next branch. A dead branch empties it here; the queue that tracks cells
  would otherwise look for changes that never were.
- "One placement in every line" is said to need no validation. That is so because the queue is empty then: without
  that, rows and columns need not agree.
- Which line is taken first from a full queue is not said; rows and then columns are put in, by the queue's own rule.
- A line without placements has nothing in common: without the early exit (``nobreak``) it is passed over.
- An assumption puts in "the crossing lines"; here those whose cell it settles, since the others would find nothing.
- What the lines find together does not depend on the order in which they are checked: ``fifo`` and ``unchanged`` change
  ``lines_checked``, and no board. Nor does ``tracking``; a word of 64 cells costs as much as one of them, so that here
  it only spares words.
- Different placements of one line are different pictures, so no solution comes twice, and a board that is complete
  before anything was assumed is the only one.

Counters: ``placements`` listed at the start; ``lines_checked``: lines taken from the queue; ``assumptions``: placements
assumed; ``nodes``: these and the board at the start; ``contradictions``: dead branches.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.answer import Event, Finished, Found, Glimpse, Progress, Statistics
from nonosat.solvers.arrays import Ints, Words
from nonosat.solvers.compiled import ready
from nonosat.solvers.placements.line_check import BUSY, DEAD, OPEN, Board, empty
from nonosat.solvers.placements.line_queue import FIFO, LIFO, UNCHANGED, Rule, full_queue
from nonosat.solvers.placements.listing import Placements
from nonosat.solvers.solver import Solver
from nonosat.solvers.stepping import EVERY_S
from nonosat.solvers.watched import Pace, glimpse

_AT_ONCE = 20_000_000  # words of placements looked at in one call


@dataclass
class Assumption:
    """A line of which one placement after the other is assumed, and the board to go back to for the next one."""

    line: int
    number: int
    left: Ints
    possible: Words
    tried: int = 0


def search(puzzle: Nonogram, encoding: object, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Find at most ``at_most`` pictures of ``puzzle`` (None: all). No encoding plays a part."""
    yield Progress("solving")
    begin = perf_counter()
    placements = Placements(puzzle, "row", "column")
    numbers = 4 * (sum(placements.count) + max(placements.count))
    if (stopped := placements.refusal(solver.chosen.get("limit"), numbers)) is not None:
        yield stopped
        return
    yield from Search(placements, solver.chosen, begin).solutions(at_most)


class Search:
    """One search and its state."""

    def __init__(self, placements: Placements, switches: Container[str], begin: float) -> None:
        self.shape, self.switches = placements.puzzle.shape, switches
        order = FIFO if "fifo" in switches else UNCHANGED if "unchanged" in switches else LIFO
        self.rule = Rule(order, "tracking" in switches, "nobreak" in switches)
        self.lists = placements.listed()
        self.queue = full_queue(order, *placements.lines.possible.shape[::2])
        count = self.lists.total
        numbers = np.arange(count.max(), dtype=np.int32)
        self.board = Board(
            self.shape[0],
            count.copy(),
            np.cumsum(count) - count,
            np.concatenate([numbers[:left] for left in count.tolist()]),
            placements.lines.possible.copy(),
            np.zeros(placements.lines.possible.shape[1:], dtype=np.uint64),
        )
        self.checked, self.assumptions, self.contradictions = 0, 0, 0
        self.begin = self.told = begin

    def solutions(self, at_most: int | None) -> Iterator[Event]:
        """The pictures, depth-first over the assumptions, and the end."""
        assumed: list[Assumption] = []
        found, pace = 0, Pace(_AT_ONCE)
        line = -1  # the one that was assumed
        while True:
            state = BUSY
            while state == BUSY:
                state, checked = empty(self.lists, self.board, self.queue, self.rule, line, pace())
                self.checked += checked
                line = -1
                yield from glimpse(lambda: self.seen(len(assumed)))
                if perf_counter() - self.told > EVERY_S:
                    self.told = perf_counter()
                    yield Progress("solving", self.statistics())
            if state == DEAD:
                self.contradictions += 1
            elif state == OPEN:
                assumed.append(self.assumption())
            else:
                found += 1
                yield Found(self.picture())
            while assumed and assumed[-1].tried == assumed[-1].number:
                assumed.pop()
            if not assumed or found == at_most:
                yield Finished(not assumed, self.statistics())
                return
            line = self.assume(assumed[-1])

    def assumption(self) -> Assumption:
        """The line whose placements will be assumed, in the order in which they were listed."""
        line = self.open_line()
        left, first = int(self.board.left[line]), int(self.board.first[line])
        self.board.order[first : first + left].sort()
        return Assumption(line, left, self.board.left.copy(), self.board.possible.copy())

    def open_line(self) -> int:
        """The first line of several placements, or that of the fewest or most of them; ties go to the first."""
        left, height = self.board.left, self.board.height
        if "columns" in self.switches:
            left = np.concatenate([left[height:], left[:height]])
        if "min" in self.switches:
            line = int(np.where(left > 1, left, np.iinfo(np.int64).max).argmin())
        else:
            line = int((left if "max" in self.switches else left > 1).argmax())
        return (line + height) % len(left) if "columns" in self.switches else line

    def assume(self, assumption: Assumption) -> int:
        """Go back to where ``assumption`` was made, and leave its line the next placement only."""
        board, line = self.board, assumption.line
        board.left[:], board.possible[:] = assumption.left, assumption.possible
        first = int(board.first[line])
        chosen = first + assumption.tried
        board.order[first], board.order[chosen] = board.order[chosen], board.order[first]
        board.left[line] = 1
        assumption.tried += 1
        self.assumptions += 1
        return line

    def seen(self, assumed: int) -> Glimpse:
        """The board as far as one value is possible, under so many assumptions."""
        height, width = self.shape
        masks = self.board.possible[:height].astype("<u8").view(np.uint8)
        possible = np.unpackbits(masks, axis=2, bitorder="little")[:, :, :width]
        cells = np.where(possible.sum(axis=1) == 1, possible.argmax(axis=1), -1)
        return Glimpse("dropping placements", self.statistics(), cells, guesses=assumed)

    def picture(self) -> Ints:
        """The values of the cells of a complete board: one is possible for each."""
        height, width = self.shape
        masks = self.board.possible[:height].astype("<u8").view(np.uint8)
        cells: Ints = np.unpackbits(masks, axis=2, bitorder="little")[:, :, :width].argmax(axis=1)
        return cells

    def statistics(self) -> Statistics:
        """What the search has cost so far."""
        return Statistics(
            solve_s=perf_counter() - self.begin,
            placements=len(self.board.order),
            lines_checked=self.checked,
            assumptions=self.assumptions,
            nodes=1 + self.assumptions,
            contradictions=self.contradictions,
        )


ready(__name__)
