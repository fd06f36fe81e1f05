"""Puzzle to CSP: rule 1 and the given cells, and the parts that an encoding's name picks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from nonosat.csp.model import CSP, Block, Clauses, Constraint, Ints, at_least, at_most, ints
from nonosat.encodings.nonogram.runs import Runs
from nonosat.puzzles.nonogram import Nonogram

Domain = Callable[[Runs], tuple[Ints, Ints]]
Ordering = Callable[[Runs], Constraint]
Channel = Callable[[Runs, Ints, Ints], list[Constraint]]


def state(puzzle: Nonogram, domain: Domain, orderings: Sequence[Ordering], channel: Channel) -> CSP:
    """The CSP of ``puzzle``: cells ``x_row_column`` in 0..C (rule 1), starts ``h_row_k`` and ``v_column_k``.

    Given cells are clauses, not domains, so that a cell's number does not depend on what is given.
    """
    runs = Runs.of(puzzle)
    height, width = puzzle.shape
    lower, upper = domain(runs)
    constraints = [ordering(runs) for ordering in orderings]
    constraints += channel(runs, lower, upper)
    if puzzle.given:
        given = ints(puzzle.given)
        cells, values = given[:, 0] * width + given[:, 1], given[:, 2]
        constraints += [Clauses((at_least(cells, values),)), Clauses((at_most(cells, values),))]
    count = height * width
    across = int(runs.first[height])
    index = runs.index(height)
    rows, columns = np.divmod(np.arange(count, dtype=np.int32), width)
    return CSP(
        np.concatenate((np.zeros(count, dtype=np.int32), lower)),
        np.concatenate((np.full(count, puzzle.colours, dtype=np.int32), upper)),
        tuple(constraints),
        np.arange(count, dtype=np.int32).reshape(height, width),
        (
            Block("x", 0, np.stack((rows, columns), axis=1)),
            Block("h", count, index[:across]),
            Block("v", count + across, index[across:]),
        ),
    )
