"""Declarations and constraints in Sugar's language, put together to a CSP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from nonosat.csp.model import CSP
from nonosat.csp.sugar.evaluate import Evaluator, Predicate, number
from nonosat.csp.sugar.operators import DECLARATIONS, is_reserved
from nonosat.csp.sugar.sexpr import Expression, Form, Symbol, parse, shown
from nonosat.csp.sugar.term import Term
from nonosat.csp.sugar.tseitin import stated
from nonosat.errors import FormatError

_STEPS_A_CHARACTER = 30
"""How much more predicates may make of a text than it is: those that double each other would make it explode."""


@dataclass(frozen=True)
class Statement:
    """What a text declares and says: the CSP's variables are the ``integers``, the ``booleans`` and auxiliaries."""

    csp: CSP
    integers: tuple[str, ...]
    booleans: tuple[str, ...]


def read(text: str) -> CSP:
    """The CSP of ``text``: integers as declared, then Booleans as 0..1, which are the board; then auxiliaries."""
    return read_statement(text).csp


def read_statement(text: str) -> Statement:
    """The CSP of ``text``, and which names it declares. FormatError or UnsupportedError, with the line."""
    reader = _Reader(100_000 + _STEPS_A_CHARACTER * len(text))
    constraints = [expression for expression in parse(text) if not reader.declared(expression)]
    reader.declare()
    for expression in constraints:
        reader.state(expression)
    csp = stated(reader.circuit, len(reader.integers) + len(reader.booleans))
    return Statement(csp, tuple(reader.integers), tuple(reader.booleans))


class _Reader:
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
            self.evaluator.names[name] = Term({variable: 1})
            for (_, end), (start, _) in pairwise(ranges):
                at_most, below = self.circuit.at_most(variable, end), self.circuit.at_most(variable, start - 1)
                self.circuit.require(self.circuit.some([at_most, -below]))
        for name in self.booleans:
            self.evaluator.names[name] = -self.circuit.at_most(self.circuit.integer(name, 0, 1), 0)

    def state(self, expression: Expression) -> None:
        """Require what ``expression`` says."""
        value = self.evaluator.value(expression)
        if isinstance(value, Term):
            raise FormatError(f"{shown(expression)} is a number, no constraint", expression.line)
        self.circuit.require(value)
