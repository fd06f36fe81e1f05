"""Steps of any kind of puzzle: the cell that follows from the fewest constraints, by deletion over SAT selectors.

As the small MUSes of Espasa, Gent, Hoffmann and Jefferson (arXiv 2104.15040): a solver's core of why a cell can have
no other value, with constraints and then known cells left out as long as it follows still.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

import numpy as np

from nonosat.csp.model import (
    CSP,
    AllDifferent,
    Clauses,
    Column,
    Constraint,
    Differ,
    Ints,
    Linear,
    Paths,
    Precedes,
    Product,
    ints,
)
from nonosat.encodings.cnf import CNF
from nonosat.encodings.formula import Formula
from nonosat.encodings.parts import INTEGERS
from nonosat.encodings.registry import encoding_of
from nonosat.errors import UnsupportedError
from nonosat.explanations.explain import Explainer, StepDrawing
from nonosat.explanations.smallest import Budget, minimum, refined
from nonosat.explanations.steps import ERROR, GUESS, ConstraintRef, Fact, Inference, Step
from nonosat.explanations.words import listed, places
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.sat.session import session_of

# A CSP in parts: its families of constraints, an entry each, and which of them are one constraint of the puzzle.


class Piece(NamedTuple):
    """``family`` holds entries of one family; ``variables``: all that it is about."""

    variables: frozenset[int]
    family: Constraint


def pieces(csp: CSP) -> Iterator[Piece]:
    """Every constraint by itself; graphs of ``Paths`` stay together."""
    for family in csp.constraints:
        if isinstance(family, Clauses):
            yield from _clauses(family)
        elif isinstance(family, Precedes):
            for i in range(len(family.before)):
                one = Precedes(family.before[i : i + 1], family.distance[i : i + 1], family.after[i : i + 1])
                yield Piece(_all(one.before, one.after), one)
        elif isinstance(family, Differ):
            for i in range(len(family.left)):
                other = Differ(family.left[i : i + 1], family.distance[i : i + 1], family.right[i : i + 1])
                yield Piece(_all(other.left, other.right), other)
        elif isinstance(family, Product):
            for i in range(len(family.left)):
                product = Product(family.left[i : i + 1], family.right[i : i + 1], family.result[i : i + 1])
                yield Piece(_all(product.left, product.right, product.result), product)
        elif isinstance(family, Linear):
            for terms, variables, bound in family.each():
                yield Piece(_all(variables), Linear(terms, variables, ints([len(variables)]), ints([bound])))
        elif isinstance(family, AllDifferent):
            for variables in family.each():
                yield Piece(_all(variables), AllDifferent(variables, ints([len(variables)])))
        elif isinstance(family, Paths):
            yield Piece(_all(family.variables), family)


def _all(*columns: Ints) -> frozenset[int]:
    return frozenset(int(v) for column in columns for v in column)


def _clauses(family: Clauses) -> Iterator[Piece]:
    for i in range(len(family)):
        columns = tuple(_entry(column, i) for column in family.columns)
        filled = tuple(column for column in columns if len(column.variables))
        none = Clauses((replace(family.columns[0], variables=ints([]), **cast(Any, _empty(family.columns[0]))),), 1)
        yield Piece(_all(*(c.variables for c in filled)), Clauses(filled, 1) if filled else none)


def _entry(column: Column, i: int) -> Column:
    """The entries of clause i, all of them in a clause numbered 0."""
    chosen = np.flatnonzero(column.rows == i) if column.rows is not None else np.array([i])
    rows = np.zeros(len(chosen), dtype=np.int32)
    picked = {name: getattr(column, name)[chosen] for name in ("bounds", "low", "high") if hasattr(column, name)}
    return replace(column, variables=column.variables[chosen], rows=rows, **cast(Any, picked))


def _empty(column: Column) -> dict[str, Ints]:
    return {name: ints([]) for name in ("bounds", "low", "high", "rows") if hasattr(column, name)}


def together(csp: CSP) -> list[tuple[tuple[int, ...], CSP]]:
    """(the board's variables, a CSP of the constraints about them), a line a constraint of the puzzle.

    Constraints that share a variable that is no cell's are one; so is what is about a part of another's cells. What is
    about one cell alone has that cell.
    """
    cells = frozenset(csp.board.reshape(-1).tolist())
    parts: list[tuple[set[int], list[Constraint]]] = []
    for piece in pieces(csp):
        own = set(piece.variables)
        families = [piece.family]
        joined = [part for part in parts if (part[0] - cells) & own]
        for part in joined:
            own |= part[0]
            families = part[1] + families
        parts = [part for part in parts if not any(part is other for other in joined)]
        parts.append((own, families))
    by_cells: dict[tuple[int, ...], list[Constraint]] = {}
    for variables, families in sorted(parts, key=lambda part: -len(part[0] & cells)):
        about = variables & cells
        home = next((known for known in by_cells if about <= set(known)), tuple(sorted(about)))
        by_cells.setdefault(home, []).extend(families)
    return [(about, replace(csp, constraints=tuple(families))) for about, families in by_cells.items()]


# A puzzle as groups of clauses, a group a constraint, over the same Booleans of its cells.


Named = list[tuple[ConstraintRef, tuple[tuple[int, int], ...], CSP]]
"""Each constraint with its cells (row, column), and a CSP that states it, whose first variables are all cells."""


@dataclass(frozen=True, eq=False)
class ConstraintGroup:
    """``constraint``: what it is called; ``cells``: (row, column) of those it is about; ``clauses``: what says it."""

    constraint: ConstraintRef
    cells: tuple[tuple[int, int], ...]
    clauses: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class Stated:
    """``formula``: that each cell has one of its values, and nothing else; ``variables``: Booleans in all."""

    formula: Formula
    variables: int
    groups: tuple[ConstraintGroup, ...]


def stated(found: Named, board: CSP, integers: str = "order") -> Stated:
    """Constraints (given cells are none of them) by an integer encoding; ``board`` has the cells and their values."""
    compile_csp = INTEGERS.named(integers).make
    count = board.board.size
    gaps = None if board.gaps is None else board.gaps.chosen(board.gaps.variables < count)
    cells = CSP(board.lower[:count], board.upper[:count], (), board.board, gaps=gaps)
    formula = compile_csp(cells)
    shared = formula.map.booleans
    offset, groups = shared, []
    axioms = {tuple(sorted(clause)) for clause in formula.cnf}
    for constraint, about, csp in found:
        cnf = compile_csp(csp).cnf
        clauses = []
        for clause in cnf:
            renamed = tuple(
                x if abs(x) <= shared else (abs(x) + offset - shared) * (1 if x > 0 else -1) for x in clause
            )
            if tuple(sorted(renamed)) not in axioms:
                clauses.append(renamed)
        offset += cnf.variables - shared
        groups.append(ConstraintGroup(constraint, about, tuple(clauses)))
    return Stated(formula, offset, tuple(groups))


def csp_of(puzzle: Puzzle) -> CSP:
    """The puzzle in its default rules, without its given cells."""
    return encoding_of(puzzle).csp(replace(cast(Any, puzzle), given=()))


def from_rules(puzzle: Puzzle) -> Named:
    """The constraints of the puzzle's default rules; whole rows and columns by these names, others by numbers."""
    height, width = puzzle.shape
    csp = csp_of(puzzle)
    if not np.array_equal(csp.board.reshape(-1), np.arange(height * width)):
        reason = "cells are not the first of their variables"
        raise UnsupportedError(f"puzzles of the kind {puzzle.kind} are not explained: {reason}")
    lines = {tuple(r * width + c for c in range(width)): ConstraintRef("row", r) for r in range(height)}
    lines |= {tuple(r * width + c for r in range(height)): ConstraintRef("column", c) for c in range(width)}
    found = sorted(together(csp), key=lambda part: (part[0] not in lines, part[0]))
    names = _numbered(lines.get(cells) for cells, _ in found)
    return [
        (name, tuple(divmod(cell, width) for cell in cells), part)
        for name, (cells, part) in zip(names, found, strict=True)
    ]


def _numbered(names: Iterable[ConstraintRef | None]) -> list[ConstraintRef]:
    found: list[ConstraintRef] = []
    number = 0
    for name in names:
        found.append(name or ConstraintRef("constraint", number))
        number += name is None
    return found


# A SAT solver with a selector a group of clauses: does a cell follow from these groups and these known cells?


SOLVER = "minisat22"


class GroupSolver:
    """One solver for a whole explanation. Close it."""

    def __init__(self, puzzle: Puzzle, parts: Stated, solver: str = SOLVER) -> None:
        self.puzzle, self.parts, self.solver = puzzle, parts, solver
        first = parts.variables
        self.selectors = [first + 1 + i for i in range(len(parts.groups))]
        clauses = [list(clause) for clause in parts.formula.cnf]
        for selector, group in zip(self.selectors, parts.groups, strict=True):
            clauses += [[-selector, *clause] for clause in group.clauses]
        literals = ints([x for clause in clauses for x in clause])
        ends = np.cumsum([len(clause) for clause in clauses], dtype=np.int64)
        self.variables = first + len(self.selectors)
        self.session = session_of(solver, CNF(self.variables, literals, ends))
        self._other: dict[tuple[int, int, int], int] = {}
        self._clause: dict[tuple[int, int, int], list[int]] = {}

    def close(self) -> None:
        """Free the solver."""
        self.session.close()

    def board(self, known: Iterable[Fact]) -> list[list[int]] | None:
        """Cells that agree with all constraints and the known cells, or None."""
        model = self.session.solve([*self.selectors, *(x for fact in known for x in self.holds(fact))])
        return None if model is None else self.parts.formula.cells(model).tolist()

    def closed(self) -> set[tuple[int, int]]:
        """The cells that have one value in their domain, such as black ones: nothing is to be found there."""
        formula = self.parts.formula
        rows, columns = np.nonzero(formula.map.lower[formula.board] == formula.map.upper[formula.board])
        return set(zip(rows.tolist(), columns.tolist(), strict=True))

    def holds(self, fact: Fact) -> list[int]:
        """Literals that say that a cell has its value."""
        return [-x for x in self._differ(fact)]

    def follows(self, groups: Sequence[int], known: Sequence[Fact], gives: Fact | None) -> bool:
        """Does ``gives`` follow (None: a contradiction) from groups, by number, and known cells?"""
        return self.core(groups, known, gives) is not None

    def core(
        self, groups: Sequence[int], known: Sequence[Fact], gives: Fact | None
    ) -> tuple[list[int], list[Fact]] | None:
        """Those of the groups and known cells that the solver used; None: it does not follow."""
        chosen = [self.selectors[group] for group in groups]
        selected = [(fact, self.holds(fact)) for fact in known]
        other = [] if gives is None else [self._otherwise(gives)]
        if self.session.solve([*chosen, *(x for _, literals in selected for x in literals), *other]) is not None:
            return None
        used = set(self.session.core())
        return (
            [group for group in groups if self.selectors[group] in used],
            [fact for fact, literals in selected if used.intersection(literals)],
        )

    def other(self, groups: Sequence[int], known: Sequence[Fact], gives: Fact) -> list[list[int]] | None:
        """Cells that agree with groups and known cells, and not with ``gives``; None: it follows."""
        chosen = [self.selectors[group] for group in groups]
        model = self.session.solve([*chosen, *(x for fact in known for x in self.holds(fact)), self._otherwise(gives)])
        return None if model is None else self.parts.formula.cells(model).tolist()

    def few(
        self, groups: Sequence[int], known: Sequence[Fact], gives: Fact | None, most: int | None = None
    ) -> list[int] | None:
        """Groups of which none can be left out, of some from which ``gives`` follows; None: these are over ``most``."""

        def core(some: list[int]) -> list[int] | None:
            found = self.core(some, known, gives)
            return None if found is None else found[0]

        return refined(groups, core, most)

    def few_known(self, groups: Sequence[int], known: Sequence[Fact], gives: Fact | None) -> list[Fact]:
        """Known cells of which none can be left out, of some from which ``gives`` follows with the groups."""

        def core(some: list[Fact]) -> list[Fact] | None:
            found = self.core(groups, some, gives)
            return None if found is None else found[1]

        few = refined(known, core)
        assert few is not None
        return few

    def _differ(self, fact: Fact) -> list[int]:
        key = (fact.row, fact.column, fact.values[0])
        if key not in self._clause:
            board = self.parts.formula.board
            self._clause[key] = self.parts.formula.map.differ(ints([board[key[:2]]]), ints([key[2]]))
        return self._clause[key]

    def _otherwise(self, fact: Fact) -> int:
        """A Boolean that says that the cell has another value."""
        key = (fact.row, fact.column, fact.values[0])
        if key not in self._other:
            self.variables += 1
            self._other[key] = self.variables
            self.session.add([-self.variables, *self._differ(fact)])
        return self._other[key]


QUESTIONS = 300
"""Calls of the solver, at most, for fewer constraints than deletion finds for the cell that takes the fewest."""


_LAST: list[tuple[Puzzle, Named]] = []
"""One puzzle, and its constraints: every step needs them."""


class Reason(NamedTuple):
    """That ``gives`` follows (None: a contradiction) from ``groups`` (numbers) and ``known`` cells."""

    gives: Fact | None
    groups: list[int]
    known: list[Fact]

    @property
    def cost(self) -> tuple[int, int]:
        """Fewer are easier."""
        return len(self.groups), len(self.known)


@dataclass(frozen=True)
class ByConstraints:
    """How a kind is explained: ``named`` says what its constraints are, ``format`` a constraint in words."""

    named: Callable[[Any], Named]
    format: Callable[[Any, ConstraintGroup], str]

    def constraints(self, puzzle: Puzzle) -> Named:
        """Those of ``puzzle``; those of the last puzzle are remembered."""
        if not _LAST or _LAST[0][0] is not puzzle:
            _LAST[:] = [(puzzle, self.named(puzzle))]
        return _LAST[0][1]

    def steps(self, puzzle: Puzzle, values: list[list[int]]) -> Iterator[Step]:
        """See ``explaining.explain``."""
        asking = self._asking(puzzle, self.constraints(puzzle))
        known = [Fact(r, c, (v,)) for r, row in enumerate(values) for c, v in enumerate(row) if v != -1]
        closed = asking.closed()
        alone = Alone(asking)
        try:
            while True:
                if (board := asking.board(known)) is None:
                    yield self._step(puzzle, asking, *contradiction(asking, known))
                    return
                fixed = {fact[:2] for fact in known} | closed
                left = {(r, c): Fact(r, c, (v,)) for r, row in enumerate(board) for c, v in enumerate(row)}
                left = {place: fact for place, fact in left.items() if place not in fixed}
                if not left:
                    return
                reason, bounded = alone.reason(known, left), False
                if reason is None:
                    reason, bounded = fewest_groups(asking, known, list(left.values()))
                if reason is None:
                    step = _guess(next(iter(left.values())))
                else:
                    step = self._step(puzzle, asking, smallest(asking, reason), bounded)
                yield step
                known += step.fixes
                alone.fixed(step.fixes)
        finally:
            asking.close()

    def _asking(self, puzzle: Puzzle, named: Named) -> GroupSolver:
        return GroupSolver(puzzle, stated(named, named[0][2] if named else csp_of(puzzle)))

    def _step(self, puzzle: Puzzle, asking: GroupSolver, reason: Reason, bounded: bool) -> Step:
        chosen = [asking.parts.groups[number] for number in sorted(reason.groups)]
        constraints = tuple(group.constraint for group in chosen)
        known = tuple(sorted(reason.known))
        whats = [*([_format_cells(known)] if known else []), *(self.format(puzzle, group) for group in chosen)]
        names = listed(whats or ["the values that cells can have"])
        if reason.gives is None:
            sentence = f"{names[0].upper()}{names[1:]}: these cannot all be right."
            inference = Inference(ERROR, constraints, known, (), sentence)
            return Step(ERROR, constraints, known, (), sentence, (inference,))
        sentence = f"{_cell(reason.gives).capitalize()}, since nothing else goes with {names}."
        inference = Inference("constraints", constraints, known, (reason.gives,), sentence)
        return Step("constraints", constraints, known, (reason.gives,), sentence, (inference,), bounded)

    def fault(self, puzzle: Puzzle, step: Step) -> str | None:
        """Why a step does not follow: CP-SAT on the step's constraints alone."""
        if step.technique == GUESS:
            return None if len(step.fixes) == 1 and not step.known else "a guess fixes one cell"
        from nonosat.explanations.by_cpsat import follows

        stated_by = {name: csp for name, _, csp in self.constraints(puzzle)}
        if not stated_by.keys() >= set(step.constraints):
            return "it names constraints that there are not"
        parts = [stated_by[constraint] for constraint in step.constraints]
        board = next(iter(stated_by.values()), None)
        follow = follows(csp_of(puzzle) if board is None else board, parts, step.known, step.fixes)
        return None if follow else "the step does not follow"

    def values(self, puzzle: Puzzle) -> tuple[int, int]:
        """The least and the greatest value that a cell can have."""
        csp, board = csp_of(puzzle), csp_of(puzzle).board
        return int(csp.lower[board].min()), int(csp.upper[board].max())

    def marks(self, puzzle: Puzzle) -> tuple[str, str]:
        """Two values, as digits."""
        least, _ = self.values(puzzle)
        return str(least), str(least + 1)

    def page(self, puzzle: Puzzle) -> dict[str, Any]:
        """The board, with the clues of four edges if the puzzle has such ones."""
        least, most = self.values(puzzle)
        sides: dict[str, Any] = {}
        for side in ("top", "left", "right", "bottom"):
            clues = getattr(puzzle, side, ())
            sides[side] = [[{"text": str(clue), "shade": "#1d2733"}] if clue else [] for clue in clues]
        return {**sides, "cells": {str(v): {"text": str(v), "shade": "#ffffff"} for v in range(least, most + 1)}}

    @property
    def explainer(self) -> Explainer:
        """The record."""
        return Explainer(self.steps, self.fault, self.values, StepDrawing(line_text, self.page), self.marks)


def _all_groups(asking: GroupSolver) -> list[int]:
    return list(range(len(asking.parts.groups)))


class Alone:
    """What follows from one constraint and the known cells. A constraint is asked again when one of its cells is known.

    ``seen``: boards that agree with a constraint. As long as they agree with the known cells, too, where they differ
    nothing follows.
    """

    def __init__(self, asking: GroupSolver) -> None:
        self.asking = asking
        groups = asking.parts.groups
        self.todo = list(range(len(groups)))
        self.places = [set(group.cells) for group in groups]
        self.seen: list[list[list[list[int]]]] = [[] for _ in groups]
        self.found: dict[tuple[int, int], Reason] = {}

    def fixed(self, facts: Iterable[Fact]) -> None:
        """These cells are known now."""
        places = {fact[:2] for fact in facts}
        for place in places:
            self.found.pop(place, None)
        self.todo += [group for group, own in enumerate(self.places) if own & places and group not in self.todo]

    def reason(self, known: list[Fact], left: dict[tuple[int, int], Fact]) -> Reason | None:
        """Why the first such cell follows; ``left``: a solution's values of the cells that are not known."""
        while self.todo:
            group = self.todo.pop(0)
            seen = [board for board in self.seen[group] if all(board[r][c] == v for r, c, (v,) in known)]
            open_places = sorted(self.places[group] & left.keys())
            follows = [left[place] for place in open_places if not any(_differs(board, left[place]) for board in seen)]
            while follows:
                fact = follows.pop()
                if (board := self.asking.other([group], known, fact)) is None:
                    self.found.setdefault(fact[:2], Reason(fact, [group], known))
                else:
                    seen.append(board)
                    follows = [other for other in follows if not _differs(board, other)]
            self.seen[group] = seen
        return self.found[min(self.found)] if self.found else None


def _differs(board: list[list[int]], fact: Fact) -> bool:
    return board[fact.row][fact.column] != fact.values[0]


def fewest_groups(asking: GroupSolver, known: list[Fact], left: list[Fact]) -> tuple[Reason | None, bool]:
    """Of all cells that follow, the one with the fewest constraints (None: none does); was the search cut short?

    No cell follows from one constraint alone.
    """
    cores = [(core[0], fact) for fact in left if (core := asking.core(_all_groups(asking), known, fact)) is not None]
    best: Reason | None = None
    for groups, fact in sorted(cores, key=lambda core: len(core[0])):
        most = len(asking.parts.groups) if best is None else len(best.groups) - 1
        if (few := asking.few(groups, known, fact, most)) is not None:
            best = Reason(fact, few, known)
            if len(few) == 2:
                return best, False
    return (None, False) if best is None else (fewer_groups(asking, best)[0], True)


def fewer_groups(asking: GroupSolver, best: Reason) -> tuple[Reason, bool]:
    """The reason, or one of fewer constraints; was the search cut short?"""
    budget, (gives, groups, known) = Budget(QUESTIONS), best
    fewer = minimum(_all_groups(asking), lambda some: asking.follows(some, known, gives), len(groups) - 1, budget)
    return (best if fewer is None else best._replace(groups=fewer)), fewer is None and budget.spent


def contradiction(asking: GroupSolver, known: list[Fact]) -> tuple[Reason, bool]:
    """Why the known cells cannot all be right, by few constraints; was the search for fewer cut short?"""
    best = smallest(asking, Reason(None, _all_groups(asking), known))
    found, bounded = fewer_groups(asking, best._replace(known=known))
    return smallest(asking, found), bounded


def _guess(fact: Fact) -> Step:
    sentence = f"A guess, since no other cell follows: {_cell(fact)} (a solution has it, and others may not)."
    return Step(GUESS, (), (), (fact,), sentence, (Inference(GUESS, (), (), (fact,), sentence),), bounded=True)


def smallest(asking: GroupSolver, reason: Reason) -> Reason:
    """The reason without what it does not need: none of its groups and known cells can be left out."""
    groups = asking.few(reason.groups, reason.known, reason.gives)
    assert groups is not None
    return Reason(reason.gives, groups, asking.few_known(groups, reason.known, reason.gives))


def format_group(group: ConstraintGroup) -> str:
    """A constraint in words: a row or column by its name, others with their cells."""
    if group.constraint.family in ("row", "column"):
        return str(group.constraint)
    rows = {row for row, _ in group.cells}
    columns = {column for _, column in group.cells}
    if len(rows) * len(columns) == len(group.cells):
        return f"{places('row', rows)}, {places('column', columns)} together"
    return f"{group.constraint} (on {_spots(group.cells)})"


def _spots(cells: tuple[tuple[int, int], ...]) -> str:
    shown = [f"row {row + 1}, column {column + 1}" for row, column in cells[:4]]
    return "; ".join(shown) + ("; ..." if len(cells) > 4 else "")


def _cell(fact: Fact) -> str:
    return f"row {fact.row + 1}, column {fact.column + 1} is {fact.values[0]}"


def _format_cells(known: tuple[Fact, ...]) -> str:
    if len(known) <= 4:
        return listed([_cell(fact).replace(" is ", " = ") for fact in known])
    return f"{len(known)} known cells"


def line_text(puzzle: Puzzle, constraint: ConstraintRef, cells: list[int], colour: bool) -> str:
    """The cells of a row or column."""
    width = max(len(str(value).lstrip("-")) for value in cells)
    return f"│{' '.join(('?' if value < 0 else str(value)).rjust(width) for value in cells)}│"


EXPLAINER = ByConstraints(from_rules, lambda _, group: format_group(group)).explainer
