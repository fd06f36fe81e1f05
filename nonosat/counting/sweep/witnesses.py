"""Known solutions as witnesses: they show that some states of columns go together, without a question to a solver."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled
from nonosat.compiled.words import ONE, ZERO, Bytes, ByteTable, Ints, Words

MOST, MOST_BYTES = 1 << 15, 1 << 26
"""Witnesses that are kept at most, and bytes for their states."""


@compiled
def read_states(cells: ByteTable, steps: Ints, values: int, most: int, states: ByteTable) -> None:
    """Write the state of each column in each layer of a solution to ``states[layer, column]``.

    ``steps[((column * rows + row) * values + value) * most + state]``: the state behind a row.
    """
    rows, columns = cells.shape[0], cells.shape[1]
    for c in range(columns):
        state = 0
        states[0, c] = 0
        for r in range(rows):
            state = steps[((c * rows + r) * values + cells[r, c]) * most + state]
            states[r + 1, c] = state


AT_LEAST, AT_MOST = range(2)
"""The sides of a bound on a column's state."""


@compiled
def enter(states: ByteTable, first: int, last: int, having: Words, most: int, words: int) -> None:
    """Enter the witnesses ``first`` .. ``last`` - 1, in which column c is in ``states[witness, c]``."""
    for i in range(first, last):
        word, bit = i >> 6, ONE << np.uint64(i & 63)
        for c in range(states.shape[1]):
            for state in range(most):
                if state <= states[i, c]:
                    having[((c * most + state) * 2 + AT_LEAST) * words + word] |= bit
                if state >= states[i, c]:
                    having[((c * most + state) * 2 + AT_MOST) * words + word] |= bit


@compiled
def mark_needed(having: Words, words: int, bounds: Ints, needed: Bytes) -> None:
    """Mark those of two or more ``bounds`` without which some witness has all others."""
    for w in range(words):
        once, twice = ZERO, ZERO
        for j in range(len(bounds)):
            missing = ~having[bounds[j] * words + w]
            twice |= once & missing
            once |= missing
        one = once & ~twice
        if one != ZERO:
            for j in range(len(bounds)):
                if one & ~having[bounds[j] * words + w] != ZERO:
                    needed[j] = 1


class Witnesses:
    """The states that ``width`` columns have in each of so many ``layers`` of known solutions; ``most`` of a column.

    A bound on a column's state has the number ``(column * most + state) * 2 + side``: it is AT_LEAST or AT_MOST this
    state. ``having[bound * words ..]``: the witnesses that have it in ``layer``, as bits.
    """

    def __init__(self, layers: int, width: int, most: int) -> None:
        self.width, self.most = width, most
        self.room = max(64, min(MOST, MOST_BYTES // (layers * width)))
        self.states = np.zeros((64, layers, width), dtype=np.uint8)
        self.used = self.words = 0
        self.layer = -1
        self.here = np.zeros((0, width), dtype=np.uint8)
        self.having = np.zeros(0, dtype=np.uint64)

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        return self.states.nbytes + self.here.nbytes + self.having.nbytes

    def add(self, states: npt.NDArray[np.uint8]) -> None:
        """Add a solution with ``states[layer, column]``, if there is room."""
        if self.used == self.room:
            return
        if self.used == len(self.states):
            self.states = np.concatenate((self.states, np.zeros_like(self.states)))
            if self.layer >= 0:
                self.look_at(self.layer)
        self.states[self.used] = states
        self.used += 1
        if self.layer >= 0:
            self.here[self.used - 1] = states[self.layer]
            enter(self.here, self.used - 1, self.used, self.having, self.most, self.words)

    def look_at(self, layer: int) -> None:
        """Questions are about this layer from now on."""
        self.layer, self.here = layer, np.ascontiguousarray(self.states[:, layer])
        self.words = len(self.here) // 64
        self.having = np.zeros(2 * self.width * self.most * self.words, dtype=np.uint64)
        enter(self.here, 0, self.used, self.having, self.most, self.words)

    def needed(self, bounds: list[int]) -> list[int]:
        """Of each of the ``bounds``: 1 if some witness has all others but not this one.

        >>> witnesses = Witnesses(layers=1, width=3, most=2)
        >>> witnesses.look_at(0)
        >>> witnesses.add(np.array([[0, 1, 1]], dtype=np.uint8))
        >>> bounds = [(c * 2 + 1) * 2 + AT_LEAST for c in range(3)]
        >>> witnesses.needed(bounds), witnesses.needed([1, *bounds[1:]])
        ([1, 0, 0], [0, 0, 0])
        """
        needed = np.zeros(len(bounds), dtype=np.uint8)
        mark_needed(self.having, self.words, np.array(bounds, dtype=np.int64), needed)
        found: list[int] = needed.tolist()
        return found
