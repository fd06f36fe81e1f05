"""Which solver of a study works on which encoding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from nonosat.encodings.registry import Encoding
from nonosat.errors import NonosatError
from nonosat.experiments.study import Study
from nonosat.solvers.solver import Solver

_T = TypeVar("_T")


@dataclass(frozen=True)
class Shape:
    """What is done with every instance: ``solvers`` of one family on one ``encoding``, ``written`` so (``Group``)."""

    encoding: Encoding | None
    written: str | None
    solvers: tuple[Solver, ...]

    @property
    def parts(self) -> str | None:
        """What stands for the encoding in the keys: what the solvers see of it."""
        return self.solvers[0].sees(self.encoding)


def shapes(study: Study) -> list[Shape]:
    """All of them, each once. FormatError: an encoding or solver that is unknown, or a program that is not there."""
    families: dict[str, list[Solver]] = {"SAT": [], "CP": [], "own": []}
    for solver in solvers_of(study):
        families[solver.family].append(solver)
    if (needy := families["SAT"] + families["CP"]) and not study.encodings:
        raise study.fault("encodings", f"missing; solver {needy[0].name} needs one")
    found: dict[tuple[str, str | None], Shape] = {}
    for written, encoding in encodings_of(study):
        for family, name in (("SAT", written), ("CP", encoding.rules)):
            if families[family]:
                shape = Shape(encoding, name, tuple(families[family]))
                found.setdefault((family, shape.parts), shape)
    own = [Shape(None, None, tuple(families["own"]))] if families["own"] else []
    return [*found.values(), *own]


def encodings_of(study: Study) -> list[tuple[str, Encoding]]:
    """The study's encodings, each as it is written there and as it is meant."""
    from nonosat.encodings.registry import encoding

    return [(name, _named(study, "encodings", partial(encoding, name))) for name in study.encodings]


def solvers_of(study: Study) -> list[Solver]:
    """The study's solvers and counters, each once."""
    from nonosat.experiments.counters.registry import named

    return list(dict.fromkeys(_named(study, "solvers", partial(named, name)) for name in study.solvers))


def _named(study: Study, key: str, look_up: Callable[[], _T]) -> _T:
    try:
        return look_up()
    except NonosatError as error:
        raise study.fault(key, error) from None
