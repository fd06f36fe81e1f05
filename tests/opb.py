"""A reader and an enumerator of OPB, from scratch: shares nothing with the certificates' writer and checker."""

from __future__ import annotations

import re
from collections.abc import Iterable

Rows = list[tuple[dict[str, int], int]]
"""Constraints ``sum(coefficient * variable) >= degree``, negations multiplied out."""


def read(lines: Iterable[str]) -> Rows:
    """The constraints of OPB lines; an equality is two."""
    rows: Rows = []
    for line in lines:
        if line.startswith(("*", "preserved:")):
            continue
        left, relation, degree = re.fullmatch(r"(.*?)(>=|=) (-?\d+) ;", line).groups()  # type: ignore[union-attr]
        words, total, rest = left.split(), {}, int(degree)
        for coefficient, literal in zip(map(int, words[::2]), words[1::2], strict=True):
            name = literal.removeprefix("~")
            sign = -1 if literal != name else 1
            rest -= coefficient if literal != name else 0
            total[name] = total.get(name, 0) + sign * coefficient
        rows.append((total, rest))
        if relation == "=":
            rows.append(({name: -coefficient for name, coefficient in total.items()}, -rest))
    return rows


def models(rows: Rows, chosen: Iterable[str] = ()) -> list[dict[str, bool]]:
    """All models over the variables that occur and those ``chosen``, which are decided first; by backtracking."""
    names = list(dict.fromkeys([*chosen, *(name for terms, _ in rows for name in terms)]))
    of: dict[str, list[int]] = {name: [] for name in names}
    for at, (terms, _) in enumerate(rows):
        for name in terms:
            of[name].append(at)
    best = [sum(max(c, 0) for c in terms.values()) - degree for terms, degree in rows]
    found: list[dict[str, bool]] = []

    def go(at: int, values: dict[str, bool]) -> None:
        if at == len(names):
            found.append(dict(values))
            return
        name = names[at]
        for value in (False, True):
            for row in of[name]:
                coefficient = rows[row][0][name]
                best[row] -= max(coefficient, 0) - (coefficient if value else 0)
            if all(best[row] >= 0 for row in of[name]):
                go(at + 1, {**values, name: value})
            for row in of[name]:
                coefficient = rows[row][0][name]
                best[row] += max(coefficient, 0) - (coefficient if value else 0)

    if all(slack >= 0 for slack in best):
        go(0, {})
    return found
