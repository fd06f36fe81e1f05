"""The app: the page, its files, and the rooms' routes behind the guard."""

from __future__ import annotations

import mimetypes
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from nonosat.app.answers import not_written, reading, refused, unexpected
from nonosat.app.guard import Guard
from nonosat.app.hosts import Hosts
from nonosat.app.packs import packs
from nonosat.app.progress import Progress
from nonosat.app.rooms import ROOMS
from nonosat.errors import NonosatError

STATIC = Path(__file__).parent / "static"


class Files(StaticFiles):
    """The page's files; a browser asks each time whether they have changed."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, never kept without asking."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


def made(data: Path, hosts: Hosts, studies: Path) -> Guard:
    """The app that keeps what it must in the folder ``data``, shows that of ``studies``, and answers to ``hosts``.

    ``app.state`` has ``progress``, ``packs``, ``data`` and ``studies``. A room with something to begin and end has
    ``lifespan(app)``, an asynchronous context.
    """
    mimetypes.add_type("text/javascript", ".js")  # a machine may say otherwise, and modules must be that

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for room in ROOMS:
                if hasattr(room, "lifespan"):
                    await stack.enter_async_context(room.lifespan(app))
            yield
        app.state.progress.close()

    routes = [Route("/", _page), Mount("/static", Files(directory=STATIC)), Route("/api/here", reading(_here))]
    for room in ROOMS:
        routes += room.ROUTES
    app = Starlette(
        routes=routes,
        exception_handlers={NonosatError: refused, HTTPException: unexpected, OSError: not_written},
        lifespan=lifespan,
    )
    app.state.data, app.state.studies = data, studies
    app.state.packs = packs(data / "packs")
    app.state.progress = Progress(data / "progress.sqlite")
    return Guard(app, hosts)


def _here(request: Request) -> object:
    """For a page that waits until the server is there again, and knows it."""
    return {}


async def _page(request: Request) -> Response:
    return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})
