"""The next step of a position: by the easiest techniques that fix a cell, and of these the smallest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

from nonosat.explanations.skyscrapers.chains import CandidateChain, CandidateLink
from nonosat.explanations.skyscrapers.rules import Finder, HeightTrial, LineRules, RefutingConstraints, without_implied
from nonosat.explanations.skyscrapers.sentences import format_cell, format_constraints, format_refutation
from nonosat.explanations.smallest import Budget, minimal
from nonosat.explanations.steps import ERROR, Branch, ConstraintRef, Fact, Inference, Step
from nonosat.explanations.techniques import hardest, level
from nonosat.puzzles.skyscrapers import Skyscrapers

# Where techniques of a line are stuck: heights that a few constraints refute, explained by what follows from them.


LARGEST = 12
"""Lines of boards that are larger can have too many orders to be followed."""
COMPARED_REFUTATIONS = 40
"""Refuted heights whose constraints are made few, at most: those that take the least work."""
QUESTIONS = 1_000
"""Calls for the smallest set of constraints, at most, in a step."""
SMALL, QUESTIONS_OF_SMALL = 16, 100_000
"""Boards of so few cells get more work, so that the set is the smallest there is."""


class HeightRefutations(NamedTuple):
    """``links`` that heights are none of cells; ``bounded``: that it takes fewer constraints was not ruled out."""

    links: list[CandidateLink]
    bounded: bool


def refutations(finder: Finder, puzzle: Skyscrapers, chain: CandidateChain) -> HeightRefutations:
    """The height that the fewest constraints refute, if that fixes a cell; else all that are refuted; or none."""
    if puzzle.size > LARGEST:
        return HeightRefutations([], False)
    from nonosat.explanations.skyscrapers.trials import Trials  # compiled code: not for easy puzzles

    facts = [*chain.facts[: chain.given], *(fact for link in chain.links if link.made for fact in link.gives)]
    trials = Trials(puzzle, facts, chain.candidates.masks)
    found = trials.refuted()
    useful = [trial for trial in found if _fixes_a_cell(chain, trial)]
    if not useful:
        links = [_link(chain, trial, lambda t=trial: refutation(finder, puzzle, trials.few(t))) for trial in found]  # type: ignore[misc]
        return HeightRefutations(links, bool(found))
    few = sorted(map(trials.few, useful[:COMPARED_REFUTATIONS]), key=lambda refuted: len(refuted.constraints))
    budget = Budget(QUESTIONS_OF_SMALL if puzzle.size**2 <= SMALL else QUESTIONS)
    best = few[0]
    for refuted in few:
        if (fewer := trials.fewest(refuted, len(best.constraints) - 1, budget)) is not None:
            best = fewer
        if budget.spent:
            break
    link = _link(chain, best.trial, lambda: refutation(finder, puzzle, best))
    return HeightRefutations([link], budget.spent or len(useful) > len(few))


def _fixes_a_cell(chain: CandidateChain, trial: HeightTrial) -> bool:
    """Does it fix a cell that this one has another height?"""
    masks = chain.candidates.masks
    if masks[trial.row][trial.column].bit_count() == 2:
        return True
    lines = masks[trial.row], [row[trial.column] for row in masks]
    return any(sum(mask >> trial.height - 1 & 1 for mask in line) == 2 for line in lines)


def _link(chain: CandidateChain, trial: HeightTrial, made: Callable[[], Inference]) -> CandidateLink:
    """The link of a refutation, which is made only if it is needed, and then once."""
    return CandidateLink(-1, -1, len(chain.facts), (trial.gives(chain.rules.size),), cache(made))


def refutation(finder: Finder, puzzle: Skyscrapers, refuted: RefutingConstraints) -> Inference:
    """What comes of assuming a height, up to the contradiction."""
    trial, constraints, facts = refuted
    assumed = Fact(trial.row, trial.column, (trial.height,))
    chain = CandidateChain(finder, LineRules(puzzle, frozenset(constraints)), (*facts, assumed))
    last = chain.reach(())
    assert last is not None, "what settling lines refutes, so do techniques"
    inferences, used = chain.needed((), last)
    gives = trial.gives(puzzle.size)
    uses = tuple(sorted(used - {assumed}))
    sentence = format_refutation(puzzle, assumed, gives, constraints)
    return Inference("contradiction", constraints, uses, (gives,), sentence, (Branch(assumed, tuple(inferences)),))


COMPARED = 8
"""Of what fixes a cell by the same technique, so much is made small: that in lines with the fewest open cells."""

Argument = tuple[list[Inference], set[Fact]]
"""Inferences, and the facts that they use and do not give."""


class StepSearch:
    """Finds steps of a puzzle. Each begins with the known cells alone, so that a position is all that it depends on."""

    def __init__(self, puzzle: Skyscrapers) -> None:
        self.puzzle = puzzle
        self.rules, self.finder = LineRules(puzzle), Finder()

    def step(self, known: Sequence[Fact]) -> Step | None:
        """The next step; one that shows a contradiction is an error. None: nothing that is looked for says anything."""
        chain, bounded = CandidateChain(self.finder, self.rules, sorted(known)), False
        while True:
            links = chain.round()
            if dead := [link for link in links if not link.gives]:
                return self._assembled(chain.needed((), dead[0]), (), bounded)
            if settling := [link for link in links if any(fact.known for fact in link.gives)]:
                return self._smallest(chain, settling, bounded)
            if not links:
                links, cut_short = refutations(self.finder, self.puzzle, chain)
                bounded |= cut_short
                if not links:
                    return None
            chain.take(links)

    def _smallest(self, chain: CandidateChain, settling: list[CandidateLink], bounded: bool) -> Step:
        settling.sort(key=lambda link: len(chain.candidates.line(link.number).open))
        steps = []
        for link in settling[:COMPARED]:
            goal = tuple(sorted(fact for fact in link.gives if fact.known))
            steps.append(self._assembled(self._shrunk(chain.needed(goal, link), goal), goal, bounded))
        return min(steps, key=lambda step: (level(step.technique), step.cost, -len(step.fixes)))

    def _shrunk(self, argument: Argument, goal: tuple[Fact, ...]) -> Argument:
        """An argument of several lines by as few constraints and known cells as lead there by techniques as hard."""
        inferences, used = argument
        if len(inferences) == 1 or any(inference.branches for inference in inferences):
            return argument
        names = [technique.name for technique, _ in self.finder.techniques]
        most = max(names.index(inference.technique) for inference in inferences)
        lines = without_implied(each for inference in inferences for each in inference.constraints)
        spoken = dict.fromkeys(self.rules.constraint(self.rules.number(each)) for each in lines)

        def reached(constraints: Iterable[ConstraintRef], known: Iterable[Fact]) -> CandidateChain | None:
            chain = CandidateChain(self.finder, LineRules(self.puzzle, frozenset(constraints)), known, most, goal)
            return chain if chain.reach(goal) is not None else None

        known = sorted(used)
        kept = without_implied(
            minimal(list(dict.fromkeys((*lines, *spoken))), lambda some: reached(some, known) is not None)
        )
        few = minimal(known, lambda some: reached(kept, some) is not None)
        chain = reached(kept, few)
        assert chain is not None
        return chain.needed(goal)

    def _assembled(self, argument: Argument, fixes: tuple[Fact, ...], bounded: bool) -> Step:
        needed, used = argument
        inferences = tuple(needed)
        constraints = without_implied(each for inference in inferences for each in inference.constraints)
        known = tuple(sorted(used))
        if not fixes:
            together = format_constraints(self.puzzle, constraints)
            so = "some cell is wrong" if known else "there is no solution"
            sentence = f"{together[0].upper()}{together[1:]} contradict each other, so {so}."
            return Step(ERROR, constraints, known, (), sentence, inferences, bounded)
        technique = hardest(inference.technique for inference in inferences)
        if len(inferences) == 1:
            own = inferences[0]
            return Step(technique, own.constraints, known, fixes, own.sentence, inferences, bounded, own.placements)
        cells = "; ".join(f"{format_cell(fact)} is {fact.values[0]}" for fact in fixes)
        sentence = f"{cells.capitalize()}, because of {format_constraints(self.puzzle, constraints)}."
        return Step(technique, constraints, known, fixes, sentence, inferences, bounded)
