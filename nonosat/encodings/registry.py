"""The parts that encodings are made of, and the names that put them together.

An encoding is written as its parts, joined by ``+``. For nonograms: ``tight+r3+order`` (domain, orderings, channel,
integer encoding), or ``automaton+order`` (a line encoding, integer encoding); for skyscrapers
``permutation+visible+coupled`` (domain, lines, visibility, integer encoding); for models, which state themselves,
``order`` (integer encoding). To add a part: write its function, list it in ``PARTS`` of its kind's file, an integer
encoding in ``INTEGERS`` of ``parts.py``. What is here follows from these tables and from that of the kinds of puzzle,
at any time; the command line, the tests and the docs read it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from nonosat import plugins
from nonosat.csp.model import CSP
from nonosat.encodings.formula import Formula
from nonosat.encodings.parts import INTEGERS, SLOT, WAY_SLOTS, WAYS, Integers, Kind, Part, composed, written
from nonosat.errors import NonosatError, UnknownNameError, UnsupportedError, wrong_type
from nonosat.plugins import DerivedTable
from nonosat.puzzles import puzzle as kinds
from nonosat.puzzles.puzzle import Puzzle


def _kinds() -> dict[str, Kind]:
    return {kind.name: kind.encodings for kind in kinds.KINDS.known().values() if kind.has("encodings")}


def _parts() -> dict[str, Part]:
    found: dict[str, Part] = {}
    for kind in KINDS.known().values():
        for name, part in parts_of(kind).items():
            if name in INTEGERS.known():
                clash = f"two parts of encodings are called {name}, one of them for {kind.name}"
                raise NonosatError(f"{_brought(part) or _brought(INTEGERS[name])}{clash}")
            found.setdefault(name, part)
    return found | INTEGERS.known() | {name: way for name, way in WAYS.items() if name not in found}


KINDS = DerivedTable("kind of puzzle with encodings", _kinds)
"""How puzzles of each kind are stated, if they have encodings."""

PARTS = DerivedTable("encoding part", _parts)
"""All parts by name; of several kinds' the first kind's: ``part_of`` knows that of each."""


def parts_of(kind: Kind) -> dict[str, Part]:
    """The parts of a kind's encodings by name: its own, and those from outside; integer encodings are for any kind."""
    found: dict[str, Part] = {}
    for part in (*kind.parts, *_outside(kind)):
        if found.get(part.name, part) is not part:
            raise NonosatError(f"{_brought(part)}two parts of encodings for {kind.name} are called {part.name}")
        found[part.name] = part
    return found


def part_of(kind: str, name: str) -> Part:
    """The part of that name for a kind of puzzle, or the integer encoding. KeyError: it has none."""
    own = {} if kind == MODEL else parts_of(KINDS[kind])
    if name in own:
        return own[name]
    return WAYS[name] if name in WAYS else INTEGERS.named(name) if composed(name) else PARTS[name]


def _outside(kind: Kind) -> Iterator[Part]:
    """The rules that plug-ins bring for a kind. NonosatError: one is for no kind, or for a slot that its kind lacks."""
    slots = {slot for form in kind.forms for slot in form}
    for part, _ in plugins.outside(Part):
        if isinstance(part, Integers):
            continue
        if part.kind not in kinds.KINDS.known():
            raise NonosatError(f"{_brought(part)}encoding part {part.name}: there is no kind of puzzle {part.kind!r}")
        if part.kind == kind.name:
            if part.slot not in slots:
                known = ", ".join(sorted(slots))
                raise NonosatError(
                    f"{_brought(part)}encoding part {part.name}: {kind.name} has no slot {part.slot!r}: {known}"
                )
            yield part


def _brought(part: Part) -> str:
    plugin = plugins.origin(part)
    return "" if plugin is None else f"plug-in {plugin.name}: "


# The first look at the table loads the parts of every kind: now, and not when a run's clock is ticking.
DEFAULT = KINDS[kinds.KINDS.first().name].default
"""For the default kind of puzzle; ``default_for`` knows that of each kind."""


MODEL = "model"
"""What stands for a kind of puzzle where models are encoded and studied."""


