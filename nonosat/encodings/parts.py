"""What encodings are made of: named parts, and for each kind of puzzle how parts make a statement of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import lru_cache, partial
from typing import Any, ClassVar, NamedTuple

from nonosat import plugins
from nonosat.csp.flatten import all_different, linear
from nonosat.csp.model import CSP, AllDifferent, Differ, Linear, Precedes, Product
from nonosat.encodings import families
from nonosat.encodings.at_most_one import at_most_one
from nonosat.encodings.coupled import CoupledMap, compile_coupled
from nonosat.encodings.direct import DirectMap, SupportMap, compile_direct, compile_support
from nonosat.encodings.expand import compiled_by
from nonosat.encodings.formula import DomainMap
from nonosat.encodings.log import LogMap, compile_log
from nonosat.encodings.mixed import mixed
from nonosat.encodings.order import OrderMap, compile_order
from nonosat.errors import NonosatError, UnknownNameError, UnsupportedError
from nonosat.plugins import Record, Table

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
    slot has where a name says nothing of it, and what names leave out. ``state`` makes the CSP, ``state_for_cp`` that
    of CP solvers (None: the same). ``tested``: sound
    encodings that are tested as a whole; ``default``: the one to use if none is named. ``aliases``: other names of
    whole encodings. ``lists``: of encodings that people may want to know of, besides those.
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
    state_for_cp: Callable[[Any, Chosen], CSP] | None = None


# The integer encodings, which serve every kind of puzzle: one table; names, compiling and decoding follow from it.


SLOT = "integers"

COMMENTS = ("encoding", "puzzle", "board")
"""What the comments of a DIMACS file begin with, besides the words of maps."""


@dataclass(frozen=True)
class Integers(Part):
    """An integer encoding: ``make(csp)`` is its formula, ``map`` the class of the maps that decode it.

    A map that reads only what another's wrote (``coupled`` has the order's Booleans in front) has that one's ``kind``.
    ``key``: its word in the keys of runs, if that is not its name: records of an encoding keep their keys when it is
    renamed, and what has the old name now gets other keys than that had.
    """

    axis: ClassVar[str] = "integer encoding"

    slot: str = field(default=SLOT, init=False)
    _: KW_ONLY
    map: type[DomainMap]
    key: str = ""


def _fault(encoding: Integers, others: Mapping[str, Integers]) -> str | None:
    if encoding.name in WAYS:
        return "an encoding's name has that word for a way to state things"
    word = encoding.map.kind
    if word in ("", *COMMENTS) or not issubclass(encoding.map, _maps(others).get(word, encoding.map)):
        return f"its map needs a word of its own, not {word!r}"
    return None


AT_MOST_ONE, ALL_DIFFERENT, LINEAR = "at most one", "all different", "linear"

WAYS: dict[str, Part] = {
    part.name: part
    for part in (
        Part("pairwise", AT_MOST_ONE, at_most_one, "no two values; the default", "de Kleer, IJCAI 1989"),
        Part("sequential", AT_MOST_ONE, at_most_one, "a Boolean for the values up to each", "Sinz, CP 2005"),
        Part("ladder", AT_MOST_ONE, at_most_one, "the same, in both directions", "Gent & Nightingale 2004"),
        Part("product", AT_MOST_ONE, at_most_one, "one row and one column of a grid", "Chen, ModRef 2010"),
        Part(
            "commander", AT_MOST_ONE, at_most_one, "groups of three, one of which commands", "Klieber & Kwon, CFV 2007"
        ),
        Part("bitwise", AT_MOST_ONE, at_most_one, "a value's binary digits", "Prestwich 2003"),
        Part("pigeonhole", ALL_DIFFERENT, all_different, "no two, and the ends of the range; the default", TAMURA),
        Part("pairs", ALL_DIFFERENT, families.pairs, "no two have one value", "Walsh, CP 2000"),
        Part("channel", ALL_DIFFERENT, families.channel, "of a permutation, each value somewhere", "Hnich et al. 2004"),
        Part("sums", LINEAR, linear, "partial sums one by one; the default", TAMURA),
        Part(
            "totalizer", LINEAR, families.totalizer, "partial sums as a balanced tree", "Bailleux & Boufkhad, CP 2003"
        ),
        Part("mdd", LINEAR, families.mdd, "a path through a diagram of partial sums", "Abío & Stuckey, CP 2014"),
        Part("adder", LINEAR, families.adder, "the sum in binary, by adders", "Warners, IPL 68, 1998"),
    )
}
"""How encodings state what they all have to state, by names that may follow that of an integer encoding.

