"""What the compiled functions know of some lines: their clues, and what their cells may be."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.puzzles.nonogram import Clue, Nonogram, Run
from nonosat.solvers.arrays import Ints, WordCube

_END = Run(0, 0)


class Lines(NamedTuple):
    """What the compiled functions know of some lines: clues, one after the other, and what the cells may be.

    Behind the runs of every line stands one more, of length 0 and colour 0, at ``earliest`` = the cells that the clue
    needs. ``moves`` is a table of (runs + 1) x (free + 1) for every line.
    """

    length: Ints
    """Cells of line i."""
    run: Ints
    """The runs of line i are ``run[i]`` .. ``run[i + 1] - 2``."""
    lengths: Ints
    colours: Ints
    earliest: Ints
    plane: Ints
    """Which of its line's masks a run is in."""
    free: Ints
    table: Ints
    """The table of line i is ``table[i]`` .. ``table[i + 1] - 1``."""
    possible: WordCube
    """Shape (lines, values, words): the cells that may have a value (0 is blank); the given ones may have one only."""


def lines_of(puzzle: Nonogram, *axes: str) -> Lines:
    """The lines of ``axes`` ("row", "column"), one axis after the other."""
    clues = [clue for axis in axes for clue in clues_of(puzzle, axis)]
    length = np.repeat(
        [len(clues_of(puzzle, _crossing(axis))) for axis in axes], [len(clues_of(puzzle, a)) for a in axes]
    )
    run = offsets([len(clue) + 1 for clue in clues])
    lengths = np.array([n for clue in clues for n, _ in (*clue, _END)], dtype=np.int64)
    colours = np.array([c for clue in clues for _, c in (*clue, _END)], dtype=np.int64)
    step = np.zeros_like(lengths)  # from the run before
    step[1:] = lengths[:-1] + (colours[1:] == colours[:-1])
    step[run[:-1]] = 0
    earliest = step.cumsum()
    earliest -= earliest[run[:-1]].repeat(np.diff(run))
    free = length - earliest[run[1:] - 1]
    plane = np.zeros_like(lengths)
    if puzzle.colours > 1:
        shown = [sorted({colour for _, colour in clue}) for clue in clues]
        plane[colours > 0] = [own.index(c) for own, clue in zip(shown, clues, strict=True) for _, c in clue]
    table = offsets(np.diff(run) * (free + 1))
    return Lines(length, run, lengths, colours, earliest, plane, free, table, _possible(puzzle, axes, length))


def clues_of(puzzle: Nonogram, axis: str) -> tuple[Clue, ...]:
    """The clues of the lines of ``axis``, "row" or "column"."""
    return puzzle.rows if axis == "row" else puzzle.columns


def _crossing(axis: str) -> str:
    return "column" if axis == "row" else "row"


def offsets(sizes: npt.ArrayLike) -> Ints:
    """Where each of some things of these ``sizes`` begins, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _possible(puzzle: Nonogram, axes: tuple[str, ...], length: Ints) -> WordCube:
    """What the cells of all lines may be."""
    words = np.arange((int(length.max()) + 63) // 64)
    inside = np.clip(length[:, None] - 64 * words, 0, 64)
    every = np.where(inside > 0, ~np.uint64(0) >> (64 - np.maximum(inside, 1)).astype(np.uint64), np.uint64(0))
    given = np.zeros_like(every)
    valued = np.zeros((len(length), puzzle.colours + 1, len(words)), dtype=np.uint64)
    first = 0
    for axis in axes:
        if puzzle.given:
            row, column, value = np.array(puzzle.given, dtype=np.int64).T
            line, cell = (row, column) if axis == "row" else (column, row)
            bit = np.uint64(1) << (cell & 63).astype(np.uint64)
            np.bitwise_or.at(given, (first + line, cell >> 6), bit)
            np.bitwise_or.at(valued, (first + line, value, cell >> 6), bit)
        first += len(clues_of(puzzle, axis))
    possible: WordCube = valued | (every & ~given)[:, None, :]
    return possible
