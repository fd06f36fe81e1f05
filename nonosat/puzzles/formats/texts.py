"""Text in files of every format: lines, how messages quote them, and what a file cannot hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from nonosat.errors import FormatError, UnsupportedError
from nonosat.files import printable
from nonosat.puzzles.puzzle import Puzzle

Each = TypeVar("Each", bound=Puzzle)
TEXTS = ("title", "author", "licence", "source")
"""The texts that a puzzle of any kind can have."""
DIGITS = 6
"""Numbers in files have at most this many digits: no line is longer, and a million digits are never an ``int``."""


def quote(text: str) -> str:
    r"""``text`` for a message: quoted, short, on one line.

    >>> print(quote("x\n" * 100))
    "x\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\n..."
    """
    return f'"{printable(text, 24)}"'


def unix(text: str) -> str:
    r"""``text`` with ``\n`` for every line end; ``FormatError`` if there is nothing in it."""
    if not text.strip():
        raise FormatError("the file is empty")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines_of(text: str) -> list[str]:
    """The lines of ``text``; not ``splitlines``, which also breaks at characters that titles may hold."""
    return unix(text).removesuffix("\n").split("\n")


_PAGE = re.compile(r"(?:\s*https?://[^\s#]{1,200}#)?")


def game_id(line: str) -> str:
    """What a line states, without the page that plays it.

    >>> game_id("https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/pattern.html#2x1:1/1/2")
    '2x1:1/1/2'
    """
    return line[_PAGE.match(line).end() :]  # type: ignore[union-attr]


def write_each(puzzles: Sequence[Each], write: Callable[[Each, int], str]) -> list[str]:
    """Every puzzle's text, by ``write(puzzle, number from 1)``; of several, a refusal names which."""
    texts = []
    for number, puzzle in enumerate(puzzles, start=1):
        try:
            texts.append(write(puzzle, number))
        except UnsupportedError as error:
            if len(puzzles) == 1:
                raise
            raise UnsupportedError(f"puzzle {number}: {error}") from None
    return texts


def lone_surrogate(text: str) -> bool:
    """Whether ``text`` has half a character, which no file in UTF-8 can hold."""
    return any("\ud800" <= c <= "\udfff" for c in text)


def plain_text(puzzle: Puzzle, name: str, control: str = "") -> None:
    """Raise ``UnsupportedError`` if a title, author, ... has a character that the file can't hold."""
    for key in TEXTS:
        text = getattr(puzzle, key, "")
        if lone_surrogate(text) or any(c in control for c in text):
            raise UnsupportedError(f"{name} cannot hold a character of the {key} {quote(text)}")


# Words and signs of a language, one after the other, with the line of each: for data of GLPK and MiniZinc.


class Token(NamedTuple):
    """A word or sign, and its line."""

    text: str
    line: int


END = ""
"""The text of what comes behind the last token."""


class Tokens:
    """The tokens of ``text``: what ``pattern`` matches, without blanks and comments.

    ``comment``: what begins a comment that goes to the end of its line. ``/* ... */`` is one in either language.
    """

    def __init__(self, text: str, pattern: str, comment: str) -> None:
        every = rf"(?P<blank>\s+|{comment}[^\n]*)|(?P<long>/\*)|(?P<token>{pattern})"
        self._tokens = self._all(text, re.compile(every))
        self._ahead: Token | None = None

    def __iter__(self) -> Iterator[Token]:
        while (token := self.take()).text != END:
            yield token

    def peek(self) -> Token:
        """The next token, which stays."""
        if self._ahead is None:
            self._ahead = next(self._tokens)
        return self._ahead

    def take(self) -> Token:
        """The next token."""
        token, self._ahead = self.peek(), None
        if token.text == END:
            self._ahead = token
        return token

    def skip(self, text: str) -> bool:
        """Take the next token if it is ``text``."""
        return self.peek().text == text and bool(self.take())

    def expect(self, text: str, after: str) -> Token:
        """Take the next token, which must be ``text``."""
        token = self.take()
        if token.text != text:
            found = quote(token.text) if token.text else "the end"
            raise FormatError(f'after {printable(after, 40)} comes "{text}", not {found}', token.line)
        return token

    @staticmethod
    def _all(text: str, every: re.Pattern[str]) -> Iterator[Token]:
        at, line = 0, 1
        while at < len(text):
            match = every.match(text, at)
            if match is None:
                raise FormatError(f"{quote(text[at : at + 24])} is no word or sign of this language", line)
            begin, at = at, match.end()
            if match.lastgroup == "token":
                yield Token(match[0], line)
            elif match.lastgroup == "long":
                at = text.find("*/", at) + 2
                if at < 2:
                    raise FormatError('a comment without its "*/"', line)
            line += text.count("\n", begin, at)
        while True:
            yield Token(END, line)


