"""A room's functions as endpoints: what they return is the answer's JSON, and what they raise its error.

They are plain functions and run in threads, so that one that takes long keeps nobody waiting.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from nonosat.app.bodies import Body, parsed
from nonosat.app.errors import STYLE_POLICY, RefusedError, navigates, refusal_page
from nonosat.app.guard import HEADERS

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
    status, more = (error.status, error.more) if isinstance(error, RefusedError) else (400, {})
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
