"""Declarations and constraints in Sugar's language, put together to a CSP."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeAlias

from nonosat.csp.circuit import FALSE, LARGEST, TRUE, Circuit, Formula, LinearTerm, stated, total
from nonosat.csp.model import CSP
from nonosat.errors import FormatError, UnsupportedError
from nonosat.files import printable

# S-expressions: text to nested forms that remember their lines. Nothing here recurses: depth costs memory alone.


_TOKEN = re.compile(r"\n|;[^\n]*|[()]|[^\s();]+")


@dataclass(frozen=True, eq=False, slots=True)
class Symbol:
    """A name, an operator or a number."""

    text: str
    line: int


@dataclass(frozen=True, eq=False, slots=True)
class Form:
    """A list in parentheses; ``line`` is that of the opening one."""

    items: tuple[Expression, ...]
    line: int

    @property
    def head(self) -> str:
        """The operator in front; empty if there is none."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Symbol) else ""


Expression: TypeAlias = Symbol | Form


def parse(text: str) -> list[Expression]:
    r"""The expressions of ``text``; from ``;`` to the end of its line is comment.

    >>> [form] = parse("(< (+ a 1)\n b) ; a is before b")
    >>> form.head, form.line, [item.line for item in form.items]
    ('<', 1, [1, 1, 2])
    """
    line = 1
    inner: list[Expression] = []
    outer: list[tuple[list[Expression], int]] = []  # the lists that are open around it, and the lines they began on
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token == "\n":
            line += 1
        elif token == "(":
            outer.append((inner, line))
            inner = []
        elif token == ")":
            if not outer:
                raise FormatError("a ')' that closes nothing", line)
            form = tuple(inner)
            inner, began = outer.pop()
            inner.append(Form(form, began))
        elif not token.startswith(";"):
            if not token.isprintable():
                raise FormatError(f"a name that cannot be printed: {printable(token, 40)}", line)
            inner.append(Symbol(token, line))
    if outer:
        raise FormatError("this '(' is never closed", outer[-1][1])
    return inner


def shown(expression: Expression) -> str:
    """How messages name ``expression``: a list by its head alone."""
    if isinstance(expression, Symbol):
        return printable(expression.text, 40)
    return f"({printable(expression.head, 40)} ..)"


# The operators of Sugar's language: what they take, and what they make of it in a circuit.


Value: TypeAlias = LinearTerm | Formula
DECLARATIONS = ("int", "bool", "domain", "predicate")


@dataclass(frozen=True)
class Operator:
    """``kinds`` of the arguments (the last one's is that of all further ones), how many, and what it makes of them."""

    kinds: tuple[type, ...]
    least: int
    most: int | None
    apply: Callable[[Circuit, Sequence[Any]], Value]


def _product(circuit: Circuit, factors: Sequence[LinearTerm]) -> LinearTerm:
    product = LinearTerm({}, 1)
    for factor in factors:
        constant, other = (factor, product) if product.coefficients else (product, factor)
        if constant.coefficients:
            raise UnsupportedError("a product of two variables: all factors but one must be constants")
        product = other.times(constant.constant)
        circuit.bounds(product)  # so that numbers don't grow without end
    return product


def _difference(terms: Sequence[LinearTerm]) -> LinearTerm:
    """The first less all others; of a single one, its negation."""
    return terms[0].minus(total(terms[1:])) if len(terms) > 1 else terms[0].times(-1)


