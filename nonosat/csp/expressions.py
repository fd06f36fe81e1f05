"""Expressions over the variables of a model: light trees that Python's operators build, and what each of them means.

An expression is an operator, its operands and constant data. ``MEANINGS`` says of every operator what it evaluates to,
slowly and from its definition; it shares nothing with the lowering (``csp/lowering.py``), so that each solution is
checked against what the user wrote. An expression without a value (a division by zero, an index outside its array)
makes the comparison or constraint around it false, as in MiniZinc and XCSP3 (*relational semantics*).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

from nonosat.errors import ModelError

T = TypeVar("T")

_MERGED = 64  # operands up to which a chain of + (or & or |) becomes one node; longer chains nest


class Expression:
    """An operator ``op`` with operands ``children`` and constant ``data``: a number, or a constraint."""

    __slots__ = ("children", "data", "op")

    def __init__(self, op: str, children: tuple[Expression, ...] = (), data: Any = None) -> None:
        self.op, self.children, self.data = op, children, data

    def __bool__(self) -> bool:
        raise ModelError(
            f"{self} is an expression and neither true nor false here: write & | ~ for and, or, not; "
            "(a < b) & (b < c) for a < b < c; all_of(..), any_of(..) for all(..), any(..); "
            "maximum(..), minimum(..) for max(..), min(..); if_then_else(c, a, b) for a if c else b; "
            "array(..) for np.array(..)"
        )

    def __index__(self) -> int:
        raise ModelError(
            f"{self} is an expression and no number here: write element(values, {self}) for values[{self}]; "
            f"answer[{self}] is its value in a solution"
        )

    __int__ = __index__
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return text(self)

    def __add__(self, other: Any) -> Any:
        return _each(_plus, self, other)

    def __radd__(self, other: Any) -> Any:
        return _each(_plus, other, self)

    def __sub__(self, other: Any) -> Any:
        return _each(_minus, self, other)

    def __rsub__(self, other: Any) -> Any:
        return _each(_minus, other, self)

    def __neg__(self) -> IntegerExpression:
        return weighted([(-1, self)])

    def __pos__(self) -> Expression:
        return self

    def __mul__(self, other: Any) -> Any:
        return _each(_times, self, other)

    __rmul__ = __mul__

    def __abs__(self) -> IntegerExpression:
        return IntegerExpression("abs", (integer(self),))

    def __floordiv__(self, other: Any) -> Any:
        return _each(_divided, self, other)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rfloordiv__(self, other: Any) -> Any:
        return _each(_divided, other, self)

    def __mod__(self, other: Any) -> Any:
        return _each(_modulo, self, other)

    def __rmod__(self, other: Any) -> Any:
        return _each(_modulo, other, self)

    def __pow__(self, other: Any) -> Any:
        return _each(_power, self, other)

    def __rpow__(self, other: Any) -> Any:
        return _each(_power, other, self)

    def __truediv__(self, other: Any) -> Any:
        one = f"({self})" if self.op == "sum" else str(self)
        raise ModelError(f"{one} / {other}: there are whole numbers only; write // for the quotient rounded down")

    def __eq__(self, other: Any) -> Any:
        return _each(partial(_compared, "=="), self, other)

    def __ne__(self, other: Any) -> Any:
        return _each(partial(_compared, "!="), self, other)

    def __le__(self, other: Any) -> Any:
        return _each(partial(_compared, "<="), self, other)

    def __lt__(self, other: Any) -> Any:
        return _each(partial(_compared, "<"), self, other)

    def __ge__(self, other: Any) -> Any:
        return _each(partial(_compared, ">="), self, other)

    def __gt__(self, other: Any) -> Any:
        return _each(partial(_compared, ">"), self, other)

    def __and__(self, other: Any) -> Any:
        return _each(lambda a, b: _joined("and", a, b), self, other)

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        return _each(lambda a, b: _joined("or", a, b), self, other)

    __ror__ = __or__

    def __xor__(self, other: Any) -> Any:
        return _each(_either, self, other)

    __rxor__ = __xor__

    def __invert__(self) -> BooleanExpression:
        return BooleanExpression("not", (boolean(self),))

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        return _by_numpy(ufunc, method, *inputs, **options)

    def implies(self, other: Any) -> Any:
        """``other`` holds wherever this does."""
        return _each(lambda a, b: _joined("or", ~boolean(a), b), self, other)


class IntegerExpression(Expression):
    """An expression whose value is a whole number."""

    __slots__ = ()


class BooleanExpression(Expression):
    """An expression that is true or false: a constraint, or a part of one. As a number it is 1 or 0."""

    __slots__ = ()


def integer(value: Any) -> IntegerExpression:
    """``value`` as an expression with a whole number as its value. ModelError: it is neither that nor an integer."""
    if isinstance(value, IntegerExpression):
        return value
    if isinstance(value, BooleanExpression):
        return IntegerExpression("indicator", (value,))
    if isinstance(value, bool | np.bool_ | int | np.integer):
        return IntegerExpression("constant", (), int(value))
    if isinstance(value, float | np.floating) and float(value).is_integer():
        raise ModelError(f"{value!r} is a float: write {int(value)}")
    if isinstance(value, np.ndarray) and value.shape == ():
        return integer(value.item())
    raise ModelError(f"{str(value)[:60]!r} ({type(value).__name__}) is no whole number and no expression")


_PARENTHESES = "& and | bind more tightly than comparisons: write (a > 1) & (b > 1)"


def boolean(value: Any) -> BooleanExpression:
    """``value`` as an expression that is true or false. ModelError: it is a number, or something else."""
    if isinstance(value, BooleanExpression):
        return value
    if isinstance(value, bool | np.bool_):
        return BooleanExpression("truth", (), bool(value))
    if isinstance(value, np.ndarray) and value.shape == ():
        return boolean(value.item())
    if isinstance(value, IntegerExpression):
        raise ModelError(
            f"{value} is a number, no constraint: write {value} == 1, or declare it by boolean(); {_PARENTHESES}"
        )
    if value is NotImplemented or value is None:
        raise ModelError("a constraint is missing: a function without return gives None")
    hint = f"; {_PARENTHESES}" if isinstance(value, int | np.integer) else ""
    if isinstance(value, str):
        hint = "; a constraint's name goes behind name="
    raise ModelError(f"{str(value)[:60]!r} ({type(value).__name__}) is no constraint{hint}")


def whole_number(value: Any, what: str) -> int:
    """``value`` as an int. ModelError: it is none, such as 2.5, which ``int`` would cut."""
    if isinstance(value, int | np.integer | np.bool_):
        return int(value)
    integral = isinstance(value, float | np.floating) and float(value).is_integer()
    reason = f"is a float: write {int(value)}" if integral else "is no whole number"
    raise ModelError(f"{what}: {str(value)[:40]!r} {reason}")


# Arrays of expressions: numpy's shapes, slices and broadcasting, with operators that build expressions.


def _objects(value: Any) -> npt.NDArray[Any]:
    """``value`` as a numpy array of objects; an expression is an array without axes."""
    if isinstance(value, np.ndarray):
        return value.view(np.ndarray)
    if isinstance(value, list | tuple):
        return np.asarray(cast(Any, value), dtype=object)
    single = np.empty((), dtype=object)
    single[()] = value
    return single


def array(values: Any) -> ExpressionArray:
    """``values``, nested lists or an array of expressions and integers, as an array."""
    found = np.asarray(_objects(list(values) if isinstance(values, Iterator) else values), dtype=object)
    return found.view(ExpressionArray)


def _each(function: Callable[..., Any], *operands: Any) -> Any:
    """``function`` of the operands, entry by entry where there are arrays."""
    if not any(isinstance(value, np.ndarray | list | tuple) for value in operands):
        return function(*operands)
    entries = [_objects(value) for value in operands]
    try:
        made = np.frompyfunc(function, len(entries), 1)(*entries)
    except ValueError as error:
        if "broadcast" not in str(error):
            raise
        shapes = " and ".join(str(each.shape) for each in entries)
        raise ModelError(f"arrays of the shapes {shapes} do not fit each other") from None
    return array(made) if isinstance(made, np.ndarray) else made


def _expression(value: Any) -> Expression:
    if isinstance(value, Expression):
        return value
    return boolean(value) if isinstance(value, bool | np.bool_) else integer(value)


def _stated(function: Callable[..., Any], one: Any, *other: Any) -> Any:
    """``function`` of numbers and expressions; of numbers alone, it is an expression, too."""
    if isinstance(one, np.generic):  # whose operators would call this again
        one = one.item()
    return function(one if any(isinstance(value, Expression) for value in (one, *other)) else _expression(one), *other)


def _plain(value: Any) -> Any:
    return _objects(value) if isinstance(value, Expression | ExpressionArray) else value


def _by_numpy(ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
    """What numpy calls for its operators and functions of expressions and of arrays of them."""
    if method == "__call__" and not options and ufunc in _FUNCTIONS:
        return _each(partial(_stated, _FUNCTIONS[ufunc]), *inputs)
    if "out" in options:
        options["out"] = tuple(map(_plain, options["out"]))
    try:
        made = getattr(ufunc, method)(*map(_plain, inputs), **options)
    except TypeError as error:
        raise ModelError(
            f"numpy's {ufunc.__name__} is not for expressions, which have + - * // % **, abs, minimum, maximum, =="
        ) from error
    return array(made) if isinstance(made, np.ndarray) and made.shape != () else made


class ExpressionArray(np.ndarray[Any, np.dtype[Any]]):
    """An array of expressions: an operator is applied to each entry; an index that is an expression is ``element``."""

    __hash__ = None

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        return _by_numpy(ufunc, method, *inputs, **options)

    def implies(self, other: Any) -> Any:
        """``Expression.implies``, entry by entry."""
        return _each(lambda a, b: boolean(a).implies(b), self, other)

    def __bool__(self) -> bool:
        raise ModelError("an array of expressions is neither true nor false here: write all_of(..) or any_of(..)")

    def __getitem__(self, index: Any) -> Any:
        parts = index if isinstance(index, tuple) else (index,)
        if any(isinstance(part, Expression) for part in parts):
            return element(self, *parts)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if all(entry is None for entry in np.ravel(_objects(self)[index])):  # of numpy's own, which it fills: `roll`
            _objects(self)[index] = value
            return
        raise ModelError(
            "an array of expressions is not changed: write add(array[index] == value) for array[index] = value"
        )

    def __contains__(self, value: object) -> bool:
        raise ModelError("`in` has no expression as its value: write any_of(array == value)")

    def _along(self, function: Callable[[Any], Any], axis: int | None) -> Any:
        if axis is None:
            return function(self.reshape(-1).tolist())
        moved = np.moveaxis(_objects(self), axis, -1)
        made = np.empty(moved.shape[:-1], dtype=object)
        for place in np.ndindex(made.shape):
            made[place] = function(moved[place].tolist())
        return array(made)

    def sum(self, axis: Any = None, **_: Any) -> Any:  # type: ignore[override]
        """The sum of the entries (along one ``axis``)."""
        return self._along(sum_of, axis)

    def prod(self, axis: Any = None, **_: Any) -> Any:  # type: ignore[override]
        """The product of the entries (along one ``axis``)."""
        return self._along(product_of, axis)

    def all(self, axis: Any = None, **_: Any) -> Any:  # type: ignore[override]
        """Every entry holds."""
        return self._along(all_of, axis)

    def any(self, axis: Any = None, **_: Any) -> Any:  # type: ignore[override]
        """Some entry holds."""
        return self._along(any_of, axis)

    def max(self, axis: Any = None, **_: Any) -> Any:  # type: ignore[override]
        """The greatest entry."""
        return self._along(maximum, axis)

    def min(self, axis: Any = None, **_: Any) -> Any:  # type: ignore[override]
        """The least entry."""
        return self._along(minimum, axis)


# What Python's operators build.


def weighted(terms: Iterable[tuple[int, Any]], constant: int = 0) -> IntegerExpression:
    """``sum(coefficient * expression) + constant``."""
    pairs = [(a if type(a) is int else whole_number(a, "a coefficient"), integer(value)) for a, value in terms]
    constant = whole_number(constant, "a constant")
    return IntegerExpression("sum", tuple(value for _, value in pairs), (tuple(a for a, _ in pairs), constant))


def _addends(value: IntegerExpression, sign: int) -> tuple[list[tuple[int, IntegerExpression]], int]:
    if value.op == "constant":
        return [], sign * value.data
    if value.op == "sum" and len(value.children) <= _MERGED:
        coefficients, constant = value.data
        pairs = zip(coefficients, value.children, strict=True)
        return [(sign * a, cast(IntegerExpression, child)) for a, child in pairs], sign * constant
    return [(sign, value)], 0


def _plus(one: Any, other: Any, sign: int = 1) -> IntegerExpression:
    (first, constant), (second, more) = _addends(integer(one), 1), _addends(integer(other), sign)
    return weighted(first + second, constant + more)


def _minus(one: Any, other: Any) -> IntegerExpression:
    return _plus(one, other, -1)


def _times(one: Any, other: Any) -> IntegerExpression:
    left, right = integer(one), integer(other)
    if left.op == "constant":
        left, right = right, left
    if right.op != "constant":
        return IntegerExpression("product", (left, right))
    terms, constant = _addends(left, 1)
    return weighted([(a * right.data, value) for a, value in terms], constant * right.data)


def _divided(one: Any, other: Any) -> IntegerExpression:
    return IntegerExpression("floordiv", (integer(one), integer(other)))


def _modulo(one: Any, other: Any) -> IntegerExpression:
    return IntegerExpression("mod", (integer(one), integer(other)))


def _power(one: Any, other: Any) -> IntegerExpression:
    return IntegerExpression("power", (integer(one), integer(other)))


def quotient(one: Any, other: Any) -> IntegerExpression:
    """``one / other``, rounded towards zero as in C; ``//`` rounds down."""
    return IntegerExpression("truncdiv", (integer(one), integer(other)))


