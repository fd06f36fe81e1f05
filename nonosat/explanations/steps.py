"""A step of an explanation as data: what it rests on, what follows, by which technique, and in which words.

An explanation goes from position to position. A step rests on few constraints and few known cells, as in Bogaerts,
Gamba and Guns, *A framework for step-wise explaining how to solve constraint satisfaction problems*, Artificial
Intelligence 300 (2021), whose measure of a step is how many of both it takes. Steps that say more than one line does
are made of *inferences*, and of assumptions, under which further inferences come to a contradiction (their *nested*
explanations).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

GUESS, ERROR = "guess", "error"
"""The techniques of a step that follows from nothing, and of one that shows that the position is wrong."""


class ConstraintRef(NamedTuple):
    """What a step appeals to: number ``place`` (from 0) of its ``family``, such as a ``row``.

    >>> print(ConstraintRef("row", 6))
    row 7
    """

    family: str
    place: int

    def __str__(self) -> str:
        return f"{self.family} {self.place + 1}"


class Fact(NamedTuple):
    """That the cell in ``row`` and ``column`` (from 0) has one of ``values``, in order; a known cell's is one."""

    row: int
    column: int
    values: tuple[int, ...]

    @property
    def known(self) -> bool:
        """Is the cell fixed?"""
        return len(self.values) == 1


@dataclass(frozen=True)
class Branch:
    """What comes of an assumption: ``inferences``, the last of which is a contradiction (it gives nothing)."""

    assumed: Fact
    inferences: tuple[Inference, ...]


@dataclass(frozen=True)
class Inference:
    """From ``constraints`` and the facts ``uses`` follows every one of ``gives``; nothing there: a contradiction.

    ``branches``: how, if by assumptions: each of them comes to a contradiction. What the inferences of a branch use are
    facts of ``uses``, what its assumption says, and what they have found before. ``placements``: see ``Step``.
    """

    technique: str
    constraints: tuple[ConstraintRef, ...]
    uses: tuple[Fact, ...]
    gives: tuple[Fact, ...]
    sentence: str
    branches: tuple[Branch, ...] = ()
    placements: tuple[tuple[int, ...], ...] = ()

    def within(self) -> Iterator[Inference]:
        """Itself, and all inferences of its branches."""
        yield self
        for branch in self.branches:
            for inference in branch.inferences:
                yield from inference.within()


@dataclass(frozen=True, repr=False)
class Step:
    """One step: from ``constraints`` and the ``known`` cells it follows that cells are as ``fixes`` says.

    ``technique``: the hardest that it takes. ``inferences``: one after the other; most steps have a single one.
    ``fixes`` is empty if the position is shown to be wrong. ``bounded``: a cheaper step was not ruled out, since the
    search for it was cut short. ``placements``: of the line, where the step is explained by them (a sample, if many).
    """

    technique: str
    constraints: tuple[ConstraintRef, ...]
    known: tuple[Fact, ...]
    fixes: tuple[Fact, ...]
    sentence: str
    inferences: tuple[Inference, ...]
    bounded: bool = False
    placements: tuple[tuple[int, ...], ...] = ()

    def __repr__(self) -> str:
        return f"<Step {self.technique}: {self.sentence}>"

    @property
    def cost(self) -> tuple[int, int, int]:
        """(constraints, inferences, known cells): what the step rests on, fewer is easier."""
        return len(self.constraints), self.inferences_shown, len(self.known)

    @property
    def might_be_shorter(self) -> bool:
        """Is it reported that the search for cheaper steps was cut short? Not of a guess, nor of an error."""
        return self.bounded and bool(self.fixes) and self.technique != GUESS

    @property
    def inferences_shown(self) -> int:
        """All inferences, those under assumptions too."""
        return sum(1 for inference in self.inferences for _ in inference.within())

    @property
    def candidates(self) -> list[Fact]:
        """What its inferences leave to cells that it does not fix: one fact a cell, in order."""
        left: dict[tuple[int, int], set[int]] = {}
        for inference in self.inferences:
            for row, column, values in inference.gives:
                left[row, column] = left.get((row, column), set(values)) & set(values)
        fixed = {fact[:2] for fact in self.fixes}
        return [Fact(*cell, tuple(sorted(some))) for cell, some in sorted(left.items()) if cell not in fixed]

    @property
    def sentences(self) -> list[str]:
        """The step in words: the sentence, and what it is made of, if there is more to say."""
        details = inference_sentences(self.inferences)
        return details if details[0] == self.sentence else [self.sentence, *details]

    def record(self) -> dict[str, Any]:
        """The step as plain JSON data; rows and columns from 0."""
        return {
            "technique": self.technique,
            "constraints": [constraint._asdict() for constraint in self.constraints],
            "known": [fact._asdict() for fact in self.known],
            "settles": [fact._asdict() for fact in self.fixes],
            "sentence": self.sentence,
            "details": self.sentences[1:],
            "bounded": self.bounded,
            "placements": self.placements,
            "candidates": [fact._asdict() for fact in self.candidates],
        }


def inference_sentences(inferences: tuple[Inference, ...], depth: int = 0) -> list[str]:
    """The sentences of ``inferences``, those under assumptions indented."""
    lines = []
    for inference in inferences:
        lines.append("  " * depth + inference.sentence)
        for branch in inference.branches:
            lines += inference_sentences(branch.inferences, depth + 1)
    return lines
