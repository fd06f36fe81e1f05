"""Rows and columns that fill different numbers of cells with a colour: a contradiction in one step.

The equalities of a line's cells, added up, leave of every run its length, since all its other terms cancel out: so many
cells have the colour. Those of all rows, less those of all columns, say ``0 >= d``.
"""

from __future__ import annotations

from nonosat.certificates.statement import Statement
from nonosat.puzzles.nonogram import Nonogram


def unbalanced(puzzle: Nonogram, statement: Statement) -> list[int]:
    """The numbers of constraints that add up to a contradiction; none, if rows and columns agree."""
    totals = [[0, 0] for _ in range(puzzle.colours)]
    for axis, clues in enumerate((puzzle.rows, puzzle.columns)):
        for clue in clues:
            for length, colour in clue:
                totals[colour - 1][axis] += length
    wrong = next((colour for colour, (across, down) in enumerate(totals) if across != down), None)
    if wrong is None:
        return []
    least = totals[wrong][0] < totals[wrong][1]  # of rows the half `<=` of the equality, of columns `>=`; or otherwise
    found, number, cells = [], 1, 0
    many = puzzle.height * puzzle.width * puzzle.colours
    for constraint in statement.constraints():
        if constraint.equal and cells < 2 * many:  # those of the rows' cells, then those of the columns'
            if cells % puzzle.colours == wrong:
                found.append(number + (least if cells < many else not least))
            cells += 1
        number += 1 + constraint.equal
    return found
