"""Who may ask, from where, and how much: a real server, and requests of every wrong kind."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import Server

from nonosat.app.guard import HEADERS, MAX_BODY

PACKS = "/api/play/packs"


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that nobody has opened."""
    found = Server(tmp_path_factory.mktemp("closed"))
    yield found
    found.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("data"))
    found.enter()
    yield found
    found.close()


def write_headers(server: Server, **others: str) -> dict[str, str]:
    return {"Origin": server.origin, "Content-Type": "application/json", **others}


def test_it_prints_one_line_and_listens_here_only(closed: Server) -> None:
    assert closed.url.startswith(f"http://127.0.0.1:{closed.port}/?token=")
    assert len(closed.url.partition("token=")[2]) >= 32


@pytest.mark.parametrize("path", ["/", "/?token=", "/?token=wrong", PACKS, "/static/main.js", "/api/nothing"])
def test_without_the_token_nothing_is_served(closed: Server, path: str) -> None:
    status, headers, body = closed.ask("GET", path)
    assert status == 403
    assert "set-cookie" not in headers
    assert b"nonosat app" in body


def test_a_wrong_cookie_is_none(closed: Server) -> None:
    for cookie in (f"nonosat-{closed.port}=wrong", f"nonosat-{closed.port}=", "\xff=\xff", "a" * 4000):
        assert closed.ask("GET", PACKS, headers={"Cookie": cookie})[0] == 403


def test_the_token_opens_once_and_becomes_a_cookie(tmp_path: Path) -> None:
    found = Server(tmp_path)
    try:
        path = found.url.removeprefix(found.origin)
        for method in ("HEAD", "POST"):
            assert found.ask(method, path, headers=write_headers(found))[0] == 403
        status, headers, body = found.ask("GET", path)
        assert (status, b"<title>" in body) == (200, True)
        cookie = headers["set-cookie"]
        assert cookie.startswith(f"nonosat-{found.port}=")
        assert "HttpOnly; SameSite=Strict; Path=/" in cookie
        assert found.ask("GET", path)[0] == 403  # it is used up
        found.cookie = cookie.split(";")[0]
        assert found.ask("GET", path)[0] == 200  # who has the cookie needs none
        assert found.ask("GET", PACKS)[0] == 200
    finally:
        found.close()


HOSTS = ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "[::1]", "localhost.evil.example:{port}"]
HOSTS += [
    "127.0.0.1:{port}@evil.example",
    "127.0.0.1:{port}, evil.example",
    "[::1]:{port}.evil.example",
    "",
    "0:{port}",
]


@pytest.mark.parametrize("host", HOSTS)
def test_a_foreign_name_is_refused(server: Server, host: str) -> None:
    """A page of that name which resolves to this machine (DNS rebinding) would send its own name."""
    headers = {"Host": host.format(port=server.port)}
    assert server.ask("GET", PACKS, headers=headers)[0] in (400, 421)


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}", "[::1]:{port}"])
def test_the_names_of_this_machine_are_taken(server: Server, host: str) -> None:
    assert server.ask("GET", PACKS, headers={"Host": host.format(port=server.port)})[0] == 200


def test_two_hosts_are_refused(server: Server) -> None:
    lines = f"GET {PACKS} HTTP/1.1\r\nHost: {server.host}\r\nHost: evil.example\r\nCookie: {server.cookie}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as connection:
        connection.sendall(lines.encode())
        assert connection.recv(12).split()[1] in (b"400", b"421")


@pytest.mark.slow
def test_ipv6_is_served_on_request(tmp_path: Path) -> None:
    try:
        found = Server(tmp_path, "--host", "::1")
    except OSError as error:
        pytest.skip(f"no IPv6 here: {error}")
    try:
        assert found.url.startswith(f"http://[::1]:{found.port}/?token=")
        found.enter()
        assert found.ask("GET", PACKS)[0] == 200
        assert found.ask("GET", PACKS, headers={"Host": f"[::2]:{found.port}"})[0] == 421
    finally:
        found.close()


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://{host}", "http://{host}.evil.example", ""])
def test_another_page_may_not_write(server: Server, origin: str) -> None:
    headers = write_headers(server, Origin=origin.format(host=server.host))
    assert server.ask("POST", "/api/play/do", b"{}", headers)[0] == 403


