"""Numbers for words of 64 bits, in compiled code: there, a literal would be a type of its own."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import numpy.typing as npt

from nonosat.compiled import instruction

# The types of what compiled searches work on; the number is an array's dimensions, where they are more than one.


Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
IntTable = Annotated[npt.NDArray[np.int64], 2]
IntCube = Annotated[npt.NDArray[np.int64], 3]
WordTable = Annotated[npt.NDArray[np.uint64], 2]
WordCube = Annotated[npt.NDArray[np.uint64], 3]
ByteTable = Annotated[npt.NDArray[np.uint8], 2]
FloatTable = Annotated[npt.NDArray[np.float64], 2]
Int = int | np.int64


Word = np.uint64

ZERO, ONE, TWO, FOUR = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(4)
EIGHT, SIXTEEN, HALF, FULL = np.uint64(8), np.uint64(16), np.uint64(32), np.uint64(64)
LAST = np.uint64(63)
"""The highest bit's place."""


# Machine instructions that numba's Python lacks, for compiled code.


@instruction("cttz")
def lowest(word: np.uint64) -> int:
    """The index of the lowest set bit of ``word``; 64, if it is 0."""
    return (int(word) & -int(word)).bit_length() - 1 if word else 64


@instruction("ctlz")
def leading_zeros(word: np.uint64) -> int:
    """How many bits are above the highest set bit of ``word``; 64, if it is 0."""
    return 64 - int(word).bit_length()


@instruction("ctpop")
def population(word: np.uint64) -> int:
    """How many bits of ``word`` are set."""
    return int(word).bit_count()


@instruction("bitreverse")
def mirrored(word: np.uint64) -> np.uint64:
    """``word`` with its bits in the opposite order."""
    return np.uint64(int(f"{int(word):064b}"[::-1], 2))
