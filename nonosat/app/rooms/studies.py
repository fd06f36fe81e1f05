"""Studies: the stores in a folder, how far each is, its records, their puzzles, and its report as a page."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import Route

from nonosat.app import requests, stores, work
from nonosat.app.answers import reading, streaming
from nonosat.app.jobs import Run, Shelf, worked
from nonosat.app.requests import Body, RequestError
from nonosat.runs.limits import Limits
from nonosat.studies.analysis.script import POLICY
from nonosat.studies.store import StoreReader

PAGE = 100
LIMITS = Limits(600, 4_000)
SHOWN = (
    *("key", "instance", "source", "kind", "solver", "encoding"),
    *("outcome", "solutions", "unique", "solve_s", "wall_s", "reason"),
)


def every(request: Request) -> object:
    """The stores in the folder, the one that was written to last first."""
    folder: Path = request.app.state.studies
    return {"folder": str(folder), "studies": [stores.card(path) for path in stores.stores(folder)]}


def _store(request: Request, name: object) -> Path:
    """The store of that name: one of those that were listed, since no path comes from outside."""
    for path in stores.stores(request.app.state.studies):
        if path.name == name:
            return path
    raise RequestError("there is no such store", 404)


def one(request: Request) -> object:
    """A store: its outcomes, and a page of its records, the newest first."""
    path = _store(request, request.path_params["store"])
    query = request.query_params
    before = query.get("page", "0")
    if not (before.isascii() and before.isdigit() and len(before) < 8):
        raise RequestError('"page" is a whole number')
    wanted = [(column, query[column]) for column in ("outcome", "solver", "encoding") if query.get(column)]
    condition = " AND ".join(f'"{column}" = ?' for column, _ in wanted) or "1"
    page = f"{condition} ORDER BY rowid DESC LIMIT {PAGE} OFFSET {PAGE * int(before)}"
    with StoreReader(path) as reader, reader.failing():
        columns = ", ".join(f'"{name}"' for name in SHOWN)
        values = [value for _, value in wanted]
        rows = reader.connection.execute(f"SELECT {columns} FROM runs WHERE {page}", values).fetchall()
    records = [dict(zip(SHOWN, row, strict=True)) for row in rows]
    return {**stores.card(path), "records": records, "page": int(before), "full": len(rows) == PAGE}


def heat(request: Request) -> object:
    """The time of each puzzle by solver and encoding."""
    return stores.heat(_store(request, request.path_params["store"]))


def total(request: Request, body: Body) -> list[Run]:
    """How many runs a study has in all."""
    return [worked(work.planned, str(_store(request, body.get("store"))), limits=LIMITS)]


def puzzle(request: Request, body: Body) -> list[Run]:
    """The puzzle of a record."""
    return [worked(work.recorded, str(_store(request, body.get("store"))), requests.text(body, "key"), limits=LIMITS)]


def report(request: Request, body: Body) -> list[Run]:
    """The report of a store, made now."""
    shelf: Shelf = request.app.state.shelf
    path = _store(request, body.get("store"))
    key, folder = shelf.folder()
    href = f"/api/studies/pages/{key}/index.html"
    return [worked(work.reported, str(path), str(folder), limits=LIMITS, then=lambda: {"href": href})]


def page(request: Request) -> FileResponse:
    """A report's page, or a file of it; the page's own script runs, and nothing else."""
    shelf: Shelf = request.app.state.shelf
    path = shelf.file(request.path_params["key"], request.path_params["name"])
    return FileResponse(path, headers={"content-security-policy": f"{POLICY}; frame-ancestors 'none'; base-uri 'none'"})


ROUTES = [
    Route("/api/studies/all", reading(every)),
    Route("/api/studies/one/{store}", reading(one)),
    Route("/api/studies/heat/{store}", reading(heat)),
    Route("/api/studies/total", streaming(total), methods=["POST"]),
    Route("/api/studies/puzzle", streaming(puzzle), methods=["POST"]),
    Route("/api/studies/report", streaming(report), methods=["POST"]),
    Route("/api/studies/pages/{key}/{name:path}", reading(page)),
]
