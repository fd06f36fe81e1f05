"""The colours of a puzzle in webpbn.com's XML: by name in clues, by a character each in images, by letters in ours."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nonosat.errors import FormatError
from nonosat.puzzles.formats.markup import Node, escaped
from nonosat.puzzles.formats.texts import quote
from nonosat.puzzles.nonogram.palette import BLACK, MAX_COLOURS, SYMBOLS, Colour

BACKGROUND, BLANK = "white", "."
_KNOWN = {"white": (BLANK, "#ffffff"), "black": ("X", "#000000")}
_SHADE = re.compile(r"#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})")


@dataclass(frozen=True)
class Colours:
    """Our ``palette``; the letter of each colour's ``name``, and the value of each character in images; ``default``:
    the name of the colour of counts that name none.
    """

    palette: tuple[Colour, ...]
    symbols: dict[str, str]
    values: dict[str, int]
    default: str

    def symbol(self, name: str | None, line: int) -> str:
        """The letter of the colour called ``name``."""
        if (found := self.symbols.get(name or self.default)) is None:
            raise FormatError(f"{quote(name or self.default)} is no colour of the puzzle", line)
        return found


def declared(node: Node) -> Colours:
    """The colours of a ``puzzle``: those that it declares, and black and white where it only uses them."""
    background, default = (
        node.attributes.get(f"{what}color", known) for what, known in (("background", BACKGROUND), ("default", "black"))
    )
    found: dict[str, tuple[str, str]] = {}
    for each in node.all("color"):
        name = each.attributes.get("name", "")
        if name in found:
            raise FormatError(f"a second colour {quote(name)}", each.line)
        if len(found) > MAX_COLOURS:
            raise FormatError(f"more than {MAX_COLOURS} colours", each.line)
        found[name] = (_character(each), _shade(each))
    used = [each.attributes.get("color", default) for each in _counts(node)]
    for name in dict.fromkeys((background, *used, *([] if used or len(found) > 1 else [default]))):
        if name in _KNOWN:
            found.setdefault(name, _KNOWN[name])
    blank = found.pop(background, (BLANK, ""))[0]
    letters = _letters(found)
    values = {character: value for value, (character, _) in enumerate(found.values(), 1) if character}
    if len(values) < sum(bool(character) for character, _ in found.values()) or blank in values:
        raise FormatError("two colours have the same character", node.line)
    palette = tuple(Colour(letters[name], shade) for name, (_, shade) in found.items())
    return Colours(palette or (BLACK,), letters, {blank: 0, **values}, default)


def named(palette: tuple[Colour, ...]) -> list[tuple[str, str]]:
    """The name and the character of each of our colours: black is webpbn's own, others have their letter for both.

    >>> named((BLACK, Colour("r", "#ff0000")))
    [('black', 'X'), ('r', 'r')]
    """
    cross = "#" if any(colour.symbol == "X" for colour in palette) else "X"
    return [("black", cross) if colour == BLACK else (colour.symbol, colour.symbol) for colour in palette]


def colour_elements(palette: tuple[Colour, ...]) -> list[str]:
    """The ``color`` elements of the background and of our colours."""
    lines = [f'<color name="{BACKGROUND}" char="{BLANK}">ffffff</color>']
    for (name, character), colour in zip(named(palette), palette, strict=True):
        lines.append(f'<color name="{escaped(name)}" char="{escaped(character)}">{colour.rgb[1:]}</color>')
    return lines


def _counts(node: Node) -> list[Node]:
    return [count for clues in node.all("clues") for line in clues.all("line") for count in line.all("count")]


def _character(node: Node) -> str:
    character = node.attributes.get("char", "")
    if len(character) > 1 or character in set("|[]?/\\") or character.isspace():
        raise FormatError(f"{quote(character)} is no character of a colour", node.line)
    return character


def _shade(node: Node) -> str:
    match = _SHADE.fullmatch(node.text.strip())
    if match is None:
        raise FormatError(f'{quote(node.text.strip())} is not a colour, such as "f00" or "ff0000"', node.line)
    digits = match[1]
    return "#" + (digits if len(digits) == 6 else "".join(2 * digit for digit in digits))


def _letters(found: dict[str, tuple[str, str]]) -> dict[str, str]:
    """A letter for each name: its character if it can be one, ``#`` for webpbn's black, else one that is free."""
    letters: dict[str, str] = {}
    wanted = {character for character, _ in found.values()}
    for name, (character, _) in found.items():
        own = "#" if name == "black" and character == "X" and "#" not in wanted else character
        if own and own in SYMBOLS and own not in letters.values():
            letters[name] = own
    free = (symbol for symbol in SYMBOLS if symbol not in set(letters.values()))
    return {name: letters[name] if name in letters else next(free, "#") for name in found}
