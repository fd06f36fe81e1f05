"""Two machine instructions that numba's Python lacks, for compiled code."""

from __future__ import annotations

import numpy as np

from nonosat.solvers.compiled import instruction


@instruction("cttz")
def lowest(word: np.uint64) -> int:
    """The index of the lowest set bit of ``word``, which is not 0."""
    return (int(word) & -int(word)).bit_length() - 1


@instruction("ctpop")
def population(word: np.uint64) -> int:
    """How many bits of ``word`` are set."""
    return int(word).bit_count()
