r"""XML for formats: a text as a tree of nodes with their lines, and nothing else.

Hostile texts are refused by what they do: declaring an entity (a thousand of which make a text of gigabytes), nesting
without end, asking for more memory than a puzzle needs. A document type is passed over, and no file or address that a
text names is ever opened. Of entities that nobody declares, HTML's are known (``&copy;``), since files have them.

>>> tree("<a b='1'>\n<c>x &amp; &eacute;</c></a>").children[0].text
'x & é'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.entities import html5
from xml.parsers.expat import ExpatError, ParserCreate, errors

from nonosat.errors import FormatError
from nonosat.puzzles.formats.texts import quote, unix

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
        parser.UseForeignDTD(True)  # so that entities of a document type that is not read are told, not refused
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
        if is_parameter or (letter := html5.get(f"{name};")) is None:
            raise FormatError(f"{quote(f'&{name};')} is no entity that is known", self.line())
        self.open[-1].pieces.append(letter)

    def declared(self, name: str, *_: object) -> None:
        line = self.line()
        raise FormatError(f"it declares an entity ({quote(name)}), as no puzzle needs to", line)


def tree(text: str) -> Node:
    """The root element of ``text``. FormatError: it is not well-formed, hostile, or empty."""
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
