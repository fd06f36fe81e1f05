"""What a model is made of, in numbers: variables, domains, and constraints by kind."""

from __future__ import annotations

from collections import Counter
from statistics import median

from nonosat.csp.expressions import Expression, folded
from nonosat.csp.statement import Problem

PLAIN = frozenset(
    ("variable", "boolean", "constant", "truth", "indicator", "sum", "compare", "same", "and", "or", "not")
)
"""Operators that no constraint is named after."""


def domain_sizes(problem: Problem) -> list[int]:
    """How many values each variable has."""
    return [domain[1] - domain[0] + 1 if isinstance(domain, tuple) else len(domain) for domain in problem.domains]


def constraints_by_kind(problem: Problem) -> dict[str, int]:
    """How many constraints have each operator (``product``, ``all_different``, ...), the most frequent first.

    Of those with plain operators only, one with connectives is ``logic``, another ``linear`` if it has three variables
    or more, and else a ``comparison``.

    >>> problem = Problem()
    >>> x = problem.integer("x", 0, 9, shape=3)
    >>> problem.add(problem.all_different(x), x[0] * x[1] == x[2], x[0] < x[1] + 2, problem.sum(x) == 9)
    >>> constraints_by_kind(problem)
    {'all_different': 1, 'product': 1, 'comparison': 1, 'linear': 1}
    """
    found: Counter[str] = Counter()
    for _, constraint in problem.constraints:
        nodes = _nodes(constraint)
        own = {node.op for node in nodes} - PLAIN
        found.update(own or {_plain(nodes)})
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def _nodes(root: Expression) -> list[Expression]:
    found: list[Expression] = []
    folded(root, {}, lambda node, parts: found.append(node))
    return found


def _plain(nodes: list[Expression]) -> str:
    if not {"and", "or", "not"}.isdisjoint(node.op for node in nodes):
        return "logic"
    variables = {node.data[0] for node in nodes if node.op in ("variable", "boolean")}
    return "linear" if len(variables) > 2 else "comparison"


def facts(problem: Problem) -> dict[str, int | float | str]:
    """What records have about a model, besides its constraints."""
    sizes = domain_sizes(problem) or [0]
    return {
        "model_variables": len(problem.domains),
        "constraints": len(problem.constraints),
        "domain_median": float(median(sizes)),
        "domain_most": max(sizes),
    }