def test_another_page_may_not_read(server: Server) -> None:
    assert server.ask("GET", PACKS, headers={"Origin": "http://evil.example"})[0] == 403
    for site in ("cross-site", "same-site"):
        assert server.ask("GET", PACKS, headers={"Sec-Fetch-Site": site})[0] == 403
    assert server.ask("GET", PACKS, headers={"Sec-Fetch-Site": "same-origin", "Origin": server.origin})[0] == 200


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_forms_are_no_writes(server: Server, kind: str) -> None:
    assert server.ask("POST", "/api/play/do", b"{}", write_headers(server, **{"Content-Type": kind}))[0] == 415


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"])
def test_other_methods_are_refused(server: Server, method: str) -> None:
    assert server.ask(method, PACKS, b"{}", write_headers(server))[0] == 405


JUNK = [b"", b"{", b"[]", b"null", b"7", b'"x"', b"\xff\xfe", b"[" * 100_000, b'{"a":' * 50_000, b'{"version": NaN}']
JUNK += [b'{"version": ' + b"9" * 100_000 + b"}", b'{"do": "move"}', b'{"pack": ["pictures"]}', b'{"pack": "\\ud800"}']


@pytest.mark.parametrize("body", JUNK, ids=range(len(JUNK)))
def test_junk_is_refused_in_one_line(server: Server, body: bytes) -> None:
    status, _, answer = server.ask("POST", "/api/play/do", body, write_headers(server))
    assert status in (400, 404)
    told = json.loads(answer)["error"]
    assert 0 < len(told) < 300
    assert "\n" not in told


def test_a_body_over_the_limit_is_refused(server: Server) -> None:
    headers = write_headers(server)
    assert server.ask("POST", "/api/play/do", b"{}", {**headers, "Content-Length": str(MAX_BODY + 1)})[0] == 413
    assert server.ask("POST", "/api/play/do", None, {**headers, "Content-Length": "9" * 30})[0] in (400, 413)
    fits = b'{"pack": "' + b"x" * (MAX_BODY - 12) + b'"}'
    assert len(fits) == MAX_BODY
    assert server.ask("POST", "/api/play/do", fits, headers)[0] == 400


def test_a_body_without_a_length_is_counted(server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    headers = write_headers(server, Host=server.host, Cookie=server.cookie)
    chunks = (b"x" * 2**16 for _ in range(MAX_BODY // 2**16 + 1))
    try:
        connection.request("POST", "/api/play/do", chunks, headers, encode_chunked=True)
        assert connection.getresponse().status == 413
    except (BrokenPipeError, ConnectionResetError):
        pass  # refused before all of it was sent
    finally:
        connection.close()
    assert server.ask("GET", PACKS)[0] == 200


PATHS = [
    "/static/../guard.py",
    "/static/%2e%2e/guard.py",
    "/static/..%2fguard.py",
    "/static//etc/passwd",
    "/..%2f..%2f",
]
PATHS += [
    "/static/%2e%2e%2f%2e%2e%2f__init__.py",
    "/static/\\..\\guard.py",
    "/static/%00",
    "/static/a%00.js",
    "/static/",
]
PATHS += [f"{PACKS}/..%2f..%2fguard", f"{PACKS}/%2e%2e/1", f"{PACKS}/pictures/..%2f1", f"{PACKS}/pictures/%00"]


@pytest.mark.parametrize("path", PATHS)
def test_paths_lead_out_of_nothing(server: Server, path: str) -> None:
    status, _, body = server.ask("GET", path)
    assert status in (400, 404)
    assert b"import" not in body
    assert b"root:" not in body


@pytest.mark.parametrize("path", ["/", PACKS, "/static/main.js", "/api/nothing", "/static/nothing.js"])
def test_every_answer_keeps_the_page_to_itself(server: Server, path: str) -> None:
    _, headers, _ = server.ask("GET", path)
    for name, value in HEADERS.items():
        assert headers[name] == value
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert "server" not in headers
    assert not any(name.startswith("access-control") for name in headers)


def test_refusals_have_the_headers_too(closed: Server) -> None:
    _, headers, _ = closed.ask("GET", "/")
    assert set(HEADERS) <= set(headers)


def test_a_web_socket_is_not_opened(server: Server) -> None:
    headers = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": "x" * 22 + "==",
        "Sec-WebSocket-Version": "13",
    }
    assert server.ask("GET", "/api/play/packs", headers=headers)[0] != 101
