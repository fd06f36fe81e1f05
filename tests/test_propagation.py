"""What unit propagation does in each encoding, on single lines, beside brute force; see docs/encodings.md."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from brute import placements
from lines import Partial, complete, propagate, random_partial
from sampling import repeated, spread

from nonosat.encodings.nonogram import ENCODINGS
from nonosat.encodings.registry import encoding

EVERY_VALUE = {"automaton+direct", "automaton+support", "automaton+coupled"}
FORCED_CELLS = EVERY_VALUE | {"automaton+order"}
"""Every cell that all placements agree on is found; ``automaton+log`` has this with one colour."""
AUTOMATA = FORCED_CELLS | {"automaton+log"}
DEAD_LINES = AUTOMATA | {
    name for name in ENCODINGS if encoding(name).integers in ("order", "coupled") and encoding(name).channel == "gaps"
}
"""A line that no placement fits is a conflict; see docs/encodings.md for why these two have this."""


def parse(text: str) -> Partial:
    return tuple({"?": None, ".": 0, "#": 1}[symbol] for symbol in text)


def runs(*lengths: int) -> tuple[tuple[int, int], ...]:
    return tuple((length, 1) for length in lengths)


# Kept: a smallest line that brute force completes and unit propagation does not, by encoding.
MISSED = {
    "tight+r3+order": ("??#??", runs(1, 1), (1, 3)),
    "tight+r5+order": ("??#??", runs(1, 1), (1, 3)),
    "tight+r3+iff+order": ("??#??", runs(1, 1), (1, 3)),
    **dict.fromkeys(("tight+r3+direct", "tight+r3+iff+direct"), ("???", runs(2), (1,))),
    **dict.fromkeys(("tight+r3+support", "tight+r3+iff+support"), ("???", runs(2), (1,))),
    "tight+r3+log": ("???", runs(2), (1,)),
    "tight+r3+iff+log": ("???", runs(2), (1,)),
    "tight+r3+coupled": ("???", runs(2), (1,)),
    "tight+r3+iff+coupled": ("???", runs(2), (1,)),
}

# Kept: a smallest line that no placement fits and unit propagation lets pass.
MISSED_DEAD = {
    **dict.fromkeys(("tight+r3+iff+order", "plain+r3+iff+order"), ("??##??", runs(1, 1))),
    **dict.fromkeys(("tight+r3+direct", "plain+r3+direct"), (".?#?.", runs(1, 1))),
    **dict.fromkeys(("tight+r3+iff+direct", "plain+r3+iff+direct"), ("?#?#?", runs(2))),
    **dict.fromkeys(("tight+r3+support", "plain+r3+support"), ("?##?", runs(1))),
    **dict.fromkeys(("tight+r3+iff+support", "plain+r3+iff+support"), ("?#?#?", runs(2))),
    **dict.fromkeys(("tight+r3+log", "plain+r3+log"), ("...", runs(1))),
    **dict.fromkeys(("tight+r3+iff+log", "plain+r3+iff+log"), ("...", runs(1))),
    **dict.fromkeys(("tight+r3+iff+coupled", "plain+r3+iff+coupled"), ("?#?#?", runs(2))),
}


@pytest.mark.parametrize("number", repeated(8, 120))
@pytest.mark.parametrize("name", spread(ENCODINGS, 1))
@pytest.mark.parametrize("colours", [1, 2])
def test_unit_propagation_is_sound_and_as_complete_as_stated(number: int, name: str, colours: int) -> None:
    rng = np.random.default_rng(40)
    for _ in range(number if colours == 1 else number // 2):
        clue, partial = random_partial(rng, colours)
        found, true = propagate(name, clue, partial, colours), complete(clue, partial, colours)
        case = (name, clue, partial)
        assert not (found.conflict and not true.conflict), case
        if name in DEAD_LINES:
            assert found.conflict == true.conflict, case
        if found.conflict or true.conflict:
            continue
        assert all(right <= left for left, right in zip(found.left, true.left, strict=True)), case
        if name in EVERY_VALUE or (name in AUTOMATA and colours == 1):
            assert found.left == true.left, case
        elif name in FORCED_CELLS:
            forced = [values if len(values) == 1 else None for values in true.left]
            assert [values if len(values) == 1 else None for values in found.left] == forced, case


@pytest.mark.parametrize("name", MISSED)
def test_kept_counter_examples(name: str) -> None:
    text, clue, cells = MISSED[name]
    found, true = propagate(name, clue, parse(text), 1), complete(clue, parse(text), 1)
    assert [cell for cell in range(len(text)) if found.left[cell] != true.left[cell]] == list(cells)
    assert propagate("automaton+order", clue, parse(text), 1) == true


@pytest.mark.parametrize("name", MISSED_DEAD)
def test_kept_dead_lines(name: str) -> None:
    text, clue = MISSED_DEAD[name]
    assert complete(clue, parse(text), 1).conflict
    assert not propagate(name, clue, parse(text), 1).conflict
    assert propagate("tight+r3+order", clue, parse(text), 1).conflict


@pytest.mark.parametrize(("found", "kept"), [(AUTOMATA, MISSED), (DEAD_LINES, MISSED_DEAD)])
def test_what_is_not_found_by_all_has_a_counter_example(found: set[str], kept: dict[str, object]) -> None:
    """Those that are not listed share channel and integer encoding with one that is."""
    kinds = {(encoding(name).channel, encoding(name).integers) for name in kept}
    assert {(encoding(name).channel, encoding(name).integers) for name in set(ENCODINGS) - found} <= kinds
    assert not found & set(kept)


def test_what_automata_miss_with_two_colours() -> None:
    """The order encoding a colour between two others, the log encoding a cell that is forced."""
    clue, partial = ((1, 2),), (None, None)
    assert propagate("automaton+order", clue, partial, 2).left == ({0, 1, 2}, {0, 1, 2})
    assert complete(clue, partial, 2).left == ({0, 2}, {0, 2})
    clue, partial = ((2, 1),), (None, None, None)
    assert propagate("automaton+log", clue, partial, 2).left[1] == {0, 1, 2}
    assert propagate("automaton+order", clue, partial, 2).left[1] == complete(clue, partial, 2).left[1] == {1}


@pytest.mark.parametrize(
    ("name", "colours"),
    spread(product(["tight+r3+coupled", "plain+r3+coupled", "plain+r3+order", "tight+r5+order"], [1, 2]), 0),
)
def test_every_dead_line_is_found_of_all_that_are_small(name: str, colours: int) -> None:
    for size in range(1, 6 - colours):
        for clue in placements(size, colours):
            for partial in product((None, *range(colours + 1)), repeat=size):
                if complete(clue, partial, colours).conflict:
                    assert propagate(name, clue, partial, colours).conflict, (clue, partial)


def test_a_cell_that_different_runs_cover() -> None:
    """Cell 5 is black in all placements, by run 1 in some and by run 2 in others: the order encoding misses it."""
    partial = parse("???.#????")
    assert propagate("tight+r3+order", runs(2, 2), partial, 1).left[5] == {0, 1}
    assert propagate("automaton+order", runs(2, 2), partial, 1).left[5] == {1}


@pytest.mark.slow
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
