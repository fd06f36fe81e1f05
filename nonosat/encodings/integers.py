"""The integer encodings, which serve every kind of puzzle: one table; names, compiling and decoding follow from it."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from nonosat.encodings.coupled import CoupledMap, compile_coupled
from nonosat.encodings.direct import DirectMap, compile_direct
from nonosat.encodings.formula import DomainMap
from nonosat.encodings.log import LogMap, compile_log
from nonosat.encodings.order import OrderMap, compile_order
from nonosat.encodings.parts import TAMURA, Part
from nonosat.errors import UnsupportedError

SLOT = "integers"

COMMENTS = ("encoding", "puzzle", "board")
"""What the comments of a DIMACS file begin with, beside the words of maps."""


@dataclass(frozen=True)
class Integers(Part):
    """An integer encoding: ``make(csp)`` is its formula, ``map`` the class of the maps that decode it.

    A map that reads only what another's wrote (``coupled`` has the order's Booleans in front) has that one's ``kind``.
    """

    _: KW_ONLY
    map: type[DomainMap]


INTEGERS: dict[str, Integers] = {
    "order": Integers(SLOT, compile_order, "order encoding: a Boolean [v <= a] a value", TAMURA, map=OrderMap),
    "direct": Integers(
        SLOT, compile_direct, "direct encoding: a Boolean [v = a] a value, supports", "Gent, ECAI 2002", map=DirectMap
    ),
    "log": Integers(SLOT, compile_log, "log encoding: binary digits", "Iwama & Miyazaki 1994", map=LogMap),
    "coupled": Integers(
        SLOT,
        compile_coupled,
        "order and direct, coupled",
        "Ohrimenko et al., Constraints 14, 2009",
        map=CoupledMap,
    ),
}
"""The first is the one that is meant where none is said."""


def register(name: str, encoding: Integers) -> None:
    """Add an integer encoding to the table. UnsupportedError: its name, or the word of its map, is another's."""
    if INTEGERS.get(name, encoding) is not encoding:
        raise UnsupportedError(f"there is an integer encoding {name} already")
    word = encoding.map.kind
    if word in ("", *COMMENTS) or not issubclass(encoding.map, maps().get(word, encoding.map)):
        raise UnsupportedError(f"integer encoding {name}: its map needs a word of its own, not {word!r}")
    INTEGERS[name] = encoding


def maps() -> dict[str, type[DomainMap]]:
    """The maps by the word that their lines begin with; of several with one word the first, which decodes them all."""
    found: dict[str, type[DomainMap]] = {}
    for encoding in INTEGERS.values():
        found.setdefault(encoding.map.kind, encoding.map)
    return found