def remainder(one: Any, other: Any) -> IntegerExpression:
    """What ``quotient`` leaves, with the sign of ``one`` as in C; ``%`` has the sign of ``other``."""
    return IntegerExpression("truncmod", (integer(one), integer(other)))


def _compared(relation: str, one: Any, other: Any) -> BooleanExpression:
    logical = all(isinstance(value, BooleanExpression | bool | np.bool_) for value in (one, other))
    if logical and relation in ("==", "!="):
        same = BooleanExpression("same", (boolean(one), boolean(other)))
        return same if relation == "==" else ~same
    return BooleanExpression("compare", (integer(one), integer(other)), relation)


def _either(one: Any, other: Any) -> BooleanExpression:
    return ~BooleanExpression("same", (boolean(one), boolean(other)))


def _joined(op: str, *values: Any) -> BooleanExpression:
    parts: list[Expression] = []
    for value in map(boolean, values):
        if value.op == op and len(value.children) <= _MERGED:
            parts += value.children
        else:
            parts.append(value)
    return BooleanExpression(op, tuple(parts))


# What functions build. Each takes expressions, arrays of them, and whole numbers.


def listed(values: Any) -> list[Any]:
    """The entries of ``values``: of an array of any shape, or of nested lists."""
    if isinstance(values, Expression):
        return [values]
    if isinstance(values, np.ndarray):
        return list(values.reshape(-1).tolist())
    if isinstance(values, Mapping | str) or not isinstance(values, Iterable):
        raise ModelError(f"{str(values)[:60]!r} is no list of expressions")
    found = list(values)
    if any(isinstance(value, list | tuple | np.ndarray) for value in found):
        return [inner for value in found for inner in listed(value if _is_list(value) else [value])]
    return found


