"""Skyscrapers in five phases (Majdandžić 2022): what the clues say at once, permutations of lines, and guesses.

Every cell has its candidates, the heights that it may still have. From each end of each line with a clue X:

1. X = 1: the first cell has N.
2. X = N: the cells have 1, 2, ..., N.
3. The cell at distance i < X - 1 loses the X - 1 - i highest heights.
4. A candidate goes if no permutation of its line has it that the other candidates allow and both clues see.
5. The first cell with several candidates is guessed: each is put down on a copy of the board, the lowest first, and the
   copies are solved one after the other.

A cell with one candidate takes it from its row and column (propagation), after every step. ``no1`` to ``no4`` switch a
phase off; ``min`` guesses in the first of the cells with the fewest candidates. Rows go before columns.

Phase 2 is a part of phase 3 and propagation: the cells lose all but 1, all but 1 and 2, and so on. And all of 1 to 3
is a part of phase 4, since each looks at one line and one clue: with it, they spare walks along lines and no board.

Phase 4 walks along every line whose cells have changed, until none has (``permutations``). A walk of more than
``BOUND`` steps is given up: that line keeps its candidates for this time, which is right but weaker, and
``Finished.reason`` says how many were. Up to 9x9 hardly any is; from 16x16 on, boards with many open cells are out of
reach. A board that gets full by guesses is right for all that: see what is "alive".

Where the thesis is silent or wrong:

- Which boards are "alive": here those whose cells all have candidates, and whose full lines all go with their clues.
  So random 6x6 puzzles with all clues take 22,608 boards with the phases 1 and 2 (the median of 60; the thesis: 21,733
  on one such puzzle). With a look at full boards only it would be some 200 times as many.
- ``assign`` (fig. 5.5) passes over a cell that has its height already, so that clues which want two heights in one
  cell go unnoticed, and it propagates a height that is no candidate. Here such a board is dead.
- At the end of ``run`` (fig. 5.1) stands ``resolveRemainingUniques``, of which nothing is said; by its name, it finds
  heights that have one cell left in a line. Phase 4 finds them too; without it they are not looked for here.
- Whether phase 4 comes back to a line. By fig. 5.1 it is called once a board; here it goes on to the end.
- Boards are solved in threads, side by side, so that their number is another one each time, and with the phases 1 and 2
  it was higher than with phase 1. Here it is the same each time, and no phase adds boards (but ``min`` may).
- Of the heights that phase 3 takes the text says "the X-1-i-th" and "down to 0"; the code (fig. 5.4) is right.
- It stops at the first solution, since puzzles have but one. Given heights are not known.

Counters: ``nodes``: boards, the first one and all copies (the thesis' "created"); ``assumptions``: the copies;
``contradictions``: boards that are dead; ``lines_checked``: walks along a line in phase 4.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from time import perf_counter

import numpy as np

from nonosat.errors import UnsupportedError
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.solvers.answer import Event, Finished, Glimpse, Progress, Statistics
from nonosat.solvers.arrays import Ints
from nonosat.solvers.compiled import ready
from nonosat.solvers.phases.boards import DEPTH, GIVEN_UP, NODES, Clues, Rules, first_board, tree_of
from nonosat.solvers.phases.guesses import go_on
from nonosat.solvers.phases.permutations import MOST, walk_of
from nonosat.solvers.solver import Solver
from nonosat.solvers.stepping import BUSY, EXHAUSTED, FOUND, driven
from nonosat.solvers.watched import Pace, glimpse

BOUND = 100_000
"""Steps of one walk along a line; then it is given up."""
_AT_ONCE = 2_000_000  # steps, and cells of boards, looked at in one call


class Climb:
    """A search for all boards of a puzzle that can be gone on with: its clues, its arrays, and what it has cost."""

    def __init__(self, puzzle: Skyscrapers, rules: Rules) -> None:
        self.began = perf_counter()
        self.size, self.rules, self.bound = puzzle.size, rules, BOUND
        self.clues = Clues(np.array(puzzle.left + puzzle.top), np.array(puzzle.right + puzzle.bottom))
        self.tree, self.walk = tree_of(self.size), walk_of(self.size)
        first_board(self.clues, rules, self.tree, np.array(puzzle.given, dtype=np.int64).reshape(-1, 3))

    def go_on(self, at_once: int = _AT_ONCE) -> int:
        """See the function."""
        return go_on(self.clues, self.rules, self.tree, self.walk, self.bound, at_once)

    def heights(self) -> Ints:
        """The heights of the board in hand, shape (N, N): one candidate is left for each cell."""
        masks = self.tree.boards[self.tree.counters[DEPTH]].tolist()
        return np.array([mask.bit_length() for mask in masks], dtype=np.int64).reshape(self.size, self.size)

    def seen(self) -> Glimpse:
        """The board in hand: the heights of cells with one candidate."""
        depth = int(self.tree.counters[DEPTH])
        masks = self.tree.boards[depth].tolist()
        heights = [mask.bit_length() if mask.bit_count() == 1 else -1 for mask in masks]
        cells = np.array(heights, dtype=np.int16).reshape(self.size, self.size)
        return Glimpse("permutations" if depth == 0 else "guessing", self.statistics(), cells, guesses=depth)

    @property
    def given_up(self) -> int:
        """Walks along a line that were."""
        return int(self.tree.counters[GIVEN_UP])

    def statistics(self) -> Statistics:
        """What it has cost so far."""
        nodes, contradictions, walks = self.tree.counters[NODES:GIVEN_UP].tolist()
        return Statistics(
            solve_s=perf_counter() - self.began,
            lines_checked=walks,
            assumptions=nodes - 1,
            nodes=nodes,
            contradictions=contradictions,
        )


def search(puzzle: Skyscrapers, encoding: object, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Find at most ``at_most`` boards of ``puzzle`` (None: all). No encoding plays a part."""
    if puzzle.size > MOST:
        raise UnsupportedError(f"a board of {puzzle.size}x{puzzle.size}; phases solves those of up to {MOST}x{MOST}")
    yield Progress("solving")
    on = solver.chosen
    rules = Rules("no1" not in on, "no2" not in on, "no3" not in on, "no4" not in on, fewest="min" in on)
    climb = Climb(puzzle, rules)
    for event in driven(climb.go_on, _AT_ONCE, climb.heights, climb.statistics, climb.seen, at_most):
        if isinstance(event, Finished) and climb.given_up:
            walks = event.statistics.lines_checked
            told = f"{climb.given_up:,} of {walks:,} walks along a line were given up after {climb.bound:,} steps"
            event = replace(event, reason=told)
        yield event


def limited(
    puzzle: Skyscrapers, at_most: int | None, most: int
) -> Generator[Event, None, tuple[list[Ints] | None, bool, Statistics]]:
    """Give (boards, whether there are no others, its cost) with all phases; no boards: more than ``most`` were created.

    For a solver that has others to fall back on; walks that are given up count as if it had failed, too.
    """
    climb = Climb(puzzle, Rules(first=True, second=True, third=True, fourth=True, fewest=True))
    found: list[Ints] = []
    said, pace = BUSY, Pace(_AT_ONCE // 10)
    while said != EXHAUSTED and (at_most is None or len(found) < at_most):
        said = climb.go_on(pace())
        yield from glimpse(climb.seen)
        if said == FOUND:
            found.append(climb.heights())
        if climb.tree.counters[NODES] > most or climb.given_up:
            return None, False, climb.statistics()
    return found, said == EXHAUSTED, climb.statistics()


ready(__name__)