_LOGIC: dict[str, Operator] = {
    "not !": Operator((int,), 1, 1, lambda c, v: -v[0]),
    "and &&": Operator((int,), 0, None, lambda c, v: c.every(v)),
    "or ||": Operator((int,), 0, None, lambda c, v: c.some(v)),
    "imp =>": Operator((int,), 2, 2, lambda c, v: c.some([-v[0], v[1]])),
    "iff": Operator((int,), 2, 2, lambda c, v: c.same(v[0], v[1])),
    "xor": Operator((int,), 2, 2, lambda c, v: -c.same(v[0], v[1])),
    "eq =": Operator((LinearTerm,), 2, 2, lambda c, v: c.equal(v[0], v[1])),
    "ne !=": Operator((LinearTerm,), 2, 2, lambda c, v: -c.equal(v[0], v[1])),
    "le <=": Operator((LinearTerm,), 2, 2, lambda c, v: c.not_positive(v[0].minus(v[1]))),
    "lt <": Operator((LinearTerm,), 2, 2, lambda c, v: c.not_positive(v[0].minus(v[1], 1))),
    "ge >=": Operator((LinearTerm,), 2, 2, lambda c, v: c.not_positive(v[1].minus(v[0]))),
    "gt >": Operator((LinearTerm,), 2, 2, lambda c, v: c.not_positive(v[1].minus(v[0], 1))),
    "alldifferent": Operator((LinearTerm,), 0, None, lambda c, v: c.different(v)),
}
_TERMS: dict[str, Operator] = {
    "add +": Operator((LinearTerm,), 0, None, lambda c, v: total(v)),
    "sub -": Operator((LinearTerm,), 1, None, lambda c, v: _difference(v)),
    "neg": Operator((LinearTerm,), 1, 1, lambda c, v: v[0].times(-1)),
    "mul *": Operator((LinearTerm,), 0, None, _product),
    "abs": Operator((LinearTerm,), 1, 1, lambda c, v: c.greatest([v[0], v[0].times(-1)])),
    "max": Operator((LinearTerm,), 1, None, lambda c, v: c.greatest(v)),
    "min": Operator((LinearTerm,), 1, None, lambda c, v: c.greatest([term.times(-1) for term in v]).times(-1)),
    "if": Operator((int, LinearTerm), 3, 3, lambda c, v: c.choice(v[0], v[1], v[2])),
}
OPERATORS = {name: operator for names, operator in (_LOGIC | _TERMS).items() for name in names.split()}
NOT_READ = frozenset(
    {"objective", "relation", "div", "/", "mod", "%", "pow", "weightedsum", "cumulative", "element", "disjunctive"}
    | {"lex_less", "lex_lesseq", "nvalue", "count", "global_cardinality", "global_cardinality_with_costs"}
)


def is_reserved(name: str) -> bool:
    """Whether ``name`` means something in front of a list already, here or in Sugar."""
    return name in OPERATORS or name in NOT_READ or name in DECLARATIONS


