"""What is a constraint in Skyscrapers: that a row or column has every height once, and each clue by itself.

A clue speaks of a line with every height once: what is seen of a line in which heights repeat, the rules do not say.
"""

from __future__ import annotations

import numpy as np

from nonosat.csp.model import CSP
from nonosat.encodings.skyscrapers.rules import full, permutation
from nonosat.encodings.skyscrapers.seen import Seen
from nonosat.encodings.skyscrapers.visibility import visible
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.puzzles.skyscrapers.puzzle import EDGES
from nonosat.solvers.explain.constraints.groups import Group, Named
from nonosat.solvers.explain.constraints.pieces import together
from nonosat.solvers.explain.steps import Constraint


def constraints(puzzle: Skyscrapers) -> Named:
    """Rows and columns, then the clues in the order of ``Skyscrapers.views``.

    >>> puzzle = Skyscrapers((2, 0), (0, 0), (0, 0), (1, 0))
    >>> [str(constraint) for constraint, _, _ in constraints(puzzle)]
    ['row 1', 'row 2', 'column 1', 'column 2', 'top 1', 'right 1']
    """
    size = puzzle.size
    board = np.arange(size * size, dtype=np.int32).reshape(size, size)
    none = Skyscrapers.from_clues([0] * (4 * size))
    lower, upper = full(Seen.of(none))
    found: Named = []
    rows = {tuple(line): Constraint("row", i) for i, line in enumerate(board.tolist())}
    names = {tuple(line): Constraint("column", i) for i, line in enumerate(board.T.tolist())} | rows
    for cells, part in together(CSP(lower, upper, tuple(permutation(size)), board)):
        if cells in names:
            found.append((names[cells], tuple(divmod(cell, size) for cell in cells), part))
    found.sort(key=lambda one: (one[0].family != "row", one[0].place))
    lines = {frozenset(cells): part for _, cells, part in found}
    for view in puzzle.views():
        if view.clue:
            clues = {edge: [0] * size for edge in EDGES}
            clues[view.edge][view.place] = view.clue
            one = Skyscrapers.from_clues([clue for edge in EDGES for clue in clues[edge]])
            extra = visible(Seen.of(one))
            bounds = (np.concatenate((lower, extra.lower)), np.concatenate((upper, extra.upper)))
            rules = (*lines[frozenset(view.cells)].constraints, *extra.constraints)
            found.append((Constraint(view.edge, view.place), view.cells, CSP(*bounds, rules, board)))
    return found


def told(puzzle: Skyscrapers, group: Group) -> str:
    """A row, column or clue in words."""
    family, place = group.constraint
    if family in ("row", "column"):
        return f"each height once in {group.constraint}"
    clue = getattr(puzzle, family)[place]
    line = "column" if family in ("top", "bottom") else "row"
    return f"{clue} tower{'s' * (clue != 1)} seen from the {family} of {line} {place + 1}"
