"""Models of CPMpy as ours: each of its operators and global constraints by ours, or else by CPMpy's decomposition.

Both give an expression without a value (a division by zero, an index outside its array) the same meaning: the
constraint around it is false. CPMpy's division and remainder round towards zero, as our ``quotient`` and ``remainder``.

A global constraint that we do not have is replaced by its decomposition. The constraints that define a decomposition's
auxiliaries always hold, whether or not the constraint itself does, so its arguments must have a value: one that may
have none is replaced by an auxiliary first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from nonosat.csp import expressions as ours
from nonosat.csp.expressions import BooleanExpression, IntegerExpression, boolean, integer
from nonosat.csp.statement import Problem
from nonosat.errors import ModelError

if TYPE_CHECKING:
    import cpmpy

PARTIAL = frozenset({"div", "mod", "element", "nd_element"})
"""Functions of CPMpy that have no value for some arguments."""


def translated(model: cpmpy.Model, problem: Problem) -> dict[str, int]:
    """State a CPMpy ``model`` in ``problem``; gives the numbers of CPMpy's variables, by their names there.

    A constraint is named by its description in CPMpy, if it has one. ModelError: something cannot be stated.
    """
    translation = Translation(problem)
    translation.add(model.constraints)
    if model.has_objective():
        translation.objective(model.objective_, not model.objective_is_min)
    return translation.users


class Translation:
    """Of CPMpy's expressions into those of ``problem``, variable by variable as they appear.

    ``users`` has the numbers of CPMpy's variables by name, without those of decompositions.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.users: dict[str, int] = {}
        self._auxiliaries: dict[str, int] = {}
        self._decomposing = False

    def add(self, given: Any) -> None:
        """Add a constraint, or each of a list of them."""
        import cpmpy

        for constraint in _flat(given):
            description = getattr(constraint, "_description", None)
            name = None if description is None else " ".join(description.text.split())
            self.declare(cpmpy.transformations.get_variables.get_variables(constraint))
            self.problem.add(self.constraint(constraint), name=name)

    def declare(self, variables: Iterable[Any]) -> None:
        """Declare variables of the user, whether or not something is said of them."""
        for variable in variables:
            self._number(variable)

    def objective(self, expression: Any, greatest: bool) -> None:
        """Set the objective."""
        import cpmpy

        self.declare(cpmpy.transformations.get_variables.get_variables(expression))
        goal = self.number(expression)
        (self.problem.maximize if greatest else self.problem.minimize)(goal)

    # Leaves.

    def _number(self, variable: Any) -> int:
        name = str(variable.name)
        known = self._auxiliaries if self._decomposing and name not in self.users else self.users
        if name not in known:
            known[name] = len(self.problem.domains)
            unique = "_".join(name.split()) or "_"
            taken = self.problem.blocks
            while unique in taken:
                unique += "'"
            if variable.is_bool():
                self.problem.boolean(unique)
            else:
                self.problem.integer(unique, int(variable.lb), int(variable.ub))
        domain = self.problem.domains[known[name]]
        if (int(domain[0]), int(domain[-1])) != (int(variable.lb), int(variable.ub)):
            raise ModelError(f"two variables are called {name}, with different domains")
        return known[name]

    def leaf(self, expression: Any) -> Any:
        """A variable, its negation or a constant; None: something else."""
        from cpmpy.expressions.variables import NegBoolView, _NumVarImpl

        if isinstance(expression, NegBoolView):
            return ~self.problem.variables[self._number(expression._bv)]
        if isinstance(expression, _NumVarImpl):
            return self.problem.variables[self._number(expression)]
        if isinstance(expression, bool | np.bool_):
            return boolean(bool(expression))
        if isinstance(expression, int | np.integer):
            return integer(int(expression))
        return None

    def number(self, expression: Any) -> IntegerExpression:
        """An expression as a number."""
        return integer(self._translated(expression))

    def constraint(self, expression: Any) -> BooleanExpression:
        """An expression as a constraint."""
        made = self._translated(expression)
        if isinstance(made, IntegerExpression) and made.op == "constant" and made.data in (0, 1):
            return boolean(bool(made.data))  # Python's 0 and 1, which are as good as False and True there
        return boolean(made)

    def _numbers(self, values: Any) -> list[IntegerExpression]:
        return [self.number(value) for value in _flat(values)]

    def _constraints(self, values: Any) -> list[BooleanExpression]:
        return [self.constraint(value) for value in _flat(values)]

    def _translated(self, expression: Any) -> Any:
        if (leaf := self.leaf(expression)) is not None:
            return leaf
        name = getattr(expression, "name", None)
        if name is None:
            raise ModelError(
                f"{str(expression)[:60]!r} ({type(expression).__name__}) is no expression of whole numbers"
            )
        if type(expression).__name__ == "BoolVal":
            return boolean(bool(expression.args[0]))
        if (own := _OURS.get(name)) is not None:
            made = own(self, expression)
            if not hasattr(expression, "decompose"):  # of an operator each operand has a value, or none
                return made
            return self._where([self._has_value(one) for one in _partial(expression.args)], made)
        if not hasattr(expression, "decompose"):
            raise ModelError(f"{type(expression).__name__} {name!r} has no meaning outside CPMpy's own solvers")
        return self._decomposed(expression)

    # Decompositions.

    def _decomposed(self, expression: Any) -> Any:
        total, defined = self._total(expression)
        try:
            made, defining = total.decompose()
        except NotImplementedError:
            raise ModelError(f"{expression.name} has no decomposition in CPMpy") from None
        outside, self._decomposing = self._decomposing, True
        try:
            for one in self._constraints(defining):
                self.problem.add(one)
            value = self.number(made) if not expression.is_bool() else ours.all_of(self._constraints(made))
            return self._where(defined, value)
        finally:
            self._decomposing = outside

    def _where(self, defined: list[BooleanExpression], made: Any) -> Any:
        """A constraint, and that all of ``defined`` hold; or a number, which has no value where they do not."""
        if not defined:
            return made
        if isinstance(made, BooleanExpression):
            return ours.all_of([made, *defined])
        return IntegerExpression("element", (integer(ours.all_of(defined)) - 1, integer(made)), (1,))

    def _has_value(self, expression: Any) -> BooleanExpression:
        value = self.number(expression)
        return ours._compared("==", value, value)  # false where there is none

    def _total(self, expression: Any) -> tuple[Any, list[BooleanExpression]]:
        """``expression`` with arguments that always have a value, and the conditions that they had one."""
        from copy import copy

        import cpmpy

        defined: list[BooleanExpression] = []

        def replaced(value: Any) -> Any:
            if isinstance(value, np.ndarray):
                if value.dtype != object:
                    return value
                return cpmpy.cpm_array([replaced(one) for one in value.tolist()])
            if isinstance(value, list | tuple):
                return [replaced(one) for one in value]
            if not hasattr(value, "is_bool") or value.is_bool() or not _may_lack_value(value):
                return value
            low, high = value.get_bounds()
            auxiliary = cpmpy.intvar(low, high)
            own = self.number(value)
            has_value = self._has_value(value)
            outside, self._decomposing = self._decomposing, True
            variable = self.number(auxiliary)
            self._decomposing = outside
            self.problem.add((has_value & (variable == own)) | (~has_value & (variable == low)))
            defined.append(has_value)
            return auxiliary

        arguments = [replaced(value) for value in expression.args]
        if not defined:
            return expression, []
        total = copy(expression)
        total.update_args(arguments)
        return total, defined


