"""Watch: up to four searches side by side, what encodings make of a puzzle, and what can be taken away of it."""

from __future__ import annotations

import json
import math
import threading
import zlib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from nonosat.app import requests, work
from nonosat.app.answers import reading, streaming
from nonosat.app.bundle import standalone
from nonosat.app.database import ProgressFile, now
from nonosat.app.jobs import Jobs, JsonEvent, Run, Shelf, worked
from nonosat.app.requests import Body, RequestError
from nonosat.app.wire import cells_of, puzzle_from_wire, puzzle_to_wire
from nonosat.encodings.registry import KINDS, default_for, encoding, encoding_of
from nonosat.errors import NonosatError
from nonosat.puzzles.puzzle import Puzzle, kind_of
from nonosat.runs.events import (
    COUNTERS,
    Answer,
    Event,
    Found,
    Glimpse,
    Loading,
    Progress,
    Statistics,
    Verdict,
)
from nonosat.runs.isolation import Stop
from nonosat.runs.limits import Limits
from nonosat.runs.solver import EXTERNAL, IPASIR, Solver
from nonosat.solvers.registry import solver, solvers
from nonosat.solvers.sat.session import can_rest
from nonosat.solvers.solve import watch

LANES = 4
PULSE_S = 0.1
"""A lane without events for so long sends a pulse: some solvers send no events at all."""
MOST_FOUND = 1_000
MOST_CLOSELY = 2_000
MOST_COMPARED = 100
FILES = ("cnf", "map", "drat")


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """The server's jobs, and the files that they make."""
    app.state.jobs, app.state.shelf = Jobs(), Shelf()
    try:
        yield
    finally:
        await app.state.jobs.close()
        app.state.shelf.close()


def choices(request: Request) -> object:
    """The solvers and encodings for a kind of puzzle, and what can be seen of each solver."""
    kind = kind_of(request.path_params["kind"]).name
    fitting = [known for known in solvers().values() if known.kind in (None, kind)]
    stated = KINDS.get(kind)
    encodings = () if stated is None else (*stated.tested, *stated.aliases)
    return {
        "solvers": [about(known) for known in fitting],
        "encodings": list(dict.fromkeys(encoding(name, kind).name for name in encodings)),
        "encoding": default_for(kind) if encodings else None,
        "most": {"lanes": LANES, "found": MOST_FOUND},
    }


def about(known: Solver) -> Body:
    """What the page shows of a solver."""
    return {
        "name": known.name,
        "meaning": known.meaning,
        "encodes": known.family != "own",
        "group": _group(known),
        **seen(known),
    }


def _group(known: Solver) -> str:
    """Under which heading a list of solvers has it."""
    if known.name.startswith("certified"):
        return "With a proof"
    if known.name.startswith("cpsat"):
        return "Constraint programming"
    if known.name == "auto":
        return "The default"
    return "SAT solvers" if known.family == "SAT" else "Solvers of puzzles"


def seen(chosen: Solver) -> Body:
    """What of a solver can be ``seen`` while it works, in words; ``blind``: nothing of its board."""
    if chosen.name.startswith("cpsat"):
        return {"seen": "Only its log can be seen.", "blind": True}
    if chosen.name.startswith("certified") or (chosen.family == "SAT" and not can_rest(chosen.name)):
        return {"seen": "It cannot be looked into: only that it works, and its end.", "blind": True}
    if chosen.family == "SAT":
        words = "Seen where it rests: cells that are known for good. Its guesses cannot be seen."
        return {"seen": words, "blind": False}
    return {"seen": "", "blind": False}


