"""How files are called: their suffixes, and how messages name them and what went wrong."""

from __future__ import annotations

import os
from pathlib import Path

PACKED = {".gz": "gzip", ".xz": "xz", ".zst": "zstd"}
"""Suffixes that say how a file is compressed, behind the one that says what is in it."""
_OTHERS = {".7z", ".br", ".bz2", ".lz", ".lz4", ".lzma", ".lzo", ".z", ".zip"}
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


def unpacked_name(path: str | Path) -> Path:
    """``path`` without the suffix that says how it is compressed, if it has one: ``b.mk`` for ``b.mk.gz``."""
    name = Path(path)
    return name.with_suffix("") if name.suffix.lower() in PACKED else name


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
