"""The parts that encodings are made of, and the names that put them together.

An encoding is written as its parts, joined by ``+``. For nonograms: ``tight+r3+order`` (domain, orderings, channel,
integer encoding), or ``automaton+order`` (a line encoding, integer encoding); for skyscrapers
``permutation+visible+coupled`` (domain, lines, visibility, integer encoding). To add a part: write its function, list
it in its kind's ``parts.py``; the command line, the tests and the docs read these tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from nonosat.csp.model import CSP
from nonosat.encodings.formula import Formula
from nonosat.encodings.nonogram.parts import ENCODINGS, FIGURES, NONOGRAM, RELAXED, REPORT
from nonosat.encodings.parts import INTEGERS, Kind, Part
from nonosat.encodings.skyscrapers.parts import SKYSCRAPERS
from nonosat.errors import UnknownNameError, UnsupportedError
from nonosat.puzzles.puzzle import Puzzle

__all__ = [
    "DEFAULT",
    "ENCODINGS",
    "FIGURES",
    "KINDS",
    "PARTS",
    "RELAXED",
    "REPORT",
    "Encoding",
    "Part",
    "default_for",
    "encoding",
]

KINDS: dict[str, Kind] = {kind.name: kind for kind in (NONOGRAM, SKYSCRAPERS)}
PARTS: dict[str, Part] = {name: part for kind in KINDS.values() for name, part in kind.parts.items()} | INTEGERS
"""All parts by name; no two kinds have one of the same name."""

_KIND_OF = {name: kind for kind in KINDS.values() for name in kind.parts}
_INTEGERS = "order"

DEFAULT = NONOGRAM.default
"""For nonograms; ``default_for`` knows that of each kind."""


@dataclass(frozen=True)
class Encoding:
    """How a puzzle is stated and compiled: the names of its parts.

    ``kind``: of the puzzles that it is for; ``chosen``: (slot, names) for each slot of its form.
    """

    kind: str
    chosen: tuple[tuple[str, tuple[str, ...]], ...]
    integers: str

    def parts(self, slot: str) -> tuple[str, ...]:
        """The names of the parts in ``slot``; none if it has no such slot."""
        return dict(self.chosen).get(slot, ())

    @property
    def domain(self) -> str | None:
        """The part that says which values variables have."""
        return next(iter(self.parts("domain")), None)

    @property
    def ordering(self) -> tuple[str, ...]:
        """A nonogram's rules of how runs follow each other."""
        return self.parts("ordering")

    @property
    def channel(self) -> str | None:
        """What ties a nonogram's runs to its cells."""
        return next(iter(self.parts("channel")), None)

    @property
    def lines(self) -> str | None:
        """The part that states lines."""
        return next(iter(self.parts("lines")), None)

    @property
    def rules(self) -> str:
        """The part of the name that fixes the CSP: ``tight+r3``."""
        omitted = KINDS[self.kind].omitted
        return "+".join(name for slot, names in self.chosen for name in names if omitted.get(slot) != name)

    @property
    def name(self) -> str:
        """The whole name: ``tight+r3+order``."""
        return f"{self.rules}+{self.integers}"

    @property
    def sound(self) -> bool:
        """Whether every model is a solution: of the parts in each slot one must be sound, and none reverse it."""
        return all(any(PARTS[name].sound for name in names) for _, names in self.chosen)

    @property
    def complete(self) -> bool:
        """Whether every solution is a model."""
        return all(PARTS[name].complete for _, names in self.chosen for name in names)

    def refuse(self, kind: str) -> None:
        """UnsupportedError: this is no encoding of that kind of puzzles."""
        if kind != self.kind:
            raise UnsupportedError(f"encoding {self.rules} is for the puzzle {self.kind}, not for {kind}")

    def csp(self, puzzle: Puzzle) -> CSP:
        """The rules applied to ``puzzle``. UnsupportedError: they are those of another kind."""
        self.refuse(puzzle.kind)
        return KINDS[self.kind].state(puzzle, lambda slot: [PARTS[name].make for name in self.parts(slot)])

    def formula(self, puzzle: Puzzle) -> Formula:
        """The CNF of ``puzzle``, with the map that decodes it."""
        compiled: Formula = PARTS[self.integers].make(self.csp(puzzle))
        return compiled


def default_for(puzzle: Puzzle | str) -> str:
    """The encoding to use for a puzzle, or a kind of puzzles, if none is named."""
    return KINDS[puzzle if isinstance(puzzle, str) else puzzle.kind].default


@lru_cache(maxsize=1000)  # every solve asks
def encoding(name: str) -> Encoding:
    """The encoding called ``name``; what the name leaves out is the default (channel, integer encoding).

    The report's own are known by its rules' numbers too: ``2alt/3+4``.

    >>> encoding("tight+r3").name, encoding("2/5+6").name
    ('tight+r3+order', 'plain+r5+r6ends+iff+order')
    >>> encoding("tigth+r3")
    Traceback (most recent call last):
    nonosat.errors.UnknownNameError: unknown encoding part 'tigth'; known: plain, tight, r3, r4ends, ...
    """
    words = REPORT.get(name, name).split("+")
    slots: dict[str, list[str]] = {}
    for word in words:
        if word not in PARTS:
            raise UnknownNameError("encoding part", word, list(PARTS))
        if word in slots.setdefault(PARTS[word].slot, []):
            raise UnsupportedError(f"encoding {name!r} names {word} twice")
        slots[PARTS[word].slot].append(word)
    kinds = list(dict.fromkeys(_KIND_OF[word].name for word in words if word in _KIND_OF))
    if len(kinds) > 1:
        raise UnsupportedError(f"encoding {name!r} mixes parts for {kinds[0]} and for {kinds[1]}")
    kind = KINDS[kinds[0]] if kinds else NONOGRAM
    usual, *others = kind.forms
    form = next((other for other in others if any(slot in slots for slot in other)), usual)
    for slot, omitted in {**kind.omitted, "integers": _INTEGERS}.items():
        if slot in (*form, "integers"):
            slots.setdefault(slot, [omitted])
    for slot in (*form, "integers"):
        _check(name, kind, slot, slots.get(slot, []))
    for slot in usual:
        if slot not in form and slot in slots:
            whole = slots[form[0]][0]
            raise UnsupportedError(f"encoding {name!r}: {whole} states whole lines, {slots[slot][0]} has no place")
    return Encoding(kind.name, tuple((slot, tuple(slots[slot])) for slot in form), slots["integers"][0])


def _check(name: str, kind: Kind, slot: str, given: list[str]) -> None:
    if given and (len(given) == 1 or slot in kind.several):
        return
    wanted = "at least one" if slot in kind.several else "one"
    known: dict[str, Any] = INTEGERS if slot == "integers" else kind.parts
    choices = ", ".join(part for part, entry in known.items() if entry.slot == slot)
    raise UnsupportedError(f"encoding {name!r} needs {wanted} {slot}: {choices}")
