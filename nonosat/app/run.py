"""``nonosat app``: the server on a port of this machine, and the browser that opens it."""

from __future__ import annotations

import errno
import os
import socket
import threading
import webbrowser
from pathlib import Path

import uvicorn

from nonosat.app.guard import Guard
from nonosat.app.hosts import Hosts
from nonosat.app.server import made
from nonosat.errors import NonosatError
from nonosat.files import made_folder, shown

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
    family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    found = socket.socket(family, socket.SOCK_STREAM)
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
    """Serve until the process is told to end. ``browser``: open the page there."""
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
