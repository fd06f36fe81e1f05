"""Sums of products of words, exactly; compiled."""

from __future__ import annotations

import numpy as np

from nonosat.solvers.arrays import Words, WordTable
from nonosat.solvers.compiled import compiled, inlined

HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
ONE, ZERO = np.uint64(1), np.uint64(0)
STRETCH = 4096
"""Products that are added up to one sum."""


@inlined
def upper(a: np.uint64, b: np.uint64) -> np.uint64:
    """The upper word of a product."""
    a1, a0, b1, b0 = a >> HALF, a & LOW, b >> HALF, b & LOW
    p01, p10 = a0 * b1, a1 * b0
    middle = ((a0 * b0) >> HALF) + (p01 & LOW) + (p10 & LOW)
    return a1 * b1 + (p01 >> HALF) + (p10 >> HALF) + (middle >> HALF)


@compiled
def products(one: Words, other: Words, first: int, sums: WordTable) -> None:
    """The sums of the products of each STRETCH of two arrays, from the ``first`` stretch on: three words, low first."""
    for s in range(len(sums)):
        low = middle = high = ZERO
        begin = (first + s) * STRETCH
        for i in range(begin, min(begin + STRETCH, len(one))):
            a, b = one[i], other[i]
            if a != ZERO and b != ZERO:
                bottom, top = a * b, upper(a, b)
                low += bottom
                top += ONE if low < bottom else ZERO  # no overflow: the upper half of a product is less than NEVER
                middle += top
                high += ONE if middle < top else ZERO
        sums[s, 0], sums[s, 1], sums[s, 2] = low, middle, high


def sums_of(one: Words, other: Words, first: int, stretches: int) -> list[int]:
    """The same as Python's numbers, of so many ``stretches``, or what is left."""
    stretches = min(stretches, -(-len(one) // STRETCH) - first)
    sums = np.zeros((stretches, 3), dtype=np.uint64)
    products(one, other, first, sums)
    return [low + (middle << 64) + (high << 128) for low, middle, high in sums.tolist()]
