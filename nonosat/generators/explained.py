"""What is asked of explanations: does a puzzle take a technique and nothing harder, which label does it have?"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from nonosat.errors import UnknownNameError, UnsupportedError
from nonosat.solvers.explain.measures import LABELS, explained, needs
from nonosat.solvers.explain.techniques import TECHNIQUES


def judge(wish: str) -> Callable[[Any], bool]:
    """Who tells whether a puzzle of any kind is ``wish``: a technique's name, or a label of ``measures``.

    >>> from nonosat.puzzles.skyscrapers import Skyscrapers
    >>> puzzle = Skyscrapers((1, 0), (0, 0), (0, 0), (0, 0))
    >>> judge("clue-one")(puzzle), judge("last-cell")(puzzle), judge("easy")(puzzle)
    (False, True, True)
    """
    if wish in TECHNIQUES:
        return partial(_takes, technique=wish)
    if wish not in LABELS:
        raise UnknownNameError("label", wish, LABELS)
    return partial(_labelled, label=wish)


def _takes(puzzle: Any, technique: str) -> bool:
    kind = TECHNIQUES.named(technique).kind
    if kind not in (None, puzzle.kind):
        raise UnsupportedError(f"the technique {technique} is for {kind}, not for {puzzle.kind}")
    return needs(puzzle, technique)


def _labelled(puzzle: Any, label: str) -> bool:
    return explained(puzzle).label == label
