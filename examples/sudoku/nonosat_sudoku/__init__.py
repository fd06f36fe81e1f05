"""Sudoku as a kind of puzzle: all that nonosat has to be told is the list ``PARTS``."""

from nonosat_sudoku.generator import GENERATOR
from nonosat_sudoku.kind import KIND

PARTS = [KIND, GENERATOR]
