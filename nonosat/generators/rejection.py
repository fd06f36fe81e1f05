"""Random boards by rejection: draw until one is as wanted. The draw keeps its distribution, given that it is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

from nonosat.errors import UnsupportedError

Board = TypeVar("Board")
Judge = Callable[[Board], bool | None]
"""Is a puzzle wanted? None: that could not be settled; the puzzle is then passed over, and counted."""

ATTEMPTS = 10_000


def accepted(
    boards: Iterable[Board], wanted: Judge[Board], what: str, count: int = 1, attempts: int = ATTEMPTS
) -> Iterator[tuple[int, Board]]:
    """The first ``count`` of ``boards`` that are ``wanted``, each with its place among the boards (from 0).

    ``what`` names what is wanted, for the error.

    UnsupportedError: there are fewer among the first ``attempts`` boards.

    >>> from nonosat.generators.density import random_density
    >>> boards = (random_density(2, 2, 0.5, seed) for seed in range(100))
    >>> [place for place, _ in accepted(boards, lambda board: bool(board.goal.cells.all()), "full", count=2)]
    [25, 85]
    """
    tried = found = unsettled = 0
    for place, board in enumerate(islice(boards, attempts)):
        tried += 1
        verdict = wanted(board)
        unsettled += verdict is None
        if verdict:
            found += 1
            yield place, board
            if found == count:
                return
    told = f" ({unsettled:,} too hard to tell)" if unsettled else ""
    raise UnsupportedError(f"{found:,} of {tried:,} boards tried are {what}{told}; {count:,} wanted")
