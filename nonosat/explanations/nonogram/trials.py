"""What is asked of the compiled line solver, and what it says: importing this loads no compiled code."""

from __future__ import annotations

from typing import NamedTuple

ASSUMED, PROBED, TOGETHER, EXCLUDED, NONE_LEFT = range(5)
"""The ways of a trial, as ``propagation.restricted`` has them."""


class ValueTrial(NamedTuple):
    """A value of a cell that is refuted or shown, by ``way``. ``split``: a cell whose values are tried then, or -1."""

    row: int
    column: int
    value: int
    split: int = -1
    way: int = ASSUMED


class RefutingLines(NamedTuple):
    """``lines`` refute (or show) a trial, and each of them is needed; ``proved``: fewer do not."""

    trial: ValueTrial
    lines: tuple[int, ...]
    proved: bool = False
