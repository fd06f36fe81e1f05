"""The array of an XCSP3 instance of a nonogram: its sizes, the values of its cells, and how lists name them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import product

from nonosat.errors import FormatError
from nonosat.puzzles.formats.markup import Node
from nonosat.puzzles.formats.texts import quote
from nonosat.puzzles.nonogram.formats.written_clues import MOST_COLOURS, board_size

MAX_LIST = 2**20
"""Cells of a list: a word such as ``x[][]`` names all of a board."""
_SIZE = re.compile(r"\[(\d{1,8})\]\[(\d{1,8})\]")
_WORD = re.compile(r"([A-Za-z_]\w{0,63})\[([\d.]{0,16})\]\[([\d.]{0,16})\]")
_INDEX = re.compile(r"(\d{1,6})(?:\.\.(\d{1,6}))?")
Cell = tuple[int, int]


@dataclass
class Cells:
    """The array ``name`` of ``shape`` (rows, columns), its values 0 to ``colours``; ``given``: cells of one value."""

    name: str
    shape: tuple[int, int]
    colours: int
    given: dict[Cell, int] = field(default_factory=dict)

    def value(self, word: str) -> int:
        """The value that ``word`` spells."""
        if not (word.isascii() and word.isdigit() and len(word) <= 2 and int(word) <= self.colours):
            raise FormatError(f"{quote(word)} is no value of a cell: 0 to {self.colours}")
        return int(word)

    def list(self, text: str, line: int) -> list[Cell]:
        """The cells that a list names, such as ``x[0][]``, ``x[][2]``, ``x[0][0..2] x[0][3]``."""
        found: list[Cell] = []
        for word in text.split():
            match = _WORD.fullmatch(word)
            if match is None or match[1] != self.name:
                raise FormatError(f"{quote(word)} is no cell of the array {quote(self.name)}", line)
            rows, columns = (
                self._range(index, side, line) for index, side in zip(match.groups()[1:], self.shape, strict=True)
            )
            if len(found) + len(rows) * len(columns) > MAX_LIST:
                raise FormatError(f"a list of more than {MAX_LIST:,} cells", line)
            found += product(rows, columns)
        if not found:
            raise FormatError("a list without cells", line)
        return found

    def _range(self, index: str, side: int, line: int) -> range:
        if not index:
            return range(side)
        match = _INDEX.fullmatch(index)
        last = int(match[2] or match[1]) if match else side
        if match is None or last >= side:
            raise FormatError(f"there is no index {quote(index)} among {side}", line)
        return range(int(match[1]), last + 1)


def array_of(variables: Node) -> Cells:
    """The one array of ``variables``."""
    if len(variables.children) != 1 or variables.children[0].name != "array":
        raise FormatError("the variables of a nonogram are one array", variables.line)
    (array,) = variables.children
    match = _SIZE.fullmatch("".join(array.attributes.get("size", "").split()))
    if match is None or "as" in array.attributes:
        raise FormatError('the array of a nonogram has a size such as "[5][5]"', array.line)
    shape = int(match[1]), int(match[2])
    board_size(*shape, array.line)
    domains = list(array.all("domain"))
    texts = [domain.text for domain in domains] if domains else [array.text]
    most = max((_values(text, array.line)[-1] for text in texts), default=0)
    cells = Cells(array.attributes.get("id", ""), shape, max(most, 1))
    for domain in domains:
        values = _values(domain.text, domain.line)
        where = domain.attributes.get("for", "")
        if len(values) == 1 and where != "others":
            cells.given |= dict.fromkeys(cells.list(where, domain.line), values[0])
        elif values != list(range(cells.colours + 1)):
            raise FormatError("the cells of a nonogram have the values 0 to the number of colours, or one", domain.line)
    if not domains and _values(array.text, array.line) != list(range(cells.colours + 1)):
        raise FormatError("the cells of a nonogram have the values 0 to the number of colours", array.line)
    return cells


def _values(text: str, line: int) -> list[int]:
    """The values of a domain, such as ``0 1`` or ``0..3``, in order."""
    found: set[int] = set()
    for word in text.split():
        match = re.fullmatch(r"(\d{1,2})(?:\.\.(\d{1,2}))?", word)
        if match is None:
            raise FormatError(f"{quote(word)} is no value of a cell, nor a range of them", line)
        found |= set(range(int(match[1]), int(match[2] or match[1]) + 1))
    if not found or max(found) > MOST_COLOURS:
        raise FormatError(f"a domain has values from 0 to {MOST_COLOURS} at most", line)
    return sorted(found)
