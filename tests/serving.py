"""A server process of its own, as `nonosat app` starts it, and plain requests to it."""

from __future__ import annotations

import http.client
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from children import started


class Server:
    """`nonosat app` on a free port, with its own data folder; ``url`` has the token that opens it once."""

    def __init__(self, data: Path, *options: str) -> None:
        self.data = data
        command = [sys.executable, "-W", "error", "-m", "nonosat", "app", "--no-open", "--port", "0"]
        command += ["--data", str(data), *options]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.process = started(command, env=environment)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        if not self.url.startswith("http://"):
            raise OSError(self.process.communicate()[1])
        parts = urlsplit(self.url)
        self.host, self.port = parts.netloc, parts.port or 80
        self.origin = f"http://{parts.netloc}"
        self.cookie = ""

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """A request with these headers and no others but its length: status, headers, body."""
        connection = http.client.HTTPConnection(urlsplit(self.url).hostname or "", self.port, timeout=120)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        given = {"Host": self.host, "Cookie": self.cookie, **(headers or {})}
        if body is not None:
            given.setdefault("Content-Length", str(len(body)))
        for name, value in given.items():
            if value:
                connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        try:
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def enter(self) -> None:
        """Take the cookie for the token, as a browser does."""
        status, headers, _ = self.ask("GET", self.url.removeprefix(self.origin))
        assert status == 200
        self.cookie = headers["set-cookie"].split(";")[0]

    def get(self, path: str) -> Any:
        status, _, body = self.ask("GET", path)
        assert status == 200, body
        return json.loads(body)

    def post(self, path: str, body: object) -> tuple[int, Any]:
        headers = {"Origin": self.origin, "Content-Type": "application/json"}
        status, _, answer = self.ask("POST", path, json.dumps(body).encode(), headers)
        return status, json.loads(answer)

    def kill(self) -> None:
        """As by kill -9."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.communicate(timeout=120)
