"""Where lines are stuck: what they rule out together, then values that few of them refute, then a guess."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nonosat.solvers.explain.nonogram.branches import chain_of
from nonosat.solvers.explain.nonogram.chains import Chain, Link
from nonosat.solvers.explain.nonogram.position import Position
from nonosat.solvers.explain.nonogram.sayings import settled_told, together_told
from nonosat.solvers.explain.nonogram.trials import Refuted, Trial
from nonosat.solvers.explain.smallest import Budget, minimal
from nonosat.solvers.explain.steps import ERROR, Fact, Inference, Step
from nonosat.solvers.explain.techniques import hardest

if TYPE_CHECKING:
    from nonosat.solvers.explain.nonogram.refutations import Refutations

COMPARED = 400
"""Refuted values whose lines are made few, at most: those first that the fewest lines settle."""
QUESTIONS = 400
"""Asked for the smallest set of lines, at most, in a step; each tries a value with many sets of lines."""
SMALL, QUESTIONS_OF_SMALL = 100, 40_000
"""Boards of so few cells are asked more, so that the set is the smallest there is."""
TOLD = 6
"""Of sets with as few lines, so many are told, and the shortest story is taken."""
NESTED_COMPARED, NESTED_QUESTIONS = 60, 150
"""The same of nested steps, which cost more."""
NESTED_TRIALS = 2_000
"""Values that are tried with all cells tried under them, at most, before a guess."""


class Cheapest(NamedTuple):
    """Refutations with the fewest lines, as far as was looked; ``bounded``: one with fewer was not ruled out."""

    refuted: list[Refuted]
    bounded: bool


Shown = tuple[Chain, tuple[Fact, ...]]
"""What ``chain_of`` gives."""


class Stuck:
    """Finds steps that take more than one line.

    ``tried``: values that are refuted of cells that are still open (with colours, that need not settle a cell);
    ``marks``: how.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.tried: list[Trial] = []
        self.marks: list[Link] = []

    def step(self) -> Step | None:
        """The next step in a position in which lines by themselves are stuck. None: only a guess is left."""
        from nonosat.solvers.explain.nonogram.refutations import Refutations  # compiled code: not for easy puzzles

        small = self.position.puzzle.height * self.position.puzzle.width <= SMALL
        questions = QUESTIONS_OF_SMALL if small else QUESTIONS
        while True:
            trials = Refutations(self.position)
            if found := trials.together() or trials.some():
                return self._shortest(cheapest(trials, found, COMPARED, Budget(questions)))
            if found := trials.parts():
                self._mark(cheapest(trials, found, COMPARED, Budget(QUESTIONS)).refuted[0])
                continue
            if (nested := self._nested(trials)) is None:
                return None
            shown = chain_of(self.position, nested.refuted[0], self.marks)
            if all(fact.known for fact in shown[1]):
                return self._told(nested.refuted[0], nested.bounded, shown)
            self._mark(nested.refuted[0], shown)

    def _nested(self, trials: Refutations) -> Cheapest | None:
        """These are compared only among the first that are found."""
        if found := trials.either_way(1):
            return cheapest(trials, found, NESTED_COMPARED, Budget(NESTED_QUESTIONS))._replace(bounded=True)
        found = trials.nested(3, Budget(NESTED_TRIALS))
        return cheapest(trials, found, NESTED_COMPARED, Budget(0)) if found else None

    def _shortest(self, found: Cheapest) -> Step:
        """Of refutations with as few lines the one with the fewest inferences, and then known cells."""
        return min((self._told(each, found.bounded) for each in found.refuted), key=lambda step: step.cost)

    def _told(self, refuted: Refuted, bounded: bool, shown: Shown | None = None) -> Step:
        chain, goal = shown or chain_of(self.position, refuted, self.marks)
        told, used = chain.needed(goal)
        if self.marks and len(lines := self._lines(told)) > 2:
            lines = minimal(lines, lambda some: self._by(refuted.trial, some) is not None)
            chain, goal = self._by(refuted.trial, lines) or (chain, goal)
            told, used = chain.needed(goal)
            bounded = True
        return assembled(self.position, told, used, goal, bounded)

    def _lines(self, told: Iterable[Inference]) -> list[int]:
        return sorted({self.position.number(each) for inference in told for each in inference.constraints})

    def _by(self, trial: Trial, lines: Sequence[int]) -> Shown | None:
        """What a trial shows by ``lines`` alone, with the values refuted that they refute of those that were."""
        from nonosat.solvers.explain.nonogram.refutations import Refutations

        other = Stuck(Position(self.position.puzzle, self.position.values))
        for before in self.tried:
            refuted = Refutations(other.position).few(before, lines)
            if refuted is not None and len(refuted.lines) > 1:  # what one line refutes, it says by itself
                other._mark(refuted)
        found = Refutations(other.position).few(trial, lines)
        return None if found is None else chain_of(other.position, found, other.marks)

    def _mark(self, refuted: Refuted, shown: Shown | None = None) -> None:
        """Remember that a value is none of a cell, and how that is told."""
        chain, [fact] = shown or chain_of(self.position, refuted, self.marks)
        self.tried.append(refuted.trial)
        chain.needed([fact])  # told now: the position goes on
        row, column, values = fact
        before = self.position.cell(row, column)
        self.marks = chain.links
        self.position.may[row, column] = tuple(value for value in values if value in before)


def cheapest(trials: Refutations, found: Sequence[Trial], compared: int, budget: Budget) -> Cheapest:
    """Of what is refuted or shown, that which takes the fewest lines."""
    few = [refuted for trial in found[:compared] if (refuted := trials.few(trial)) is not None]
    few.sort(key=lambda refuted: len(refuted.lines))
    best = few[0]
    for refuted in few:
        if (fewer := trials.fewest(refuted, len(best.lines) - 1, budget)) is not None:
            best = fewer
        if budget.spent:
            break
    as_few = [best, *(each for each in few if len(each.lines) == len(best.lines) and each is not best)]
    return Cheapest(as_few[:TOLD], budget.spent or len(found) > compared)


def assembled(
    position: Position, told: Iterable[Inference], used: Iterable[Fact], settles: tuple[Fact, ...], bounded: bool
) -> Step:
    """The step that inferences make."""
    inferences = tuple(told)
    constraints = tuple(dict.fromkeys(each for inference in inferences for each in inference.constraints))
    known = tuple(sorted(fact for fact in used if fact.known))
    if not settles:
        so = "some cell is wrong" if known else "there is no picture"
        sentence = f"{together_told(constraints)} contradict each other, so {so}."
        return Step(ERROR, constraints, known, (), sentence, inferences, bounded)
    technique = hardest(inference.technique for inference in inferences)
    if len(inferences) == 1:
        return Step(technique, constraints, known, settles, inferences[0].sentence, inferences, bounded)
    sentence = f"{together_told(constraints)}, taken together, say that {settled_told(position, settles)}."
    return Step(technique, constraints, known, settles, sentence, inferences, bounded)
