"""Which solver of a study works on which encoding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from nonosat.errors import NonosatError
from nonosat.experiments.study import Study

_T = TypeVar("_T")


@dataclass(frozen=True)
class Shape:
    """What is done with every instance: ``solvers`` on one encoding. ``parts`` stands for it in the keys.

    A SAT solver needs the encoding; CP solvers see its rules only; the others none. So a shape of CP solvers has the
    rules for its encoding, and encodings with the same rules make one shape.
    """

    encoding: str | None
    parts: str | None
    solvers: tuple[str, ...]


def shapes(study: Study) -> list[Shape]:
    """All of them, each once. FormatError: an encoding or solver that is unknown, or a program that is not there."""
    from nonosat.encodings.registry import encoding as encoding_named

    families: dict[str, list[str]] = {"SAT": [], "CP": [], "own": []}
    for family, name in solvers_of(study):
        families[family].append(name)
    if (needy := families["SAT"] + families["CP"]) and not study.encodings:
        raise study.fault("encodings", f"missing; solver {needy[0]} needs one")
    encodings = [(name, _named(study, "encodings", partial(encoding_named, name))) for name in study.encodings]
    found: dict[tuple[str, str], Shape] = {}
    for written, parts in encodings:
        if families["SAT"]:
            found.setdefault(("SAT", parts.name), Shape(written, parts.name, tuple(families["SAT"])))
        if families["CP"]:
            found.setdefault(("CP", parts.rules), Shape(parts.rules, parts.rules, tuple(families["CP"])))
    own = [Shape(None, None, tuple(families["own"]))] if families["own"] else []
    return [*found.values(), *own]


def solvers_of(study: Study) -> list[tuple[str, str]]:
    """(family, proper name) of the study's solvers, each once."""
    from nonosat.solvers.registry import solver as solver_named

    entries = [_named(study, "solvers", partial(solver_named, name)) for name in study.solvers]
    return list(dict.fromkeys((entry.family, entry.name) for entry in entries))


def _named(study: Study, key: str, look_up: Callable[[], _T]) -> _T:
    try:
        return look_up()
    except NonosatError as error:
        raise study.fault(key, error) from None
