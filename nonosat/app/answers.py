"""A room's functions as endpoints: what they return is the answer's JSON, and what they raise its error.

They are plain functions and run in threads, so that one that takes long keeps nobody waiting.
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
    """A GET endpoint: ``function(request)`` returns what is told as JSON, or a ``Response``."""

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
    """The answer to an error that is meant for people."""
    status, more = (error.status, error.more) if isinstance(error, RequestError) else (400, {})
    return _told(request, status, str(error), more)


def unexpected(request: Request, error: Exception) -> Response:
    """A path that leads nowhere, a method that is not meant: HTTP's own errors."""
    status = getattr(error, "status_code", 500)
    return _told(request, status, f"{getattr(error, 'detail', 'not possible')}".lower())


FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG)


def not_written(request: Request, error: Exception) -> Response:
    """A file that the disk did not take; any other fault of the system is a bug of ours."""
    if not isinstance(error, OSError) or error.errno not in FULL:
        raise error
    return _told(request, 507, f"nothing can be written: {os.strerror(error.errno).lower()}")


def _told(request: Request, status: int, reason: str, more: Body | None = None) -> Response:
    """What went wrong: a page where a person looks, else JSON."""
    if navigates(request.headers):
        policy = f"{HEADERS['content-security-policy']}; {STYLE_POLICY}"
        return Response(refusal_page(reason), status, {"content-security-policy": policy}, "text/html")
    return Json({"error": reason, **(more or {})}, status)


def _answer(result: object) -> Response:
    return result if isinstance(result, Response) else Json(result)


# Answers that go on: server-sent events, ended as soon as the page that listens is gone.


StreamEndpoint = Callable[[Request], Awaitable[Response]]
STREAM_HEADERS = ((b"content-type", b"text/event-stream"), (b"cache-control", b"no-store"))


def streaming(stated: Callable[[Request, Body], Sequence[Run]], pulse_s: float | None = None) -> StreamEndpoint:
    """A POST endpoint: ``stated(request, body)`` gives the runs of a job, and what they say is the answer.

    ``pulse_s``: of a run that is silent for so long it is said that it goes on.
    """

    async def endpoint(request: Request) -> Response:
        body = parsed(await request.body())
        runs = await run_in_threadpool(stated, request, body)
        jobs: Jobs = request.app.state.jobs
        return Events(jobs.accept(runs, pulse_s))

    return endpoint


class Events(Response):
    """What a job says, an event each, as long as somebody listens."""

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
        async for said in self.job.told():
            event = f"data: {json.dumps(said, allow_nan=False, separators=(',', ':'))}\n\n"
            await send({"type": "http.response.body", "body": event.encode(), "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
