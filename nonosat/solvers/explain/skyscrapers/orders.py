"""The orders in which a line's towers can stand, by a dynamic program from the highest tower down.

Of the towers from height h up, the one on the far left and the one on the far right say how many are seen from either
end: a tower is seen from the left if all higher ones stand to its right. So the places that are taken, and how many
are seen from the ends that have a clue, are all that matters for those to come.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

State = tuple[int, int, int]
"""The places that are taken (bits), and how many towers are seen from the front and from the back (0: no clue)."""

STATES = 400_000
"""Of a line, at most: some seconds. Longer lines with hardly anything known are given up."""


class Orders(NamedTuple):
    """``possible``: for each cell its heights in some order, all empty if there is none; ``number``: of the orders.

    ``layers[k]``: by state after k towers the number of orders of the rest. ``complete``: nothing was given up.
    """

    possible: tuple[int, ...]
    number: int
    layers: tuple[dict[State, int], ...]
    complete: bool = True

    def some(self, most: int, places: tuple[int, ...], front: int, back: int) -> Iterator[tuple[int, ...]]:
        """The first ``most`` orders; ``places``: see ``orders``."""
        size = len(places)
        todo: list[tuple[State, tuple[int, ...]]] = [((0, 0, 0), (0,) * size)] if self.number else []
        while todo and most:
            state, line = todo.pop()
            done = state[0].bit_count()
            if done == size:
                most -= 1
                yield line
                continue
            for cell, after in reversed(list(_after(state, places[size - 1 - done], size, front, back))):
                if after in self.layers[done + 1]:
                    todo.append((after, (*line[:cell], size - done, *line[cell + 1 :])))


@lru_cache(maxsize=60_000)
def orders(cells: tuple[int, ...], front: int, back: int) -> Orders:
    """All orders with which cells have heights that they can have, and clues (0: none) are right.

    >>> found = orders((0b111, 0b111, 0b111), 2, 0)
    >>> found.number, [bin(one) for one in found.possible]
    (3, ['0b11', '0b101', '0b111'])
    >>> list(found.some(9, places((0b111,) * 3), 2, 0))
    [(2, 3, 1), (1, 3, 2), (2, 1, 3)]
    """
    size = len(cells)
    where = places(cells)
    layers: list[dict[State, int]] = [{(0, 0, 0): 0}]
    states = 0
    for height in range(size, 0, -1):
        following: dict[State, int] = {}
        for state in layers[-1]:
            for _, after in _after(state, where[height - 1], size, front, back):
                following[after] = 0
        states += len(following)
        if states > STATES:
            return Orders(cells, 1 << 62, (), complete=False)
        layers.append(following)
    return _counted(layers, where, front, back)


def _counted(layers: list[dict[State, int]], where: tuple[int, ...], front: int, back: int) -> Orders:
    """Backwards: how many orders of the rest there are, and the heights of those that come to an end."""
    size = len(where)
    possible = [0] * size
    for state in layers[-1]:
        if state[1:] == (front, back):
            layers[-1][state] = 1
    for done in range(size - 1, -1, -1):
        height, behind = size - done, layers[done + 1]
        for state in layers[done]:
            ways = 0
            for cell, after in _after(state, where[height - 1], size, front, back):
                if more := behind[after]:
                    ways += more
                    possible[cell] |= 1 << height - 1
            layers[done][state] = ways
    kept = tuple({state: ways for state, ways in layer.items() if ways} for layer in layers)
    return Orders(tuple(possible), layers[0][0, 0, 0], kept)


def places(cells: tuple[int, ...]) -> tuple[int, ...]:
    """For each height the cells that can have it."""
    return tuple(sum((cell >> h & 1) << i for i, cell in enumerate(cells)) for h in range(len(cells)))


def _after(state: State, where: int, size: int, front: int, back: int) -> Iterator[tuple[int, State]]:
    """The cells where the next tower can stand, and the states after that; those that no clue can come of are left out.

    Left of all higher towers it is seen from the front; as many more can be seen as there are cells left of it.
    """
    taken, left, right = state
    low, high = taken & -taken, 1 << taken.bit_length() >> 1
    free = where & ~taken
    while free:
        bit = free & -free
        free ^= bit
        first, last = bit < low or not taken, bit > high
        ahead, behind = left + (first and front > 0), right + (last and back > 0)
        if front and not ahead <= front <= ahead + (bit if first else low).bit_length() - 1:
            continue
        if back and not behind <= back <= behind + size - (bit if last else high).bit_length():
            continue
        yield bit.bit_length() - 1, (taken | bit, ahead, behind)
