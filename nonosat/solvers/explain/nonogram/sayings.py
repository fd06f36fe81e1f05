"""The sentences of steps that take more than one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nonosat.solvers.explain.nonogram.colours import names
from nonosat.solvers.explain.nonogram.position import Position
from nonosat.solvers.explain.steps import Constraint, Fact
from nonosat.solvers.explain.words import listed, places


def cell_told(fact: Fact) -> str:
    """A cell in words."""
    return f"row {fact.row + 1}, column {fact.column + 1}"


def value_told(position: Position, fact: Fact) -> str:
    """What a fact says of its cell, by what it can be or by what it cannot, whichever is shorter."""
    words = names(position.puzzle.palette)
    out = [value for value in position.every if value not in fact.values]
    if len(fact.values) == 1 or len(fact.values) < len(out):
        return listed([words[value] for value in fact.values], "or")
    return f"not {listed([words[value] for value in out], 'or')}"


def cells_told(position: Position, number: int, facts: Iterable[Fact]) -> str:
    """What facts say of the cells of a line: ``columns 3 and 4 are filled and column 7 is not red``."""
    row = number < position.puzzle.height
    by_value: dict[str, list[int]] = {}
    for fact in facts:
        by_value.setdefault(value_told(position, fact), []).append(fact.column if row else fact.row)
    told = []
    for value, cells in by_value.items():
        told.append(f"{places('column' if row else 'row', cells)} {'is' if len(cells) == 1 else 'are'} {value}")
    return listed(told)


def line_says(position: Position, number: int, gives: Sequence[Fact], uses: Sequence[Fact]) -> str:
    """An inference of a line: what it takes, and what follows."""
    line = str(position.constraint(number)).capitalize()
    since = [cells_told(position, number, uses)] if uses else []
    if not position.line(number).clue:
        since.append("its clue is 0")
    if gives:
        then = cells_told(position, number, gives)
    else:
        then = "that is wrong" if not position.line(number).clue else "its runs have no placement left"
    return f"{line}: {f'{listed(since)}, so ' if since else ''}{then}."


def refutation_told(position: Position, assumed: Fact, gives: Fact, lines: Sequence[Constraint], nested: bool) -> str:
    """A whole refutation in a sentence."""
    verdict = f"{cell_told(gives)} is {value_told(position, gives)}"
    were = f"if it were {value_told(position, assumed)}"
    how = "whatever comes next, " if nested else ""
    return f"{verdict.capitalize()}: {were}, {how}{lines_told(lines)} would contradict each other."


def together_told(lines: Sequence[Constraint]) -> str:
    """Lines at the beginning of a sentence."""
    return lines_told(lines).capitalize()


def lines_told(lines: Sequence[Constraint]) -> str:
    """Lines in words: ``rows 1 and 2 and columns 4 to 6``."""
    by_family: dict[str, list[int]] = {}
    for line in sorted(lines, key=lambda one: (one.family != "row", one.place)):
        by_family.setdefault(line.family, []).append(line.place)
    return " and ".join(places(family, numbers) for family, numbers in by_family.items())
