"""How figures divide runs among panels, and order and shorten the names of encodings."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from nonosat.experiments.analysis.frames import values_of

RASTER = 2000
"""Panels of more points than this are pixels in a vector drawing."""
MOST_PANELS = 6


def panels(frame: pd.DataFrame, panel: str | None) -> list[tuple[str, pd.DataFrame]]:
    """The runs of each value of ``panel`` under its heading, and those without one; None: all runs in one panel."""
    if panel is None:
        return [("", frame)]
    heads = values_of(frame, panel)
    word = {"domain_rule": "rule "}.get(panel, "")
    found = [(f"{word}{head}", frame[frame[panel].eq(head)]) for head in heads]
    rest = frame[frame[panel].isna()]
    return [*found, ("other encodings", rest)] if len(rest) else found


def in_order(names: Sequence[str]) -> list[str]:
    """Rule 2 before 2-alt, single rules before pairs; then the rest by name."""
    return sorted(names, key=lambda name: (name.partition("/")[0] if "/" in name else "~", name.count("+"), name))


def best_first(frame: pd.DataFrame, line: str, column: str) -> list[str]:
    """The values of ``line`` that solve something: the largest share first, then those that take least."""
    groups = frame[frame[line].notna()].groupby(line)
    table = pd.DataFrame(
        {"share": groups["solved"].mean(), "time": frame[frame["solved"]].groupby(line)[column].mean()}
    )
    table = table[table["share"].gt(0)]
    table["name"] = table.index.astype(str)
    return [str(name) for name in table.sort_values(["share", "time", "name"], ascending=[False, True, True])["name"]]


def spread(values: Sequence[str], most: int) -> list[str]:
    """``most`` of ``values``, evenly, with the first and the last.

    >>> spread(["a", "b", "c", "d", "e"], 3)
    ['a', 'c', 'e']
    """
    if len(values) <= most:
        return list(values)
    return [values[round(at * (len(values) - 1) / (most - 1))] for at in range(most)]
