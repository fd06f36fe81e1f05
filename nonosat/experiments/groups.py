"""The instances and the groups of runs that follow from a study, lazily, and the same on every machine."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator
from typing import TypeVar

from nonosat.experiments.plan import Group, Instance, Run, key_from, rest_of
from nonosat.experiments.shapes import Shape, shapes
from nonosat.experiments.study import Study

_T = TypeVar("_T")


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


def groups(study: Study) -> Iterator[Group]:
    """Every group once, in the study's order, and the same on every machine. FormatError: as checking tells."""
    plans = [_Plan(study, shape) for shape in shapes(study)]
    pairs: Iterator[tuple[Instance, _Plan]] = ((instance, plan) for instance in instances(study) for plan in plans)
    if study.order == "shuffled":
        pairs = iter(sorted(pairs, key=lambda pair: _lot(study.order_seed, pair[0].name, pair[1].shape.parts)))
    for instance, plan in pairs:
        yield plan.group(instance)


class _Plan:
    """A shape with what the keys of its runs have in common."""

    def __init__(self, study: Study, shape: Shape) -> None:
        self.shape = shape
        self.runs = [
            (rest_of(shape.encoding, solver, repetition, study.settings), solver, repetition)
            for repetition in range(study.repetitions)
            for solver in shape.solvers
        ]

    def group(self, instance: Instance) -> Group:
        about = instance.identity
        runs = tuple(Run(key_from(about, rest), solver, repetition) for rest, solver, repetition in self.runs)
        return Group(instance, self.shape.encoding, runs, self.shape.written)


def _lot(seed: int, instance: str, parts: str | None) -> bytes:
    """What a group is sorted by when they are shuffled: no library's idea of a shuffle may change the order."""
    return hashlib.sha256(f"{seed}\n{instance}\n{parts}".encode()).digest()


def shard_of(group: Group, shards: int) -> int:
    """Which of ``shards`` (from 1) a whole group is in: by its first key, so the same wherever it is asked."""
    return int(group.runs[0].key, 16) % shards + 1
