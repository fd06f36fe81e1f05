"""A clause of an encoding in words: ``row 2: run 1 starts at 3 or later, or run 2 starts at 1``.

Lines, runs and places are counted from 1, as people do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from nonosat.certificates.statement import Said, Statement
from nonosat.certificates.statement.words import where
from nonosat.encodings.formula import Formula


def clause_said(formula: Formula, statement: Statement, clause: Iterable[int], about: Iterable[str] = ()) -> str:
    """What it says, whatever the integer encoding; ``about``: variables that it should name, by their names.

    A clause that has several literals of a variable says which of its values they leave.
    """
    says = _speaker(formula, statement)
    told = {boolean: (variable, frozenset(values)) for boolean, variable, values in formula.told()}
    left: dict[int, frozenset[int]] = {}
    lower, upper, names = formula.map.lower.tolist(), formula.map.upper.tolist(), formula.names()
    for literal in clause:
        variable, values = told[abs(literal)]
        domain = frozenset(range(lower[variable], upper[variable] + 1))
        left[variable] = left.get(variable, frozenset()) | (values if literal > 0 else domain - values)
    parts = [(says(names[v]), sorted(values), lower[v], upper[v]) for v, values in left.items()]
    others = [says(name) for name in sorted(about)]
    lines = dict.fromkeys(said.line for said in [*(part[0] for part in parts), *others] if said.line)
    only = next(iter(lines)) if len(lines) == 1 else ""
    text = ", or ".join(_part(*part, only) for part in parts)
    if len(parts) < len(others):  # their domains settle the rest of it
        both = " and ".join(_subject(said, only) for said in others)
        text = f"{text} (which is about {both})" if text else f"no values are left to {both}"
    text = text or "nothing is left"
    return f"{only}: {text}" if only else text


def domain_said(formula: Formula, statement: Statement, variable: int) -> str:
    """The domain of a variable."""
    said = _speaker(formula, statement)(formula.names()[variable])
    low, high = (said.word(int(ends[variable])) for ends in (formula.map.lower, formula.map.upper))
    text = f"{said.subject} {said.verb} {low if low == high else f'{low} to {high}'}"
    return f"{said.line}: {text}" if said.line else text


def _speaker(formula: Formula, statement: Statement) -> Callable[[str], Said]:
    """How to speak of a variable by its name: as the statement does, or as of a cell, or by the name."""
    names = formula.names()
    cells: dict[str, str] = {}
    for row, line in enumerate(formula.board.tolist()):
        cells |= {names[variable]: where(row, column) for column, variable in enumerate(line)}
    return lambda name: statement.said(name) or Said("", cells.get(name, name), "is", str)


def _subject(said: Said, within: str) -> str:
    return said.subject if said.line in ("", within) else f"{said.line}, {said.subject}"


def _part(said: Said, values: list[int], low: int, high: int, within: str) -> str:
    """The values of a domain from ``low`` to ``high`` that are left: ``run 1 starts at 3 or later``."""
    words = [said.word(value) for value in values]
    whole = len(values) > 1 and values[-1] - values[0] + 1 == len(values) and said.ends is not None
    if whole and said.ends and low in values:
        text = f"{words[-1]} {said.ends[0]}"
    elif whole and said.ends and high in values:
        text = f"{words[0]} {said.ends[1]}"
    else:
        text = " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words) or "nothing"
    return f"{_subject(said, within)} {said.verb} {text}"
