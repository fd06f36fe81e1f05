"""Nonograms out of XCSP3: from each line's automaton or table the only clue that says the same, or a refusal.

Of XCSP3 it takes one two-dimensional array of cells with values from 0 on (single cells may have a ``domain`` of their
own), and of constraints ``regular``, ``extension`` with ``supports`` of plain tuples, ``instantiation``, an
``intension`` ``eq(x[0][0],1)``, and ``group`` and ``block`` of these. Each row and column has a constraint over all of
its cells in order. Anything else is refused: it could mean another puzzle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from nonosat.errors import FormatError
from nonosat.puzzles.formats.markup import Node, tree
from nonosat.puzzles.formats.texts import quote
from nonosat.puzzles.nonogram.formats.automata import Automaton, clue_of_automaton, clue_of_table
from nonosat.puzzles.nonogram.formats.written_clues import Written, assemble, board_size
from nonosat.puzzles.nonogram.formats.xcsp3_cells import Cell, Cells, array_of
from nonosat.puzzles.nonogram.palette import palette_of
from nonosat.puzzles.nonogram.puzzle import Clue, Nonogram
from nonosat.puzzles.puzzle import Given

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
        scope = self.cells.list(cells if cells is not None else _said(node, "list"), line)
        if node.name == "instantiation":
            self.instantiated(scope, _said(node, "values").split(), line)
            return
        clue = self.clue(node, len(scope), line)
        axis, index = self.line(scope, line)
        letters = palette_of(self.cells.colours)
        written = Written(tuple((run.length, letters[run.colour - 1].symbol) for run in clue), line)
        if self.lines[axis].setdefault(index, written).runs != written.runs:
            raise FormatError(f"{axis} {index + 1} has two clues", line)

    def clue(self, node: Node, length: int, line: int) -> Clue:
        """What a constraint says, which other lines often have said."""
        parts = (node.name, str(length), *(child.text for child in node.children if child.name != "list"))
        if parts not in self.known:
            try:
                said = self.of_regular if node.name == "regular" else self.of_table
                self.known[parts] = said(node, length)
            except FormatError as error:
                raise FormatError(error.reason, error.line or line) from None
        return self.known[parts]

    def of_regular(self, node: Node, length: int) -> Clue:
        moves: dict[str, dict[int, str]] = {}
        text, at = _said(node, "transitions"), 0
        while at < len(text):
            if (match := _TRIPLE.match(text, at)) is None:
                raise FormatError(f'{quote(text[at : at + 24])} is not a transition, such as "(q0,1,q1)"')
            state, value, then = match[1], self.cells.value(match[2]), match[3]
            if moves.setdefault(state, {}).setdefault(value, then) != then:
                raise FormatError(f"two transitions from {quote(state)} by {value}: automata are deterministic here")
            at = match.end()
        start, final = _said(node, "start").split(), _said(node, "final").split()
        if len(start) != 1:
            raise FormatError("an automaton has one state to start in")
        return clue_of_automaton(Automaton(moves, start[0], frozenset(final)), length)

    def of_table(self, node: Node, length: int) -> Clue:
        text, at = _said(node, "supports"), 0
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
    if _said(templates[0], "list").strip() != "%...":
        raise FormatError('the list of a group is "%..."', templates[0].line)
    for args in group.all("args"):
        yield templates[0], args.text, args.line


def _said(node: Node, name: str) -> str:
    found = list(node.all(name))
    if len(found) != 1:
        raise FormatError(f"{quote(node.name)} has {len(found)} of {quote(name)}, one is due", node.line)
    if "as" in found[0].attributes:
        raise FormatError(f"{quote(name)} refers to another element, which is not read", found[0].line)
    return found[0].text.strip()
