"""Rule 2: where a run may start. Both give (lowest, highest) start of every run."""

from __future__ import annotations

import numpy as np

from nonosat.csp.model import Ints
from nonosat.encodings.nonogram.runs import Runs


def plain(runs: Runs) -> tuple[Ints, Ints]:
    """Rule 2: ``0 <= s_k <= n - T_k``: the run fits on its line."""
    return np.zeros(len(runs), dtype=np.int32), runs.size[runs.line] - runs.length


def tight(runs: Runs) -> tuple[Ints, Ints]:
    """Rule 2-alt: the runs before it and behind it fit too, with the blanks between them."""
    before = _sums_before(runs)
    total = before[runs.first[1:][runs.line]]
    lowest = before[:-1] - before[runs.first[runs.line]]
    return lowest, runs.size[runs.line] - (total - before[:-1])


def _sums_before(runs: Runs) -> Ints:
    """Per run, and once at the end: the length of all runs before it in the table, and of the blanks behind them."""
    return np.concatenate(([0], np.cumsum(runs.length + runs.gap))).astype(np.int32)
