"""Chains of inferences on candidates: each round adds all that the easiest technique sees, as far as it is news."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from nonosat.explanations.skyscrapers.line import OPEN, CandidateFinding, TowerLine, mask_of
from nonosat.explanations.skyscrapers.rules import ENDS, Find, Finder, LineRules, news, without_implied
from nonosat.explanations.skyscrapers.sentences import format_line_step
from nonosat.explanations.smallest import minimal
from nonosat.explanations.steps import ConstraintRef, Fact, Inference

# The heights that cells can still have: what facts leave, and what follows from known towers at once.


class Candidates:
    """``masks`` and ``heights`` (0: open) of the cells. A known height is no candidate of its row and column.

    >>> from nonosat.puzzles.skyscrapers import Skyscrapers
    >>> found = Candidates(LineRules(Skyscrapers.from_clues([0] * 12)), [Fact(0, 0, (3,)), Fact(0, 1, (1, 2))])
    >>> found.masks[0], found.line(3).cells
    ([4, 3, 3], (4, 3, 3))
    """

    def __init__(self, rules: LineRules, facts: Iterable[Fact] = ()) -> None:
        self.rules = rules
        size = rules.size
        self.masks = [[(1 << size) - 1] * size for _ in range(size)]
        self.heights = [[OPEN] * size for _ in range(size)]
        self._lines: dict[int, TowerLine] = {}
        for fact in facts:
            self.take(fact)

    def take(self, fact: Fact) -> None:
        """Know one fact more."""
        row, column, values = fact
        size, mask = self.rules.size, mask_of(values)
        self.masks[row][column] &= mask
        if not fact.known:
            self._lines.pop(row, None)
            self._lines.pop(size + column, None)
            return
        self._lines.clear()
        self.heights[row][column] = values[0]
        for other in range(size):
            if other != column and self.rules.differ[row]:
                self.masks[row][other] &= ~mask
            if other != row and self.rules.differ[size + column]:
                self.masks[other][column] &= ~mask

    def line(self, number: int) -> TowerLine:
        """A line as it is known now."""
        if number not in self._lines:
            axis, index = self.rules.constraint(number)
            row = number < self.rules.size
            cells = self.masks[index] if row else [line[index] for line in self.masks]
            heights = self.heights[index] if row else [line[index] for line in self.heights]
            self._lines[number] = TowerLine.of(tuple(heights), cells, *self.rules.clues[number], axis, index)
        return self._lines[number]

    def open_cells(self) -> list[tuple[int, int]]:
        """(row, column) of the cells whose height is not known."""
        return [(r, c) for r, row in enumerate(self.heights) for c, height in enumerate(row) if height == OPEN]


# An inference of a line by few facts: known towers of it and of lines that cross it, and what was found before.


Element = Fact | ConstraintRef
"""What an inference can rest on: a fact, or a clue of the line."""


class Narrowing:
    """A line (``number``) with the ``facts`` that were there; the first ``given`` of these are no inferences."""

    def __init__(self, rules: LineRules, number: int, facts: Sequence[Fact], given: int) -> None:
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

    def line(self, elements: Iterable[Element]) -> TowerLine:
        """The line of which no more is known than these."""
        size = self.rules.size
        heights, cells = [OPEN] * size, [(1 << size) - 1] * size
        clues = dict.fromkeys(ENDS[self._axis], 0)
        for element in elements:
            if isinstance(element, ConstraintRef):
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
        return TowerLine.of(tuple(heights), cells, front, back, *self.rules.constraint(self.number))

    def inference(self, technique: str, find: Find, gives: tuple[Fact, ...]) -> Inference:
        """That facts follow (none: a contradiction), with no element that the technique does not need to see it."""
        wanted = {self._cell(fact): mask_of(fact.values) for fact in gives}

        def seen(kept: Iterable[Element]) -> CandidateFinding | None:
            return next((one for one in find(self.line(kept)) if agrees(one, wanted)), None)

        kept = minimal(self.elements, lambda some: seen(some) is not None)
        found = seen(kept)
        assert found is not None, "what a technique sees, it sees with all elements"
        uses = tuple(sorted(each for each in kept if isinstance(each, Fact)))
        clues = [each for each in kept if isinstance(each, ConstraintRef)]
        crossed = [
            self.rules.constraint(self.rules.crossing(self.number, self._cell(fact)))
            for fact in uses
            if not self._here(fact)
        ]
        own = clues or [self.rules.constraint(self.number)]
        constraints = tuple(dict.fromkeys([*own, *without_implied(crossed)]))
        sentence = format_line_step(self.line(kept), self.number < self.rules.size, uses, gives, found)
        return Inference(technique, constraints, uses, gives, sentence, placements=found.ways)


def agrees(found: CandidateFinding, wanted: dict[int, int]) -> bool:
    """Does a finding leave no more than is wanted to each of these cells; if there is none, is it a contradiction?"""
    if not wanted or not found.leaves:
        return not wanted and not found.leaves
    return all(cell in found.leaves and not found.leaves[cell] & ~mask for cell, mask in wanted.items())


@dataclass(eq=False)
class CandidateLink:
    """That facts ``gives`` follow, from a line (``number``) by a technique (``rank``); none: a contradiction.

    ``before``: so many facts were there. ``made``: its inference, if it is not one of a line.
    """

    number: int
    rank: int
    before: int
    gives: tuple[Fact, ...]
    made: Callable[[], Inference] | None = None


class CandidateChain:
    """Links from facts, by techniques up to ``most`` (their number), with the constraints of ``rules`` alone.

    ``only``: facts that fix cells, of which no others are used: to fix another is a step of its own.
    """

    def __init__(
        self,
        finder: Finder,
        rules: LineRules,
        facts: Iterable[Fact],
        most: int | None = None,
        only: Collection[Fact] | None = None,
    ) -> None:
        self.finder, self.rules = finder, rules
        self.facts = list(facts)
        self.candidates = Candidates(rules, self.facts)
        self.links: list[CandidateLink] = []
        self.given = len(self.facts)
        self.only = only
        self.most = len(finder.techniques) - 1 if most is None else most

    def round(self) -> list[CandidateLink]:
        """What the easiest technique that sees any news says; nothing: techniques are stuck."""
        numbers = [number for number in range(2 * self.rules.size) if self.rules.differ[number]]
        for rank in range(self.most + 1):
            links: list[CandidateLink] = []
            for number in numbers:
                line = self.candidates.line(number)
                for found in self.finder.found(rank, line):
                    facts = [Fact(*self.rules.place(number, cell), left) for cell, left in news(line, found)]
                    gives = tuple(fact for fact in facts if not fact.known or self.only is None or fact in self.only)
                    if gives or not found.leaves:
                        links.append(CandidateLink(number, rank, len(self.facts), gives))
            if links:
                return links
        return []

    def take(self, links: Iterable[CandidateLink]) -> None:
        """Go on from what links give. Of two heights of a cell the first is taken; the next round sees it."""
        there = set(self.facts)
        for link in links:
            new = []
            for fact in link.gives:
                if fact not in there and not (fact.known and self.candidates.heights[fact.row][fact.column]):
                    there.add(fact)
                    new.append(fact)
                    self.candidates.take(fact)
            if new:
                link.gives = tuple(new)
                self.links.append(link)
                self.facts += new

    def reach(self, goal: Sequence[Fact]) -> CandidateLink | None:
        """Go on until all of ``goal`` is known; without a goal, until a link is a contradiction: it is not taken up.

        That link, or the last one; None: it does not come to that.
        """
        while links := self.round():
            dead = next((link for link in links if not link.gives), None)
            if not goal and dead is not None:
                return dead
            self.take(link for link in links if link.gives)
            if goal and all(self.candidates.heights[r][c] == values[0] for r, c, values in goal):
                return self.links[-1]
            if dead is not None:
                return None
        return None

    def needed(self, goal: Iterable[Fact], last: CandidateLink | None = None) -> tuple[list[Inference], set[Fact]]:
        """The inferences that ``goal`` needs, in order, and all facts that these use and do not give.

        ``last``: a link that is not taken up, which comes last; a contradiction is given with all that it needs.
        """
        wanted, inferences = set(goal), []
        for link in reversed([*self.links, *([last] if last else [])]):
            gives = tuple(fact for fact in link.gives if fact in wanted)
            if not gives and (link.gives or link is not last):
                continue
            inference = link.made() if link.made is not None else self._inference(link, gives)
            inferences.append(inference)
            wanted -= set(gives)
            wanted |= set(inference.uses)
        return inferences[::-1], wanted

    def _inference(self, link: CandidateLink, gives: tuple[Fact, ...]) -> Inference:
        technique, find = self.finder.techniques[link.rank]
        narrowing = Narrowing(self.rules, link.number, self.facts[: link.before], self.given)
        return narrowing.inference(technique.name, find, gives)
