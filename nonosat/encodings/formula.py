"""A CNF and the map that decodes it, which travel together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from nonosat.csp.model import Ints
from nonosat.encodings.cnf import CNF


class VariableMap(Protocol):
    """How an integer encoding's Booleans stand for integer variables."""

    def decode(self, true: npt.NDArray[np.bool_], variables: Ints) -> Ints:
        """The values of ``variables`` (any shape) in an assignment: ``true[b]`` for Boolean b, entry 0 unused."""

    def differ(self, variables: Ints, values: Ints) -> list[int]:
        """The clause that ``variables`` do not all have ``values``."""

    def lines(self, names: list[str]) -> list[str]:
        """The map as lines of text, one integer variable each."""


@dataclass(frozen=True, eq=False)
class Formula:
    """``cnf``, the ``map`` of the CSP's variables into it, and the variables that make up the ``board``."""

    cnf: CNF
    map: VariableMap
    board: Ints
    names: Callable[[], list[str]]

    def cells(self, model: npt.ArrayLike) -> npt.NDArray[np.uint8]:
        """The board's values in a model: its literals, in any order. Booleans that it leaves open count as false."""
        literals = np.asarray(model, dtype=np.int64)
        true = np.zeros(self.cnf.variables + 1, dtype=bool)
        positive = literals[literals > 0]
        true[positive[positive <= self.cnf.variables]] = True
        return self.map.decode(true, self.board).astype(np.uint8)

    def block(self, cells: npt.NDArray[np.uint8]) -> list[int]:
        """The clause that rules out the board ``cells`` and nothing else."""
        return self.map.differ(self.board.reshape(-1), cells.reshape(-1).astype(np.int32))
