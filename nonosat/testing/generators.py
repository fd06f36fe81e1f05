"""Checks of a generator: the same seed makes the same puzzle, which has the solution that it was made from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from nonosat.generators.registry import Generator
from nonosat.puzzles.check import is_solution
from nonosat.puzzles.formats import dumps, loads
from nonosat.solvers.solve import solve

SEEDS = (0, 1, 2**62)


def checks(generator: Generator, values: Sequence[Sequence[Any]]) -> Iterator[tuple[str, Callable[[], None]]]:
    """Those of one generator, for each of ``values`` of its parameters."""
    usual = [parameter.default for parameter in generator.parameters]
    yield "has values to test with", partial(_enough, [*values, *([usual] if None not in usual else [])])
    for chosen in values or ([usual] if None not in usual else []):
        told = ", ".join(map(str, chosen))
        yield f"{told}: the same puzzle again, as promised", partial(puzzles, generator, chosen)


def _enough(values: Sequence[object]) -> None:
    assert values, "no values of its parameters to test with: give some to battery(parts, values={name: [...]})"


def puzzles(generator: Generator, chosen: Sequence[Any]) -> None:
    """Made from its texts twice, of its kind, solved by its goal, unique if the generator says so."""
    values = [p.read(value) for p, value in zip(generator.parameters, chosen, strict=True)]
    texts = generator.told(values)
    for parameter, text, value in zip(generator.parameters, texts, values, strict=True):
        assert "/" not in text, f"{parameter.word}: {text!r} is part of a name, and has no '/'"
        assert parameter.read(text) == value, f"{parameter.word}: {text!r} is read as another value"
    generator.known(texts)
    found = []
    for seed in SEEDS:
        puzzle = generator.puzzle(texts, seed)
        assert puzzle == generator.puzzle(texts, seed), f"seed {seed}: another puzzle the second time"
        assert puzzle.kind == generator.kind
        assert puzzle.goal is None or is_solution(puzzle, puzzle.goal)
        if generator.unique:
            assert solve(puzzle, unique=True).unique, f"seed {seed}: not the only solution"
        assert loads(dumps(puzzle, "json"), "json") == [puzzle]
        found.append(puzzle)
    assert len(set(found)) > 1 or found[0].shape < (3, 3), "every seed makes the same puzzle"
