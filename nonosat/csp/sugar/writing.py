"""A statement as a text in Sugar's language, which ``read_statement`` reads back.

>>> statement = Problem()
>>> x, y = statement.integer("x", [1, 2, 5]), statement.boolean("y")
>>> statement.add(y == (2 * x > 3))
>>> print(sugar(statement), end="")
(int x (1 2 5))
(bool y)
(iff y (> (* 2 x) 3))
"""

from __future__ import annotations

from collections.abc import Callable

from nonosat.csp.expressions import STAR, Expression, folded
from nonosat.csp.statement import Problem
from nonosat.errors import UnsupportedError


def sugar(statement: Problem) -> str:
    """The text, a line a constraint. UnsupportedError: a constraint that the language does not have."""
    writer = _Writer()
    lines = []
    for name, variable, domain in zip(statement.names(), statement.variables, statement.domains, strict=True):
        if any(c in "();" for c in name):
            raise UnsupportedError(f"{name} cannot be a name in Sugar's language")
        if variable.op == "boolean":
            lines.append(f"(bool {name})")
        elif isinstance(domain, tuple):
            lines.append(f"(int {name} {domain[0]} {domain[1]})")
        else:
            lines.append(f"(int {name} ({' '.join(map(str, domain.tolist()))}))")
    constraints = []
    for name, constraint in statement.constraints:
        try:
            constraints.append(writer.text(constraint))
        except UnsupportedError as error:
            raise UnsupportedError(f"{name}: {error}") from None
    if statement.objective is not None:
        goal = writer.text(statement.objective.expression)
        constraints.append(f"(objective {'maximize' if statement.objective.greatest else 'minimize'} {goal})")
    return "".join(f"{line}\n" for line in (*lines, *writer.relations, *constraints))


_PLAIN = {
    "and": "and", "or": "or", "not": "not", "same": "iff", "all_different": "alldifferent", "product": "*",
    "abs": "abs", "max": "max", "min": "min", "floordiv": "div", "mod": "mod", "power": "pow", "choice": "if",
}  # fmt: skip
_COMPARISONS = {"==": "=", "!=": "!=", "<=": "<=", "<": "<", ">=": ">=", ">": ">"}


class _Writer:
    """Texts of expressions, and the relations that their tables have become."""

    def __init__(self) -> None:
        self.relations: list[str] = []
        self._names: dict[int, str] = {}

    def text(self, root: Expression) -> str:
        """The text of ``root``."""
        return folded(root, {}, self._text)

    def _text(self, node: Expression, parts: list[str]) -> str:
        if node.op in ("variable", "boolean"):
            return str(node.data[1])
        if node.op == "constant":
            return str(node.data)
        if node.op == "truth":
            return "true" if node.data else "false"
        if node.op in _PLAIN:
            return _form(_PLAIN[node.op], *parts)
        written: Callable[[Expression, list[str]], str] | None = getattr(self, f"_{node.op}", None)
        if written is None:
            name = {"truncdiv": "quotient", "truncmod": "remainder"}.get(node.op, node.op)
            raise UnsupportedError(f"{name} is not written in Sugar's language")
        return written(node, parts)

    def _indicator(self, node: Expression, parts: list[str]) -> str:
        return _form("if", parts[0], "1", "0")

    def _sum(self, node: Expression, parts: list[str]) -> str:
        coefficients, constant = node.data
        factors: dict[str, int] = {}  # of equal terms one: each by itself may be too large to be read
        for a, part in zip(coefficients, parts, strict=True):
            factors[part] = factors.get(part, 0) + a
        terms = [part if a == 1 else _form("*", str(a), part) for part, a in factors.items()]
        terms += [str(constant)] if constant or not terms else []
        return terms[0] if len(terms) == 1 else _form("+", *terms)

    def _compare(self, node: Expression, parts: list[str]) -> str:
        return _form(_COMPARISONS[node.data], *parts)

    def _table(self, node: Expression, parts: list[str]) -> str:
        if (node.data == STAR).any():  # which relations do not have
            ways = [
                _form("and", *(_form("=", part, str(a)) for part, a in zip(parts, row, strict=True) if a != STAR))
                for row in node.data.tolist()
            ]
            # a number without a value makes the constraint false, also where a row has a star
            valued = [_form("=", part, part) for part in parts if part.startswith("(")]
            return _form("and", _form("or", *ways), *valued) if valued else _form("or", *ways)
        if id(node) not in self._names:
            self._names[id(node)] = f"rows_{len(self._names) + 1}"
            rows = " ".join(f"({' '.join(map(str, row))})" for row in node.data.tolist())
            arity = node.data.shape[1]
            self.relations.append(f"(relation {self._names[id(node)]} {arity} (supports{' ' * bool(rows)}{rows}))")
        return _form(self._names[id(node)], *parts)

    def _lex(self, node: Expression, parts: list[str]) -> str:
        half = len(parts) // 2
        return _form("lex_less" if node.data else "lex_lesseq", _list(parts[:half]), _list(parts[half:]))

    def _cumulative(self, node: Expression, parts: list[str]) -> str:
        n = (len(parts) - 1) // 3
        tasks = [_list([parts[i], parts[n + i], "nil", parts[2 * n + i]]) for i in range(n)]
        return _form("cumulative", _list(tasks), parts[-1])

    def _disjunctive(self, node: Expression, parts: list[str]) -> str:
        n = len(parts) // 2
        return _form("disjunctive", _list([_list([parts[i], parts[n + i]]) for i in range(n)]))

    def _inverse(self, node: Expression, parts: list[str]) -> str:
        n = len(parts) // 2
        pairs = [_form("iff", _form("=", parts[i], str(j)), _form("=", parts[n + j], str(i)))
                 for i in range(n) for j in range(n)]  # fmt: skip
        inside = [_form("and", _form(">=", part, "0"), _form("<", part, str(n))) for part in parts]
        return _form("and", *inside, *pairs)


def _form(head: str, *parts: str) -> str:
    return f"({' '.join((head, *parts))})"


def _list(parts: list[str]) -> str:
    return f"({' '.join(parts)})"
