"""A row of bits, written and read back: whole numbers of a known width, and small ones by Elias' gamma code."""

from __future__ import annotations

from nonosat.errors import FormatError

LONGEST = 32
"""Bits of a number at most, whatever a broken text claims."""


class BitWriter:
    """Bits, the first one at the top of the first byte."""

    def __init__(self) -> None:
        self._bits: list[str] = []

    def fixed(self, value: int, width: int) -> None:
        """``value`` in ``width`` bits."""
        if width:
            self._bits.append(f"{value:0{width}b}")

    def gamma(self, value: int) -> None:
        """``value``, from 1 on: 1 takes a bit, 2 and 3 take three, 4 to 7 five, ... (Elias 1975)."""
        self.fixed(value, 2 * value.bit_length() - 1)

    def text(self, text: str) -> None:
        """``text`` in UTF-8, with its length."""
        data = text.encode("utf-8")
        self.gamma(len(data) + 1)
        for byte in data:
            self.fixed(byte, 8)

    def data(self) -> bytes:
        """All bits, filled up with zeros to whole bytes."""
        bits = "".join(self._bits)
        size = -(-len(bits) // 8)
        return int(bits.ljust(8 * size, "0") or "0", 2).to_bytes(size, "big")


class BitReader:
    """The bits of ``data``; FormatError: it ends too soon, or has numbers that are too large."""

    def __init__(self, data: bytes) -> None:
        self._bits = f"{int.from_bytes(data, 'big'):0{8 * len(data)}b}" if data else ""
        self._at = 0

    @property
    def left(self) -> int:
        """Bits that have not been read."""
        return len(self._bits) - self._at

    def fixed(self, width: int) -> int:
        """A number of ``width`` bits."""
        if width > self.left:
            raise FormatError("it ends too soon")
        begin, self._at = self._at, self._at + width
        return int(self._bits[begin : self._at] or "0", 2)

    def gamma(self) -> int:
        """A number in Elias' gamma code.

        >>> writer = BitWriter()
        >>> for value in (1, 5, 300):
        ...     writer.gamma(value)
        >>> reader = BitReader(writer.data())
        >>> [reader.gamma() for _ in range(3)], len(writer.data())
        ([1, 5, 300], 3)
        """
        one = self._bits.find("1", self._at, self._at + LONGEST)
        if one < 0:
            raise FormatError("it ends too soon" if self.left < LONGEST else "a number of more than 32 bits")
        zeros, self._at = one - self._at, one
        return self.fixed(zeros + 1)

    def text(self) -> str:
        """A text with its length before it."""
        size = self.gamma() - 1
        if 8 * size > self.left:
            raise FormatError("it ends too soon")
        try:
            return bytes(self.fixed(8) for _ in range(size)).decode("utf-8")
        except UnicodeDecodeError:
            raise FormatError("a title that is not in UTF-8") from None

    def end(self) -> None:
        """FormatError: there is more than what fills the last byte."""
        if self.left >= 8 or self.fixed(self.left):
            raise FormatError("there is more than a puzzle in it")