# What expressions in Sugar's language mean: the evaluation of operators' and predicates' applications.


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
            value = LinearTerm({}, integer)
        return value

    def _applied(self, call: _Call, operator: Operator) -> Value:
        """The operator's result."""
        line = call.form.line
        for i, value in enumerate(call.values):
            if not isinstance(value, operator.kinds[min(i, len(operator.kinds) - 1)]):
                kinds = ("a number", "a formula") if isinstance(value, LinearTerm) else ("a formula", "a number")
                name = shown(call.arguments[i])
                raise FormatError(f"{name} in {shown(call.form)} is {kinds[0]}, not {kinds[1]}", line)
        self._spend(sum(len(value.coefficients) for value in call.values if isinstance(value, LinearTerm)) // 10, line)
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


_STEPS_A_CHARACTER = 30
"""How much more predicates may make of a text than it is: those that double each other would make it explode."""


@dataclass(frozen=True)
class Declarations:
    """What a text declares and says: the CSP's variables are the ``integers``, the ``booleans`` and auxiliaries."""

    csp: CSP
    integers: tuple[str, ...]
    booleans: tuple[str, ...]


def read(text: str) -> CSP:
    """The CSP of ``text``: integers as declared, then Booleans as 0..1, which are the board; then auxiliaries."""
    return read_statement(text).csp


def read_statement(text: str) -> Declarations:
    """The CSP of ``text``, and which names it declares. FormatError or UnsupportedError, with the line."""
    reader = _StatementReader(100_000 + _STEPS_A_CHARACTER * len(text))
    constraints = [expression for expression in parse(text) if not reader.declared(expression)]
    reader.declare()
    for expression in constraints:
        reader.state(expression)
    csp = stated(reader.circuit, len(reader.integers) + len(reader.booleans))
    return Declarations(csp, tuple(reader.integers), tuple(reader.booleans))


class _StatementReader:
    """What has been declared so far, and the evaluator of all else."""

    def __init__(self, steps: int) -> None:
        self.evaluator = Evaluator(steps)
        self.circuit = self.evaluator.circuit
        self.domains: dict[str, list[tuple[int, int]]] = {}
        self.integers: dict[str, list[tuple[int, int]]] = {}
        self.booleans: dict[str, None] = {}

    def declared(self, expression: Expression) -> bool:
        """Take note of ``expression`` if it is a declaration."""
        if not isinstance(expression, Form) or expression.head not in DECLARATIONS:
            return False
        declare = {"int": self._int, "bool": self._bool, "domain": self._domain, "predicate": self._predicate}
        declare[expression.head](expression, list(expression.items[1:]))
        return True

    def _domain(self, form: Form, operands: list[Expression]) -> None:
        name = self._name(form, operands, self.domains)
        self.domains[name] = self._ranges(form, operands[1:])

    def _int(self, form: Form, operands: list[Expression]) -> None:
        name = self._name(form, operands, self.integers, self.booleans)
        self.integers[name] = self._ranges(form, operands[1:])

    def _bool(self, form: Form, operands: list[Expression]) -> None:
        name = self._name(form, operands, self.integers, self.booleans)
        if len(operands) > 1:
            raise FormatError("expected (bool NAME)", form.line)
        self.booleans[name] = None

    def _predicate(self, form: Form, operands: list[Expression]) -> None:
        if len(operands) != 2 or not isinstance(operands[0], Form) or not operands[0].items:
            raise FormatError("expected (predicate (NAME PARAMETER ..) BODY)", form.line)
        names = operands[0].items
        name = self._name(form, list(names), self.evaluator.predicates)
        if is_reserved(name):
            raise FormatError(f"{shown(names[0])} cannot be a predicate's name", form.line)
        parameters: dict[str, None] = {}
        for parameter in names[1:]:
            parameters[self._name(form, [parameter], parameters)] = None
        self.evaluator.predicates[name] = Predicate(tuple(parameters), operands[1])

    def _name(self, form: Form, operands: Sequence[Expression], *taken: Mapping[str, object]) -> str:
        """The name that ``form`` declares: the first operand."""
        symbol = operands[0] if operands else None
        if not isinstance(symbol, Symbol) or number(symbol) is not None or symbol.text in ("true", "false"):
            found = shown(symbol) if symbol is not None else "nothing"
            raise FormatError(f"expected a name in {shown(form)}, found {found}", form.line)
        if any(symbol.text in names for names in taken):
            raise FormatError(f"{shown(symbol)} is declared twice", symbol.line)
        return symbol.text

    def _ranges(self, form: Form, operands: list[Expression]) -> list[tuple[int, int]]:
        """A domain's intervals in order, apart from each other: ``lo hi``, ``value``, ``(range ..)`` or a name."""
        if len(operands) == 1 and isinstance(operands[0], Symbol) and operands[0].text in self.domains:
            return self.domains[operands[0].text]
        parts = operands[0].items if len(operands) == 1 and isinstance(operands[0], Form) else None
        if parts is None:
            parts = (Form(tuple(operands), form.line),) if len(operands) == 2 else tuple(operands)
            if len(parts) != 1:
                raise FormatError(f"expected a domain: ({form.head} NAME LOW HIGH)", form.line)
        ranges = sorted(self._range(part) for part in parts)
        if not ranges:
            raise FormatError("an empty domain", form.line)
        apart: list[tuple[int, int]] = ranges[:1]
        for low, high in ranges[1:]:
            if low <= apart[-1][1] + 1:
                apart[-1] = apart[-1][0], max(high, apart[-1][1])
            else:
                apart.append((low, high))
        return apart

    def _range(self, part: Expression) -> tuple[int, int]:
        ends = part.items if isinstance(part, Form) else (part, part)
        if len(ends) != 2:
            raise FormatError("expected a value or (LOW HIGH) in a domain", part.line)
        numbers = [number(end) if isinstance(end, Symbol) else None for end in ends]
        low, high = numbers
        if low is None or high is None:
            wrong = ends[numbers.index(None)]
            unknown = "a number" if isinstance(wrong, Form) else "a number or a domain"
            raise FormatError(f"{shown(wrong)} is not {unknown}", part.line)
        if low > high:
            raise FormatError(f"an empty domain: {low}..{high}", part.line)
        return low, high

    def declare(self) -> None:
        """Make the variables: the board comes first."""
        for name, ranges in self.integers.items():
            variable = self.circuit.integer(name, ranges[0][0], ranges[-1][1])
            self.evaluator.names[name] = LinearTerm({variable: 1})
            for (_, end), (start, _) in pairwise(ranges):
                at_most, below = self.circuit.at_most(variable, end), self.circuit.at_most(variable, start - 1)
                self.circuit.require(self.circuit.some([at_most, -below]))
        for name in self.booleans:
            self.evaluator.names[name] = -self.circuit.at_most(self.circuit.integer(name, 0, 1), 0)

    def state(self, expression: Expression) -> None:
        """Require what ``expression`` says."""
        value = self.evaluator.value(expression)
        if isinstance(value, LinearTerm):
            raise FormatError(f"{shown(expression)} is a number, no constraint", expression.line)
        self.circuit.require(value)
