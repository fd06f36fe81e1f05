"""An atomic writer of files: all of it or nothing."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from nonosat.errors import NonosatError
from nonosat.files.naming import packing_of, reason, shown
from nonosat.files.packing import packed, packer
from nonosat.interrupts import late_interrupts


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
            with contextlib.suppress(OSError):  # somebody has put something there just now
                folder.rmdir()


def write_atomically(path: str | Path, data: str | bytes | Iterable[str]) -> None:
    """Write ``data`` (pieces of text are written as they come) to ``path`` or leave it alone; ``-`` is standard output.

    A regular file is replaced by a finished one (through a symbolic link: the file that it points to); devices and
    FIFOs are written to plainly. The suffixes ``.gz``, ``.xz`` and ``.zst`` compress, those of other compressors are
    refused. Raises ``NonosatError``; a broken pipe on standard output stays ``BrokenPipeError``, which the command line
    ends quietly.
    """
    name = os.fspath(path)
    where = "standard output" if name == "-" else shown(path)
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
