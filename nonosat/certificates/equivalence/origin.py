"""Where a clause comes from: the part of the encoding that made it, and of that part's constraints the one.

Nothing keeps this while formulas are made: the constraints are compiled again, in the order they stand in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nonosat.csp.model import CSP, Clauses, Comparison, Constraint, Ints, Precedes
from nonosat.encodings.cnf import Collector
from nonosat.encodings.formula import Formula
from nonosat.encodings.registry import KINDS, Encoding, part_of
from nonosat.puzzles.puzzle import Puzzle


@dataclass(frozen=True)
class Origin:
    """The ``part`` that made a clause (None: the kind of puzzle itself), and the CSP's ``variables`` that it is about.

    Of which variables a clause is about its literals tell, unless some are settled by the domains; none: not known.
    """

    part: str | None
    variables: tuple[str, ...]


def origin(puzzle: Puzzle, encoding: Encoding, number: int) -> Origin:
    """Of clause ``number`` (from 0) of ``encoding``'s formula."""
    csp, compiled, makers = _stated(puzzle, encoding)
    clause = frozenset(compiled(csp).cnf.clause(number))
    before = 0
    for at, family in enumerate(csp.constraints):
        upto = replace(csp, constraints=csp.constraints[: at + 1])
        first, count = _own(compiled(upto))
        if not at and number < _own(compiled(replace(csp, constraints=())))[0]:
            break  # what says that variables have values
        if number - first < count and number - first >= before:
            entry = _entry(csp, family, clause, compiled)
            return Origin(makers[at], tuple(csp.names()[v] for v in entry))
        before = count
    return Origin(encoding.integers, ())


def part_of_meanings(puzzle: Puzzle, encoding: Encoding, number: int) -> str | None:
    """The part that made the constraints that family ``number`` (from 0) of the formula's meanings belongs to."""
    csp, compiled, makers = _stated(puzzle, encoding)
    for at, part in enumerate(makers):
        if len(compiled(replace(csp, constraints=csp.constraints[: at + 1])).meanings) > number:
            return part
    return None


def clauses_by_part(puzzle: Puzzle, encoding: Encoding) -> dict[str | None, int]:
    """How many clauses of ``encoding``'s formula each part made; None: the kind of puzzle itself, as given cells.

    >>> from nonosat.encodings.registry import encoding
    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> clauses_by_part(Nonogram.from_lengths([[1, 1]], [[1], [], [1]]), encoding("plain+r3+order"))
    {'order': 2, 'r3': 2, 'gaps': 14}
    """
    csp, compiled, makers = _stated(puzzle, encoding)
    counts: dict[str | None, int] = {encoding.integers: _own(compiled(replace(csp, constraints=())))[0]}
    before = 0
    for at, part in enumerate(makers):
        count = _own(compiled(replace(csp, constraints=csp.constraints[: at + 1])))[1]
        counts[part] = counts.get(part, 0) + count - before
        before = count
    return counts


def _stated(puzzle: Puzzle, encoding: Encoding) -> tuple[CSP, Callable[[CSP], Formula], list[str | None]]:
    """The CSP, its compiler, and the part that made each of its families of constraints."""
    makers: dict[int, str] = {}
    made: list[Any] = []  # kept, so that no two have one id

    def chosen(slot: str) -> list[Callable[..., Any]]:
        return [_noting(encoding.kind, name, makers, made) for name in encoding.parts(slot)]

    csp = KINDS[encoding.kind].state(puzzle, chosen)
    return csp, part_of(encoding.kind, encoding.integers).make, [makers.get(id(family)) for family in csp.constraints]


def _noting(kind: str, name: str, makers: dict[int, str], made: list[Any]) -> Callable[..., Any]:
    def make(*arguments: Any) -> Any:
        found = part_of(kind, name).make(*arguments)
        made.append(found)
        makers.update((id(constraint), name) for constraint in _constraints(found))
        return found

    return make


def _constraints(found: Any) -> Iterable[Any]:
    """The families of constraints in what a part gives."""
    if hasattr(found, "holds"):
        return [found]
    if hasattr(found, "constraints"):
        found = found.constraints
    return [one for some in found for one in _constraints(some)] if isinstance(found, list | tuple) else []


def _own(formula: Formula) -> tuple[int, int]:
    """How many clauses say that variables have values, and how many others there are."""
    out = Collector(formula.map.booleans)
    formula.map.axioms(out)
    axioms = out.cnf().clauses
    return axioms, formula.cnf.clauses - axioms


def _entry(csp: CSP, family: Constraint, clause: frozenset[int], compiled: Callable[[CSP], Formula]) -> tuple[int, ...]:
    """The variables of the one constraint of a family that makes a clause, by halving; none, if it cannot be halved."""
    size = _size(family)
    if not size:
        return ()
    some = np.arange(size)
    while len(some):
        left = some[: (len(some) + 1) // 2]
        formula = compiled(replace(csp, constraints=(_only(family, left),)))
        found = clause in {frozenset(formula.cnf.clause(i)) for i in range(_own(formula)[0], formula.cnf.clauses)}
        if len(some) == 1:
            return _variables(_only(family, some)) if found else ()
        some = left if found else some[len(left) :]
    return ()


def _size(family: Constraint) -> int:
    if isinstance(family, Precedes):
        return len(family.before)
    if isinstance(family, Clauses) and all(column.rows is None for column in family.columns):
        return len(family)
    return 0


def _only(family: Any, some: np.ndarray[Any, Any]) -> Any:
    """Some entries of a family."""
    if isinstance(family, Precedes):
        return Precedes(family.before[some], family.distance[some], family.after[some])
    columns = []
    for column in family.columns:
        ends = ("bounds",) if isinstance(column, Comparison) else ("low", "high")
        columns.append(replace(column, **{name: getattr(column, name)[some] for name in ("variables", *ends)}))
    return Clauses(tuple(columns))


def _variables(family: Any) -> tuple[int, ...]:
    several: list[Ints] = (
        [family.before, family.after] if isinstance(family, Precedes) else [c.variables for c in family.columns]
    )
    return tuple(dict.fromkeys(int(column[0]) for column in several))
