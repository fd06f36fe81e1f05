"""What a formula can be: a comparison, a gate over formulas, or pairwise different values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Formula: TypeAlias = int
TRUE: Formula = 1
FALSE: Formula = -1


@dataclass(frozen=True)
class AtMost:
    """``variable <= bound``, which the variable's domain does not settle."""

    variable: int
    bound: int


@dataclass(frozen=True)
class Sum:
    """``sum(a * v) <= bound`` for the terms (v, a): two at least, no common divisor, the first coefficient positive."""

    terms: tuple[tuple[int, int], ...]
    bound: int


@dataclass(frozen=True)
class All:
    """Every one of ``parts``."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Same:
    """``left`` exactly if ``right``."""

    left: Formula
    right: Formula


@dataclass(frozen=True)
class Different:
    """The variables have pairwise different values."""

    variables: tuple[int, ...]


Node: TypeAlias = AtMost | Sum | All | Same | Different
