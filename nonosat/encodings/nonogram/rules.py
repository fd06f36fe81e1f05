"""Puzzle to CSP: rule 1 and the given cells, and the parts that an encoding's name picks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from nonosat.csp.model import CSP, Block, Clauses, Constraint, Ints, ints, within
from nonosat.encodings.nonogram.automaton import automaton
from nonosat.encodings.nonogram.domains import tight
from nonosat.encodings.nonogram.runs import Runs
from nonosat.puzzles.nonogram import Nonogram

Domain = Callable[[Runs], tuple[Ints, Ints]]
Ordering = Callable[[Runs], Constraint]
Channel = Callable[[Runs, Ints, Ints], list[Constraint]]


def by_starts(puzzle: Nonogram, domain: Domain, orderings: Sequence[Ordering], channel: Channel) -> CSP:
    """Cells ``x_row_column`` in 0..C (rule 1), starts ``h_row_k`` and ``v_column_k``, and the rules about them."""
    runs = Runs.of(puzzle)
    lower, upper = domain(runs)
    constraints = [ordering(runs) for ordering in orderings]
    constraints += channel(runs, lower, upper)
    across = int(runs.first[puzzle.height])
    index = runs.index(puzzle.height)
    count = puzzle.height * puzzle.width
    starts = (Block("h", count, index[:across]), Block("v", count + across, index[across:]))
    return _with_cells(puzzle, lower, upper, constraints, starts)


def by_automaton(puzzle: Nonogram) -> CSP:
    """Cells alone, and for every line the paths of its automaton."""
    runs = Runs.of(puzzle)
    none = np.empty(0, dtype=np.int32)
    return _with_cells(puzzle, none, none, [automaton(runs, *tight(runs), puzzle.height)], ())


def _with_cells(
    puzzle: Nonogram, lower: Ints, upper: Ints, constraints: list[Constraint], blocks: tuple[Block, ...]
) -> CSP:
    """The CSP with the cells before the variables ``lower..upper``.

    Given cells are clauses, not domains, so that a cell's number does not depend on what is given.
    """
    height, width = puzzle.shape
    count = height * width
    if puzzle.given:
        given = ints(puzzle.given)
        cells, values = given[:, 0] * width + given[:, 1], given[:, 2]
        constraints = [*constraints, Clauses((within(cells, values, values),))]
    rows, columns = np.divmod(np.arange(count, dtype=np.int32), width)
    return CSP(
        np.concatenate((np.zeros(count, dtype=np.int32), lower)),
        np.concatenate((np.full(count, puzzle.colours, dtype=np.int32), upper)),
        tuple(constraints),
        np.arange(count, dtype=np.int32).reshape(height, width),
        (Block("x", 0, np.stack((rows, columns), axis=1)), *blocks),
    )
