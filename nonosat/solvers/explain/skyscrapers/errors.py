"""A position that no solution agrees with: which line shows it, by the smallest set of its known cells."""

from __future__ import annotations

from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.solvers.explain.skyscrapers.line import OPEN, Line
from nonosat.solvers.explain.skyscrapers.orders import orders
from nonosat.solvers.explain.skyscrapers.rules import ENDS, Rules
from nonosat.solvers.explain.skyscrapers.sayings import cells_told
from nonosat.solvers.explain.smallest import Budget, minimal, minimum
from nonosat.solvers.explain.steps import ERROR, Constraint, Fact, Inference, Step
from nonosat.solvers.explain.words import listed

QUESTIONS = 2_000
"""Asked of a line, at most, for the smallest set of cells."""


def line_error(puzzle: Skyscrapers, known: list[Fact]) -> Step | None:
    """The line that shows it by the fewest cells, and of these by the fewest clues. None: no line shows anything."""
    rules = Rules(puzzle)
    found = []
    for number in range(2 * puzzle.size):
        index = rules.constraint(number).place
        here = [fact for fact in known if index == (fact.row if number < puzzle.size else fact.column)]
        if _wrong(rules, number, here, rules.clues[number]):
            found.append(_blamed(rules, number, here))
    if not found:
        return None
    constraints, cells, bounded, sentence = min(found, key=lambda one: (len(one[1]), len(one[0])))
    inference = Inference(ERROR, constraints, cells, (), sentence)
    return Step(ERROR, constraints, cells, (), sentence, (inference,), bounded)


def _wrong(rules: Rules, number: int, known: list[Fact], clues: tuple[int, int]) -> bool:
    """Has a line no order with these towers and clues?"""
    size = rules.size
    heights = [OPEN] * size
    for fact in known:
        heights[fact.column if number < size else fact.row] = fact.values[0]
    return not orders(Line.of(tuple(heights), [(1 << size) - 1] * size).cells, *clues).number


def _blamed(rules: Rules, number: int, here: list[Fact]) -> tuple[tuple[Constraint, ...], tuple[Fact, ...], bool, str]:
    """(constraints, fewest known cells, was the search for these cut short?, the sentence) of a line that is wrong."""
    best, bounded = list(here), False
    chosen = rules.clues[number]
    front, back = chosen
    for clues in sorted({(0, 0), (front, 0), (0, back), chosen}, key=lambda some: sum(map(bool, some))):
        if not _wrong(rules, number, here, clues):
            continue
        few = minimal(here, lambda some, clues=clues: _wrong(rules, number, some, clues))  # type: ignore[misc]
        budget = Budget(QUESTIONS)
        fewer = minimum(here, lambda some, c=clues: _wrong(rules, number, some, c), len(few) - 1, budget)  # type: ignore[misc]
        few = few if fewer is None else fewer
        bounded |= budget.spent
        if len(few) < len(best) or best == here:
            best, chosen = few, clues
    line = rules.constraint(number)
    ends = tuple(Constraint(end, line.place) for end, clue in zip(ENDS[line.family], chosen, strict=True) if clue)
    return ends or (line,), tuple(sorted(best)), bounded, _told(rules, number, best, chosen)


def _told(rules: Rules, number: int, cells: list[Fact], clues: tuple[int, int]) -> str:
    line = Line((), (), *clues, *rules.constraint(number))
    told = [*cells_told(number < rules.size, cells, rules.size), *(end.told for end in line.ends())]
    wrong = "these cannot both be right" if len(cells) + sum(map(bool, clues)) == 2 else "these cannot all be right"
    return f"{line.axis.capitalize()} {line.index + 1}: {listed(told)}: {wrong}."
