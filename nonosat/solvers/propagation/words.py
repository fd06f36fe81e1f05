"""Numbers for words of 64 bits, in compiled code: there, a literal would be a type of its own."""

from __future__ import annotations

import numpy as np

Word = np.uint64

ZERO, ONE, TWO, FOUR = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(4)
EIGHT, SIXTEEN, HALF, FULL = np.uint64(8), np.uint64(16), np.uint64(32), np.uint64(64)
LAST = np.uint64(63)
"""The highest bit's place."""
