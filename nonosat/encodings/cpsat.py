"""CSP to an OR-Tools CP-SAT model: linear and Boolean constraints, one for one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from ortools.sat.python import cp_model

from nonosat.csp.flatten import flatten
from nonosat.csp.model import CSP, AllDifferent, Clauses, Comparison, Differ, Interval, Linear, Precedes, Product
from nonosat.errors import UnsupportedError

LARGE = 2**31
"""Products of two numbers that are no larger fit 64 bits."""


def engine_of(presolve: bool = True) -> cp_model.CpSolver:
    """CP-SAT with one worker; models that are ``large`` are not for its presolve."""
    engine = cp_model.CpSolver()
    engine.parameters.num_workers = 1
    engine.parameters.cp_model_presolve = presolve
    return engine


class CpModel:
    """A CP-SAT model under construction: the integer variables, and the Boolean of each comparison made so far.

    ``large``: it has numbers beyond ``LARGE``. The presolve of OR-Tools 9.15 may then call a model infeasible that has
    solutions (two variables up to 2**40 and the Booleans of their comparison).
    """

    def __init__(self, csp: CSP) -> None:
        self.model = cp_model.CpModel()
        stated = None if csp.gaps is None else csp.gaps.chosen(~csp.gaps.implied)  # presolve finds the others
        csp = flatten(replace(csp, gaps=stated), gapped=True, keep=(AllDifferent, Differ, Linear, Precedes, Product))
        self.lower, self.upper = csp.lower.tolist(), csp.upper.tolist()
        numbers = [csp.lower, csp.upper, *(each.coefficients for each in csp.constraints if isinstance(each, Linear))]
        self.large = any(len(some) and (some.max() > LARGE or some.min() < -LARGE) for some in numbers)
        gapped = set() if csp.gaps is None else set(csp.gaps.variables.tolist())
        self.variables = [  # each with its own number in the model
            self.model.new_int_var_from_domain(cp_model.Domain.from_values(csp.values(variable)), "")
            if variable in gapped
            else self.model.new_int_var(self.lower[variable], self.upper[variable], "")
            for variable in range(len(self.lower))
        ]
        self.narrowed = self._narrowed(csp)
        self._at_most: dict[tuple[int, int], Any] = {}
        for constraint in csp.constraints:
            _COMPILERS[type(constraint)](constraint, self)
        if fault := self.model.validate():
            raise UnsupportedError(f"CP-SAT refuses the model: {' '.join(fault.split())[:100]}; give smaller numbers")

    def _narrowed(self, csp: CSP) -> set[int]:
        """Take out of the domains what clauses of a single literal rule out; the variables of which that is done.

        As clauses of two Booleans a value they made a solve of ``y % 3 <= 0`` with 20,001 values last 2 s.
        """
        done = set()
        outside: dict[int, list[list[int]]] = {}
        for family in csp.constraints:
            for column, alone in _alone(family) if isinstance(family, Clauses) else ():
                rows = zip(*(each[alone].tolist() for each in (column.variables, column.low, column.high)), strict=True)
                for variable, low, high in rows:
                    outside.setdefault(variable, []).append([low, high])
        for variable, ranges in outside.items():
            domain = self.model.proto.variables[variable].domain
            others = cp_model.Domain.from_intervals(ranges).complement()
            left = cp_model.Domain.from_flat_intervals(list(domain)).intersection_with(others)
            if not left.is_empty():  # an empty one is no model: its clauses say that there is no solution
                domain.clear()
                domain.extend(left.flattened_intervals())
                done.add(variable)
        return done

    def at_most(self, variable: int, bound: int) -> Any:
        """The literal ``variable <= bound``, or a bool where the domain decides it."""
        low, high = self.lower[variable], self.upper[variable]
        if bound >= high or bound < low:
            return bound >= high
        key = variable, bound
        if key not in self._at_most:
            integer = self.variables[variable]
            if (low, high) == (0, 1):
                literal = integer.negated()
            else:
                literal = self.model.new_bool_var("")
                self.model.add(integer <= bound).only_enforce_if(literal)
                self.model.add(integer >= bound + 1).only_enforce_if(literal.negated())
            self._at_most[key] = literal
        return self._at_most[key]

    def clause(self, literals: list[Any]) -> None:
        """The disjunction of ``literals`` (CP-SAT literals and bools)."""
        if not any(literal is True for literal in literals):
            self.model.add_bool_or([literal for literal in literals if literal is not False])

    def differ(self, variables: list[int], values: list[int]) -> None:
        """Rule out that ``variables`` all have ``values``."""
        pairs = list(zip(variables, values, strict=True))
        self.clause([self.at_most(v, a - 1) for v, a in pairs] + [_negated(self.at_most(v, a)) for v, a in pairs])


def _alone(family: Clauses) -> list[tuple[Interval, Any]]:
    """The columns of memberships, each with a mask of its entries outside an interval that are clauses of their own."""
    every = np.arange(len(family))
    rows = [every if column.rows is None else column.rows for column in family.columns]
    sizes = np.bincount(np.concatenate([every[:0], *rows]), minlength=len(family))
    pairs = zip(family.columns, rows, strict=True)
    return [(column, sizes[some] == 1) for column, some in pairs if isinstance(column, Interval) and column.outside]


def _negated(literal: Any) -> Any:
    return not literal if isinstance(literal, bool) else literal.negated()


def _clauses(family: Clauses, out: CpModel) -> None:
    clauses: list[list[Any]] = [[] for _ in range(len(family))]
    done = {id(column): alone for column, alone in _alone(family)}
    for column in family.columns:
        variables = column.variables.tolist()
        rows = range(len(variables)) if column.rows is None else column.rows.tolist()
        if isinstance(column, Comparison):
            bounds = (column.bounds - column.at_least).tolist()
            for row, variable, bound in zip(rows, variables, bounds, strict=True):
                literal = out.at_most(variable, bound)
                clauses[row].append(_negated(literal) if column.at_least else literal)
        else:  # outside: flattening leaves no other
            alone = done[id(column)].tolist()
            for row, variable, low, high, single in zip(
                rows, variables, column.low.tolist(), column.high.tolist(), alone, strict=True
            ):
                if single and variable in out.narrowed:
                    clauses[row].append(True)
                    continue
                clauses[row] += [out.at_most(variable, low - 1), _negated(out.at_most(variable, high))]
    for clause in clauses:
        out.clause(clause)


def _precedes(family: Precedes, out: CpModel) -> None:
    columns = (family.before.tolist(), family.distance.tolist(), family.after.tolist())
    for before, distance, after in zip(*columns, strict=True):
        out.model.add(out.variables[before] + distance <= out.variables[after])


def _differ(family: Differ, out: CpModel) -> None:
    for left, distance, right in zip(*(c.tolist() for c in (family.left, family.distance, family.right)), strict=True):
        out.model.add(out.variables[left] + distance != out.variables[right])


def _product(family: Product, out: CpModel) -> None:
    for left, right, result in zip(*(c.tolist() for c in (family.left, family.right, family.result)), strict=True):
        out.model.add_multiplication_equality(out.variables[result], [out.variables[left], out.variables[right]])


def _linear(family: Linear, out: CpModel) -> None:
    for coefficients, variables, bound in family.each():
        terms = [out.variables[v] for v in variables.tolist()]
        out.model.add(cp_model.LinearExpr.weighted_sum(terms, coefficients.tolist()) <= bound)


def _all_different(family: AllDifferent, out: CpModel) -> None:
    for group in family.each():
        out.model.add_all_different([out.variables[v] for v in group.tolist()])


_COMPILERS: dict[type, Callable[[Any, CpModel], None]] = {
    Clauses: _clauses,
    Precedes: _precedes,
    Differ: _differ,
    Product: _product,
    Linear: _linear,
    AllDifferent: _all_different,
}
