"""Random numbers: all that the package draws, from a seed alone, the same on every machine and with every numpy.

numpy promises to keep the raw stream of a bit generator, not what its ``Generator`` makes of it. So this is PCG64's raw
stream, and what is made of it is here, in arithmetic that is exact or that IEEE 754 prescribes to the last bit: no
logarithm, no cosine. Nothing else in the package draws (``tests/test_rng.py``). Random *names*, of temporary files,
are no numbers: those must differ every time.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from nonosat import errors

Floats = npt.NDArray[np.float64]

_DRAWN = 2**32
"""Seeds that are drawn lie below: they are short enough to be typed."""
_BITS = 53
"""Of a raw number's 64 bits, the upper ones are used: as many as a float holds."""
_HALF = 27
"""Products of 53 bits with a limit are made of two halves, so that they fit 64 bits; hence ``LARGEST``."""
LARGEST = 2**32


def new_seed() -> int:
    """An unpredictable seed, for what is to be different every time; its user should report it."""
    import secrets

    return secrets.randbelow(_DRAWN)


class Rng:
    """The stream of ``seed``; every draw takes the next raw numbers of it."""

    def __init__(self, seed: int) -> None:
        errors.check_whole(seed=seed)
        if seed < 0:
            raise errors.UnsupportedError(f"seed {seed}: seeds are not negative")
        self._stream = np.random.PCG64(seed)

    def raw(self, count: int) -> npt.NDArray[np.uint64]:
        """``count`` whole numbers of 64 bits.

        >>> Rng(7).raw(2).tolist()
        [11530976094092348043, 16550673365885938325]
        """
        drawn: npt.NDArray[np.uint64] = self._stream.random_raw(count)
        return drawn

    def uniforms(self, count: int) -> Floats:
        """``count`` numbers from 0 up to 1, multiples of 2**-53."""
        drawn: Floats = (self.raw(count) >> np.uint64(64 - _BITS)).astype(np.float64) / 2**_BITS
        return drawn

    def below(self, limit: int) -> int:
        """One of 0 .. ``limit`` - 1, all as likely as each other.

        That is ``raw * limit >> 53`` (the upper 53 bits of a raw number), unless it is one of the ``2**53 % limit``
        products that would make some numbers likelier; then the next raw number is taken (Lemire 2019).
        """
        if limit < 1:
            raise errors.UnsupportedError(f"random numbers below {limit}: there are none")
        rest = 2**_BITS % limit
        while True:
            product = (int(self._stream.random_raw()) >> 64 - _BITS) * limit
            if product & (2**_BITS - 1) >= rest:
                return product >> _BITS

    def below_any(self, limit: int) -> int:
        """As ``below``, for a limit of any size: so many raw bits are taken, and again while they are not below it."""
        if limit <= LARGEST:
            return self.below(limit)
        bits = (limit - 1).bit_length()
        words = -(-bits // 64)
        while True:
            drawn = 0
            for word in self.raw(words).tolist():
                drawn = drawn << 64 | word
            if (found := drawn >> 64 * words - bits) < limit:
                return found

    def many_below(self, limit: int, count: int) -> npt.NDArray[np.int64]:
        """What ``count`` calls of ``below`` give, for a limit up to ``LARGEST``."""
        if not 1 <= limit <= LARGEST:
            raise errors.UnsupportedError(f"random numbers below {limit}: the limit lies in 1..{LARGEST}")
        low = np.uint64(2**_HALF - 1)
        found: list[npt.NDArray[np.uint64]] = []
        left = count
        while left:
            drawn = self.raw(left) >> np.uint64(64 - _BITS)
            lower = (drawn & low) * np.uint64(limit)
            upper = (drawn >> np.uint64(_HALF)) * np.uint64(limit) + (lower >> np.uint64(_HALF))
            fraction = (upper & np.uint64(2 ** (_BITS - _HALF) - 1)) << np.uint64(_HALF) | lower & low
            found.append((upper >> np.uint64(_BITS - _HALF))[fraction >= 2**_BITS % limit])
            left -= len(found[-1])
        return np.concatenate(found).astype(np.int64) if found else np.zeros(0, dtype=np.int64)

    def shuffled(self, count: int) -> list[int]:
        """0 .. ``count`` - 1 in a random order (Fisher & Yates)."""
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def bells(self, count: int) -> Floats:
        """``count`` numbers of mean 0 and deviation 1, nearly normal, and none beyond 3.47 to either side.

        Each is the sum of four uniform numbers, the 16-bit quarters of one raw number: whole numbers, whose sum is
        exact; one division makes a float of it.
        """
        raw = self.raw(count)
        total = np.zeros(count, dtype=np.int64)
        for shift in (0, 16, 32, 48):
            total += (raw >> np.uint64(shift) & np.uint64(0xFFFF)).astype(np.int64)
        deviation = math.sqrt((2**32 - 1) / 3)  # of four numbers from 0 to 2**16 - 1
        return (total - 2 * 0xFFFF) / deviation
