"""A limited, strict reader of files: bytes, unpacked, and text."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

from nonosat.errors import FormatError, NonosatError, wrong_type
from nonosat.interrupts import late_interrupts

if TYPE_CHECKING:
    import sqlite3

# How files are called: their suffixes, and how messages name them and what went wrong.


PACKED = {".gz": "gzip", ".xz": "xz", ".zst": "zstd"}
"""Suffixes that say how a file is compressed, behind the one that says what is in it."""
_LZMA = ".lzma"
"""What came before xz; instances of the XCSP3 competitions are packed so. It is read, and not written."""
_OTHERS = {".7z", ".br", ".bz2", ".lz", ".lz4", _LZMA, ".lzo", ".z", ".zip"}
"""Suffixes that say so too, of what we do not write: under such a name plain text would be a lie."""


def packing_of(path: str | Path) -> str | None:
    """How a file of this name is compressed; None: it is not. ValueError: in a way that we do not write.

    >>> packing_of("b.cnf.gz"), packing_of("b.cnf")
    ('gzip', None)
    """
    suffix = Path(path).suffix.lower()
    if suffix in _OTHERS:
        raise ValueError(f"{suffix} is not written, but {', '.join(PACKED)} are")
    return PACKED.get(suffix)


def named_file(path: object) -> str:
    """``path`` as text. KindError: it is no text, nor a ``Path``."""
    try:
        name = os.fspath(path)  # type: ignore[call-overload]  # which is what is asked
    except TypeError:
        name = None
    if not isinstance(name, str):
        raise wrong_type("the name of a file", path)
    return name


def unpacked_name(path: str | Path) -> Path:
    """``path`` without the suffix that says how it is compressed, if it has one: ``b.mk`` for ``b.mk.gz``."""
    name = Path(named_file(path))
    return name.with_suffix("") if name.suffix.lower() in (*PACKED, _LZMA) else name


def suffix_of(path: str | Path) -> str:
    """The suffix that says what is in ``path``, in lower case, however it is compressed.

    >>> suffix_of("a/b.CNF.gz"), suffix_of("b.mk"), suffix_of("b.xz")
    ('.cnf', '.mk', '')
    """
    return unpacked_name(path).suffix.lower()


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


def reason(error: OSError | ValueError, missing: str) -> str:
    """Why a file could not be read or written, in the words of messages; ``missing``: what is not there."""
    if isinstance(error, FileNotFoundError):
        return missing
    if isinstance(error, IsADirectoryError):
        return "is a directory"
    if isinstance(error, PermissionError):
        return "no permission"
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return printable(text[:1].lower() + text[1:], 200)


# Contents compressed by gzip, xz or zstd: unpacked up to a limit; packed so that equal ones give equal bytes.


MAGIC = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zstd", b"\x5d\0\0": "lzma"}
"""The first bytes of what is compressed."""
_NO_ZSTD = "zstd needs the package zstandard: pip install 'nonosat[zstd]'"
_PIECE = 1024
"""Bytes that are unpacked at a time. They may hold 32 MB (zstd): no more than that is unpacked beyond a limit."""
_XZ_MEMORY = 2**28
"""What unpacking xz may take: four times as much as its highest setting needs."""


class _Packer(Protocol):
    def compress(self, data: bytes, /) -> bytes: ...
    def flush(self) -> bytes: ...


class _Unpacker(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


def unpacked(head: bytes, stream: BinaryIO, kind: str, limit: int) -> Iterator[bytes]:
    """What ``head`` and the rest of ``stream`` hold, compressed by ``kind``, perhaps in several parts in a row.

    The limit is one of what comes out, and is looked at after every piece: a bomb is not unpacked to its end.
    """
    size, data, unpacker = 0, head, _unpacker(kind)
    under_way = True
    while data or (data := stream.read(_PIECE)):
        if not under_way:
            data = data.lstrip(b"\0")  # what archives are padded with
            if not data:
                continue
            unpacker = _unpacker(kind)
        try:
            piece = unpacker.decompress(data)
        except MemoryError:
            raise
        except Exception as error:  # each library has errors of its own, and none of them is a bug of ours
            raise FormatError(f"compressed by {kind}, and damaged: {printable(str(error), 200)}") from None
        size += len(piece)
        if size > limit:
            raise FormatError(f"unpacks to more than {limit // 2**20} MiB, the most that is read")
        yield piece
        under_way = not unpacker.eof
        data = b"" if under_way else unpacker.unused_data
    if under_way:
        raise FormatError(f"compressed by {kind}, and cut off: its end is missing")


def packed(payload: Iterable[bytes], packer: _Packer) -> Iterator[bytes]:
    """``payload``, compressed piece by piece."""
    for piece in payload:
        yield packer.compress(piece)
    yield packer.flush()


def packer(kind: str, where: str) -> _Packer:
    """What compresses for the file ``where``: without a name and a time, and with a checksum."""
    if kind == "gzip":
        import zlib

        return zlib.compressobj(wbits=16 + zlib.MAX_WBITS)  # a gzip header whose time is 0
    if kind == "xz":
        import lzma

        return lzma.LZMACompressor()
    try:
        import zstandard
    except ImportError:
        raise NonosatError(f"{where}: {_NO_ZSTD}") from None
    return zstandard.ZstdCompressor(write_checksum=True).compressobj()


def _unpacker(kind: str) -> _Unpacker:
    if kind == "gzip":
        import zlib

        return zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    if kind in ("xz", "lzma"):
        import lzma

        return lzma.LZMADecompressor(lzma.FORMAT_XZ if kind == "xz" else lzma.FORMAT_ALONE, memlimit=_XZ_MEMORY)
    try:
        import zstandard
    except ImportError:
        raise FormatError(f"compressed by zstd: {_NO_ZSTD}") from None
    return zstandard.ZstdDecompressor().decompressobj()


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


@dataclass(frozen=True)
class Source:
    """A file that has been read.

    ``name``: in messages; ``stem`` and ``suffix`` (in lower case) of what is in it, however it is compressed;
    ``data``: its bytes, unpacked.
    """

    name: str
    stem: str
    suffix: str
    data: bytes

    @cached_property
    def text(self) -> str:
        """As ``read_text`` gives it."""
        return decode(self.data, self.name)


def read_source(path: str | Path) -> Source:
    """The file ``path`` (``-`` is standard input). The errors of ``read_bytes``."""
    unpacked = unpacked_name(path)
    return Source(shown(path), unpacked.stem, unpacked.suffix.lower(), read_bytes(path))


def read_text(path: str | Path, limit: int = MAX_BYTES) -> str:
    """The text of the file ``path`` (``-`` is standard input), unpacked: UTF-8, a byte order mark is dropped.

    Raises ``NonosatError`` if it can't be read and ``FormatError`` if it is over ``limit`` bytes or no text.
    """
    return decode(read_bytes(path, limit), shown(path), limit)


def read_bytes(path: str | Path, limit: int = MAX_BYTES) -> bytes:
    """What is in the file ``path`` (``-`` is standard input), unpacked; or its first ``limit`` + 1 bytes.

    Raises ``NonosatError`` if it can't be read, and ``FormatError`` if it can't be unpacked or unpacks to more.
    """
    with _size_error(path):
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
        with _size_error(path):
            if os.fspath(path) == "-":
                stream: BinaryIO = BytesIO(_read_stdin(limit))
            else:
                stream = stack.enter_context(Path(path).open("rb"))
        yield _lines(path, stream, limit)


def _lines(path: str | Path, stream: BinaryIO, limit: int) -> Iterator[str]:
    done = size = 0
    blocks = _blocks(_pieces(stream, limit))
    while True:
        with _size_error(path):
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
def _size_error(path: str | Path) -> Iterator[None]:
    """Errors within name the file."""
    try:
        yield
    except FormatError as error:
        raise error.at(shown(path)) from None
    except (OSError, ValueError) as error:
        missing = "no such file" + (
            "; an address can come as text, from standard input (-)" if "://" in str(path) else ""
        )
        raise NonosatError(f"{shown(path)}: {reason(error, missing)}") from None


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
    """At most ``limit + 1`` bytes, piece by piece: one request would allocate all of them at once."""
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


# SQLite files that others write to.


def opened_sqlite(path: Path, timeout: float = 5.0) -> sqlite3.Connection:
    """A SQLite file, to be read while another process may write to it. ``timeout``: how long to wait for that, s.

    It is opened for writing where that may be: what a killed writer left half done is undone by the next reader.
    """
    import sqlite3

    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=timeout)
    connection.execute("PRAGMA query_only = ON")
    return connection


# An atomic writer of files: all of it or nothing.


def made_folder(path: str | Path) -> Path:
    """The folder ``path``, which is made now with those above it, if it is not there. NonosatError: it cannot be."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise NonosatError(f"{shown(folder)}: is a file, not a folder") from None
    except OSError as error:
        raise NonosatError(f"{shown(folder)}: {reason(error, 'cannot be made')}") from None
    return folder


