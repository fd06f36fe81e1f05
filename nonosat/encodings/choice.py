"""Which integer encoding a model has if none is named."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from nonosat.csp.flatten import by_width
from nonosat.csp.model import CSP, AllDifferent, Linear, Product
from nonosat.encodings.parts import WIDE

USUAL = "order"
MOST = 2**22
"""Booleans and clauses up to which domains, sums, products and all-differents are encoded by ``order``."""


def chosen(csp: CSP) -> str:
    """``order``, unless that would be over ``MOST`` Booleans and clauses; then ``log+adder``, which goes by digits.

    >>> from nonosat.csp.build import Builder
    >>> m = Builder()
    >>> m.linear([(1, m.integer("x", 0, 10**4)), (1, m.integer("y", 0, 10**4)), (1, m.integer("z", 0, 10**4))], "<=", 9)
    >>> chosen(m.csp())
    'log+adder'
    """
    size = csp.sizes().astype(np.float64)  # nothing overflows
    clauses = float(size.sum())
    for family in csp.constraints:
        match family:
            case Linear():
                clauses += _of_sums(family, size, csp)
            case Product():
                clauses += 2 * float((size[family.left] * size[family.right]).sum())
            case AllDifferent():
                for group in family.each() if len(family.ends) else ():
                    clauses += len(group) * float(size[group].sum()) / 2
    return USUAL if clauses <= MOST else WIDE


def _of_sums(family: Linear, size: npt.NDArray[np.floating[Any]], csp: CSP) -> float:
    """About how many clauses the sums are, with partial sums one by one; 0 where that is few at the most."""
    widths = np.diff(family.ends, prepend=0)
    if not widths.any():
        return 0.0
    steps = np.abs(family.coefficients.astype(np.float64)) * (size[family.variables] - 1)
    begins = (family.ends - widths)[widths > 0]
    totals, largest = np.add.reduceat(steps, begins), np.maximum.reduceat(size[family.variables], begins)
    if float(((totals + 1) * largest * widths[widths > 0]).sum()) <= MOST / 4:
        return 0.0
    found = 0.0
    for some in by_width(family):
        width = some.variables.shape[1]
        if width < 2:
            continue
        sizes, a = size[some.variables], some.coefficients.astype(np.float64)
        if width < 4:
            found += float(np.sort(sizes, axis=1)[:, :-1].prod(axis=1).sum())
            continue
        low, high = csp.lower.astype(np.float64)[some.variables], csp.upper.astype(np.float64)[some.variables]
        most = some.bounds - np.minimum(a * low, a * high).sum(axis=1)
        need = np.maximum(a * low, a * high).sum(axis=1) - some.bounds
        left = np.maximum(np.minimum(most, need), 0)[:, np.newaxis]
        partial = np.minimum(np.cumsum(np.abs(a) * (sizes - 1), axis=1), left) + 1
        found += float((partial[:, :-1] * sizes[:, 1:]).sum())
    return found