# XML for formats: a text as a tree of nodes with their lines, and nothing else.
#
# Hostile texts are refused by what they do: declaring an entity (a thousand of which make a text of gigabytes), nesting
# without end, asking for more memory than a puzzle needs. A document type is passed over, and no file or address that a
# text names is ever opened. Of entities that nobody declares, HTML's are known (``&copy;``), since files have them.
#
# >>> tree("<a b='1'>\n<c>x &amp; &eacute;</c></a>").children[0].text
# 'x & é'


MAX_NODES = 1_000_000
"""A node takes some 300 bytes: a text of 64 MiB could ask for 5 GB of them."""
MAX_DEPTH = 40
CONTROL = "".join(map(chr, (*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF)))
"""Characters that no text in XML can have."""


@dataclass(eq=False, slots=True)
class Node:
    """An element: its ``name``, ``attributes``, ``children`` and the ``text`` right in it; ``line``: its first one."""

    name: str
    attributes: dict[str, str]
    line: int
    children: list[Node] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text in it, without that of its children."""
        return "".join(self.pieces)

    def all(self, name: str) -> Iterator[Node]:
        """Its children of that name."""
        return (child for child in self.children if child.name == name)

    def first(self, name: str) -> Node | None:
        """Its first child of that name."""
        return next(self.all(name), None)


class _Builder:
    """The handlers of an expat parser, and the nodes that are open; ``skipped``: lines before what it reads."""

    def __init__(self, skipped: int) -> None:
        from xml.parsers.expat import ParserCreate

        self.root = Node("", {}, 0)
        self.skipped = skipped
        self.open = [self.root]
        self.count = 0
        parser = self.parser = ParserCreate("utf-8")  # what a text declares to be encoded in, it no longer is
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = lambda text: self.open[-1].pieces.append(text)
        parser.SkippedEntityHandler = self.entity
        parser.EntityDeclHandler = self.declared
        parser.UseForeignDTD(True)  # so that entities of a document type that is not read are reported, not refused
        parser.ExternalEntityRefHandler = lambda *_: 1  # which is passed over

    def line(self) -> int:
        return self.parser.CurrentLineNumber + self.skipped

    def end(self, _name: str) -> None:
        """An element ends."""
        self.open.pop()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        line = self.line()
        self.count += 1
        if self.count > MAX_NODES:
            raise FormatError(f"more than {MAX_NODES:,} elements", line)
        if len(self.open) > MAX_DEPTH:
            raise FormatError(f"elements nested more than {MAX_DEPTH} deep", line)
        node = Node(name, attributes, line)
        self.open[-1].children.append(node)
        self.open.append(node)

    def entity(self, name: str, is_parameter: bool) -> None:
        from html.entities import html5

        if is_parameter or (letter := html5.get(f"{name};")) is None:
            raise FormatError(f"{quote(f'&{name};')} is no entity that is known", self.line())
        self.open[-1].pieces.append(letter)

    def declared(self, name: str, *_: object) -> None:
        line = self.line()
        raise FormatError(f"it declares an entity ({quote(name)}), as no puzzle needs to", line)


def tree(text: str) -> Node:
    """The root element of ``text``. FormatError: it is not well-formed, hostile, or empty."""
    from xml.parsers.expat import ExpatError, errors

    whole = unix(text)
    data = whole.lstrip()  # a declaration of XML has nothing before it
    builder = _Builder(whole[: len(whole) - len(data)].count("\n"))
    try:
        builder.parser.Parse(data.encode("utf-8", "surrogatepass"), True)
    except ExpatError as error:
        raise FormatError(f"not XML: {errors.messages[error.code]}", error.lineno + builder.skipped) from None
    return builder.root.children[0]


def escaped(text: str, attribute: bool = False) -> str:
    r"""``text`` as XML.

    >>> escaped("a < b & c\r\n"), escaped('"', attribute=True)
    ('a &lt; b &amp; c&#13;\n', '&quot;')
    """
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
    return text.replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;") if attribute else text
