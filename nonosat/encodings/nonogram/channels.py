"""The channel: what the starts of a line's runs say about its cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from nonosat.csp.meanings import Lemma, Meanings, Within
from nonosat.csp.model import NEVER, Clauses, Comparison, Constraint, Ints, at_least, at_most, outside, ranges, within
from nonosat.encodings.nonogram.runs import Runs


def gaps(runs: Runs, lower: Ints, upper: Ints) -> list[Constraint]:
    """A covered cell has the run's colour; a cell between two consecutive runs is blank. No auxiliaries.

    Needs the runs of a line to be in order (rule 3 or what implies it): then every cell is covered by one run or
    lies between two consecutive ones (or before the first, or behind the last), so that the cell is determined.
    """
    return [_covered(runs, lower, upper), _between(runs, lower, upper)]


def iff(runs: Runs, lower: Ints, upper: Ints) -> list[Constraint]:
    """A cell has a colour iff some run of that colour covers it, as in the report. Needs no order of the runs.

    The order encoding names "run k covers cell j" by an auxiliary (one a run and cell), as Sugar does. Proofs are told
    what ``gaps`` would say, first: unit propagation does not add up which runs cover a cell.
    """
    first = Meanings(partial(between_first, runs, lower, upper))
    return [first, _covered(runs, lower, upper), _needs_cover(runs, lower, upper)]


def between_first(runs: Runs, lower: Ints, upper: Ints, starts: Sequence[str] = ()) -> Iterator[Lemma]:
    """For proofs: a cell between consecutive runs is blank. ``starts``: their names, where they are no variables."""
    cells = int(runs.start[0]) if len(runs) else 0
    columns = []
    for column in _between(runs, lower, upper).columns:
        assert isinstance(column, Comparison)
        bounds = [None] * len(column.bounds), column.bounds.tolist()
        quantities = [starts[v - cells] if starts and v >= cells else v for v in column.variables.tolist()]
        columns.append(map(Within, quantities, *(bounds[::-1] if column.at_least else bounds)))
    for alternatives in zip(*columns, strict=True):
        yield Lemma((), [[alternative] for alternative in alternatives])


def _covered(runs: Runs, lower: Ints, upper: Ints) -> Constraint:
    """``s_k <= j < s_k + T_k`` implies ``x_j = colour_k``, for every position j that run k can reach."""
    run, j = ranges(lower, upper + runs.length)
    line = runs.line[run]
    elsewhere = outside(runs.start[run], j - runs.length[run] + 1, j)
    cell, colour = runs.base[line] + j * runs.stride[line], runs.colour[run]
    return Clauses((elsewhere, within(cell, colour, colour)))


def _between(runs: Runs, lower: Ints, upper: Ints) -> Clauses:
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
            at_most(cell, 0),
        )
    )


def _needs_cover(runs: Runs, lower: Ints, upper: Ints) -> Constraint:
    """``x_j = colour`` implies that some run of that colour covers j: one clause a line, cell and colour."""
    run, j = ranges(lower, upper + runs.length)
    # Clause number of (line, position, colour): lines in order, colours of a cell next to each other.
    offset = np.concatenate(([0], np.cumsum(runs.size)))
    number = (offset[runs.line[run]] + j) * runs.colours + runs.colour[run] - 1
    order = np.argsort(number, kind="stable")
    run, j = run[order], j[order]
    count = int(offset[-1]) * runs.colours
    line, position = ranges(np.zeros_like(runs.size), runs.size)
    cell = np.repeat(runs.base[line] + position * runs.stride[line], runs.colours)
    colour = np.tile(np.arange(1, runs.colours + 1, dtype=np.int32), len(line))
    covers = within(runs.start[run], j - runs.length[run] + 1, j, rows=number[order].astype(np.int32))
    return Clauses((outside(cell, colour, colour), covers), count)
