"""A CNF and the map that decodes it, which travel together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from nonosat.csp.model import Block, Ints
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
    """``cnf``, the ``map`` of the CSP's variables into it, the variables that make up the ``board``, and all names."""

    cnf: CNF
    map: VariableMap
    board: Ints
    blocks: tuple[Block, ...] = ()

    def without_clauses(self) -> Formula:
        """What is needed to decode models and to rule them out; the clauses of a large formula weigh hundreds of MB."""
        empty = CNF(self.cnf.variables, np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int64))
        return replace(self, cnf=empty)

    def names(self) -> list[str]:
        """The names of the CSP's variables, in order."""
        return [name for block in self.blocks for name in block.names()]

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
