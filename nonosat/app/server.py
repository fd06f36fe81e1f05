"""The app: the page, its files, and the rooms' routes behind the guard."""

from __future__ import annotations

import errno
import mimetypes
import os
import socket
import threading
import webbrowser
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from nonosat.app.answers import not_written, reading, refused, unexpected
from nonosat.app.game import PlayStore
from nonosat.app.guard import Guard, Hosts
from nonosat.app.packs import packs
from nonosat.app.rooms import ROOMS
from nonosat.errors import NonosatError
from nonosat.files import made_folder, shown

STATIC = Path(__file__).parent / "static"


class PageFiles(StaticFiles):
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

    routes = [Route("/", _page), Mount("/static", PageFiles(directory=STATIC)), Route("/api/here", reading(_here))]
    for room in ROOMS:
        routes += room.ROUTES
    app = Starlette(
        routes=routes,
        exception_handlers={NonosatError: refused, HTTPException: unexpected, OSError: not_written},
        lifespan=lifespan,
    )
    app.state.data, app.state.studies = data, studies
    app.state.packs = packs(data / "packs")
    app.state.progress = PlayStore(data / "progress.sqlite")
    return Guard(app, hosts)


def _here(request: Request) -> object:
    """For a page that waits until the server is there again, and knows it."""
    return {}


async def _page(request: Request) -> Response:
    return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})


# ``nonosat app``: the server on a port of this machine, and the browser that opens it.


PORT = 8610


def data_folder(named: str | None) -> Path:
    """Where progress is kept: ``named``, or the user's data folder; made if it is not there."""
    home = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return made_folder(Path(named) if named is not None else Path(home).expanduser() / "nonosat")


def listening(host: str, port: int | None) -> socket.socket:
    """A socket at ``host``; without a port at the usual one, or at any if that is taken."""
    wanted = PORT if port is None else port
    try:
        return _bound(host, wanted)
    except OSError as error:
        if port is None and error.errno == errno.EADDRINUSE:
            return _bound(host, 0)
        fault = (error.strerror or str(error)).lower()
        raise NonosatError(f"cannot listen at {host}, port {wanted}: {fault}") from None
    except UnicodeError:
        raise NonosatError("cannot listen there: that is no name of a host") from None


def _bound(host: str, port: int) -> socket.socket:
    known = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, address = known[0]
    # Where the protocol is not named, asyncio leaves small packets to be delayed, by 40 ms a request.
    found = socket.socket(family, kind, protocol)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(128)  # who asks before the server runs waits for it
    except OSError:
        found.close()
        raise
    return found


def address(guard: Guard) -> str:
    """What a person opens: the URL with its token."""
    return f"{guard.hosts.url}/?token={guard.token}"


def serve(guard: Guard, on: socket.socket, browser: bool) -> None:
    """Serve until the process gets a signal to end. ``browser``: open the page there."""
    config = uvicorn.Config(
        guard,
        ws="none",
        http="h11",
        loop="asyncio",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    if browser:
        threading.Timer(0.3, webbrowser.open, [address(guard)]).start()
    uvicorn.Server(config).run(sockets=[on])


def opened(host: str, port: int | None, data: str | None, studies: str | None = None) -> tuple[Guard, socket.socket]:
    """The app and the socket that it is to serve on."""
    stores = Path(studies or ".").absolute()
    if not stores.is_dir():
        fault = "is a file, not a folder" if stores.exists() else "no such directory"
        raise NonosatError(f"{shown(studies or '.')}: {fault}")
    folder = data_folder(data)
    on = listening(host, port)
    try:
        return made(folder, Hosts(host, on.getsockname()[1]), stores), on
    except NonosatError:
        on.close()
        raise