def _partial(values: Any) -> list[Any]:
    """The numbers in ``values`` that may have no value."""
    return [one for one in _flat(values) if _may_lack_value(one)]


def _may_lack_value(expression: Any) -> bool:
    """Whether a number has a part that is undefined for some values, outside any constraint within it."""
    if isinstance(expression, list | tuple | np.ndarray):
        return any(_may_lack_value(one) for one in np.asarray(expression, dtype=object).reshape(-1).tolist())
    from cpmpy.expressions.variables import _NumVarImpl

    if not hasattr(expression, "is_bool") or expression.is_bool() or isinstance(expression, _NumVarImpl):
        return False
    return expression.name in PARTIAL or any(_may_lack_value(one) for one in expression.args)


def _flat(values: Any) -> Iterator[Any]:
    """The entries of nested lists and arrays."""
    if isinstance(values, np.ndarray):
        yield from (one for value in values.reshape(-1).tolist() for one in _flat(value))
    elif isinstance(values, Iterable) and not isinstance(values, str) and not hasattr(values, "name"):
        for value in values:
            yield from _flat(value)
    else:
        yield values


# What we have ourselves, by CPMpy's names.


def _weighted(t: Translation, e: Any) -> IntegerExpression:
    weights, values = e.args
    if any(int(weight) != weight for weight in weights):
        raise ModelError(f"the weights {list(weights)} are no whole numbers")
    return ours.weighted(zip(map(int, weights), t._numbers(values), strict=True))


