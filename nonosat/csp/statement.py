"""A constraint problem as people state it: variables, named constraints, an objective; and what it is as a ``CSP``.

>>> problem = Problem()
>>> x, y = problem.integer("x", 1, 9), problem.integer("y", [1, 4, 7])
>>> problem.add(x * y == 28, x < y)
>>> problem.holds([4, 7]), problem.holds([7, 4]), problem.broken([7, 4])
(True, False, 'x < y')
>>> problem.lowered().csp.names()[:2]
['x', 'y']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isinf, prod
from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast

import numpy as np
import numpy.typing as npt

from nonosat.csp import expressions
from nonosat.csp.circuit import Circuit, stated
from nonosat.csp.expressions import (
    BooleanExpression,
    Expression,
    ExpressionArray,
    IntegerExpression,
    array,
    boolean,
    integer,
    text,
    value_of,
)
from nonosat.csp.lowering import Lowering
from nonosat.csp.model import CSP, LARGEST, Block, ints
from nonosat.errors import ModelError, alike, takes


class NamedConstraint(NamedTuple):
    """A constraint, and what its user calls it."""

    name: str
    constraint: BooleanExpression


class Objective(NamedTuple):
    """``expression`` is to be least, or greatest."""

    expression: IntegerExpression
    greatest: bool

    def better(self, one: int, other: int) -> bool:
        """Is a solution of value ``one`` better than one of value ``other``?"""
        return one > other if self.greatest else one < other


@dataclass(frozen=True, eq=False)
class LoweredStatement:
    """The ``csp``, which begins with the variables of the statement; ``objective`` is the variable to be made least.

    The value of a solution is ``sign * objective``.
    """

    csp: CSP
    objective: int | None = None
    sign: int = 1


HAS_VALUE = "the objective has a value"
"""What a solution without a value of the objective (``12 // x`` with x = 0) breaks."""

WORDS = {
    **dict.fromkeys(("int", "intvar", "newintvar", "intvars", "integers", "var", "variable"), "integer"),
    **dict.fromkeys(("bool", "boolvar", "newboolvar"), "boolean"),
    **dict.fromkeys(("alldiff", "addalldifferent"), "all_different"),
    **dict.fromkeys(("addconstraint", "constraint", "append", "addclause"), "add"),
    **dict.fromkeys(("ifthen", "onlyenforceif"), "implies"),
    **dict.fromkeys(("addelement", "addelementconstraint"), "element"),
    **dict.fromkeys(("solveall", "enumerate"), "solve"),
}
"""What other libraries call ours, in lower case and without underscores."""


class Problem:
    """Variables, constraints and an objective. ``nonosat.Model`` is one that can be solved."""

    all_different = staticmethod(expressions.all_different)
    all_equal = staticmethod(expressions.all_equal)
    all_of = staticmethod(expressions.all_of)
    any_of = staticmethod(expressions.any_of)
    array = staticmethod(expressions.array)
    cardinality = staticmethod(expressions.cardinality)
    circuit = staticmethod(expressions.circuit)
    connected = staticmethod(expressions.connected)
    count_of = staticmethod(expressions.count)
    cumulative = staticmethod(expressions.cumulative)
    disjunctive = staticmethod(expressions.disjunctive)
    element = staticmethod(expressions.element)
    if_then_else = staticmethod(expressions.if_then_else)
    implies = staticmethod(expressions.implies)
    inverse = staticmethod(expressions.inverse)
    lex_less = staticmethod(expressions.lex_less)
    lex_lesseq = staticmethod(expressions.lex_lesseq)
    maximum = staticmethod(expressions.maximum)
    minimum = staticmethod(expressions.minimum)
    n_values = staticmethod(expressions.n_values)
    product = staticmethod(expressions.product_of)
    quotient = staticmethod(expressions.quotient)
    regular = staticmethod(expressions.regular)
    remainder = staticmethod(expressions.remainder)
    sum = staticmethod(expressions.sum_of)
    table = staticmethod(expressions.table)

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.variables: list[Expression] = []
        self.domains: list[npt.NDArray[np.int64] | tuple[int, int]] = []
        self.blocks: dict[str, tuple[int, tuple[int, ...]]] = {}
        """By a variable's or an array's name: the number of its first variable, and its shape."""
        self.constraints: list[NamedConstraint] = []
        self.objective: Objective | None = None
        self.projection: list[int] | None = None
        """The numbers of the variables by which solutions are told apart; None: by all."""
        self._mark = object()  # in all of its variables, so that those of others are noticed
        self._names: dict[str, int] = {}
        self._shown_as: dict[str, BooleanExpression] = {}

    if not TYPE_CHECKING:  # or every name would be known to type checkers

        def __getattr__(self, name):
            """AttributeError: there is no such name; the message has ours for other libraries' words."""
            if name.startswith("_"):
                raise AttributeError(name)
            known = [one for one in dir(type(self)) if not one.startswith("_")]
            close = WORDS.get(name.lower().replace("_", "")) or alike(name, known)
            hint = f"; did you mean {close}?" if close else ""
            raise AttributeError(f"a {type(self).__name__} has no {name!r}{hint}")

    def __repr__(self) -> str:
        goal = ""
        if self.objective is not None:
            goal = f", {'maximize' if self.objective.greatest else 'minimize'} {text(self.objective.expression)}"
        kind = type(self).__name__
        return f"<{kind} {self.name!r}: {len(self.domains)} variables, {len(self.constraints)} constraints{goal}>"

    # Variables.

    @takes()
    def integer(self, name: str, low: Any = None, high: Any = None, shape: int | tuple[int, ...] | None = None) -> Any:
        """A variable with the domain ``low..high``, or with the values that ``low`` lists; ``shape``: an array of them.

        With a shape the bounds may be arrays, which are broadcast to it.

        >>> Problem().integer("x", 0, 9, shape=3)
        ExpressionArray([x_0, x_1, x_2], dtype=object)
        """
        if shape is None:
            return self._declared(name, (), [self._domain(name, low, high)], IntegerExpression, "variable")[()]
        shape, size = _shape(name, shape)
        if high is None:
            domains = [self._domain(name, low, None)] * size
        else:
            try:
                lows, highs = (np.broadcast_to(np.asarray(side, dtype=object), shape) for side in (low, high))
            except ValueError:
                raise ModelError(f"{name}: bounds do not fit the shape {shape}") from None
            pairs = zip(lows.reshape(-1).tolist(), highs.reshape(-1).tolist(), strict=True)
            domains = [self._domain(name, one, other) for one, other in pairs]
        return self._declared(name, shape, domains, IntegerExpression, "variable")

    def integers_by_domain(self, name: str, domains: npt.NDArray[Any], entry: str = "") -> ExpressionArray:
        """An array with a domain for each entry, ``(low, high)`` or its values; ``entry``: what is around an index.

        >>> domains = np.empty(2, dtype=object)
        >>> domains[:] = [(0, 1), [3, 5]]
        >>> Problem().integers_by_domain("x", domains, "[]").tolist()
        [x[0], x[1]]
        """
        found = [
            self._domain(name, *domain) if isinstance(domain, tuple) else self._domain(name, domain, None)
            for domain in domains.reshape(-1).tolist()
        ]
        return self._declared(name, domains.shape, found, IntegerExpression, "variable", entry)

    @takes()
    def boolean(self, name: str, shape: int | tuple[int, ...] | None = None) -> Any:
        """A variable that is true or false; ``shape``: an array of them."""
        dimensions, size = _shape(name, () if shape is None else shape)
        domains: list[Any] = [(0, 1)] * size
        made = self._declared(name, dimensions, domains, BooleanExpression, "boolean")
        return made[()] if shape is None else made

    def _domain(self, name: str, low: Any, high: Any) -> npt.NDArray[np.int64] | tuple[int, int]:
        if low is None or (high is None and not isinstance(low, Iterable)):
            raise ModelError(f"{name} has no bounds: write integer({name!r}, low, high) or integer({name!r}, [values])")
        numbers = [low, high] if high is not None else list(low)
        for number in numbers:
            if isinstance(number, bool) or not isinstance(number, int | np.integer):
                infinite = isinstance(number, float) and isinf(number)
                wrong = "is infinite: domains are finite" if infinite else "is no integer"
                raise ModelError(f"{name}: the bound {' '.join(repr(number).split())[:60]} {wrong}")
            if abs(int(number)) > LARGEST:
                raise ModelError(f"{name}: {number} is too large; the limit is {LARGEST}: scale the numbers down")
        if not numbers or (high is not None and low > high):
            raise ModelError(f"{name}: the domain {f'{low}..{high}' if numbers else '[]'} is empty")
        if high is not None:
            return int(low), int(high)
        values = np.unique(np.array(numbers, dtype=np.int64))
        whole = int(values[-1]) - int(values[0]) + 1 == len(values)
        return (int(values[0]), int(values[-1])) if whole else values

    def _declared(
        self, name: str, shape: tuple[int, ...], domains: list[Any], kind: Any, op: str, entry: str = ""
    ) -> ExpressionArray:
        if not isinstance(name, str) or not name or not name.isprintable() or any(c.isspace() for c in name):
            raise ModelError(f"{name!r} is no name: a variable's name is printable, without blanks")
        first = len(self.domains)
        made = np.empty(shape, dtype=object)
        before, after = (entry[:1] or "_"), entry[1:]
        names = [name + "".join(f"{before}{i}{after}" for i in index) for index in np.ndindex(shape)]
        for taken in (*(variable for variable in names if variable in self._names), name):  # before any is registered
            if taken in self._names or taken in self.blocks:
                raise ModelError(f"{taken} is declared twice")
        for offset, variable in enumerate(names):
            self._names[variable] = first + offset
            made.reshape(-1)[offset] = kind(op, (), (first + offset, variable, self._mark))
        self.blocks[name] = (first, shape)
        self.domains += domains
        self.variables += made.reshape(-1).tolist()
        return array(made)

    def __getitem__(self, name: str) -> Any:
        """The variable, or the array of them, of this name."""
        if name not in self.blocks:
            raise ModelError(f"no variable is called {name!r}: {', '.join(list(self.blocks)[:9]) or 'there is none'}")
        first, shape = self.blocks[name]
        if shape == ():
            return self.variables[first]
        made = np.empty(int(np.prod(shape)), dtype=object)
        made[:] = self.variables[first : first + len(made)]
        return array(made.reshape(shape))

    def names(self) -> list[str]:
        """One name a variable, in their order."""
        return list(self._names)

    # Constraints.

    def add(self, *constraints: Any, name: str | None = None) -> None:
        """Require ``constraints``: each, or each entry of an array or list, is one of its own.

        ``name``: what explanations call it; the entries of an array differ by their indices.
        """
        if name is not None and not isinstance(name, str):
            raise ModelError(f"a constraint's name is a text, not {str(name)[:40]!r}")
        found = [
            (index, one)
            for place, given in enumerate(constraints)
            for index, one in _entries(given, place if len(constraints) > 1 else None)
        ]
        for index, one in found:
            constraint = boolean(one)
            self.refuse_foreign(constraint)
            suffix = f"[{', '.join(map(str, index))}]" if index else ""
            shown = self._shown(constraint) if name is None else name + suffix
            self.constraints.append(NamedConstraint(shown, constraint))

    def _shown(self, constraint: BooleanExpression) -> str:
        """Its text; of those that look alike because their texts are cut, with its number."""
        shown = text(constraint)
        same = self._shown_as.setdefault(shown, constraint) is not constraint and " .. " in shown
        return f"{shown} (constraint {len(self.constraints) + 1})" if same else shown

    def __iadd__(self, constraints: Any) -> Self:
        self.add(constraints)
        return self

    def minimize(self, expression: Any) -> None:
        """``expression`` is to be as small as can be. A model has one objective: this one from now on."""
        self._goal(expression, False)

    def maximize(self, expression: Any) -> None:
        """``expression`` is to be as large as can be, in place of any objective before."""
        self._goal(expression, True)

    def project(self, *variables: Any) -> None:
        """Let solutions differ in ``variables`` only: two that are the same there count as one.

        Where the best solution is looked for, it plays no part: the best is the best of all solutions. Each is a
        variable, or an array or list of them. Called again, the later call counts.

        >>> problem = Problem()
        >>> x = problem.integer("x", 0, 9, shape=3)
        >>> problem.project(x[:2])
        >>> problem.projection
        [0, 1]
        """
        chosen: dict[int, None] = {}
        for given in variables:
            for _, one in _entries(given, None):
                if not isinstance(one, Expression) or one.op not in ("variable", "boolean"):
                    raise ModelError(f"{one!r} is no variable: solutions are projected on variables")
                self.refuse_foreign(one)
                chosen[one.data[0]] = None
        self.projection = sorted(chosen)

    def projected(self, values: Sequence[int]) -> tuple[int, ...]:
        """Of a solution's values, those that tell it from others."""
        if self.projection is None or self.objective is not None:
            return tuple(values)
        return tuple(values[number] for number in self.projection)

    def _goal(self, expression: Any, greatest: bool) -> None:
        if isinstance(expression, np.ndarray) and expression.shape != ():
            raise ModelError("the objective is an array: write sum(..) or maximum(..) of it")
        goal = integer(expression)
        self.refuse_foreign(goal)
        self.objective = Objective(goal, greatest)

    def refuse_foreign(self, root: Expression) -> None:
        """ModelError: ``root`` has a variable of another model."""

        def foreign(node: Expression, parts: list[str]) -> str:
            if node.op in ("variable", "boolean") and node.data[2] is not self._mark:
                return str(node.data[1])
            return next((part for part in parts if part), "")

        if other := expressions.folded(root, {}, foreign):
            raise ModelError(f"{other} is a variable of another model")

    # What it means.

    def holds(self, values: Sequence[int] | npt.NDArray[Any]) -> bool:
        """Whether ``values``, one a variable in their order, are in the domains and satisfy every constraint."""
        return self.broken(values) is None

    def broken(self, values: Sequence[int] | npt.NDArray[Any]) -> str | None:
        """The first domain or constraint, by name, that ``values`` do not satisfy; None: they satisfy all."""
        numbers = np.asarray(values, dtype=np.int64).tolist()
        for name, value, domain in zip(self._names, numbers, self.domains, strict=True):
            if not (domain[0] <= value <= domain[1] if isinstance(domain, tuple) else value in domain):
                return f"the domain of {name}"
        known: dict[int, Any] = {}
        for name, constraint in self.constraints:
            if value_of(constraint, numbers, known) is not True:
                return name
        return HAS_VALUE if self.objective is not None and self.value(numbers) is None else None

    def value(self, values: Sequence[int]) -> int | None:
        """The objective's value; None: it has none, so that this is no solution."""
        assert self.objective is not None
        return cast("int | None", value_of(self.objective.expression, values))

    def alone(self, number: int) -> tuple[Problem, list[int]]:
        """The constraint with this number over its own variables, and which variables these are, in order."""
        used: dict[int, Expression] = {}

        def noted(node: Expression, parts: list[None]) -> None:
            if node.op in ("variable", "boolean"):
                used[node.data[0]] = node

        expressions.folded(self.constraints[number].constraint, {}, noted)
        made, numbers = Problem(), sorted(used)
        for one in numbers:
            domain, name = self.domains[one], str(used[one].data[1])
            made._declared(name, (), [domain], type(used[one]), used[one].op)
        place = {one: made.variables[at] for at, one in enumerate(numbers)}

        def moved(node: Expression, parts: list[Expression]) -> Expression:
            if node.op in ("variable", "boolean"):
                return place[node.data[0]]
            return type(node)(node.op, tuple(parts), node.data)

        name, constraint = self.constraints[number]
        made.constraints.append(NamedConstraint(name, boolean(expressions.folded(constraint, {}, moved))))
        return made, numbers

    # As a CSP.

    def csp(self) -> CSP:
        """The CSP: the variables, then auxiliaries. ModelError: it cannot be stated."""
        return self.lowered().csp

    def lowered(self, only: Iterable[int] | None = None, ranks: bool = False) -> LoweredStatement:
        """The CSP with the objective; ``only``: of the constraints with these numbers, without the objective.

        ``ranks``: as CP solvers want it (``Lowering``).
        Its first variables are those of the statement. Its board are those that tell solutions apart.
        """
        circuit = Circuit()
        for name, domain in zip(self._names, self.domains, strict=True):
            number = circuit.integer(name, int(domain[0]), int(domain[-1]))
            if not isinstance(domain, tuple):
                circuit.only(number, domain)
        lowering = Lowering(circuit, ranks)
        chosen = self.constraints if only is None else [self.constraints[number] for number in only]
        for name, constraint in chosen:
            try:
                circuit.require(lowering.formula(constraint))
            except OverflowError as error:
                raise ModelError(f"{name}: {error}: give smaller domains or coefficients") from None
            except ModelError as error:
                raise ModelError(f"{name}: {error}") from None
        goal, sign = None, 1
        if self.objective is not None and only is None:
            sign = -1 if self.objective.greatest else 1
            try:
                term, defined = lowering.term(self.objective.expression)
                circuit.require(defined)
                goal = circuit.variable(term.times(sign)) if term.key()[0] else None
                if goal is None:
                    goal = circuit.integer("objective()", sign * term.constant, sign * term.constant)
            except OverflowError as error:
                raise ModelError(f"the objective: {error}: give smaller domains or coefficients") from None
        try:
            csp = stated(circuit, len(self.domains))
        except OverflowError as error:
            raise ModelError(f"{error}: give smaller domains or coefficients") from None
        blocks = [Block(name, first, _index(shape)) for name, (first, shape) in self.blocks.items() if np.prod(shape)]
        auxiliary = [block for block in csp.blocks if block.first >= len(self.domains)]
        board = csp.board if self.projection is None else ints(self.projection).reshape(1, -1)
        return LoweredStatement(replace(csp, board=board, blocks=(*blocks, *auxiliary)), goal, sign)


MOST_VARIABLES = 2**24
"""Of an array: with more, memory is filled."""


def _shape(name: str, shape: Any) -> tuple[tuple[int, ...], int]:
    """``shape`` as a tuple, and how many entries an array of it has."""
    dimensions = tuple(shape) if isinstance(shape, Iterable) else (shape,)
    if any(not isinstance(length, int | np.integer) or length < 0 for length in dimensions):
        raise ModelError(f"{name}: {shape} is no shape")
    size = prod(int(length) for length in dimensions)
    if size > MOST_VARIABLES:
        raise ModelError(f"{name}: an array of {size:,} variables; the limit is {MOST_VARIABLES:,}")
    return dimensions, size


def _index(shape: tuple[int, ...]) -> Any:
    return ints(list(np.ndindex(shape))).reshape(int(np.prod(shape)), len(shape))


def _entries(given: Any, place: int | None) -> Iterator[tuple[tuple[int, ...], Any]]:
    """The single constraints in ``given``, with their indices."""
    prefix = () if place is None else (place,)
    if isinstance(given, np.ndarray) and given.shape != ():
        for index in np.ndindex(given.shape):
            yield (*prefix, *index), given.view(np.ndarray)[index]
    elif isinstance(given, list | tuple) or (isinstance(given, Iterator) and not isinstance(given, Mapping)):
        for number, one in enumerate(given):
            for index, inner in _entries(one, None):
                yield (*prefix, number, *index), inner
    else:
        yield prefix, given
