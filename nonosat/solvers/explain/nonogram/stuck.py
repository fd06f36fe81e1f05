"""Where lines are stuck: what they rule out together, then values that few of them refute, then a guess."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nonosat.solvers.explain.nonogram.branches import refutation
from nonosat.solvers.explain.nonogram.chains import Chain, Link
from nonosat.solvers.explain.nonogram.line import OPEN
from nonosat.solvers.explain.nonogram.position import Position
from nonosat.solvers.explain.nonogram.sayings import cell_told, together_told, value_told
from nonosat.solvers.explain.nonogram.trials import Refuted, Trial
from nonosat.solvers.explain.smallest import Budget
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
NESTED_COMPARED, NESTED_QUESTIONS = 60, 150
"""The same of nested steps, which cost more."""
NESTED_TRIALS = 2_000
"""Values that are tried with all cells tried under them, at most, before a guess."""


class Cheapest(NamedTuple):
    """A refutation with the fewest lines, as far as was looked; ``bounded``: one with fewer was not ruled out."""

    refuted: Refuted
    bounded: bool


class Stuck:
    """Finds steps that take more than one line. ``marks``: what was ruled out of cells that are still open, and why."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.marks = Chain(position, technique="lines-together")

    def step(self) -> Step | None:
        """The next step in a position in which lines by themselves are stuck. None: only a guess is left."""
        while True:
            if (step := self._together()) is not None:
                return step
            if (found := self._cheapest()) is None:
                return None
            link = refutation(self.position, found.refuted, self._facts())
            self.marks.links.append(link)
            if (step := self._taken(link, found.bounded)) is not None:
                return step

    def _together(self) -> Step | None:
        """Lines, one after the other, rule colours out of cells until a cell is settled."""
        if len(self.position.every) == 2:
            return None
        learnt = True
        while learnt:
            learnt = False
            for number in range(self.position.count):
                if OPEN not in self.position.line(number).cells:
                    continue
                gives = self.marks.settle(number)
                if gives is None or gives:
                    learnt = True
                    if (step := self._taken(self.marks.links[-1])) is not None:
                        return step
        return None

    def _taken(self, link: Link, bounded: bool = False) -> Step | None:
        """The step to the cells that a new link settles, or to the contradiction that it is; marks of the others."""
        settles = tuple(sorted(fact for fact in link.gives if fact.known))
        if settles or not link.gives:
            told, used = self.marks.needed(settles)
            return assembled(self.position, told, used, settles, bounded)
        for row, column, values in link.gives:
            self.position.may[row, column] = values
        return None

    def _facts(self) -> tuple[Fact, ...]:
        values = self.position.values
        facts = (fact for link in self.marks.links for fact in link.gives)
        return tuple(fact for fact in facts if values[fact.row][fact.column] == OPEN)

    def _cheapest(self) -> Cheapest | None:
        from nonosat.solvers.explain.nonogram.refutations import Refutations  # compiled code: not for easy puzzles

        trials = Refutations(self.position)
        small = self.position.puzzle.height * self.position.puzzle.width <= SMALL
        if found := trials.some():
            return cheapest(trials, found, COMPARED, Budget(QUESTIONS_OF_SMALL if small else QUESTIONS))
        if found := trials.either_way(1):
            return cheapest(trials, found, NESTED_COMPARED, Budget(NESTED_QUESTIONS))
        found = trials.nested(3, Budget(NESTED_TRIALS))
        return cheapest(trials, found, NESTED_COMPARED, Budget(0)) if found else None


def cheapest(trials: Refutations, found: Sequence[Trial], compared: int, budget: Budget) -> Cheapest:
    """Of values that are refuted, the one that takes the fewest lines."""
    few = [refuted for trial in found[:compared] if (refuted := trials.few(trial)) is not None]
    few.sort(key=lambda refuted: len(refuted.lines))
    best = few[0]
    for refuted in few:
        if (fewer := trials.fewest(refuted, len(best.lines) - 1, budget)) is not None:
            best = fewer
        if budget.spent:
            break
    return Cheapest(best, budget.spent or len(found) > compared)


def assembled(
    position: Position, told: Iterable[Inference], used: Iterable[Fact], settles: tuple[Fact, ...], bounded: bool
) -> Step:
    """The step that inferences make."""
    inferences = tuple(told)
    constraints = tuple(dict.fromkeys(each for inference in inferences for each in inference.constraints))
    known = tuple(sorted(fact for fact in used if fact.known))
    if not settles:
        technique, sentence = ERROR, f"{together_told(constraints)} contradict each other: some cell is wrong."
        return Step(technique, constraints, known, (), sentence, inferences, bounded)
    technique = hardest(inference.technique for inference in inferences)
    if len(inferences) == 1:
        return Step(technique, constraints, known, settles, inferences[0].sentence, inferences, bounded)
    cells = "; ".join(f"{cell_told(fact)} is {value_told(position, fact)}" for fact in settles)
    sentence = f"{together_told(constraints)}, taken together, say that {cells}."
    return Step(technique, constraints, known, settles, sentence, inferences, bounded)
