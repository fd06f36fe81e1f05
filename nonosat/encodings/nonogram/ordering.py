"""Rules 3 to 6: how the runs of a line follow each other."""

from __future__ import annotations

from nonosat.csp.model import Constraint, Precedes
from nonosat.encodings.nonogram.runs import Runs


def rule_3(runs: Runs) -> Constraint:
    """``s_k + T_k + gap_k <= s_{k+1}``: run k is before run k + 1, with a blank between runs of one colour."""
    here = runs.has_next
    return Precedes(runs.start[here], (runs.length + runs.gap)[here], runs.start[here + 1])
