"""What auxiliaries mean, for those who prove something about the puzzle (``certificates/``); solvers never ask.

A *quantity* is a variable of the CSP, by its number, or something else that the puzzle's statement tells of, by its
name: ``h_0_1``, where run 1 of row 0 starts. A rule that makes auxiliaries says what they mean by ``Meanings`` among
the constraints; their entries are made when they are needed, and not before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

Quantity: TypeAlias = int | str


class Within(NamedTuple):
    """``low <= quantity <= high``; None: no such bound."""

    quantity: Quantity
    low: int | None = None
    high: int | None = None


class MeaningTerm(NamedTuple):
    """``coefficient * quantity``, which has values from ``low`` to ``high``."""

    coefficient: int
    quantity: Quantity
    low: int
    high: int


@dataclass(frozen=True)
class Means:
    """The 0/1 variable ``variable`` is 1 iff all the conditions hold."""

    variable: Quantity
    conditions: Sequence[Within]


@dataclass(frozen=True)
class SumMeaning:
    """``quantity`` is the sum of the ``terms``; a name that nothing has yet is a new quantity.

    The CSP's variable may have a narrower domain: it is the sum, moved into it.
    """

    quantity: Quantity
    terms: Sequence[MeaningTerm]


@dataclass(frozen=True)
class AtMostMeaning:
    """The sum of the ``terms`` is at most ``bound``: the statement says so in a line, or in several that add up."""

    terms: Sequence[MeaningTerm]
    bound: int


@dataclass(frozen=True)
class Pigeonhole:
    """One of the ``quantities`` has none of the ``values``: there are more of them than values.

    The statement says of each value that no two of them have it. ``values`` ascend; no domain has others in between,
    but for ``but``, which is a value that is left.
    """

    quantities: Sequence[Quantity]
    values: Sequence[int]
    but: int | None = None


@dataclass(frozen=True)
class LemmaMeaning:
    """Where all of ``given`` hold, all of some member of ``then`` do.

    It follows from the statement and the lemmas before it by unit propagation, and helps to see what follows later.
    """

    given: Sequence[Within]
    then: Sequence[Sequence[Within]]


Entry: TypeAlias = Means | SumMeaning | AtMostMeaning | Pigeonhole | LemmaMeaning


@dataclass(frozen=True, eq=False)
class Meanings:
    """A family among the constraints that requires nothing: ``entries()`` are what proofs need to know, in order."""

    entries: Callable[[], Iterable[Entry]]

    def holds(self, values: Any) -> bool:
        """See ``Constraint.holds``: whatever the values."""
        return True
