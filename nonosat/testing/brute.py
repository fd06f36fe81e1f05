"""Brute force for a puzzle of any kind: every board, held against the kind's own check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache
from itertools import product
from math import prod
from typing import Any

import numpy as np

from nonosat.errors import PuzzleError, UnsupportedError
from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Nonogram, Picture
from nonosat.puzzles.nonogram.puzzle import palette_of
from nonosat.puzzles.puzzle import (
    Board,
    Given,
    Puzzle,
    PuzzleKind,
    declared_domains,
    given_board,
    is_solution,
    puzzle_kind,
)
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.rng import Rng

# Small puzzles of our own kinds, for parts that go with any puzzle: few enough cells for brute force.


@cache
def nonograms() -> tuple[Nonogram, ...]:
    """Boards of all densities, black and white and in two colours, with given cells, and some without a solution.

    A wrong rule about several runs is seen only where lines have three.
    """
    found: list[Nonogram] = []
    for seed, (height, width) in enumerate(((1, 1), (1, 6), (6, 1), (2, 5), (3, 4), (4, 3), (3, 3), (4, 3), (3, 4))):
        found.append(random_density(height, width, (0.2, 0.5, 0.8)[seed % 3], seed))
    found += [random_density(4, 4, 0.5, seed) for seed in (1, 2)]  # where rules that say too little are seen
    found += [random_density(3, 3, (0.3, 0.3), seed) for seed in range(3)]
    # Lines of three runs and of four, where rules about any two of them differ from those about neighbours.
    found.append(Nonogram.from_lengths([[1, 1, 1], [1, 1, 1]], [*[[1]] * 6, []]))
    found.append(Nonogram.from_lengths([[1, 1, 1, 1], [1, 1, 1]], [[1]] * 7))
    found.append(
        Nonogram.from_picture(Picture(np.array([[1, 2, 1, 0, 1], [2, 0, 2, 1, 2]], dtype=np.uint8), palette_of(2)))
    )
    turned = found[4]
    found.append(replace(turned, rows=turned.rows[1:] + turned.rows[:1], goal=None))
    for seed in (5, 6):
        board = random_density(3, 4, 0.5, seed)
        assert board.goal is not None
        row, column = Rng(seed).below(3), Rng(seed).below(4)
        value = int(board.goal.cells[row, column])
        found.append(replace(board, given=(Given(row, column, value),)))
        found.append(replace(board, given=(Given(row, column, 1 - value),), goal=None))
    return tuple(found)


@cache
def skyscrapers() -> tuple[Skyscrapers, ...]:
    """Boards of 1x1 to 3x3 with all clues, some, none, and clues that contradict each other."""
    small = Skyscrapers.from_heights([[1]])
    two = Skyscrapers.from_clues([0, 0, 2, 0, 0, 0, 0, 0])
    three = Skyscrapers.from_heights([[2, 1, 3], [3, 2, 1], [1, 3, 2]])
    some = replace(three, top=(2, 0, 0), bottom=(0, 0, 0), left=(0, 0, 0), goal=None)
    against = replace(three, left=three.left[1:] + three.left[:1], goal=None)
    given = Skyscrapers.from_clues([0] * 12, [(0, 0, 3), (1, 1, 3)])
    return small, two, three, some, against, given


SAMPLES: dict[str, Callable[[], tuple[Puzzle, ...]]] = {"nonogram": nonograms, "skyscrapers": skyscrapers}


def samples(kind: str) -> tuple[Puzzle, ...]:
    """Those of a kind; none of a kind that is not ours."""
    return SAMPLES[kind]() if kind in SAMPLES else ()


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


def domains_of(puzzle: Puzzle) -> list[list[list[int]]]:
    """The values that each cell can have, as ``puzzle.domains()`` says, if it has that; else the same for all."""
    if (declared := declared_domains(puzzle)) is not None:
        return declared
    values, (height, width) = values_of(puzzle), puzzle.shape
    return [[values] * width] * height


def solutions(puzzle: Puzzle) -> frozenset[Board]:
    """All solutions of a small ``puzzle``. UnsupportedError: it has too many boards (``MOST``).

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> len(solutions(Nonogram.from_lengths([[1], [1]], [[1], [1]])))
    2
    """
    hashable: Any = puzzle
    return _solutions(hashable, puzzle_kind(puzzle))


@lru_cache(maxsize=1000)  # all checks need them; a kind that was changed is another key
def _solutions(puzzle: Any, kind: PuzzleKind) -> frozenset[Board]:
    cells, domains = given_board(puzzle, still_open=-1), domains_of(puzzle)
    where = [(row, column) for row, values in enumerate(cells) for column, value in enumerate(values) if value < 0]
    each = [domains[row][column] for row, column in where]
    if (count := prod(map(len, each))) > MOST:
        sizes = sorted(set(map(len, each)))
        about = f"{len(where)} open cells of {'up to ' * (len(sizes) > 1)}{sizes[-1]} values"
        raise UnsupportedError(f"{about} are {count:,} boards, too many to try: test with a puzzle that has fewer")
    found = set()
    for chosen in product(*each):
        for (row, column), value in zip(where, chosen, strict=True):
            cells[row][column] = value
        try:
            board = puzzle.picture(cells)  # of lists: for a small board half of the time that an array takes
        except PuzzleError:  # given cells that no board can have
            continue
        if is_solution(puzzle, board):
            found.add(board)
    return frozenset(found)
