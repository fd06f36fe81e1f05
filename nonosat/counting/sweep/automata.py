"""A line as an automaton that reads its cells: the states between cells from which it can be read to its end.

A clue is a word: its runs, cell by cell, and a blank between runs of one colour. The state is how many of the word's
letters are read. Where no run is under way (and no blank is due), further blanks may be read.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.puzzles.nonogram.puzzle import Clue
from nonosat.solvers.arrays import Ints

DEAD = -1


class Reader(NamedTuple):
    """``letters``: the clue's word. ``due``: of each letter, whether it is a blank that must follow a run.

    ``states[i]``: the states before cell i (the last: behind the last cell) that are reached, and can go on to the
    end; they are known by their places in this list. ``step[i][value, state]``: the next state's place, or DEAD.
    """

    letters: tuple[int, ...]
    due: tuple[bool, ...]
    states: list[list[int]]
    step: list[Ints]


def word_of(clue: Clue) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    """The letters of a clue, and which of them are blanks that are due."""
    letters: list[int] = []
    due: list[bool] = []
    before = 0
    for length, colour in clue:
        if colour == before:
            letters.append(0)
            due.append(True)
        letters += [colour] * length
        due += [False] * length
        before = colour
    return tuple(letters), tuple(due)


def rests(letters: tuple[int, ...], due: tuple[bool, ...], state: int) -> bool:
    """May further blanks be read in ``state``: is no run under way, and no blank due?"""
    if state in (0, len(letters)) or due[state - 1]:
        return True
    return letters[state] != 0 and letters[state] != letters[state - 1]


def next_of(letters: tuple[int, ...], due: tuple[bool, ...], state: int, value: int) -> int:
    """The state after one cell more, or DEAD."""
    if value == 0 and rests(letters, due, state):
        return state
    return state + 1 if state < len(letters) and letters[state] == value else DEAD


def reader_of(clue: Clue, may: npt.NDArray[np.bool_]) -> Reader:
    """The automaton of a line whose cells ``may`` have values, shape (cells, values). Without a filling: no states."""
    (letters, due), (cells, values) = word_of(clue), may.shape
    after = [[next_of(letters, due, state, v) for v in range(values)] for state in range(len(letters) + 1)]
    ahead: list[set[int]] = [{0}]
    for i in range(cells):
        ahead.append({after[state][v] for state in ahead[i] for v in np.flatnonzero(may[i])} - {DEAD})
    live: list[set[int]] = [set() for _ in range(cells)] + [ahead[cells] & {len(letters)}]
    for i in range(cells - 1, -1, -1):
        live[i] = {state for state in ahead[i] if any(after[state][v] in live[i + 1] for v in np.flatnonzero(may[i]))}
    states = [sorted(found) for found in live]
    place = [{state: k for k, state in enumerate(found)} for found in states]
    step = []
    for i in range(cells):
        table = np.full((values, max(1, len(states[i]))), DEAD, dtype=np.int64)
        for k, state in enumerate(states[i]):
            for v in np.flatnonzero(may[i]).tolist():
                table[v, k] = place[i + 1].get(after[state][v], DEAD)
        step.append(table)
    return Reader(letters, due, states, step)
