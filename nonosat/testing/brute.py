"""Brute force for a puzzle of any kind: every board, held against the kind's own check."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from nonosat.errors import PuzzleError, UnsupportedError
from nonosat.puzzles.check import is_solution
from nonosat.puzzles.puzzle import Board, Puzzle, given_board

MOST = 300_000
"""Boards that are tried at most: ten seconds or so."""


def values_of(puzzle: Puzzle) -> list[int]:
    """The values that cells can have, as far as ``puzzle.picture`` says."""
    found = []
    for value in range(256):
        try:
            puzzle.picture(np.full(puzzle.shape, value))
        except PuzzleError:
            continue
        found.append(value)
    return found


def solutions(puzzle: Puzzle) -> frozenset[Board]:
    """All solutions of a small ``puzzle``. UnsupportedError: it has too many boards (``MOST``).

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> len(solutions(Nonogram.from_lengths([[1], [1]], [[1], [1]])))
    2
    """
    hashable: Any = puzzle
    return _solutions(hashable)


def forget() -> None:
    """Begin anew: a kind's check may be another one now."""
    _solutions.cache_clear()


@lru_cache(maxsize=1000)  # all checks ask
def _solutions(puzzle: Any) -> frozenset[Board]:
    values, start = values_of(puzzle), np.array(given_board(puzzle, still_open=-1))
    where = np.argwhere(start < 0)
    if (count := len(values) ** len(where)) > MOST:
        told = f"{len(where)} open cells of {len(values)} values"
        raise UnsupportedError(f"{told} are {count:,} boards, too many to try: test with a puzzle that has fewer")
    found = set()
    for chosen in product(values, repeat=len(where)):
        start[where[:, 0], where[:, 1]] = chosen
        try:
            board = puzzle.picture(start)
        except PuzzleError:  # given cells that no board can have
            continue
        if is_solution(puzzle, board):
            found.add(board)
    return frozenset(found)
