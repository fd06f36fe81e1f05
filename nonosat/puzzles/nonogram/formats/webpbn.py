r"""The XML of webpbn.com (version 0.3 of its format): colours, a goal, further solutions, several puzzles a file.

::

    <puzzleset>
    <puzzle type="grid" defaultcolor="black" backgroundcolor="white">
    <title>Demo</title> <author>...</author> <copyright>...</copyright> <source>...</source> <id>...</id>
    <color name="white" char=".">fff</color> <color name="black" char="X">000</color>
    <clues type="rows"> <line><count>2</count><count color="red">1</count></line> ... </clues>
    <clues type="columns"> ... </clues>
    <solution type="goal"><image> |XX.|\n|.X.| </image></solution>
    </puzzle>
    </puzzleset>

A colour may lack its ``char``, a puzzle all of its colours (black and white are known), and its clues if there is a
goal, whose clues are taken then. Rows of an image stand between bars; blanks in it mean nothing. ``copyright`` is our
licence, ``source`` and ``id`` our source. Solutions of the type ``saved``, descriptions and notes are ``overlooked``;
triddlers and triangles are refused. Blanks around a text mean nothing, unless it says ``xml:space="preserve"``. Given
cells can't be held.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nonosat.errors import FormatError
from nonosat.puzzles.formats.goals import goal_rows, overlooked, rows_of, with_goal, with_solutions
from nonosat.puzzles.formats.texts import CONTROL, Node, escaped, plain_text, quote, tree, write_each
from nonosat.puzzles.nonogram.formats.written_clues import Written, assemble, board_size, refuse_given, written
from nonosat.puzzles.nonogram.puzzle import BLACK, MAX_COLOURS, SYMBOLS, Clue, Colour, Nonogram, read_clue

# The colours of a puzzle in webpbn.com's XML: by name in clues, by a character each in images, by letters in ours.


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


_MARKS = re.compile(r"<(?:puzzleset|puzzle)[\s>]")
_TEXTS = {"title": "title", "author": "author", "copyright": "licence", "source": "source"}
_PUZZLE = {*_TEXTS, "id", "color", "clues", "solution"}
_HEAD = ['<?xml version="1.0"?>', '<!DOCTYPE pbn SYSTEM "http://webpbn.com/pbn-0.3.dtd">', "<puzzleset>"]
Cells = list[list[int]]


def marks(text: str) -> bool:
    """XML with the element ``puzzleset`` or ``puzzle``."""
    return text.lstrip().startswith("<") and _MARKS.search(text) is not None


def read(text: str) -> list[Nonogram]:
    r"""The puzzles of a set, or of a single ``puzzle``.

    >>> [puzzle] = read("<puzzle><title>A</title><solution><image>|XX.|</image></solution></puzzle>")
    >>> puzzle.title, puzzle.rows, puzzle.goal == puzzle.picture([[1, 1, 0]])
    ('A', ((Run(length=2, colour=1),),), True)
    """
    root = tree(text)
    if root.name == "puzzle":
        return [_puzzle(root, {})]
    if root.name != "puzzleset":
        raise FormatError(f"puzzles are in a puzzleset, not in {quote(root.name)}", root.line)
    common = _texts(root)
    puzzles = [_puzzle(node, common) for node in root.all("puzzle")]
    if not puzzles:
        raise FormatError("no puzzle in this file", root.line)
    return puzzles


def write(puzzles: Sequence[Nonogram]) -> str:
    """Puzzles as a set; given cells raise ``UnsupportedError``."""
    return "\n".join([*_HEAD, *write_each(puzzles, lambda puzzle, _: _text(puzzle)), "</puzzleset>", ""])


def _puzzle(node: Node, common: dict[str, str]) -> Nonogram:
    if (kind := node.attributes.get("type", "grid")) != "grid":
        raise FormatError(f"a puzzle of the type {quote(kind)}; nonograms are of the type grid", node.line)
    for name in dict.fromkeys(child.name for child in node.children):
        if name not in _PUZZLE:
            overlooked(f"the {name} of a puzzle")
    colours = declared(node)
    pictures = list(_pictures(node, colours))
    clues = {each.attributes.get("type", ""): _clues(each, colours) for each in node.all("clues")}
    if not clues:
        if not pictures:
            raise FormatError("a puzzle without clues and without a solution", node.line)
        clues = _read_off(pictures[0][1], colours, node.line)
    if set(clues) != {"rows", "columns"}:
        raise FormatError(f"a puzzle has clues of rows and columns, not of {quote(', '.join(clues))}", node.line)
    puzzle = assemble(clues["rows"], clues["columns"], colours.palette, **(common | _texts(node)))
    goals = [picture for kind, picture, _ in pictures if kind == "goal"]
    line = pictures[0][2] if pictures else None
    puzzle = with_goal(puzzle, goals[0], line) if goals else puzzle
    others = [*goals[1:], *(picture for kind, picture, _ in pictures if kind == "solution")]
    return with_solutions(puzzle, others, line)


def _texts(node: Node) -> dict[str, str]:
    found = {ours: _text_of(child) for name, ours in _TEXTS.items() if (child := node.first(name)) is not None}
    if (number := node.first("id")) is not None:
        found["source"] = " ".join(filter(None, (found.get("source", ""), _text_of(number))))
    return {key: text for key, text in found.items() if text}


def _text_of(node: Node) -> str:
    return node.text if node.attributes.get("xml:space") == "preserve" else node.text.strip()


def _clues(node: Node, colours: Colours) -> list[Written]:
    clues = []
    for line in node.all("line"):
        counts = list(line.all("count"))
        runs = written((count.text.strip() for count in counts), line.line).runs
        symbols = [colours.symbol(count.attributes.get("color"), count.line) for count in counts] if runs else []
        clues.append(Written(tuple((run[0], symbol) for run, symbol in zip(runs, symbols, strict=True)), line.line))
    return clues


def _read_off(cells: Cells, colours: Colours, line: int) -> dict[str, list[Written]]:
    """The clues of a picture."""
    letters = [colour.symbol for colour in colours.palette]
    lines = {"rows": cells, "columns": [list(column) for column in zip(*cells, strict=True)]}
    return {
        key: [
            Written(tuple((length, letters[value - 1]) for length, value in read_clue(each)), line) for each in several
        ]
        for key, several in lines.items()
    }


def _pictures(node: Node, colours: Colours) -> Iterator[tuple[str, Cells, int]]:
    """The type of each solution, its cells, and its line; goals first."""
    found = []
    for solution in node.all("solution"):
        kind = solution.attributes.get("type", "goal")
        if kind == "saved":
            overlooked("a saved state of play")
        elif kind not in ("goal", "solution"):
            raise FormatError(f"a solution of the type {quote(kind)}", solution.line)
        else:
            found += [(kind, _cells(image, colours), image.line) for image in solution.all("image")]
    return iter(sorted(found, key=lambda picture: picture[0] != "goal"))


def _cells(image: Node, colours: Colours) -> Cells:
    rows = [row for row in "".join(image.text.split()).split("|") if row]
    if not rows:
        raise FormatError('an image has rows, such as "|X.X|"', image.line)
    board_size(len(rows), len(rows[0]), image.line)
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise FormatError(f"row {number} of an image has {len(row)} cells, row 1 has {len(rows[0])}", image.line)
        if unknown := set(row) - set(colours.values):
            raise FormatError(f"row {number} of an image: {quote(min(unknown))} is no colour of the puzzle", image.line)
    return [[colours.values[character] for character in row] for row in rows]


def _text(puzzle: Nonogram) -> str:
    refuse_given(puzzle, "webpbn")
    plain_text(puzzle, "webpbn", control=CONTROL)
    names = named(puzzle.palette)
    lines = [f'<puzzle type="grid" defaultcolor="{escaped(names[0][0])}">']
    for element, key in _TEXTS.items():
        if text := getattr(puzzle, key):
            space = ' xml:space="preserve"' if text != text.strip() else ""
            lines.append(f"<{element}{space}>{escaped(text)}</{element}>")
    lines += colour_elements(puzzle.palette)
    for key, clues in (("columns", puzzle.columns), ("rows", puzzle.rows)):
        lines += [f'<clues type="{key}">', *(_line(clue, names) for clue in clues), "</clues>"]
    pictures = [("goal", goal_rows(puzzle))] if puzzle.goal is not None else []
    pictures += [("solution", rows_of(puzzle, board, "a solution")) for board in puzzle.solutions]
    letters = str.maketrans({colour.symbol: names[i][1] for i, colour in enumerate(puzzle.palette)} | {".": BLANK})
    for kind, rows in pictures:
        image = [f"|{escaped(row.translate(letters))}|" for row in rows]
        lines += [f'<solution type="{kind}">', "<image>", *image, "</image>", "</solution>"]
    return "\n".join([*lines, "</puzzle>"])


def _line(clue: Clue, names: list[tuple[str, str]]) -> str:
    colours = [f' color="{escaped(names[run.colour - 1][0])}"' if run.colour > 1 else "" for run in clue]
    counts = [f"<count{colour}>{run.length}</count>" for run, colour in zip(clue, colours, strict=True)]
    return f"<line>{''.join(counts)}</line>"
