"""The parts that encodings are made of, and the names that put them together.

An encoding is written as its parts, joined by ``+``: ``tight+r3+order``. To add a part: write its function, list it
here; the command line, the tests and the docs read this table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nonosat.csp.model import CSP
from nonosat.encodings.formula import Formula
from nonosat.encodings.nonogram import channels, domains, ordering
from nonosat.encodings.nonogram.rules import state
from nonosat.encodings.order import compile_order
from nonosat.errors import UnknownNameError, UnsupportedError
from nonosat.puzzles.nonogram import Nonogram

CASTILHO = "Castilho & Welter 2018"
TAMURA = "Tamura et al., Constraints 14, 2009"


@dataclass(frozen=True)
class Part:
    """One named part. ``slot``: domain, ordering, channel or integers; ``make``: its function."""

    slot: str
    make: Callable[..., Any]
    meaning: str
    source: str


PARTS: dict[str, Part] = {
    "plain": Part("domain", domains.plain, "rule 2: a run fits on its line", CASTILHO),
    "tight": Part("domain", domains.tight, "rule 2-alt: so do the runs before and behind it", CASTILHO),
    "r3": Part("ordering", ordering.rule_3, "rule 3: run k is before run k+1", CASTILHO),
    "gaps": Part("channel", channels.gaps, "a cell is blank exactly between consecutive runs", "this project"),
    "order": Part("integers", compile_order, "order encoding: a Boolean [v <= a] a value", TAMURA),
}

ENCODINGS: tuple[str, ...] = ("tight+r3+order", "plain+r3+order")
"""The encodings that have been studied; any other combination of parts can be written out too."""

DEFAULT = "tight+r3+order"
_DEFAULT_PARTS = {"channel": "gaps", "integers": "order"}


@dataclass(frozen=True)
class Encoding:
    """How a puzzle is stated and compiled: the names of its parts."""

    domain: str
    ordering: tuple[str, ...]
    channel: str
    integers: str

    @property
    def rules(self) -> str:
        """The part of the name that fixes the CSP: ``tight+r3``."""
        channel = () if self.channel == _DEFAULT_PARTS["channel"] else (self.channel,)
        return "+".join((self.domain, *self.ordering, *channel))

    @property
    def name(self) -> str:
        """The whole name: ``tight+r3+order``."""
        return f"{self.rules}+{self.integers}"

    def csp(self, puzzle: Nonogram) -> CSP:
        """The rules applied to ``puzzle``."""
        orderings = [PARTS[name].make for name in self.ordering]
        return state(puzzle, PARTS[self.domain].make, orderings, PARTS[self.channel].make)

    def formula(self, puzzle: Nonogram) -> Formula:
        """The CNF of ``puzzle``, with the map that decodes it."""
        compiled: Formula = PARTS[self.integers].make(self.csp(puzzle))
        return compiled


def encoding(name: str) -> Encoding:
    """The encoding called ``name``; a channel or integer encoding that the name leaves out is the default one.

    >>> encoding("tight+r3").name
    'tight+r3+order'
    >>> encoding("tigth+r3")
    Traceback (most recent call last):
    nonosat.errors.UnknownNameError: unknown encoding part 'tigth'; known: plain, tight, r3, gaps, order
    """
    slots: dict[str, list[str]] = {"domain": [], "ordering": [], "channel": [], "integers": []}
    for part in name.split("+"):
        if part not in PARTS:
            raise UnknownNameError("encoding part", part, list(PARTS))
        slots[PARTS[part].slot].append(part)
    for slot, default in _DEFAULT_PARTS.items():
        slots[slot] = slots[slot] or [default]
    for slot, parts in slots.items():
        if not parts or (len(parts) > 1 and slot != "ordering"):
            choices = ", ".join(part for part, entry in PARTS.items() if entry.slot == slot)
            raise UnsupportedError(f"encoding {name!r} needs {'a' if not parts else 'one'} {slot}: {choices}")
    return Encoding(slots["domain"][0], tuple(slots["ordering"]), slots["channel"][0], slots["integers"][0])
