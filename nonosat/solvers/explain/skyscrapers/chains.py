"""Chains of inferences on candidates: each round adds all that the easiest technique sees, as far as it is news."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from nonosat.solvers.explain.skyscrapers.candidates import Candidates
from nonosat.solvers.explain.skyscrapers.finder import Finder, news
from nonosat.solvers.explain.skyscrapers.narrowing import Narrowing
from nonosat.solvers.explain.skyscrapers.rules import Rules
from nonosat.solvers.explain.steps import Fact, Inference


@dataclass(eq=False)
class Link:
    """That facts ``gives`` follow, from a line (``number``) by a technique (``rank``); none: a contradiction.

    ``before``: so many facts were there. ``made``: its inference, if it is not one of a line.
    """

    number: int
    rank: int
    before: int
    gives: tuple[Fact, ...]
    made: Callable[[], Inference] | None = None


class Chain:
    """Links from facts, by techniques up to ``most`` (their number), with the constraints of ``rules`` alone.

    ``only``: facts that settle cells, of which no others are taken up: to settle another is a step of its own.
    """

    def __init__(
        self,
        finder: Finder,
        rules: Rules,
        facts: Iterable[Fact],
        most: int | None = None,
        only: Collection[Fact] | None = None,
    ) -> None:
        self.finder, self.rules = finder, rules
        self.facts = list(facts)
        self.candidates = Candidates(rules, self.facts)
        self.links: list[Link] = []
        self.given = len(self.facts)
        self.only = only
        self.most = len(finder.techniques) - 1 if most is None else most

    def round(self) -> list[Link]:
        """What the easiest technique that sees any news says; nothing: techniques are stuck."""
        numbers = [number for number in range(2 * self.rules.size) if self.rules.differ[number]]
        for rank in range(self.most + 1):
            links: list[Link] = []
            for number in numbers:
                line = self.candidates.line(number)
                for found in self.finder.found(rank, line):
                    facts = [Fact(*self.rules.place(number, cell), left) for cell, left in news(line, found)]
                    gives = tuple(fact for fact in facts if not fact.known or self.only is None or fact in self.only)
                    if gives or not found.leaves:
                        links.append(Link(number, rank, len(self.facts), gives))
            if links:
                return links
        return []

    def take(self, links: Iterable[Link]) -> None:
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

    def reach(self, goal: Sequence[Fact]) -> Link | None:
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

    def needed(self, goal: Iterable[Fact], last: Link | None = None) -> tuple[list[Inference], set[Fact]]:
        """The inferences that ``goal`` needs, in order, and all facts that these use and do not give.

        ``last``: a link that is not taken up, which comes last; a contradiction is told with all that it takes.
        """
        wanted, told = set(goal), []
        for link in reversed([*self.links, *([last] if last else [])]):
            gives = tuple(fact for fact in link.gives if fact in wanted)
            if not gives and (link.gives or link is not last):
                continue
            inference = link.made() if link.made is not None else self._told(link, gives)
            told.append(inference)
            wanted -= set(gives)
            wanted |= set(inference.uses)
        return told[::-1], wanted

    def _told(self, link: Link, gives: tuple[Fact, ...]) -> Inference:
        technique, find = self.finder.techniques[link.rank]
        narrowing = Narrowing(self.rules, link.number, self.facts[: link.before], self.given)
        return narrowing.inference(technique.name, find, gives)
