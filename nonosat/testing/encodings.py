"""Checks of rules and integer encodings: their models are all solutions, and no others; they have certificates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product

import numpy as np
from pysat.solvers import Solver

from nonosat.chance import Chance
from nonosat.csp.build import Model
from nonosat.csp.model import CSP
from nonosat.encodings import dimacs
from nonosat.encodings.integers import Integers
from nonosat.encodings.parts import Part
from nonosat.encodings.registry import KINDS, encoding
from nonosat.puzzles.puzzle import Board, Puzzle
from nonosat.testing import certificates
from nonosat.testing.brute import solutions
from nonosat.testing.equivalence import follows
from nonosat.testing.models import boards
from nonosat.testing.samples import samples

RANDOM_CSPS = 60


def checks_of_integers(record: Integers) -> Iterator[tuple[str, Callable[[], None]]]:
    """Those of an integer encoding: on random CSPs, and with the default rules of every kind that has samples."""
    yield "each value is one assignment", partial(values_apart, record)
    yield "the models of random CSPs are all their solutions", partial(random_csps, record)
    for kind in KINDS.values():
        if own := samples(kind.name):
            rules = encoding(kind.default).rules
            name = f"{rules}+{record.name}"
            yield f"{name}: all models are all solutions", partial(exact, name, own)
            yield f"{name}: clauses and statement follow from each other", partial(follows, name)
            yield from certificates.checks(name, own, f"integer encoding {record.name} makes Booleans")


def checks_of_rule(part: Part, puzzles: Sequence[Puzzle]) -> Iterator[tuple[str, Callable[[], None]]]:
    """Those of a rule: with every choice of the kind's own sound parts in the other slots of its form."""
    own = [*samples(part.kind), *(puzzle for puzzle in puzzles if puzzle.kind == part.kind)]
    kind = KINDS[part.kind]
    form = next(form for form in kind.forms if part.slot in form)
    choices = [
        [part.name]
        if slot == part.slot
        else [other.name for other in kind.parts if other.slot == slot and other.sound and other.complete]
        for slot in form
    ]
    for words in product(*choices):
        name = "+".join((*words, encoding(kind.default).integers))
        yield f"{name}: models and solutions", partial(exact, name, own)
        yield f"{name}: clauses and statement follow from each other", partial(follows, name, puzzles)
        yield from certificates.checks(name, own, f"part {part.name} makes auxiliaries")


def exact(name: str, puzzles: Sequence[Puzzle]) -> None:
    """The boards of all models are the solutions: all if the encoding is complete, and no others if it is sound."""
    assert puzzles, "no puzzles to test with: give some to battery(parts, puzzles)"
    parts = encoding(name)
    for puzzle in puzzles:
        formula = parts.formula(puzzle)
        found: set[Board] = set() if formula.cnf.has_empty_clause else {puzzle.picture(b) for b in boards(formula)}
        wanted = solutions(puzzle)
        if parts.complete:
            assert found >= wanted, f"{name} shuts out solutions of {puzzle}:\n{min(map(str, wanted - found))}"
        if parts.sound:
            more = "\n".join(map(str, found - wanted))
            assert found <= wanted, f"{name} lets boards through that do not solve {puzzle}:\n{more}"
        decoded(name, puzzle)


def decoded(name: str, puzzle: Puzzle) -> None:
    """What a DIMACS file's comments say decodes a model like the formula itself."""
    formula = encoding(name).formula(puzzle)
    if formula.cnf.has_empty_clause:
        return
    read = dimacs.read("".join(dimacs.write(formula, name, "{}"))).formula
    with Solver("minisat22", bootstrap_with=list(formula.cnf)) as solver:
        if solver.solve():
            model = solver.get_model()
            assert np.array_equal(formula.cells(model), read.cells(model)), f"{name}: decoded differently from a file"


def values_apart(record: Integers) -> None:
    """With the literals of ``v = a`` unit propagation finds no contradiction, and what is decoded is a."""
    for low, high in ((0, 0), (0, 1), (3, 4), (-2, 2), (1, 8), (5, 11)):
        model = Model()
        model.integer("v", low, high)
        formula = record.make(model.csp())
        variable = np.zeros(1, dtype=np.int32)
        with Solver("minisat22", bootstrap_with=list(formula.cnf)) as solver:
            for value in range(low, high + 1):
                clause = formula.map.differ(variable, np.array([value], dtype=np.int32))
                consistent, _ = solver.propagate(assumptions=[-literal for literal in clause])
                assert consistent, f"{record.name}: {value} in {low}..{high} is contradicted"
                assert solver.solve(assumptions=[-literal for literal in clause])
                [found] = formula.values(solver.get_model(), variable).tolist()
                assert found == value, f"{record.name}: {value} in {low}..{high} is decoded as {found}"
                assert low == high or clause, f"{record.name}: {value} in {low}..{high} cannot be ruled out"


def random_csps(record: Integers) -> None:
    """Linear constraints, all-different and clauses over a few variables: models and solutions are the same."""
    for seed in range(RANDOM_CSPS):
        csp = random_csp(Chance(seed))
        domains = [range(low, high + 1) for low, high in zip(csp.lower.tolist(), csp.upper.tolist(), strict=True)]
        wanted = {values for values in product(*domains) if csp.holds(np.array(values, dtype=np.int32))}
        formula = record.make(csp)
        board = formula.board.reshape(-1)
        found = set()
        if not formula.cnf.has_empty_clause:
            with Solver("minisat22", bootstrap_with=list(formula.cnf)) as solver:
                while solver.solve():
                    values = formula.values(solver.get_model(), board)
                    again = tuple(values.tolist()) in found
                    assert not again, f"{record.name}: a solution that was ruled out comes again"
                    found.add(tuple(values.tolist()))
                    clause = formula.map.differ(board, values)
                    solver.add_clause(clause)
                    if not clause:
                        break
        assert found == wanted, f"{record.name}: random CSP {seed}: {len(found)} models, {len(wanted)} solutions"


def random_csp(stream: Chance) -> CSP:
    """Two to four variables with domains of up to six values, and up to four constraints."""
    model = Model()
    lows = [stream.below(5) - 2 for _ in range(2 + stream.below(3))]
    variables = [model.integer(f"v{at}", low, low + stream.below(6)) for at, low in enumerate(lows)]
    for _ in range(stream.below(4) + 1):
        chosen = [variables[at] for at in stream.shuffled(len(variables))[: 1 + stream.below(len(variables))]]
        what = stream.below(3)
        if what == 0:
            terms = [(stream.below(5) - 2, variable) for variable in chosen]
            model.linear(terms, ("<=", ">=", "=")[stream.below(3)], stream.below(9) - 3)
        elif what == 1:
            model.all_different(chosen)
        else:
            model.clause(*((variable, stream.below(7) - 2, bool(stream.below(2))) for variable in chosen))
    return model.csp()
