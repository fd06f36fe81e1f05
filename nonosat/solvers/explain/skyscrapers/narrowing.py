"""An inference of a line by few facts: known towers of it and of lines that cross it, and what was found before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nonosat.solvers.explain.skyscrapers.finder import Find
from nonosat.solvers.explain.skyscrapers.line import OPEN, Finding, Line, mask_of
from nonosat.solvers.explain.skyscrapers.rules import ENDS, Rules, lean
from nonosat.solvers.explain.skyscrapers.sayings import line_says
from nonosat.solvers.explain.smallest import minimal
from nonosat.solvers.explain.steps import Constraint, Fact, Inference

Element = Fact | Constraint
"""What an inference can rest on: a fact, or a clue of the line."""


class Narrowing:
    """A line (``number``) with the ``facts`` that were there; the first ``given`` of these are no inferences."""

    def __init__(self, rules: Rules, number: int, facts: Sequence[Fact], given: int) -> None:
        self.rules, self.number = rules, number
        age = {fact: max(0, i - given + 1) for i, fact in enumerate(facts)}
        near = [fact for fact in facts if self._here(fact) or self._crosses(fact)]
        near.sort(key=lambda fact: (-age[fact], self._here(fact)))
        clues = [end for end in rules.ends(number) if rules.clues[number][ENDS[self._axis].index(end.family)]]
        late = [fact for fact in near if age[fact]]
        here = [fact for fact in near if not age[fact] and self._here(fact)]
        far = [fact for fact in near if not age[fact] and not self._here(fact)]
        self.elements: list[Element] = [*late, *far, *clues, *here]

    @property
    def _axis(self) -> str:
        return self.rules.constraint(self.number).family

    def _here(self, fact: Fact) -> bool:
        return self.number == (fact.row if self.number < self.rules.size else self.rules.size + fact.column)

    def _crosses(self, fact: Fact) -> bool:
        return fact.known and self.rules.differ[self.rules.crossing(self.number, self._cell(fact))]

    def _cell(self, fact: Fact) -> int:
        """The cell of the line in which a fact's tower, or the line that it stands in, meets it."""
        return fact.column if self.number < self.rules.size else fact.row

    def line(self, elements: Iterable[Element]) -> Line:
        """The line of which no more is known than these."""
        size = self.rules.size
        heights, cells = [OPEN] * size, [(1 << size) - 1] * size
        clues = dict.fromkeys(ENDS[self._axis], 0)
        for element in elements:
            if isinstance(element, Constraint):
                clues[element.family] = getattr(self.rules.puzzle, element.family)[element.place]
                continue
            cell, mask = self._cell(element), mask_of(element.values)
            if not self._here(element):
                cells[cell] &= ~mask
            else:
                cells[cell] &= mask
                if element.known:
                    heights[cell] = element.values[0]
        front, back = clues.values()
        return Line.of(tuple(heights), cells, front, back, *self.rules.constraint(self.number))

    def inference(self, technique: str, find: Find, gives: tuple[Fact, ...]) -> Inference:
        """That facts follow (none: a contradiction), with no element that the technique does not need to see it."""
        wanted = {self._cell(fact): mask_of(fact.values) for fact in gives}

        def seen(kept: Iterable[Element]) -> Finding | None:
            return next((one for one in find(self.line(kept)) if says(one, wanted)), None)

        kept = minimal(self.elements, lambda some: seen(some) is not None)
        found = seen(kept)
        assert found is not None, "what a technique sees, it sees with all elements"
        uses = tuple(sorted(each for each in kept if isinstance(each, Fact)))
        clues = [each for each in kept if isinstance(each, Constraint)]
        crossed = [
            self.rules.constraint(self.rules.crossing(self.number, self._cell(fact)))
            for fact in uses
            if not self._here(fact)
        ]
        own = clues or [self.rules.constraint(self.number)]
        constraints = tuple(dict.fromkeys([*own, *lean(crossed)]))
        sentence = line_says(self.line(kept), self.number < self.rules.size, uses, gives, found)
        return Inference(technique, constraints, uses, gives, sentence, placements=found.ways)


def says(found: Finding, wanted: dict[int, int]) -> bool:
    """Does a finding leave no more than is wanted to each of these cells; if there is none, is it a contradiction?"""
    if not wanted or not found.leaves:
        return not wanted and not found.leaves
    return all(cell in found.leaves and not found.leaves[cell] & ~mask for cell, mask in wanted.items())
