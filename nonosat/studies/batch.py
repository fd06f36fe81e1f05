"""A helper process that carries out groups for another one: ``python -m nonosat.studies.batch``.

It reads orders from standard input, a line of JSON each, and writes to standard output, in JSON lines too: records,
with the provenance of this machine, and the word that an order is done. The end of its input ends it and its runs, so
that it dies with the process that started it.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from nonosat import plugins
from nonosat.encodings.registry import encoding
from nonosat.runs.limits import Limits
from nonosat.studies.counters import named
from nonosat.studies.plan import Instance, RunGroup, Settings, StudyRun
from nonosat.studies.records import Record

PATIENCE_S = 5.0
"""For the runs at work to end when the input has, before this process goes anyway."""

Order = dict[str, Any]


def order(groups: Iterable[RunGroup], settings: Settings, solvers: Iterable[str]) -> Order:
    """A request to a helper; ``solvers``: those of the study, for the provenance."""
    return {
        "groups": [_received(group) for group in groups],
        "settings": asdict(settings),
        "solvers": list(solvers),
        "plugins": plugins.sources(),
    }


def _received(group: RunGroup) -> dict[str, Any]:
    """A group by names."""
    runs = [{"key": run.key, "solver": run.solver.name, "repetition": run.repetition} for run in group.runs]
    return {"instance": asdict(group.instance), "encoding": group.written, "runs": runs}


def ordered(message: Order) -> tuple[list[RunGroup], Settings]:
    """The request to a helper.

    >>> runs = (StudyRun("k", named("minisat22")),)
    >>> group = RunGroup(Instance("density/2x3/0.5/7", "density", ("2x3", "0.5"), 7), encoding("2/3"), runs, "2/3")
    >>> ordered(json.loads(json.dumps(order([group], Settings("s", Limits(3.0)), [])))) == (
    ...     [group], Settings("s", Limits(3.0)))
    True
    """
    groups = []
    for values in message["groups"]:
        runs = tuple(StudyRun(run["key"], named(run["solver"]), run["repetition"]) for run in values["runs"])
        written = values["encoding"]
        stated = None if written is None else encoding(written)
        groups.append(RunGroup(_instance(values["instance"]), stated, runs, written))
    about = message["settings"]
    return groups, Settings(about["study"], Limits(**about["limits"]), about["count"])


def _instance(values: dict[str, Any]) -> Instance:
    return Instance(**values | {"values": tuple(values["values"])})


class BatchHelper:
    """The orders that have come, and the one at work."""

    def __init__(self) -> None:
        self.orders: queue.SimpleQueue[Order | None] = queue.SimpleQueue()
        self.stop = threading.Event()
        """Of the order at work; what carries it out sets it too, so that each has its own."""
        self.ended = False

    def listen(self) -> None:
        """Take orders until the input ends, which ends what is at work."""
        for line in sys.stdin:
            self.orders.put(json.loads(line))
        self.ended = True
        self.stop.set()
        self.orders.put(None)
        threading.Timer(PATIENCE_S, os._exit, (1,)).start()

    def work(self) -> None:
        """Carry out order after order."""
        from nonosat.studies import run

        while (message := self.orders.get()) is not None:
            for source in message["plugins"]:
                plugins.load_same(source)
            groups, settings = ordered(message)
            name = self.provenance(message["solvers"])

            def on_record(record: Record, name: str = name) -> None:
                send({"record": {**record, "provenance": name}})

            self.stop = threading.Event()
            if self.ended:
                return
            run.execute(groups, settings, 1, on_record, self.stop)
            send({"done": True})

    def provenance(self, solvers: list[str]) -> str:
        """The id of this machine's; its document is sent before the records that name it."""
        from nonosat.studies.provenance import identity, provenance

        document = provenance(solvers)
        send({"provenance": document})
        return identity(document)


def send(message: dict[str, Any]) -> None:
    """A line to the requesting process. The input shows if that is gone."""
    try:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        os._exit(1)


def main() -> None:
    """Listen in one thread, work in this one."""
    helper = BatchHelper()
    threading.Thread(target=helper.listen, daemon=True).start()
    try:
        helper.work()
    finally:
        sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
