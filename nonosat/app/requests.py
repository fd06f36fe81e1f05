"""What a request may be refused for, with its HTTP status; and the page that says so to a person."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from html import escape
from typing import Any

from nonosat.errors import NonosatError
from nonosat.puzzles.formats.texts import lone_surrogate


class RequestError(NonosatError):
    """A request that is refused in one line; ``status`` is HTTP's, ``more`` further fields of the answer."""

    def __init__(self, reason: str, status: int = 400, **more: object) -> None:
        self.status, self.more = status, more
        super().__init__(reason)


def navigates(headers: Mapping[str, str]) -> bool:
    """Whether a person waits for the answer to a request, and no script: by its headers, in small letters."""
    mode = headers.get("sec-fetch-mode")
    return mode == "navigate" if mode else "text/html" in headers.get("accept", "")


STYLE = """
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; }
body { max-width: 38rem; margin: 12vh auto; padding: 0 1.25rem; background: light-dark(#fbfaf7, #191a1b);
  color: light-dark(#23211d, #e9e6df); overflow-wrap: anywhere; }
h1 { font-size: 1.625rem; line-height: 1.2; letter-spacing: -0.01em; }
p, li { margin: 0 0 0.75rem; }
ol { padding-left: 1.25rem; }
code { padding: 0.1rem 0.3rem; border: 1px solid light-dark(#dcd7cd, #36393b); border-radius: 4px; }
a { color: light-dark(#0b6b66, #63c4bb); }
"""
STYLE_POLICY = f"style-src 'self' 'sha256-{base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'"
"""What the policy of such a page adds: its own style and no other."""


def page(title: str, *parts: str) -> bytes:
    """A page of its own, which needs nothing else of the server; ``parts`` are HTML."""
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    head += f"<title>{escape(title)} · nonosat</title><style>{STYLE}</style>"
    body = f"<main><h1>{escape(title)}</h1>{''.join(parts)}</main>"
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>\n'.encode()


def unknown_page(url: str) -> bytes:
    """For a browser that has no cookie of this server, which is at ``url``."""
    return page(
        "This browser is not known here",
        "<p>The workbench opens by the address that <code>nonosat app</code> prints where it was started. It looks "
        f"like <code>{escape(url)}/?token=…</code>, and works once.</p>",
        "<ol><li>Open that address in this browser.</li><li>If it was used already, or is not to be found, end the "
        "program (Ctrl+C) and start it again: it prints a new one.</li><li>Then reload this page.</li></ol>",
        "<p>Nothing is lost: what you played and made is kept, and moves and drafts that this browser could not send "
        "wait in it until then.</p>",
    )


def refusal_page(reason: str) -> bytes:
    """For a person who comes to an address where there is nothing, or not for them."""
    return page(
        "That is not possible", f"<p>{escape(reason)}.</p>", '<p><a href="/">To the beginning of the workbench</a></p>'
    )


# What a request brings: JSON, read strictly; a field that is not as it should be is refused in one line.


Body = dict[str, Any]


def parsed(text: bytes) -> Body:
    """The JSON object in a body."""
    try:
        data = json.loads(text.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise RequestError("the body is not JSON") from None
    if not isinstance(data, dict):
        raise RequestError("the body is not a JSON object")
    if b"\\u" in text and lone_surrogate(json.dumps(data, ensure_ascii=False)):
        raise RequestError("the body has half a character (a lone surrogate)")
    return data


def _no_number(name: str) -> None:
    raise ValueError(name)


def text(body: Body, key: str, default: str | None = None, longest: int = 200) -> str:
    """A string of at most ``longest`` characters."""
    value = body.get(key, default)
    if not isinstance(value, str) or len(value) > longest:
        raise RequestError(f'"{key}" is a text of at most {longest:,} characters')
    return value


def integer(body: Body, key: str, least: int, most: int, default: int | None = None) -> int:
    """A whole number between ``least`` and ``most``."""
    value = body.get(key, default)
    if type(value) is not int or not least <= value <= most:
        raise RequestError(f'"{key}" is a whole number from {least} to {most}')
    return value


def number(body: Body, key: str, least: float, most: float, default: float | None = None) -> float:
    """A number between ``least`` and ``most``."""
    value = body.get(key, default)
    if type(value) not in (int, float) or not least <= value <= most:  # type: ignore[operator]
        raise RequestError(f'"{key}" is a number from {least:g} to {most:g}')
    return float(value)  # type: ignore[arg-type]


def choice(body: Body, key: str, known: tuple[str, ...], default: str | None = None) -> str:
    """One of the words that are known."""
    value = body.get(key, default)
    if not isinstance(value, str) or value not in known:
        raise RequestError(f'"{key}" is one of {", ".join(known)}')
    return value


def sender(body: Body) -> tuple[str, int]:
    """The page that writes (``client``, empty if it does not say) and the number of its write."""
    return text(body, "client", "", longest=40), integer(body, "number", 0, 2**53, 0)


def integers(value: object, what: str, count: int | None = None) -> list[int]:
    """A list of whole numbers of 32 bits, as cells are, ``count`` of them."""
    if not isinstance(value, list) or any(type(item) is not int or not -(2**31) <= item < 2**31 for item in value):
        raise RequestError(f"{what} is a list of whole numbers")
    if count is not None and len(value) != count:
        raise RequestError(f"{what} has {len(value):,} numbers, not {count:,}")
    return value