def _is_made(value: Any) -> bool:
    """Whether ``value`` is a number of other expressions, which may have no value."""
    return isinstance(value, IntegerExpression) and bool(value.children)


def _with_values(entries: Iterable[Any]) -> list[BooleanExpression]:
    """That each of ``entries`` has a value, where a constraint would not say so by itself."""
    return [_compared("==", each, each) for each in entries if _is_made(each)]


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple | np.ndarray)


def _integers(values: Any) -> tuple[IntegerExpression, ...]:
    return tuple(integer(value) for value in listed(values))


def _several(values: tuple[Any, ...]) -> Any:
    """The arguments, or the list that the only one of them is."""
    return values[0] if len(values) == 1 else list(values)


def _same_length(what: str, *columns: Sequence[Any]) -> None:
    if len({len(column) for column in columns}) > 1:
        lengths = ", ".join(str(len(column)) for column in columns)
        raise ModelError(f"{what}: lists of the lengths {lengths}, which should be equal")


def sum_of(*values: Any) -> IntegerExpression:
    """The sum of the entries; of none 0."""
    return weighted((1, value) for value in listed(_several(values)))


def product_of(*values: Any) -> IntegerExpression:
    """The product of the entries; of none 1."""
    made: Any = integer(1)
    for value in listed(_several(values)):
        made = _times(made, value)
    return cast(IntegerExpression, made)


