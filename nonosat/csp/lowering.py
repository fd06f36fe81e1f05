"""From expressions to a circuit: each operator as linear terms, formulas and families of constraints.

An expression becomes a ``LinearTerm`` and the formula "it has a value", a constraint becomes a ``Formula``. Operators
that are no linear arithmetic get an auxiliary; a global constraint that must hold is stated by a family of its own, and
by a decomposition where it is a part of another constraint. All arrays are made whole: no loop runs once a clause.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from nonosat.csp.circuit import FALSE, MOST_RESULTS, TRUE, Circuit, Formula, Global, LinearTerm, checked, total
from nonosat.csp.expressions import (
    STAR,
    BooleanExpression,
    Expression,
    IntegerExpression,
    all_of,
    boolean,
    folded,
    sum_of,
    values_over,
)
from nonosat.csp.flatten import LISTED
from nonosat.csp.model import (
    LARGEST,
    AnyInts,
    Clauses,
    Column,
    Interval,
    Ints,
    Paths,
    Product,
    at_least,
    at_most,
    ints,
    numbers,
    outside,
    ranges,
    within,
)
from nonosat.errors import ModelError

Table = npt.NDArray[np.int64]

MOST_STEPS = 2**19
"""Cells times cells, up to which those that hang together have a variable for each step: a grid of 26x26."""
PATHS = 5_000
"""Rows of a function's table up to which each has an auxiliary, so that unit propagation is arc consistent."""
ROWS = 2**23
"""More rows than that a table of values does not have."""
COMPOSED = 2**20
"""Values of variables, times operators, that are evaluated to make tables of functions of single variables."""
MANY = 64
"""Values of a variable from which on those that an automaton does not name are one value to it."""
FEW = 5
"""Runs of values up to which a set of them is comparisons, which others may share."""
NONLINEAR = frozenset({"product", "abs", "floordiv", "mod", "truncdiv", "truncmod", "power", "max", "min", "element"})
"""Operators that need an auxiliary for their value."""
MOST_PRODUCTS = 2**16
"""The most pairs of factors that are multiplied, for the values of a product."""
MOST_USED = 5_000
"""Values for each variable up to which ``n_values`` asks of every value whether it is used: pairs of variables are more
clauses then."""
MOMENTS = 5_000
"""Points in time up to which ``cumulative`` is stated for each; with more, for each task's start."""


class Lowered(NamedTuple):
    """An integer's ``term``, and the formula ``defined``: it has a value."""

    term: LinearTerm
    defined: Formula = TRUE


