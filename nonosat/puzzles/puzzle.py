"""What all kinds of puzzles have in common, so that encodings, solvers and experiments need not know which one it is.

A kind of puzzle is a frozen class with the attributes of ``Puzzle``. What else is known of it is found by its class:
``check.fault`` (is this board a solution?), the formats, the drawings, and by its ``kind`` its encodings
(``encodings.registry``), generators and native solvers. To add a kind: write these, and list them where the others are.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt


class Given(NamedTuple):
    """A cell whose value is known from the start: 0-based ``row`` and ``column``; ``value`` as in the board."""

    row: int
    column: int
    value: int


class Board(Protocol):
    """The values of all cells, as an answer: a nonogram's ``Picture``, the ``Heights`` of skyscrapers.

    Boards are equal if their cells are, can be hashed, and print as lines of text.
    """

    @property
    def cells(self) -> npt.NDArray[np.uint8]:
        """Shape (rows, columns), read-only."""

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""

    def rows(self) -> list[str]:
        """One string a row."""


class Puzzle(Protocol):
    """A puzzle whose answer is a board of small whole numbers."""

    kind: ClassVar[str]

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns) of the board."""

    @property
    def title(self) -> str:
        """What people call it, or nothing."""

    @property
    def given(self) -> tuple[Given, ...]:
        """Cells that are known from the start."""

    @property
    def goal(self) -> Board | None:
        """The board that the puzzle was made from, if that is known; no solver looks at it."""

    def picture(self, cells: npt.ArrayLike) -> Any:
        """The ``Board`` of these values; PuzzleError (a ValueError) if no board of the puzzle can have them."""

    def facts(self) -> dict[str, int | float]:
        """What records tell of it beside its kind and shape, by the names of their fields."""

    def contradiction(self) -> str | None:
        """Why no board can solve the puzzle, where its clues say so at a glance; None says nothing."""
