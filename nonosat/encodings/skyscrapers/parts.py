"""The parts of skyscrapers' encodings."""

from __future__ import annotations

from nonosat.csp.model import CSP
from nonosat.encodings.integers import INTEGERS
from nonosat.encodings.parts import OURS, Chosen, Kind, Part
from nonosat.encodings.skyscrapers import rules, visibility
from nonosat.encodings.skyscrapers.states import states
from nonosat.puzzles.skyscrapers import Skyscrapers

PARTS: tuple[Part, ...] = (
    Part("full", "domain", rules.full, "a cell has any height", OURS),
    Part(
        "cut",
        "domain",
        rules.cut,
        "a clue takes the highest from the cells beside it",
        "Majdandžić 2022, phases 1 to 3",
    ),
    Part("different", "lines", rules.different, "the heights of a line differ", "Gomes & Shmoys 2002, 2-D"),
    Part(
        "permutation", "lines", rules.permutation, "and every height stands in every line", "Gomes & Shmoys 2002, 3-D"
    ),
    Part("running", "visibility", visibility.running, "a tower above the running maximum is seen; counters", OURS),
    Part("visible", "visibility", visibility.visible, "a tower above each one before it is seen; counters", OURS),
    Part(
        "states",
        "visibility",
        states,
        "an automaton of the highest so far and the number seen",
        "Pesant, CP 2004",
    ),
)

ENCODINGS: tuple[str, ...] = tuple(
    f"{lines}+{seen}+{integers}"
    for lines in ("different", "permutation")
    for seen in ("running", "visible", "states")
    for integers in INTEGERS.own
) + tuple(f"full+permutation+{seen}+order" for seen in ("running", "visible", "states"))


def state(puzzle: Skyscrapers, chosen: Chosen) -> CSP:
    """The rules applied to ``puzzle``."""
    return rules.state(puzzle, chosen("domain")[0], chosen("lines")[0], chosen("visibility")[0])


SKYSCRAPERS = Kind(
    "skyscrapers",
    PARTS,
    (("domain", "lines", "visibility"),),
    state,
    "permutation+visible+coupled",
    ENCODINGS,
    omitted={"domain": "cut"},
)