def all_of(*values: Any) -> BooleanExpression:
    """Every one of the constraints holds."""
    return BooleanExpression("and", tuple(boolean(value) for value in listed(_several(values))))


def any_of(*values: Any) -> BooleanExpression:
    """At least one of the constraints holds."""
    return BooleanExpression("or", tuple(boolean(value) for value in listed(_several(values))))


def implies(one: Any, other: Any) -> Any:
    """``other`` holds wherever ``one`` does."""
    return _each(lambda a, b: _joined("or", ~boolean(a), b), one, other)


def if_then_else(condition: Any, then: Any, otherwise: Any) -> Any:
    """``then`` where ``condition`` holds, else ``otherwise``: two numbers, or two constraints.

    The one that is not chosen need not have a value.
    """
    if all(isinstance(value, BooleanExpression | bool | np.bool_) for value in (then, otherwise)):
        where = boolean(condition)
        return _joined("and", _joined("or", ~where, then), _joined("or", where, otherwise))
    return IntegerExpression("choice", (boolean(condition), integer(then), integer(otherwise)))


def maximum(*values: Any) -> IntegerExpression:
    """The greatest of the entries, one at least."""
    parts = _integers(_several(values))
    if not parts:
        raise ModelError("maximum of nothing: it takes one expression at least")
    return IntegerExpression("max", parts)


def minimum(*values: Any) -> IntegerExpression:
    """The least of the entries, one at least."""
    parts = _integers(_several(values))
    if not parts:
        raise ModelError("minimum of nothing: it takes one expression at least")
    return IntegerExpression("min", parts)


_FUNCTIONS: dict[np.ufunc, Callable[..., Any]] = {
    np.add: operator.add,
    np.subtract: operator.sub,
    np.multiply: operator.mul,
    np.power: operator.pow,
    np.floor_divide: operator.floordiv,
    np.remainder: operator.mod,
    np.true_divide: operator.truediv,
    np.equal: operator.eq,
    np.not_equal: operator.ne,
    np.less: operator.lt,
    np.less_equal: operator.le,
    np.greater: operator.gt,
    np.greater_equal: operator.ge,
    np.bitwise_and: operator.and_,
    np.bitwise_or: operator.or_,
    np.bitwise_xor: operator.xor,
    np.logical_and: operator.and_,
    np.logical_or: operator.or_,
    np.logical_xor: operator.xor,
    np.invert: operator.invert,
    np.logical_not: operator.invert,
    np.negative: operator.neg,
    np.absolute: operator.abs,
    np.maximum: maximum,
    np.minimum: minimum,
}
"""What numpy's functions are for expressions."""


