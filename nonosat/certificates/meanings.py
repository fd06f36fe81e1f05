"""The Booleans of a formula in the terms of the statement: each is one of its literals, or defined by some.

An encoding says of what values of its variable a Boolean is true (``DomainMap.meanings``), and what its auxiliary
variables mean (``csp/meanings.py``); the statement, what it is for a cell to have a value, or for another quantity to
be at most one. No encoding and no kind of puzzle is known here by name.
"""

from __future__ import annotations

from nonosat.certificates.quantities import Quantities, UntoldError
from nonosat.certificates.statement import Statement
from nonosat.certificates.steps import Steps, negation
from nonosat.csp.meanings import AtMost, Entry, Lemma, Means, Pigeonhole, Sum
from nonosat.encodings.formula import Formula

MEANINGS, DOMAIN, BOOLEANS = "meanings", "domain", "Booleans"
"""What sections of the steps are about: family N of what auxiliaries mean, the domain of variable N, the Booleans."""


def literals(formula: Formula, statement: Statement, steps: Steps, encoding: str) -> list[str]:
    """By Boolean, its literal (entry 0 is unused); ``steps`` get definitions, and lemmas about what is defined.

    UntoldError: the encoding has Booleans of which neither it nor the statement says what they mean.
    """
    told = Quantities(formula, statement, steps)
    found = [""] * (formula.cnf.variables + 1)
    try:
        for number, family in enumerate(formula.meanings):
            steps.section(MEANINGS, number)
            for entry in family.entries():
                _take(entry, told, steps)
        _domains(formula, told, steps)
        steps.section(BOOLEANS)
        for boolean, variable, values in formula.told():
            found[boolean] = told.literal(told.among(variable, values))
    except NotImplementedError:
        raise UntoldError(f"encoding {encoding} does not say what its Booleans mean: it has no certificates") from None
    except UntoldError as error:
        raise UntoldError(f"encoding {encoding} does not say what {error} means: it has no certificates") from None
    if not all(found[1:]):
        raise UntoldError(f"encoding {encoding} does not say what all of its Booleans mean: it has no certificates")
    return found


def _take(entry: Entry, told: Quantities, steps: Steps) -> None:
    match entry:
        case Means(variable, conditions):
            told.means(variable, conditions)
        case Sum(quantity, terms):
            told.adds(quantity, terms)
        case AtMost(terms, bound):
            told.bounded(terms, bound)
        case Pigeonhole(quantities, low, high):
            told.crowded(quantities, low, high)
        case Lemma(given, then):
            clause = [negation(part) for within in given for part in told.parts(within)]
            clause += [told.all_of([part for within in some for part in told.parts(within)]) for some in then]
            if True not in clause:
                steps.lemma(literal for literal in clause if isinstance(literal, str))


def _domains(formula: Formula, told: Quantities, steps: Steps) -> None:
    """The domains of the variables are lemmas, where the statement does not have them."""
    domains = zip(told.names, formula.map.lower.tolist(), formula.map.upper.tolist(), strict=True)
    for variable, (name, low, high) in enumerate(domains):
        for literal in (negation(told.at_most(name, low - 1)), told.at_most(name, high)):
            if literal is not True:
                steps.section(DOMAIN, variable)
                steps.lemma([told.literal(literal)])