def run(request: Request, body: Body) -> list[Run]:
    """Solve by up to four solvers side by side. Under the name ``race`` it is kept, to be shown again."""
    puzzle = puzzle_from_wire(body.get("puzzle"))
    lanes = body.get("lanes")
    if not isinstance(lanes, list) or not 1 <= len(lanes) <= LANES:
        raise RequestError(f'"lanes" is a list of 1 to {LANES}')
    wanted = [_question(puzzle, one, body) for one in lanes]
    runs = [lane(one) for one in wanted]
    name = requests.text(body, "race", "", longest=64)
    if not name:
        return runs
    stated = [{"solver": one.solver, "encoding": one.encoding, "about": about(solver(one.solver))} for one in wanted]
    return Recording(request.app.state.progress, name, puzzle_to_wire(puzzle), stated).of(runs)


def _question(puzzle: Puzzle, wanted: Any, body: Body) -> LaneRequest:
    if not isinstance(wanted, dict):
        raise RequestError("a lane is an object")
    name = requests.text(wanted, "solver")
    if name.startswith((EXTERNAL, IPASIR)):
        raise RequestError("external programs and libraries are run by the command line only")
    chosen = solver(name)
    chosen.refuse(puzzle.kind)
    parts = None
    if chosen.family != "own":
        parts = encoding_of(puzzle, requests.text(wanted, "encoding", default_for(puzzle))).name
    return LaneRequest(
        puzzle,
        chosen.name,
        parts,
        count=requests.integer(body, "count", 1, MOST_FOUND, 2),
        closely=requests.integer(body, "closely", 0, MOST_CLOSELY, 0),
        time_limit_s=requests.number(body, "seconds", 0.1, 3600, 60),
        memory_limit_mb=requests.number(body, "megabytes", 100, 16_000, 2_000),
    )


def _limits(body: Body) -> Limits:
    seconds = requests.number(body, "seconds", 0.1, 3600, 60)
    return Limits(seconds, requests.number(body, "megabytes", 100, 16_000, 2_000))


def compare(request: Request, body: Body) -> list[Run]:
    """What each encoding of its kind makes of a puzzle, or those of these ``names``."""
    puzzle = puzzle_from_wire(body.get("puzzle"))
    names = body.get("names", list(KINDS[puzzle.kind].tested))
    if not isinstance(names, list) or not 1 <= len(names) <= MOST_COMPARED:
        raise RequestError(f'"names" is a list of 1 to {MOST_COMPARED} encodings')
    for name in names:
        encoding_of(puzzle, requests.text({"encoding": name}, "encoding"))
    return [worked(work.compared, puzzle, names, limits=_limits(body))]


def common(request: Request, body: Body) -> list[Run]:
    """What all solutions have in common."""
    return [worked(work.shared, puzzle_from_wire(body.get("puzzle")), limits=_limits(body))]


def make(request: Request, body: Body) -> list[Run]:
    """A formula, the map of its variables, or a proof, as files to fetch."""
    puzzle = puzzle_from_wire(body.get("puzzle"))
    what = requests.choice(body, "what", FILES)
    parts = encoding_of(puzzle, requests.text(body, "encoding", default_for(puzzle)))
    shelf: Shelf = request.app.state.shelf
    key, folder = shelf.folder()
    arguments = (puzzle, what, parts.name, str(folder))
    return [worked(work.written, *arguments, limits=_limits(body), then=lambda: _files(shelf, key))]


def certify(request: Request, body: Body) -> list[Run]:
    """A certificate, checked, as files to fetch."""
    shelf: Shelf = request.app.state.shelf
    puzzle = puzzle_from_wire(body.get("puzzle"))
    key, folder = shelf.folder()
    return [worked(work.certified, puzzle, str(folder), limits=_limits(body), then=lambda: _files(shelf, key))]


def _files(shelf: Shelf, key: str) -> JsonEvent:
    files = shelf.files(key)
    return {"files": [{**file, "href": f"/api/watch/files/{key}/{file['name']}"} for file in files]}


def fetched(request: Request) -> FileResponse:
    """A file that was made, to be saved."""
    shelf: Shelf = request.app.state.shelf
    name = request.path_params["name"]
    path = shelf.file(request.path_params["key"], name)
    return FileResponse(path, media_type="application/octet-stream", filename=name)


