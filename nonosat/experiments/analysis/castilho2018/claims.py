"""What the report claims of its curves (Castilho & Welter 2018, ch. 5.3 and 6), asked of records.

Rules 4 and 6 have three readings (see ``docs/encodings.md``), and the report's figures show one of them without saying
which. A claim is a predicate on curves: a mean for each encoding and density. Boards are resampled (the bootstrap, with
each density's boards drawn anew); a claim *holds* if it does so in at least 95 % of the samples, *does not hold* if it
does in at most 5 %, and else there is not enough data to tell, as there is not where an encoding or density is missing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from nonosat.experiments.analysis.boards import clock_of
from nonosat.experiments.analysis.castilho2018.curves import FEWEST_BOARDS, Curves, curves
from nonosat.experiments.analysis.castilho2018.figures import DOMAINS, READINGS, RULES, of_report
from nonosat.experiments.analysis.castilho2018.predicates import (
    FEW,
    MUCH,
    Check,
    Truth,
    alt_is_less,
    close,
    falls_when_dense,
    few,
    fewest_when_dense,
    least,
    others_stable,
    peak_at,
    rises,
)
from nonosat.experiments.analysis.frames import sizes, values_of

SURE = 0.95
HOLDS, FAILS, UNKNOWN = "holds", "does not hold", "not enough data"


@dataclass(frozen=True)
class Claim:
    """``check`` gives its truth in every sample (the boards' own first), and the numbers in words."""

    name: str
    says: str
    column: str
    needs: tuple[str, ...]
    check: Check


_ALL = tuple(f"{domain}/{rules}" for domain in DOMAINS for rules in RULES)


def _claims() -> tuple[Claim, ...]:
    found = [
        Claim(
            "2alt fewer decisions", "2-alt needs fewer decisions than 2 nearly always", "decisions", _ALL, alt_is_less
        ),
        Claim("2alt faster", "2-alt is faster than 2 nearly always", "time_s", _ALL, alt_is_less),
    ]
    for d in DOMAINS:
        for rule in ("6", "5+6"):
            a, b = f"{d}/{rule}", f"{d}/3"
            found += [
                Claim(f"{a} few decisions", f"{a} needs very few decisions", "decisions", (a, b), few(a, b, FEW)),
                Claim(
                    f"{a} fewest when dense", f"{a} needs few decisions most of all near 50 %", "decisions", (a, b),
                    fewest_when_dense(a, b),
                ),
            ]  # fmt: skip
        five, six, four, three, both = (f"{d}/{rule}" for rule in ("5", "6", "4", "3", "5+6"))
        group = tuple(f"{d}/{rule}" for rule in RULES)
        found += [
            Claim(f"{five} like {three}", "5 needs about as many decisions as 3", "decisions", (five, three),
                  close(five, three)),
            Claim(f"{six} unlike {four}", "6 needs far fewer decisions than 4", "decisions", (six, four),
                  few(six, four, 1 / MUCH)),
            Claim(f"{six} best", "6 needs fewer decisions than all other rules", "decisions", group, least(six)),
            Claim(f"{six} fastest", "6 is faster than all other rules", "time_s", group, least(six)),
            Claim(f"{d}/3+4 slows", "3+4 gets slower with density", "time_s", _ALL, rises(f"{d}/3+4")),
            Claim(f"{both} falls", "5+6 gets far faster on dense boards", "time_s", (both,), falls_when_dense(both)),
            Claim(f"{three} peak", "the time with rule 3 peaks at 40 %", "time_s", (three,), peak_at(0.4, three)),
            Claim(f"{six} peak", "the time with rule 6 peaks at 40 %", "time_s", (six,), peak_at(0.4, six)),
        ]  # fmt: skip
    found += [
        Claim("2alt/5 slows", "5 with 2-alt gets slower with density", "time_s", _ALL, rises("2alt/5")),
        Claim("others stable", "the other rules take about the same time at every density", "time_s", _ALL,
              others_stable),
    ]  # fmt: skip
    return tuple(found)


CLAIMS = _claims()
"""The claims that are about one solver and one size; ``differences`` has those about several."""
HEADS = ("claim", "says", "reading", "solver", "size", "boards", "verdict", "support", "numbers")


def verdict(truth: Truth) -> tuple[str, float]:
    """What the samples say together, and the share of them in which the claim holds.

    >>> import numpy as np
    >>> verdict(np.array([True] * 100)), verdict(np.array([True, False])), verdict(np.array([], dtype=bool))[0]
    (('holds', 1.0), ('not enough data', 0.0), 'not enough data')
    """
    if len(truth) < 2:
        return UNKNOWN, math.nan
    support = float(truth[1:].mean())
    if support >= SURE and truth[0]:
        return HOLDS, support
    return (FAILS if support <= 1 - SURE and not truth[0] else UNKNOWN), support


def examine(
    frame: pd.DataFrame, readings: Sequence[str] = READINGS, paired: bool = False, seed: int = 0, samples: int = 400
) -> pd.DataFrame:
    """Every claim for every reading of rules 4 and 6, solver and size: holds, does not hold, or not enough data.

    Claims that name no rule 4 or 6 alone are told under every reading that has runs, since others of its encodings may
    take part in them. ``support``: the share of samples in which the claim holds.
    """
    rows = []
    for reading in readings:
        runs = of_report(frame, reading)
        for solver in values_of(runs, "solver"):
            for size in sizes(runs[runs["solver"].eq(solver)]):
                if not (runs["solver"].eq(solver) & runs["size"].eq(size) & runs["reading"].eq(reading)).any():
                    continue
                drawn = {
                    name: curves(frame, solver, size, column, reading, paired, seed, samples)
                    for name, column in (("decisions", "decisions"), ("time_s", clock_of(frame).column))
                }
                over = "ended by all" if paired else "ended"
                for claim in CLAIMS:
                    told = _told(claim, drawn[claim.column])
                    rows.append((claim.name, claim.says, reading, solver, size, over, *told))
    return pd.DataFrame(rows, columns=list(HEADS))


def _told(claim: Claim, c: Curves) -> tuple[str, float, str]:
    if not c.has(claim.needs):
        return UNKNOWN, math.nan, f"needs {FEWEST_BOARDS} boards a density that ended, of {_listed(claim.needs)}"
    truth, numbers = claim.check(c)
    return (*verdict(truth), numbers)


def _listed(names: Sequence[str]) -> str:
    return "all twelve encodings" if len(names) == len(_ALL) else ", ".join(names)


def readings_compared(examined: pd.DataFrame) -> pd.DataFrame:
    """How many of the report's claims hold in each reading of rules 4 and 6: which curves have the report's shape."""
    table = examined.groupby(["reading", "verdict"], sort=True).size().unstack(fill_value=0)
    table = table.reindex(columns=[HOLDS, FAILS, UNKNOWN], fill_value=0)
    return table.reset_index().rename_axis(columns=None)
