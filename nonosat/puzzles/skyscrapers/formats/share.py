"""Skyscrapers in shared strings: the size, all clues, given heights."""

from __future__ import annotations

from nonosat.errors import FormatError
from nonosat.puzzles.formats.share import BitReader, BitWriter
from nonosat.puzzles.puzzle import Given, Sharing
from nonosat.puzzles.skyscrapers.puzzle import MAX_SIZE, Skyscrapers


def write(puzzle: Skyscrapers, bits: BitWriter) -> None:
    """N; 4 N clues, in the order of ``clues``; given heights by how many cells after the last one they are."""
    size = puzzle.size
    bits.gamma(size)
    for clue in puzzle.clues:
        bits.fixed(clue, size.bit_length())
    bits.gamma(len(puzzle.given) + 1)
    before = -1
    for row, column, value in puzzle.given:
        at = row * size + column
        bits.gamma(at - before)
        bits.fixed(value, size.bit_length())
        before = at


def read(title: str, bits: BitReader) -> Skyscrapers:
    """The puzzle of a string; FormatError, PuzzleError: there is none."""
    size = bits.gamma()
    if size > MAX_SIZE:
        raise FormatError(f"a board of {size}x{size}; sizes from 1 to {MAX_SIZE} are supported")
    clues = [bits.fixed(size.bit_length()) for _ in range(4 * size)]
    given, at = [], -1
    for _ in range(bits.gamma() - 1):
        at += bits.gamma()
        given.append(Given(at // size, at % size, bits.fixed(size.bit_length())))
    return Skyscrapers.from_clues(clues, given, title)


SHARING = Sharing("s", read, write)
