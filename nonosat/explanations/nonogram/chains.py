"""Chains of inferences: facts, the lines that they follow from, and which of them a conclusion needs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from typing import NamedTuple

from nonosat.explanations.nonogram.position import Position
from nonosat.explanations.nonogram.sentences import format_line_step, format_refutation
from nonosat.explanations.smallest import minimal
from nonosat.explanations.steps import Branch, ConstraintRef, Fact, Inference
from nonosat.puzzles.nonogram import Clue
from nonosat.puzzles.nonogram.placements import LinePlacements, bits

# What trials of the compiled line solver (``refutations``) get and return.

ASSUMED, PROBED, TOGETHER, EXCLUDED, NONE_LEFT = range(5)
"""The ways of a trial."""


class ValueTrial(NamedTuple):
    """A value of a cell that is refuted or shown, by ``way``. ``split``: a cell whose values are tried then, or -1."""

    row: int
    column: int
    value: int
    split: int = -1
    way: int = ASSUMED


class RefutingLines(NamedTuple):
    """``lines`` refute (or show) a trial, and each of them is needed; ``proved``: fewer do not."""

    trial: ValueTrial
    lines: tuple[int, ...]
    proved: bool = False


@dataclass(eq=False)
class LineLink:
    """That facts ``gives`` follow from line ``number``, given others that were there ``before``; none: a contradiction.

    ``inference``: makes it, if not by one line, and is called only if that is needed; ``number`` is then -1.
    """

    number: int
    before: list[Fact]
    gives: tuple[Fact, ...]
    inference: Callable[[], Inference] | None = None


@dataclass
class LineChain:
    """Links in a position, one after the other; ``facts``: what they found, without what is known.

    ``assumed``: facts that a branch begins with, and the facts of chains around it: none of them is this chain's own.
    ``technique``: what inferences of a line are called.
    """

    position: Position
    assumed: tuple[Fact, ...] = ()
    technique: str = "any-placement"
    links: list[LineLink] = field(default_factory=list)
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
        """Propagate lines of ``numbers``, from ``first`` on, until one has no filling left. False: none comes to it."""
        among, waiting = set(numbers), deque(number for number in first)
        while waiting:
            number = waiting.popleft()
            if number not in among:
                continue
            gives = self.solve(number)
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

    def solve(self, number: int) -> tuple[Fact, ...] | None:
        """Add the link of all that a line says, if that is anything; None: it has no filling, which is a link, too."""
        before = self.facts(number)
        filled = filling(self.position, number, before)
        if filled.none:
            self.links.append(LineLink(number, before, ()))
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
            self.links.append(LineLink(number, before, tuple(gives)))
        return tuple(gives)

    def shortest(self) -> tuple[list[Inference], set[Fact]]:
        """As ``needed`` of the contradiction at the end, with no line that could be left out.

        A line may give at once what it gave in several steps.
        """
        inferences, used = self.needed(())
        if any(inference.branches for inference in inferences):
            return inferences, used

        def solved(kept: Iterable[int]) -> LineChain:
            chain = replace(self, links=[])
            for number in kept:
                if chain.solve(number) is None:
                    break
            return chain

        def dead(kept: Iterable[int]) -> bool:
            links = solved(kept).links
            return bool(links) and not links[-1].gives

        numbers = [self.position.number(inference.constraints[0]) for inference in inferences]
        kept = minimal(numbers, dead)
        return (inferences, used) if len(kept) == len(numbers) else solved(kept).needed(())

    def given_with(self, goal: Fact) -> tuple[Fact, ...]:
        """The goal, and other cells that the link which gives it fixes."""
        link = next(link for link in self.links if goal in link.gives)
        return tuple(sorted(fact for fact in link.gives if fact.known))

    def needed(self, goal: Iterable[Fact]) -> tuple[list[Inference], set[Fact]]:
        """The inferences that ``goal`` needs (of the last link: its contradiction, if it gives nothing), in order.

        And all facts that these use and do not give.
        """
        wanted, inferences = set(goal), []
        for place, link in reversed(list(enumerate(self.links))):
            gives = tuple(fact for fact in link.gives if fact in wanted and not self._is_known(fact))
            if not gives and (link.gives or place < len(self.links) - 1):
                continue
            inference = self._inference(place, link, gives) if link.inference is None else link.inference()
            inferences.append(inference)
            wanted -= set(gives)
            wanted |= set(inference.uses)
        return inferences[::-1], wanted

    def _is_known(self, fact: Fact) -> bool:
        """Is it the value of a cell that is known by now?"""
        return fact.values == (self.position.values[fact.row][fact.column],)

    def _as_known(self, fact: Fact) -> Fact:
        """The fact, or the value of its cell if that is known by now: a mark need not be given again."""
        value = self.position.values[fact.row][fact.column]
        return fact._replace(values=(value,)) if value >= 0 else fact

    def _inference(self, place: int, link: LineLink, gives: tuple[Fact, ...]) -> Inference:
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
        sentence = format_line_step(position, link.number, gives, uses)
        return Inference(self.technique, (constraint,), uses, gives, sentence)


def _cell(position: Position, number: int, fact: Fact) -> int:
    return fact.column if number < position.puzzle.height else fact.row


def _allows(filled: LinePlacements, cell: int) -> set[int]:
    return {value for value, cells in enumerate(filled.possible) if cells >> cell & 1}


def filling(position: Position, number: int, facts: Iterable[Fact]) -> LinePlacements:
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
def _placements(clue: Clue, size: int, may: tuple[int, ...]) -> LinePlacements:
    """Under one assumption after the other most lines are as they were."""
    return LinePlacements(clue, size, may)


# What lines refute or show together, explained: what follows, line after line, and from assumptions.


def chain_of(
    position: Position, refuted: RefutingLines, marks: Iterable[LineLink]
) -> tuple[LineChain, tuple[Fact, ...]]:
    """The chain that shows what a trial found, and its goal (nothing: a contradiction), from ``marks`` on."""
    (row, column, value, split, way), lines = refuted.trial, refuted.lines
    chain = LineChain(position, technique="lines-together", links=list(marks))
    if len(position.every) > 2:
        dead = chain.run(lines, lines)
        assert dead == (way == NONE_LEFT), "chains come to what the compiled solver comes to"
    if way == NONE_LEFT:
        return chain, ()
    if way in (ASSUMED, PROBED):
        nested = [split] if split >= 0 else _cells(position, lines) if way == PROBED else []
        return chain, _drop(chain, (row, column), value, lines, nested)
    goal = Fact(row, column, (value,))
    if way == EXCLUDED:
        for other in _left(chain, row, column):
            if other != value:
                _drop(chain, (row, column), other, lines, [])
    return chain, chain.given_with(goal)


def _drop(
    chain: LineChain, cell: tuple[int, int], value: int, lines: tuple[int, ...], nested: list[int]
) -> tuple[Fact, ...]:
    """Go on with the link that ``value`` is no value of a cell; what it gives."""
    open_facts = tuple(fact for fact in chain.found if chain.position.values[fact.row][fact.column] < 0)
    link = _refuted(chain.position, cell, value, lines, open_facts, nested)
    assert link is not None, "what the compiled solver refutes, so do chains"
    chain.links.append(link)
    return link.gives


def _left(chain: LineChain, row: int, column: int) -> tuple[int, ...]:
    """The values that a chain leaves to a cell."""
    left = set(chain.position.cell(row, column))
    left.intersection_update(*(fact.values for fact in chain.found if fact[:2] == (row, column)))
    return tuple(sorted(left))


def _cells(position: Position, lines: Iterable[int]) -> list[int]:
    """The open cells of lines, as numbers."""
    chosen, height, width = set(lines), position.puzzle.height, position.puzzle.width
    return [r * width + c for r, c in position.open_cells() if r in chosen or height + c in chosen]


def _refuted(
    position: Position,
    cell: tuple[int, int],
    value: int,
    lines: tuple[int, ...],
    facts: tuple[Fact, ...],
    nested: list[int],
) -> LineLink | None:
    """The link that ``value`` is refuted by ``lines``, given ``facts``; ``nested``: cells to try under it. None: it is
    not refuted so.
    """
    assumed = Fact(*cell, (value,))
    chain = LineChain(position, (*facts, assumed))
    first = (cell[0], position.puzzle.height + cell[1])
    if not chain.run(lines, first) and not _nested(position, chain, lines, nested):
        return None
    left = tuple(v for v in position.every if v != value)
    own = [fact for fact in facts if fact[:2] == cell]
    for fact in own:
        left = tuple(v for v in left if v in fact.values)
    gives = Fact(*cell, left)
    return LineLink(-1, [], (gives,), cache(partial(_story, chain, assumed, gives, own)))


def _story(chain: LineChain, assumed: Fact, gives: Fact, own: list[Fact]) -> Inference:
    """What comes of an assumption; ``own``: what was known of its cell."""
    inferences, used = chain.shortest()
    uses = tuple(sorted((used | set(own)) - {assumed}))
    constraints = _rested_on(inferences)
    deep = any(inference.branches for inference in inferences)
    sentence = format_refutation(chain.position, assumed, gives, constraints, deep)
    technique = "nested" if deep else "contradiction"
    return Inference(technique, constraints, uses, (gives,), sentence, (Branch(assumed, tuple(inferences)),))


def _nested(position: Position, chain: LineChain, lines: tuple[int, ...], cells: list[int]) -> bool:
    """Go on by refuting values of ``cells``, until a line has no placement left. False: that does not happen."""
    width, learnt = position.puzzle.width, True
    while learnt:
        learnt = False
        for number in cells:
            cell = divmod(number, width)
            for value in position.every:
                facts = (*chain.assumed, *chain.found)
                left = set(position.cell(*cell)).intersection(*(f.values for f in facts if f[:2] == cell))
                if len(left) < 2 or value not in left:
                    continue
                if (link := _refuted(position, cell, value, lines, facts, [])) is not None:
                    chain.links.append(link)
                    learnt = True
                    if chain.run(lines, (cell[0], position.puzzle.height + cell[1])):
                        return True
    return False


def _rested_on(inferences: Iterable[Inference]) -> tuple[ConstraintRef, ...]:
    return tuple(dict.fromkeys(constraint for each in inferences for constraint in each.constraints))
