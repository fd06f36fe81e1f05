"""The record of the generator of random boards that look like pictures; ``styles`` has its code."""

from __future__ import annotations

from typing import Any

from nonosat import references
from nonosat.files import printable
from nonosat.generators.density import DENSITY, SIZE, facts
from nonosat.generators.registry import Generator, Parameter

NAMES = ("blobs", "symmetric", "waves", "noise")


def style_of(value: Any) -> str:
    """The name of a style. ValueError: it is none.

    >>> style_of("waves")
    'waves'
    """
    if not isinstance(value, str) or value not in NAMES:
        raise ValueError(f"expected {', '.join(NAMES[:-1])} or {NAMES[-1]}, not {printable(repr(value), 20)}")
    return value


def _facts(size: tuple[int, int], shares: tuple[float, ...], style: str) -> dict[str, float]:
    return facts(size, shares)


GENERATOR = Generator(
    name="pictures",
    kind="nonogram",
    meaning="boards like pictures, in a style; a solution exists, perhaps several",
    parameters=(
        SIZE,
        DENSITY,
        Parameter(
            word="style",
            key="styles",
            metavar="NAME",
            meaning="blobs, symmetric, waves or noise",
            read=style_of,
            default="blobs",
        ),
    ),
    make="nonosat.generators.styles:of_style",
    facts=_facts,
    judge=references.JUDGE,
    repair=references.REPAIR,
    give=references.GIVE,
)
