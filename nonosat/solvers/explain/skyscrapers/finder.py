"""What techniques see in lines, easy before hard; it is remembered, since most lines stay the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from nonosat.solvers.explain.skyscrapers.line import Finding, Line, heights_of, single
from nonosat.solvers.explain.techniques import Technique, ordered

Find = Callable[[Line], Iterable[Finding]]


class Finder:
    """The techniques of a line; number k is the k-th easiest."""

    def __init__(self) -> None:
        self.techniques: list[tuple[Technique, Find]] = [
            (technique, technique.find) for technique in ordered("skyscrapers") if technique.find is not None
        ]
        self._seen: dict[tuple[int, Line], list[Finding]] = {}

    def found(self, number: int, line: Line) -> list[Finding]:
        """What technique ``number`` sees in a line and is news, or a contradiction."""
        key = number, line
        if key not in self._seen:
            find = self.techniques[number][1]
            self._seen[key] = [each for each in find(line) if not each.leaves or any(news(line, each))]
        return self._seen[key]


def news(line: Line, found: Finding) -> Iterator[tuple[int, tuple[int, ...]]]:
    """(cell, heights) of open cells of which a finding says something new: what is left, but for what was out before.

    >>> line = Line.drawn("12 12 13 .")
    >>> list(news(line, Finding({2: 0b1100, 3: 0b1000})))
    [(2, (2, 3, 4)), (3, (4,))]
    """
    for cell in line.open:
        left = found.leaves.get(cell, line.every)
        if single(left) and left & line.cells[cell]:
            yield cell, heights_of(left)
        elif gone := line.cells[cell] & ~left:
            yield cell, heights_of(line.every & ~gone)
