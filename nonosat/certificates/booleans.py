"""The Booleans of a formula in the terms of the statement: each is one of its literals, or defined by some.

An encoding says of what values of its variable a Boolean is true (``DomainMap.meanings``), what its auxiliary variables
mean (``csp/meanings.py``), and what its adders add up; the statement, what it is for a cell to have a value, or for
another quantity to be at most one. No encoding and no kind of puzzle is known here by name.
"""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.certificates.adders import Adders
from nonosat.certificates.quantities import Quantities, UndefinedMeaningError
from nonosat.certificates.statement import Statement
from nonosat.certificates.steps import Steps, negation
from nonosat.csp.meanings import AtMostMeaning, Entry, LemmaMeaning, Means, Pigeonhole, SumMeaning
from nonosat.encodings.formula import Formula

MEANINGS, DOMAIN, BOOLEANS = "meanings", "domain", "Booleans"
"""What sections of the steps are about: family N of what auxiliaries mean, the domain of variable N, the Booleans."""


def literals(formula: Formula, statement: Statement, steps: Steps, encoding: str) -> list[str]:
    """By Boolean, its literal (entry 0 is unused); ``steps`` get definitions, and lemmas about what is defined.

    UnsupportedError: the encoding has Booleans without a meaning.
    """
    quantities = Quantities(formula, statement, steps)
    found = [""] * (formula.cnf.variables + 1)
    means = dict[int, Sequence[int]]()
    adders = Adders(formula.map, means, quantities, found, steps)
    networks = [one for network in formula.networks for one in network()]
    for one in networks:
        adders.expect(one)
    try:
        for number, family in enumerate(formula.meanings):
            steps.section(MEANINGS, number)
            for entry in family.entries():
                _take(entry, quantities, steps)
        _domains(formula, quantities, steps)
        steps.section(BOOLEANS)
        for boolean, variable, values in formula.boolean_meanings():
            found[boolean] = quantities.literal(quantities.among(variable, values))
            if networks:
                means[boolean] = values
        for one in networks:
            adders.take(one)
    except NotImplementedError:
        raise UndefinedMeaningError(
            f"encoding {encoding} does not say what its Booleans mean: it has no certificates"
        ) from None
    except UndefinedMeaningError as error:
        raise UndefinedMeaningError(
            f"encoding {encoding} does not say what {error} means: it has no certificates"
        ) from None
    if not all(found[1:]):
        raise UndefinedMeaningError(
            f"encoding {encoding} does not say what all of its Booleans mean: it has no certificates"
        )
    return found


def _take(entry: Entry, known: Quantities, steps: Steps) -> None:
    match entry:
        case Means(variable, conditions):
            known.means(variable, conditions)
        case SumMeaning(quantity, terms):
            known.adds(quantity, terms)
        case AtMostMeaning(terms, bound):
            known.bounded(terms, bound)
        case Pigeonhole():
            known.crowded(entry)
        case LemmaMeaning(given, then):
            clause = [negation(part) for within in given for part in known.parts(within)]
            clause += [known.all_of([part for within in some for part in known.parts(within)]) for some in then]
            found = dict.fromkeys(literal for literal in clause if isinstance(literal, str))
            if True not in clause and not any(negation(literal) in found for literal in found):
                steps.lemma(found)


def _domains(formula: Formula, quantities: Quantities, steps: Steps) -> None:
    """The domains of the variables are lemmas, where the statement does not have them."""
    domains = zip(quantities.names, formula.map.lower.tolist(), formula.map.upper.tolist(), strict=True)
    for variable, (name, low, high) in enumerate(domains):
        ends = [quantities.at_most(name, high)]
        if name not in quantities.sums:  # a partial sum ends where lower values do not matter: it may be less
            ends.insert(0, negation(quantities.at_most(name, low - 1)))
        for literal in ends:
            if literal is not True:
                steps.section(DOMAIN, variable)
                steps.lemma([quantities.literal(literal)])
