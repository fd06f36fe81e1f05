"""How many states the layers of a sweep may have: an upper bound, without sweeping."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nonosat.counting.sweep.automata import Reader, rests

Floats = npt.NDArray[np.float64]


def bounds(across: list[Reader], down: list[Reader]) -> list[float]:
    """Of the layer before each row (and behind the last): the states that agree with what the rows above have.

    All columns together have as many coloured cells as these rows, and as many of them end in one as the last row has.
    """
    found, cells = [1.0], 0
    for row, reader in enumerate(across, 1):
        last = sum(letter != 0 for letter in reader.letters)
        cells += last
        ways = np.zeros((last + 1, cells + 1))
        ways[0, 0] = 1.0
        for column in down:
            ways = widened(ways, column, row)
        found.append(float(ways[last, cells]))
    return found


def widened(ways: Floats, column: Reader, row: int) -> Floats:
    """``ways[ends, cells]`` of some columns, with one column more, by its states before ``row``."""
    new = np.zeros_like(ways)
    for state in column.states[row]:
        many = sum(letter != 0 for letter in column.letters[:state])
        coloured = state > 0 and column.letters[state - 1] != 0
        for ends in {int(coloured), int(coloured and not rests(column.letters, column.due, state))}:
            if many < new.shape[1] and ends < len(new):
                new[ends:, many:] += ways[: len(ways) - ends, : ways.shape[1] - many]
    return new
