"""Orderings of runs that are not what they may say they are: one says nothing, the other too much."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonosat.csp.model import Precedes


def nothing(runs: Any) -> Precedes:
    none = np.empty(0, dtype=np.int32)
    return Precedes(none, none, none)


def apart(runs: Any) -> Precedes:
    here = runs.with_next
    return Precedes(runs.start[here], runs.length[here] + 2, runs.start[here + 1])
