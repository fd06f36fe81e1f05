"""Where techniques of a line are stuck: heights that a few constraints refute, told as what comes of assuming them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.solvers.explain.skyscrapers.chains import Chain, Link
from nonosat.solvers.explain.skyscrapers.finder import Finder
from nonosat.solvers.explain.skyscrapers.refuted import Refuted, Trial
from nonosat.solvers.explain.skyscrapers.rules import Rules
from nonosat.solvers.explain.skyscrapers.sayings import refutation_told
from nonosat.solvers.explain.smallest import Budget
from nonosat.solvers.explain.steps import Branch, Fact, Inference

LARGEST = 12
"""Lines of boards that are larger can have too many orders to be followed."""
COMPARED = 40
"""Refuted heights whose constraints are made few, at most: those that take the least work."""
QUESTIONS = 1_000
"""Asked for the smallest set of constraints, at most, in a step."""
SMALL, QUESTIONS_OF_SMALL = 16, 100_000
"""Boards of so few cells are asked more, so that the set is the smallest there is."""


class Refutations(NamedTuple):
    """``links`` that heights are none of cells; ``bounded``: that it takes fewer constraints was not ruled out."""

    links: list[Link]
    bounded: bool


def refutations(finder: Finder, puzzle: Skyscrapers, chain: Chain) -> Refutations:
    """The height that the fewest constraints refute, if that settles a cell; else all that are refuted; or none."""
    if puzzle.size > LARGEST:
        return Refutations([], False)
    from nonosat.solvers.explain.skyscrapers.trials import Trials  # compiled code: not for easy puzzles

    facts = [*chain.facts[: chain.given], *(fact for link in chain.links if link.made for fact in link.gives)]
    trials = Trials(puzzle, facts, chain.candidates.masks)
    found = trials.refuted()
    telling = [trial for trial in found if _settles(chain, trial)]
    if not telling:
        links = [_link(chain, trial, lambda t=trial: refutation(finder, puzzle, trials.few(t))) for trial in found]  # type: ignore[misc]
        return Refutations(links, bool(found))
    few = sorted(map(trials.few, telling[:COMPARED]), key=lambda refuted: len(refuted.constraints))
    budget = Budget(QUESTIONS_OF_SMALL if puzzle.size**2 <= SMALL else QUESTIONS)
    best = few[0]
    for refuted in few:
        if (fewer := trials.fewest(refuted, len(best.constraints) - 1, budget)) is not None:
            best = fewer
        if budget.spent:
            break
    link = _link(chain, best.trial, lambda: refutation(finder, puzzle, best))
    return Refutations([link], budget.spent or len(telling) > len(few))


def _settles(chain: Chain, trial: Trial) -> bool:
    """Does it settle a cell that this one has another height?"""
    masks = chain.candidates.masks
    if masks[trial.row][trial.column].bit_count() == 2:
        return True
    lines = masks[trial.row], [row[trial.column] for row in masks]
    return any(sum(mask >> trial.height - 1 & 1 for mask in line) == 2 for line in lines)


def _link(chain: Chain, trial: Trial, made: Callable[[], Inference]) -> Link:
    """The link of a refutation, which is told only if it is needed, and then once."""
    return Link(-1, -1, len(chain.facts), (trial.gives(chain.rules.size),), cache(made))


def refutation(finder: Finder, puzzle: Skyscrapers, refuted: Refuted) -> Inference:
    """What comes of assuming a height, up to the contradiction."""
    trial, constraints, facts = refuted
    assumed = Fact(trial.row, trial.column, (trial.height,))
    chain = Chain(finder, Rules(puzzle, frozenset(constraints)), (*facts, assumed))
    last = chain.reach(())
    assert last is not None, "what settling lines refutes, so do techniques"
    told, used = chain.needed((), last)
    gives = trial.gives(puzzle.size)
    uses = tuple(sorted(used - {assumed}))
    sentence = refutation_told(puzzle, assumed, gives, constraints)
    return Inference("contradiction", constraints, uses, (gives,), sentence, (Branch(assumed, tuple(told)),))
