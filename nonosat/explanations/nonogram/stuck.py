"""Where lines are stuck: what they rule out together, then values that few of them refute, then a guess."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from nonosat.csp.model import Paths, ints
from nonosat.encodings.nonogram import by_automaton
from nonosat.explanations.constraints import Named
from nonosat.explanations.nonogram.chains import LineChain, LineLink, RefutingLines, ValueTrial, chain_of
from nonosat.explanations.nonogram.position import Position
from nonosat.explanations.nonogram.sentences import format_cell, format_fixed, format_together, format_value
from nonosat.explanations.smallest import Budget, minimal
from nonosat.explanations.steps import ERROR, GUESS, ConstraintRef, Fact, Inference, Step
from nonosat.explanations.techniques import hardest
from nonosat.explanations.words import many
from nonosat.puzzles.nonogram.puzzle import Nonogram
from nonosat.puzzles.puzzle import Given
from nonosat.runs.events import Answer
from nonosat.solvers.solve import solve

if TYPE_CHECKING:
    from nonosat.explanations.nonogram.refutations import ValueRefutations


# The lines of a nonogram as constraints that a SAT solver can leave out, each by the paths of its automaton.


def constraints(puzzle: Nonogram) -> Named:
    """Rows, then columns, each with its cells.

    >>> [str(constraint) for constraint, _, _ in constraints(Nonogram.from_lengths([[1]], [[1], []]))]
    ['row 1', 'column 1', 'column 2']
    """
    csp = by_automaton(replace(puzzle, given=()))
    [paths] = csp.constraints
    height, width = puzzle.shape
    named: Named = []
    for number in range(height + width):
        row, place = number < height, number if number < height else number - height
        cells = [(place, i) if row else (i, place) for i in range(width if row else height)]
        name = ConstraintRef("row" if row else "column", place)
        named.append((name, tuple(cells), replace(csp, constraints=(_of_line(cast(Paths, paths), number),))))
    return named


def _of_line(paths: Paths, number: int) -> Paths:
    """The paths of one line, with its nodes numbered from 0."""
    first, last = int(paths.sources[number]), int(paths.sinks[number])
    arcs = np.flatnonzero((paths.tail >= first) & (paths.tail <= last))
    ends = np.concatenate(([0], paths.ends))
    widths = ends[arcs + 1] - ends[arcs]
    entries = np.concatenate([np.arange(ends[arc], ends[arc + 1]) for arc in arcs] or [np.arange(0)])
    return Paths(
        nodes=last - first + 1,
        sources=ints([0]),
        sinks=ints([last - first]),
        tail=ints(paths.tail[arcs] - first),
        head=ints(paths.head[arcs] - first),
        variables=ints(paths.variables[entries]),
        values=ints(paths.values[entries]),
        ends=ints(np.cumsum(widths)),
    )


# A guess, where no technique fixes a cell; or the fewest lines that show that there is no solution.


SOLVER = "minisat22"
"""What `auto` finds first depends on whether compiled code is there yet; an explanation must not."""
CONFLICTS = 20_000
"""If it takes more to see that there is no solution, no lines are left out one by one: each try would cost as much."""


def guess(position: Position) -> Step:
    """The first open cell, as a solution that agrees with the position has it; an error if there is none."""
    puzzle = position.puzzle
    given = tuple(Given(r, c, v) for r, row in enumerate(position.values) for c, v in enumerate(row) if v >= 0)
    answer = solve(Nonogram(puzzle.rows, puzzle.columns, given, puzzle.palette), solver=SOLVER, unique=True)
    if answer.picture is None:
        return _no_solution(position, given, answer)
    row, column = position.open_cells()[0]
    fact = Fact(row, column, (int(answer.picture.cells[row, column]),))
    others = "the solution has it" if answer.unique else "a solution has it, and others may not"
    is_so = f"{format_cell(fact)} is {format_value(position, fact)} ({others})"
    sentence = f"A guess, since nothing short fixes a cell: {is_so}."
    return Step(GUESS, (), (), (fact,), sentence, (Inference(GUESS, (), (), (fact,), sentence),), bounded=True)


def _no_solution(position: Position, given: tuple[Given, ...], answer: Answer) -> Step:
    """Lines and known cells that cannot all be right, each of them needed: a SAT solver's core, made smaller."""
    from nonosat.explanations.constraints import GroupSolver, Reason, smallest, stated

    named = constraints(position.puzzle)
    facts = [Fact(row, column, (value,)) for row, column, value in given]
    with closing(GroupSolver(position.puzzle, stated(named, named[0][2]))) as asking:
        groups, known = asking.core(range(len(named)), facts, None) or (list(range(len(named))), facts)
        if (answer.statistics.conflicts or 0) <= CONFLICTS:
            _, groups, known = smallest(asking, Reason(None, groups, known))
    lines = tuple(named[number][0] for number in sorted(groups))
    together = f" with the {many(len(known), 'known cell')} of this step" if known else ""
    sentence = f"{format_together(lines)} cannot all be right{together}: whatever is tried, no picture has them."
    known = sorted(known)
    inference = Inference(ERROR, lines, tuple(known), (), sentence)
    return Step(ERROR, lines, tuple(known), (), sentence, (inference,), bounded=True)