@dataclass(frozen=True)
class Encoding:
    """How a puzzle or a model is stated and compiled: the names of its parts.

    ``kind``: of the puzzles that it is for, or ``MODEL``; ``chosen``: (slot, names) for each slot of its form, which
    is nothing for models: they state themselves.
    """

    kind: str
    chosen: tuple[tuple[str, tuple[str, ...]], ...]
    integers: str
    """The integer encoding, with the ways in which it states things: ``support+ladder``."""

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
        """The part of the name that fixes the CSP: ``tight+r3``; nothing for models."""
        omitted = KINDS[self.kind].omitted if self.chosen else {}
        return "+".join(name for slot, names in self.chosen for name in names if omitted.get(slot) != name)

    @property
    def name(self) -> str:
        """The whole name: ``tight+r3+order``."""
        return "+".join(filter(None, (self.rules, self.integers)))

    @property
    def key(self) -> str:
        """What the keys of runs say of it: its name, with the word by which its integer encoding was first known."""
        return "+".join(filter(None, (self.rules, INTEGERS[self.integers].key or self.integers)))

    @property
    def sound(self) -> bool:
        """Whether every model is a solution: of the parts in each slot one must be sound, and none reverse it."""
        return all(any(part_of(self.kind, name).sound for name in names) for _, names in self.chosen)

    @property
    def complete(self) -> bool:
        """Whether every solution is a model."""
        return all(part_of(self.kind, name).complete for _, names in self.chosen for name in names)

    def refuse(self, kind: str) -> None:
        """UnsupportedError: this is no encoding of that kind of puzzles."""
        if kind == self.kind:
            return
        if MODEL in (kind, self.kind):
            own = "the name of an integer encoding alone" if kind == MODEL else f"such as {default_for(kind)}"
            raise UnsupportedError(f"encoding {self.name} is for {_things(self.kind)}, not for {_things(kind)}: {own}")
        raise UnsupportedError(f"encoding {self.rules} is for the puzzle {self.kind}, not for {kind}")

    def csp(self, puzzle: Any, for_cp: bool = False) -> CSP:
        """The rules applied to ``puzzle``; of a model its ``csp``. UnsupportedError: they are those of another kind.

        ``for_cp``: as CP solvers get it.
        """
        self.refuse(puzzle.kind)
        if self.kind == MODEL:
            stated: CSP = puzzle.csp
            return stated
        kind = KINDS[self.kind]
        state = kind.state if kind.state_for_cp is None or not for_cp else kind.state_for_cp
        return state(puzzle, lambda slot: [part_of(self.kind, name).make for name in self.parts(slot)])

    def formula(self, puzzle: Any) -> Formula:
        """The CNF of ``puzzle``, with the map that decodes it."""
        compiled: Formula = INTEGERS[self.integers].make(self.csp(puzzle))
        return compiled


def _things(kind: str) -> str:
    return "models" if kind == MODEL else f"the puzzle {kind}"


def default_for(puzzle: Puzzle | str) -> str:
    """The encoding to use for a puzzle, or a kind of puzzles, if none is named."""
    kind = kinds.kind_of(puzzle)
    if not kind.has("encodings"):
        raise UnsupportedError(f"the puzzle {kind.name} has no encodings")
    default: str = kind.encodings.default
    return default


def encoding_of(puzzle: Puzzle, named: str | Encoding | None = None) -> Encoding:
    """The encoding called so for ``puzzle``; None: its kind's default. UnsupportedError: it is for another kind.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> encoding_of(Nonogram.from_lengths([[1]], [[1]]), "plain+r3").name
    'plain+r3+order'
    """
    found = encoding(default_for(puzzle) if named is None else named, puzzle.kind)
    found.refuse(puzzle.kind)
    return found


def encoding(name: str | Encoding, kind: str = "") -> Encoding:
    """The encoding called ``name``; what the name leaves out is the default (channel, integer encoding).

    One that is an encoding already is given back.

    ``kind``: the preferred puzzles, if several kinds have parts of these names; without it, those of the first.
    The name of an integer encoding alone is an encoding of models, unless a kind of puzzle is preferred. The report's
    own are known by its rules' numbers too: ``2alt/3+4``.

    >>> encoding("tight+r3").name, encoding("2/5+6").name
    ('tight+r3+order', 'plain+r5+r6ends+iff+order')
    >>> encoding("order<=64,log").kind
    'model'
    >>> encoding("tigth+r3")
    Traceback (most recent call last):
    nonosat.errors.UnknownNameError: unknown encoding part 'tigth'; known: plain, tight, r3, r4ends, ...
    """
    if isinstance(name, Encoding):
        return name
    if not isinstance(name, str):
        raise wrong_type("the name of an encoding", name)
    return _encoding(name, kind, plugins.changes())


