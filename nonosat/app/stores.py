"""How far a study is, by its store: for the page of studies, and for notebooks."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from nonosat.app.database import is_progress
from nonosat.errors import NonosatError
from nonosat.studies.store import StoreReader, written_to

AGES = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))
MOST_ROWS, MOST_COLUMNS = 100, 24
HEAT = f"""
WITH cells AS (
    SELECT instance, solver, encoding, key, outcome, MAX(COALESCE(solve_s, wall_s, 0)) AS seconds
    FROM runs GROUP BY instance, solver, encoding),
slowest AS (SELECT instance, SUM(seconds) AS total FROM cells GROUP BY instance ORDER BY total DESC LIMIT {MOST_ROWS})
SELECT instance, solver, encoding, key, outcome, seconds FROM cells JOIN slowest USING (instance)
ORDER BY total DESC, instance, solver, encoding
"""
"""Of repeated runs the slowest: SQLite takes the other columns from the row of the maximum."""


def stores(folder: Path) -> list[Path]:
    """The stores in ``folder``, the one that was written to last first; a workbench may keep its data beside them."""
    found = [path for path in folder.glob("*.sqlite") if path.is_file() and not is_progress(path)]
    return sorted(found, key=_written, reverse=True)


def _written(store: Path) -> float:
    """When it was written to last: commits go to SQLite's log first."""
    times = [0.0]
    for file in (store, store.with_name(store.name + "-wal")):
        with suppress(OSError):  # the log is there while the file is written
            times.append(file.stat().st_mtime)
    return max(times)


def card(path: Path) -> dict[str, Any]:
    """How far a store is, in numbers and in words."""
    try:
        with StoreReader(path) as reader:
            outcomes = dict(reader.count())
            counts = " · ".join(f"{name} {many:,}" for name, many in outcomes.items())
            about: dict[str, Any] = {
                "title": reader.title or path.name,
                "runs": sum(outcomes.values()),
                "summary": counts,
            }
    except NonosatError as error:
        about = {"title": path.name, "runs": 0, "summary": str(error)}
    age = _age(max(0.0, time.time() - _written(path)))
    return {"name": path.name, "running": written_to(path), "age": age, **about}


def _age(seconds: float) -> str:
    length, word = next((age for age in AGES if seconds >= age[0]), AGES[-1])
    many = int(seconds // length)
    return f"{many} {word}{'' if many == 1 else 's'} ago"


def planned(path: Path) -> int:
    """How many runs the study of a store states in all, by the text that is kept in the store."""
    from nonosat.studies.session import planned as groups_of
    from nonosat.studies.study import parse

    with StoreReader(path) as reader:
        study = parse(reader.toml, path.with_suffix(".toml"))
    return sum(len(group.runs) for group in groups_of(study, None))


def heat(path: Path) -> dict[str, Any]:
    """The time of each puzzle by solver and encoding: the puzzles that took longest, a run a cell or null.

    ``lanes`` are ``[solver, encoding]``, ``rows`` have the puzzle's name and its ``cells``.
    """
    with StoreReader(path) as reader, reader.failing():
        found = reader.connection.execute(HEAT).fetchall()
    lanes = list(dict.fromkeys((solver, encoding) for _, solver, encoding, *_ in found))
    rows: dict[str, dict[tuple[str, str | None], dict[str, Any]]] = {}
    for instance, solver, encoding, key, outcome, seconds in found:
        rows.setdefault(instance, {})[solver, encoding] = {"key": key, "outcome": outcome, "seconds": seconds}
    shown = lanes[:MOST_COLUMNS]
    listed = [{"instance": name, "cells": [cells.get(lane) for lane in shown]} for name, cells in rows.items()]
    return {"lanes": shown, "rows": listed, "left_out": len(lanes) - len(shown)}
