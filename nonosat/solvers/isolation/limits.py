"""What a run may use at most."""

from __future__ import annotations

import math
from dataclasses import dataclass

from nonosat.errors import NonosatError


class LimitError(NonosatError, ValueError):
    """A limit that is not a positive, finite number."""


@dataclass(frozen=True)
class Limits:
    """``wall_s``, ``cpu_s``: seconds; ``memory_mb``: resident memory of the solving process, MiB. None: no limit.

    Memory counts all that is resident in the solving process, the interpreter and its modules too (some 50 MiB with
    python-sat, 150 with OR-Tools), and in all processes that the search has started; they end with it.
    """

    wall_s: float | None = None
    memory_mb: float | None = None
    cpu_s: float | None = None

    def __post_init__(self) -> None:
        named = (("time limit", self.wall_s), ("CPU limit", self.cpu_s), ("memory limit", self.memory_mb))
        for name, value in named:
            if value is not None and not (math.isfinite(value) and value > 0):
                raise LimitError(f"the {name} must be a positive number, not {value}")
