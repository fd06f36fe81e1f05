"""Rules 3 to 6: how the runs of a line follow each other. Every rule is a family of precedences between starts.

T is a run's length; the gap between two runs is 1 if they have one colour and 0 otherwise, in every rule. Rules 4 and
6 of the report have three readings: what its prose says (*ends*), what its formula says (*printed*), and what was
probably meant (*mirrored*). The first two are no sound rules of the puzzle; they are here because the report may have
measured one of them.
"""

from __future__ import annotations

import numpy as np

from nonosat.csp.model import Constraint, Ints, Precedes, ints, ranges
from nonosat.encodings.nonogram.runs import Runs


def rule_3(runs: Runs) -> Constraint:
    """``s_k + T_k + gap <= s_{k+1}``: run k is before run k + 1, with a blank between runs of one colour."""
    return _before(runs, *_neighbours(runs))


def rule_4_ends(runs: Runs) -> Constraint:
    """``s_k + T_k + gap <= s_{k+1} + T_{k+1}``: run k ends before run k + 1 ends. Runs may overlap: a relaxation."""
    return _ends_before(runs, *_neighbours(runs))


def rule_4_printed(runs: Runs) -> Constraint:
    """``s_{k+1} + T_k + gap <= s_k``: as printed, ``(> h_k (+ h_{k+1} T))``. The order is reversed."""
    return _behind(runs, *_neighbours(runs))


def rule_4_mirrored(runs: Runs) -> Constraint:
    """``s_{k+1} >= s_k + T_k + gap``: rule 3, written from the other side."""
    return rule_3(runs)


def rule_5(runs: Runs) -> Constraint:
    """``s_i + T_i + gap <= s_j`` for all i < j of a line: the closure of rule 3."""
    return _before(runs, *_pairs(runs))


def rule_6_ends(runs: Runs) -> Constraint:
    """Rule 4 (ends) for all i < j of a line."""
    return _ends_before(runs, *_pairs(runs))


def rule_6_printed(runs: Runs) -> Constraint:
    """Rule 4 (printed) for all i < j of a line."""
    return _behind(runs, *_pairs(runs))


def rule_6_mirrored(runs: Runs) -> Constraint:
    """Rule 4 (mirrored) for all i < j of a line, which is rule 5."""
    return rule_5(runs)


def accumulated(runs: Runs) -> Constraint:
    """``s_i + (lengths and gaps from i to j - 1) <= s_j`` for all i < j: what rule 3 implies; the report lacks it."""
    i, j = _pairs(runs)
    before = np.concatenate(([0], np.cumsum(runs.length + runs.gap)))
    return Precedes(runs.start[i], (before[j] - before[i]).astype(np.int32), runs.start[j])


def _neighbours(runs: Runs) -> tuple[Ints, Ints]:
    """Each run that has one behind it on its line, and that one."""
    here = runs.has_next
    return here, here + np.int32(1)


def _pairs(runs: Runs) -> tuple[Ints, Ints]:
    """All pairs of runs i < j of a line."""
    every = np.arange(len(runs), dtype=np.int32)
    i, j = ranges(every + 1, runs.first[runs.line + 1])
    return i.astype(np.int32), j


def _gap(runs: Runs, i: Ints, j: Ints) -> Ints:
    return ints(runs.colour[i] == runs.colour[j])


def _before(runs: Runs, i: Ints, j: Ints) -> Precedes:
    return Precedes(runs.start[i], runs.length[i] + _gap(runs, i, j), runs.start[j])


def _ends_before(runs: Runs, i: Ints, j: Ints) -> Precedes:
    return Precedes(runs.start[i], runs.length[i] + _gap(runs, i, j) - runs.length[j], runs.start[j])


def _behind(runs: Runs, i: Ints, j: Ints) -> Precedes:
    return Precedes(runs.start[j], runs.length[i] + _gap(runs, i, j), runs.start[i])
