"""Nonograms as hypothesis draws them, for tests of formats: any colours, given cells, goals, solutions, texts."""

from dataclasses import replace

from hypothesis import strategies as st

from nonosat.puzzles.nonogram import Given, Nonogram
from nonosat.puzzles.nonogram.puzzle import SYMBOLS, Colour, Picture, palette_of
from nonosat.puzzles.puzzle import fault

NASTY = [
    '"',
    'a "b" & c',
    "&amp;",
    "&lt;p&gt;",
    "é ☃ 日本",
    "a\nb",
    "\r\n",
    " x ",
    "====",
    "rows",
    "$1",
    "\\",
    "\x85",
    "CC-BY-3.0",
]


texts = st.sampled_from(["", *NASTY]) | st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12
)


@st.composite
def palettes(draw, most):
    if draw(st.booleans()):
        return palette_of(draw(st.integers(1, most)))
    symbols = draw(st.lists(st.sampled_from(SYMBOLS), min_size=1, max_size=most, unique=True))
    return tuple(Colour(symbol, f"#{draw(st.integers(0, 0xFFFFFF)):06x}") for symbol in symbols)


@st.composite
def puzzles(draw, most=4, with_given=True):
    """Any puzzle: solvable with or without its goal, or with clues that contradict each other."""
    palette = draw(palettes(most))
    height, width = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    line = st.lists(st.integers(0, len(palette)), min_size=width, max_size=width)
    cells = draw(st.lists(line, min_size=height, max_size=height))
    puzzle = Nonogram.from_picture(Picture(cells, palette))
    if draw(st.booleans()):
        puzzle = replace(puzzle, goal=None, rows=tuple(draw(st.permutations(puzzle.rows))))
    if with_given and draw(st.booleans()):
        places = draw(st.sets(st.tuples(st.integers(0, height - 1), st.integers(0, width - 1)), max_size=5))
        puzzle = replace(puzzle, given=tuple(Given(r, c, cells[r][c]) for r, c in sorted(places)))
    if draw(st.booleans()) and fault(puzzle, picture := puzzle.picture(cells)) is None:
        puzzle = replace(puzzle, goal=None, solutions=(picture,))
    title, author, licence, source = (draw(texts) for _ in range(4))
    return replace(puzzle, title=title, author=author, licence=licence, source=source)
