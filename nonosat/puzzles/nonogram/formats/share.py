"""Nonograms in shared strings: sizes, colours, the clues of all rows and columns, given cells."""

from __future__ import annotations

from nonosat.errors import FormatError
from nonosat.puzzles.formats.share import BitReader, BitWriter
from nonosat.puzzles.nonogram.puzzle import BLACK, MAX_CELLS, MAX_COLOURS, SYMBOLS, Clue, Colour, Nonogram, Run
from nonosat.puzzles.puzzle import Given, Sharing

_SYMBOL, _SHADE = 6, 24
"""The bits of a colour."""


def write(puzzle: Nonogram, bits: BitWriter) -> None:
    """Height and width; colours (0 stands for black alone); each line's number of runs and the runs; given cells."""
    bits.gamma(puzzle.height)
    bits.gamma(puzzle.width)
    plain = puzzle.palette == (BLACK,)
    bits.gamma(1 if plain else puzzle.colours + 1)
    for colour in () if plain else puzzle.palette:
        bits.fixed(SYMBOLS.index(colour.symbol), _SYMBOL)
        bits.fixed(int(colour.rgb[1:], 16), _SHADE)
    for _, _, clue in puzzle.lines():
        bits.gamma(len(clue) + 1)
        for length, colour_number in clue:
            bits.gamma(length)
            bits.fixed(colour_number - 1, (puzzle.colours - 1).bit_length())
    bits.gamma(len(puzzle.given) + 1)
    before = -1
    for row, column, value in puzzle.given:
        at = row * puzzle.width + column
        bits.gamma(at - before)
        bits.fixed(value, puzzle.colours.bit_length())
        before = at


def read(title: str, bits: BitReader) -> Nonogram:
    """The nonogram of a string; FormatError, PuzzleError: there is none."""
    height, width = bits.gamma(), bits.gamma()
    if height * width > MAX_CELLS or height + width > bits.left:  # each line takes a bit at least
        raise FormatError(f"a board of {height}x{width}, for which the string is too short")
    palette = _palette(bits)
    clues = [_clue(bits, len(palette)) for _ in range(height + width)]
    given, at = [], -1
    for _ in range(bits.gamma() - 1):
        at += bits.gamma()
        given.append(Given(at // width, at % width, bits.fixed(len(palette).bit_length())))
    return Nonogram(tuple(clues[:height]), tuple(clues[height:]), tuple(given), palette, title=title)


def _palette(bits: BitReader) -> tuple[Colour, ...]:
    count = bits.gamma() - 1
    if count > MAX_COLOURS:
        raise FormatError(f"{count} colours; a puzzle has 1 to {MAX_COLOURS}")
    colours = []
    for _ in range(count):
        symbol = bits.fixed(_SYMBOL)
        if symbol >= len(SYMBOLS):
            raise FormatError("a colour without a letter")
        colours.append(Colour(SYMBOLS[symbol], f"#{bits.fixed(_SHADE):06x}"))
    return tuple(colours) or (BLACK,)


def _clue(bits: BitReader, colours: int) -> Clue:
    runs = bits.gamma() - 1
    return tuple(Run(bits.gamma(), bits.fixed((colours - 1).bit_length()) + 1) for _ in range(runs))


SHARING = Sharing("n", read, write)