In each slot the first is the default. Where values exclude each other, ``AT_MOST_ONE`` is of
encodings with a Boolean a value.
"""

_FAMILIES: dict[str, tuple[type, ...]] = {ALL_DIFFERENT: (AllDifferent,), LINEAR: (Linear,)}
"""Which families of constraints a way states."""

WAY_SLOTS = tuple(dict.fromkeys(part.slot for part in WAYS.values()))


class IntegersTable(Table[Integers]):
    """The integer encodings by name, and by the names of those that are composed: ``order<=64,log``."""

    def __contains__(self, name: object) -> bool:
        if isinstance(name, str) and composed(name):
            return self._made(name) is not None
        return super().__contains__(name)

    def __getitem__(self, name: str) -> Integers:
        if not composed(name):
            return super().__getitem__(name)
        if (made := self._made(name)) is None:
            raise KeyError(name)
        return made

    def named(self, name: str) -> Integers:
        """The encoding of that name. UnknownNameError, UnsupportedError: there is none."""
        return _compose(name, plugins.changes()) if isinstance(name, str) and composed(name) else super().named(name)

    def _made(self, name: str) -> Integers | None:
        try:
            return self.named(name)
        except NonosatError:
            return None


def composed(name: str) -> bool:
    """Whether a name means several integer encodings, or one with the ways in which it states things."""
    return "," in name or "<" in name or "+" in name


@lru_cache(maxsize=100)
def _compose(name: str, _: int) -> Integers:
    """The encoding ``A<=LIMIT,B<=LIMIT,C+WAY+WAY``: domains of up to so many values are by A, ..., all others by C."""
    first, *words = name.split("+")
    members, limits = _members(name, first)
    ways: dict[str, str] = {}
    for word in words:
        if word not in WAYS:
            raise UnknownNameError("way to state constraints", word, list(WAYS))
        if WAYS[word].slot in ways:
            raise UnsupportedError(
                f"encoding {name!r} needs one way for {WAYS[word].slot}: {ways[WAYS[word].slot]}, {word}"
            )
        ways[WAYS[word].slot] = word
    kinds = [member.map for member in members]
    if (way := ways.get(AT_MOST_ONE, "pairwise")) != "pairwise":
        if not any(issubclass(kind, DirectMap) for kind in kinds):
            raise UnsupportedError(f"encoding {name!r}: {way} is for encodings with a Boolean a value: direct, support")
        kinds = [_with(kind, way) if issubclass(kind, DirectMap) else kind for kind in kinds]
    kind = mixed(kinds, limits) if limits else kinds[0]
    if kind is not members[0].map:
        kind.made_for = _map_of, written(first, words)
    chosen = [(family, WAYS[word]) for slot, word in ways.items() for family in _FAMILIES.get(slot, ())]
    restated = {family: way.make for family, way in chosen if way.make is not families.adder}
    written_so = {family: way.make for family, way in chosen if way.make is families.adder}
    if written_so:
        written_so |= {Product: families.multiplier, Precedes: families.comparator, Differ: families.unequal}
    keys = [member.key or member.name for member in members]
    pieces = [*(f"{key}<={limit}" for key, limit in zip(keys[:-1], limits, strict=True)), keys[-1]]
    about = [*(member.meaning for member in members), *(WAYS[word].meaning for word in words)]
    sources = [*(member.source for member in members), *(WAYS[word].source for word in words)]
    return Integers(
        written(first, words),
        partial(compiled_by, kind, restated=restated, written=written_so),
        "; ".join(about),
        "; ".join(dict.fromkeys(sources)),
        map=kind,
        key=written(",".join(pieces), words),
    )


def _map_of(encoding: str, *values: Any) -> DomainMap:
    """The map of an encoding with these fields."""
    return INTEGERS.named(encoding).map(*values)


def written(first: str, ways: Iterable[str]) -> str:
    """An integer encoding with some ways as names say it: in the order of slots, without those that need no name."""
    default = {part.slot: part.name for part in reversed(WAYS.values())}
    chosen = sorted((word for word in ways if default[WAYS[word].slot] != word), key=list(WAYS).index)
    return "+".join((first, *chosen))


def _members(name: str, first: str) -> tuple[list[Integers], list[int]]:
    """The encodings of a mixture, and the limits of all but the last."""
    members: list[Integers] = []
    limits: list[int] = []
    *pieces, last = first.split(",")
    for piece in pieces:
        word, at_most, limit = piece.partition("<=")
        if not at_most or not limit.isdecimal() or not limit.isascii() or len(limit) > 9:
            raise UnsupportedError(
                f"integer encoding {name!r}: expected ENCODING<=VALUES before a comma, not {piece!r}"
            )
        if int(limit) <= max(limits, default=0):
            raise UnsupportedError(f"integer encoding {name!r}: the limits must ascend from 1")
        members.append(INTEGERS.named(word))
        limits.append(int(limit))
    if "<" in last:
        raise UnsupportedError(f"integer encoding {name!r}: the last of its encodings has no limit: A<=64,B")
    return [*members, INTEGERS.named(last)], limits


def _with(kind: type[DomainMap], way: str) -> type[DomainMap]:
    """The maps of that kind whose values exclude each other in another way."""
    return type(kind.__name__, (kind,), {"at_most_one": way})


WIDE = "log+adder"
"""The encoding of large numbers: it takes digits where others take values."""

INTEGERS = IntegersTable(
    "integer encoding",
    Integers,
    (
        Integers("order", compile_order, "order encoding: a Boolean [v <= a] for each a", TAMURA, map=OrderMap),
        Integers(
            "direct",
            compile_direct,
            "direct encoding: a Boolean [v = a] for each a, conflicts",
            "Walsh, CP 2000",
            map=DirectMap,
            key="conflict",
        ),
        Integers(
            "support",
            compile_support,
            "support encoding: a Boolean [v = a] for each a, supports",
            "Gent, ECAI 2002",
            map=SupportMap,
            key="direct",
        ),
        Integers("log", compile_log, "log encoding: binary digits", "Iwama & Miyazaki 1994", map=LogMap),
        Integers(
            "coupled",
            compile_coupled,
            "order and direct, coupled",
            "Ohrimenko et al., Constraints 14, 2009",
            map=CoupledMap,
        ),
    ),
    _fault,
)


def maps() -> dict[str, type[DomainMap]]:
    """The maps by the word that their lines begin with; of several with one word the first, which decodes them all."""
    return _maps(INTEGERS)


def _maps(encodings: Mapping[str, Integers]) -> dict[str, type[DomainMap]]:
    found: dict[str, type[DomainMap]] = {}
    for encoding in encodings.values():
        found.setdefault(encoding.map.kind, encoding.map)
    return found
