"""Does a step follow? OR-Tools CP-SAT, on its constraints and known cells alone, without Booleans of ours.

It shares with what finds steps only which constraints of a CSP are one of the puzzle, since that is what a step means.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, cast

import numpy as np
from ortools.sat.python import cp_model

from nonosat.csp.model import CSP, Clauses, Constraint, Gaps, Ints
from nonosat.encodings.cpsat import CpModel, engine_of
from nonosat.explanations.steps import Fact
from nonosat.puzzles.nonogram.automaton import clue_automaton
from nonosat.puzzles.nonogram.puzzle import Clue


def follows(board: CSP, parts: Sequence[CSP], known: Iterable[Fact], fixes: Iterable[Fact]) -> bool:
    """Has every board that agrees with ``parts`` and ``known`` what ``fixes`` says? Nothing: there is no such board.

    ``board``: a CSP with the same cells, for their values.
    """
    stated = joined(board, parts)
    facts, width = list(known), board.board.shape[1]
    return all(_none(stated, facts, fact, width) for fact in (tuple(fixes) or (None,)))


def joined(board: CSP, parts: Sequence[CSP]) -> CSP:
    """One CSP of several that share cells, which are the first variables of each, and nothing else."""
    count = board.board.size
    lower, upper = [board.lower[:count]], [board.upper[:count]]
    constraints: list[Constraint] = []
    variables = count
    gapped = {v: board.values(v) for v in ([] if board.gaps is None else board.gaps.variables.tolist()) if v < count}
    for part in parts:
        own = [] if part.gaps is None else part.gaps.variables.tolist()
        gapped |= {v + variables - count: part.values(v) for v in own if v >= count}
        constraints += [_moved(family, count, variables - count) for family in part.constraints]
        lower.append(part.lower[count:])
        upper.append(part.upper[count:])
        variables += len(part.lower) - count
    return CSP(np.concatenate(lower), np.concatenate(upper), tuple(constraints), board.board, gaps=Gaps.of(gapped))


VARIABLES = ("variables", "before", "after", "left", "right", "result")
"""What families of constraints call the columns that hold numbers of variables."""


def _moved(family: Constraint, count: int, by: int) -> Constraint:
    """A family whose variables from ``count`` on have other numbers."""
    if isinstance(family, Clauses):
        return replace(family, columns=tuple(_columns_moved(column, count, by) for column in family.columns))
    return cast(Constraint, _columns_moved(family, count, by))


def _columns_moved(record: Any, count: int, by: int) -> Any:
    names = [field.name for field in fields(record) if field.name in VARIABLES]
    return replace(record, **{name: _numbers_moved(getattr(record, name), count, by) for name in names})


def _numbers_moved(numbers: Ints, count: int, by: int) -> Ints:
    return np.where(numbers >= count, numbers + by, numbers).astype(np.int32)


def _none(stated: CSP, known: Sequence[Fact], but: Fact | None, width: int) -> bool:
    """Is there no board with the known cells, in which one has another value?"""
    made = CpModel(stated)
    for row, column, (value,) in known:
        made.model.add(made.variables[row * width + column] == value)
    if but is not None:
        made.model.add(made.variables[but.row * width + but.column] != but.values[0])
    return bool(engine_of(not made.large).solve(made.model) == cp_model.INFEASIBLE)


# Is there no board on which lines are right? OR-Tools CP-SAT, for the checker, where trying values takes long.


Cell = tuple[int, int]


def no_board(lines: Sequence[tuple[Clue, Sequence[Cell]]], may: Mapping[Cell, Collection[int]], colours: int) -> bool:
    """Does no filling of these lines, each with its cells, give the cells values that they ``may`` have?

    >>> from nonosat.puzzles.nonogram import Run
    >>> both = [((Run(1),), [(0, 0)]), ((), [(0, 0)])]
    >>> no_board(both, {}, 1), no_board(both[:1], {}, 1), no_board(both[:1], {(0, 0): {0}}, 1)
    (True, False, True)
    """
    model = cp_model.CpModel()
    every = range(colours + 1)
    cells = {
        cell: model.new_int_var_from_domain(cp_model.Domain.from_values(sorted(may.get(cell, every))), "")
        for cell in {cell for _, places in lines for cell in places}
    }
    for clue, places in lines:
        reader = clue_automaton(clue, "all")
        model.add_automaton([cells[place] for place in places], 0, reader.accepting, reader.transitions)
    return bool(engine_of().solve(model) == cp_model.INFEASIBLE)