def element(values: Any, *indices: Any) -> Any:
    """``values[i]`` (``values[i, j]``), from 0, where indices may be expressions; one outside makes constraints false.

    No index counts from the end. With fewer indices than axes, or a slice, it is an array. An entry without a value
    leaves the element without one, whichever is chosen.
    """
    entries = _objects(values if _is_list(values) else listed(values))
    if len(indices) > entries.ndim:
        raise ModelError(f"{len(indices)} indices for an array of {entries.ndim} axes")
    varying = [axis for axis, index in enumerate(indices) if isinstance(index, Expression)]
    fixed = tuple(slice(None) if isinstance(index, Expression) else index for index in indices)
    if any(not isinstance(index, slice | int | np.integer) for index in fixed):
        raise ModelError("next to expressions, an index is an integer or a slice")
    if any(not isinstance(index, slice) and index < 0 for index in fixed):
        raise ModelError(f"element: an index is 0 at least, not {min(i for i in fixed if not isinstance(i, slice))}")
    dropped = [axis for axis, index in enumerate(fixed) if not isinstance(index, slice)]
    try:
        chosen = entries[fixed]
    except IndexError:
        shown = ", ".join(map(str, indices))
        raise ModelError(f"element: there is no entry [{shown}] in an array of the shape {entries.shape}") from None
    axes = [axis - sum(one < axis for one in dropped) for axis in varying]
    moved = np.moveaxis(chosen, axes, range(len(axes)))
    shape, rest = moved.shape[: len(axes)], moved.shape[len(axes) :]
    places = tuple(integer(indices[axis]) for axis in varying)
    columns = moved.reshape(int(np.prod(shape)), int(np.prod(rest)))
    made = np.empty(columns.shape[1], dtype=object)
    for column in range(len(made)):
        made[column] = IntegerExpression("element", (*places, *_integers(columns[:, column].tolist())), shape)
    return array(made.reshape(rest)) if rest else made[0]


def count(values: Any, value: Any) -> IntegerExpression:
    """How many of ``values`` are equal to ``value``; ``count_of(constraints, True)``: how many of them hold."""
    values = listed(values)
    terms = [(1, _compared("==", one, value)) for one in values]
    # an entry without a value leaves the count without one, and not only its comparison false
    return weighted(terms + [(0, each) for each in (*values, value) if _is_made(each)])


def n_values(values: Any) -> IntegerExpression:
    """How many different values there are."""
    return IntegerExpression("n_values", _integers(values))


def all_different(*values: Any) -> BooleanExpression:
    """Pairwise different values."""
    return BooleanExpression("all_different", _integers(_several(values)))


def all_equal(*values: Any) -> BooleanExpression:
    """One value, the same for all."""
    entries = listed(_several(values))
    return all_of([_compared("==", one, other) for one, other in pairwise(entries)] + _with_values(entries[:1]))


STAR = np.iinfo(np.int64).min
"""Stands in the rows of a table where any value will do."""


def table(values: Any, rows: Any) -> BooleanExpression:
    """The values are one of ``rows``, an array of shape (rows, values); ``~table(..)`` forbids them.

    ``"*"`` in a row (``STAR`` in an array) stands for any value.
    """
    scope = _integers(values)
    if isinstance(rows, Mapping | str) or not isinstance(rows, Iterable):
        raise ModelError(f"table: {str(rows)[:40]!r} is no list of rows")
    listed_rows = rows if isinstance(rows, np.ndarray) else list(rows)
    if any(np.ndim(row) != 1 or len(row) != len(scope) for row in listed_rows):
        wrong = next(row for row in listed_rows if np.ndim(row) != 1 or len(row) != len(scope))
        raise ModelError(f"table: the row {str(wrong)[:40]} for {len(scope)} expressions: one value for each")
    shape = len(listed_rows), len(scope)
    if isinstance(rows, np.ndarray) and rows.dtype == np.int64:
        return BooleanExpression("table", scope, _distinct_rows(rows.reshape(shape)))
    entries = np.array(listed_rows, dtype=object).reshape(shape)
    stars = np.array([isinstance(entry, str) and entry == "*" for entry in entries.reshape(-1)], dtype=bool)
    if stars.any():
        entries[stars.reshape(entries.shape)] = STAR
    if not all(issubclass(kind, int | np.integer | np.bool_) for kind in set(map(type, entries.reshape(-1).tolist()))):
        wrong = next(one for one in entries.reshape(-1).tolist() if not isinstance(one, int | np.integer | np.bool_))
        raise ModelError(f'table: {str(wrong)[:40]!r} in a row: rows hold whole numbers, and "*" for any')
    try:
        numbers = entries.astype(np.int64)
    except OverflowError:
        raise ModelError("table: rows hold whole numbers of at most 64 bits") from None
    return BooleanExpression("table", scope, _distinct_rows(numbers))


