"""Heights tried: each is followed through all lines, settled one after the other, to a contradiction or not.

Importing this loads compiled code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.solvers.arrays import Words
from nonosat.solvers.explain.skyscrapers.line import heights_of, mask_of
from nonosat.solvers.explain.skyscrapers.refuted import Refuted, Trial
from nonosat.solvers.explain.skyscrapers.rules import ENDS, Rules, lean
from nonosat.solvers.explain.smallest import Budget, minimal, minimum
from nonosat.solvers.explain.steps import Constraint, Fact
from nonosat.solvers.phases.permutations import walk_of
from nonosat.solvers.phases.restricted import Allowed, refutes


class Trials:
    """Of the position that ``facts`` describe, in which ``masks`` are what techniques leave to cells."""

    def __init__(self, puzzle: Skyscrapers, facts: Sequence[Fact], masks: Sequence[Sequence[int]]) -> None:
        self.size, self.facts, self.masks = puzzle.size, facts, masks
        rules = Rules(puzzle)
        numbers = range(2 * self.size)
        self.lines = [rules.constraint(number) for number in numbers]
        self.clues = [end for number in numbers for end in rules.ends(number)]
        self.told = {end: getattr(puzzle, end.family)[end.place] for end in self.clues}
        self.number = {each: rules.number(each) for each in (*self.lines, *self.clues)}
        self.walk = walk_of(self.size)
        self.waiting, self.met = np.zeros((2, 2 * self.size), dtype=np.uint8)

    def refuted(self) -> list[Trial]:
        """What all lines refute, little work first."""
        allowed, found = self._allowed((*self.lines, *self.clues)), []
        board = np.array(self.masks, dtype=np.uint64).reshape(-1)
        for cell, mask in enumerate(board.tolist()):
            for height in heights_of(mask) if mask & (mask - 1) else ():
                self.waiting[:], self.met[:] = 0, 0
                if refutes(board.copy(), allowed, self.walk, self.waiting, self.met, cell, height):
                    met = frozenset(map(int, np.flatnonzero(self.met)))
                    found.append(Trial(*divmod(cell, self.size), height, met))
        return sorted(found, key=lambda trial: (len(trial.met), trial[:3]))

    def few(self, trial: Trial) -> Refuted:
        """Few constraints, and then few facts, that refute it: those of lines that said something are left out last."""
        board = self._board(self.facts)
        elements = sorted((*self.clues, *self.lines), key=lambda each: self.number[each] in trial.met)
        elements.sort(key=lambda each: each.family in ENDS)
        return self._with(trial, minimal(elements, lambda some: self._refutes(trial, some, board)))

    def fewest(self, refuted: Refuted, most: int, budget: Budget) -> Refuted | None:
        """Fewest constraints that refute the same, if these are ``most`` at most; None also if that is not known."""
        board, every = self._board(self.facts), (*self.clues, *self.lines)
        found = minimum(every, lambda some: self._refutes(refuted.trial, some, board), most, budget)
        return None if found is None else self._with(refuted.trial, found)

    def _with(self, trial: Trial, constraints: Collection[Constraint]) -> Refuted:
        chosen = lean(constraints)
        facts = minimal(self.facts, lambda some: self._refutes(trial, chosen, self._board(some)))
        return Refuted(trial, chosen, tuple(facts))

    def _refutes(self, trial: Trial, constraints: Collection[Constraint], board: Words) -> bool:
        cell = trial.row * self.size + trial.column
        self.waiting[:] = 1
        allowed = self._allowed(constraints)
        return refutes(board.copy(), allowed, self.walk, self.waiting, self.met, cell, trial.height)

    def _allowed(self, constraints: Collection[Constraint]) -> Allowed:
        """A clue speaks of a line with every height once."""
        count = 2 * self.size
        allowed = Allowed(np.zeros(count, dtype=np.uint8), *np.zeros((2, count), dtype=np.int64))
        for each in constraints:
            number = self.number[each]
            allowed.lines[number] = 1
            if each.family in ("left", "top"):
                allowed.front[number] = self.told[each]
            elif each.family in ("right", "bottom"):
                allowed.back[number] = self.told[each]
        return allowed

    def _board(self, facts: Iterable[Fact]) -> Words:
        board = np.full((self.size, self.size), (1 << self.size) - 1, dtype=np.uint64)
        for row, column, values in facts:
            board[row, column] &= np.uint64(mask_of(values))
        return board.reshape(-1)
