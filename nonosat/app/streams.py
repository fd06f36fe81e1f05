"""Answers that go on: server-sent events, ended as soon as the page that listens is gone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from nonosat.app.bodies import Body, parsed
from nonosat.app.jobs import Job, Jobs, Run

Endpoint = Callable[[Request], Awaitable[Response]]
HEADERS = ((b"content-type", b"text/event-stream"), (b"cache-control", b"no-store"))


def streaming(stated: Callable[[Request, Body], Sequence[Run]], pulse_s: float | None = None) -> Endpoint:
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

    def __init__(self, job: Job) -> None:
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
        await send({"type": "http.response.start", "status": 200, "headers": list(HEADERS)})
        async for said in self.job.told():
            event = f"data: {json.dumps(said, allow_nan=False, separators=(',', ':'))}\n\n"
            await send({"type": "http.response.body", "body": event.encode(), "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
