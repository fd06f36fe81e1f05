"""Heights tried: each is followed through all lines, solved one after the other, to a contradiction or not.

Importing this loads compiled code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled, ready
from nonosat.compiled.words import Ints, Words
from nonosat.explanations.skyscrapers.line import heights_of, mask_of
from nonosat.explanations.skyscrapers.rules import ENDS, HeightTrial, LineRules, RefutingConstraints, without_implied
from nonosat.explanations.smallest import Budget, minimal, minimum
from nonosat.explanations.steps import ConstraintRef, Fact
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.solvers.published.majdandzic import Walk, first_cell, used_by_some, walk_of

# Phase 4 by some clues and lines only: which of them does it take to refute a height? Compiled; for explanations.


Flags = npt.NDArray[np.uint8]

BOUND = 100_000
"""Steps of a walk along a line, at most; the line then says nothing."""


class Allowed(NamedTuple):
    """What may be used. Lines are the rows, then the columns: each array has shape (2N,)."""

    lines: Flags
    """1 where heights differ, and so are 1 to N. A line without that says nothing."""
    front: Ints
    """The clues at the beginnings; 0: none."""
    back: Ints
    """Those at the ends."""


@compiled
def refutes(board: Words, allowed: Allowed, walk: Walk, waiting: Flags, met: Flags, cell: int, height: int) -> bool:
    """Is ``height`` (from 1) refuted in a cell (row by row) of ``board``, which is overwritten, by settling lines?

    ``waiting``: 1 for the lines that have something to say even without the assumption. ``met``: becomes 1 for those
    that took candidates away.
    """
    size = len(walk.cells)
    board[cell] &= np.uint64(1) << np.uint64(height - 1)
    waiting[cell // size], waiting[size + cell % size] = 1, 1
    left, line = 2 * size, cell // size
    while left > 0:
        if waiting[line] == 0 or allowed.lines[line] == 0:
            left -= 1
        else:
            waiting[line] = 0
            left = 2 * size
            if not solve_line(board, allowed, walk, waiting, met, line):
                return True
        line = (line + 1) % (2 * size)
    return False


@compiled
def solve_line(board: Words, allowed: Allowed, walk: Walk, waiting: Flags, met: Flags, line: int) -> bool:
    """Take from a line the candidates that no order of its towers uses; False: there is no order."""
    size = len(walk.cells)
    front, back = allowed.front[line], allowed.back[line]
    first, step = first_cell(line, False, size)
    if back > front:  # more beginnings are given up early
        front, back = back, front
        first, step = first_cell(line, True, size)
    for i in range(size):
        walk.cells[i] = board[first + i * step]
    if not used_by_some(walk, front, back, BOUND):
        return True
    for i in range(size):
        at = first + i * step
        if walk.missing[i]:
            met[line] = 1
            board[at] &= ~walk.missing[i]
            waiting[size + at % size if line < size else at // size] = 1
            if board[at] == 0:
                return False
    return True


class Trials:
    """Of the position that ``facts`` describe, in which ``masks`` are what techniques leave to cells."""

    def __init__(self, puzzle: Skyscrapers, facts: Sequence[Fact], masks: Sequence[Sequence[int]]) -> None:
        self.size, self.facts, self.masks = puzzle.size, facts, masks
        rules = LineRules(puzzle)
        numbers = range(2 * self.size)
        self.lines = [rules.constraint(number) for number in numbers]
        self.clues = [end for number in numbers for end in rules.ends(number)]
        self.clue_of = {end: getattr(puzzle, end.family)[end.place] for end in self.clues}
        self.number = {each: rules.number(each) for each in (*self.lines, *self.clues)}
        self.walk = walk_of(self.size)
        self.waiting, self.met = np.zeros((2, 2 * self.size), dtype=np.uint8)

    def refuted(self) -> list[HeightTrial]:
        """What all lines refute, little work first."""
        allowed, found = self._allowed((*self.lines, *self.clues)), []
        board = np.array(self.masks, dtype=np.uint64).reshape(-1)
        for cell, mask in enumerate(board.tolist()):
            for height in heights_of(mask) if mask & (mask - 1) else ():
                self.waiting[:], self.met[:] = 0, 0
                if refutes(board.copy(), allowed, self.walk, self.waiting, self.met, cell, height):
                    met = frozenset(map(int, np.flatnonzero(self.met)))
                    found.append(HeightTrial(*divmod(cell, self.size), height, met))
        return sorted(found, key=lambda trial: (len(trial.met), trial[:3]))

    def few(self, trial: HeightTrial) -> RefutingConstraints:
        """Few constraints, and then few facts, that refute it: those of lines that gave something are left out last."""
        board = self._board(self.facts)
        elements = sorted((*self.clues, *self.lines), key=lambda each: self.number[each] in trial.met)
        elements.sort(key=lambda each: each.family in ENDS)
        return self._with(trial, minimal(elements, lambda some: self._refutes(trial, some, board)))

    def fewest(self, refuted: RefutingConstraints, most: int, budget: Budget) -> RefutingConstraints | None:
        """Fewest constraints that refute the same, if these are ``most`` at most; None also if that is not known."""
        board, every = self._board(self.facts), (*self.clues, *self.lines)
        found = minimum(every, lambda some: self._refutes(refuted.trial, some, board), most, budget)
        return None if found is None else self._with(refuted.trial, found)

    def _with(self, trial: HeightTrial, constraints: Collection[ConstraintRef]) -> RefutingConstraints:
        chosen = without_implied(constraints)
        facts = minimal(self.facts, lambda some: self._refutes(trial, chosen, self._board(some)))
        return RefutingConstraints(trial, chosen, tuple(facts))

    def _refutes(self, trial: HeightTrial, constraints: Collection[ConstraintRef], board: Words) -> bool:
        cell = trial.row * self.size + trial.column
        self.waiting[:] = 1
        allowed = self._allowed(constraints)
        return refutes(board.copy(), allowed, self.walk, self.waiting, self.met, cell, trial.height)

    def _allowed(self, constraints: Collection[ConstraintRef]) -> Allowed:
        """A clue speaks of a line with every height once."""
        count = 2 * self.size
        allowed = Allowed(np.zeros(count, dtype=np.uint8), *np.zeros((2, count), dtype=np.int64))
        for each in constraints:
            number = self.number[each]
            allowed.lines[number] = 1
            if each.family in ("left", "top"):
                allowed.front[number] = self.clue_of[each]
            elif each.family in ("right", "bottom"):
                allowed.back[number] = self.clue_of[each]
        return allowed

    def _board(self, facts: Iterable[Fact]) -> Words:
        board = np.full((self.size, self.size), (1 << self.size) - 1, dtype=np.uint64)
        for row, column, values in facts:
            board[row, column] &= np.uint64(mask_of(values))
        return board.reshape(-1)


ready(__name__)
