"""The parts that encodings are made of, and the names that put them together.

An encoding is written as its parts, joined by ``+``: ``tight+r3+order`` (domain, orderings, channel, integer encoding),
or ``automaton+order`` (a line encoding, integer encoding). To add a part: write its function, list it here; the command
line, the tests and the docs read this table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nonosat.csp.model import CSP
from nonosat.encodings.coupled import compile_coupled
from nonosat.encodings.direct import compile_direct
from nonosat.encodings.formula import Formula
from nonosat.encodings.log import compile_log
from nonosat.encodings.nonogram import channels, domains, ordering
from nonosat.encodings.nonogram.rules import by_automaton, by_starts
from nonosat.encodings.order import compile_order
from nonosat.errors import UnknownNameError, UnsupportedError
from nonosat.puzzles.nonogram import Nonogram

CASTILHO = "Castilho & Welter 2018"
TAMURA = "Tamura et al., Constraints 14, 2009"
OURS = "this project"


@dataclass(frozen=True)
class Part:
    """One named part. ``slot``: domain, ordering, channel, lines or integers; ``make``: its function.

    ``sound``: every model of an encoding with this ordering is a solution. An ordering that is not sound is a reading
    of the report's rules that lets wrong pictures through; one that is not ``complete`` shuts out solutions too.
    """

    slot: str
    make: Callable[..., Any]
    meaning: str
    source: str
    sound: bool = True
    complete: bool = True


PARTS: dict[str, Part] = {
    "plain": Part("domain", domains.plain, "rule 2: a run fits on its line", CASTILHO),
    "tight": Part("domain", domains.tight, "rule 2-alt: so do the runs before and behind it", CASTILHO),
    "r3": Part("ordering", ordering.rule_3, "rule 3: run k is before run k+1", CASTILHO),
    "r4ends": Part(
        "ordering", ordering.rule_4_ends, "rule 4 by its prose: run k ends before k+1 ends", CASTILHO, False
    ),
    "r4printed": Part(
        "ordering", ordering.rule_4_printed, "rule 4 by its formula: run k is behind run k+1", CASTILHO, False, False
    ),
    "r4mirrored": Part("ordering", ordering.rule_4_mirrored, "rule 4 as probably meant: rule 3 mirrored", CASTILHO),
    "r5": Part("ordering", ordering.rule_5, "rule 5: run i is before run j, for all i < j", CASTILHO),
    "r6ends": Part("ordering", ordering.rule_6_ends, "rule 6 by rule 4's prose, for all i < j", CASTILHO, False),
    "r6printed": Part(
        "ordering", ordering.rule_6_printed, "rule 6 by rule 4's formula, for all i < j", CASTILHO, False, False
    ),
    "r6mirrored": Part("ordering", ordering.rule_6_mirrored, "rule 6 as probably meant: rule 5 mirrored", CASTILHO),
    "accumulated": Part("ordering", ordering.accumulated, "all that rule 3 implies of i < j: lengths between", OURS),
    "gaps": Part("channel", channels.gaps, "a cell is blank exactly between consecutive runs", OURS),
    "iff": Part("channel", channels.iff, "a cell is coloured iff a run covers it", CASTILHO),
    "automaton": Part("lines", by_automaton, "a line is a path through its automaton", "Bacchus, CP 2007"),
    "order": Part("integers", compile_order, "order encoding: a Boolean [v <= a] a value", TAMURA),
    "direct": Part(
        "integers", compile_direct, "direct encoding: a Boolean [v = a] a value, supports", "Gent, ECAI 2002"
    ),
    "log": Part("integers", compile_log, "log encoding: binary digits", "Iwama & Miyazaki 1994"),
    "coupled": Part("integers", compile_coupled, "order and direct, coupled", "Ohrimenko et al., Constraints 14, 2009"),
}

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
    "tight+r3+direct",
    "tight+r3+iff+direct",
    "plain+r3+iff+direct",
    "tight+r3+log",
    "plain+r3+iff+log",
    "tight+r3+coupled",
    "tight+r3+iff+coupled",
    "automaton+order",
    "automaton+direct",
    "automaton+log",
    "automaton+coupled",
)
"""Sound encodings that are tested as a whole; any other combination of parts can be written out too."""

RELAXED: tuple[str, ...] = tuple(
    f"{domain}+{rule}+{channel}+order"
    for domain in ("plain", "tight")
    for rule in ("r4ends", "r6ends", "r4printed", "r6printed")
    for channel in ("gaps", "iff")
)
"""Readings of the report whose models may be wrong pictures (verdict WRONG); studied, not recommended."""

DEFAULT = "tight+r3+order"
_DEFAULT_PARTS = {"channel": "gaps", "integers": "order"}


@dataclass(frozen=True)
class Encoding:
    """How a puzzle is stated and compiled: the names of its parts. ``lines``: a line encoding in place of the rest."""

    domain: str | None
    ordering: tuple[str, ...]
    channel: str | None
    integers: str
    lines: str | None = None

    @property
    def rules(self) -> str:
        """The part of the name that fixes the CSP: ``tight+r3``."""
        if self.lines is not None:
            return self.lines
        channel = () if self.channel == _DEFAULT_PARTS["channel"] else (self.channel or "",)
        return "+".join((self.domain or "", *self.ordering, *channel))

    @property
    def name(self) -> str:
        """The whole name: ``tight+r3+order``."""
        return f"{self.rules}+{self.integers}"

    @property
    def sound(self) -> bool:
        """Whether every model is a solution: some ordering must put the runs in order, and none reverse it."""
        parts = [PARTS[name] for name in self.ordering]
        return self.lines is not None or any(part.sound for part in parts)

    @property
    def complete(self) -> bool:
        """Whether every solution is a model."""
        return all(PARTS[name].complete for name in self.ordering)

    def csp(self, puzzle: Nonogram) -> CSP:
        """The rules applied to ``puzzle``."""
        stated: CSP
        if self.lines is not None:
            stated = PARTS[self.lines].make(puzzle)
        else:
            assert self.domain is not None
            assert self.channel is not None
            orderings = [PARTS[name].make for name in self.ordering]
            stated = by_starts(puzzle, PARTS[self.domain].make, orderings, PARTS[self.channel].make)
        return stated

    def formula(self, puzzle: Nonogram) -> Formula:
        """The CNF of ``puzzle``, with the map that decodes it."""
        compiled: Formula = PARTS[self.integers].make(self.csp(puzzle))
        return compiled


def encoding(name: str) -> Encoding:
    """The encoding called ``name``; a channel or integer encoding that the name leaves out is the default one.

    The report's own are known by its rules' numbers too: ``2alt/3+4``.

    >>> encoding("tight+r3").name, encoding("2/5+6").name
    ('tight+r3+order', 'plain+r5+r6ends+iff+order')
    >>> encoding("tigth+r3")
    Traceback (most recent call last):
    nonosat.errors.UnknownNameError: unknown encoding part 'tigth'; known: plain, tight, r3, r4ends, ...
    """
    slots: dict[str, list[str]] = {"domain": [], "ordering": [], "channel": [], "integers": [], "lines": []}
    for part in REPORT.get(name, name).split("+"):
        if part not in PARTS:
            raise UnknownNameError("encoding part", part, list(PARTS))
        if part in slots[PARTS[part].slot]:
            raise UnsupportedError(f"encoding {name!r} names {part} twice")
        slots[PARTS[part].slot].append(part)
    slots["integers"] = slots["integers"] or [_DEFAULT_PARTS["integers"]]
    needed: tuple[str, ...] = ("domain", "ordering", "channel", "integers")
    excluded: tuple[str, ...] = ()
    if slots["lines"]:
        needed, excluded = ("lines", "integers"), ("domain", "ordering", "channel")
    else:
        slots["channel"] = slots["channel"] or [_DEFAULT_PARTS["channel"]]
    for slot in needed:
        if not slots[slot] or (len(slots[slot]) > 1 and slot != "ordering"):
            wanted = "at least one" if slot == "ordering" else "one"
            choices = ", ".join(part for part, entry in PARTS.items() if entry.slot == slot)
            raise UnsupportedError(f"encoding {name!r} needs {wanted} {slot}: {choices}")
    for slot in excluded:
        if slots[slot]:
            raise UnsupportedError(
                f"encoding {name!r}: {slots['lines'][0]} states whole lines, {slots[slot][0]} has no place"
            )
    first = {slot: parts[0] if parts else None for slot, parts in slots.items()}
    return Encoding(first["domain"], tuple(slots["ordering"]), first["channel"], slots["integers"][0], first["lines"])
