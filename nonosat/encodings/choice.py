"""Which integer encoding a model has if none is named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from nonosat.csp.flatten import by_width
from nonosat.csp.model import CSP, AllDifferent, Linear, Product
from nonosat.encodings.parts import WIDE

USUAL = "order"
MOST = 2**22
"""Booleans and clauses below which domains, sums, products and all-differents are encoded by ``order``."""
LARGE = 64
"""A sum or product is one of large domains if both of what it joins have so many values."""
MOST_OF_LARGE = 2**19
"""Clauses below which sums and products of large domains are encoded by ``order``.

In ``experiments/crossover`` they are 0.5 to 2.7 million at 256 values, where ``log+adder`` takes 0.05 to 0.52 of the
time; at 32 values it is no faster.
"""

_Sizes: TypeAlias = npt.NDArray[np.floating[Any]]


def chosen(csp: CSP) -> str:
    """``order``, or ``log+adder``, which goes by digits, where sums and products over large domains are many clauses.

    >>> from nonosat.csp.build import Builder
    >>> m = Builder()
    >>> m.linear([(1, m.integer("x", 0, 10**4)), (1, m.integer("y", 0, 10**4)), (1, m.integer("z", 0, 10**4))], "<=", 9)
    >>> chosen(m.csp())
    'log+adder'
    """
    size = csp.sizes().astype(np.float64)  # nothing overflows
    clauses, of_large = float(size.sum()), 0.0
    for family in csp.constraints:
        if isinstance(family, AllDifferent):
            for group in family.each() if len(family.ends) else ():
                clauses += len(group) * float(size[group].sum()) / 2
        for one, other in _joined(family, size, csp):
            made = one * other
            clauses += float(made.sum())
            of_large += float(made[np.minimum(one, other) >= LARGE].sum())
    return USUAL if clauses < MOST and of_large < MOST_OF_LARGE else WIDE


def _joined(family: Any, size: _Sizes, csp: CSP) -> Iterator[tuple[_Sizes, _Sizes]]:
    """How many values the two have that each partial sum or product joins: about as many clauses as their product."""
    if isinstance(family, Product):
        yield from [(size[family.left], size[family.right])] * 2  # from below and from above
        return
    widths = np.diff(family.ends, prepend=0) if isinstance(family, Linear) else np.empty(0)
    if not widths.any():
        return
    steps = np.abs(family.coefficients.astype(np.float64)) * (size[family.variables] - 1)
    begins = (family.ends - widths)[widths > 0]
    totals, largest = np.add.reduceat(steps, begins), np.maximum.reduceat(size[family.variables], begins)
    if float(((totals + 1) * largest * widths[widths > 0]).sum()) <= MOST_OF_LARGE / 4:
        return  # few, at the most
    for some in by_width(family):
        width = some.variables.shape[1]
        sizes, a = size[some.variables], some.coefficients.astype(np.float64)
        if width == 2:
            yield sizes.min(axis=1), np.ones(len(sizes))
        elif width == 3:
            two = np.sort(sizes, axis=1)
            yield two[:, 0], two[:, 1]
        elif width > 3:
            low, high = csp.lower.astype(np.float64)[some.variables], csp.upper.astype(np.float64)[some.variables]
            most = some.bounds - np.minimum(a * low, a * high).sum(axis=1)
            need = np.maximum(a * low, a * high).sum(axis=1) - some.bounds
            left = np.maximum(np.minimum(most, need), 0)[:, np.newaxis]
            partial = np.minimum(np.cumsum(np.abs(a) * (sizes - 1), axis=1), left) + 1
            yield partial[:, :-1], sizes[:, 1:]
