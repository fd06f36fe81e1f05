"""The next step of a position: by the easiest techniques that settle a cell, and of these the smallest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.solvers.explain.skyscrapers.chains import Chain, Link
from nonosat.solvers.explain.skyscrapers.finder import Finder
from nonosat.solvers.explain.skyscrapers.rules import Rules, lean
from nonosat.solvers.explain.skyscrapers.sayings import cell_told, constraints_told
from nonosat.solvers.explain.skyscrapers.stuck import refutations
from nonosat.solvers.explain.smallest import minimal
from nonosat.solvers.explain.steps import ERROR, Constraint, Fact, Inference, Step
from nonosat.solvers.explain.techniques import hardest, level

COMPARED = 8
"""Of what settles a cell by the same technique, so much is made small: that in lines with the fewest open cells."""

Argument = tuple[list[Inference], set[Fact]]
"""Inferences, and the facts that they use and do not give."""


class Search:
    """Finds steps of a puzzle. Each begins with the known cells alone, so that a position is all that it depends on."""

    def __init__(self, puzzle: Skyscrapers) -> None:
        self.puzzle = puzzle
        self.rules, self.finder = Rules(puzzle), Finder()

    def step(self, known: Sequence[Fact]) -> Step | None:
        """The next step; one that shows a contradiction is an error. None: nothing that is looked for says anything."""
        chain, bounded = Chain(self.finder, self.rules, sorted(known)), False
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

    def _smallest(self, chain: Chain, settling: list[Link], bounded: bool) -> Step:
        settling.sort(key=lambda link: len(chain.candidates.line(link.number).open))
        steps = []
        for link in settling[:COMPARED]:
            goal = tuple(sorted(fact for fact in link.gives if fact.known))
            steps.append(self._assembled(self._shrunk(chain.needed(goal, link), goal), goal, bounded))
        return min(steps, key=lambda step: (level(step.technique), step.cost, -len(step.settles)))

    def _shrunk(self, argument: Argument, goal: tuple[Fact, ...]) -> Argument:
        """An argument of several lines by as few constraints and known cells as lead there by techniques as hard."""
        told, used = argument
        if len(told) == 1 or any(inference.branches for inference in told):
            return argument
        names = [technique.name for technique, _ in self.finder.techniques]
        most = max(names.index(inference.technique) for inference in told)
        lines = lean(each for inference in told for each in inference.constraints)
        spoken = dict.fromkeys(self.rules.constraint(self.rules.number(each)) for each in lines)

        def reached(constraints: Iterable[Constraint], known: Iterable[Fact]) -> Chain | None:
            chain = Chain(self.finder, Rules(self.puzzle, frozenset(constraints)), known, most, goal)
            return chain if chain.reach(goal) is not None else None

        known = sorted(used)
        kept = lean(minimal(list(dict.fromkeys((*lines, *spoken))), lambda some: reached(some, known) is not None))
        few = minimal(known, lambda some: reached(kept, some) is not None)
        chain = reached(kept, few)
        assert chain is not None
        return chain.needed(goal)

    def _assembled(self, argument: Argument, settles: tuple[Fact, ...], bounded: bool) -> Step:
        told, used = argument
        inferences = tuple(told)
        constraints = lean(each for inference in inferences for each in inference.constraints)
        known = tuple(sorted(used))
        if not settles:
            together = constraints_told(self.puzzle, constraints)
            so = "some cell is wrong" if known else "there is no solution"
            sentence = f"{together[0].upper()}{together[1:]} contradict each other, so {so}."
            return Step(ERROR, constraints, known, (), sentence, inferences, bounded)
        technique = hardest(inference.technique for inference in inferences)
        if len(inferences) == 1:
            own = inferences[0]
            return Step(technique, own.constraints, known, settles, own.sentence, inferences, bounded, own.placements)
        cells = "; ".join(f"{cell_told(fact)} is {fact.values[0]}" for fact in settles)
        sentence = f"{cells.capitalize()}, because of {constraints_told(self.puzzle, constraints)}."
        return Step(technique, constraints, known, settles, sentence, inferences, bounded)