# A watched solve as the run of a job: the events of the search as JSON.


TIMES = ("variables", "clauses", "encode_s", "load_s", "solve_s", "cpu_s", "wall_s", "peak_memory_mb")


@dataclass(frozen=True)
class LaneRequest:
    """What a lane solves, and under which limits; the others are as in ``watch``."""

    puzzle: Puzzle
    solver: str
    encoding: str | None
    count: int
    closely: int
    time_limit_s: float
    memory_limit_mb: float


def lane(wanted: LaneRequest) -> Run:
    """The run that solves, and shows itself meanwhile."""

    def run(stop: Stop) -> Iterator[JsonEvent]:
        writer = EventWriter()
        try:
            for event in watch(**vars(wanted), stop=stop):
                yield from writer.written(event)
        except NonosatError as error:
            yield {"type": "failed", "error": str(error)}

    return run


MOST_RACES = 100
"""That are kept; the oldest go."""
MOST_RECORDED = 5_000_000
"""Characters of a lane's events; of what comes behind that only the end is kept."""


class Recording:
    """The events of a race, kept in the database when the last of its lanes has ended, however it ended."""

    def __init__(self, database: ProgressFile, name: str, puzzle: Body, lanes: list[Body]) -> None:
        self.database, self.name = database, name
        self.race: Body = {"puzzle": puzzle, "lanes": lanes}
        self.texts: list[list[str]] = [[] for _ in lanes]
        self.lock, self.left = threading.Lock(), len(lanes)

    def of(self, runs: list[Run]) -> list[Run]:
        """These runs, whose events are kept as they pass."""
        return [self._kept(run, texts) for run, texts in zip(runs, self.texts, strict=True)]

    def _kept(self, run: Run, texts: list[str]) -> Run:
        def kept(stop: Stop) -> Iterator[JsonEvent]:
            room = MOST_RECORDED
            try:
                for event in run(stop):
                    text = json.dumps(event, allow_nan=False, separators=(",", ":"))
                    room -= len(text)
                    if room > 0 or event["type"] in ("answer", "failed"):
                        texts.append(text)
                    yield event
            finally:
                self._ended()

        return kept

    def _ended(self) -> None:
        with self.lock:
            self.left -= 1
            if self.left:
                return
        events = ",".join(f"[{','.join(texts)}]" for texts in self.texts)
        text = f'{json.dumps(self.race)[:-1]},"events":[{events}]}}'
        with self.database.transaction() as connection:
            row = (self.name, now(), zlib.compress(text.encode(), 6))
            connection.execute("INSERT OR REPLACE INTO races VALUES (?, ?, ?)", row)
            oldest = "SELECT id FROM races ORDER BY made DESC LIMIT -1 OFFSET ?"
            connection.execute(f"DELETE FROM races WHERE id IN ({oldest})", (MOST_RACES,))


def race(request: Request) -> Response:
    """A race that is kept: its ``puzzle``, its ``lanes``, and the ``events`` of each."""
    return Response(race_text(request), media_type="application/json")


def race_page(request: Request) -> Response:
    """A race that is kept, as a file that replays it without a server."""
    text = race_text(request)
    title = json.loads(text)["puzzle"]["title"] or "A race of solvers"
    made = standalone(title, "watch/replay.js", text, ("board.css", "style.css"))
    headers = {"content-disposition": 'attachment; filename="race.html"'}
    return Response(made, media_type="text/html", headers=headers)


def race_text(request: Request) -> str:
    """A race that is kept, as JSON. RequestError (404): there is none of that name."""
    database: ProgressFile = request.app.state.progress
    with database.transaction() as connection:
        row = connection.execute("SELECT text FROM races WHERE id = ?", (request.path_params["name"],)).fetchone()
    if row is None:
        raise RequestError("that race is not kept any more", 404)
    return zlib.decompress(row[0]).decode()