COMPARED = 400
"""Refuted values whose lines are made few, at most: those first that need the fewest lines."""
QUESTIONS = 400
"""Calls for the smallest set of lines, at most, in a step; each tries a value with many sets of lines."""
SMALL, QUESTIONS_OF_SMALL = 100, 40_000
"""Boards of so few cells get more work, so that the set is the smallest there is."""
WRITTEN_OUT = 6
"""Of sets with as few lines, so many are written out, and the shortest is taken."""
NESTED_COMPARED, NESTED_QUESTIONS = 60, 150
"""The same of nested steps, which cost more."""
NESTED_TRIALS = 2_000
"""Values that are tried with all cells tried under them, at most, before a guess."""


class Cheapest(NamedTuple):
    """Refutations with the fewest lines, as far as was looked; ``bounded``: one with fewer was not ruled out."""

    refuted: list[RefutingLines]
    bounded: bool


Shown = tuple[LineChain, tuple[Fact, ...]]
"""What ``chain_of`` gives."""


class Stuck:
    """Finds steps that take more than one line.

    ``tried``: values that are refuted of cells that are still open (with colours, that need not fix a cell);
    ``marks``: how.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.tried: list[ValueTrial] = []
        self.marks: list[LineLink] = []

    def step(self) -> Step | None:
        """The next step in a position in which lines by themselves are stuck. None: only a guess is left."""
        from nonosat.explanations.nonogram.refutations import ValueRefutations  # compiled code: not for easy puzzles

        small = self.position.puzzle.height * self.position.puzzle.width <= SMALL
        questions = QUESTIONS_OF_SMALL if small else QUESTIONS
        while True:
            trials = ValueRefutations(self.position)
            if found := trials.together() or trials.some():
                return self._shortest(cheapest(trials, found, COMPARED, Budget(questions)))
            if found := trials.parts():
                self._mark(cheapest(trials, found, COMPARED, Budget(QUESTIONS)).refuted[0])
                continue
            if (nested := self._nested(trials)) is None:
                return None
            shown = chain_of(self.position, nested.refuted[0], self.marks)
            if all(fact.known for fact in shown[1]):
                return self._step(nested.refuted[0], nested.bounded, shown)
            self._mark(nested.refuted[0], shown)

    def _nested(self, trials: ValueRefutations) -> Cheapest | None:
        """These are compared only among the first that are found."""
        if found := trials.either_way(1):
            return cheapest(trials, found, NESTED_COMPARED, Budget(NESTED_QUESTIONS))._replace(bounded=True)
        found = trials.nested(3, Budget(NESTED_TRIALS))
        return cheapest(trials, found, NESTED_COMPARED, Budget(0)) if found else None

    def _shortest(self, found: Cheapest) -> Step:
        """Of refutations with as few lines the one with the fewest inferences, and then known cells."""
        return min((self._step(each, found.bounded) for each in found.refuted), key=lambda step: step.cost)

    def _step(self, refuted: RefutingLines, bounded: bool, shown: Shown | None = None) -> Step:
        chain, goal = shown or chain_of(self.position, refuted, self.marks)
        inferences, used = chain.needed(goal)
        if self.marks and len(lines := self._lines(inferences)) > 2:
            lines = minimal(lines, lambda some: self._by(refuted.trial, some) is not None)
            chain, goal = self._by(refuted.trial, lines) or (chain, goal)
            inferences, used = chain.needed(goal)
            bounded = True
        return assembled(self.position, inferences, used, goal, bounded)

    def _lines(self, inferences: Iterable[Inference]) -> list[int]:
        return sorted({self.position.number(each) for inference in inferences for each in inference.constraints})

    def _by(self, trial: ValueTrial, lines: Sequence[int]) -> Shown | None:
        """What a trial shows by ``lines`` alone, with the values refuted that they refute of those that were."""
        from nonosat.explanations.nonogram.refutations import ValueRefutations

        other = Stuck(Position(self.position.puzzle, self.position.values))
        for before in self.tried:
            refuted = ValueRefutations(other.position).few(before, lines)
            if refuted is not None and len(refuted.lines) > 1:  # what one line refutes, it says by itself
                other._mark(refuted)
        found = ValueRefutations(other.position).few(trial, lines)
        return None if found is None else chain_of(other.position, found, other.marks)

    def _mark(self, refuted: RefutingLines, shown: Shown | None = None) -> None:
        """Remember that a cell does not have a value, and the explanation."""
        chain, [fact] = shown or chain_of(self.position, refuted, self.marks)
        self.tried.append(refuted.trial)
        chain.needed([fact])  # made now: the position goes on
        row, column, values = fact
        before = self.position.cell(row, column)
        self.marks = chain.links
        self.position.may[row, column] = tuple(value for value in values if value in before)


def cheapest(trials: ValueRefutations, found: Sequence[ValueTrial], compared: int, budget: Budget) -> Cheapest:
    """Of what is refuted or shown, that which takes the fewest lines."""
    few = [refuted for trial in found[:compared] if (refuted := trials.few(trial)) is not None]
    few.sort(key=lambda refuted: len(refuted.lines))
    best = few[0]
    for refuted in few:
        if (fewer := trials.fewest(refuted, len(best.lines) - 1, budget)) is not None:
            best = fewer
        if budget.spent:
            break
    as_few = [best, *(each for each in few if len(each.lines) == len(best.lines) and each is not best)]
    return Cheapest(as_few[:WRITTEN_OUT], budget.spent or len(found) > compared)


def assembled(
    position: Position, needed: Iterable[Inference], used: Iterable[Fact], fixes: tuple[Fact, ...], bounded: bool
) -> Step:
    """The step that inferences make."""
    inferences = tuple(needed)
    constraints = tuple(dict.fromkeys(each for inference in inferences for each in inference.constraints))
    known = tuple(sorted(fact for fact in used if fact.known))
    if not fixes:
        so = "some cell is wrong" if known else "there is no picture"
        sentence = f"{format_together(constraints)} contradict each other, so {so}."
        return Step(ERROR, constraints, known, (), sentence, inferences, bounded)
    technique = hardest(inference.technique for inference in inferences)
    if len(inferences) == 1:
        return Step(technique, constraints, known, fixes, inferences[0].sentence, inferences, bounded)
    sentence = f"{format_together(constraints)}, taken together, say that {format_fixed(position, fixes)}."
    return Step(technique, constraints, known, fixes, sentence, inferences, bounded)
