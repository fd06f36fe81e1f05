"""What an encoding is made of, in the numbers of Castilho & Welter (2018) where it has some."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from nonosat.encodings.registry import encoding as encoding_named
from nonosat.errors import NonosatError

_DOMAINS = {"plain": "2", "tight": "2alt"}
_READINGS = ("ends", "printed", "mirrored")


class Rules(NamedTuple):
    """What an encoding is made of, as ``load`` tells; absent parts are None."""

    domain_rule: str | None = None
    rules: str | None = None
    reading: str | None = None
    channel: str | None = None
    integers: str | None = None
    report_name: str | None = None


@cache
def rules_of(name: str | None, parts: str | None) -> Rules:
    """The parts of an encoding by its name (``parts``: written out), in the report's numbers where it has some.

    >>> rules_of("2alt/5+6", None)[:3], rules_of("tight+r6mirrored+iff", None).report_name
    (('2alt', '5+6', 'ends'), '2alt/6')
    >>> rules_of("tight+r3", None).report_name is None
    True
    """
    if name is None and parts is None:
        return Rules()
    try:
        whole = encoding_named(parts or name or "")
    except NonosatError:  # another version's, which this one does not know
        return Rules()
    if whole.domain is None or whole.kind != "nonogram":
        return Rules(integers=whole.integers)
    numbers, readings = [], []
    for rule in whole.ordering:
        reading = next((r for r in _READINGS if rule.endswith(r)), None)
        readings += [reading] if reading else []
        numbers.append(rule.removeprefix("r").removesuffix(reading or "") if rule != "accumulated" else rule)
    domain, rules = _DOMAINS[whole.domain], "+".join(numbers)
    reading = "+".join(dict.fromkeys(readings))
    of_report = whole.channel == "iff" and whole.integers == "order" and "accumulated" not in numbers
    report = f"{domain}/{rules}" if of_report else None
    return Rules(domain, rules, reading, whole.channel, whole.integers, report)
