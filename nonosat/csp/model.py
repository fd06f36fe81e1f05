"""A finite CSP as data: integer variables with bounds, and columnar families of constraints over them.

Every family is a few integer arrays, one entry (or one slice) a constraint, so that a compiler turns a whole family
into clauses with array code. Each family can also say which assignments satisfy it (``holds``): slowly, from its
definition, sharing nothing with any compiler; the tests compare the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int32]

NEVER = -(2**29)
"""A bound below every domain: ``x <= NEVER`` is false, ``x >= NEVER`` true. ``-NEVER`` is above every domain."""


def ints(values: npt.ArrayLike) -> Ints:
    """``values`` as an int32 array."""
    return np.asarray(values, dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Comparison:
    """A column of comparisons ``variable <= bound`` (or ``variable >= bound``), entry i for clause i."""

    variables: Ints
    bounds: Ints
    at_least: bool = False

    def truth(self, values: Ints) -> npt.NDArray[np.bool_]:
        """Which of the comparisons are true under the assignment ``values``."""
        chosen = values[self.variables]
        return chosen >= self.bounds if self.at_least else chosen <= self.bounds


def at_most(variables: npt.ArrayLike, bounds: npt.ArrayLike) -> Comparison:
    """The comparisons ``variable <= bound``."""
    return Comparison(ints(variables), ints(bounds))


def at_least(variables: npt.ArrayLike, bounds: npt.ArrayLike) -> Comparison:
    """The comparisons ``variable >= bound``."""
    return Comparison(ints(variables), ints(bounds), at_least=True)


class Constraint(Protocol):
    """One family of constraints."""

    def holds(self, values: Ints) -> bool:
        """Whether the assignment ``values`` (one value a variable of the CSP) satisfies the whole family."""


@dataclass(frozen=True, eq=False)
class Clauses:
    """Clauses of comparisons: clause i is the disjunction of entry i of every column."""

    columns: tuple[Comparison, ...]

    def holds(self, values: Ints) -> bool:
        """See ``Constraint.holds``."""
        return bool(np.logical_or.reduce([column.truth(values) for column in self.columns]).all())


@dataclass(frozen=True, eq=False)
class Precedes:
    """``before[i] + distance[i] <= after[i]``: a thing of that length, and the thing behind it."""

    before: Ints
    distance: Ints
    after: Ints

    def holds(self, values: Ints) -> bool:
        """See ``Constraint.holds``."""
        return bool((values[self.before] + self.distance <= values[self.after]).all())


@dataclass(frozen=True, eq=False)
class Linear:
    """``sum(coefficient * variable) <= bound``; constraint i has the terms ``ends[i-1]:ends[i]``."""

    coefficients: Ints
    variables: Ints
    ends: Ints
    bounds: Ints

    def each(self) -> Iterator[tuple[Ints, Ints, int]]:
        """Every constraint as (coefficients, variables, bound)."""
        start = 0
        for end, bound in zip(self.ends.tolist(), self.bounds.tolist(), strict=True):
            yield self.coefficients[start:end], self.variables[start:end], bound
            start = end

    def holds(self, values: Ints) -> bool:
        """See ``Constraint.holds``."""
        return all(int((a * values[v]).sum()) <= bound for a, v, bound in self.each())


@dataclass(frozen=True, eq=False)
class AllDifferent:
    """The variables of each group have pairwise different values; group i is ``ends[i-1]:ends[i]``."""

    variables: Ints
    ends: Ints

    def each(self) -> Iterator[Ints]:
        """Every group of variables."""
        start = 0
        for end in self.ends.tolist():
            yield self.variables[start:end]
            start = end

    def holds(self, values: Ints) -> bool:
        """See ``Constraint.holds``."""
        return all(len(set(values[group].tolist())) == len(group) for group in self.each())


@dataclass(frozen=True, eq=False)
class Block:
    """Named neighbours: variable ``first + i`` is called by ``name`` and row i of ``index``: ``x_3_4``."""

    name: str
    first: int
    index: Ints

    def names(self) -> list[str]:
        """The names of the block's variables, in order."""
        return ["_".join((self.name, *map(str, index))) for index in self.index.tolist()]


@dataclass(frozen=True, eq=False)
class CSP:
    """Variables ``lower[v] <= v <= upper[v]``, constraints, and the variables that make up the answer's board.

    ``board`` has the shape of the puzzle's board and holds variables; ``blocks`` name all variables, in order.
    """

    lower: Ints
    upper: Ints
    constraints: tuple[Constraint, ...]
    board: Ints
    blocks: tuple[Block, ...] = ()

    def __len__(self) -> int:
        return len(self.lower)

    def names(self) -> list[str]:
        """One name a variable."""
        return [name for block in self.blocks for name in block.names()]

    def holds(self, values: Ints) -> bool:
        """Whether the assignment ``values`` is within the domains and satisfies every constraint."""
        inside = bool(((values >= self.lower) & (values <= self.upper)).all())
        return inside and all(constraint.holds(values) for constraint in self.constraints)


def ranges(starts: Ints, stops: Ints) -> tuple[npt.NDArray[np.intp], Ints]:
    """The concatenation of ``range(starts[i], stops[i])``: (which i each entry belongs to, the entries).

    >>> owner, value = ranges(ints([2, 7, 5]), ints([4, 7, 6]))
    >>> owner.tolist(), value.tolist()
    ([0, 0, 2], [2, 3, 5])
    """
    counts = np.maximum(stops - starts, 0)
    owner = np.repeat(np.arange(len(counts)), counts)
    before = np.cumsum(counts) - counts
    return owner, np.arange(len(owner), dtype=np.int32) + (starts - before).astype(np.int32)[owner]
