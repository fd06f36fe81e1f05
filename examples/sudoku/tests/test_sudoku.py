"""Sudoku by the batteries of nonosat."""

import pytest
from nonosat_sudoku import PARTS
from nonosat_sudoku.puzzle import Sudoku

from nonosat import testing

ROWS = ["1..4 .4.2 2.43 43.1", "1.34 3.12 .... 4321", "..34 3412 ..43 4321", "11.. 3412 2.43 432."]
PUZZLES = [Sudoku.from_rows([[int(c) if c != "." else 0 for c in row] for row in rows.split()]) for rows in ROWS]
VALUES = {"sudoku": [(4, "easy"), (4, "hard"), (9, "hard")]}


@pytest.mark.parametrize("check", testing.battery(PARTS, PUZZLES, VALUES), ids=str)
def test_sudoku(check):
    """Each part keeps what its kind of part promises."""
    check()