@lru_cache(maxsize=1000)  # every solve asks
def _encoding(name: str, preferred: str, _: int) -> Encoding:
    if preferred == MODEL:
        return Encoding(MODEL, (), INTEGERS.named(name).name)
    words = _written_out(name, preferred).split("+")
    if not preferred and all(word in WAYS or word in INTEGERS for word in words) and words[0] not in WAYS:
        return Encoding(MODEL, (), INTEGERS.named(name).name)
    kind = _kind(name, words, preferred)
    slots = _slots(name, words, kind)
    usual, *others = kind.forms
    form = next((other for other in others if any(slot in slots for slot in other)), usual)
    for slot, omitted in {**_only(kind), **kind.omitted, SLOT: INTEGERS.first().name}.items():
        if slot in (*form, SLOT):
            slots.setdefault(slot, [omitted])
    ways = [slot for slot in WAY_SLOTS if slot in slots]
    for slot in (*form, SLOT, *ways):
        _check(name, kind, slot, slots.get(slot, []))
    for slot in usual:
        if slot not in form and slot in slots:
            whole = slots[form[0]][0]
            raise UnsupportedError(f"encoding {name!r}: {whole} states whole lines, {slots[slot][0]} has no place")
    integers = written(slots[SLOT][0], [slots[slot][0] for slot in ways])
    INTEGERS.named(integers)  # or it is refused
    return Encoding(kind.name, tuple((slot, tuple(slots[slot])) for slot in form), integers)


def _written_out(name: str, preferred: str) -> str:
    """``name`` by its parts, if it is another name of an encoding."""
    if any(word not in PARTS.known() and word not in WAYS and not composed(word) for word in name.split("+")):
        for kinds_now in (KINDS.known(), KINDS):  # what is here, then what can be found
            for kind in sorted(kinds_now.values(), key=lambda kind: kind.name != preferred):
                if name in kind.aliases:
                    return kind.aliases[name]
    return name


def _slots(name: str, words: list[str], kind: Kind) -> dict[str, list[str]]:
    """The ``words`` of an encoding by what they are for."""
    slots: dict[str, list[str]] = {}
    for word in words:
        slot = part_of(kind.name, word).slot
        if word in slots.setdefault(slot, []):
            raise UnsupportedError(f"encoding {name!r} names {word} twice")
        slots[slot].append(word)
    return slots


def _kind(name: str, words: list[str], preferred: str) -> Kind:
    """The kind of puzzle that ``words`` are for: ``preferred``, if it has them, or the first that has."""
    every = sorted(KINDS.known().values(), key=lambda kind: kind.name != preferred)
    having = []
    for word in words:
        own = [kind for kind in every if word in parts_of(kind)]
        if own or not (word in WAYS or composed(word) or isinstance(_named(word, preferred), Integers)):
            having.append([*own, *(kind for kind in every if word in WAYS and kind not in own)])
    if not having:
        return KINDS[preferred if preferred in KINDS.known() else kinds.KINDS.first().name]
    for kind in having[0]:
        if all(kind in others for others in having):
            return kind
    one = having[0][0]
    other = next(others[0] for others in having if one not in others)
    raise UnsupportedError(f"encoding {name!r} mixes parts for {one.name} and for {other.name}")


def _named(word: str, preferred: str) -> Part:
    """The part of that name. UnknownNameError: there is none; it lists those that are for ``preferred``."""
    try:
        return PARTS.named(word)
    except UnknownNameError as error:
        own = {**parts_of(KINDS[preferred]), **INTEGERS, **WAYS} if preferred in KINDS else error.known
        known = [name for name in error.known if name in own]
        raise UnknownNameError(error.kind, word, known, error.note) from None


def _only(kind: Kind) -> dict[str, str]:
    """The part of each slot that has but one, as the rules of kinds that are stated as a model."""
    slots = Counter(part.slot for part in parts_of(kind).values())
    return {part.slot: name for name, part in parts_of(kind).items() if slots[part.slot] == 1}


def _check(name: str, kind: Kind, slot: str, given: list[str]) -> None:
    if given and (len(given) == 1 or slot in kind.several):
        return
    wanted = "at least one" if slot in kind.several else "one"
    known: Mapping[str, Part] = INTEGERS if slot == SLOT else WAYS if slot in WAY_SLOTS else parts_of(kind)
    choices = ", ".join(part for part, entry in known.items() if entry.slot == slot)
    whole = next((each for each in kind.tested if set(name.split("+")) <= set(each.split("+"))), kind.default)
    raise UnsupportedError(f"encoding {name!r} needs {wanted} {slot}: {choices}; a whole name is {whole}")
