"""The sentences of steps that take more than one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from nonosat.explanations.nonogram.line import names
from nonosat.explanations.nonogram.position import Position
from nonosat.explanations.steps import ConstraintRef, Fact
from nonosat.explanations.words import format_values, listed, places


def format_cell(fact: Fact) -> str:
    """A cell in words."""
    return f"row {fact.row + 1}, column {fact.column + 1}"


def format_value(position: Position, fact: Fact) -> str:
    """What a fact says of its cell, by what it can be or by what it cannot, whichever is shorter.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> from nonosat.puzzles.nonogram.puzzle import palette_of
    >>> three = Position(Nonogram(((),), ((),), (), palette_of(3)))
    >>> [format_value(three, Fact(0, 0, values)) for values in ((1,), (0, 2), (0, 2, 3))]
    ['black', 'blank or red', 'not black']
    """
    words = names(position.puzzle.palette)
    out = [value for value in position.every if value not in fact.values]
    if len(fact.values) <= len(out):
        return listed([words[value] for value in fact.values], "or")
    return f"not {words[out[0]]}" if len(out) == 1 else f"neither {listed([words[value] for value in out], 'nor')}"


def format_cells(position: Position, number: int, facts: Iterable[Fact]) -> str:
    """What facts say of the cells of a line: ``columns 3 and 4 are filled and column 7 is not red``."""
    return listed(format_values(number < position.puzzle.height, facts, partial(format_value, position)))


def format_fixed(position: Position, fixes: Sequence[Fact]) -> str:
    """Cells that are fixed: one by its row and column, several by the line that they are in."""
    if len(fixes) == 1:
        return f"{format_cell(fixes[0])} is {format_value(position, fixes[0])}"
    if len({fact.row for fact in fixes}) == 1:
        return f"in row {fixes[0].row + 1} {format_cells(position, fixes[0].row, fixes)}"
    column = fixes[0].column
    return f"in column {column + 1} {format_cells(position, position.puzzle.height + column, fixes)}"


def format_line_step(position: Position, number: int, gives: Sequence[Fact], uses: Sequence[Fact]) -> str:
    """An inference of a line: what it takes, and what follows."""
    line, clue = str(position.constraint(number)).capitalize(), position.line(number).clue
    since = [format_cells(position, number, uses)] if uses else []
    if not clue:
        since.append("its clue is 0")
    if gives:
        then = format_cells(position, number, gives)
    elif not clue:
        then = "that is wrong"
    else:
        then = f"its {'run has' if len(clue) == 1 else 'runs have'} no placement left"
    if not since:
        return f"{line}: whatever the other lines say, {then}."
    return f"{line}: {listed(since)}, so {then}."


def format_refutation(
    position: Position, assumed: Fact, gives: Fact, lines: Sequence[ConstraintRef], nested: bool
) -> str:
    """A whole refutation in a sentence."""
    verdict = f"{format_cell(gives)} is {format_value(position, gives)}"
    were = f"if it were {format_value(position, assumed)}"
    how = "whatever comes next, " if nested else ""
    wrong = "contradict each other" if len(lines) > 1 else "have no placement left"
    return f"{verdict.capitalize()}: {were}, {how}{format_lines(lines)} would {wrong}."


def format_together(lines: Sequence[ConstraintRef]) -> str:
    """Lines at the beginning of a sentence."""
    return format_lines(lines).capitalize()


def format_lines(lines: Sequence[ConstraintRef]) -> str:
    """Lines in words: ``rows 1 and 2 and columns 4 to 6``."""
    by_family: dict[str, list[int]] = {}
    for line in sorted(lines, key=lambda one: (one.family != "row", one.place)):
        by_family.setdefault(line.family, []).append(line.place)
    return " and ".join(places(family, numbers) for family, numbers in by_family.items())
