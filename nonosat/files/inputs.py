"""A limited, strict reader of files: bytes, unpacked, and text."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO, StringIO
from pathlib import Path
from typing import BinaryIO

from nonosat.errors import FormatError, NonosatError
from nonosat.files.naming import reason, shown
from nonosat.files.packing import MAGIC, unpacked

MAX_BYTES = 64 * 2**20
"""No more than this is read: ``/dev/zero`` and a stdin without end are refused, not swallowed."""
_NO_TEXT = {
    b"\x89PNG\r\n\x1a\n": "a PNG image",
    b"GIF8": "a GIF image",
    b"\xff\xd8\xff": "a JPEG image",
    b"PK\x03\x04": "a ZIP archive",
    **{magic: f"compressed by {kind}" for magic, kind in MAGIC.items()},
}
"""The first bytes of what is given where a text was expected."""


def read_text(path: str | Path, limit: int = MAX_BYTES) -> str:
    """The text of the file ``path`` (``-`` is standard input), unpacked: UTF-8, a byte order mark is dropped.

    Raises ``NonosatError`` if it can't be read and ``FormatError`` if it is over ``limit`` bytes or no text.
    """
    return decode(read_bytes(path, limit), shown(path), limit)


def read_bytes(path: str | Path, limit: int = MAX_BYTES) -> bytes:
    """What is in the file ``path`` (``-`` is standard input), unpacked; or its first ``limit`` + 1 bytes.

    Raises ``NonosatError`` if it can't be read, and ``FormatError`` if it can't be unpacked or unpacks to more.
    """
    with _told(path):
        if os.fspath(path) == "-":
            return _read_stdin(limit)
        with Path(path).open("rb") as file:
            return _read(file, limit)


@contextmanager
def lines_of(path: str | Path, limit: int = MAX_BYTES) -> Iterator[Iterator[str]]:
    """The lines of the text that ``read_text`` gives, one after the other, without having all of it in memory.

    The file is opened at once; what is wrong with it is raised, as by ``read_text``, where it is come to.
    """
    with ExitStack() as stack:
        with _told(path):
            if os.fspath(path) == "-":
                stream: BinaryIO = BytesIO(_read_stdin(limit))
            else:
                stream = stack.enter_context(Path(path).open("rb"))
        yield _lines(path, stream, limit)


def _lines(path: str | Path, stream: BinaryIO, limit: int) -> Iterator[str]:
    done = size = 0
    blocks = _blocks(_pieces(stream, limit))
    while True:
        with _told(path):
            if (block := next(blocks, None)) is None:
                return
            size += len(block)
            if size > limit:
                raise _longer(limit)
            try:
                text = decode(b"\n" + block)[1:] if done else decode(block)  # marks are looked for at the beginning
            except FormatError as error:
                raise FormatError(error.reason, error.line and error.line + max(done - 1, 0)) from None
        yield from StringIO(text)  # which ends lines as it says, and at nothing else
        done += text.count("\n")


def _blocks(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """What is in ``pieces``, but in whole lines."""
    waiting: list[bytes] = []
    for piece in pieces:
        whole, newline, rest = piece.rpartition(b"\n")
        if newline:
            yield b"".join([*waiting, whole, newline])
            waiting = []
        waiting.append(rest)
    yield b"".join(waiting)


@contextmanager
def _told(path: str | Path) -> Iterator[None]:
    """What goes wrong with a file is said of it."""
    try:
        yield
    except FormatError as error:
        raise error.at(shown(path)) from None
    except (OSError, ValueError) as error:
        raise NonosatError(f"{shown(path)}: {reason(error, 'no such file')}") from None


def decode(data: bytes, source: str | None = None, limit: int = MAX_BYTES) -> str:
    r"""``data`` as text, or a ``FormatError`` that says what it is instead.

    >>> decode(b"\x89PNG\r\n\x1a\n...")
    Traceback (most recent call last):
    nonosat.errors.FormatError: not a text file: it is a PNG image
    """
    for magic, kind in _NO_TEXT.items():
        if data.startswith(magic):
            raise FormatError(f"not a text file: it is {kind}", source=source)
    if len(data) > limit:
        raise _longer(limit, source)
    if (at := data.find(b"\0")) >= 0:
        raise FormatError("not a text file: a NUL byte", _line_of(data, at), source)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError("not a text file in UTF-8", _line_of(data, error.start), source) from None


def _read_stdin(limit: int) -> bytes:
    if sys.stdin is None:
        raise OSError(errno.EBADF, "it is closed")
    stream: BinaryIO | None = getattr(sys.stdin, "buffer", None)
    return _read(stream, limit) if stream else sys.stdin.read(limit + 1).encode("utf-8")


def _read(stream: BinaryIO, limit: int) -> bytes:
    """At most ``limit + 1`` bytes, piece by piece: asked for at once, they would be set aside at once."""
    return b"".join(_pieces(stream, limit))[: limit + 1]


def _pieces(stream: BinaryIO, limit: int) -> Iterator[bytes]:
    """What is in it, unpacked, until that is more than ``limit`` bytes."""
    head = stream.read(max(map(len, MAGIC)))
    for magic, kind in MAGIC.items():
        if head.startswith(magic):
            yield from unpacked(head, stream, kind, limit)
            return
    yield head
    left = limit + 1 - len(head)
    while left > 0 and (piece := stream.read(min(left, 1 << 20))):
        yield piece
        left -= len(piece)


def _longer(limit: int, source: str | None = None) -> FormatError:
    return FormatError(f"longer than {limit // 2**20} MiB, the most that is read", source=source)


def _line_of(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1
