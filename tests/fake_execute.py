"""A runner that solves nothing: it makes records at once, for tests of what stands around the runner."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator

from nonosat.runs.events import Verdict
from nonosat.studies.plan import RunGroup, Settings
from nonosat.studies.records import Record, complete


def record(key: str, **values: object) -> Record:
    """A complete record of a run that went well."""
    return complete(
        {"key": key, "study": "s", "instance": "density/2x2/0.5/0", "encoding": "tight+r3", "sound": True}
        | {"solver": "minisat22", "outcome": "SAT", "solutions": 1, "unique": None, "picture": "a" * 16, "wall_s": 0.5}
        | values
    )


def execute(
    groups: Iterable[RunGroup],
    settings: Settings,
    slots: int,
    on_record: Callable[[Record], None],
    stop: threading.Event,
) -> None:
    """As ``run.execute``; what is not begun when ``stop`` is set is left, as there."""
    for made in records(groups, settings):
        if stop.is_set():
            on_record({**made, "outcome": str(Verdict.INTERRUPTED)})
            return
        on_record(made)


def records(groups: Iterable[RunGroup], settings: Settings) -> Iterator[Record]:
    for group in groups:
        for run in group.runs:
            values = {"study": settings.study, "instance": group.instance.name, "encoding": group.written}
            yield record(run.key, **values, solver=run.solver.name, repetition=run.repetition)
