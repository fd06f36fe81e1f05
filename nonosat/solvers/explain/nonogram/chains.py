"""Chains of inferences: facts, the lines that they follow from, and which of them a conclusion needs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from nonosat.puzzles.nonogram import Clue
from nonosat.solvers.explain.nonogram.placements import Placements, bits
from nonosat.solvers.explain.nonogram.position import Position
from nonosat.solvers.explain.nonogram.sayings import line_says
from nonosat.solvers.explain.smallest import minimal
from nonosat.solvers.explain.steps import Fact, Inference


@dataclass(eq=False)
class Link:
    """That facts ``gives`` follow from line ``number``, given others that were there ``before``; none: a contradiction.

    ``inference``: tells how, if not by one line, and is asked only if that is needed; ``number`` is then -1.
    """

    number: int
    before: list[Fact]
    gives: tuple[Fact, ...]
    inference: Callable[[], Inference] | None = None


@dataclass
class Chain:
    """Links in a position, one after the other; ``facts``: what they found, beside what is known.

    ``assumed``: facts that a branch begins with, and the facts of chains around it: none of them is this chain's own.
    ``technique``: what inferences of a line are called.
    """

    position: Position
    assumed: tuple[Fact, ...] = ()
    technique: str = "any-placement"
    links: list[Link] = field(default_factory=list)
    _seen: int = field(default=0, init=False)
    _by_line: dict[int, list[Fact]] = field(default_factory=dict, init=False)

    @property
    def found(self) -> list[Fact]:
        """What its links give."""
        return [fact for link in self.links for fact in link.gives]

    def facts(self, number: int) -> list[Fact]:
        """What is known of the cells of a line, found facts behind: known, assumed, then in the order of links."""
        height = self.position.puzzle.height
        for link in self.links[self._seen :]:  # they are only ever added
            for fact in link.gives:
                for line in (fact.row, height + fact.column):
                    self._by_line.setdefault(line, []).append(fact)
        self._seen = len(self.links)
        assumed = (fact for fact in self.assumed if number in (fact.row, height + fact.column))
        return [*self.position.known(number), *assumed, *self._by_line.get(number, ())]

    def run(self, numbers: Iterable[int], first: Sequence[int]) -> bool:
        """Settle lines of ``numbers``, from ``first`` on, until one has no filling left. False: none comes to it."""
        among, waiting = set(numbers), deque(number for number in first)
        while waiting:
            number = waiting.popleft()
            if number not in among:
                continue
            gives = self.settle(number)
            if gives is None:
                return True
            for fact in gives:
                crossing = self.crossing(number, fact)
                if crossing not in waiting:
                    waiting.append(crossing)
        return False

    def crossing(self, number: int, fact: Fact) -> int:
        """The other line of a cell of line ``number``."""
        height = self.position.puzzle.height
        return height + fact.column if number < height else fact.row

    def settle(self, number: int) -> tuple[Fact, ...] | None:
        """Add the link of all that a line says, if that is anything; None: it has no filling, which is a link, too."""
        before = self.facts(number)
        filled = filling(self.position, number, before)
        if filled.none:
            self.links.append(Link(number, before, ()))
            return None
        changed = 0
        for may, can in zip(filled.may, filled.possible, strict=True):
            changed |= may & ~can
        gives = [
            Fact(
                *self.position.place(number, cell),
                tuple(v for v in self.position.every if filled.possible[v] >> cell & 1),
            )
            for cell in bits(changed)
        ]
        if gives:
            self.links.append(Link(number, before, tuple(gives)))
        return tuple(gives)

    def shortest(self) -> tuple[list[Inference], set[Fact]]:
        """As ``needed`` of the contradiction at the end, with no line settled that could be left out.

        A line may say all at once what it said bit by bit.
        """
        told, used = self.needed(())
        if any(inference.branches for inference in told):
            return told, used

        def settled(kept: Iterable[int]) -> Chain:
            chain = replace(self, links=[])
            for number in kept:
                if chain.settle(number) is None:
                    break
            return chain

        def dead(kept: Iterable[int]) -> bool:
            links = settled(kept).links
            return bool(links) and not links[-1].gives

        numbers = [self.position.number(inference.constraints[0]) for inference in told]
        kept = minimal(numbers, dead)
        return (told, used) if len(kept) == len(numbers) else settled(kept).needed(())

    def beside(self, goal: Fact) -> tuple[Fact, ...]:
        """The goal, and other cells that the link which gives it settles."""
        link = next(link for link in self.links if goal in link.gives)
        return tuple(sorted(fact for fact in link.gives if fact.known))

    def needed(self, goal: Iterable[Fact]) -> tuple[list[Inference], set[Fact]]:
        """The inferences that ``goal`` needs (of the last link: its contradiction, if it gives nothing), in order.

        And all facts that these use and do not give.
        """
        wanted, told = set(goal), []
        for place, link in reversed(list(enumerate(self.links))):
            gives = tuple(fact for fact in link.gives if fact in wanted and not self._is_known(fact))
            if not gives and (link.gives or place < len(self.links) - 1):
                continue
            inference = self._told(place, link, gives) if link.inference is None else link.inference()
            told.append(inference)
            wanted -= set(gives)
            wanted |= set(inference.uses)
        return told[::-1], wanted

    def _is_known(self, fact: Fact) -> bool:
        """Is it the value of a cell that is known by now?"""
        return fact.values == (self.position.values[fact.row][fact.column],)

    def _as_known(self, fact: Fact) -> Fact:
        """The fact, or the value of its cell if that is known by now: a mark need not be told again."""
        value = self.position.values[fact.row][fact.column]
        return fact._replace(values=(value,)) if value >= 0 else fact

    def _told(self, place: int, link: Link, gives: tuple[Fact, ...]) -> Inference:
        """The inference of a link, for some of what it gives, with few facts used, and those as old as can be."""
        position = self.position
        age = {fact: i for i, earlier in enumerate(self.links[:place], 1) for fact in earlier.gives}
        now = dict.fromkeys(self._as_known(fact) for fact in link.before)
        before = sorted(now, key=lambda fact: -age.get(fact, 0))

        def holds(kept: list[Fact]) -> bool:
            filled = filling(position, link.number, kept)
            if not gives:
                return filled.none
            return all(_allows(filled, _cell(position, link.number, fact)) <= set(fact.values) for fact in gives)

        uses = tuple(sorted(minimal(before, holds)))
        constraint = position.constraint(link.number)
        sentence = line_says(position, link.number, gives, uses)
        return Inference(self.technique, (constraint,), uses, gives, sentence)


def _cell(position: Position, number: int, fact: Fact) -> int:
    return fact.column if number < position.puzzle.height else fact.row


def _allows(filled: Placements, cell: int) -> set[int]:
    return {value for value, cells in enumerate(filled.possible) if cells >> cell & 1}


def filling(position: Position, number: int, facts: Iterable[Fact]) -> Placements:
    """The placements of a line that agree with ``facts`` of its cells."""
    line = position.line(number)
    may = [(1 << line.size) - 1] * len(position.every)
    for fact in facts:
        bit = 1 << _cell(position, number, fact)
        for value in position.every:
            if value not in fact.values:
                may[value] &= ~bit
    return _placements(line.clue, line.size, tuple(may))


@lru_cache(1 << 14)
def _placements(clue: Clue, size: int, may: tuple[int, ...]) -> Placements:
    """Under one assumption after the other most lines are as they were."""
    return Placements(clue, size, may)
