"""Endpoints of plain functions: a result is the answer's JSON, an exception its error.

The functions run in threads, so that a slow one does not block the others.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from nonosat.app.guard import HEADERS
from nonosat.app.jobs import AppJob, Jobs, Run
from nonosat.app.requests import STYLE_POLICY, Body, RequestError, navigates, parsed, refusal_page

Endpoint = Callable[[Request], Awaitable[Response]]


class Json(JSONResponse):
    """JSON without spaces; a number that JSON does not have is a bug."""

    def render(self, content: Any) -> bytes:
        """The answer's bytes."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


def reading(function: Callable[[Request], object]) -> Endpoint:
    """A GET endpoint: ``function(request)`` returns what becomes JSON, or a ``Response``."""

    async def endpoint(request: Request) -> Response:
        return _answer(await run_in_threadpool(function, request))

    return endpoint


def writing(function: Callable[[Request, Body], object]) -> Endpoint:
    """A POST endpoint: ``function(request, body)``; the body is a JSON object."""

    async def endpoint(request: Request) -> Response:
        body = parsed(await request.body())
        return _answer(await run_in_threadpool(function, request, body))

    return endpoint


def refused(request: Request, error: Exception) -> Response:
    """The answer to a ``NonosatError``."""
    status, more = (error.status, error.more) if isinstance(error, RequestError) else (400, {})
    return _error(request, status, str(error), more)


def unexpected(request: Request, error: Exception) -> Response:
    """The answer to HTTP's own errors: an unknown path, a wrong method."""
    status = getattr(error, "status_code", 500)
    return _error(request, status, f"{getattr(error, 'detail', 'not possible')}".lower())


FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG)


def not_written(request: Request, error: Exception) -> Response:
    """The answer where the disk is full or read-only; any other OSError is a bug."""
    if not isinstance(error, OSError) or error.errno not in FULL:
        raise error
    return _error(request, 507, f"nothing can be written: {os.strerror(error.errno).lower()}")


def _error(request: Request, status: int, reason: str, more: Body | None = None) -> Response:
    """The answer to an error: a page for a person, JSON for a script."""
    if navigates(request.headers):
        policy = f"{HEADERS['content-security-policy']}; {STYLE_POLICY}"
        return Response(refusal_page(reason), status, {"content-security-policy": policy}, "text/html")
    return Json({"error": reason, **(more or {})}, status)


def _answer(result: object) -> Response:
    return result if isinstance(result, Response) else Json(result)


# Answers that go on: server-sent events, which end when the page is gone.


StreamEndpoint = Callable[[Request], Awaitable[Response]]
STREAM_HEADERS = ((b"content-type", b"text/event-stream"), (b"cache-control", b"no-store"))


def streaming(stated: Callable[[Request, Body], Sequence[Run]], pulse_s: float | None = None) -> StreamEndpoint:
    """A POST endpoint: ``stated(request, body)`` gives the runs of a job, whose events are the answer.

    ``pulse_s``: a run without events for so long sends one.
    """

    async def endpoint(request: Request) -> Response:
        body = parsed(await request.body())
        runs = await run_in_threadpool(stated, request, body)
        jobs: Jobs = request.app.state.jobs
        return Events(jobs.accept(runs, pulse_s))

    return endpoint


class Events(Response):
    """The events of a job, as long as the page is there."""

    def __init__(self, job: AppJob) -> None:
        super().__init__()
        self.job = job

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the end; stop when the connection is."""
        sending, gone = asyncio.create_task(self._send(send)), asyncio.create_task(_gone(receive))
        try:
            await asyncio.wait((sending, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, gone):
                task.cancel()
            ended, _ = await asyncio.gather(sending, gone, return_exceptions=True)
            self.job.leave()
        if isinstance(ended, Exception) and not isinstance(ended, OSError):  # the connection's end is no fault
            raise ended

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": list(STREAM_HEADERS)})
        async for event in self.job.events():
            line = f"data: {json.dumps(event, allow_nan=False, separators=(',', ':'))}\n\n"
            await send({"type": "http.response.body", "body": line.encode(), "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
