"""What is asked of the compiled line solver, and what it says: importing this loads no compiled code."""

from __future__ import annotations

from typing import NamedTuple


class Trial(NamedTuple):
    """A value is assumed of a cell. ``split``: a cell whose values are then tried, or -1; ``probing``: 1, of all."""

    row: int
    column: int
    value: int
    split: int = -1
    probing: int = 0


class Refuted(NamedTuple):
    """``lines`` refute a trial, and each of them is needed; ``proved``: fewer do not."""

    trial: Trial
    lines: tuple[int, ...]
    proved: bool = False