def _compared(relation: str) -> Callable[[Translation, Any], BooleanExpression]:
    def compare(t: Translation, e: Any) -> BooleanExpression:
        one, other = (t._translated(value) for value in e.args)
        return ours._compared(relation, one, other)

    return compare


def _implied(t: Translation, e: Any) -> Any:
    one, other = t._constraints(e.args)
    return one.implies(other)


def _exclusive(t: Translation, e: Any) -> BooleanExpression:
    found, *others = t._constraints(e.args)
    for other in others:
        found = found ^ other
    return found


def _element(t: Translation, e: Any) -> Any:
    values, index = e.args
    return ours.element(ours.array(t._numbers(values)), t.number(index))


def _element_of_grid(t: Translation, e: Any) -> Any:
    values, *indices = e.args
    return ours.element(ours.array(t._numbers(values)).reshape(values.shape), *map(t.number, indices))


def _short_table(t: Translation, e: Any) -> BooleanExpression:
    return ours.table(t._numbers(e.args[0]), np.asarray(e.args[1]).tolist())


def _regular(t: Translation, e: Any) -> BooleanExpression:
    values, transitions, start, accepting = e.args
    return ours.regular(t._numbers(values), transitions, start, accepting)


def _diagram(t: Translation, e: Any) -> BooleanExpression:
    arcs = [(node, value, after) for node, out in e.mapping.items() for value, after in out.items()]
    return ours.regular(t._numbers(e.args[0]), arcs, e.root_node, [e.sink_node])


def _tasks(t: Translation, columns: list[Any], present: list[BooleanExpression] | None) -> tuple[Any, Any, list[Any]]:
    """Starts and durations, and what is required of (present) tasks: durations, and that ends are where they are."""
    starts, durations, *ends = (t._numbers(column) for column in columns)
    required: list[Any] = [duration >= 0 for duration in durations]
    for end in ends:
        required = [
            (one + length == last) & longer
            for one, length, last, longer in zip(starts, durations, end, required, strict=True)
        ]
    if present is not None:
        required = [there.implies(one) for there, one in zip(present, required, strict=True)]
    return starts, durations, required


def _cumulative(t: Translation, e: Any) -> BooleanExpression:
    *tasks, demands, capacity = e.args
    starts, durations, required = _tasks(t, tasks, None)
    needs = t._numbers(demands)
    required += [need >= 0 for need in needs]
    return ours.all_of([ours.cumulative(starts, durations, needs, t.number(capacity)), *required])


def _cumulative_optional(t: Translation, e: Any) -> BooleanExpression:
    *tasks, demands, capacity, presence = e.args
    present = t._constraints(presence)
    starts, durations, required = _tasks(t, tasks, present)
    needs = t._numbers(demands)
    required += [there.implies(need >= 0) for there, need in zip(present, needs, strict=True)]
    used = [need * integer(there) for there, need in zip(present, needs, strict=True)]
    return ours.all_of([ours.cumulative(starts, durations, used, t.number(capacity)), *required])


def _no_overlap(t: Translation, e: Any) -> BooleanExpression:
    starts, durations, required = _tasks(t, list(e.args), None)
    return ours.all_of([ours.disjunctive(starts, durations), *required])


def _no_overlap_optional(t: Translation, e: Any) -> BooleanExpression:
    *tasks, presence = e.args
    present = t._constraints(presence)
    starts, durations, required = _tasks(t, tasks, present)
    lengths = [length * integer(there) for there, length in zip(present, durations, strict=True)]
    return ours.all_of([ours.disjunctive(starts, lengths), *required])


def _cardinality(t: Translation, e: Any) -> BooleanExpression:
    values, numbers, counts = e.args
    items = t._numbers(values)
    return ours.cardinality(items, t._numbers(numbers), t._numbers(counts), closed=e.closed)


