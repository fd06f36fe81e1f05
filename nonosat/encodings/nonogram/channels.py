"""The channel: what the starts of a line's runs say about its cells."""

from __future__ import annotations

import numpy as np

from nonosat.csp.model import NEVER, Clauses, Constraint, Ints, at_least, at_most, ranges
from nonosat.encodings.nonogram.runs import Runs


def gaps(runs: Runs, lower: Ints, upper: Ints) -> list[Constraint]:
    """A covered cell has the run's colour; a cell between two consecutive runs is blank. No auxiliaries.

    Needs the runs of a line to be in order (rule 3 or what implies it): then every cell is covered by one run or
    lies between two consecutive ones (or before the first, or behind the last), so that the cell is determined.
    """
    return [*covered(runs, lower, upper), between(runs, lower, upper)]


def covered(runs: Runs, lower: Ints, upper: Ints) -> list[Constraint]:
    """``s_k <= j < s_k + T_k`` implies ``x_j = colour_k``, for every position j that run k can reach."""
    run, j = ranges(lower, upper + runs.length)
    line = runs.line[run]
    not_begun = at_least(runs.start[run], j + 1)
    over = at_most(runs.start[run], j - runs.length[run])
    cell, colour = runs.base[line] + j * runs.stride[line], runs.colour[run]
    families: list[Constraint] = [Clauses((not_begun, over, at_least(cell, colour)))]
    if runs.colours > 1:  # else x <= 1 is true as it stands, and the whole family would be dropped again
        families.append(Clauses((not_begun, over, at_most(cell, colour))))
    return families


def between(runs: Runs, lower: Ints, upper: Ints) -> Constraint:
    """``s_k + T_k <= j < s_{k+1}`` implies ``x_j = 0``; the ends of the line stand for the runs that aren't there."""
    # Gap g of line l lies before run first[l] + g; a line of K runs has K + 1 gaps.
    counts = np.diff(runs.first) + 1
    line = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    right = np.arange(len(line), dtype=np.int32) - line
    is_first, is_last = right == runs.first[line], right == runs.first[line + 1]
    # A run that isn't there gets an end (a start) that no position lies before (behind): the comparison is false.
    padded_start = np.append(runs.start, np.int32(0))
    left_start, right_start = padded_start[right - 1], padded_start[right]
    left_length = np.where(is_first, NEVER, np.append(runs.length, np.int32(0))[right - 1]).astype(np.int32)
    shift = np.where(is_last, NEVER, 0).astype(np.int32)
    begin = np.where(is_first, 0, np.append(lower + runs.length, np.int32(0))[right - 1]).astype(np.int32)
    end = np.where(is_last, runs.size[line], np.append(upper, np.int32(0))[right]).astype(np.int32)
    gap, j = ranges(begin, end)
    cell = runs.base[line[gap]] + j * runs.stride[line[gap]]
    return Clauses(
        (
            at_least(left_start[gap], j - left_length[gap] + 1),
            at_most(right_start[gap], j + shift[gap]),
            at_most(cell, np.zeros(len(j), dtype=np.int32)),
        )
    )
