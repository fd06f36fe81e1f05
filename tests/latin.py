"""Latin squares by brute force, and which of them go with clues: what skyscrapers are tested against."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations

import numpy as np

from nonosat.puzzles.skyscrapers import Skyscrapers

Square = tuple[tuple[int, ...], ...]


@cache
def squares(size: int) -> tuple[Square, ...]:
    """Every Latin square of ``size``: 576 of 4x4."""
    rows = list(permutations(range(1, size + 1)))

    def grown(above: Square) -> Iterator[Square]:
        if len(above) == size:
            yield above
            return
        for row in rows:
            if all(row[i] != other[i] for other in above for i in range(size)):
                yield from grown((*above, row))

    return tuple(grown(()))


@cache
def clues_of(square: Square) -> tuple[int, ...]:
    """All clues of a square: counted here, by definition, and not by the code under test."""
    lines = [list(column) for column in zip(*square, strict=True)]
    views = lines, [line[::-1] for line in lines], [list(row) for row in square], [list(row[::-1]) for row in square]
    return tuple(sum(all(h > g for g in line[:i]) for i, h in enumerate(line)) for edge in views for line in edge)


def solutions(clues: Sequence[int], given: Sequence[tuple[int, int, int]] = ()) -> set[bytes]:
    """Every square that goes with ``clues`` (0: none) and the given heights, as the bytes of its cells."""
    size = len(clues) // 4
    return {
        np.array(square, dtype=np.uint8).tobytes()
        for square in squares(size)
        if all(clue in (0, own) for clue, own in zip(clues, clues_of(square), strict=True))
        and all(square[row][column] == height for row, column, height in given)
    }


def at_most_two(puzzle: Skyscrapers) -> int:
    """How many solutions a puzzle has, two at most: row by row, with boards that are larger than ``squares`` lists."""
    size = puzzle.size
    given = {(row, column): height for row, column, height in puzzle.given}
    rows = list(permutations(range(1, size + 1)))
    found = 0

    def seen(line: Sequence[int]) -> int:
        return sum(all(h > g for g in line[:i]) for i, h in enumerate(line))

    fitting = [
        [
            row
            for row in rows
            if puzzle.left[at] in (0, seen(row))
            and puzzle.right[at] in (0, seen(row[::-1]))
            and all(given.get((at, column), height) == height for column, height in enumerate(row))
        ]
        for at in range(size)
    ]

    def grow(above: Square) -> None:
        nonlocal found
        if found > 1:
            return
        if len(above) == size:
            columns = list(zip(*above, strict=True))
            tops = all(clue in (0, seen(line)) for clue, line in zip(puzzle.top, columns, strict=True))
            found += tops and all(
                clue in (0, seen(line[::-1])) for clue, line in zip(puzzle.bottom, columns, strict=True)
            )
            return
        for row in fitting[len(above)]:
            if all(row[i] != other[i] for other in above for i in range(size)):
                grow((*above, row))

    grow(())
    return found


def full_clue_sets(size: int = 4) -> list[tuple[int, ...]]:
    """The clues of every Latin square, each set once."""
    return sorted({clues_of(square) for square in squares(size)})


def subsets(count: int, seed: int, size: int = 4) -> Iterator[Skyscrapers]:
    """Random puzzles that have a solution: some clues of a random square, and perhaps some of its heights."""
    chance = random.Random(seed)
    for _ in range(count):
        square = chance.choice(squares(size))
        share = chance.choice((0.2, 0.4, 0.6, 0.8, 1.0))
        clues = [clue if chance.random() < share else 0 for clue in clues_of(square)]
        given = [
            (row, column, square[row][column])
            for row in range(size)
            for column in range(size)
            if chance.random() < chance.choice((0.0, 0.1))
        ]
        yield Skyscrapers.from_clues(clues, given)


@cache
def ambiguous(number: int, seed: int = 0, most: int = 50) -> list[tuple[Skyscrapers, set[bytes]]]:
    """Puzzles of 4x4 with 2 to ``most`` solutions, and these: by turns without given heights and with some."""
    found: list[tuple[Skyscrapers, set[bytes]]] = []
    for puzzle in subsets(100_000, seed):
        if len(found) == number:
            break
        right = solutions(puzzle.clues, puzzle.given)
        if bool(puzzle.given) == (len(found) % 2 == 1) and 2 <= len(right) <= most:
            found.append((puzzle, right))
    return found