def check_folder(path: str | Path) -> None:
    """NonosatError: the folder ``path`` cannot be made. It is not there afterwards, if it was not before."""
    missing = []
    for folder in (Path(path), *Path(path).parents):
        if folder.exists():
            break
        missing.append(folder)
    with late_interrupts():
        made_folder(path)
        for folder in missing:
            with contextlib.suppress(OSError):  # another process has created it just now
                folder.rmdir()


def written(path: str | os.PathLike[str] | None, pieces: Iterable[str]) -> str:
    """The text of the pieces, which is written to ``path`` if there is one."""
    text = "".join(pieces)
    if path is not None:
        write_atomically(path, [text])
    return text


def write_atomically(path: str | os.PathLike[str], data: str | bytes | Iterable[str]) -> None:
    """Write ``data`` (pieces of text are written as they come) to ``path`` or leave it alone; ``-`` is standard output.

    A regular file is replaced by a finished one (through a symbolic link: the file that it points to); devices and
    FIFOs are written to plainly. The suffixes ``.gz``, ``.xz`` and ``.zst`` compress, those of other compressors are
    refused. Raises ``NonosatError``; a broken pipe on standard output stays ``BrokenPipeError``, which the command line
    ends quietly.
    """
    name = named_file(path)
    where = "standard output" if name == "-" else shown(name)
    try:
        pieces = [data] if isinstance(data, str | bytes) else data
        payload: Iterable[bytes] = (piece.encode("utf-8") if isinstance(piece, str) else piece for piece in pieces)
        if (kind := packing_of(name)) is not None:
            payload = packed(payload, packer(kind, where))
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
        raise NonosatError(f"{where}: {reason(error, 'no such directory')}") from None


def _replace(target: Path, payload: Iterable[bytes], old: int | None) -> None:
    if old is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))  # replacing would get around the file's mode
    # Not `tempfile`: its files are 0600 whatever the umask; the name is short because the target's may be 255 bytes.
    temporary = target.parent / f".nonosat-{os.urandom(6).hex()}.tmp"
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


# Files in and out: a limited, strict reader of text and an atomic writer; every failure is one line for people.
#
# Files may be compressed by gzip, xz or zstd. What is read is known by its first bytes, whatever its name; what is
# written, by the suffix of its name (``x.cnf.gz``), and so that equal contents give equal bytes.
