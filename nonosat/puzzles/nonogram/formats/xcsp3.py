"""Nonograms in XCSP3 as its competitions have them: an array of cells, an automaton (``regular``) for each line.

::

    <instance format="XCSP3" type="CSP">
      <variables> <array id="x" size="[2][3]"> 0 1 </array> </variables>
      <constraints>
        <regular>
          <list> x[0][] </list>
          <transitions> (q0,0,q0)(q0,1,q1)(q1,0,q1) </transitions>
          <start> q0 </start> <final> q1 </final>
        </regular>
        ...
        <instantiation> <list> x[1][2] </list> <values> 1 </values> </instantiation>
      </constraints>
    </instance>

The clues are found again in the automata, whatever their states are called, and in tables: see ``xcsp3_reader``. Given
cells are an ``instantiation``; colours are the values 1, 2, ...; their letters and shades, title, author, licence,
source, goal and solutions are dropped on writing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from nonosat.errors import FormatError, UnsupportedError
from nonosat.puzzles.formats.texts import Node, quote, tree
from nonosat.puzzles.nonogram.formats.automata import (
    Automaton,
    automaton_of,
    clue_of_automaton,
    clue_of_table,
    lines_of,
    placements,
)
from nonosat.puzzles.nonogram.formats.written_clues import (
    MOST_COLOURS,
    Written,
    assemble,
    board_size,
    refuse_more_colours,
)
from nonosat.puzzles.nonogram.puzzle import Clue, Nonogram, palette_of
from nonosat.puzzles.puzzle import Given

# The array of an XCSP3 instance of a nonogram: its sizes, the values of its cells, and how lists name them.


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
        raise FormatError("the variables of a nonogram are one array; of a model: nonosat.load_model", variables.line)
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


# Nonograms out of XCSP3: from each line's automaton or table the only clue that says the same, or a refusal.
#
# Of XCSP3 it takes one two-dimensional array of cells with values from 0 on (single cells may have a ``domain`` of
# their
# own), and of constraints ``regular``, ``extension`` with ``supports`` of plain tuples, ``instantiation``, an
# ``intension`` ``eq(x[0][0],1)``, and ``group`` and ``block`` of these. Each row and column has a constraint over all
# of
# its cells in order. Anything else is refused: it could mean another puzzle.


_TRIPLE = re.compile(r"\s*\(\s*([^\s,()]{1,64})\s*,\s*([0-9]{1,2})\s*,\s*([^\s,()]{1,64})\s*\)\s*")
_TUPLE = re.compile(r"\s*\(([0-9,\s]*)\)\s*")
_EQUAL = re.compile(
    r"\s*eq\(\s*(?:([a-zA-Z_]\w*(?:\[\d{1,6}\]){2})\s*,\s*(\d{1,2})|(\d{1,2})\s*,\s*([a-zA-Z_]\w*(?:\[\d{1,6}\]){2}))\s*\)\s*"
)
_PASSED = {"annotations"}


def read(text: str) -> list[Nonogram]:
    """The one puzzle of an instance.

    >>> from nonosat.puzzles.nonogram.formats.xcsp3 import write
    >>> [puzzle] = read(write([Nonogram.from_lengths([[1], []], [[1], []], [(0, 0, 1)])]))
    >>> puzzle.rows, puzzle.given
    (((Run(length=1, colour=1),), ()), (Given(row=0, column=0, value=1),))
    """
    root = tree(text)
    if root.name != "instance" or root.attributes.get("format") != "XCSP3":
        raise FormatError('an instance begins with <instance format="XCSP3">', root.line)
    parts = {child.name: child for child in root.children if child.name not in _PASSED}
    if set(parts) != {"variables", "constraints"}:
        raise FormatError(
            f"an instance of a puzzle has variables and constraints, not {quote(', '.join(parts))}", root.line
        )
    found = _Found(array_of(parts["variables"]))
    board_size(*found.cells.shape, parts["variables"].line)
    found.all(parts["constraints"])
    return [found.puzzle()]


@dataclass
class _Found:
    """The lines and given cells that have been found in constraints over ``cells``."""

    cells: Cells
    lines: dict[str, dict[int, Written]] = field(default_factory=lambda: {"row": {}, "column": {}})
    given: dict[tuple[int, int], int] = field(default_factory=dict)
    known: dict[tuple[str, ...], Clue] = field(default_factory=dict)

    def puzzle(self) -> Nonogram:
        height, width = self.cells.shape
        for axis, count in (("row", height), ("column", width)):
            if len(self.lines[axis]) != count:
                missing = next(index for index in range(count) if index not in self.lines[axis])
                raise FormatError(f"no constraint of {axis} {missing + 1} is over its cells in order")
        palette = palette_of(self.cells.colours)
        values = {**self.cells.given, **self.given}
        for cell, value in self.cells.given.items():
            if values[cell] != value:
                raise FormatError(f"cell {cell} has two values")
        given = tuple(Given(*cell, value) for cell, value in values.items())
        rows, columns = (
            [self.lines[axis][k] for k in range(count)] for axis, count in (("row", height), ("column", width))
        )
        return replace(assemble(rows, columns, palette), given=given)

    def all(self, node: Node) -> None:
        for child in node.children:
            if child.name in ("block", "constraints"):
                self.all(child)
            elif child.name == "group":
                for one, cells, line in _members(child):
                    self.one(one, cells, line)
            else:
                self.one(child, None, child.line)

    def one(self, node: Node, cells: str | None, line: int) -> None:
        """A constraint, over ``cells`` instead of its own list if it is of a group."""
        if node.name == "intension":
            self.equal(node)
            return
        if node.name not in ("regular", "extension", "instantiation"):
            raise FormatError(f"the constraint {quote(node.name)} is of no nonogram", line)
        scope = self.cells.list(cells if cells is not None else _text(node, "list"), line)
        if node.name == "instantiation":
            self.instantiated(scope, _text(node, "values").split(), line)
            return
        clue = self.clue(node, len(scope), line)
        axis, index = self.line(scope, line)
        letters = palette_of(self.cells.colours)
        written = Written(tuple((run.length, letters[run.colour - 1].symbol) for run in clue), line)
        if self.lines[axis].setdefault(index, written).runs != written.runs:
            raise FormatError(f"{axis} {index + 1} has two clues", line)

    def clue(self, node: Node, length: int, line: int) -> Clue:
        """The clue of a constraint; other lines often have the same."""
        parts = (node.name, str(length), *(child.text for child in node.children if child.name != "list"))
        if parts not in self.known:
            try:
                clue_of = self.of_regular if node.name == "regular" else self.of_table
                self.known[parts] = clue_of(node, length)
            except FormatError as error:
                raise FormatError(error.reason, error.line or line) from None
        return self.known[parts]

    def of_regular(self, node: Node, length: int) -> Clue:
        moves: dict[str, dict[int, str]] = {}
        text, at = _text(node, "transitions"), 0
        while at < len(text):
            if (match := _TRIPLE.match(text, at)) is None:
                raise FormatError(f'{quote(text[at : at + 24])} is not a transition, such as "(q0,1,q1)"')
            state, value, then = match[1], self.cells.value(match[2]), match[3]
            if moves.setdefault(state, {}).setdefault(value, then) != then:
                raise FormatError(f"two transitions from {quote(state)} by {value}: automata are deterministic here")
            at = match.end()
        start, final = _text(node, "start").split(), _text(node, "final").split()
        if len(start) != 1:
            raise FormatError("an automaton has one state to start in")
        return clue_of_automaton(Automaton(moves, start[0], frozenset(final)), length)

    def of_table(self, node: Node, length: int) -> Clue:
        text, at = _text(node, "supports"), 0
        table: list[tuple[int, ...]] = []
        if length == 1:
            return clue_of_table([(self.cells.value(word),) for word in text.split()])
        while at < len(text):
            if (match := _TUPLE.match(text, at)) is None:
                raise FormatError(f'{quote(text[at : at + 24])} is not a tuple of values, such as "(0,1,0)"')
            table.append(tuple(self.cells.value(word.strip()) for word in match[1].split(",")))
            if len(table[-1]) != length:
                raise FormatError(f"a tuple of {len(table[-1])} values, the line has {length} cells")
            at = match.end()
        return clue_of_table(table)

    def line(self, scope: list[Cell], line: int) -> tuple[str, int]:
        """Which line ``scope`` is, all of it in order."""
        height, width = self.cells.shape
        row, column = scope[0]
        if scope == [(row, k) for k in range(width)] and not (height == width == 1 and self.lines["row"]):
            return "row", row
        if scope == [(k, column) for k in range(height)]:
            return "column", column
        raise FormatError(f"a constraint over {len(scope)} cells that are no row or column in order", line)

    def instantiated(self, scope: list[Cell], values: list[str], line: int) -> None:
        if len(scope) != len(values):
            raise FormatError(f"{len(scope)} cells and {len(values)} values", line)
        for cell, word in zip(scope, values, strict=True):
            value = self.cells.value(word)
            if self.given.setdefault(cell, value) != value:
                raise FormatError(f"cell {cell} has two values", line)

    def equal(self, node: Node) -> None:
        function = node.first("function") or node
        match = _EQUAL.fullmatch(function.text)
        if match is None:
            raise FormatError(
                f'an intension of a nonogram is "eq(x[0][0],1)", not {quote(function.text.strip())}', node.line
            )
        self.instantiated(self.cells.list(match[1] or match[4], node.line), [match[2] or match[3]], node.line)


def _members(group: Node) -> Iterator[tuple[Node, str, int]]:
    """The constraint of a group, and the cells of each of its ``args``."""
    templates = [child for child in group.children if child.name != "args"]
    if len(templates) != 1 or templates[0].name not in ("regular", "extension"):
        raise FormatError("a group of a nonogram is of one regular or extension, with args", group.line)
    if _text(templates[0], "list").strip() != "%...":
        raise FormatError('the list of a group is "%..."', templates[0].line)
    for args in group.all("args"):
        yield templates[0], args.text, args.line


def _text(node: Node, name: str) -> str:
    found = list(node.all(name))
    if len(found) != 1:
        raise FormatError(f"{quote(node.name)} has {len(found)} of {quote(name)}, one is due", node.line)
    if "as" in found[0].attributes:
        raise FormatError(f"{quote(name)} refers to another element, which is not read", found[0].line)
    return found[0].text.strip()


_INSTANCE = re.compile(r"<instance\b[^>]{0,300}XCSP3")


def is_instance(text: str) -> bool:
    """It is XML with an ``instance`` of XCSP3."""
    return text.lstrip().startswith("<") and _INSTANCE.search(text) is not None


def marks(text: str) -> bool:
    """An instance with automata."""
    return is_instance(text) and "<regular" in text


def write(puzzles: Sequence[Nonogram]) -> str:
    """One puzzle by automata; several raise ``UnsupportedError``."""
    return instance(puzzles, "xcsp3", _regular)


def _regular(cells: str, clue: Clue, length: int) -> list[str]:
    automaton = automaton_of(clue)
    transitions = "".join(f"({state},{value},{then})" for state, value, then in automaton.triples)
    final = " ".join(sorted(automaton.final))
    return [
        "<regular>",
        f"  <list> {cells} </list>",
        f"  <transitions> {transitions} </transitions>",
        f"  <start> {automaton.start} </start>",
        f"  <final> {final} </final>",
        "</regular>",
    ]


def instance(puzzles: Sequence[Nonogram], name: str, line: Callable[[str, Clue, int], list[str]]) -> str:
    """One puzzle, each line of it by ``line(its cells, its clue, how many cells)``."""
    if len(puzzles) != 1:
        raise UnsupportedError(f"{name} holds one puzzle, not {len(puzzles)}; non, webpbn and json hold many")
    (puzzle,) = puzzles
    refuse_more_colours(puzzle, name)
    values = " ".join(map(str, range(puzzle.colours + 1)))
    constraints: list[str] = []
    for axis, index, clue in puzzle.lines():
        cells, length = (f"x[{index}][]", puzzle.width) if axis == "row" else (f"x[][{index}]", puzzle.height)
        constraints += line(cells, clue, length)
    if puzzle.given:
        cells = " ".join(f"x[{row}][{column}]" for row, column, _ in puzzle.given)
        constraints += ["<instantiation>", f"  <list> {cells} </list>"]
        constraints += [
            f"  <values> {' '.join(str(value) for *_, value in puzzle.given)} </values>",
            "</instantiation>",
        ]
    lines = [
        '<instance format="XCSP3" type="CSP">',
        "  <variables>",
        f'    <array id="x" size="[{puzzle.height}][{puzzle.width}]"> {values} </array>',
        "  </variables>",
        "  <constraints>",
        *(f"    {text}" for text in constraints),
        "  </constraints>",
        "</instance>",
    ]
    return "\n".join([*lines, ""])


# Nonograms in XCSP3 with a table for each line (``extension``): all lines that its clue allows, as tuples.
#
# It is read and written like ``xcsp3``, and says the same at more length::
#
#     <extension> <list> x[0][] </list> <supports> (0,0,1)(0,1,0)(1,0,0) </supports> </extension>


MAX_CELLS = 20_000_000
"""Of all tuples: a text of 40 MB."""


def table_marks(text: str) -> bool:
    """An instance with tables and without automata."""
    return is_instance(text) and "<extension" in text and "<regular" not in text


def table_write(puzzles: Sequence[Nonogram]) -> str:
    """One puzzle by tables; several, and tables that would be too large, raise ``UnsupportedError``."""
    for puzzle in puzzles:
        lengths = {"row": puzzle.width, "column": puzzle.height}
        cells = sum(placements(clue, lengths[axis]) * lengths[axis] for axis, _, clue in puzzle.lines())
        if cells > MAX_CELLS:
            raise UnsupportedError(f"tables of {cells:,} cells, at most {MAX_CELLS:,} are written; xcsp3 needs none")
    return instance(puzzles, "xcsp3-table", _extension)


def _extension(cells: str, clue: Clue, length: int) -> list[str]:
    lines = lines_of(clue, length)
    if length == 1:  # of one cell, values stand without parentheses
        supports = " ".join(str(value) for (value,) in lines)
    else:
        supports = "".join(f"({','.join(map(str, line))})" for line in lines)
    return ["<extension>", f"  <list> {cells} </list>", f"  <supports> {supports} </supports>", "</extension>"]
