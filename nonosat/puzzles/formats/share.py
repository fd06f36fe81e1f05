"""A puzzle as a short string that fits into a link: ``n1`` and letters, digits, ``-`` and ``_``; a line a puzzle.

The first letter is the kind's, the digit the version of what follows in base64url: the title and what the kind writes,
bit by bit, and the 24 lower bits of its CRC-32, so that a string that was cut or mistyped is refused. A
25x25 nonogram takes 230 characters, a 10x10 90. Clues, colours, given cells and the title are in it; the goal, which
is the solution, and author, licence and source are not. A whole link is read, too: the string is behind its last ``/``.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from zlib import crc32

from nonosat.errors import FormatError, PuzzleError, UnsupportedError
from nonosat.puzzles.formats.texts import lines_of, lone_surrogate, quote, write_each
from nonosat.puzzles.puzzle import KINDS, Puzzle, Sharing, kind_of

# A row of bits, written and read back: whole numbers of a known width, and small ones by Elias' gamma code.


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


VERSION = "1"
CHECK = 3
"""Bytes of the checksum."""
_MARKS = re.compile(r"\s*(?:[^\s?]*/)?[a-z][0-9][A-Za-z0-9_-]{4,}\s*(?:\n|\Z)")
_STRING = re.compile(r"([a-z])([0-9])([A-Za-z0-9_-]*)")


def marks(text: str) -> bool:
    """Its first line ends in a letter, a digit and four characters or more, and has no ``?``, as other links do."""
    return _MARKS.match(text) is not None


def read(text: str) -> list[Puzzle]:
    r"""The puzzles of a text of shared strings, or of links that end in them.

    >>> [puzzle] = read("https://example.org/#/make/n1pUlSWIdmdA\n")
    >>> puzzle.rows, puzzle.columns == puzzle.rows
    (((Run(length=2, colour=1),), (Run(length=1, colour=1),)), True)
    >>> read("n1pUlSWIdmdB")
    Traceback (most recent call last):
    nonosat.errors.FormatError: line 1: the string is damaged: its checksum is wrong
    """
    lines = [(at, line.strip()) for at, line in enumerate(lines_of(text), start=1) if line.strip()]
    puzzles = []
    for at, line in lines:
        try:
            puzzles.append(_puzzle(line.rpartition("/")[2]))
        except FormatError as error:
            raise FormatError(error.reason, at) from None
    return puzzles


def write(puzzles: Sequence[Puzzle]) -> str:
    """Puzzles as shared strings."""
    return "".join(write_each(puzzles, lambda puzzle, _: shared(puzzle) + "\n"))


def shared(puzzle: Puzzle) -> str:
    """The string of ``puzzle``. UnsupportedError: its kind has none."""
    sharing = kind_of(puzzle).share
    if sharing is None:
        raise UnsupportedError(f"share holds no puzzles of the kind {puzzle.kind}")
    if lone_surrogate(puzzle.title):
        raise UnsupportedError(f"share cannot hold a character of the title {quote(puzzle.title)}")
    bits = BitWriter()
    bits.text(puzzle.title)
    sharing.write(puzzle, bits)
    data = bits.data()
    return sharing.letter + VERSION + urlsafe_b64encode(data + _check(data)).decode("ascii").rstrip("=")


def _puzzle(text: str) -> Puzzle:
    match = _STRING.fullmatch(text)
    if match is None:
        raise FormatError(f"{quote(text)} is no shared puzzle: a letter, a digit, and letters, digits, - and _")
    letter, version, body = match.groups()
    sharing = _sharing(letter)
    if version != VERSION:
        raise FormatError(f"version {version} of shared puzzles; this reader knows {VERSION}")
    if len(body) % 4 == 1:
        raise FormatError("the string is damaged: it ends too soon")
    whole = urlsafe_b64decode(body + "=" * (-len(body) % 4))
    data, check = whole[:-CHECK], whole[-CHECK:]
    if len(whole) <= CHECK or check != _check(data) or urlsafe_b64encode(whole).rstrip(b"=") != body.encode():
        raise FormatError("the string is damaged: its checksum is wrong")
    bits = BitReader(data)
    try:
        puzzle = sharing.read(bits.text(), bits)
        bits.end()
    except PuzzleError as error:
        raise FormatError(str(error)) from None
    return puzzle


def _sharing(letter: str) -> Sharing:
    for kinds in (KINDS.known(), KINDS):  # what is here, then what can be found
        for kind in kinds.values():
            if kind.has("share") and kind.share is not None and kind.share.letter == letter:
                return kind.share
    raise FormatError(f"shared puzzles that begin with {letter} are of no kind that is known")


def _check(data: bytes) -> bytes:
    return crc32(data).to_bytes(4, "big")[-CHECK:]
