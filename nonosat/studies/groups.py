"""The instances and the groups of runs that follow from a study, lazily, and the same on every machine."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from nonosat.encodings.registry import Encoding
from nonosat.errors import NonosatError
from nonosat.runs.solver import Solver
from nonosat.studies.plan import Instance, RunGroup, StudyRun, key_from, rest_of
from nonosat.studies.study import Study

# Which solver of a study works on which encoding.


_T = TypeVar("_T")


@dataclass(frozen=True)
class WorkItem:
    """What is done with every instance: ``solvers`` of one family on one ``encoding``, ``written`` so (``Group``)."""

    encoding: Encoding | None
    written: str | None
    solvers: tuple[Solver, ...]

    @property
    def parts(self) -> str | None:
        """What stands for the encoding in the keys: what the solvers see of it."""
        return self.solvers[0].sees(self.encoding)


def shapes(study: Study) -> list[WorkItem]:
    """All of them, each once. FormatError: an encoding or solver that is unknown, or a program that is not there."""
    families: dict[str, list[Solver]] = {"SAT": [], "CP": [], "own": []}
    for solver in solvers_of(study):
        families[solver.family].append(solver)
    if (needy := families["SAT"] + families["CP"]) and not study.encodings:
        raise study.fault("encodings", f"missing; solver {needy[0].name} needs one")
    found: dict[tuple[str, str | None], WorkItem] = {}
    for written, encoding in encodings_of(study):
        for family, name in (("SAT", written), ("CP", encoding.rules)):
            if families[family]:
                shape = WorkItem(encoding, name, tuple(families[family]))
                found.setdefault((family, shape.parts), shape)
    own = [WorkItem(None, None, tuple(families["own"]))] if families["own"] else []
    return [*found.values(), *own]


def encodings_of(study: Study) -> list[tuple[str, Encoding]]:
    """The study's encodings, each as it is written there and as it is meant."""
    from nonosat.encodings.registry import encoding

    return [(name, _named(study, "encodings", partial(encoding, name))) for name in study.encodings]


def solvers_of(study: Study) -> list[Solver]:
    """The study's solvers and counters, each once."""
    from nonosat.studies.counters import named

    return list(dict.fromkeys(_named(study, "solvers", partial(named, name)) for name in study.solvers))


def _named(study: Study, key: str, look_up: Callable[[], _T]) -> _T:
    try:
        return look_up()
    except NonosatError as error:
        raise study.fault(key, error) from None


def instances(study: Study) -> Iterator[Instance]:
    """Every instance once; unless the order is by instance, one of each cell (a combination of parameters) in turn.

    FormatError: a file of puzzles that is not there, or is none.
    """
    cells = [cell for entry in study.puzzles for cell in entry.cells()]
    in_order = (each for cell in cells for each in cell) if study.order == "by-instance" else _in_turn(cells)
    seen: set[str] = set()
    for instance in in_order:
        if instance.name not in seen:
            seen.add(instance.name)
            yield instance


def _in_turn(cells: Iterable[Iterator[_T]]) -> Iterator[_T]:
    waiting = deque(cells)
    while waiting:
        cell = waiting.popleft()
        for instance in cell:
            yield instance
            waiting.append(cell)
            break


def groups(study: Study) -> Iterator[RunGroup]:
    """Every group once, in the study's order, and the same on every machine. FormatError: as checking tells."""
    plans = [_Plan(study, shape) for shape in shapes(study)]
    pairs: Iterator[tuple[Instance, _Plan]] = ((instance, plan) for instance in instances(study) for plan in plans)
    if study.order == "shuffled":
        pairs = iter(sorted(pairs, key=lambda pair: _lot(study.order_seed, pair[0].name, pair[1].shape.parts)))
    for instance, plan in pairs:
        yield plan.group(instance)


class _Plan:
    """A shape with what the keys of its runs have in common."""

    def __init__(self, study: Study, shape: WorkItem) -> None:
        self.shape = shape
        self.runs = [
            (rest_of(shape.encoding, solver, repetition, study.settings), solver, repetition)
            for repetition in range(study.repetitions)
            for solver in shape.solvers
        ]

    def group(self, instance: Instance) -> RunGroup:
        about = instance.identity
        runs = tuple(StudyRun(key_from(about, rest), solver, repetition) for rest, solver, repetition in self.runs)
        return RunGroup(instance, self.shape.encoding, runs, self.shape.written)


def _lot(seed: int, instance: str, parts: str | None) -> bytes:
    """What a group is sorted by when they are shuffled: no library's idea of a shuffle may change the order."""
    return hashlib.sha256(f"{seed}\n{instance}\n{parts}".encode()).digest()


def shard_of(group: RunGroup, shards: int) -> int:
    """Which of ``shards`` (from 1) a whole group is in: by its first key, so the same wherever it is asked."""
    return int(group.runs[0].key, 16) % shards + 1