class EventWriter:
    """Writes the events of a search as JSON. Of a board it writes only the cells that changed since the last one."""

    def __init__(self) -> None:
        self.cells: npt.NDArray[np.int64] | None = None

    def written(self, event: Event | Answer) -> Iterator[JsonEvent]:
        """The JSON of an event."""
        match event:
            case Loading(what):
                self.cells = None
                yield {"type": "loading", "what": what}
            case Glimpse():
                yield self._glimpse(event)
            case Progress(stage, about, encoding):
                yield {"type": "stage", "stage": stage, "encoding": encoding, "about": numbers(about)}
            case Found(cells):
                yield {"type": "found", "cells": np.asarray(cells).reshape(-1).astype(int).tolist()}
            case Answer():
                yield {"type": "answer", **_answer(event)}

    def _glimpse(self, seen: Glimpse) -> JsonEvent:
        event: JsonEvent = {"type": "look", "at": round(seen.at_s, 5), "doing": seen.doing, "guesses": seen.guesses}
        event["about"] = numbers(seen.statistics)
        if seen.cells is not None:
            cells = np.asarray(seen.cells, dtype=np.int64).reshape(-1)
            before = np.full_like(cells, -1) if self.cells is None else self.cells
            where = np.flatnonzero(cells != before)
            event["changed"] = np.stack((where, cells[where]), axis=1).reshape(-1).tolist()
            self.cells = cells
        if seen.odds is not None:
            odds = np.where(np.isnan(seen.odds), -1, np.round(100 * seen.odds)).astype(int)
            event["odds"] = odds.reshape(-1).tolist()
        return event


def numbers(about: Statistics) -> dict[str, float | int]:
    """What is known of a search's cost."""
    names = (*(counter.name for counter in COUNTERS), *TIMES)
    values = {name: getattr(about, name) for name in names}
    return {name: value for name, value in values.items() if value is not None and math.isfinite(value)}


VERDICTS = {
    "UNSAT": "No solution",
    "TIMEOUT": "Out of time",
    "MEMOUT": "Out of memory",
    "UNKNOWN": "Gave up",
    "INTERRUPTED": "Stopped",
}


def headline(answer: Answer) -> str:
    """An answer in a few words, for people."""
    found = len(answer.pictures)
    if answer.verdict != "SAT":
        return VERDICTS.get(answer.verdict, str(answer.verdict))
    if answer.unique:
        return "One solution, and no other"
    counted = "1 solution" if found == 1 else f"{found:,} solutions"
    if answer.stopped is not None:
        return f"{counted} until it was stopped ({answer.stopped})"
    if answer.exhausted:
        return f"{counted}, and no others"
    return "A solution" if found == 1 else counted


def _answer(answer: Answer) -> JsonEvent:
    return {
        "verdict": str(answer.verdict),
        "summary": headline(answer),
        "exhausted": answer.exhausted,
        "complete": answer.verdict in (Verdict.SAT, Verdict.UNSAT) and answer.stopped is None,
        "reason": answer.reason,
        "solutions": len(answer.pictures),
        "cells": None if answer.picture is None else cells_of(answer.picture),
        "about": numbers(answer.statistics),
    }


ROUTES = [
    Route("/api/watch/choices/{kind}", reading(choices)),
    Route("/api/watch/run", streaming(run, pulse_s=PULSE_S), methods=["POST"]),
    Route("/api/watch/races/{name}", reading(race)),
    Route("/api/watch/races/{name}/page", reading(race_page)),
    Route("/api/watch/compare", streaming(compare), methods=["POST"]),
    Route("/api/watch/common", streaming(common), methods=["POST"]),
    Route("/api/watch/make", streaming(make), methods=["POST"]),
    Route("/api/watch/certify", streaming(certify), methods=["POST"]),
    Route("/api/watch/files/{key}/{name}", reading(fetched)),
]
