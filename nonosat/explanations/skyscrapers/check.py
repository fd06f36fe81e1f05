"""Does a step follow? From its constraints and the facts that it uses alone, by code that techniques know nothing of.

The inferences of a step are gone through in order, with what is known and what was inferred before; under an assumption
likewise, up to a contradiction. An inference by itself is checked on all heights that agree with its
constraints and facts: the towers of a line are built up from an end (a table remembers which sets of heights have been
met), and what several lines leave open is tried, value by value. Nothing else of the package's solving is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from nonosat.explanations.steps import GUESS, ConstraintRef, Fact, Inference, Step
from nonosat.puzzles.skyscrapers.puzzle import Skyscrapers

LARGEST = 10
"""Boards with larger lines have too many sets of heights for this."""

Cells = dict[tuple[int, int], frozenset[int]]
"""What cells may be; those that are not named may be anything."""

LineOf = tuple[tuple[tuple[int, int], ...], int, int]
"""Cells from left to right or top to bottom, and the clues at the two ends, 0 for none."""


def fault(puzzle: Skyscrapers, step: Step) -> str | None:
    """Why ``step`` does not follow, or None. A guess claims nothing but that its cell is open.

    >>> puzzle = Skyscrapers((1, 0), (0, 0), (0, 0), (0, 0))
    >>> follows(puzzle, (ConstraintRef("top", 0),), (), (Fact(0, 0, (2,)),))
    True
    """
    if step.technique == GUESS:
        return None if len(step.fixes) == 1 and not step.known else "a guess fixes one cell"
    if not all(fact.known for fact in (*step.known, *step.fixes)):
        return "a step goes from known cells to known cells"
    if {fact[:2] for fact in step.fixes} & {fact[:2] for fact in step.known}:
        return "it fixes a cell that it uses"
    if any(not _stands(puzzle, step, heights) for heights in step.placements):
        return "an order that is shown is none"
    found = set(step.known)
    for inference in step.inferences:
        if (wrong := _inference_fault(puzzle, inference, found, step.constraints)) is not None:
            return wrong
        found |= set(inference.gives)
    return None if set(step.fixes) <= found else "the inferences do not give what the step fixes"


def _inference_fault(
    puzzle: Skyscrapers, inference: Inference, found: set[Fact], allowed: tuple[ConstraintRef, ...]
) -> str | None:
    spoken = {constraint for each in allowed for constraint in (each, _line_of(each))}
    if not set(inference.constraints) <= spoken:
        return f"{inference.sentence}: it rests on more constraints than what it is for"
    for fact in inference.uses:
        if not _follows(fact, found):
            return f"{inference.sentence}: nothing says {fact}"
    if inference.branches:
        return _branches_fault(puzzle, inference)
    if not follows(puzzle, inference.constraints, inference.uses, inference.gives):
        return f"{inference.sentence}: it does not follow"
    return None


def _branches_fault(puzzle: Skyscrapers, inference: Inference) -> str | None:
    """Why assumptions do not say what they are for: a cell has the heights that none of them refutes."""
    refuted = {(branch.assumed[:2], height) for branch in inference.branches for height in branch.assumed.values}
    for row, column, values in inference.gives:
        if not all(height in values or ((row, column), height) in refuted for height in range(1, puzzle.size + 1)):
            return f"{inference.sentence}: not all other heights are refuted"
    for branch in inference.branches:
        inside = {*inference.uses, branch.assumed}
        for each in branch.inferences:
            if (wrong := _inference_fault(puzzle, each, inside, inference.constraints)) is not None:
                return wrong
            inside |= set(each.gives)
        if not branch.inferences or branch.inferences[-1].gives:
            return f"{inference.sentence}: an assumption comes to no contradiction"
    return None


def _line_of(constraint: ConstraintRef) -> ConstraintRef:
    """The row or column of which a clue says that it has every height once."""
    families = {"left": "row", "right": "row", "top": "column", "bottom": "column"}
    return ConstraintRef(families.get(constraint.family, constraint.family), constraint.place)


def _follows(fact: Fact, found: set[Fact]) -> bool:
    """Do the facts ``found`` of a cell, taken together, say ``fact``?"""
    some = [set(each.values) for each in found if each[:2] == fact[:2]]
    return bool(some) and set.intersection(*some) <= set(fact.values)


def follows(
    puzzle: Skyscrapers, constraints: Sequence[ConstraintRef], uses: Iterable[Fact], gives: Sequence[Fact]
) -> bool:
    """Have all heights that agree with constraints and ``uses`` what ``gives`` says? Nothing: there are none such."""
    every = frozenset(range(1, puzzle.size + 1))
    known: Cells = {}
    for row, column, values in uses:
        known[row, column] = known.get((row, column), every) & frozenset(values)
    lines = _lines(puzzle, constraints)
    if not gives:
        return _refuted(every, lines, known)
    return all(
        _refuted(every, lines, {**known, (row, column): frozenset([height])})
        for row, column, values in gives
        for height in known.get((row, column), every) - set(values)
    )


def _lines(puzzle: Skyscrapers, constraints: Sequence[ConstraintRef]) -> list[LineOf]:
    """The lines that constraints speak of, with those of their clues that are among them."""
    size, found = puzzle.size, []
    for axis, place in dict.fromkeys(map(_line_of, constraints)):
        ends = ("left", "right") if axis == "row" else ("top", "bottom")
        front, back = (getattr(puzzle, e)[place] if ConstraintRef(e, place) in constraints else 0 for e in ends)
        cells = tuple((place, i) if axis == "row" else (i, place) for i in range(size))
        found.append((cells, front, back))
    return found


def _refuted(every: frozenset[int], lines: list[LineOf], known: Cells) -> bool:
    """Are there no heights with which these lines are right?"""
    left = {cell: every for cells, _, _ in lines for cell in cells} | known
    changed = True
    while changed:
        changed = False
        for cells, front, back in lines:
            options = fillable(tuple(left[cell] for cell in cells), front, back)
            if options is None:
                return True
            for cell, values in zip(cells, options, strict=True):
                changed |= values != left[cell]
                left[cell] = values
    times: dict[tuple[int, int], int] = {}
    for cells, _, _ in lines:
        for cell in cells:
            times[cell] = times.get(cell, 0) + 1
    crossing = [cell for cell, count in times.items() if count > 1 and len(left[cell]) > 1]
    if not crossing:
        return not all(left.values())  # what lines leave open, each can fill by itself
    cell = min(crossing, key=lambda one: len(left[one]))
    return all(_refuted(every, lines, {**left, cell: frozenset([value])}) for value in sorted(left[cell]))


_Built = dict[tuple[int, int], tuple[int, ...]]
"""By the heights that stand from an end on (bit h - 1 is height h), and how many are seen: what each cell can be."""


@lru_cache(maxsize=20_000)
def fillable(cells: tuple[frozenset[int], ...], front: int, back: int) -> list[frozenset[int]] | None:
    """What each cell is in the orders of a line, of what it may be. None: there is no order.

    The highest tower parts the line: only what stands before it counts for the front, only the rest for the back.

    >>> every = frozenset({1, 2, 3})
    >>> fillable((every,) * 3, 2, 2)
    [frozenset({1, 2}), frozenset({3}), frozenset({1, 2})]
    """
    size = len(cells)
    masks = [sum(1 << height - 1 for height in cell) for cell in cells]
    highest = 1 << size - 1
    before, behind = _built(masks, highest), _built(masks[::-1], highest)
    options = [0] * size
    for place in range(size):
        if not masks[place] & highest:
            continue
        for (heights, seen), first in before[place].items():
            if front not in (0, seen + 1):
                continue
            for also in (back - 1,) if back else range(size):
                last = behind[size - 1 - place].get((highest - 1 - heights, also))
                if last is not None:
                    options = [a | b for a, b in zip(options, (*first, highest, *last[::-1]), strict=True)]
    if not options[0]:
        return None
    return [
        frozenset(height for height in cell if option >> height - 1 & 1)
        for cell, option in zip(cells, options, strict=True)
    ]


def _built(masks: Sequence[int], highest: int) -> list[_Built]:
    """Of the first 0, 1, .. cells: the beginnings without the highest tower."""
    layers: list[_Built] = [{(0, 0): ()}]
    for place in range(len(masks) - 1):
        layer: _Built = {}
        for (heights, seen), options in layers[-1].items():
            free = masks[place] & ~heights & ~highest
            while free:
                height = free & -free
                free ^= height
                key = heights | height, seen + (height > heights)
                now = (*options, height)
                known = layer.get(key)
                layer[key] = now if known is None else tuple(a | b for a, b in zip(known, now, strict=True))
        layers.append(layer)
    return layers


def _stands(puzzle: Skyscrapers, step: Step, heights: tuple[int, ...]) -> bool:
    """Is an order that is shown one of the line's, with its clues and the step's known cells?"""
    if not step.constraints:
        return False
    line = _line_of(step.constraints[0])
    [(cells, front, back)] = _lines(puzzle, [each for each in step.constraints if _line_of(each) == line])
    known = {fact[:2]: fact.values[0] for fact in step.known}
    agrees = all(known.get(cell, height) == height for cell, height in zip(cells, heights, strict=True))
    seen = [sum(h > max(some[:i], default=0) for i, h in enumerate(some)) for some in (heights, heights[::-1])]
    clues = all(clue in (0, count) for clue, count in zip((front, back), seen, strict=True))
    return agrees and clues and sorted(heights) == list(range(1, puzzle.size + 1))
