"""What expressions in Sugar's language mean: the evaluation of operators' and predicates' applications."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nonosat.csp.sugar.circuit import Circuit
from nonosat.csp.sugar.nodes import FALSE, TRUE
from nonosat.csp.sugar.operators import DECLARATIONS, NOT_READ, OPERATORS, Operator, Value
from nonosat.csp.sugar.sexpr import Expression, Form, Symbol, shown
from nonosat.csp.sugar.term import LARGEST, Term
from nonosat.errors import FormatError, UnsupportedError
from nonosat.files import printable


@dataclass(frozen=True)
class Predicate:
    """``body`` with ``parameters`` that stand for the arguments of a call; it takes so many."""

    parameters: tuple[str, ...]
    body: Expression

    @property
    def least(self) -> int:
        """The number of arguments."""
        return len(self.parameters)

    most = least


@dataclass(frozen=True)
class _Scope:
    """What a predicate's parameters are, and how many calls deep its body is."""

    values: Mapping[str, Value]
    depth: int


@dataclass
class _Call:
    """An operator's or predicate's application, under way: its arguments are evaluated one by one."""

    form: Form
    callee: Operator | Predicate
    arguments: tuple[Expression, ...]
    scope: _Scope
    values: list[Value] = field(default_factory=list)


class Evaluator:
    """The names and predicates that have been declared, and the circuit in which expressions take shape.

    ``steps`` is how many evaluations may be made: predicates that use each other twice make a short text explode.
    """

    def __init__(self, steps: int) -> None:
        self.circuit = Circuit()
        self.steps = steps
        self.names: dict[str, Value] = {"true": TRUE, "false": FALSE}
        self.predicates: dict[str, Predicate] = {}

    def value(self, expression: Expression) -> Value:
        """What ``expression`` stands for. A loop, since texts may nest deeper than Python may."""
        calls: list[_Call] = []
        result = self._begin(expression, _Scope({}, 0), calls)
        while calls:
            call = calls[-1]
            if result is not None:
                call.values.append(result)
            if len(call.values) < len(call.arguments):
                result = self._begin(call.arguments[len(call.values)], call.scope, calls)
                continue
            calls.pop()
            if isinstance(call.callee, Predicate):
                if call.scope.depth >= len(self.predicates):
                    raise FormatError(f"{shown(call.form)} calls itself", call.form.line)
                names = dict(zip(call.callee.parameters, call.values, strict=True))
                result = self._begin(call.callee.body, _Scope(names, call.scope.depth + 1), calls)
            else:
                result = self._applied(call, call.callee)
        assert result is not None
        return result

    def _begin(self, expression: Expression, scope: _Scope, calls: list[_Call]) -> Value | None:
        """The value of a symbol; or None, and ``calls`` has one more."""
        self._spend(1, expression.line)
        if isinstance(expression, Symbol):
            return self._meaning(expression, scope)
        arguments = expression.items[1:]
        callee = self.predicates.get(expression.head) or OPERATORS.get(expression.head)
        if callee is None:
            raise _unknown(expression)
        if expression.head == "alldifferent" and len(arguments) == 1 and isinstance(arguments[0], Form):
            inner = arguments[0]
            arguments = arguments if inner.head in OPERATORS else inner.items  # (alldifferent (x y)) is the same
        if not callee.least <= len(arguments) <= (len(arguments) if callee.most is None else callee.most):
            wanted = f"{callee.least}" if callee.least == callee.most else f"at least {callee.least}"
            plural = "s" if callee.least != 1 else ""
            reason = f"{shown(expression)} takes {wanted} argument{plural}, not {len(arguments)}"
            raise FormatError(reason, expression.line)
        calls.append(_Call(expression, callee, arguments, scope))
        return None

    def _meaning(self, symbol: Symbol, scope: _Scope) -> Value:
        value = scope.values.get(symbol.text)
        if value is None:
            value = self.names.get(symbol.text)
        if value is None:
            integer = number(symbol)
            if integer is None:
                raise FormatError(f"{shown(symbol)} is not declared", symbol.line)
            value = Term({}, integer)
        return value

    def _applied(self, call: _Call, operator: Operator) -> Value:
        """The operator's result."""
        line = call.form.line
        for i, value in enumerate(call.values):
            if not isinstance(value, operator.kinds[min(i, len(operator.kinds) - 1)]):
                kinds = ("a number", "a formula") if isinstance(value, Term) else ("a formula", "a number")
                name = shown(call.arguments[i])
                raise FormatError(f"{name} in {shown(call.form)} is {kinds[0]}, not {kinds[1]}", line)
        self._spend(sum(len(value.coefficients) for value in call.values if isinstance(value, Term)) // 10, line)
        try:
            return operator.apply(self.circuit, call.values)
        except OverflowError as error:
            raise FormatError(str(error), line) from None
        except UnsupportedError as error:
            raise UnsupportedError(f"line {line}: {error}") from None

    def _spend(self, steps: int, line: int) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise UnsupportedError(f"line {line}: the predicates make too much of this text")


def number(symbol: Symbol) -> int | None:
    """The integer that ``symbol`` is, if it is one."""
    digits = symbol.text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        return None
    if len(digits) > 20 or int(digits) > LARGEST:
        raise FormatError(f"a number too large: {printable(symbol.text, 20)}; the limit is {LARGEST}", symbol.line)
    return int(symbol.text)


def _unknown(form: Form) -> FormatError | UnsupportedError:
    """Why ``form`` is nothing that can be evaluated."""
    if form.head in NOT_READ:
        return UnsupportedError(f"line {form.line}: {shown(form)} is not in the part of Sugar's language that is read")
    if form.head in DECLARATIONS:
        return FormatError(f"{shown(form)} inside another form", form.line)
    if not form.head:
        return FormatError("a list without an operator in front", form.line)
    return FormatError(f"{shown(form.items[0])} is no operator and no predicate", form.line)
