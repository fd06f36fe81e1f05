"""Solutions drawn from two sweeps that have met, each as likely as any other: by whole numbers, without rounding.

A pair of states that fit is drawn by the product of their counts, and from each the way is gone back, row by row: of
the states before a row that lead to the one behind it, one is drawn by its count. They are found by going through the
row's cells from the left, with those states in hand that begin by the digits chosen so far: an interval of the layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
import numpy.typing as npt

from nonosat.chance import Chance
from nonosat.counting.sweep.automata import DEAD, Reader
from nonosat.counting.sweep.join import MARK
from nonosat.counting.sweep.meeting import Sweep, number_of
from nonosat.counting.sweep.side import Layer, Side
from nonosat.solvers.arrays import IntCube, Ints, Words
from nonosat.solvers.compiled import compiled, inlined


@inlined
def first_from(keys: Words, low: int, high: int, key: np.uint64) -> int:
    """The first of ``keys[low:high]`` that is not less than ``key``."""
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def back(
    keys: Words, counts: Words, worth: Words, wanted: Ints, down: IntCube, across: IntCube, drawn: np.uint64,
    chosen: Ints, value: Ints, low: Ints, high: Ints, state: Ints,
) -> int:  # fmt: skip
    """The state of the layer before a row that is drawn, and in ``value`` the row's cells; -1: there is none.

    ``worth``: of a column's digit; ``wanted``: the digits behind the row; ``down[column, value, digit]`` and
    ``across[column, value, row state]``: what follows. ``drawn``: less than the count of the state behind the row.
    The others are scratch, one longer than the row.
    """
    width, c = len(wanted), 0
    low[0], high[0], state[0], chosen[0] = 0, len(keys), 0, -1
    base = np.uint64(0)
    while c >= 0:
        if chosen[c] >= 0:
            base -= np.uint64(chosen[c]) * worth[c]
        chosen[c] += 1
        if chosen[c] == down.shape[2]:
            c -= 1
            continue
        base += np.uint64(chosen[c]) * worth[c]
        for v in range(down.shape[1]):
            after = across[c, v, state[c]]
            if down[c, v, chosen[c]] != wanted[c] or after < 0:
                continue
            begin = first_from(keys, low[c], high[c], base)
            end = first_from(keys, begin, high[c], base + worth[c])
            if begin == end:
                continue
            value[c] = v
            if c + 1 < width:
                low[c + 1], high[c + 1], state[c + 1], chosen[c + 1] = begin, end, after, -1
                c += 1
            elif drawn < counts[begin]:
                return int(begin)
            else:
                drawn -= counts[begin]
            break
    return -1


def padded(tables: list[Ints]) -> Ints:
    """Tables of several cells as one array, filled up with DEAD."""
    most = max(table.shape[1] for table in tables)
    found = np.full((len(tables), tables[0].shape[0], most), DEAD, dtype=np.int64)
    for i, table in enumerate(tables):
        found[i, :, : table.shape[1]] = table
    return found


def digits_of(key: int, readers: list[Reader], row: int) -> list[int]:
    """Where each column is in the state ``key`` before ``row``."""
    digits = []
    for reader in reversed(readers):
        key, digit = divmod(key, len(reader.states[row]))
        digits.append(digit)
    return digits[::-1]


def rows_back(side: Side, last: Layer, at: int, chance: Chance) -> npt.NDArray[np.int64]:
    """The cells of the rows that lead to state ``at`` of a side's ``last`` layer, drawn; the first row first."""
    cells = np.zeros((side.row, side.width), dtype=np.int64)
    layers = [*side.kept[: side.row], last]
    for row in range(side.row - 1, -1, -1):
        behind, before = layers[row + 1], layers[row]
        sizes = side.sizes(row)
        worth = np.array([prod(sizes[c + 1 :]) for c in range(side.width)], dtype=np.uint64)
        wanted = np.array(digits_of(int(behind.keys[at]), side.down, row + 1), dtype=np.int64)
        drawn = np.uint64(chance.below_any(int(behind.counts[at])))
        down, across = padded([reader.step[row] for reader in side.down]), padded(side.across[row].step)
        scratch = [np.zeros(side.width + 1, dtype=np.int64) for _ in range(5)]
        at = back(*before, worth, wanted, down, across, drawn, *scratch)
        assert at >= 0
        cells[row] = scratch[1][: side.width]
    return cells


def pair_of(sweep: Sweep, drawn: int) -> tuple[int, int]:
    """The places, in their layers, of the pair of states to which the solution of number ``drawn`` belongs."""
    one, other, marks = sweep.parts[last_not_above([part.marks for part in sweep.parts], drawn)]
    low = last_not_above(list(marks.reshape(-1, 4)), drawn)
    drawn -= number_of(marks[4 * low : 4 * low + 4])
    for i in range(MARK * low, len(one.classes)):
        begin, end = np.searchsorted(other.classes, [one.classes[i], one.classes[i] + np.uint64(1)])
        fits = begin + np.flatnonzero((other.bares[begin:end] & one.bares[i]) == 0)
        many = [int(one.counts[i]) * number for number in other.counts[fits].tolist()]
        if drawn < sum(many):
            for j, number in zip(fits.tolist(), many, strict=True):
                if drawn < number:
                    return int(one.order[i]), int(other.order[j])
                drawn -= number
        drawn -= sum(many)
    raise AssertionError("there is no such solution")


def last_not_above(marks: Sequence[Words], drawn: int) -> int:
    """The last of the ``marks``, numbers of four words that grow, that is not above ``drawn``."""
    low, high = 0, len(marks)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if number_of(marks[middle][:4]) <= drawn else (low, middle)
    return low


def draw(sweep: Sweep, chance: Chance) -> npt.NDArray[np.uint8]:
    """A solution, shape (rows, columns). The sweep has kept its layers."""
    assert sweep.layers is not None
    above, below = pair_of(sweep, chance.below_any(sweep.solutions))
    upper = rows_back(sweep.above, sweep.layers[0], above, chance)
    lower = rows_back(sweep.below, sweep.layers[1], below, chance)
    cells = np.concatenate((upper, lower[::-1]))
    return (cells.T if sweep.turned else cells).astype(np.uint8)