def _distinct_rows(rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.unique(rows, axis=0) if rows.size else rows[:1]


def regular(values: Any, transitions: Any, start: Any, accepting: Iterable[Any]) -> BooleanExpression:
    """The values are a word that an automaton accepts.

    ``transitions``: {(state, value): next state}, or triples (state, value, next state), of which several may go from
    one state with one value. States are anything that can be a key.
    """
    if isinstance(accepting, str):
        raise ModelError(f"regular: accepting is a list of states: write [{accepting!r}]")
    try:
        triples = (
            [(state, value, after) for (state, value), after in transitions.items()]
            if isinstance(transitions, Mapping)
            else [(state, value, after) for state, value, after in transitions]
        )
        ending, _ = set(accepting), {start, *(end for a, _, b in triples for end in (a, b))}
    except (TypeError, ValueError):
        form = "transitions are {(state, value): next} or triples (state, value, next), accepting lists states"
        raise ModelError(f"regular: {form}") from None
    letters = [whole_number(value, "regular: the value of a transition") for _, value, _ in triples]
    if any(abs(letter) > 2**62 for letter in letters):
        raise ModelError("regular: a value of over 62 bits")
    states = {start: 0}
    for state, _, after in triples:
        states.setdefault(state, len(states))
        states.setdefault(after, len(states))
    numbered = [(states[a], letter, states[b]) for (a, _, b), letter in zip(triples, letters, strict=True)]
    arcs = np.array(numbered, dtype=np.int64).reshape(-1, 3)
    ends = sorted(states[state] for state in ending if state in states)
    return BooleanExpression("regular", _integers(values), (np.unique(arcs, axis=0), len(states), tuple(ends)))


def cardinality(values: Any, numbers: Any, counts: Any, *, closed: bool = False) -> BooleanExpression:
    """``numbers[i]`` is the value of ``counts[i]`` of the ``values``; ``closed``: they have no others."""
    wanted, times = listed(numbers), listed(counts)
    _same_length("cardinality", wanted, times)
    items = listed(values)
    parts: list[Any] = [_compared("==", count(items, one), many) for one, many in zip(wanted, times, strict=True)]
    if closed:
        parts += [any_of([_compared("==", item, one) for one in wanted]) for item in items]
    return all_of(parts + _with_values(items))


def lex_less(one: Any, other: Any) -> BooleanExpression:
    """``one`` comes before ``other`` in lexicographic order: the first entries that differ are ordered so."""
    left, right = listed(one), listed(other)
    _same_length("lex_less", left, right)
    return BooleanExpression("lex", _integers([*left, *right]), True)


def lex_lesseq(one: Any, other: Any) -> BooleanExpression:
    """``lex_less``, or the same."""
    left, right = listed(one), listed(other)
    _same_length("lex_lesseq", left, right)
    return BooleanExpression("lex", _integers([*left, *right]), False)


def cumulative(starts: Any, durations: Any, demands: Any, capacity: Any) -> BooleanExpression:
    """At no time do the tasks that run (from their start on, for their duration) demand more than ``capacity``."""
    begin = listed(starts)
    lengths, needs = (values if _is_list(values) else [values] * len(begin) for values in (durations, demands))
    lengths, needs = listed(lengths), listed(needs)
    _same_length("cumulative", begin, lengths, needs)
    return BooleanExpression("cumulative", (*_integers([*begin, *lengths, *needs]), integer(capacity)))


def disjunctive(starts: Any, durations: Any) -> BooleanExpression:
    """No two tasks run at the same time; one of duration 0 or less never runs."""
    begin = listed(starts)
    lengths = listed(durations if _is_list(durations) else [durations] * len(begin))
    _same_length("disjunctive", begin, lengths)
    return BooleanExpression("disjunctive", _integers([*begin, *lengths]))


def inverse(one: Any, other: Any) -> BooleanExpression:
    """Both are permutations of 0 .. n-1, and ``one[i] == j`` exactly if ``other[j] == i``."""
    left, right = listed(one), listed(other)
    _same_length("inverse", left, right)
    return BooleanExpression("inverse", _integers([*left, *right]))


def circuit(successors: Any, *, loops: bool = False) -> BooleanExpression:
    """``successors[i]`` (from 0) comes after i on one tour through all.

    ``loops``: the tour goes through two at least, and each of the others is its own successor.
    """
    return BooleanExpression("circuit", _integers(successors), loops)


def connected(cells: Any, edges: Iterable[tuple[int, int]] | None = None) -> BooleanExpression:
    """The cells that hold (constraints or Booleans) hang together; none at all do, too.

    ``edges``: pairs of cells, by number, that touch. None: ``cells`` has two axes, and a cell touches those above,
    below, left and right.
    """
    grid = cells if isinstance(cells, np.ndarray) else array(cells)
    if edges is None:
        if grid.ndim != 2:
            raise ModelError("connected: give the edges, or cells in an array of two axes")
        numbers = np.arange(grid.size).reshape(grid.shape)
        pairs = [*zip(numbers[:, 1:].reshape(-1).tolist(), numbers[:, :-1].reshape(-1).tolist(), strict=True)]
        pairs += zip(numbers[1:].reshape(-1).tolist(), numbers[:-1].reshape(-1).tolist(), strict=True)
    else:
        try:
            pairs = [(_cell(a), _cell(b)) for a, b in edges]
        except (TypeError, ValueError) as error:
            if isinstance(error, ModelError):
                raise
            raise ModelError("connected: edges are pairs of cells, by number") from None
    if any(not 0 <= cell < grid.size for pair in pairs for cell in pair):
        raise ModelError(f"connected: an edge to a cell outside 0..{grid.size - 1}")
    links = tuple(sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]}))
    return BooleanExpression("connected", tuple(boolean(cell) for cell in grid.reshape(-1).tolist()), links)


def _cell(value: Any) -> int:
    return whole_number(value, "connected: an end of an edge")


# Walking through expressions. A loop, since they may nest deeper than Python may.


def folded(root: Expression, known: dict[int, T], apply: Callable[[Expression, list[T]], T]) -> T:
    """What ``apply(expression, results of its operands)`` makes of ``root``; ``known`` keeps results by ``id``."""
    stack = [root]
    while stack:
        node = stack[-1]
        if id(node) in known:
            stack.pop()
            continue
        missing = [child for child in node.children if id(child) not in known]
        if missing:
            stack += missing
            continue
        known[id(node)] = apply(node, [known[id(child)] for child in node.children])
        stack.pop()
    return known[id(root)]


