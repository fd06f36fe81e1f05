"""What a nonogram *is*: clues, colours and given cells, as frozen facts.

A line of the board matches its clue (h_1 .. h_k) iff its cells are in ``0* 1^h1 0+ 1^h2 0+ ... 0+ 1^hk 0*``
(Castilho & Welter 2018, ch. 1); with colours, neighbouring runs of *different* colours may touch.
"""

from __future__ import annotations

import operator
import string
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from nonosat.errors import PuzzleError, UnsupportedError, wrong_type
from nonosat.puzzles.puzzle import Board, Given, byte_rows, given_cells, kind_of, puzzle_kind, title_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# The colours of a puzzle: one character each for text, and a shade for drawings.


BLANKS = ".·-_0 "
"""The characters that stand for a blank cell when a picture is read (the first is the one we write)."""


class Colour(NamedTuple):
    """``symbol``: ``#`` or a letter, for text; ``rgb``: ``#rrggbb``, for drawings."""

    symbol: str
    rgb: str


BLACK = Colour("#", "#000000")
SYMBOLS = "#" + string.ascii_letters
MAX_COLOURS = len(SYMBOLS)

# Okabe & Ito's eight (colour-blind safe), in an order in which neighbours differ in lightness too.
_SHADES = ("#000000", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442")


def palette_of(count: int) -> tuple[Colour, ...]:
    """``count`` colours: black as ``#``, then ``r``, ``b``, ... in shades that the colour-blind can distinguish.

    >>> [colour.symbol for colour in palette_of(3)]
    ['#', 'r', 'b']
    """
    if not 1 <= count <= MAX_COLOURS - 1:
        raise PuzzleError(f"{count} colours; a puzzle has 1 to {MAX_COLOURS - 1}")
    return lettered(tuple(shade(i) for i in range(count)))


NAMED = {
    "black": (0, 0, 0),
    "white": (255, 255, 255),
    "grey": (128, 128, 128),
    "red": (215, 60, 10),
    "orange": (235, 140, 0),
    "yellow": (245, 230, 50),
    "green": (0, 150, 60),
    "light blue": (90, 180, 235),
    "blue": (0, 80, 200),
    "purple": (128, 0, 128),
    "pink": (235, 130, 180),
    "brown": (140, 80, 30),
    "olive": (120, 120, 30),
    "slate blue": (95, 100, 160),
}
"""What colours are called: a shade goes by the nearest of these."""


def name_of(rgb: str) -> str:
    """The name of the colour that the shade ``#rrggbb`` is nearest to."""
    here = [int(rgb[i : i + 2], 16) for i in (1, 3, 5)]
    return min(NAMED, key=lambda name: sum((a - b) ** 2 for a, b in zip(NAMED[name], here, strict=True)))


@lru_cache(maxsize=100)
def lettered(shades: tuple[str, ...]) -> tuple[Colour, ...]:
    """Colours of these ``shades``, none of which has a letter yet: each gets one of its name, as everybody sees it.

    One alone is ``#``, and so is black. Where the first letter is taken, the next one of the name follows with which no
    other name begins, or else any that is free. PuzzleError: a shade is none.

    >>> [colour.symbol for colour in lettered(("#000000", "#d55e00", "#cc79a7", "#e02020", "#5c649f"))]
    ['#', 'r', 'p', 'e', 's']
    """
    if len(shades) > MAX_COLOURS:
        raise PuzzleError(f"{len(shades)} colours; a puzzle has 1 to {MAX_COLOURS}")
    check_palette(tuple(map(Colour, SYMBOLS, shades)))
    if len(shades) == 1:
        return (Colour(BLACK.symbol, shades[0]),)
    initials = {name[0] for name in NAMED}
    symbols: list[str] = []
    for rgb in shades:
        name = name_of(rgb)
        first, *others = BLACK.symbol if name == "black" else name[0], *name[1:].replace(" ", "")
        free = [letter for letter in (*others, *string.ascii_letters) if letter not in initials]
        wanted = (first, *free, *SYMBOLS[1:], BLACK.symbol)
        symbols.append(next(letter for letter in wanted if letter not in symbols))
    return tuple(map(Colour, symbols, shades))


_LETTERED = {"#": 0, "k": 0, "r": 1, "b": 2, "g": 3, "p": 4, "o": 5, "l": 6, "c": 6, "y": 7}
"""Letters that are read as the names of shades: black, red, blue, green, pink, orange, light blue, cyan, yellow."""


def shades_of(symbols: Sequence[str]) -> list[str]:
    """The shades of a drawing's symbols. One alone is black.

    Otherwise a letter has the shade that it is the name of (``k`` is black), or else the next one that is free.

    >>> shades_of(["#", "r", "b"]) == [colour.rgb for colour in palette_of(3)]
    True
    >>> [name_of(rgb) for rgb in shades_of(["b", "g", "r", "x"])]
    ['blue', 'green', 'red', 'black']
    >>> shades_of(["o"])
    ['#000000']
    """
    if len(symbols) == 1:
        return [shade(0)]
    found: dict[str, int] = {}
    for symbol in symbols:
        number = _LETTERED.get(symbol.lower())
        if number is not None and number not in found.values():
            found[symbol] = number
    free = (number for number in range(MAX_COLOURS + len(_SHADES)) if number not in found.values())
    return [shade(found[symbol] if symbol in found else next(free)) for symbol in symbols]


def shade(index: int) -> str:
    """The default shade of colour number ``index`` (from 0); past the eighth, shades repeat darkened."""
    base = _SHADES[index % len(_SHADES)]
    if index < len(_SHADES):
        return base
    factor = 0.8 ** (index // len(_SHADES))
    channels = (int(base[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{int((c or 90) * factor):02x}" for c in channels)


def check_palette(palette: tuple[Colour, ...]) -> None:
    """Raise ``PuzzleError`` unless ``palette`` is one to 53 colours with symbols and shades of the right form."""
    if not 1 <= len(palette) <= MAX_COLOURS:
        raise PuzzleError(f"{len(palette)} colours; a puzzle has 1 to {MAX_COLOURS}")
    symbols = [colour.symbol for colour in palette]
    for colour in palette:
        if len(colour.symbol) != 1 or colour.symbol not in SYMBOLS:
            raise PuzzleError(f"colour symbol {colour.symbol!r}: it must be # or one ASCII letter")
        if symbols.count(colour.symbol) > 1:
            raise PuzzleError(f"two colours have the symbol {colour.symbol!r}")
        digits = colour.rgb[1:]
        if len(colour.rgb) != 7 or colour.rgb[0] != "#" or any(c not in string.hexdigits for c in digits):
            raise PuzzleError(f"shade {colour.rgb!r}: it must be #rrggbb")


# A picture: the values of all cells of a board, and the colours to show them in.


ALL_COLOURS = bytes(range(256))


@dataclass(frozen=True, eq=False, repr=False)
class Picture(Board):
    """``cells``: uint8, shape (rows, columns), 0 is blank, c is ``palette[c - 1]``; read-only.

    Equality is equality of cells: a picture in other shades is the same picture.

    >>> print(Picture([[1, 0], [0, 1]]))
    #.
    .#
    """

    palette: tuple[Colour, ...] = (BLACK,)

    kind: ClassVar[str] = "nonogram"

    def __post_init__(self) -> None:
        if (rows := byte_rows(self.cells)) is not None:
            self._keep(rows)
            self._check_colours(max(self.values))
            return
        import numpy as np

        given = np.asarray(self.cells)
        small = given.dtype == np.uint8 or not given.size
        if not small and (given.dtype.kind not in "biu" or not 0 <= int(given.min()) <= int(given.max()) <= 255):
            raise PuzzleError("a picture's cells are small whole numbers, 0 for blank")
        cells = np.array(given, dtype=np.uint8)
        if cells.ndim != 2 or 0 in cells.shape:
            raise PuzzleError(f"a picture has rows and columns, this one the shape {cells.shape}")
        self._keep(cells)
        if self.values.translate(None, ALL_COLOURS[: 1 + len(self.palette)]):  # sooner than numpy's maximum
            self._check_colours(int(cells.max()))

    def _check_colours(self, most: int) -> None:
        if most > len(self.palette):
            raise PuzzleError(f"a cell has colour {most}, the palette has {len(self.palette)}")

    @classmethod
    def from_text(cls, rows: Sequence[str]) -> Picture:
        """The picture that ``rows`` draw: ``#`` and letters are colours, which have the shades of ``shades_of``.

        PuzzleError: another character, or rows of different lengths.

        >>> Picture.from_text(["#.b", "..#"]).cells.tolist()
        [[1, 0, 2], [0, 0, 1]]
        """
        for number, row in enumerate(rows, 1):
            if len(row) != len(rows[0]):
                raise PuzzleError(f"row {number} has {len(row)} cells, row 1 has {len(rows[0])}")
            if odd := [letter for letter in row if letter not in BLANKS + SYMBOLS]:
                raise PuzzleError(f"row {number}: {odd[0]!r} is no colour: # or a letter; blank is one of {BLANKS!r}")
        used = sorted({letter for row in rows for letter in row} - set(BLANKS), key=SYMBOLS.index) or ["#"]
        values = {letter: number for number, letter in enumerate(used, 1)}
        palette = tuple(map(Colour, used, shades_of(used)))
        cells: npt.ArrayLike = [[values.get(letter, 0) for letter in row] for row in rows]
        return cls(cells, palette)  # type: ignore[arg-type]  # __post_init__ takes what numpy does

    def rows(self) -> list[str]:
        """One string a row: ``.`` for blank, each colour's symbol for its cells."""
        symbols = ("." + "".join(colour.symbol for colour in self.palette)).encode("ascii")
        text = self.values.translate(symbols.ljust(256)).decode("ascii")
        width = self.shape[1]
        return [text[start : start + width] for start in range(0, len(text), width)]


class Run(NamedTuple):
    """A run of ``length`` neighbouring cells of one ``colour`` (1 is the first colour of the palette)."""

    length: int
    colour: int = 1


Clue = tuple[Run, ...]


class RunArrays(NamedTuple):
    """All runs of a puzzle, row by row, then column by column; in black and white ``colours`` is empty.

    ``first``: the number of each line's first run, and how many runs there are.
    """

    lengths: npt.NDArray[np.uint64]
    colours: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]


MAX_CELLS = 2**26
"""The largest board: 8192 x 8192, or any other shape. A line of text can ask for more than any memory holds."""


@dataclass(frozen=True)
class Nonogram:
    """A puzzle: one clue for every row (top to bottom) and every column (left to right).

    A clue is a tuple of ``Run``; an empty line is ``()`` and nothing else. Clues that contradict each other are a
    valid puzzle (its answer is UNSAT); a clue that cannot fit its line raises ``PuzzleError``, naming the line. Given
    cells are kept in order, row by row. A ``goal`` is the picture the puzzle was made from, ``solutions`` are others
    that are known to solve it; no solver looks at them.

    >>> puzzle = Nonogram.from_lengths([[1, 1], [3], []], [[2], [1], [2]])
    >>> puzzle, puzzle.rows[0]
    (<Nonogram 3x3>, (Run(length=1, colour=1), Run(length=1, colour=1)))
    >>> Nonogram.from_lengths([[7, 2]], [[1]] * 9)
    Traceback (most recent call last):
    nonosat.errors.PuzzleError: row 1: runs 7 2 need 10 cells, the line has 9
    """

    rows: tuple[Clue, ...]
    columns: tuple[Clue, ...]
    given: tuple[Given, ...] = ()
    palette: tuple[Colour, ...] = (BLACK,)
    title: str = ""
    author: str = ""
    licence: str = ""
    source: str = ""
    goal: Picture | None = field(default=None, repr=False)
    solutions: tuple[Picture, ...] = field(default=(), repr=False)

    kind: ClassVar[str] = "nonogram"

    def __post_init__(self) -> None:
        for lines in (self.rows, self.columns):
            if not isinstance(lines, Sequence):
                raise wrong_type("a list of clues", lines)
        if not self.rows or not self.columns:
            raise PuzzleError("a puzzle has at least one row and one column")
        if self.height * self.width > MAX_CELLS:
            raise PuzzleError(f"a board of {self.height}x{self.width}; at most {MAX_CELLS:,} cells are supported")
        check_palette(self.palette)
        for axis, clues, length in (("row", self.rows, self.width), ("column", self.columns, self.height)):
            for index, clue in enumerate(clues):
                try:
                    reason = clue_fault(clue, length, len(self.palette))
                except (TypeError, AttributeError):
                    raise wrong_type("a clue of Run(..), as from_lengths makes of [1, 2],", clue) from None
                if reason is not None:
                    raise PuzzleError(reason, axis, index)
        object.__setattr__(self, "given", given_cells(self.given, self.shape, 0, len(self.palette)))
        for picture in self.solutions if self.goal is None else (self.goal, *self.solutions):
            if picture.shape != self.shape or picture.palette != self.palette:
                which = "the goal" if picture is self.goal else "a solution"
                raise PuzzleError(f"{which} is a picture that is not of the puzzle's size and colours")

    def __getstate__(self) -> dict[str, object]:
        """For pickling: runs go as arrays, in a quarter of the time, since many boards are sent to other processes."""
        kept = {name: value for name, value in vars(self).items() if name not in ("rows", "columns", "run_arrays")}
        shades = None if self.colours == 1 else bytes([run[1] for clue in self.rows + self.columns for run in clue])
        return kept | {"lengths": self.lengths, "first_runs": self.first_runs, "shades": shades, "rows": self.height}

    def __setstate__(self, state: dict[str, Any]) -> None:
        height, shades = state.pop("rows"), state.pop("shades")
        clues = clues_of(state["lengths"], shades, state["first_runs"])
        vars(self).update(state, rows=clues[:height], columns=clues[height:])

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.columns)

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return len(self.rows), len(self.columns)

    @property
    def colours(self) -> int:
        """The number of colours without blank."""
        return len(self.palette)

    @cached_property
    def lengths(self) -> array[int]:
        """The lengths of all runs, row by row, then column by column, as words of 64 bits; kept for the next solve."""
        return array("Q", [run[0] for clue in self.rows + self.columns for run in clue])

    @cached_property
    def first_runs(self) -> array[int]:
        """The number of each line's first run among all, and how many there are in all: kept as ``lengths`` are."""
        return array("q", accumulate(map(len, self.rows + self.columns), initial=0))

    @cached_property
    def run_arrays(self) -> RunArrays:
        """``lengths``, the colours of all runs, and ``first_runs``, as arrays that nobody can write to; kept, too."""
        import numpy as np

        colours: list[int] = []
        if self.colours > 1:
            colours = [run[1] for clue in self.rows + self.columns for run in clue]
        lengths, first = np.frombuffer(self.lengths, np.uint64), np.frombuffer(self.first_runs, np.int64)
        arrays = RunArrays(lengths, np.array(colours, np.int64), first)
        for each in arrays:
            each.setflags(write=False)
        return arrays

    def lines(self) -> Iterable[tuple[str, int, Clue]]:
        """Every line as (axis, 0-based index, clue): the rows, then the columns."""
        for axis, clues in (("row", self.rows), ("column", self.columns)):
            for index, clue in enumerate(clues):
                yield axis, index, clue

    def clue_text(self, clue: Clue) -> str:
        """A clue as people write it: ``7 3 1``; with colours ``3a 2b``; an empty one ``0``."""
        return clue_text(clue, self.palette)

    def picture(self, cells: npt.ArrayLike) -> Picture:
        """A board of values (shape ``self.shape``, 0 is blank) as a picture in this puzzle's colours."""
        return Picture(cells, self.palette)  # type: ignore[arg-type]  # __post_init__ takes what numpy does

    def facts(self) -> dict[str, int | float]:
        """See ``Puzzle.facts``."""
        filled = sum(length for clue in self.rows for length, _ in clue)
        return {"colours": self.colours, "fill": filled / (self.height * self.width), "given": len(self.given)}

    def contradiction(self) -> str | None:
        """Why no picture can exist: rows and columns that fill different numbers of cells with some colour."""
        if self.colours == 1:  # every solve asks
            rows = self.first_runs[self.height]
            across, down = [0, sum(self.lengths[:rows])], [0, sum(self.lengths[rows:])]
        else:
            across, down = _filled(self.rows, self.colours), _filled(self.columns, self.colours)
        for number, colour_of in enumerate(self.palette, 1):
            if across[number] != down[number]:
                of = f" with {colour_of.symbol} ({name_of(colour_of.rgb)})" if self.colours > 1 else ""
                return f"the rows fill {across[number]} cells{of}, the columns {down[number]}"
        return None

    def __repr__(self) -> str:
        colours = f", {self.colours} colours" if self.colours > 1 else ""
        given = f", {len(self.given)} given" if self.given else ""
        return f"<Nonogram {self.height}x{self.width}{colours}{given}{title_of(self.title)}>"

    def _repr_svg_(self) -> str:
        return kind_of(self).svg(self, None)

    @classmethod
    def from_lengths(
        cls,
        rows: Sequence[Sequence[int]],
        columns: Sequence[Sequence[int]],
        given: Iterable[tuple[int, int, int]] = (),
        title: str = "",
    ) -> Nonogram:
        """A puzzle in black and white from plain run lengths; ``[]`` or ``[0]`` is an empty line."""

        def clues(lines: Sequence[Sequence[int]]) -> tuple[Clue, ...]:
            try:
                return tuple(
                    () if list(line) == [0] else tuple(Run(operator.index(length)) for length in line) for line in lines
                )
            except TypeError:
                raise wrong_type("a list of clues such as [[1, 2], [], [3]]", lines) from None

        return cls(clues(rows), clues(columns), tuple(Given(*g) for g in given), title=title)

    @classmethod
    def from_picture(cls, picture: Picture | npt.ArrayLike | Sequence[str], title: str = "") -> Nonogram:
        """The puzzle whose clues are read off ``picture`` (kept as its ``goal``); ``["#.#", ".##"]`` draws one.

        >>> Nonogram.from_picture([[1, 0, 1], [0, 1, 1]]).columns
        ((Run(length=1, colour=1),), (Run(length=1, colour=1),), (Run(length=2, colour=1),))
        """
        if isinstance(picture, Sequence) and all(isinstance(row, str) for row in picture):
            picture = Picture.from_text([str(row) for row in picture])
        elif not isinstance(picture, Picture):
            picture = Picture(picture)  # type: ignore[arg-type]  # __post_init__ takes what numpy does
        about: Any = {"palette": picture.palette, "title": title, "goal": picture}
        if len(picture.palette) > 1:
            rows, columns = (
                tuple(map(read_clue, lines)) for lines in (picture.cells.tolist(), picture.cells.T.tolist())
            )
            return cls(rows, columns, **about)
        found, ends = black_runs(picture.cells)
        lengths, first = array("Q", found.tobytes()), array("q", [0, *ends.tolist()])
        clues, height = clues_of(lengths, None, first), picture.shape[0]
        puzzle = cls(clues[:height], clues[height:], **about)
        vars(puzzle).update(lengths=lengths, first_runs=first)  # they need not be read off the clues again
        return puzzle


def black_runs(cells: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The lengths of all runs of cells that are 0 or 1, row by row, then column by column; how many there are up to
    the end of each line.
    """
    import numpy as np

    height, width = cells.shape
    rows = 1 + height * (width + 1)
    walk = np.zeros(rows + width * (height + 1), dtype=np.uint8)  # a blank before the first line, one after each
    walk[1:rows].reshape(height, width + 1)[:, :width] = cells
    walk[rows:].reshape(width, height + 1)[:, :height] = cells.T
    edges = (walk[1:] != walk[:-1]).nonzero()[0]
    begins, ends = edges[::2], edges[1::2]
    return ends - begins, begins.searchsorted(_line_ends(height, width))


SHORT_RUNS = [Run(length) for length in range(256)]


def clues_of(lengths: array[int], shades: bytes | None, first: array[int]) -> tuple[Clue, ...]:
    """The clues of all lines: ``lengths`` and ``first`` as ``Nonogram.lengths`` and ``first_runs`` are.

    ``shades``: the colours of the runs; None: all have the first one.
    """
    if shades is not None:
        runs = list(map(Run, lengths, shades))
    else:
        try:
            runs = [SHORT_RUNS[length] for length in lengths]
        except IndexError:
            runs = list(map(Run, lengths))
    return tuple([tuple(runs[begin:end]) for begin, end in pairwise(first)])


@lru_cache(maxsize=16)
def _line_ends(height: int, width: int) -> npt.NDArray[np.int64]:
    """Where the blank after each line is in the walk of ``black_runs``, from the first cell on."""
    import numpy as np

    return (np.repeat((width + 1, height + 1), (height, width)).cumsum() - 1).astype(np.int64)


def nonogram_of(puzzle: object, what: str) -> Nonogram:
    """``puzzle``, which is a nonogram. UnsupportedError: ``what`` is for nonograms alone. KindError: it is no puzzle.

    >>> nonogram_of("heart.mk", "difficulty")
    Traceback (most recent call last):
    nonosat.errors.KindError: a puzzle is expected, not a str: nonosat.load(..) reads one from a file
    """
    kind = puzzle_kind(puzzle).name
    if not isinstance(puzzle, Nonogram):
        raise UnsupportedError(f"{what} is for nonograms, not for {kind}")
    return puzzle


def _filled(clues: Iterable[Clue], colours: int) -> list[int]:
    """How many cells ``clues`` fill with each colour; entry 0 is of none."""
    total = [0] * (colours + 1)
    for length, colour in chain.from_iterable(clues):
        total[colour] += length
    return total


def gap(left: Run, right: Run) -> int:
    """The blanks that must lie between two neighbouring runs: one between equal colours, none otherwise."""
    return 1 if left.colour == right.colour else 0


def clue_length(clue: Clue) -> int:
    """The fewest cells that ``clue`` needs."""
    return sum(run.length for run in clue) + sum(map(gap, clue, clue[1:]))


def clue_fault(clue: Clue, length: int, colours: int) -> str | None:
    """Why ``clue`` can't stand on a line of ``length`` cells, or None if it can."""
    for run in clue:
        if run.length < 1:
            return f"a run of length {run.length}"
        if not 1 <= run.colour <= colours:
            return f"a run of colour {run.colour}, the puzzle has {colours}"
    if (need := clue_length(clue)) > length:
        shown = [str(run.length) for run in clue]
        if len(shown) > 12:
            shown[8:] = ["...", shown[-1]]
        return f"runs {' '.join(shown)} need {need} cells, the line has {length}"
    return None


def clue_text(clue: Clue, palette: tuple[Colour, ...]) -> str:
    """A clue as people write it (see ``Nonogram.clue_text``)."""
    if len(palette) == 1:
        return " ".join(str(run.length) for run in clue) or "0"
    return " ".join(f"{run.length}{palette[run.colour - 1].symbol}" for run in clue) or "0"


def read_clue(line: Iterable[int]) -> Clue:
    """The runs of a finished line (values, 0 is blank).

    >>> read_clue([0, 1, 1, 2, 0, 2])
    (Run(length=2, colour=1), Run(length=1, colour=2), Run(length=1, colour=2))
    """
    runs: list[Run] = []
    length, colour = 0, 0
    for value in (*line, 0):
        if value == colour:
            length += 1
            continue
        if colour:
            runs.append(Run(length, colour))
        length, colour = 1, value
    return tuple(runs)
