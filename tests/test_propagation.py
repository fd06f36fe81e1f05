"""What unit propagation does in each encoding, on single lines, beside brute force; see docs/encodings.md."""

from __future__ import annotations

import numpy as np
import pytest
from lines import Partial, complete, propagate, random_partial

from nonosat.encodings.registry import ENCODINGS, encoding

EVERY_VALUE = {"automaton+direct", "automaton+coupled"}
FORCED_CELLS = EVERY_VALUE | {"automaton+order", "automaton+log"}
"""With one colour: every cell that all placements agree on is found."""
DEAD_LINES = FORCED_CELLS | {
    name for name in ENCODINGS if encoding(name).integers == "order" and encoding(name).channel == "gaps"
}
"""A line that no placement fits is a conflict; see docs/encodings.md for why the order encoding has this."""


def parse(text: str) -> Partial:
    return tuple({"?": None, ".": 0, "#": 1}[symbol] for symbol in text)


def runs(*lengths: int) -> tuple[tuple[int, int], ...]:
    return tuple((length, 1) for length in lengths)


# Kept: the smallest line that brute force completes and unit propagation does not, by encoding.
MISSED = {
    "tight+r3+order": ("??#??", runs(1, 1), (1, 3)),
    "tight+r5+order": ("??#??", runs(1, 1), (1, 3)),
    "tight+r3+iff+order": ("??#??", runs(1, 1), (1, 3)),
    "tight+r3+direct": ("???", runs(2), (1,)),
    "tight+r3+iff+direct": ("???", runs(2), (1,)),
    "tight+r3+log": ("???", runs(2), (1,)),
    "tight+r3+coupled": ("???", runs(2), (1,)),
    "tight+r3+iff+coupled": ("???", runs(2), (1,)),
}


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("colours", [1, 2])
def test_unit_propagation_is_sound_and_as_complete_as_stated(name: str, colours: int) -> None:
    rng = np.random.default_rng(40)
    for _ in range(120 if colours == 1 else 60):
        clue, partial = random_partial(rng, colours)
        found, true = propagate(name, clue, partial, colours), complete(clue, partial, colours)
        case = (name, clue, partial)
        assert not (found.conflict and not true.conflict), case
        if name in DEAD_LINES:
            assert found.conflict == true.conflict, case
        if found.conflict or true.conflict:
            continue
        assert all(right <= left for left, right in zip(found.left, true.left, strict=True)), case
        if name in EVERY_VALUE or (name in FORCED_CELLS and colours == 1):
            assert found.left == true.left, case


@pytest.mark.parametrize("name", MISSED)
def test_kept_counter_examples(name: str) -> None:
    text, clue, cells = MISSED[name]
    found, true = propagate(name, clue, parse(text), 1), complete(clue, parse(text), 1)
    assert [cell for cell in range(len(text)) if found.left[cell] != true.left[cell]] == list(cells)
    assert propagate("automaton+order", clue, parse(text), 1) == true


def test_every_incomplete_encoding_has_a_counter_example() -> None:
    """Those that are not listed share the rules or the integer encoding of one that is."""
    kinds = {(encoding(name).channel, encoding(name).integers) for name in MISSED}
    for name in set(ENCODINGS) - FORCED_CELLS:
        parts = encoding(name)
        assert (parts.channel, parts.integers) in kinds or parts.integers == "log"


def test_a_cell_that_different_runs_cover() -> None:
    """Cell 5 is black in all placements, by run 1 in some and by run 2 in others: the order encoding misses it."""
    partial = parse("???.#????")
    assert propagate("tight+r3+order", runs(2, 2), partial, 1).left[5] == {0, 1}
    assert propagate("automaton+order", runs(2, 2), partial, 1).left[5] == {1}


def test_dead_lines_that_the_report_s_channel_misses() -> None:
    """With ``iff`` a dead line may go unnoticed that ``gaps`` finds."""
    rng = np.random.default_rng(6)
    missed = 0
    for _ in range(600):
        clue, partial = random_partial(rng, 1)
        if complete(clue, partial, 1).conflict:
            missed += not propagate("plain+r3+iff+log", clue, partial, 1).conflict
            assert propagate("tight+r3+order", clue, partial, 1).conflict
    assert missed > 0