PARTIAL = frozenset({"floordiv", "mod", "truncdiv", "truncmod", "power", "element"})
"""Operators that have no value for some operands."""


def may_lack_value(root: Expression) -> bool:
    """Whether ``root`` has an operator of ``PARTIAL``; its operands here may be such that it always has a value."""
    return folded(root, {}, lambda node, parts: node.op in PARTIAL or any(parts))


_LONG = 60
_INFIX = {
    "product": " * ",
    "floordiv": " // ",
    "mod": " % ",
    "power": " ** ",
    "and": " & ",
    "or": " | ",
    "same": " == ",
}


def text(root: Expression) -> str:
    """``root`` as it might be written; where it is long, without its middle."""
    made = folded(root, {}, _text)
    return made[1:-1] if made.startswith("(") and made.endswith(")") and root.op != "call" else made


def _text(node: Expression, parts: list[str]) -> str:
    if node.op in ("variable", "boolean"):
        return str(node.data[1])
    if node.op in ("constant", "truth"):
        return str(node.data)
    if node.op == "sum":
        coefficients, constant = node.data
        made = ""
        for a, part in zip(coefficients, parts, strict=True):
            if not a:
                continue
            sign = "-" if a < 0 else "+"
            made += f" {sign} " if made else sign.replace("+", "")
            made += part if abs(a) == 1 else f"{abs(a)}*{part}"
        if constant or not made:
            made += f" {'-' if constant < 0 else '+'} {abs(constant)}" if made else str(constant)
        words = made if made in parts or made.isdigit() else f"({made})"
    elif node.op == "compare":
        words = f"({_inner(node, parts, f' {node.data} ')})"
    elif node.op in _INFIX and parts:
        words = f"({_INFIX[node.op].join(parts)})"
    elif node.op == "not":
        words = f"~{parts[0]}"
    elif node.op == "indicator":
        words = parts[0]
    elif node.op == "element":
        indices, entries = parts[: len(node.data)], parts[len(node.data) :]
        words = f"element([{', '.join(entries)}], {', '.join(indices)})"
    else:
        words = f"{node.op}({_inner(node, parts, ', ')})"
    return words if len(words) <= _LONG else f"{words[: _LONG // 2]} .. {words[4 - _LONG // 2 :]}"


def _inner(node: Expression, parts: list[str], between: str) -> str:
    """The operands where nothing binds tighter than they do: sums without parentheses."""
    sums = (one.op == "sum" and part.startswith("(") for one, part in zip(node.children, parts, strict=True))
    return between.join(part[1:-1] if bare else part for part, bare in zip(parts, sums, strict=True))


# What every operator means. An integer's value is None where there is none; a constraint around it is false.


def value_of(root: Expression, values: Sequence[int], known: dict[int, Any] | None = None) -> Any:
    """The value of ``root`` where variable number v is ``values[v]``: an int, a bool, or None for none.

    >>> x = IntegerExpression("variable", (), (0, "x", None))
    >>> value_of(10 // x == 3, [3]), value_of(10 // x, [0]), value_of(10 // x != 3, [0])
    (True, None, False)
    """

    def apply(node: Expression, parts: list[Any]) -> Any:
        if node.op in ("variable", "boolean"):
            value = values[node.data[0]]
            return bool(value) if node.op == "boolean" else int(value)
        return _applied(node, parts)

    return folded(root, {} if known is None else known, apply)


def values_over(root: Expression, values: Sequence[int], known: dict[int, list[Any]]) -> list[Any]:
    """The value of ``root``, an expression of one variable, for each value of it, as ``value_of`` says.

    ``known`` then has those of all its parts, by ``id``.

    >>> x = IntegerExpression("variable", (), (0, "x", None))
    >>> values_over(10 // x, [0, 3, 4], {})
    [None, 3, 2]
    """

    def apply(node: Expression, parts: list[list[Any]]) -> list[Any]:
        if node.op in ("variable", "boolean"):
            return [bool(value) for value in values] if node.op == "boolean" else list(values)
        if not parts:
            return [_applied(node, [])] * len(values)
        return [_applied(node, list(row)) for row in zip(*parts, strict=True)]

    return folded(root, known, apply)


def _applied(node: Expression, parts: list[Any]) -> Any:
    if None in parts and node.op != "choice":
        return None if isinstance(node, IntegerExpression) else False
    return MEANINGS[node.op](node.data, parts)


_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt,
}  # fmt: skip


def _compare(relation: str, values: list[Any]) -> bool:
    return bool(_RELATIONS[relation](values[0], values[1]))


def _weigh(data: tuple[tuple[int, ...], int], values: list[int]) -> int:
    return int(sum(map(operator.mul, data[0], values)) + data[1])


def _multiply(_: None, values: list[int]) -> int:
    return values[0] * values[1]


def _truncated(one: int, other: int) -> int:
    return abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)


