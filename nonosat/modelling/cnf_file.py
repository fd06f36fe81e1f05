"""CNF files in DIMACS format as models: a Boolean ``xN`` a variable, a constraint a clause, and the projection, if any.

``c p show 1 2 0`` (the Model Counting Competition) and ``c ind 1 2 0`` (ApproxMC) name the variables that solutions
differ in. Several such lines add up; one without variables projects on none. Weights are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat.csp.expressions import any_of
from nonosat.encodings.dimacs import clauses_of, header_of, numbers
from nonosat.errors import FormatError

if TYPE_CHECKING:
    from nonosat.csp.statement import Problem

MOST_VARIABLES = 2_000_000
"""More Booleans than these are refused: each is an object of a model."""


def read(text: str, model: Problem) -> None:
    r"""Add what a CNF file states to ``model``. FormatError: it is damaged, or has weights.

    >>> from nonosat import Model
    >>> model = Model()
    >>> read("c p show 1 2 0\np cnf 3 2\n1 -2 3 0\n2 0\n", model)
    >>> [name for name, _ in model.constraints], model.count().solutions
    (['clause 1', 'clause 2'], 2)
    """
    header = header_of(text)
    if header.variables > MOST_VARIABLES:
        raise FormatError(f"{header.variables:,} variables; the limit is {MOST_VARIABLES:,}", header.line)
    shown = _projection(text, header.variables)
    cnf = clauses_of(text, header)
    literals: list[object] = [None] * (2 * header.variables + 1)  # negative ones from the end
    for number in range(1, header.variables + 1):
        literals[number] = variable = model.boolean(f"x{number}")
        literals[-number] = ~variable
    for number, clause in enumerate(cnf, 1):
        model.add(any_of([literals[literal] for literal in clause]), name=f"clause {number}")
    if shown is not None:
        model.project(*(literals[variable] for variable in shown))


def _projection(text: str, variables: int) -> list[int] | None:
    """The variables that solutions differ in; None: in all."""
    found: dict[int, None] | None = None
    for number, line in enumerate(text.split("\n"), 1):
        words = line.split()
        if words[:3] == ["c", "p", "weight"] or words[:1] == ["w"]:
            raise FormatError("weights are not read: models are counted, and not weighed", number)
        if words[:3] == ["c", "p", "show"] or words[:2] == ["c", "ind"]:
            shown = numbers(" ".join(words[3 if words[1] == "p" else 2 :]))
            if shown is None or not len(shown) or shown[-1] != 0 or (shown[:-1] < 1).any():
                raise FormatError(f"'{' '.join(words[:3])}' wants variables, and a 0 at the end", number)
            if (shown > variables).any():
                raise FormatError(f"x{shown.max()} is shown, and there are {variables} variables", number)
            found = (found or {}) | dict.fromkeys(shown[:-1].tolist())
    return None if found is None else list(found)
