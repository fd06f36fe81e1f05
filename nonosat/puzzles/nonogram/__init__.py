"""Nonograms: lines of a picture given by the lengths of their runs. The rules are in encodings."""

from nonosat.puzzles.nonogram.puzzle import (
    MAX_CELLS,
    Clue,
    Nonogram,
    Picture,
    Run,
    clue_fault,
    clue_length,
    clue_text,
    gap,
    nonogram_of,
    read_clue,
)
from nonosat.puzzles.puzzle import Given

__all__ = [
    "MAX_CELLS",
    "Clue",
    "Given",
    "Nonogram",
    "Picture",
    "Run",
    "clue_fault",
    "clue_length",
    "clue_text",
    "gap",
    "nonogram_of",
    "read_clue",
]
