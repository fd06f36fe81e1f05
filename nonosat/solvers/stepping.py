"""What searches in compiled code have in common: a compiled function that does some work a call, until it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

import numpy as np
import numpy.typing as npt

from nonosat.solvers.answer import Event, Finished, Found, Glimpse, Progress, Statistics
from nonosat.solvers.watched import Pace, glimpse

EVERY_S = 0.15
"""Seconds between two signs of life of a search."""

BUSY, FOUND, EXHAUSTED = 0, 1, 2
"""What ``go_on`` says: there is more to do, the board is a picture, or no board is left."""


def driven(
    go_on: Callable[[int], int],
    usual: int,
    board: Callable[[], npt.ArrayLike],
    statistics: Callable[[], Statistics],
    seen: Callable[[], Glimpse],
    at_most: int | None,
    state: int = BUSY,
) -> Iterator[Event]:
    """The events of a search, from its beginning ``state`` to the end: call ``go_on`` until enough is found.

    ``usual``: how much it does a call, as it counts work itself. ``seen``: how it looks, if it is watched.
    """
    found, told, pace = 0, perf_counter(), Pace(usual)
    while state != EXHAUSTED and found != at_most:
        state = go_on(pace())
        yield from glimpse(seen)
        if state == FOUND:
            found += 1
            yield Found(np.asarray(board()))
        if perf_counter() - told > EVERY_S:
            told = perf_counter()
            yield Progress("solving", statistics())
    yield Finished(state == EXHAUSTED, statistics())
