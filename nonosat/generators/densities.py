"""Which density has the boards that are wanted? Found by trying some, since no formula tells how hard a board is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any

from nonosat.generators.rejection import Judge

if TYPE_CHECKING:
    from nonosat.generators.registry import Generator

TRIED = tuple(percent / 100 for percent in range(20, 85, 5))
"""Shares of filled cells, of all colours together."""
EACH = 20
"""Boards of each density, at most."""
PATIENCE_S = 20.0
"""Seconds in all: this is advice, and not what was asked for."""


def advice(
    generator: Generator, texts: Sequence[str], wanted: Judge[Any], show: Callable[[str], None] = lambda text: None
) -> str:
    """At which densities boards like those of ``texts`` are ``wanted``, as the end of an error; "": no density is told.

    ``show`` is told what goes on.
    """
    places = [place for place, parameter in enumerate(generator.parameters) if parameter.word == "density"]
    if not places:
        return ""
    tries = {told: [0, 0] for told in _others(generator, texts, places[0])}
    begin = monotonic()
    for seed in range(EACH):
        for told, counts in tries.items():
            if monotonic() - begin > PATIENCE_S:
                return _told(tries)
            show(f"looking for a density that has such boards: {told}")
            board = generator.puzzle([*texts[: places[0]], told, *texts[places[0] + 1 :]], seed)
            counts[0] += bool(wanted(board))
            counts[1] += 1
    return _told(tries)


def _others(generator: Generator, texts: Sequence[str], place: int) -> Iterator[str]:
    """The densities to try as names tell them, with the colours in the same proportions."""
    parameter = generator.parameters[place]
    shares = parameter.read(texts[place])
    total = sum(shares) or 1.0
    for share in TRIED:
        yield parameter.told(tuple(round(each / total * share, 6) if sum(shares) else share for each in shares))


def _told(tries: dict[str, list[int]]) -> str:
    found = sorted(((found / of, told) for told, (found, of) in tries.items() if found), reverse=True)
    if not found:
        least = min(of for _, of in tries.values())
        return f"; nor is one of {least} each at densities from {TRIED[0]:g} to {TRIED[-1]:g}" if least else ""
    best = ", ".join("{} of {} at --density {}".format(*tries[told], told) for _, told in found[:3])
    return f"; of other boards of this size {best}"
