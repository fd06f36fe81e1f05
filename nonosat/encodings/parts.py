"""What encodings are made of: named parts, and for each kind of puzzle how parts make a statement of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nonosat.csp.model import CSP

TAMURA = "Tamura et al., Constraints 14, 2009"
OURS = "this project"

Chosen = Callable[[str], list[Callable[..., Any]]]
"""The functions of the parts that were chosen for a slot."""


@dataclass(frozen=True)
class Part:
    """One named part. ``slot``: what it is for (domain, ordering, ..., integers); ``make``: its function.

    ``sound``: every model of an encoding with this part is a solution. A part that is not sound is a reading of a
    source's rules that lets wrong boards through; one that is not ``complete`` shuts out solutions too.
    """

    slot: str
    make: Callable[..., Any]
    meaning: str
    source: str
    sound: bool = True
    complete: bool = True


@dataclass(frozen=True)
class Kind:
    """How puzzles of a kind are stated.

    ``forms``: each is the slots of a whole statement; the first is the usual one, and each of the others has slots of
    its own that leave no place for the first's. ``several``: slots that take more than one part. ``omitted``: what a
    slot has where a name says nothing of it, and what names leave out. ``state`` makes the CSP. ``tested``: sound
    encodings that are tested as a whole; ``default``: the one to use if none is named. ``aliases``: other names of
    whole encodings.
    """

    name: str
    parts: dict[str, Part]
    forms: tuple[tuple[str, ...], ...]
    state: Callable[[Any, Chosen], CSP]
    default: str
    tested: tuple[str, ...]
    several: frozenset[str] = frozenset()
    omitted: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
