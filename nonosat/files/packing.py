"""Contents compressed by gzip, xz or zstd: unpacked up to a limit; packed so that equal ones give equal bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO, Protocol

from nonosat.errors import FormatError, NonosatError
from nonosat.files.naming import printable

MAGIC = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
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
    if kind == "xz":
        import lzma

        return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
    try:
        import zstandard
    except ImportError:
        raise FormatError(f"compressed by zstd: {_NO_ZSTD}") from None
    return zstandard.ZstdDecompressor().decompressobj()