class Lowering:
    """Expressions over variables whose numbers in ``circuit`` are theirs.

    ``ranks``: what hangs together is stated by ranks, for CP solvers: few variables with many values. So it is where
    there are many cells.
    """

    def __init__(self, circuit: Circuit, ranks: bool = False) -> None:
        self.circuit, self.ranks = circuit, ranks
        self._known: dict[int, Any] = {}
        self._spans: dict[int, tuple[int, int, int]] = {}
        self._composable = COMPOSED
        self._kept: list[Expression] = []  # ``_known`` goes by id, which must not be given again

    def formula(self, expression: BooleanExpression) -> Formula:
        """What the constraint is in the circuit. ModelError, OverflowError: it cannot be stated."""
        self._kept.append(expression)
        self._compose(expression)
        return cast(Formula, folded(expression, self._known, self._apply))

    def term(self, expression: IntegerExpression) -> Lowered:
        """What the number is in the circuit. ModelError, OverflowError: it cannot be stated."""
        self._kept.append(expression)
        self._compose(expression)
        return cast(Lowered, folded(expression, self._known, self._apply))

    def _compose(self, root: Expression) -> None:
        """What is no linear arithmetic of a single variable becomes a table of its values, without those of its parts.

        A comparison is then a set of values of that variable; a number is one function and not one of another.
        """
        stack = [root]
        folded(root, self._spans, self._span)
        while stack:
            node = stack.pop()
            variable, depth, size = self._spans[id(node)]
            if id(node) in self._known or not depth:
                continue
            whole = node.op == "compare" or (depth > 1 and node.op in NONLINEAR)
            if variable < 0 or not whole or self.circuit.size(variable) * size > self._composable:
                stack += node.children
                continue
            domain = self.circuit.domain(variable)
            self._composable -= len(domain) * size
            inner: dict[int, list[Any]] = {}
            values = values_over(node, domain.tolist(), inner)
            if any(abs(value or 0) > LARGEST for column in inner.values() for value in column):
                stack += node.children  # which say that it is too large
                continue
            if node.op == "compare":
                self._known[id(node)] = self._one_of(variable, domain[np.array(values, dtype=bool)])
                continue
            has = np.array([value is not None for value in values])
            if not has.any():
                self._known[id(node)] = Lowered(LinearTerm({}), FALSE)
                continue
            other = next(value for value in values if value is not None)
            table = np.array([other if value is None else value for value in values], dtype=object)
            term = self._function(
                ("composed", *table), [LinearTerm({variable: 1})], partial(_looked_up, domain, table.astype(np.int64))
            )
            self._known[id(node)] = Lowered(term, self._one_of(variable, domain[has]))

    def _span(self, node: Expression, parts: list[tuple[int, int, int]]) -> tuple[int, int, int]:
        """Of an expression: its only variable (-1: it has none, -2: several), how deep it nests functions, its size."""
        if node.op in ("variable", "boolean"):
            return node.data[0], 0, 1
        variables = {variable for variable, _, _ in parts} - {-1}
        depth = max((depth for _, depth, _ in parts), default=0) + (node.op in NONLINEAR)
        size = sum(size for _, _, size in parts) + 1
        return (variables.pop() if len(variables) == 1 else -2 if variables else -1), depth, size

    def _apply(self, node: Expression, parts: list[Any]) -> Any:
        if isinstance(node, BooleanExpression):
            formula: Formula = getattr(self, f"_formula_{node.op}")(node, parts)
            inner = [part.defined for part in parts if isinstance(part, Lowered)]
            return self.circuit.every([formula, *inner]) if inner else formula
        made = getattr(self, f"_term_{node.op}")(node, parts)
        if isinstance(made, LinearTerm):
            defined = [part.defined for part in parts if isinstance(part, Lowered)]
            made = Lowered(made, self.circuit.every(defined) if defined else TRUE)
        self.circuit.bounds(made.term)  # so that numbers do not grow without end
        return made

    # Numbers.

    def _term_variable(self, node: Expression, parts: list[Any]) -> LinearTerm:
        return LinearTerm({node.data[0]: 1})

    def _term_constant(self, node: Expression, parts: list[Any]) -> LinearTerm:
        return LinearTerm({}, node.data)

    def _term_indicator(self, node: Expression, parts: list[Formula]) -> LinearTerm:
        return self.circuit.indicator(parts[0])

    def _term_sum(self, node: Expression, parts: list[Lowered]) -> LinearTerm:
        coefficients, constant = node.data
        terms = [part.term.times(a) for a, part in zip(coefficients, parts, strict=True)]
        return total([*terms, LinearTerm({}, constant)])

    def _term_product(self, node: Expression, parts: list[Lowered]) -> LinearTerm:
        one, other = (part.term for part in parts)
        for left, right in ((one, other), (other, one)):
            if not right.key()[0]:
                return left.times(right.constant)
            low, high = self.circuit.bounds(right)
            if (low, high) == (0, 1):  # a factor of 0 or 1
                ones = [-self.circuit.not_positive(factor) for factor in (left, right)]
                if self.circuit.bounds(left) == (0, 1):
                    return self.circuit.indicator(self.circuit.every(ones))
                return self.circuit.choice(ones[1], left, LinearTerm({}, 0))
        if one.key() == other.key():
            low, high = self.circuit.bounds(one)
            checked(low * low, high * high)
            if high - low < PATHS or self.circuit.size(self.circuit.variable(one)) < PATHS:
                return self._function("square", [one], lambda a: a * a)
        corners = [a * b for a in self.circuit.bounds(one) for b in self.circuit.bounds(other)]
        result, new = self.circuit.auxiliary(("product", one.key(), other.key()), min(corners), max(corners))
        if new:
            x, y = (self.circuit.variable(term) for term in (one, other))
            if self.circuit.size(x) * self.circuit.size(y) <= MOST_PRODUCTS:
                every = np.multiply.outer(self.circuit.domain(x), self.circuit.domain(y))
                self.circuit.results(result, [np.unique(every)])
            self.circuit.families.append(Product(ints([x]), ints([y]), ints([result])))
        return LinearTerm({result: 1})

    def _term_abs(self, node: Expression, parts: list[Lowered]) -> LinearTerm:
        term = parts[0].term
        low, high = self.circuit.bounds(term)
        if low >= 0 or high <= 0:
            return term.times(1 if low >= 0 else -1)
        if len(term.key()[0]) == 1 and high - low < PATHS:
            return self._function("abs", [term], np.abs)
        return self.circuit.greatest([term, term.times(-1)])

    def _term_max(self, node: Expression, parts: list[Lowered]) -> LinearTerm:
        return self.circuit.greatest([part.term for part in parts]) if len(parts) > 1 else parts[0].term

    def _term_min(self, node: Expression, parts: list[Lowered]) -> LinearTerm:
        if len(parts) == 1:
            return parts[0].term
        return self.circuit.greatest([part.term.times(-1) for part in parts]).times(-1)

    def _term_floordiv(self, node: Expression, parts: list[Lowered]) -> Lowered:
        return self._divided("floordiv", parts, lambda a, b: a // b)

    def _term_mod(self, node: Expression, parts: list[Lowered]) -> Lowered:
        return self._divided("mod", parts, lambda a, b: a % b)

    def _term_truncdiv(self, node: Expression, parts: list[Lowered]) -> Lowered:
        return self._divided("truncdiv", parts, _truncated)

    def _term_truncmod(self, node: Expression, parts: list[Lowered]) -> Lowered:
        return self._divided("truncmod", parts, lambda a, b: a - b * _truncated(a, b))

    def _divided(self, op: str, parts: list[Lowered], function: Callable[..., Table]) -> Lowered:
        (one, first), (other, second) = parts
        circuit = self.circuit
        nonzero = -circuit.equal(other, LinearTerm({}))
        defined = circuit.every([first, second, nonzero])
        divisor = other.constant
        low, high = circuit.bounds(one)
        if other.key()[0] or not divisor:
            return Lowered(self._function(op, [one, other], _where_nonzero(function)), defined)
        if op.startswith("trunc") and (low < 0 or divisor < 0):
            if high - low >= PATHS:
                whole, size = circuit.not_positive(one.times(-1)), Lowered(LinearTerm({}, abs(divisor)))
                up, down = (
                    self._divided("floordiv", [Lowered(part), size], function).term for part in (one, one.times(-1))
                )
                cut = circuit.choice(whole, up, down.times(-1)).times(1 if divisor > 0 else -1)
                return Lowered(cut if op == "truncdiv" else one.minus(cut.times(divisor)), defined)
            return Lowered(self._function((op, divisor), [one], lambda a: function(a, np.int64(divisor))), defined)
        if divisor < 0:
            one, divisor = one.times(-1), -divisor
        low, high = circuit.bounds(one)
        quotient, new = circuit.auxiliary(("floordiv", one.key(), divisor), low // divisor, high // divisor)
        rest = one.minus(LinearTerm({quotient: divisor}))
        if new:  # 0 <= rest < divisor
            circuit.require(circuit.not_positive(rest.times(-1)))
            circuit.require(circuit.not_positive(rest.minus(LinearTerm({}), 1 - divisor)))
        if op in ("floordiv", "truncdiv"):
            return Lowered(LinearTerm({quotient: 1}), defined)
        sign = -1 if other.constant < 0 else 1
        remainder, new = circuit.auxiliary(("mod", one.key(), divisor), 0, divisor - 1)
        if new:
            circuit.require(circuit.equal(rest, LinearTerm({remainder: 1})))
        return Lowered(LinearTerm({remainder: sign}), defined)

    def _term_power(self, node: Expression, parts: list[Lowered]) -> Lowered:
        (base, first), (exponent, second) = parts
        circuit = self.circuit
        largest = max(abs(bound) for bound in circuit.bounds(base))
        most = circuit.bounds(exponent)[1]
        if largest > 1 and (most > 62 or (most > 0 and largest**most > LARGEST)):
            raise OverflowError(f"{node} has values over {LARGEST}, which is the limit")
        negative = -circuit.not_positive(exponent.times(-1))
        unit = circuit.some([circuit.equal(base, LinearTerm({}, value)) for value in (1, -1)])
        defined = circuit.every([first, second, circuit.some([-negative, unit])])
        if not exponent.key()[0]:
            many = exponent.constant
            return Lowered(self._function(("power", many), [base], lambda a: _raised(a, many)), defined)
        return Lowered(self._function("power", [base, exponent], _raised), defined)

    def _term_choice(self, node: Expression, parts: list[Any]) -> Lowered:
        condition, (then, one), (otherwise, other) = parts
        circuit = self.circuit
        defined = circuit.every([circuit.some([-condition, one]), circuit.some([condition, other])])
        if abs(condition) == TRUE:
            return Lowered(then if condition > 0 else otherwise, defined)
        if then.key() == otherwise.key():
            return Lowered(then, defined)
        return Lowered(circuit.choice(condition, then, otherwise), defined)

    def _term_element(self, node: Expression, parts: list[Lowered]) -> Lowered:
        shape: tuple[int, ...] = node.data
        indices, entries = parts[: len(shape)], [part.term for part in parts[len(shape) :]]
        circuit, place = self.circuit, LinearTerm({})
        conditions = [part.defined for part in parts]
        for index, length in zip(indices, shape, strict=True):
            place = total([place.times(length), index.term])
            conditions.append(circuit.not_positive(index.term.times(-1)))
            conditions.append(circuit.not_positive(index.term.minus(LinearTerm({}), 1 - length)))
        defined = circuit.every(conditions)
        if not entries:
            return Lowered(LinearTerm({}), FALSE)
        if not place.key()[0]:
            return Lowered(entries[min(max(place.constant, 0), len(entries) - 1)], defined)
        if all(not entry.key()[0] for entry in entries):
            constants = np.array([entry.constant for entry in entries], dtype=np.int64)
            last = len(entries) - 1
            key = ("element", tuple(constants.tolist()))
            return Lowered(self._function(key, [place], lambda i: constants[np.clip(i, 0, last)]), defined)
        return Lowered(self._chosen(place, entries), defined)

    def _chosen(self, place: LinearTerm, entries: list[LinearTerm]) -> LinearTerm:
        """``entries[place]``; before the first place it is the first entry, and behind the last one the last.

        So it is always one of them, and its gaps follow, though the place may be none.
        """
        circuit = self.circuit
        at = circuit.variable(place)
        values = circuit.among(at, 0, len(entries) - 1)
        if not len(values):
            return entries[0]
        low, high = (
            np.array(side) for side in zip(*(circuit.bounds(entries[i]) for i in values.tolist()), strict=True)
        )
        key = ("chosen", at, tuple(entry.key() for entry in entries))
        result, new = circuit.auxiliary(key, int(low.min()), int(high.max()))
        if new:
            circuit.results(result, (circuit.possible(entries[i], MOST_RESULTS) for i in values.tolist()))
            first, last = values.astype(np.int64), values.astype(np.int64)  # domains may be wider than entries' places
            first[0], last[-1] = circuit.domains[at]
            first, last = numbers(first), numbers(last)
            variables = ints([circuit.variable(entries[i]) for i in values.tolist()])
            if sum(map(circuit.size, variables.tolist())) > LISTED:
                for i, least, most in zip(values.tolist(), first.tolist(), last.tolist(), strict=True):
                    elsewhere = [circuit.at_most(at, least - 1), -circuit.at_most(at, most)]
                    circuit.require(circuit.some([*elsewhere, circuit.equal(LinearTerm({result: 1}), entries[i])]))
                return LinearTerm({result: 1})
            domains = [circuit.domain(v) for v in variables.tolist()]
            owner, a = np.repeat(np.arange(len(domains)), list(map(len, domains))), numbers(np.concatenate(domains))
            there = outside(np.full(len(a), at, np.int32), first[owner], last[owner])
            entry, results = variables[owner], np.full(len(a), result, np.int32)
            circuit.families.append(Clauses((there, at_least(entry, a + 1), at_most(results, a))))
            circuit.families.append(Clauses((there, at_most(entry, a - 1), at_least(results, a))))
        return LinearTerm({result: 1})

    def _function(self, name: Any, terms: list[LinearTerm], function: Callable[..., Table]) -> LinearTerm:
        """``function`` of the ``terms``, by the table of its values."""
        circuit = self.circuit
        if all(not term.key()[0] for term in terms):
            return LinearTerm({}, int(function(*(np.int64(term.constant) for term in terms))))
        variables = [circuit.variable(term) for term in terms]
        rows = prod(circuit.size(variable) for variable in variables)
        if rows > ROWS:
            what = name if isinstance(name, str) else name[0]
            raise ModelError(f"{what} of values that combine in {rows:,} ways: give smaller domains")
        domains = [circuit.domain(variable) for variable in variables]
        columns = [grid.reshape(-1) for grid in np.meshgrid(*domains, indexing="ij")]
        made = np.asarray(function(*columns), dtype=np.int64)
        values = np.unique(made)
        if max(abs(int(values[0])), abs(int(values[-1]))) > LARGEST:
            raise OverflowError(f"values over {LARGEST}, which is the limit")
        if len(values) == 1:
            return LinearTerm({}, int(values[0]))
        result, new = circuit.auxiliary(("function", name, tuple(variables)), int(values[0]), int(values[-1]))
        if new:
            circuit.results(result, [values])
            if rows <= PATHS:
                self._rows([*variables, result], np.stack([*columns, made], axis=1))
            else:
                conditions = [
                    outside(np.full(rows, v, np.int32), numbers(column), numbers(column))
                    for v, column in zip(variables, columns, strict=True)
                ]
                results = np.full(rows, result, np.int32)
                circuit.families.append(Clauses((*conditions, within(results, numbers(made), numbers(made)))))
        return LinearTerm({result: 1})

    def _rows(self, variables: list[int], rows: Table) -> None:
        """The (different) variables have the values of one of ``rows``: a graph with an arc a row."""
        count = len(rows)
        self.circuit.families.append(
            Paths(
                nodes=2,
                sources=ints([0]),
                sinks=ints([1]),
                tail=np.zeros(count, np.int32),
                head=np.ones(count, np.int32),
                variables=np.tile(ints(variables), count),
                values=numbers(rows.reshape(-1)),
                ends=np.arange(1, count + 1, dtype=np.int32) * len(variables),
            )
        )

    def _term_n_values(self, node: Expression, parts: list[Lowered]) -> LinearTerm:
        """A 0/1 auxiliary a value: some variable has it; with too many values, one a variable: none before is equal."""
        circuit = self.circuit
        if not parts:
            return LinearTerm({})
        variables = list(dict.fromkeys(circuit.variable(part.term) for part in parts))
        lowest, highest = (side(circuit.domains[v][at] for v in variables) for at, side in enumerate((min, max)))
        if min(highest - lowest + 1, sum(map(circuit.size, variables))) > MOST_USED * len(variables):
            terms = [LinearTerm({variable: 1}) for variable in variables]
            new = [[-circuit.equal(term, before) for before in terms[:at]] for at, term in enumerate(terms)]
            return total([circuit.indicator(circuit.every(others)) for others in new[1:]] + [LinearTerm({}, 1)])
        domains = [circuit.domain(v) for v in variables]
        values = np.unique(np.concatenate(domains))
        used = circuit.several(len(values))
        owner = np.repeat(np.arange(len(variables)), [len(domain) for domain in domains])
        row = np.searchsorted(values, np.concatenate(domains))
        having, value = ints(variables)[owner], numbers(values[row])
        circuit.families.append(Clauses((outside(having, value, value), at_least(used[row], 1))))
        order = np.argsort(row, kind="stable")
        having, value = having[order], value[order]
        some = within(having, value, value, rows=ints(row[order]))
        circuit.families.append(Clauses((at_most(used, 0), some)))
        return LinearTerm(dict.fromkeys(used.tolist(), 1))

    # Constraints.

    def _formula_boolean(self, node: Expression, parts: list[Any]) -> Formula:
        return -self.circuit.at_most(node.data[0], 0)

    def _formula_truth(self, node: Expression, parts: list[Any]) -> Formula:
        return TRUE if node.data else FALSE

    def _formula_not(self, node: Expression, parts: list[Formula]) -> Formula:
        return -parts[0]

    def _formula_and(self, node: Expression, parts: list[Formula]) -> Formula:
        return self.circuit.every(parts)

    def _formula_or(self, node: Expression, parts: list[Formula]) -> Formula:
        return self.circuit.some(parts)

    def _formula_same(self, node: Expression, parts: list[Formula]) -> Formula:
        return self.circuit.same(*parts)

    def _formula_compare(self, node: Expression, parts: list[Lowered]) -> Formula:
        one, other = (part.term for part in parts)
        circuit = self.circuit
        match node.data:
            case "==":
                return circuit.equal(one, other)
            case "!=":
                return -circuit.equal(one, other)
            case "<=":
                return circuit.not_positive(one.minus(other))
            case "<":
                return circuit.not_positive(one.minus(other, 1))
            case ">=":
                return circuit.not_positive(other.minus(one))
            case _:
                return circuit.not_positive(other.minus(one, 1))

    def _formula_all_different(self, node: Expression, parts: list[Lowered]) -> Formula:
        return self.circuit.different([part.term for part in parts])

    def _formula_table(self, node: Expression, parts: list[Lowered]) -> Formula:
        circuit = self.circuit
        rows: Table = node.data
        places: dict[int, int] = {}
        for column, part in enumerate(parts):
            entries = rows[:, column]
            if not part.term.key()[0]:
                rows = rows[(entries == part.term.constant) | (entries == STAR)]
                continue
            variable = circuit.variable(part.term)
            if variable in places:
                other = rows[:, places[variable]]
                rows = rows[(entries == other) | (entries == STAR) | (other == STAR)]
                rows[:, places[variable]] = np.maximum(rows[:, places[variable]], rows[:, column])  # STAR is least
            place = places.setdefault(variable, column)
            rows = rows[circuit.has(variable, rows[:, place]) | (rows[:, place] == STAR)]
        if not len(rows) or not places:
            return TRUE if len(rows) else FALSE
        variables = ints(list(places))
        rows = np.unique(rows[:, list(places.values())], axis=0)
        if (rows == STAR).all(axis=1).any():
            return TRUE
        if len(variables) == 1:
            return self._one_of(int(variables[0]), rows[:, 0])
        starred = bool((rows == STAR).any())

        def post() -> None:
            (self._some_row_holds if starred else self._rows)(variables.tolist(), rows)

        def refuse() -> None:
            row, column = np.nonzero(rows != STAR)
            values = numbers(rows[row, column])
            outside_row = Interval(variables[column], values, values, outside=True, rows=ints(row))
            circuit.families.append(Clauses((outside_row,), len(rows)))

        return circuit.node(Global(post, lambda: self._some_row(variables, rows), refuse))

    def _some_row_holds(self, variables: list[int], rows: Table) -> None:
        """Rows with stars: an auxiliary each, of which one is true; each value needs a row that has it, or a star."""
        circuit = self.circuit
        chosen = circuit.several(len(rows))
        circuit.families.append(Clauses((at_least(chosen, 1, rows=np.zeros(len(rows), np.int32)),), 1))
        for variable, entries in zip(variables, rows.T, strict=True):
            free = entries == STAR
            named = np.flatnonzero(~free)
            values = numbers(entries[named])
            same = np.full(len(named), variable, np.int32)
            circuit.families.append(Clauses((at_most(chosen[named], 0), within(same, values, values))))
            starred = chosen[free]
            if len(starred) > 1:  # one auxiliary for all of them, so that not each value lists them
                some = circuit.several(1)
                every = at_least(starred, 1, rows=np.zeros(len(starred), np.int32))
                circuit.families.append(Clauses((at_most(some, 0), every)))
                starred = some
            if circuit.wide(variable) and variable not in circuit.values:
                wanted = np.unique(values)
                low, high, _ = _tiled(circuit.domains[variable], wanted, wanted)
            else:
                low = high = numbers(circuit.domain(variable))
            row = np.searchsorted(low, values)
            order = np.argsort(row, kind="stable")
            columns: list[Any] = [outside(np.full(len(low), variable, np.int32), low, high)]
            columns.append(at_least(chosen[named][order], 1, rows=ints(row[order])))
            if len(starred):
                columns.append(at_least(np.full(len(low), starred[0], np.int32), 1))
            circuit.families.append(Clauses(tuple(columns)))

    def _one_of(self, variable: int, values: Table) -> Formula:
        """The variable has one of ``values``, sorted; others are not in its domain or left out."""
        circuit = self.circuit
        if circuit.wide(variable) and variable not in circuit.values:
            values = values[circuit.has(variable, values)]
            breaks = np.flatnonzero(np.diff(values) > 1)
            runs = values[np.insert(breaks + 1, 0, 0)[: len(values)]], values[np.append(breaks, -1)[: len(values)]]
            lows, highs, inside = _tiled(circuit.domains[variable], *runs)
        else:
            domain = circuit.domain(variable)
            has = np.isin(domain, values)
            begins = np.flatnonzero(np.diff(has, prepend=not has[0]))
            ends = np.append(begins[1:], len(domain)) - 1
            lows, highs, inside = numbers(domain[begins]), numbers(domain[ends]), has[begins]
        if inside.all() or not inside.any():
            return TRUE if inside.all() else FALSE

        def leave_out(which: npt.NDArray[np.bool_]) -> None:
            same = np.full(int(which.sum()), variable, np.int32)
            circuit.families.append(Clauses((outside(same, lows[which], highs[which]),)))

        def spelled() -> Formula:
            pairs = zip(lows[inside].tolist(), highs[inside].tolist(), strict=True)
            return circuit.some(
                [circuit.every([circuit.at_most(variable, high), -circuit.at_most(variable, low - 1)])
                 for low, high in pairs]
            )  # fmt: skip

        if len(lows) <= FEW:
            return spelled()
        return circuit.node(Global(lambda: leave_out(~inside), spelled, lambda: leave_out(inside)))

    def _some_row(self, variables: Ints, rows: Table) -> Formula:
        """A 0/1 auxiliary a row, 1 exactly if the variables have its values; and one for "some row"."""
        circuit = self.circuit
        row = circuit.several(len(rows))
        [some] = circuit.several(1)
        owner, column = np.nonzero(rows != STAR)
        v, c = variables[column], numbers(rows[owner, column])
        circuit.families.append(Clauses((at_most(row[owner], 0), within(v, c, c))))
        circuit.families.append(Clauses((at_least(row, 1), Interval(v, c, c, outside=True, rows=ints(owner)))))
        circuit.families.append(Clauses((at_most(row, 0), at_least(np.full(len(row), some, np.int32), 1))))
        every = at_least(row, 1, rows=np.zeros(len(row), np.int32))
        circuit.families.append(Clauses((at_most(ints([some]), 0), every)))
        return -circuit.at_most(int(some), 0)

    def _formula_regular(self, node: Expression, parts: list[Lowered]) -> Formula:
        circuit = self.circuit
        arcs, _, ends = node.data
        fixed = LinearTerm({})
        terms = [part.term for part in parts]
        if not terms:
            return TRUE if 0 in ends else FALSE
        repeated = len({term.key() for term in terms}) < len(terms) or any(not term.key()[0] for term in terms)
        variables = []
        for term in terms:
            variable = circuit.variable(term) if term.key()[0] and not repeated else None
            if variable is None:  # a step of its own, since a graph speaks of each variable once
                low, high = circuit.bounds(term)
                [variable] = circuit.several(1, low, high).tolist()
                circuit.require(circuit.equal(term.minus(LinearTerm({variable: 1})), fixed))
            variables.append(variable)
        layered = _unrolled(arcs, ends, [circuit.has(v, arcs[:, 1]) for v in variables])

        def post() -> None:
            if layered is None:
                circuit.require(FALSE)
            else:
                tail, head, value, step, nodes = layered
                self._graph(nodes, tail, head, ints(variables)[step], value, np.ones(len(tail), np.int64))

        def spelled() -> Formula:
            [accepted] = circuit.several(1).tolist()
            named = [np.unique(arcs[circuit.has(v, arcs[:, 1]), 1]) for v in variables]
            self._judged(arcs, ends, list(map(self._told_apart, variables, named)), accepted)
            return -circuit.at_most(accepted, 0)

        return circuit.node(Global(post, spelled))

    def _told_apart(self, variable: int, values: Table) -> int:
        """``variable``; or, if it has many more values than ``values``, one that has these and one for all others."""
        circuit = self.circuit
        if circuit.size(variable) <= max(MANY, 4 * len(values)):
            return variable
        below = len(values) and int(values[-1]) >= LARGEST
        other = 0 if not len(values) else int(values[0]) - 1 if below else int(values[-1]) + 1
        every = np.sort(np.append(values, other))
        key = "told apart", variable, tuple(values.tolist())
        class_of, new = circuit.auxiliary(key, int(every[0]), int(every[-1]))
        if new:
            circuit.results(class_of, [every])
            low, high, named = _tiled(circuit.domains[variable], values, values)
            if variable in circuit.values:
                listed = circuit.values[variable]
                there = np.searchsorted(listed, low) < np.searchsorted(listed, high, side="right")
                low, high, named = low[there], high[there], named[there]
            same, classes = np.full(len(low), variable, np.int32), np.full(len(low), class_of, np.int32)
            target = np.where(named, low, numbers(np.array([other])))
            circuit.families.append(Clauses((outside(same, low, high), within(classes, target, target))))
            back = outside(classes[named], low[named], low[named]), within(same[named], low[named], low[named])
            circuit.families.append(Clauses(back))
        return class_of

    def _graph(
        self, nodes: int, tail: Table, head: Table, variables: Ints, values: Table, widths: npt.NDArray[np.int64]
    ) -> None:
        self.circuit.families.append(
            Paths(
                nodes=nodes,
                sources=ints([0]),
                sinks=ints([nodes - 1]),
                tail=ints(tail),
                head=ints(head),
                variables=variables,
                values=numbers(values),
                ends=ints(np.cumsum(widths)),
            )
        )

    def _judged(self, arcs: Table, ends: Sequence[int], variables: list[int], accepted: int) -> None:
        """``accepted`` is 1 if the word is accepted and else 0: a path through the automaton made deterministic."""
        layer = {frozenset([0]): 0}
        tail, head, names, values = [], [], [], []
        nodes = 1
        for variable in variables:
            after: dict[frozenset[int], int] = {}
            for states, number in layer.items():
                heads: dict[int, set[int]] = {}
                for _, value, state in arcs[np.isin(arcs[:, 0], list(states))].tolist():
                    heads.setdefault(value, set()).add(state)
                for value in self.circuit.domain(variable).tolist():
                    reached = frozenset(heads.get(value, ()))
                    if reached not in after:
                        after[reached] = nodes
                        nodes += 1
                    tail.append(number)
                    head.append(after[reached])
                    names.append(variable)
                    values.append(value)
            layer = after
        for states, number in layer.items():
            tail.append(number)
            head.append(nodes)
            names.append(accepted)
            values.append(int(bool(states & set(ends))))
        order = np.argsort(head, kind="stable")
        columns = [np.array(column)[order] for column in (tail, head, names, values)]
        self._graph(nodes + 1, columns[0], columns[1], ints(columns[2]), columns[3], np.ones(len(tail), np.int64))

    def _formula_lex(self, node: Expression, parts: list[Lowered]) -> Formula:
        circuit, half = self.circuit, len(parts) // 2
        found = FALSE if node.data else TRUE
        for (one, _), (other, _) in zip(reversed(parts[:half]), reversed(parts[half:]), strict=True):
            less = circuit.not_positive(one.minus(other, 1))
            found = circuit.every([circuit.not_positive(one.minus(other)), circuit.some([less, found])])
        return found

    def _formula_cumulative(self, node: Expression, parts: list[Lowered]) -> Formula:
        children = cast("tuple[IntegerExpression, ...]", node.children)
        n = (len(parts) - 1) // 3
        terms = [part.term for part in parts]
        low = min((self.circuit.bounds(term)[0] for term in terms[:n]), default=0)
        ends = [self.circuit.bounds(total([terms[i], terms[n + i]]))[1] for i in range(n)]
        constant = all(not term.key()[0] for term in terms[n:])

        def spelled() -> Formula:
            return self.formula(_at_starts(children[:n], children[n : 2 * n], children[2 * n : 3 * n], children[-1]))

        def post() -> None:
            constants = [term.constant for term in terms[n:]]
            if not constant or max(ends, default=0) - low > MOMENTS or min(constants, default=0) < 0:
                self.circuit.require(spelled())
            else:
                self._at_moments([self.circuit.variable(term) for term in terms[:n]], constants)

        return self.circuit.node(Global(post, spelled))

    def _at_moments(self, starts: list[int], constants: list[int]) -> None:
        """At each moment, the tasks that run: a 0/1 auxiliary each, 1 at least where its start makes it run."""
        circuit, n = self.circuit, len(starts)
        durations, demands, capacity = np.array(constants[:n], int), np.array(constants[n : 2 * n], int), constants[-1]
        lower, upper = (np.array([circuit.domains[v][side] for v in starts], int) for side in (0, 1))
        task, moment = ranges(lower, upper + durations)
        kept = (durations[task] > 0) & (demands[task] > 0)
        task, moment = task[kept], moment[kept]
        moments, place = np.unique(moment, return_inverse=True)  # they may be large numbers
        load = np.zeros(len(moments), dtype=np.int64)
        np.add.at(load, place, demands[task])
        kept = load[place] > capacity  # else that moment is no matter
        task, moment = task[kept], moment[kept]
        if not len(task):
            return
        runs = circuit.several(len(task))
        variables = ints(starts)[task]
        first, last = numbers(moment - durations[task] + 1), numbers(moment)
        circuit.families.append(Clauses((outside(variables, first, last), at_least(runs, 1))))
        order = np.lexsort((demands[task], moment))
        cuts = np.flatnonzero(np.diff(moment[order])) + 1
        for some in np.split(order, cuts):
            weights = dict(zip(runs[some].tolist(), demands[task[some]].tolist(), strict=True))
            circuit.require(circuit.not_positive(LinearTerm(weights, -capacity)))

    def _formula_disjunctive(self, node: Expression, parts: list[Lowered]) -> Formula:
        circuit, n = self.circuit, len(parts) // 2
        found = []
        for i in range(n):
            for j in range(i):
                (one, _), (other, _), (first, _), (second, _) = parts[i], parts[j], parts[n + i], parts[n + j]
                options = [
                    circuit.not_positive(total([one, first]).minus(other)),
                    circuit.not_positive(total([other, second]).minus(one)),
                    circuit.not_positive(first),
                    circuit.not_positive(second),
                ]
                found.append(circuit.some(options))
        return circuit.every(found)

    def _formula_inverse(self, node: Expression, parts: list[Lowered]) -> Formula:
        circuit, n = self.circuit, len(parts) // 2
        inside = [
            formula
            for part in parts
            for formula in (
                circuit.not_positive(part.term.times(-1)),
                circuit.not_positive(part.term.minus(LinearTerm({}), 1 - n)),
            )
        ]

        def post() -> None:
            variables = ints([circuit.variable(part.term) for part in parts])
            i, j = (ints(grid.reshape(-1)) for grid in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
            one, other = variables[:n][i], variables[n:][j]
            circuit.families.append(Clauses((outside(one, j, j), within(other, i, i))))
            circuit.families.append(Clauses((outside(other, i, i), within(one, j, j))))

        def spelled() -> Formula:
            def has(part: Lowered, value: int) -> Formula:
                return circuit.equal(part.term, LinearTerm({}, value))

            pairs = [(i, j) for i in range(n) for j in range(n)]
            return circuit.every([circuit.same(has(parts[i], j), has(parts[n + j], i)) for i, j in pairs])

        return circuit.every([*inside, circuit.node(Global(post, spelled))])

    def _formula_circuit(self, node: Expression, parts: list[Lowered]) -> Formula:
        """All different; and along the tour from its first node on, a rank goes up until that node is back."""
        circuit, n, loops = self.circuit, len(parts), bool(node.data)
        if not n:
            return FALSE if loops else TRUE
        terms = [part.term for part in parts]

        def goes(i: int, j: int) -> Formula:
            return circuit.equal(terms[i], LinearTerm({}, j))

        conditions = [circuit.different(terms)]
        for term in terms:
            conditions.append(circuit.not_positive(term.times(-1)))
            conditions.append(circuit.not_positive(term.minus(LinearTerm({}), 1 - n)))
        roots = [TRUE] + [FALSE] * (n - 1)  # whether the tour begins at a node
        if loops:
            roots, before = [], TRUE
            for i in range(n):
                roots.append(circuit.every([before, -goes(i, i)]))
                before = circuit.every([before, goes(i, i)])
            conditions.append(-before)
        elif n > 1:
            conditions += [-goes(i, i) for i in range(n)]

        def post() -> None:
            ranks = circuit.several(n, 0, n - 1)
            variables = ints([circuit.variable(term) for term in terms])
            first = ints([-1 if abs(root) == TRUE else circuit.variable(circuit.indicator(root)) for root in roots])
            i, j, a = (ints(grid.reshape(-1)) for grid in np.meshgrid(*[np.arange(n)] * 3, indexing="ij"))
            kept = (i != j) & np.array([root != TRUE for root in roots])[j]
            i, j, a = i[kept], j[kept], a[kept]
            for begins in (False, True):
                some = (first[j] >= 0) == begins
                columns: list[Any] = [outside(variables[i[some]], j[some], j[some])]
                columns += [at_most(ranks[i[some]], a[some] - 1), at_least(ranks[j[some]], a[some] + 1)]
                columns += [at_least(first[j[some]], 1)] if begins else []
                circuit.families.append(Clauses(tuple(columns)))

        def spelled() -> Formula:
            """Which nodes are reached from the first one in so many steps."""
            reached = list(roots)
            for _step in range(n - 1):
                reached = [
                    circuit.some([reached[j], *(circuit.every([reached[i], goes(i, j)]) for i in range(n) if i != j)])
                    for j in range(n)
                ]
            return circuit.every([circuit.some([far, goes(j, j)] if loops else [far]) for j, far in enumerate(reached)])

        return circuit.every([*conditions, circuit.node(Global(post, spelled))])

    def _formula_connected(self, node: Expression, parts: list[Formula]) -> Formula:
        kept = [cell for cell, part in enumerate(parts) if part != FALSE]
        if len(kept) < 2:
            return TRUE
        number = {cell: i for i, cell in enumerate(kept)}
        edges = [(number[a], number[b]) for a, b in cast(Any, node.data) if a in number and b in number]
        found = [parts[cell] for cell in kept]
        reached = partial(self._all_reached, found, edges)
        if self.ranks or len(kept) ** 2 > MOST_STEPS:
            return self.circuit.node(Global(partial(self._ranked, found, edges), reached))
        return reached()

    def _ranked(self, parts: list[Formula], edges: list[tuple[int, int]]) -> None:
        """Each cell that is in is the first, or has a neighbour of a lower rank. Ranks are left open."""
        circuit, none_before, n = self.circuit, TRUE, len(parts)
        ranks = [LinearTerm({v: 1}) for v in circuit.several(n, 0, n - 1).tolist()]
        neighbours: list[list[int]] = [[] for _ in parts]
        for a, b in edges:
            neighbours[a].append(b)
            neighbours[b].append(a)
        for cell, part in enumerate(parts):
            lower = [
                circuit.every([parts[one], circuit.not_positive(ranks[one].minus(ranks[cell], 1))])
                for one in neighbours[cell]
            ]
            circuit.require(circuit.some([-part, none_before, *lower]))
            none_before = circuit.every([none_before, -part])

    def _all_reached(self, parts: list[Formula], edges: list[tuple[int, int]]) -> Formula:
        """Cells that are in are reached from the first of them: in step k, what touches a cell of step k - 1.

        Every auxiliary has one value where the cells have theirs, and unit propagation finds it.
        """
        circuit, n = self.circuit, len(parts)
        steps = longest_shortest_path(n, edges)
        inside = ints([circuit.variable(circuit.indicator(part)) for part in parts])
        begun, reached = circuit.several(n), circuit.several((steps + 1) * n).reshape(-1, n)
        touching, cell = np.array([*edges, *((b, a) for a, b in edges)], dtype=np.int64).reshape(-1, 2).T
        order = np.argsort(cell, kind="stable")
        touching, cell = touching[order], cell[order]

        def clauses(zero: Sequence[Ints] = (), one: Sequence[Ints] = (), *some: Column) -> None:
            """One of these variables is 0, or one of those is 1, or ``some``; for each entry of the arrays."""
            columns = [at_most(v.reshape(-1), 0) for v in zero] + [at_least(v.reshape(-1), 1) for v in one]
            circuit.families.append(Clauses((*columns, *some)))

        # begun: this cell is in, or one before it.
        clauses([inside], [begun])
        clauses([begun[:-1]], [begun[1:]])
        clauses([begun[:1]], [inside[:1]])
        clauses([begun[1:]], [begun[:-1], inside[1:]])
        # Reached in no step is the first cell that is in.
        first = reached[0]
        clauses([first], [inside])
        clauses([first[1:], begun[:-1]])
        clauses([inside[:1]], [first[:1]])
        clauses([inside[1:]], [begun[:-1], first[1:]])
        # Reached in one step more is a cell that is in, and was reached, or touches one that was.
        before, after = reached[:-1], reached[1:]
        clauses([before], [after])
        clauses([before[:, touching], np.tile(inside[cell], (steps, 1))], [after[:, cell]])
        clauses([after], [np.tile(inside, (steps, 1))])
        rows = ints((np.arange(steps)[:, None] * n + cell).reshape(-1))
        clauses([after], [before], at_least(before[:, touching].reshape(-1), 1, rows=rows))
        last = reached[-1].tolist()
        return circuit.every(circuit.some([-part, -circuit.at_most(v, 0)]) for part, v in zip(parts, last, strict=True))


def longest_shortest_path(nodes: int, edges: Sequence[tuple[int, int]]) -> int:
    """Steps that a shortest path in a part of the graph can take, at most.

    It has at most three nodes of a cycle of four, for the fourth would be a short cut. Cycles without a common node are
    found as they come.

    >>> longest_shortest_path(4, [(0, 1), (1, 2), (2, 3)]), longest_shortest_path(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    (3, 2)
    """
    neighbours: list[set[int]] = [set() for _ in range(nodes)]
    for a, b in edges:
        neighbours[a].add(b)
        neighbours[b].add(a)
    used: set[int] = set()
    for a in range(nodes):
        by_opposite: dict[int, int] = {}
        ways = ((b, c) for b in sorted(neighbours[a] - used) for c in sorted(neighbours[b] - used) if a not in used)
        for b, opposite in ways:
            if opposite != a and by_opposite.setdefault(opposite, b) != b:
                used |= {a, b, opposite, by_opposite[opposite]}
                break
    return nodes - 1 - len(used) // 4


def _tiled(domain: tuple[int, int], first: Table, last: Table) -> tuple[AnyInts, AnyInts, npt.NDArray[np.bool_]]:
    """A domain as the runs ``first..last``, in their order, and what is between: (begins, ends, which are runs)."""
    low = np.concatenate((first, [domain[0]], last + 1))
    high = np.concatenate((last, first - 1, [domain[1]]))
    runs = np.arange(len(low)) < len(first)
    kept = np.flatnonzero(low <= high)
    kept = kept[np.argsort(low[kept])]
    return numbers(low[kept]), numbers(high[kept]), runs[kept]


def _at_starts(starts: Any, durations: Any, demands: Any, capacity: Any) -> BooleanExpression:
    """At the moments when tasks begin (or end, where demands may be negative), ``cumulative`` holds."""
    tasks = list(zip(starts, durations, demands, strict=True))
    moments = [*starts]
    if any(demand.op != "constant" or demand.data < 0 for demand in demands):
        moments += [start + duration for start, duration in zip(starts, durations, strict=True)]
    conditions = [capacity >= 0]
    for moment in moments:
        used = [demand * boolean((start <= moment) & (moment < start + duration)) for start, duration, demand in tasks]
        conditions.append(sum_of(used) <= capacity)
    return all_of(conditions)


def _unrolled(
    arcs: Table, ends: Sequence[int], possible_arcs: list[npt.NDArray[np.bool_]]
) -> tuple[Table, Table, Table, Table, int] | None:
    """The automaton over the word's steps: (tail, head, value, step) of arcs on paths that are accepted, and nodes.

    Node 0 is the start, the last one the end. None: no word is accepted.
    """
    forward, reached = [], np.array([0])
    for letters in possible_arcs:
        possible = arcs[np.isin(arcs[:, 0], reached) & letters]
        forward.append(possible)
        reached = np.unique(possible[:, 2])
    kept: list[Table] = []
    useful = np.intersect1d(reached, ends)
    for possible in reversed(forward):
        possible = possible[np.isin(possible[:, 2], useful)]
        kept.insert(0, possible)
        useful = np.unique(possible[:, 0])
    if not len(kept[0]):
        return None
    tails, heads, nodes = [], [], 1
    before = {0: 0}
    for step, possible in enumerate(kept):
        last = step == len(kept) - 1
        states = np.unique(possible[:, 2])
        after = {state: nodes + (0 if last else i) for i, state in enumerate(states.tolist())}
        nodes += 1 if last else len(states)
        tails.append([before[state] for state in possible[:, 0].tolist()])
        heads.append([after[state] for state in possible[:, 2].tolist()])
        before = after
    steps = [np.full(len(possible), step) for step, possible in enumerate(kept)]
    columns = [np.concatenate([np.asarray(part, dtype=np.int64) for part in column]) for column in (tails, heads)]
    value, step_of = np.concatenate([possible[:, 1] for possible in kept]), np.concatenate(steps)
    rows = np.unique(np.stack([*columns, value, step_of], axis=1), axis=0)
    return rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3], nodes


def _looked_up(domain: Table, values: Table, at: Table) -> Table:
    """The entry of ``values`` where ``domain`` has ``at``."""
    return values[np.searchsorted(domain, at)]


def _where_nonzero(function: Callable[..., Table]) -> Callable[..., Table]:
    """``function`` of one number and another, and 0 where the other is 0: nobody asks there."""

    def apply(one: Any, other: Any) -> Table:
        return cast(Table, np.where(other == 0, 0, function(one, np.where(other == 0, 1, other))))

    return apply


def _truncated(one: Any, other: Any) -> Table:
    return cast(Table, np.abs(one) // np.abs(other) * np.sign(one) * np.sign(other))


def _raised(base: Any, exponent: Any) -> Table:
    """Powers, none over ``LARGEST``; 0 where there is none. 1 and -1 have those of negative exponents, too."""
    there = np.greater_equal(exponent, 0) | (np.abs(base) == 1)
    return np.where(there, np.power(base, np.abs(exponent)), 0).astype(np.int64)
