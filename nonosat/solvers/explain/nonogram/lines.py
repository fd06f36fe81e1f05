"""Steps that a single line gives: the easiest technique that sees anything, and of what it sees the smallest."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from nonosat.solvers.explain.nonogram.line import OPEN, Finding, Line
from nonosat.solvers.explain.nonogram.position import Position
from nonosat.solvers.explain.smallest import minimal
from nonosat.solvers.explain.steps import Inference, Step
from nonosat.solvers.explain.techniques import Technique, ordered

Find = Callable[[Line], Iterable[Finding]]

COMPARED = 4
"""Of what a technique sees in all lines, so many (with the fewest known cells in their lines) are made small."""


class LineSteps:
    """Finds steps in a position; remembers what was seen in lines that have not changed since."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.techniques: list[tuple[Technique, Find]] = [
            (technique, technique.find) for technique in ordered("nonogram") if technique.find is not None
        ]
        self._seen: dict[tuple[int, int], tuple[Line, list[Finding]]] = {}
        self._made: dict[tuple[str, int], tuple[Line, Finding, Step]] = {}

    def step(self) -> Step | None:
        """The next step that a line gives by itself. None: lines are stuck."""
        for rank, (technique, find) in enumerate(self.techniques):
            seen = [
                (number, found) for number in range(self.position.count) for found in self._findings(rank, number, find)
            ]
            if seen:
                return self._smallest(technique, find, seen)
        return None

    def _findings(self, rank: int, number: int, find: Find) -> list[Finding]:
        line = self.position.line(number)
        if (known := self._seen.get((rank, number))) is not None and known[0] is line:
            return known[1]
        found = [each for each in find(line) if line.open(each.settles)] if OPEN in line.cells else []
        self._seen[rank, number] = line, found
        return found

    def _smallest(self, technique: Technique, find: Find, seen: list[tuple[int, Finding]]) -> Step:
        """The step that takes the fewest known cells, and settles the most, of those that promise to."""

        def promise(one: tuple[int, Finding]) -> tuple[int, int]:
            line = self.position.line(one[0])
            return line.size - line.cells.count(OPEN), -len(line.open(one[1].settles))

        steps = [self._step(technique, find, *one) for one in sorted(seen, key=promise)[:COMPARED]]
        return min(steps, key=lambda step: (len(step.known), -len(step.settles)))

    def _step(self, technique: Technique, find: Find, number: int, found: Finding) -> Step:
        line = self.position.line(number)
        if (made := self._made.get((technique.name, number))) is not None and made[0] is line and made[1] is found:
            return made[2]
        step = self._small_step(technique, find, number, found)
        self._made[technique.name, number] = line, found, step
        return step

    def _small_step(self, technique: Technique, find: Find, number: int, found: Finding) -> Step:
        line = self.position.line(number)
        cells, smaller = narrowed(find, line, found)
        constraint = self.position.constraint(number)
        new = {cell: smaller.settles[cell] for cell in line.open(sorted(found.settles))}
        settles = tuple(
            fact._replace(values=(value,))
            for fact, value in zip(self.position.facts(number, new), new.values(), strict=True)
        )
        known = self.position.facts(number, cells)
        sentence = f"{str(constraint).capitalize()}: {line.says(smaller._replace(settles=new))}."
        inference = Inference(technique.name, (constraint,), known, settles, sentence)
        return Step(
            technique.name, (constraint,), known, settles, sentence, (inference,), placements=smaller.placements
        )


def narrowed(find: Find, line: Line, found: Finding) -> tuple[list[int], Finding]:
    """Few known cells of ``line`` in which ``find`` sees the same, and what it then says.

    None of them can be left out. What is told by placements keeps all cells that rule some out.

    >>> from nonosat.solvers.explain.nonogram.techniques.overlap import find
    >>> line = Line.drawn([4, 1], ".??????..#.")
    >>> cells, seen = narrowed(find, line, next(iter(find(line))))
    >>> cells, line.says(seen)
    ([0, 7], 'the 4 fits in columns 2 to 7 only, so columns 4 and 5 are filled')
    """
    wanted = {cell: found.settles[cell] for cell in line.open(found.settles)}
    ways = line.placements.count if found.placements else None

    def same(kept: Iterable[int]) -> Finding | None:
        smaller = line.only(kept)
        if ways is not None and smaller.placements.count != ways:
            return None
        return next((one for one in find(smaller) if wanted.items() <= one.settles.items()), None)

    middle = sum(wanted) / len(wanted)
    known = [cell for cell, value in enumerate(line.cells) if value != OPEN]
    far_first = sorted(known, key=lambda cell: (-abs(cell - middle), cell))
    cells = sorted(minimal(far_first, lambda kept: same(kept) is not None))
    return cells, same(cells) or found
