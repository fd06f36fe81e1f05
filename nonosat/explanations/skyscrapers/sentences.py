"""The sentences of Skyscrapers' steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nonosat.explanations.skyscrapers.line import CandidateFinding, TowerLine, format_heights
from nonosat.explanations.skyscrapers.rules import ENDS
from nonosat.explanations.steps import ConstraintRef, Fact
from nonosat.explanations.words import format_values, listed, places
from nonosat.puzzles.skyscrapers import Skyscrapers


def format_line_step(
    line: TowerLine, row: bool, uses: Sequence[Fact], gives: Sequence[Fact], found: CandidateFinding
) -> str:
    """An inference of a line: what it takes, and what follows."""
    since = format_facts(line, row, uses) if uses and found.since else ""
    then = found.then or listed(format_cells(row, gives, line.size))
    reasons = "; ".join(reason for reason in (since, found.why) if reason)
    words = f"{reasons}{found.so} {then}" if reasons else then
    return f"{line.axis.capitalize()} {line.index + 1}: {words}."


def format_cells(row: bool, facts: Iterable[Fact], size: int) -> list[str]:
    """What facts say of the cells of a line: ``columns 3 and 4 are not 5``."""
    return format_values(row, facts, lambda fact: format_value(fact, size))


def format_facts(line: TowerLine, row: bool, uses: Sequence[Fact]) -> str:
    """What is known, for a line: of its own cells, and of towers that stand elsewhere in lines that cross it."""
    here = [fact for fact in uses if (fact.row if row else fact.column) == line.index]
    words = format_cells(row, here, line.size)
    far: dict[int, list[int]] = {}
    for fact in uses:
        if fact not in here:
            far.setdefault(fact.column if row else fact.row, []).append(fact.values[0])
    by_heights: dict[tuple[int, ...], list[int]] = {}
    for cell, heights in sorted(far.items()):
        by_heights.setdefault(tuple(sorted(heights)), []).append(cell)
    for some, cells in by_heights.items():
        have = "has" if len(cells) == 1 else "have"
        a = "a " if len(some) == 1 else ""
        words.append(f"{line.format_cells(cells)} {have} {a}{format_heights(some)} already")
    return listed(words)


def format_value(fact: Fact, size: int) -> str:
    """What a fact says of its cell, by what it can be or by what it cannot, whichever is shorter."""
    out = [height for height in range(1, size + 1) if height not in fact.values]
    if fact.known or len(fact.values) <= len(out):
        return format_heights(fact.values, "or")
    return f"not {out[0]}" if len(out) == 1 else f"neither {format_heights(out, 'nor')}"


def format_cell(fact: Fact) -> str:
    """A cell in words."""
    return f"row {fact.row + 1}, column {fact.column + 1}"


def format_constraints(puzzle: Skyscrapers, constraints: Sequence[ConstraintRef]) -> str:
    """Constraints in words: ``rows 1 and 2, and the clues at the left of row 4 and at the top of columns 1 and 3``."""
    places_of: dict[str, list[int]] = {}
    for family, place in constraints:
        places_of.setdefault(family, []).append(place)
    words = [places(family, places_of[family]) for family in ENDS if family in places_of]
    clues = [each for each in constraints if each.family not in ENDS]
    ends = []
    for axis, sides in ENDS.items():
        ends += [f"at the {side} of {places(axis, places_of[side])}" for side in sides if side in places_of]
    if len(clues) == 1:
        [(family, place)] = clues
        ends[0] = f"the {getattr(puzzle, family)[place]} {ends[0]}"
    elif clues:
        ends = [f"the clues {listed(ends)}"]
    lines = " and ".join(words)
    return f"{lines}, and {ends[0]}" if words and ends else lines or ends[0]


def format_refutation(puzzle: Skyscrapers, assumed: Fact, gives: Fact, constraints: Sequence[ConstraintRef]) -> str:
    """A whole refutation in a sentence."""
    is_so = f"{format_cell(gives)} is {format_value(gives, puzzle.size)}".capitalize()
    wrong = "would contradict each other" if len(constraints) > 1 else "could not be right"
    return f"{is_so}: if it were {assumed.values[0]}, {format_constraints(puzzle, constraints)} {wrong}."
