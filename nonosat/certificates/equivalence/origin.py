"""Where a clause comes from: the part of the encoding that made it, and of that part's constraints the one.

Nothing keeps this while formulas are made: the constraints are compiled again, in the order they stand in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nonosat.certificates.statement import Statement, VariableWords
from nonosat.certificates.statement.model import where
from nonosat.csp.model import CSP, Clauses, Comparison, Constraint, Ints, Precedes
from nonosat.encodings.cnf import Collector
from nonosat.encodings.formula import Formula
from nonosat.encodings.registry import KINDS, Encoding, part_of
from nonosat.puzzles.puzzle import Puzzle


@dataclass(frozen=True)
class Origin:
    """The ``part`` that made a clause (None: the kind of puzzle itself), and the CSP's ``variables`` that it is about.

    A clause's literals show its variables, unless the domains fix some; none: not known.
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


# A clause of an encoding in words: ``row 2: run 1 starts at 3 or later, or run 2 starts at 1``.
#
# Lines, runs and places are counted from 1, as people do.


def clause_text(formula: Formula, statement: Statement, clause: Iterable[int], about: Iterable[str] = ()) -> str:
    """What it says, whatever the integer encoding; ``about``: variables that it should name, by their names.

    A clause that has several literals of a variable says which of its values they leave.
    """
    says = _speaker(formula, statement)
    meanings = {boolean: (variable, frozenset(values)) for boolean, variable, values in formula.boolean_meanings()}
    left: dict[int, frozenset[int]] = {}
    lower, upper, names = formula.map.lower.tolist(), formula.map.upper.tolist(), formula.names()
    for literal in clause:
        variable, values = meanings[abs(literal)]
        domain = frozenset(formula.map.values(variable))
        left[variable] = left.get(variable, frozenset()) | (values if literal > 0 else domain - values)
    parts = [(says(names[v]), sorted(values), lower[v], upper[v]) for v, values in left.items()]
    others = [says(name) for name in sorted(about)]
    lines = dict.fromkeys(words.line for words in [*(part[0] for part in parts), *others] if words.line)
    only = next(iter(lines)) if len(lines) == 1 else ""
    text = ", or ".join(_part(*part, only) for part in parts)
    if len(parts) < len(others):  # their domains fix the rest of it
        both = " and ".join(_subject(words, only) for words in others)
        text = f"{text} (which is about {both})" if text else f"no values are left to {both}"
    text = text or "nothing is left"
    return f"{only}: {text}" if only else text


def domain_text(formula: Formula, statement: Statement, variable: int) -> str:
    """The domain of a variable."""
    words = _speaker(formula, statement)(formula.names()[variable])
    low, high = (words.word(int(ends[variable])) for ends in (formula.map.lower, formula.map.upper))
    text = f"{words.subject} {words.verb} {low if low == high else f'{low} to {high}'}"
    return f"{words.line}: {text}" if words.line else text


def _speaker(formula: Formula, statement: Statement) -> Callable[[str], VariableWords]:
    """How to speak of a variable by its name: as the statement does, or as of a cell, or by the name."""
    names = formula.names()
    cells: dict[str, str] = {}
    for row, line in enumerate(formula.board.tolist()):
        cells |= {names[variable]: where(row, column) for column, variable in enumerate(line)}
    return lambda name: statement.words_of(name) or VariableWords("", cells.get(name, name), "is", str)


def _subject(words: VariableWords, within: str) -> str:
    return words.subject if words.line in ("", within) else f"{words.line}, {words.subject}"


def _part(words: VariableWords, values: list[int], low: int, high: int, within: str) -> str:
    """The values of a domain from ``low`` to ``high`` that are left: ``run 1 starts at 3 or later``."""
    each = [words.word(value) for value in values]
    whole = len(values) > 1 and values[-1] - values[0] + 1 == len(values) and words.ends is not None
    if whole and words.ends and low in values:
        text = f"{each[-1]} {words.ends[0]}"
    elif whole and words.ends and high in values:
        text = f"{each[0]} {words.ends[1]}"
    else:
        text = " or ".join([", ".join(each[:-1]), each[-1]] if len(each) > 1 else each) or "nothing"
    return f"{_subject(words, within)} {words.verb} {text}"
