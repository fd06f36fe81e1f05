"""The integer encodings, which serve every kind of puzzle: one table; names, compiling and decoding follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import ClassVar

from nonosat.encodings.coupled import CoupledMap, compile_coupled
from nonosat.encodings.direct import DirectMap, compile_direct
from nonosat.encodings.formula import DomainMap
from nonosat.encodings.log import LogMap, compile_log
from nonosat.encodings.order import OrderMap, compile_order
from nonosat.encodings.parts import TAMURA, Part
from nonosat.tables import Table

SLOT = "integers"

COMMENTS = ("encoding", "puzzle", "board")
"""What the comments of a DIMACS file begin with, beside the words of maps."""


@dataclass(frozen=True)
class Integers(Part):
    """An integer encoding: ``make(csp)`` is its formula, ``map`` the class of the maps that decode it.

    A map that reads only what another's wrote (``coupled`` has the order's Booleans in front) has that one's ``kind``.
    """

    axis: ClassVar[str] = "integer encoding"

    slot: str = field(default=SLOT, init=False)
    _: KW_ONLY
    map: type[DomainMap]


def _fault(encoding: Integers, others: Mapping[str, Integers]) -> str | None:
    word = encoding.map.kind
    if word in ("", *COMMENTS) or not issubclass(encoding.map, _maps(others).get(word, encoding.map)):
        return f"its map needs a word of its own, not {word!r}"
    return None


INTEGERS = Table(
    "integer encoding",
    Integers,
    (
        Integers("order", compile_order, "order encoding: a Boolean [v <= a] a value", TAMURA, map=OrderMap),
        Integers(
            "direct",
            compile_direct,
            "direct encoding: a Boolean [v = a] a value, supports",
            "Gent, ECAI 2002",
            map=DirectMap,
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
