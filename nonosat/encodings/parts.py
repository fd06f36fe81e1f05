"""What encodings are made of: named parts, and for each kind of puzzle how parts make a statement of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from nonosat.csp.model import CSP
from nonosat.plugins import Record

TAMURA = "Tamura et al., Constraints 14, 2009"
OURS = "this project"

Chosen = Callable[[str], list[Callable[..., Any]]]
"""The functions of the parts that were chosen for a slot."""


@dataclass(frozen=True)
class Part(Record):
    """One named part. ``slot``: what it is for (domain, ordering, ..., integers); ``make``: its function.

    ``kind``: of the puzzles that it is for; one that stands in its kind's own table need not say.

    ``sound``: every model of an encoding with this part is a solution. A part that is not sound is a reading of a
    source's rules that lets wrong boards through; one that is not ``complete`` shuts out solutions too.
    """

    axis: ClassVar[str] = "encoding part"

    name: str
    slot: str
    make: Callable[..., Any]
    meaning: str
    source: str
    sound: bool = True
    complete: bool = True
    kind: str = ""


class Listed(NamedTuple):
    """A list of encodings, each with a line about it, by a ``title`` and what it ``means``."""

    title: str
    meaning: str
    encodings: dict[str, str]


@dataclass(frozen=True)
class Kind:
    """How puzzles of a kind are stated; ``parts`` are its own, and others may come from outside.

    ``forms``: each is the slots of a whole statement; the first is the usual one, and each of the others has slots of
    its own that leave no place for the first's. ``several``: slots that take more than one part. ``omitted``: what a
    slot has where a name says nothing of it, and what names leave out. ``state`` makes the CSP. ``tested``: sound
    encodings that are tested as a whole; ``default``: the one to use if none is named. ``aliases``: other names of
    whole encodings. ``lists``: of encodings that people may want to know of, beside those.
    """

    name: str
    parts: tuple[Part, ...]
    forms: tuple[tuple[str, ...], ...]
    state: Callable[[Any, Chosen], CSP]
    default: str
    tested: tuple[str, ...]
    several: frozenset[str] = frozenset()
    omitted: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    lists: tuple[Listed, ...] = ()
