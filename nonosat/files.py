"""Files in and out: a limited, strict reader of text and an atomic writer; every failure is one line for people."""

from __future__ import annotations

import errno
import os
import secrets
import stat
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from nonosat.errors import FormatError, NonosatError

MAX_BYTES = 64 * 2**20
"""No more than this is read: ``/dev/zero`` and a stdin without end are refused, not swallowed."""

_MAGIC = {
    b"\x89PNG\r\n\x1a\n": "a PNG image",
    b"GIF8": "a GIF image",
    b"\xff\xd8\xff": "a JPEG image",
    b"\x1f\x8b": "compressed by gzip",
    b"PK\x03\x04": "a ZIP archive",
}


def printable(text: str, limit: int = 4096) -> str:
    r"""``text`` on one line: cut to ``limit`` characters, control characters as escapes.

    >>> print(printable("a\nb" * 5, limit=4))
    a\nba...
    """
    cut = text if len(text) <= limit else text[:limit] + "..."
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in cut)


def shown(path: str | Path) -> str:
    """How messages name ``path``; ``-`` is standard input."""
    name = os.fspath(path)
    return "standard input" if name == "-" else printable(name) or "''"


def read_text(path: str | Path, limit: int = MAX_BYTES) -> str:
    """The text of the file ``path`` (``-`` is standard input): UTF-8, a byte order mark is dropped.

    Raises ``NonosatError`` if it can't be read and ``FormatError`` if it is over ``limit`` bytes or no text.
    """
    return decode(read_bytes(path, limit), shown(path), limit)


def read_bytes(path: str | Path, limit: int = MAX_BYTES) -> bytes:
    """What is in the file ``path`` (``-`` is standard input), or its first ``limit`` + 1 bytes.

    Raises ``NonosatError`` if it can't be read.
    """
    try:
        if os.fspath(path) == "-":
            return _read_stdin(limit)
        with Path(path).open("rb") as file:
            return _read(file, limit)
    except (OSError, ValueError) as error:
        raise NonosatError(f"{shown(path)}: {_reason(error, 'no such file')}") from None


def decode(data: bytes, source: str | None = None, limit: int = MAX_BYTES) -> str:
    r"""``data`` as text, or a ``FormatError`` that says what it is instead.

    >>> decode(b"\x89PNG\r\n\x1a\n...")
    Traceback (most recent call last):
    nonosat.errors.FormatError: not a text file: it is a PNG image
    """
    for magic, kind in _MAGIC.items():
        if data.startswith(magic):
            raise FormatError(f"not a text file: it is {kind}", source=source)
    if len(data) > limit:
        raise FormatError(f"longer than {limit // 2**20} MiB, the most that is read", source=source)
    if (at := data.find(b"\0")) >= 0:
        raise FormatError("not a text file: a NUL byte", _line_of(data, at), source)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError("not a text file in UTF-8", _line_of(data, error.start), source) from None


def made_folder(path: str | Path) -> Path:
    """The folder ``path``, which is made now with those above it, if it is not there. NonosatError: it cannot be."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NonosatError(f"{shown(folder)}: {error.strerror or error}") from None
    return folder


def write_atomically(path: str | Path, data: str | bytes | Iterable[str]) -> None:
    """Write ``data`` (pieces of text are written as they come) to ``path`` or leave it alone; ``-`` is standard output.

    A regular file is replaced by a finished one (through a symbolic link: the file that it points to); devices and
    FIFOs are written to plainly. Raises ``NonosatError``; a broken pipe on standard output stays ``BrokenPipeError``,
    which the command line ends quietly.
    """
    name = os.fspath(path)
    where = "standard output" if name == "-" else shown(path)
    try:
        pieces = [data] if isinstance(data, str | bytes) else data
        payload = (piece.encode("utf-8") if isinstance(piece, str) else piece for piece in pieces)
        if name == "-":
            _write_stdout(payload)
        elif (old := _mode(name)) is None or (stat.S_ISREG(old) and not _is_special(name)):
            _replace(Path(os.path.realpath(name)), payload, old)
        else:
            # "ab": `nonosat ... --to mk /dev/stdout >> file` must not cut what the shell has there already.
            with Path(name).open("ab") as file:
                file.writelines(payload)
    except UnicodeEncodeError:
        raise NonosatError(f"{where}: the text has a lone surrogate, which UTF-8 cannot hold") from None
    except (OSError, ValueError) as error:
        if name == "-" and isinstance(error, BrokenPipeError):
            raise
        raise NonosatError(f"{where}: {_reason(error, 'no such directory')}") from None


def _replace(target: Path, payload: Iterable[bytes], old: int | None) -> None:
    if old is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))  # replacing would get around the file's mode
    # Not `tempfile`: its files are 0600 whatever the umask; the name is short because the target's may be 255 bytes.
    temporary = target.parent / f".nonosat-{secrets.token_hex(6)}.tmp"
    try:
        with temporary.open("xb") as file:
            file.writelines(payload)
        if old is not None:
            temporary.chmod(stat.S_IMODE(old))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _mode(name: str) -> int | None:
    try:
        return Path(name).stat().st_mode
    except FileNotFoundError:
        return None


def _is_special(name: str) -> bool:
    # /dev/stdout may lead to a regular file, which the shell holds open: replacing it would lose the shell's half.
    return str(Path(name).absolute()).startswith(("/dev/fd/", "/dev/std", "/proc/"))


def _read_stdin(limit: int) -> bytes:
    if sys.stdin is None:
        raise OSError(errno.EBADF, "it is closed")
    stream: BinaryIO | None = getattr(sys.stdin, "buffer", None)
    return _read(stream, limit) if stream else sys.stdin.read(limit + 1).encode("utf-8")


def _read(stream: BinaryIO, limit: int) -> bytes:
    """At most ``limit + 1`` bytes, piece by piece: asked for at once, they would be set aside at once."""
    pieces: list[bytes] = []
    left = limit + 1
    while left > 0 and (piece := stream.read(min(left, 1 << 20))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _write_stdout(payload: Iterable[bytes]) -> None:
    if sys.stdout is None:
        raise OSError(errno.EBADF, "it is closed")
    stream: BinaryIO | None = getattr(sys.stdout, "buffer", None)
    if stream is None:  # a StringIO in its place, as in notebooks
        sys.stdout.write(b"".join(payload).decode("utf-8", "replace"))
    else:
        sys.stdout.flush()
        stream.writelines(payload)
    sys.stdout.flush()


def _line_of(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1


def _reason(error: OSError | ValueError, missing: str) -> str:
    if isinstance(error, FileNotFoundError):
        return missing
    if isinstance(error, IsADirectoryError):
        return "is a directory"
    if isinstance(error, PermissionError):
        return "no permission"
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return printable(text[:1].lower() + text[1:], 200)
