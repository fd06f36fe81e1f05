"""What stands before every request: who may ask, from where, and how much.

The page is for one person on this machine. Other pages in the same browser, other users' processes and other machines
are kept out: by the ``Host`` and ``Origin`` headers, by a token in the opened address that becomes a cookie, and by a
policy that lets the page load nothing from elsewhere.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from nonosat.app.requests import STYLE_POLICY, RequestError, navigates, refusal_page, unknown_page

# The names of this server. A request under another name is refused (DNS rebinding).


LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True)
class Hosts:
    """The ``Host`` headers that are meant: ``address`` as ``--host`` says it, and ``port``."""

    address: str
    port: int

    @property
    def everywhere(self) -> bool:
        """Whether the server listens on every address of the machine."""
        return self.address in ("0.0.0.0", "::")

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.address == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.address).is_loopback
        except ValueError:
            return False

    @property
    def url(self) -> str:
        """Where a browser of this machine finds it, without a path.

        >>> Hosts("::1", 8000).url
        'http://[::1]:8000'
        """
        address = "127.0.0.1" if self.everywhere else self.address
        return f"http://{_bracketed(address)}:{self.port}"

    def allows(self, header: str) -> bool:
        """Whether a ``Host`` header names this server.

        Where it listens on every address, any IP address does: rebinding takes a name.

        >>> [Hosts("127.0.0.1", 80).allows(name) for name in ("localhost", "[::1]:80", "localhost:81", "evil.example")]
        [True, True, False, False]
        """
        name, port = _split(header.lower())
        if port != self.port:
            return False
        if name in LOOPBACK:
            return self.loopback or self.everywhere
        return name == _bracketed(self.address.lower()) or (self.everywhere and _is_address(name))


def _split(header: str) -> tuple[str, int | None]:
    """Name and port; the port of plain HTTP is left out by browsers."""
    name, colon, port = header.rpartition(":")
    if not colon or port.endswith("]"):
        return header, 80
    return name, int(port) if port.isascii() and port.isdigit() and len(port) < 6 else None


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_BODY = 2**23
"""Bytes: a draft of 512x512 in colours, with its cells, and a scan of a page have room."""
UNKNOWN = "open the address that `nonosat app` printed; it works once, and this browser has not been there"
TOO_LARGE = f"the body is over {MAX_BODY:,} bytes"
BODIES = ("application/json", "application/octet-stream")
"""The content types of writes. A form of a foreign page cannot send them without asking first."""
HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'; object-src 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass
class Guard:
    """The middleware. ``token`` opens the page once; ``session`` is what the cookie holds from then on."""

    app: App
    hosts: Hosts
    token: str | None = field(default_factory=lambda: secrets.token_urlsafe(24))
    session: str = field(default_factory=lambda: secrets.token_urlsafe(32))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request, or pass it on with a limited body and headers that keep the page to itself."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # web sockets, which nothing here opens: the connection closes
        headers = _headers(scope)
        welcome = self._welcomed(scope)
        reason = self._refusal(scope, headers, welcome)
        sending = _Sending(send, self._cookie() if welcome else None)
        if reason is not None:
            first = {name: values[0] for name, values in headers.items()}
            person = scope["method"] == "GET" and (navigates(first) or not scope["path"].startswith("/api/"))
            await sending.refuse(*reason, self._page(*reason) if person else None)
            return
        await self.app(scope, _limited(receive), sending)

    def _refusal(self, scope: Scope, headers: dict[str, list[str]], welcome: bool) -> tuple[int, str] | None:
        hosts = headers.get("host", [])
        if len(hosts) != 1 or not self.hosts.allows(hosts[0]):
            return 421, "this server does not answer to that name"
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, f"{scope['method']} is not asked here"
        origins = headers.get("origin", [])
        if any(origin != f"http://{hosts[0]}" for origin in origins) or _foreign(headers):
            return 403, "another page may not ask"
        if not welcome and not self._known(headers):
            return 403, UNKNOWN
        if scope["method"] == "POST":
            return _bad_write(headers, bool(origins))
        return None

    def _page(self, status: int, reason: str) -> bytes:
        """What a person reads who is refused."""
        return unknown_page(self.hosts.url) if reason == UNKNOWN else refusal_page(reason)

    def _welcomed(self, scope: Scope) -> bool:
        """Whether the request brings the token, which no other will then."""
        if self.token is None or scope["method"] != "GET" or scope["path"] != "/":
            return False
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if not secrets.compare_digest(given.encode(), self.token.encode()):
            return False
        if not self.hosts.allows(_headers(scope).get("host", [""])[0]):
            return False
        self.token = None
        return True

    @property
    def _name(self) -> str:
        return f"nonosat-{self.hosts.port}"  # cookies know no ports: two servers would share one

    def _cookie(self) -> str:
        return f"{self._name}={self.session}; HttpOnly; SameSite=Strict; Path=/"

    def _known(self, headers: dict[str, list[str]]) -> bool:
        try:
            jar = SimpleCookie("; ".join(headers.get("cookie", [])))
        except CookieError:
            return False
        given = jar[self._name].value if self._name in jar else ""
        return secrets.compare_digest(given.encode(), self.session.encode())


class _Sending:
    """Sends an answer with our headers."""

    def __init__(self, send: Send, cookie: str | None) -> None:
        self.send, self.cookie = send, cookie

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            ours = dict(HEADERS) | ({"set-cookie": self.cookie} if self.cookie else {})
            kept = [pair for pair in message.get("headers", []) if pair[0] != b"server"]
            if any(name == b"content-security-policy" for name, _ in kept):  # of a page that is not ours: a report
                del ours["content-security-policy"]
            message["headers"] = kept + [(name.encode(), value.encode()) for name, value in ours.items()]
        await self.send(message)

    async def refuse(self, status: int, reason: str, page: bytes | None) -> None:
        """Answer with the ``page`` for a person, else with the reason as JSON; the body is not read, so the connection
        ends.
        """
        body = ('{"error": "' + reason.replace('"', "'") + '"}').encode() if page is None else page
        kind = "application/json" if page is None else "text/html; charset=utf-8"
        headers = [(b"content-type", kind.encode()), (b"connection", b"close")]
        if page is not None:
            policy = f"{HEADERS['content-security-policy']}; {STYLE_POLICY}"
            headers.append((b"content-security-policy", policy.encode()))
        headers.append((b"content-length", str(len(body)).encode()))
        await self({"type": "http.response.start", "status": status, "headers": headers})
        await self({"type": "http.response.body", "body": body})


def _headers(scope: Scope) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


def _foreign(headers: dict[str, list[str]]) -> bool:
    """Whether the browser says that another page asks for it (``none`` is a person who types the address)."""
    return any(site not in ("same-origin", "none") for site in headers.get("sec-fetch-site", [])) and (
        headers.get("sec-fetch-mode", [""])[0] != "navigate"
    )


def _bad_write(headers: dict[str, list[str]], has_origin: bool) -> tuple[int, str] | None:
    if not has_origin:
        return 403, "a write says which page it comes from (Origin)"
    kind = headers.get("content-type", [""])[0].split(";")[0].strip().lower()
    if kind not in BODIES:
        return 415, f"the body is {' or '.join(BODIES)}"
    length = headers.get("content-length", ["0"])[0]
    if not (length.isascii() and length.isdigit()) or len(length) > 12 or int(length) > MAX_BODY:
        return 413, TOO_LARGE
    return None


def _limited(receive: Receive) -> Receive:
    """``receive``, which raises ``RequestError`` once the body is over the limit, whatever its header says."""
    total = 0

    async def limited() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > MAX_BODY:
            raise RequestError(TOO_LARGE, 413)
        return message

    return limited
