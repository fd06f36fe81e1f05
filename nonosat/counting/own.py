"""What counts a kind of puzzle without a formula, as a record that its kind names."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any

from nonosat.references import Code

Events = Iterator[Any]


@dataclass(frozen=True, eq=False)
class Own:
    """Searches of a kind's own, as generators of events; fields take the function, or ``"module:name"`` for later.

    ``count(puzzle, who)``: all solutions, exactly (``who``: see ``count.COUNTERS``). ``estimate(puzzle)``: how many
    there may be. ``sample(puzzle, draws, seed)``: all counted, and some drawn. ``backbone(puzzle, exact, settled)``:
    what all share, if a short count tells (``exact``: however long it takes; ``settled``: what they are known to share,
    -1 for other cells, or None); it returns whether all has been told, and else the cells that are known, or -1.
    """

    count: Code[Callable[[Any, str], Events]] = Code()
    estimate: Code[Callable[[Any], Events]] = Code()
    sample: Code[Callable[[Any, int, int], Events]] = Code()
    backbone: Code[Callable[[Any, bool, Any], Generator[Any, None, tuple[bool, Any]]]] = Code()
