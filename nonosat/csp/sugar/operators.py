"""The operators of Sugar's language: what they take, and what they make of it in a circuit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from nonosat.csp.sugar.circuit import Circuit
from nonosat.csp.sugar.nodes import Formula
from nonosat.csp.sugar.term import Term, total
from nonosat.errors import UnsupportedError

Value: TypeAlias = Term | Formula
DECLARATIONS = ("int", "bool", "domain", "predicate")


@dataclass(frozen=True)
class Operator:
    """``kinds`` of the arguments (the last one's is that of all further ones), how many, and what it makes of them."""

    kinds: tuple[type, ...]
    least: int
    most: int | None
    apply: Callable[[Circuit, Sequence[Any]], Value]


def _product(circuit: Circuit, factors: Sequence[Term]) -> Term:
    product = Term({}, 1)
    for factor in factors:
        constant, other = (factor, product) if product.coefficients else (product, factor)
        if constant.coefficients:
            raise UnsupportedError("a product of two variables: all factors but one must be constants")
        product = other.times(constant.constant)
        circuit.bounds(product)  # so that numbers don't grow without end
    return product


def _difference(terms: Sequence[Term]) -> Term:
    """The first less all others; of a single one, its negation."""
    return terms[0].minus(total(terms[1:])) if len(terms) > 1 else terms[0].times(-1)


_LOGIC: dict[str, Operator] = {
    "not !": Operator((int,), 1, 1, lambda c, v: -v[0]),
    "and &&": Operator((int,), 0, None, lambda c, v: c.every(v)),
    "or ||": Operator((int,), 0, None, lambda c, v: c.some(v)),
    "imp =>": Operator((int,), 2, 2, lambda c, v: c.some([-v[0], v[1]])),
    "iff": Operator((int,), 2, 2, lambda c, v: c.same(v[0], v[1])),
    "xor": Operator((int,), 2, 2, lambda c, v: -c.same(v[0], v[1])),
    "eq =": Operator((Term,), 2, 2, lambda c, v: c.equal(v[0], v[1])),
    "ne !=": Operator((Term,), 2, 2, lambda c, v: -c.equal(v[0], v[1])),
    "le <=": Operator((Term,), 2, 2, lambda c, v: c.not_positive(v[0].minus(v[1]))),
    "lt <": Operator((Term,), 2, 2, lambda c, v: c.not_positive(v[0].minus(v[1], 1))),
    "ge >=": Operator((Term,), 2, 2, lambda c, v: c.not_positive(v[1].minus(v[0]))),
    "gt >": Operator((Term,), 2, 2, lambda c, v: c.not_positive(v[1].minus(v[0], 1))),
    "alldifferent": Operator((Term,), 0, None, lambda c, v: c.different(v)),
}
_TERMS: dict[str, Operator] = {
    "add +": Operator((Term,), 0, None, lambda c, v: total(v)),
    "sub -": Operator((Term,), 1, None, lambda c, v: _difference(v)),
    "neg": Operator((Term,), 1, 1, lambda c, v: v[0].times(-1)),
    "mul *": Operator((Term,), 0, None, _product),
    "abs": Operator((Term,), 1, 1, lambda c, v: c.greatest([v[0], v[0].times(-1)])),
    "max": Operator((Term,), 1, None, lambda c, v: c.greatest(v)),
    "min": Operator((Term,), 1, None, lambda c, v: c.greatest([term.times(-1) for term in v]).times(-1)),
    "if": Operator((int, Term), 3, 3, lambda c, v: c.choice(v[0], v[1], v[2])),
}
OPERATORS = {name: operator for names, operator in (_LOGIC | _TERMS).items() for name in names.split()}
NOT_READ = frozenset(
    {"objective", "relation", "div", "/", "mod", "%", "pow", "weightedsum", "cumulative", "element", "disjunctive"}
    | {"lex_less", "lex_lesseq", "nvalue", "count", "global_cardinality", "global_cardinality_with_costs"}
)


def is_reserved(name: str) -> bool:
    """Whether ``name`` means something in front of a list already, here or in Sugar."""
    return name in OPERATORS or name in NOT_READ or name in DECLARATIONS
