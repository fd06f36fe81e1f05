"""Does a step follow? From its constraints and the facts that it uses alone, by code that techniques know nothing of.

A line's fillings are gone through cell by cell (a table remembers what has been seen), and where several lines are
needed, the cells that they leave open are tried one after the other. Nothing else of the package's solving is used; but
where that takes long, as where the claim is that there is no solution, CP-SAT decides, by its own automata.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from nonosat.explanations.steps import GUESS, ConstraintRef, Fact, Inference, Step
from nonosat.puzzles.nonogram.puzzle import Clue, Nonogram

TRIED = 200
"""Values of cells that are tried in all, at most, before CP-SAT decides."""

Cells = dict[tuple[int, int], set[int]]
"""What cells may be; those that are not named may be anything."""


def fault(puzzle: Nonogram, step: Step) -> str | None:
    """Why ``step`` does not follow, or None. A guess claims nothing but that its cell is open.

    >>> follows(Nonogram.from_lengths([[3]], [[1], [1], [1], []]), (ConstraintRef("row", 0),), (), (Fact(0, 1, (1,)),))
    True
    """
    if step.technique == GUESS:
        return None if len(step.fixes) == 1 and not step.known else "a guess fixes one cell"
    if not all(fact.known for fact in (*step.known, *step.fixes)):
        return "a step goes from known cells to known cells"
    if {(f.row, f.column) for f in step.fixes} & {(f.row, f.column) for f in step.known}:
        return "it fixes a cell that it uses"
    if not follows(puzzle, step.constraints, step.known, step.fixes):
        return "the step does not follow"
    if any(reason := _misplaced(puzzle, step, cells) for cells in step.placements):
        return reason
    found = set(step.known)
    for inference in step.inferences:
        if not set(inference.constraints) <= set(step.constraints):
            return f"{inference.sentence}: it rests on more lines than the step"
        if (wrong := _inference_fault(puzzle, inference, found)) is not None:
            return wrong
        found |= set(inference.gives)
    return None if set(step.fixes) <= found else "the inferences do not give what the step fixes"


def _inference_fault(puzzle: Nonogram, inference: Inference, found: set[Fact]) -> str | None:
    for fact in inference.uses:
        if not _follows(fact, found):
            return f"{inference.sentence}: nothing says {fact}"
    if not follows(puzzle, inference.constraints, inference.uses, inference.gives):
        return f"{inference.sentence}: it does not follow"
    for branch in inference.branches:
        inside = {*found, branch.assumed}
        for each in branch.inferences:
            if not set(each.constraints) <= set(inference.constraints):
                return f"{each.sentence}: it rests on more lines than what it is for"
            if (wrong := _inference_fault(puzzle, each, inside)) is not None:
                return wrong
            inside |= set(each.gives)
        if not branch.inferences or branch.inferences[-1].gives:
            return f"{inference.sentence}: an assumption comes to no contradiction"
    return None


def _follows(fact: Fact, found: set[Fact]) -> bool:
    """Do the facts ``found`` of a cell, taken together, say ``fact``?"""
    values: set[int] | None = None
    for row, column, some in found:
        if (row, column) == (fact.row, fact.column):
            values = set(some) if values is None else values & set(some)
    return values is not None and values <= set(fact.values)


def follows(
    puzzle: Nonogram, constraints: tuple[ConstraintRef, ...], uses: Iterable[Fact], gives: tuple[Fact, ...]
) -> bool:
    """Has every filling of these lines that agrees with ``uses`` all that ``gives`` says? Nothing: there is none."""
    known: Cells = {}
    for row, column, values in uses:
        known[row, column] = known.get((row, column), set(range(puzzle.colours + 1))) & set(values)
    if not gives:
        return _refuted(puzzle, constraints, known)
    every = set(range(puzzle.colours + 1))
    for row, column, values in gives:
        other = known.get((row, column), every) - set(values)
        if not _refuted(puzzle, constraints, {**known, (row, column): other}):
            return False
    return True


def _refuted(puzzle: Nonogram, constraints: tuple[ConstraintRef, ...], known: Cells) -> bool:
    """Is there no board on which these lines are right?"""
    refuted = _tried(puzzle, constraints, known, count(1))
    if refuted is None:
        from nonosat.explanations.by_cpsat import no_board

        lines = [(_clue(puzzle, constraint), _cells(puzzle, constraint)) for constraint in constraints]
        return no_board(lines, known, puzzle.colours)
    return refuted


def _tried(
    puzzle: Nonogram, constraints: tuple[ConstraintRef, ...], known: Cells, number: Iterator[int]
) -> bool | None:
    """As ``_refuted``; None: ``TRIED`` values did not suffice."""
    every = frozenset(range(puzzle.colours + 1))
    left = {cell: set(values) for cell, values in known.items()}
    lines = [(_clue(puzzle, constraint), _cells(puzzle, constraint)) for constraint in constraints]
    for _, cells in lines:
        for cell in cells:
            left.setdefault(cell, set(every))
    if not all(left.values()):
        return True
    changed = True
    while changed:
        changed = False
        for clue, cells in lines:
            options = fillable(clue, [left[cell] for cell in cells])
            if options is None:
                return True
            for cell, values in zip(cells, options, strict=True):
                changed |= values != left[cell]
                left[cell] = values
    times: dict[tuple[int, int], int] = {}
    for _, cells in lines:
        for cell in cells:
            times[cell] = times.get(cell, 0) + 1
    crossing = [cell for cell, often in times.items() if often > 1 and len(left[cell]) > 1]
    if not crossing:
        return False  # what lines leave open, each can fill by itself
    cell = crossing[0]
    for value in sorted(left[cell]):
        if next(number) > TRIED:
            return None
        if not (refuted := _tried(puzzle, constraints, {**left, cell: {value}}, number)):
            return refuted
    return True


def _clue(puzzle: Nonogram, constraint: ConstraintRef) -> Clue:
    return (puzzle.rows if constraint.family == "row" else puzzle.columns)[constraint.place]


def _cells(puzzle: Nonogram, constraint: ConstraintRef) -> list[tuple[int, int]]:
    if constraint.family == "row":
        return [(constraint.place, column) for column in range(puzzle.width)]
    return [(row, constraint.place) for row in range(puzzle.height)]


def fillable(clue: Clue, cells: list[set[int]]) -> list[set[int]] | None:
    """What each cell is in the fillings of a line, of what it may be. None: there is no filling.

    ``fits[k][p]``: the cells from p on can be filled with the runs from k on.

    >>> from nonosat.puzzles.nonogram.puzzle import Run
    >>> fillable((Run(2),), [{0, 1}, {0, 1}, {0, 1}])
    [{0, 1}, {1}, {0, 1}]
    """
    size, runs = len(cells), len(clue)
    fits = [[False] * (size + 2) for _ in range(runs + 1)]
    fits[runs][size] = True
    for k in range(runs, -1, -1):
        for p in range(size - 1, -1, -1):
            fits[k][p] = (0 in cells[p] and fits[k][p + 1]) or (_run(clue, cells, k, p, fits) is not None)
    if not fits[0][0]:
        return None
    options: list[set[int]] = [set() for _ in cells]
    met, ahead = {(0, 0)}, [(0, 0)]
    while ahead:
        k, p = ahead.pop()
        if p >= size:
            continue
        after = []
        if 0 in cells[p] and fits[k][p + 1]:
            options[p].add(0)
            after.append((k, p + 1))
        if (end := _run(clue, cells, k, p, fits)) is not None:
            for cell in range(p, p + clue[k].length):
                options[cell].add(clue[k].colour)
            for cell in range(p + clue[k].length, end):
                options[cell].add(0)
            after.append((k + 1, end))
        for state in after:
            if state not in met:
                met.add(state)
                ahead.append(state)
    return options


def _run(clue: Clue, cells: list[set[int]], k: int, p: int, fits: list[list[bool]]) -> int | None:
    """The end of run k, begun at cell p, with the blank that must be behind it; None: it cannot be there."""
    if k == len(clue) or p + clue[k].length > len(cells):
        return None
    length, colour = clue[k]
    end = p + length
    if any(colour not in cells[cell] for cell in range(p, end)):
        return None
    if k + 1 < len(clue) and clue[k + 1].colour == colour:
        if end == len(cells) or 0 not in cells[end]:
            return None
        end += 1
    return end if fits[k + 1][end] else None


def _misplaced(puzzle: Nonogram, step: Step, cells: tuple[int, ...]) -> str | None:
    """Why a placement that is shown is none."""
    [constraint] = step.constraints
    runs: list[list[int]] = []
    for before, value in zip((0, *cells), cells, strict=False):
        if value and value == before:
            runs[-1][0] += 1
        elif value:
            runs.append([1, value])
    places = _cells(puzzle, constraint)
    agrees = all(cells[places.index((row, column))] == values[0] for row, column, values in step.known)
    right = [tuple(run) for run in runs] == list(_clue(puzzle, constraint)) and agrees
    return None if right else "a placement that is shown is none"