def raised(base: int, exponent: int) -> int | None:
    """``base ** exponent``; None: it is no whole number. OverflowError: it has over a million digits."""
    if exponent * abs(base).bit_length() > 10**6 and abs(base) > 1:
        raise OverflowError("a power of over a million digits")
    if exponent >= 0:
        return int(base**exponent)
    return (1 if exponent % 2 == 0 else base) if base in (1, -1) else None


def _choose(_: None, values: list[Any]) -> Any:
    return values[1] if values[0] else values[2]


def _entry(shape: tuple[int, ...], values: list[int]) -> int | None:
    place = 0
    for index, length in zip(values, shape, strict=False):
        if not 0 <= index < length:
            return None
        place = place * length + index
    return values[len(shape) + place]


def _accepted(data: tuple[npt.NDArray[np.int64], int, tuple[int, ...]], word: list[int]) -> bool:
    arcs, _, ends = data
    states = {0}
    by_letter: dict[int, list[tuple[int, int]]] = {letter: [] for letter in word}
    for state, value, after in arcs.tolist():
        if value in by_letter:
            by_letter[value].append((state, after))
    for letter in word:
        states = {after for state, after in by_letter[letter] if state in states}
    return bool(states & set(ends))


def _halves(values: list[Any]) -> tuple[list[Any], list[Any]]:
    return values[: len(values) // 2], values[len(values) // 2 :]


def _before(strict: bool, values: list[int]) -> bool:
    one, other = _halves(values)
    return one < other if strict else one <= other


def _never_over(_: None, values: list[int]) -> bool:
    *tasks, capacity = values
    n = len(tasks) // 3
    starts, durations, demands = tasks[:n], tasks[n : 2 * n], tasks[2 * n :]
    running = [i for i in range(n) if durations[i] > 0]
    moments = {starts[i] for i in running} | {starts[i] + durations[i] for i in running}
    used = [sum(demands[i] for i in running if starts[i] <= t < starts[i] + durations[i]) for t in moments]
    return all(many <= capacity for many in (0, *used))


def _never_two(_: None, values: list[int]) -> bool:
    tasks = [(start, start + length) for start, length in zip(*_halves(values), strict=True) if length > 0]
    ordered = sorted(tasks)
    return all(one[1] <= other[0] for one, other in pairwise(ordered))


def _inverted(_: None, values: list[int]) -> bool:
    one, other = _halves(values)
    every = range(len(one))
    return all((one[i] == j) == (other[j] == i) for i in every for j in every) and all(v in every for v in values)


def _in_rows(rows: npt.NDArray[np.int64], values: list[int]) -> bool:
    word = np.array(values, dtype=object if max(map(abs, values), default=0) >= 2**63 else np.int64)
    return bool(((rows == word) | (rows == STAR)).all(axis=1).any())


def _tour(loops: bool, values: list[int]) -> bool:
    if any(not 0 <= value < len(values) for value in values):
        return False
    on = {i for i, value in enumerate(values) if value != i} if loops else set(range(len(values)))
    if not on:
        return not loops
    first = at = min(on)
    seen = []
    for _step in on:
        seen.append(at)
        at = values[at]
    return set(seen) == on and at == first


def _hangs_together(edges: tuple[tuple[int, int], ...], values: list[bool]) -> bool:
    inside = {cell for cell, value in enumerate(values) if value}
    touching: dict[int, list[int]] = {cell: [] for cell in inside}
    for a, b in edges:
        if a in inside and b in inside:
            touching[a].append(b)
            touching[b].append(a)
    todo = [min(inside)] if inside else []
    while todo:
        cell = todo.pop()
        if cell in inside:
            inside.remove(cell)
            todo += touching[cell]
    return not inside


MEANINGS: dict[str, Callable[[Any, list[Any]], Any]] = {
    "constant": lambda data, values: data,
    "truth": lambda data, values: data,
    "indicator": lambda data, values: int(values[0]),
    "sum": _weigh,
    "product": _multiply,
    "abs": lambda data, values: abs(values[0]),
    "max": lambda data, values: max(values),
    "min": lambda data, values: min(values),
    "floordiv": lambda data, values: values[0] // values[1] if values[1] else None,
    "mod": lambda data, values: values[0] % values[1] if values[1] else None,
    "truncdiv": lambda data, values: _truncated(*values) if values[1] else None,
    "truncmod": lambda data, values: values[0] - values[1] * _truncated(*values) if values[1] else None,
    "power": lambda data, values: raised(*values),
    "choice": _choose,
    "element": _entry,
    "n_values": lambda data, values: len(set(values)),
    "compare": _compare,
    "and": lambda data, values: all(values),
    "or": lambda data, values: any(values),
    "not": lambda data, values: not values[0],
    "same": lambda data, values: values[0] == values[1],
    "all_different": lambda data, values: len(set(values)) == len(values),
    "table": _in_rows,
    "regular": _accepted,
    "lex": _before,
    "cumulative": _never_over,
    "disjunctive": _never_two,
    "inverse": _inverted,
    "circuit": _tour,
    "connected": _hangs_together,
}
"""By operator: (its data, the values of its operands) to its value. ``choice`` alone is called with operands of no
value; where it has one, its condition is never without."""

Values: TypeAlias = npt.NDArray[np.int64]
