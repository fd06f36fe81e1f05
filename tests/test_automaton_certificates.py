"""Certificates of automata: the statement marks nodes and arcs of a graph, and no false claim gets past the checker."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sampling import spread
from test_models import by_force

from nonosat import Model
from nonosat.certificates.checker import RefusedError
from nonosat.certificates.checker.proof import check
from nonosat.csp.model import ints
from nonosat.encodings.parts import INTEGERS
from nonosat.modelling.certify import _lines, _proof, _stated
from nonosat.solvers.sat.proofs import attempt


@pytest.mark.parametrize("encoding", spread(["order", "direct", "support", "log", "coupled"], 2))
def test_automata_have_certificates_and_false_claims_of_them_are_refused(encoding: str) -> None:
    """Random automata: what is proved is true; a proof that one solution less is all does not get past the checker."""
    refused = 0
    for seed in range(12):
        rng = np.random.default_rng([seed, 78])
        model, width, states = Model("automaton"), int(rng.integers(1, 4)), int(rng.integers(1, 4))
        x = model.integer("x", int(rng.integers(-2, 1)), int(rng.integers(0, 3)), shape=width)
        every = np.argwhere(rng.random((states, 5, states)) < 0.3) - [0, 2, 0]
        word = model.regular(x, every.tolist(), 0, [int(rng.integers(states))])
        model.add(word if seed % 3 else word | (x[0] == 0))
        found = model.certify(encoding, count=None)
        true = by_force(model)
        assert {solution.values for solution in found.solutions} == true
        if true:
            fewer = found.solutions[1:]
            stated, csp = _stated(model, model.lowered(), fewer)
            formula = INTEGERS.named(encoding).make(csp)
            board = csp.board.reshape(-1)
            others = [formula.map.differ(board, ints(solution.values)) for solution in found.solutions]
            formula = replace(formula, cnf=formula.cnf.extended_by(others))
            steps = attempt("cadical195", formula).steps
            lines = _proof(formula, stated, steps, encoding, "3.0")
            with pytest.raises(RefusedError):
                check(_lines(model, fewer, stated), lines)
            refused += 1
    assert refused > 3