def _among(t: Translation, e: Any) -> IntegerExpression:
    rows = [[value] for value in e.args[1]]
    return ours.sum_of([ours.table([item], rows) for item in t._numbers(e.args[0])] if rows else [])


def _values_except(t: Translation, e: Any) -> IntegerExpression:
    items, one = t._numbers(e.args[0]), t.number(e.args[1])
    return ours.weighted([(1, ours.n_values(items)), (-1, ours.any_of([item == one for item in items]))])


def _chain(compare: Callable[[Any, Any], Any]) -> Callable[[Translation, Any], BooleanExpression]:
    return lambda t, e: ours.all_of([compare(*pair) for pair in pairwise(t._numbers(e.args))])


def _rows(compare: Callable[[Any, Any], Any]) -> Callable[[Translation, Any], BooleanExpression]:
    return lambda t, e: ours.all_of([compare(*pair) for pair in pairwise([t._numbers(row) for row in e.args])])


_OURS: dict[str, Callable[[Translation, Any], Any]] = {
    "==": _compared("=="),
    "!=": _compared("!="),
    "<=": _compared("<="),
    "<": _compared("<"),
    ">=": _compared(">="),
    ">": _compared(">"),
    "and": lambda t, e: ours.all_of(t._constraints(e.args)),
    "or": lambda t, e: ours.any_of(t._constraints(e.args)),
    "not": lambda t, e: ~t.constraint(e.args[0]),
    "->": _implied,
    "xor": _exclusive,
    "ite": lambda t, e: ours.if_then_else(*t._constraints(e.args)),
    "sum": lambda t, e: ours.sum_of(t._numbers(e.args)),
    "wsum": _weighted,
    "sub": lambda t, e: t.number(e.args[0]) - t.number(e.args[1]),
    "-": lambda t, e: -t.number(e.args[0]),
    "mul": lambda t, e: t.number(e.args[0]) * t.number(e.args[1]),
    "div": lambda t, e: ours.quotient(*t._numbers(e.args)),
    "mod": lambda t, e: ours.remainder(*t._numbers(e.args)),
    "pow": lambda t, e: t.number(e.args[0]) ** t.number(e.args[1]),
    "abs": lambda t, e: abs(t.number(e.args[0])),
    "min": lambda t, e: ours.minimum(t._numbers(e.args)),
    "max": lambda t, e: ours.maximum(t._numbers(e.args)),
    "element": _element,
    "nd_element": _element_of_grid,
    "count": lambda t, e: ours.count(t._numbers(e.args[0]), t.number(e.args[1])),
    "among": _among,
    "nvalue": lambda t, e: ours.n_values(t._numbers(e.args)),
    "nvalue_except": _values_except,
    "alldifferent": lambda t, e: ours.all_different(t._numbers(e.args)),
    "allequal": lambda t, e: ours.all_equal(t._numbers(e.args)),
    "circuit": lambda t, e: ours.circuit(t._numbers(e.args)),
    "inverse": lambda t, e: ours.inverse(*map(t._numbers, e.args)),
    "table": lambda t, e: ours.table(t._numbers(e.args[0]), np.asarray(e.args[1])),
    "negative_table": lambda t, e: ~ours.table(t._numbers(e.args[0]), np.asarray(e.args[1])),
    "short_table": _short_table,
    "indomain": lambda t, e: ours.table([t.number(e.args[0])], np.asarray(e.args[1]).reshape(-1, 1)),
    "regular": _regular,
    "mdd": _diagram,
    "cumulative": _cumulative,
    "cumulative_optional": _cumulative_optional,
    "no_overlap": _no_overlap,
    "no_overlap_optional": _no_overlap_optional,
    "gcc": _cardinality,
    "increasing": _chain(lambda a, b: a <= b),
    "decreasing": _chain(lambda a, b: a >= b),
    "strictly_increasing": _chain(lambda a, b: a < b),
    "strictly_decreasing": _chain(lambda a, b: a > b),
    "lex_less": lambda t, e: ours.lex_less(*map(t._numbers, e.args)),
    "lex_lesseq": lambda t, e: ours.lex_lesseq(*map(t._numbers, e.args)),
    "lex_chain_less": _rows(ours.lex_less),
    "lex_chain_lesseq": _rows(ours.lex_lesseq),
}
