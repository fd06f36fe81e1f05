"""How figures divide runs among panels, and order and shorten the names of encodings."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from nonosat.experiments.analysis.frames import values_of

RASTER = 2000
"""Panels of more points than this are pixels in a vector drawing."""


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


def shortened(name: str) -> str:
    """A report's name without its rule 2, where the panel says that."""
    domain, slash, rules = name.partition("/")
    return rules if slash and domain in ("2", "2alt") else name
