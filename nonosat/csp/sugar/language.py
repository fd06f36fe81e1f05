"""Declarations and constraints in Sugar's language, put together to a CSP."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from nonosat.csp import expressions as e
from nonosat.csp.circuit import Circuit, Formula, stated
from nonosat.csp.expressions import BooleanExpression, IntegerExpression, boolean, integer, weighted
from nonosat.csp.lowering import Lowering
from nonosat.csp.model import CSP, LARGEST
from nonosat.csp.statement import Problem
from nonosat.errors import FormatError, ModelError, UnsupportedError
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


# The operators of Sugar's language: what they take, and the expression that they make of it.


Value: TypeAlias = IntegerExpression | BooleanExpression | tuple[Any, ...] | str | None
DECLARATIONS = ("int", "bool", "domain", "predicate", "relation", "objective")

NUMBER, FORMULA, LIST, ROWS, WORD = "a number", "a formula", "a list of numbers", "a list of lists", "a word"
"""What an operator takes: values, and words as they stand there; in lists ``nil`` stands for nothing."""


@dataclass(frozen=True)
class Operator:
    """``kinds`` of the arguments (the last one's is that of all further ones), how many, and what it makes of them."""

    kinds: tuple[str, ...]
    least: int
    most: int | None
    apply: Callable[[Sequence[Any]], Any]

    def kind(self, place: int) -> str:
        """What the argument at ``place`` is."""
        return self.kinds[min(place, len(self.kinds) - 1)]


def _relation(word: str) -> Callable[[Any, Any], Any]:
    if word not in _COMPARISONS:
        raise FormatError(f"{printable(word, 20)} is no comparison: eq, ne, le, lt, ge or gt")
    return _COMPARISONS[word]


def _constant(value: Any, what: str) -> int:
    if not isinstance(value, IntegerExpression) or value.op != "constant":
        raise FormatError(f"{what} is not a number")
    return int(value.data)


def _columns(rows: Sequence[Any], width: int, what: str) -> list[list[Any]]:
    if any(not isinstance(row, tuple) or len(row) != width for row in rows):
        raise FormatError(f"expected lists of {width}: {what}")
    return [[row[column] for row in rows] for column in range(width)]


def _weighted_sum(values: Sequence[Any]) -> Any:
    weights, terms = _columns(values[0], 2, "(weight term)")
    total = weighted([(_constant(a, "a weight"), x) for a, x in zip(weights, terms, strict=True)])
    return _relation(values[1])(total, values[2])


def _element(values: Sequence[Any]) -> Any:
    index, entries, value = values  # counted from 1
    if not entries:
        raise FormatError("an element of an empty list")
    return e.element(list(entries), index - 1) == value


def _count(values: Sequence[Any]) -> Any:
    value, terms, word, limit = values
    return _relation(word)(e.count(list(terms), value), limit)


def _cumulative(values: Sequence[Any]) -> Any:
    tasks, limit = values
    conditions, starts, durations = [], [], []
    origins, lengths, ends, heights = _columns(tasks, 4, "(origin duration end height)")
    for origin, duration, end, height in zip(origins, lengths, ends, heights, strict=True):
        if sum(part is None for part in (origin, duration, end)) > 1 or height is None:
            raise FormatError("of a task's origin, duration and end, one at most may be nil")
        starts.append(end - duration if origin is None else origin)
        durations.append(end - origin if duration is None else duration)
        if duration is None:
            conditions.append(durations[-1] >= 0)
        elif origin is not None and end is not None:
            conditions.append(origin + duration == end)
    return e.all_of([*conditions, e.cumulative(starts, durations, heights, limit)])


def _cardinality(values: Sequence[Any]) -> Any:
    terms, cards = values
    wanted, counts = _columns(cards, 2, "(value cardinality)")
    return e.cardinality(list(terms), wanted, counts)


def _cardinality_with_costs(values: Sequence[Any]) -> Any:
    terms, cards, matrix, cost = values
    wanted, _ = _columns(cards, 2, "(value cardinality)")
    costs = []
    for row in zip(*_columns(matrix, 3, "(variable value cost)"), strict=True):
        i, j, c = (_constant(part, "an entry of the costs") for part in row)
        if not (0 < i <= len(terms) and 0 < j <= len(wanted)):
            raise FormatError(f"there is no variable {i}, or no value {j}")
        costs.append((c, terms[i - 1] == wanted[j - 1]))
    return _cardinality(values[:2]) & (weighted(costs) == cost)


def _disjunctive(values: Sequence[Any]) -> Any:
    starts, durations = _columns(values[0], 2, "(start duration)")
    return e.disjunctive(starts, durations)


def _lex(values: Sequence[Any], function: Callable[[Any, Any], Any]) -> Any:
    return function(list(values[0]), list(values[1]))


def _pick(condition: Any, then: Any, otherwise: Any) -> Any:
    return e.if_then_else(condition, then, otherwise)


_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    name: function
    for names, function in (
        ("eq =", operator.eq), ("ne !=", operator.ne), ("le <=", operator.le),
        ("lt <", operator.lt), ("ge >=", operator.ge), ("gt >", operator.gt),
    )
    for name in names.split()
}  # fmt: skip
_LOGIC: dict[str, Operator] = {
    "not !": Operator((FORMULA,), 1, 1, lambda v: ~v[0]),
    "and &&": Operator((FORMULA,), 0, None, e.all_of),
    "or ||": Operator((FORMULA,), 0, None, e.any_of),
    "imp =>": Operator((FORMULA,), 2, 2, lambda v: e.implies(v[0], v[1])),
    "iff": Operator((FORMULA,), 2, 2, lambda v: v[0] == v[1]),
    "xor": Operator((FORMULA,), 2, 2, lambda v: v[0] ^ v[1]),
    "alldifferent": Operator((NUMBER,), 0, None, lambda v: e.all_different(list(v))),
    "weightedsum": Operator((ROWS, WORD, NUMBER), 3, 3, _weighted_sum),
    "element": Operator((NUMBER, LIST, NUMBER), 3, 3, _element),
    "count": Operator((NUMBER, LIST, WORD, NUMBER), 4, 4, _count),
    "nvalue": Operator((NUMBER, LIST), 2, 2, lambda v: e.n_values(list(v[1])) == v[0]),
    "cumulative": Operator((ROWS, NUMBER), 2, 2, _cumulative),
    "disjunctive": Operator((ROWS,), 1, 1, _disjunctive),
    "lex_less": Operator((LIST,), 2, 2, lambda v: _lex(v, e.lex_less)),
    "lex_lesseq": Operator((LIST,), 2, 2, lambda v: _lex(v, e.lex_lesseq)),
    "global_cardinality": Operator((LIST, ROWS), 2, 2, _cardinality),
    "global_cardinality_with_costs": Operator((LIST, ROWS, ROWS, NUMBER), 4, 4, _cardinality_with_costs),
} | {
    name: Operator((NUMBER,), 2, 2, lambda v, function=function: function(v[0], v[1]))  # type: ignore[misc]
    for name, function in _COMPARISONS.items()
}
_TERMS: dict[str, Operator] = {
    "add +": Operator((NUMBER,), 0, None, lambda v: e.sum_of(list(v))),
    "sub -": Operator((NUMBER,), 1, None, lambda v: v[0] - e.sum_of(list(v[1:])) if len(v) > 1 else -v[0]),
    "neg": Operator((NUMBER,), 1, 1, lambda v: -v[0]),
    "mul *": Operator((NUMBER,), 0, None, lambda v: e.product_of(list(v))),
    "div /": Operator((NUMBER,), 2, 2, lambda v: v[0] // v[1]),
    "mod %": Operator((NUMBER,), 2, 2, lambda v: v[0] % v[1]),
    "pow": Operator((NUMBER,), 2, 2, lambda v: v[0] ** v[1]),
    "abs": Operator((NUMBER,), 1, 1, lambda v: abs(v[0])),
    "max": Operator((NUMBER,), 1, None, lambda v: e.maximum(list(v))),
    "min": Operator((NUMBER,), 1, None, lambda v: e.minimum(list(v))),
    "if": Operator((FORMULA, NUMBER), 3, 3, lambda v: _pick(v[0], v[1], v[2])),
}
OPERATORS = {name: operator for names, operator in (_LOGIC | _TERMS).items() for name in names.split()}


def is_reserved(name: str) -> bool:
    """Whether ``name`` means something in front of a list already."""
    return name in OPERATORS or name in DECLARATIONS


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
    """An operator's or predicate's application, under way: its arguments are evaluated one by one.

    Without a callee it is a list; ``kind`` is that of its entries.
    """

    form: Form
    callee: Operator | Predicate | None
    arguments: tuple[Expression, ...]
    scope: _Scope
    kind: str = NUMBER
    values: list[Value] = field(default_factory=list)


_NOTHING = object()
"""Of an argument that is not evaluated yet, since there is a value that is None."""


class Evaluator:
    """The names and predicates that have been declared, and the ``statement`` and ``circuit`` that texts become.

    Each expression is lowered when it is made, so that what is wrong with it is known with its line. A number that
    cannot be stated alone, as ``(div x x)`` of a large domain, may be a part of a constraint that can: ``unstated``
    has its line until then, and what has it as a part waits. ``steps`` is how many evaluations may be made:
    predicates that use each other twice make a short text explode.
    """

    def __init__(self, steps: int) -> None:
        self.statement = Problem()
        self.circuit = Circuit()
        self.lowering = Lowering(self.circuit)
        self.steps = steps
        self.unstated: int | None = None
        self.names: dict[str, Value] = {"true": boolean(True), "false": boolean(False)}
        self.predicates: dict[str, Predicate] = {}
        self.relations: dict[str, Operator] = {}

    def value(self, expression: Expression) -> Value:
        """What ``expression`` stands for. A loop, since texts may nest deeper than Python may."""
        calls: list[_Call] = []
        result: Any = self._begin(expression, NUMBER, _Scope({}, 0), calls)
        while calls:
            call = calls[-1]
            if result is not _NOTHING:
                call.values.append(result)
            if (place := len(call.values)) < len(call.arguments):
                kind = call.callee.kind(place) if isinstance(call.callee, Operator) else call.kind
                result = self._begin(call.arguments[place], kind, call.scope, calls)
                continue
            calls.pop()
            if call.callee is None:
                result = tuple(call.values)
            elif isinstance(call.callee, Predicate):
                if call.scope.depth >= len(self.predicates):
                    raise FormatError(f"{shown(call.form)} calls itself", call.form.line)
                names = dict(zip(call.callee.parameters, call.values, strict=True))
                result = self._begin(call.callee.body, NUMBER, _Scope(names, call.scope.depth + 1), calls)
            else:
                result = self._applied(call, call.callee)
        found: Value = result
        return found

    def _begin(self, expression: Expression, kind: str, scope: _Scope, calls: list[_Call]) -> Any:
        """The value of a symbol; or ``_NOTHING``, and ``calls`` has one more. ``kind``: what stands there."""
        self._spend(1, expression.line)
        if isinstance(expression, Symbol):
            if kind == WORD:
                return expression.text
            return None if kind == _ENTRY and expression.text == "nil" else self._meaning(expression, scope)
        if kind in (LIST, ROWS, _ROW):
            inner = {LIST: NUMBER, ROWS: _ROW, _ROW: _ENTRY}[kind]
            calls.append(_Call(expression, None, expression.items, scope, inner))
            return _NOTHING
        arguments = expression.items[1:]
        head = expression.head
        callee = self.predicates.get(head) or self.relations.get(head) or OPERATORS.get(head)
        if callee is None:
            raise _unknown(expression)
        if expression.head == "alldifferent" and len(arguments) == 1 and isinstance(arguments[0], Form):
            inner_form = arguments[0]  # (alldifferent (x y)) is the same
            arguments = arguments if inner_form.head in OPERATORS else inner_form.items
        if not callee.least <= len(arguments) <= (len(arguments) if callee.most is None else callee.most):
            wanted = f"{callee.least}" if callee.least == callee.most else f"at least {callee.least}"
            plural = "s" if callee.least != 1 else ""
            reason = f"{shown(expression)} takes {wanted} argument{plural}, not {len(arguments)}"
            raise FormatError(reason, expression.line)
        calls.append(_Call(expression, callee, arguments, scope))
        return _NOTHING

    def _meaning(self, symbol: Symbol, scope: _Scope) -> Value:
        value = scope.values.get(symbol.text)
        if value is None:
            value = self.names.get(symbol.text)
        if value is None:
            constant = number(symbol)
            if constant is None:
                raise FormatError(f"{shown(symbol)} is not declared", symbol.line)
            value = integer(constant)
        return value

    def _applied(self, call: _Call, operator: Operator) -> Value:
        """The operator's result."""
        line = call.form.line
        for i, value in enumerate(call.values):
            wanted, found = operator.kind(i), _kind(value)
            entries = value if isinstance(value, tuple) and wanted == LIST else ()
            wrong = found != wanted and not (found == LIST and wanted == ROWS)
            if wrong or any(_kind(entry) != NUMBER for entry in entries):
                name = shown(call.arguments[i])
                raise FormatError(f"{name} in {shown(call.form)} is {found}, not {wanted}", line)
        self._spend(sum(len(value.children) for value in call.values if isinstance(value, e.Expression)) // 10, line)
        try:
            made: Value = operator.apply(call.values)
            self.lower(made, line)
            return made
        except (OverflowError, ModelError) as error:
            raise FormatError(str(error), line) from None
        except FormatError as error:
            raise error if error.line is not None else FormatError(error.reason, line) from None
        except UnsupportedError as error:
            raise UnsupportedError(f"line {line}: {error}") from None

    def lower(self, value: Any, line: int) -> None:
        """Lower ``value``. OverflowError: its numbers are too large."""
        if self.unstated is not None and isinstance(value, e.Expression) and value.op != "constant":
            return  # with the whole constraint; constants are computed meanwhile, and may not grow without end
        try:
            if isinstance(value, BooleanExpression):
                self.lowering.formula(value)
            elif isinstance(value, IntegerExpression):
                self.lowering.term(value)
        except ModelError:
            self.unstated = line if self.unstated is None else self.unstated

    def whole(self, value: BooleanExpression | IntegerExpression) -> Formula:
        """A whole constraint in the circuit, or that an objective is a number. FormatError: it cannot be stated."""
        try:
            if isinstance(value, BooleanExpression):
                return self.lowering.formula(value)
            return self.lowering.term(value).defined
        except (OverflowError, ModelError) as error:
            raise FormatError(str(error), self.unstated) from None
        finally:
            self.unstated = None

    def _spend(self, steps: int, line: int) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise UnsupportedError(f"line {line}: the predicates make too much of this text")


_ROW, _ENTRY = "a row", "an entry of a row"


def _kind(value: Any) -> str:
    if isinstance(value, IntegerExpression):
        return NUMBER
    if isinstance(value, BooleanExpression):
        return FORMULA
    if isinstance(value, tuple):
        return LIST
    return WORD if isinstance(value, str) else "nothing"


def number(symbol: Symbol) -> int | None:
    """The integer that ``symbol`` is, if it is one."""
    digits = symbol.text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        return None
    if len(digits) > 20 or int(digits) > LARGEST:
        raise FormatError(f"a number too large: {printable(symbol.text, 20)}; the limit is {LARGEST}", symbol.line)
    return int(symbol.text)


def _unknown(form: Form) -> FormatError:
    """Why ``form`` is nothing that can be evaluated."""
    if form.head in DECLARATIONS:
        return FormatError(f"{shown(form)} inside another form", form.line)
    if not form.head:
        return FormatError("a list without an operator in front", form.line)
    return FormatError(f"{shown(form.items[0])} is no operator and no predicate", form.line)


_STEPS_A_CHARACTER = 30
"""How much more predicates may make of a text than it is: those that double each other would make it explode."""


@dataclass(frozen=True)
class Declarations:
    """What a text declares and says: the CSP's variables are the ``integers``, the ``booleans`` and auxiliaries.

    ``statement`` says the same in expressions, with the objective, if the text has one.
    """

    csp: CSP
    integers: tuple[str, ...]
    booleans: tuple[str, ...]
    statement: Problem


def read(text: str) -> CSP:
    """The CSP of ``text``: integers as declared, then Booleans as 0..1, which are the board; then auxiliaries."""
    return read_statement(text).csp


def read_statement(text: str, into: Problem | None = None) -> Declarations:
    """The CSP of ``text``, and which names it declares. FormatError or UnsupportedError, with the line.

    ``into``: a statement without variables that is to become that of the text.
    """
    reader = _StatementReader(100_000 + _STEPS_A_CHARACTER * len(text))
    if into is not None:
        reader.evaluator.statement = into
    constraints = [expression for expression in parse(text) if not reader.declared(expression)]
    reader.declare()
    for expression in constraints:
        reader.state(expression)
    csp = stated(reader.circuit, len(reader.integers) + len(reader.booleans))
    return Declarations(csp, tuple(reader.integers), tuple(reader.booleans), reader.evaluator.statement)


class _StatementReader:
    """What has been declared so far, and the evaluator of all else."""

    def __init__(self, steps: int) -> None:
        self.evaluator = Evaluator(steps)
        self.circuit = self.evaluator.circuit
        self.domains: dict[str, list[tuple[int, int]]] = {}
        self.integers: dict[str, list[tuple[int, int]]] = {}
        self.booleans: dict[str, None] = {}
        self.objective: tuple[Form, str, Expression] | None = None

    def declared(self, expression: Expression) -> bool:
        """Take note of ``expression`` if it is a declaration."""
        if not isinstance(expression, Form) or expression.head not in DECLARATIONS:
            return False
        declare = {
            "int": self._int, "bool": self._bool, "domain": self._domain, "predicate": self._predicate,
            "relation": self._relation, "objective": self._objective,
        }  # fmt: skip
        declare[expression.head](expression, list(expression.items[1:]))
        return True

    def _objective(self, form: Form, operands: list[Expression]) -> None:
        words = ("minimize", "maximize")
        if len(operands) != 2 or not isinstance(operands[0], Symbol) or operands[0].text not in words:
            raise FormatError("expected (objective minimize VARIABLE) or (objective maximize VARIABLE)", form.line)
        if self.objective is not None:
            raise FormatError("a second objective", form.line)
        self.objective = form, operands[0].text, operands[1]

    def _relation(self, form: Form, operands: list[Expression]) -> None:
        expected = "expected (relation NAME ARITY (supports (VALUE ..) ..)), or conflicts"
        name = self._name(form, operands, self.evaluator.predicates, self.evaluator.relations)
        if is_reserved(name):
            raise FormatError(f"{shown(operands[0])} cannot be a relation's name", form.line)
        if len(operands) != 3 or not isinstance(operands[1], Symbol) or not isinstance(operands[2], Form):
            raise FormatError(expected, form.line)
        arity, listed = number(operands[1]), operands[2]
        if arity is None or arity < 1 or listed.head not in ("supports", "conflicts"):
            raise FormatError(expected, form.line)
        rows = []
        for row in listed.items[1:]:
            entries = row.items if isinstance(row, Form) else (row,)
            values = [number(entry) if isinstance(entry, Symbol) else None for entry in entries]
            if len(values) != arity or any(value is None for value in values):
                raise FormatError(f"expected {arity} numbers in a row of {name}", row.line)
            rows.append(values)
        allowed = listed.head == "supports"

        def apply(values: Sequence[Any]) -> Any:
            found = e.table(list(values), rows)
            return found if allowed else ~found

        self.evaluator.relations[name] = Operator((NUMBER,), arity, arity, apply)

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
        name = self._name(form, list(names), self.evaluator.predicates, self.evaluator.relations)
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
        """A domain's intervals in order, with gaps between them: ``lo hi``, ``value``, ``(range ..)`` or a name."""
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
        joined: list[tuple[int, int]] = ranges[:1]
        for low, high in ranges[1:]:
            if low <= joined[-1][1] + 1:
                joined[-1] = joined[-1][0], max(high, joined[-1][1])
            else:
                joined.append((low, high))
        return joined

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
        statement, circuit = self.evaluator.statement, self.circuit
        gaps: list[tuple[str, Any]] = []
        for name, ranges in self.integers.items():
            low, high = ranges[0][0], ranges[-1][1]
            variable = circuit.integer(name, low, high)
            made = statement.integer(name, low, high)
            self.evaluator.names[name] = made
            if len(ranges) > 1:
                if sum(last - first + 1 for first, last in ranges) <= _LISTED:
                    values = np.concatenate([np.arange(first, last + 1) for first, last in ranges])
                    statement.domains[-1] = values
                    circuit.only(variable, values)
                else:
                    gaps += [(name, (made <= end) | (made >= start)) for (_, end), (start, _) in pairwise(ranges)]
        for name in self.booleans:
            circuit.integer(name, 0, 1)
            self.evaluator.names[name] = statement.boolean(name)
        for name, gap in gaps:
            statement.add(gap, name=f"the domain of {name}")
            circuit.require(self.evaluator.lowering.formula(gap))
        if self.objective is not None:
            form, word, expression = self.objective
            value = self.evaluator.value(expression)
            if not isinstance(value, IntegerExpression):
                raise FormatError(f"{shown(expression)} in {shown(form)} is no number", form.line)
            self.evaluator.whole(value)
            (statement.maximize if word == "maximize" else statement.minimize)(value)

    def state(self, expression: Expression) -> None:
        """Require what ``expression`` says."""
        value = self.evaluator.value(expression)
        if not isinstance(value, BooleanExpression):
            raise FormatError(f"{shown(expression)} is a number, no constraint", expression.line)
        self.evaluator.statement.add(value, name=f"line {expression.line}: {value}")
        self.circuit.require(self.evaluator.whole(value))


_LISTED = 1_000_000
"""Values of a domain with gaps up to which they are listed."""
