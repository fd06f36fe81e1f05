"""Under which names the server may be asked for: a page of another name that leads here is refused (DNS rebinding)."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

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
