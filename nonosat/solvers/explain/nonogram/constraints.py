"""The lines of a nonogram as constraints that a SAT solver can leave out, each by the paths of its automaton."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np

from nonosat.csp.model import Paths, ints
from nonosat.encodings.nonogram.rules import by_automaton
from nonosat.puzzles.nonogram.puzzle import Nonogram
from nonosat.solvers.explain.constraints.groups import Named
from nonosat.solvers.explain.steps import Constraint


def constraints(puzzle: Nonogram) -> Named:
    """Rows, then columns, each with its cells.

    >>> [str(constraint) for constraint, _, _ in constraints(Nonogram.from_lengths([[1]], [[1], []]))]
    ['row 1', 'column 1', 'column 2']
    """
    csp = by_automaton(replace(puzzle, given=()))
    [paths] = csp.constraints
    height, width = puzzle.shape
    named: Named = []
    for number in range(height + width):
        row, place = number < height, number if number < height else number - height
        cells = [(place, i) if row else (i, place) for i in range(width if row else height)]
        name = Constraint("row" if row else "column", place)
        named.append((name, tuple(cells), replace(csp, constraints=(_of_line(cast(Paths, paths), number),))))
    return named


def _of_line(paths: Paths, number: int) -> Paths:
    """The paths of one line, with its nodes numbered from 0."""
    first, last = int(paths.sources[number]), int(paths.sinks[number])
    arcs = np.flatnonzero((paths.tail >= first) & (paths.tail <= last))
    ends = np.concatenate(([0], paths.ends))
    widths = ends[arcs + 1] - ends[arcs]
    entries = np.concatenate([np.arange(ends[arc], ends[arc + 1]) for arc in arcs] or [np.arange(0)])
    return Paths(
        nodes=last - first + 1,
        sources=ints([0]),
        sinks=ints([last - first]),
        tail=ints(paths.tail[arcs] - first),
        head=ints(paths.head[arcs] - first),
        variables=ints(paths.variables[entries]),
        values=ints(paths.values[entries]),
        ends=ints(np.cumsum(widths)),
    )
