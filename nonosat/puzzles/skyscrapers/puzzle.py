"""What a Skyscrapers puzzle *is*: a square of towers, seen from its edges.

On a board of N x N every row and every column has towers of the heights 1 to N, each once. A clue at the end of a line
is the number of towers that are seen from there: those that are higher than all before them (Majdandžić 2022).
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from nonosat.errors import PuzzleError
from nonosat.puzzles.puzzle import Board, Given, given_cells, kind_of, title_of

if TYPE_CHECKING:
    import numpy.typing as npt

# The heights of all towers of a board: what solves a Skyscrapers puzzle.


@dataclass(frozen=True, eq=False, repr=False)
class Heights(Board):
    """``cells``: uint8, shape (N, N), heights from 1 to N; read-only. They need not solve anything.

    >>> print(Heights([[1, 2], [2, 1]]))
    1 2
    2 1
    """

    kind: ClassVar[str] = "skyscrapers"

    def __post_init__(self) -> None:
        import numpy as np

        given = np.asarray(self.cells)
        if given.ndim != 2 or given.shape[0] != given.shape[1] or not given.size:
            raise PuzzleError(f"the heights of a board are a square, these have the shape {given.shape}")
        if given.dtype.kind not in "iu" or not 1 <= int(given.min()) <= int(given.max()) <= min(255, len(given)):
            raise PuzzleError(
                f"the heights of a {len(given)}x{len(given)} board are whole numbers from 1 to {len(given)}"
            )
        self._keep(np.array(given, dtype=np.uint8))

    def rows(self) -> list[str]:
        """One string a row: its heights with a space between."""
        return [" ".join(map(str, row)) for row in self.cells.tolist()]


EDGES = ("top", "bottom", "left", "right")
MAX_SIZE = 99
"""Of a board; heights of two digits."""


@dataclass(frozen=True)
class EdgeView:
    """A line as it is seen from one end: ``edge`` and 0-based ``place`` of its clue, and its cells from there on."""

    edge: str
    place: int
    clue: int
    cells: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Skyscrapers:
    """A puzzle: a clue for each end of each line, 0 where there is none. ``top`` and ``bottom`` go from left to right,
    ``left`` and ``right`` from top to bottom.

    Clues that contradict each other are a valid puzzle (its answer is UNSAT); a clue or a height that no board of this
    size can have raises ``PuzzleError``. Given heights are kept in order, row by row. A ``goal`` is the board that the
    puzzle was made from; no solver looks at it.

    >>> puzzle = Skyscrapers.from_heights([[2, 1, 3], [3, 2, 1], [1, 3, 2]])
    >>> puzzle.top, puzzle.left
    ((2, 3, 1), (2, 1, 2))
    >>> Skyscrapers((4, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0))
    Traceback (most recent call last):
    nonosat.errors.PuzzleError: clue 1 at the top: 4 towers can't be seen in a line of 3
    """

    top: tuple[int, ...]
    bottom: tuple[int, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    given: tuple[Given, ...] = ()
    title: str = ""
    author: str = ""
    licence: str = ""
    source: str = ""
    goal: Heights | None = field(default=None, repr=False)

    kind: ClassVar[str] = "skyscrapers"

    def __post_init__(self) -> None:
        size = len(self.top)
        if not 1 <= size <= MAX_SIZE:
            raise PuzzleError(f"a board of {size}x{size}; sizes from 1 to {MAX_SIZE} are supported")
        for edge in EDGES:
            clues = getattr(self, edge)
            if len(clues) != size:
                raise PuzzleError(f"{len(clues)} clues at the {edge}, {size} at the top")
            for index, clue in enumerate(clues, 1):
                if not 0 <= clue <= size:
                    where = f"clue {index} at the {edge}"
                    if clue < 0:
                        raise PuzzleError(f"{where}: {clue} is no number of towers")
                    raise PuzzleError(f"{where}: {clue} towers can't be seen in a line of {size}")
        object.__setattr__(self, "given", given_cells(self.given, self.shape, 1, size, "height"))
        if self.goal is not None and self.goal.shape != self.shape:
            raise PuzzleError("the goal is not of the puzzle's size")

    @property
    def size(self) -> int:
        """N: towers a line."""
        return len(self.top)

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.size, self.size

    @property
    def clues(self) -> tuple[int, ...]:
        """All clues in the order of ``EDGES``, 0 for none."""
        return (*self.top, *self.bottom, *self.left, *self.right)

    def views(self) -> Iterator[EdgeView]:
        """Every line from both of its ends, in the order of ``clues``; those without a clue too."""
        every = range(self.size)
        for edge in EDGES:
            for place, clue in enumerate(getattr(self, edge)):
                ahead = every if edge in ("top", "left") else reversed(every)
                cells = tuple((i, place) if edge in ("top", "bottom") else (place, i) for i in ahead)
                yield EdgeView(edge, place, clue, cells)

    def picture(self, cells: npt.ArrayLike) -> Heights:
        """A board of heights."""
        return Heights(cells)  # type: ignore[arg-type]  # __post_init__ takes what numpy does

    def facts(self) -> dict[str, int | float]:
        """See ``Puzzle.facts``."""
        return {"clues": sum(clue > 0 for clue in self.clues), "given": len(self.given)}

    def contradiction(self) -> str | None:
        """Why no board can exist, if the two clues of a line cannot be together.

        The highest tower is seen from both ends and splits the others, so that both together see N + 1 at most; and
        only if it stands at an end that sees nothing else, which cannot be both.
        """
        for first, second, name in ((self.top, self.bottom, "column"), (self.left, self.right, "row")):
            for index, (one, two) in enumerate(zip(first, second, strict=True), 1):
                if one and two and (one + two > self.size + 1 or (one == two == 1 and self.size > 1)):
                    line = f"no line of {self.size} towers"
                    return f"{name} {index}: {line} shows {one} from one end and {two} from the other"
        return None

    def __repr__(self) -> str:
        clues = sum(clue > 0 for clue in self.clues)
        given = f", {len(self.given)} given" if self.given else ""
        return f"<Skyscrapers {self.size}x{self.size}, {clues} clues{given}{title_of(self.title)}>"

    def _repr_svg_(self) -> str:
        return kind_of(self).svg(self, None)

    @classmethod
    def from_clues(
        cls, clues: Sequence[int], given: Iterable[tuple[int, int, int]] = (), title: str = ""
    ) -> Skyscrapers:
        """A puzzle from 4N clues in the order top, bottom, left, right; 0 is none."""
        size, rest = divmod(len(clues), 4)
        if rest:
            raise PuzzleError(f"{len(clues)} clues are not four edges of one length")
        edges = (tuple(map(operator.index, clues[start : start + size])) for start in range(0, 4 * size, size))
        top, bottom, left, right = edges if size else ((), (), (), ())
        return cls(top, bottom, left, right, tuple(Given(*cell) for cell in given), title)

    @classmethod
    def from_heights(cls, heights: Heights | npt.ArrayLike, title: str = "") -> Skyscrapers:
        """The puzzle with every clue that ``heights`` (kept as its ``goal``) has."""
        if not isinstance(heights, Heights):
            heights = Heights(heights)  # type: ignore[arg-type]  # __post_init__ takes what numpy does
        cells = heights.cells.tolist()
        columns = [list(column) for column in zip(*cells, strict=True)]
        return cls(
            tuple(visible(column) for column in columns),
            tuple(visible(column[::-1]) for column in columns),
            tuple(visible(row) for row in cells),
            tuple(visible(row[::-1]) for row in cells),
            title=title,
            goal=heights,
        )


def visible(line: Iterable[int]) -> int:
    """How many towers of ``line`` are seen from its beginning.

    >>> visible([2, 1, 4, 3])
    2
    """
    count = highest = 0
    for height in line:
        if height > highest:
            count, highest = count + 1, height
    return count
