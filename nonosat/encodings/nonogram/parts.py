"""The parts of nonograms' encodings: the rules of Castilho & Welter in their readings, and others."""

from __future__ import annotations

from nonosat.csp.model import CSP
from nonosat.encodings.integers import INTEGERS
from nonosat.encodings.nonogram import channels, domains, ordering
from nonosat.encodings.nonogram.rules import by_automaton, by_starts
from nonosat.encodings.parts import OURS, Chosen, Kind, Listed, Part
from nonosat.puzzles.nonogram import Nonogram

CASTILHO = "Castilho & Welter 2018"

PARTS: tuple[Part, ...] = (
    Part("plain", "domain", domains.plain, "rule 2: a run fits on its line", CASTILHO),
    Part("tight", "domain", domains.tight, "rule 2-alt: so do the runs before and behind it", CASTILHO),
    Part("r3", "ordering", ordering.rule_3, "rule 3: run k is before run k+1", CASTILHO),
    Part(
        "r4ends", "ordering", ordering.rule_4_ends, "rule 4 by its prose: run k ends before k+1 ends", CASTILHO, False
    ),
    Part(
        "r4printed",
        "ordering",
        ordering.rule_4_printed,
        "rule 4 by its formula: run k is behind run k+1",
        CASTILHO,
        False,
        False,
    ),
    Part("r4mirrored", "ordering", ordering.rule_4_mirrored, "rule 4 as probably meant: rule 3 mirrored", CASTILHO),
    Part("r5", "ordering", ordering.rule_5, "rule 5: run i is before run j, for all i < j", CASTILHO),
    Part("r6ends", "ordering", ordering.rule_6_ends, "rule 6 by rule 4's prose, for all i < j", CASTILHO, False),
    Part(
        "r6printed",
        "ordering",
        ordering.rule_6_printed,
        "rule 6 by rule 4's formula, for all i < j",
        CASTILHO,
        False,
        False,
    ),
    Part("r6mirrored", "ordering", ordering.rule_6_mirrored, "rule 6 as probably meant: rule 5 mirrored", CASTILHO),
    Part("accumulated", "ordering", ordering.accumulated, "all that rule 3 implies of i < j: lengths between", OURS),
    Part("gaps", "channel", channels.gaps, "a cell is blank exactly between consecutive runs", OURS),
    Part("iff", "channel", channels.iff, "a cell is coloured iff a run covers it", CASTILHO),
    Part("automaton", "lines", by_automaton, "a line is a path through its automaton", "Bacchus, CP 2007"),
)

REPORT: dict[str, str] = {
    f"{two}/{'+'.join(rules)}": "+".join(
        (domain, *(f"r{rule}{'ends' if rule in '46' else ''}" for rule in rules), "iff")
    )
    for rules in (("3",), ("4",), ("5",), ("6",), ("3", "4"), ("5", "6"))
    for two, domain in (("2", "plain"), ("2alt", "tight"))
}
"""The twelve encodings of the report by its rules' numbers (``2alt/3+4``), rules 4 and 6 read as their prose says."""

FIGURES: dict[str, str] = {
    name: "5.1-5.5" + {"3": ", 5.6", "6": ", 5.7"}.get(name.partition("/")[2], "") for name in REPORT
}
"""The report's figures that show each of its encodings (5.6 and 5.7 do not say which rule 2 they use)."""

_OTHER_INTEGERS = tuple(
    f"{rules}+{integers}"
    for integers in INTEGERS.own
    for rules in ("tight+r3", "tight+r3+iff", "plain+r3+iff")
    if integers != "order" and (rules, integers) not in (("tight+r3+iff", "log"), ("plain+r3+iff", "coupled"))
)
"""The rules that are tested with every integer encoding; two of these pairs only have their counts tested."""

ENCODINGS: tuple[str, ...] = (
    "tight+r3+order",
    "plain+r3+order",
    "tight+r5+order",
    "tight+accumulated+order",
    "tight+r3+r4ends+order",
    "tight+r3+r4mirrored+order",
    "plain+r5+r6ends+order",
    "plain+r4mirrored+iff+order",
    "tight+r6mirrored+iff+order",
    "tight+r3+iff+order",
    "plain+r3+iff+order",
    *_OTHER_INTEGERS,
    *(f"automaton+{integers}" for integers in INTEGERS.own),
)
"""Sound encodings that are tested as a whole; any other combination of parts can be written out too."""

RELAXED: tuple[str, ...] = tuple(
    f"{domain}+{rule}+{channel}+order"
    for domain in ("plain", "tight")
    for rule in ("r4ends", "r6ends", "r4printed", "r6printed")
    for channel in ("gaps", "iff")
)
"""Readings of the report whose models may be wrong pictures (verdict WRONG); studied, not recommended."""


def state(puzzle: Nonogram, chosen: Chosen) -> CSP:
    """The rules applied to ``puzzle``."""
    if whole := chosen("lines"):
        stated: CSP = whole[0](puzzle)
        return stated
    return by_starts(puzzle, chosen("domain")[0], chosen("ordering"), chosen("channel")[0])


NONOGRAM = Kind(
    "nonogram",
    PARTS,
    (("domain", "ordering", "channel"), ("lines",)),
    state,
    "tight+r3+order",
    ENCODINGS,
    several=frozenset(("ordering",)),
    omitted={"channel": "gaps"},
    aliases=REPORT,
    lists=(
        Listed(
            "report",
            "the twelve of Castilho & Welter 2018, by its rules' numbers",
            {name: f"{parts}+order; figures {FIGURES[name]}" for name, parts in REPORT.items()},
        ),
        Listed("relaxed", "readings of rules 4 and 6 alone, whose models may be WRONG", dict.fromkeys(RELAXED, "")),
    ),
)
