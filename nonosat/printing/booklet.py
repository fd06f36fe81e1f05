"""A booklet: a cover, contents, puzzles with their sizes, as many a page as are good to read, and their solutions.

Titles stand with the solutions: next to a puzzle they would give its picture away.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from textwrap import wrap
from typing import NamedTuple

from nonosat.errors import UnknownNameError, UnsupportedError
from nonosat.printing.pdf import POINT, Outline, Page, ShapeDrawing, Text, drawing, moved, pdf, scaled, text_width
from nonosat.puzzles.puzzle import Board, Puzzle, kind_of

# Where drawings stand on pages: as large as is good to read, several side by side where they fit, in their order.


PAPERS = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4), "A3": (297.0, 420.0)}
"""Width and height, in millimetres."""
MARGIN, GAP, CAPTION, HEAD, FOOT = 15.0, 8.0, 7.0, 14.0, 8.0
"""Around the page, between drawings, above each, for a heading, and for the page's number; millimetres."""
NAME_LINE = 4.0
"""From the first line of a name to the second, which all drawings of a list have room for if one needs it."""

BINDING = 4.0
"""Millimetres by which pages of a duplex print are moved away from the fold."""

USUAL, GOOD, LEAST = 11.0, 7.0, 3.5
"""Points of a drawing's text: as large as that, if there is room; what several side by side must have; what is
refused."""

INK, MUTED = "#000000", "#6b6b6b"


class Item(NamedTuple):
    """A drawing with its ``name`` and a caption in small letters; ``most``: millimetres of its longer side.

    ``full``: the name in errors, if that is another one. ``alone``: it fills its page, upright or lying.
    """

    drawing: ShapeDrawing
    name: str
    note: str = ""
    most: float | None = None
    full: str = ""
    alone: bool = False


class Placing(NamedTuple):
    """An item on a page: ``across`` that stand side by side, and millimetres a unit."""

    item: Item
    across: int
    scale: float


@dataclass
class _Sheet:
    """A page that is being filled: ``low`` is where the next shelf begins, ``column`` the next place on this one."""

    width: float
    height: float
    low: float
    shapes: list[Outline | Text] = field(default_factory=list)
    across: int = 0
    column: int = 0
    shelf: float = 0.0
    caption: float = CAPTION
    names: list[str] = field(default_factory=list)

    @property
    def room(self) -> float:
        """The width between the margins."""
        return self.width - 2 * MARGIN


def laid_out(items: Sequence[Item], paper: str, heading: str) -> list[Page]:
    """The pages of ``items`` in order, without numbers. UnsupportedError: a drawing's text would be too small."""
    return [_page(sheet) for sheet in _sheets(items, paper, heading)]


def _page(sheet: _Sheet) -> Page:
    return Page(sheet.width, sheet.height, tuple(sheet.shapes))


def _sheets(items: Sequence[Item], paper: str, heading: str) -> list[_Sheet]:
    size = PAPERS[paper]
    caption = _caption(items, *size)
    sheets: list[_Sheet] = []
    for item in items:
        first = (HEAD if heading and not sheets else 0.0) + caption - CAPTION
        placing, lying = _placed(item, paper, first)
        if lying:
            sheets.append(_sheet(size[1], size[0], "" if sheets else heading, caption))
            _put(sheets[-1], placing)
            sheets[-1].low = sheets[-1].height  # a page turned round is its own
            continue
        if not sheets or not _fits(sheets[-1], placing):
            sheets.append(_sheet(*size, "" if sheets else heading, caption))
        _put(sheets[-1], placing)
    return sheets


def _placed(item: Item, paper: str, head: float) -> tuple[Placing, bool]:
    """How an item stands, and whether on a page that is turned round. UnsupportedError: it would be too small."""
    width, height = PAPERS[paper]
    upright, lying = _placing(item, width, height, head), _placing(item, height, width, head)
    turned = item.alone or _points(upright) < GOOD
    turned = turned and upright.across == 1 and lying.scale > 1.15 * upright.scale
    placing = lying if turned else upright
    if item.most is None and _points(placing) < LEAST:
        named = item.full or item.name
        room = "" if paper == "A3" else "; A3 has more room"
        raise UnsupportedError(
            f"{named} is too large for {paper}: its clues would be {_points(placing):.1f} points high{room}"
        )
    return placing, turned


def refuse_large(puzzle: Puzzle, paper: str) -> None:
    """UnsupportedError: the puzzle's clues would be too small to read, on a page with a heading."""
    _placed(Item(drawing(paper_svg(puzzle)), size(puzzle)), paper, HEAD + NAME_LINE)


def numbered(pages: Sequence[Page], duplex: bool = False, bare: int = 0) -> list[Page]:
    """The pages with their numbers, but for the first ``bare`` ones and empty ones.

    ``duplex``: on both sides of the paper: numbers stand at the outer edge, and all else is moved away from the inner.
    """
    done = []
    for number, page in enumerate(pages, 1):
        right = number % 2 == 1
        shift = (BINDING if right else -BINDING) if duplex else 0.0
        shapes = [moved(shape, shift, 0.0, 1.0) for shape in page.shapes] if shift else list(page.shapes)
        if number > bare and shapes:
            across, anchor = (page.width - MARGIN, "end") if right else (MARGIN, "start")
            if not duplex:
                across, anchor = page.width / 2, "middle"
            words = str(number) if duplex else f"{number} / {len(pages)}"
            shapes.append(_text(words, across, page.height - MARGIN + 4, 8, MUTED, anchor))
        done.append(Page(page.width, page.height, tuple(shapes)))
    return done


def _placing(item: Item, width: float, height: float, head: float) -> Placing:
    """How large an item is: that most stand side by side whose text is good to read, or else as large as it can be."""
    plan = item.drawing
    low = height - 2 * MARGIN - FOOT - CAPTION - head
    usual = USUAL / (plan.text_size * POINT) if plan.text_size else 6 / 24
    if item.most is not None:
        usual = item.most / max(plan.width, plan.height)
    if item.alone:
        return Placing(item, 1, min((width - 2 * MARGIN) / plan.width, low / plan.height))
    for across in (3, 2, 1) if item.most is None else (4, 2, 1):
        column = (width - 2 * MARGIN - (across - 1) * GAP) / across
        found = Placing(item, across, min(usual, column / plan.width, low / plan.height))
        if across == 1 or (item.most is None and _points(found) >= GOOD) or (item.most and found.scale == usual):
            return found
    raise AssertionError


def _points(placing: Placing) -> float:
    size = placing.item.drawing.text_size
    return USUAL if size is None else size * placing.scale * POINT


def _sheet(width: float, height: float, heading: str, caption: float) -> _Sheet:
    sheet = _Sheet(width, height, MARGIN, caption=caption)
    if heading:
        sheet.shapes.append(_text(heading, MARGIN, MARGIN + 7, 18, INK, bold=True))
        sheet.low += HEAD
    return sheet


def _fits(sheet: _Sheet, placing: Placing) -> bool:
    tall = sheet.caption + placing.scale * placing.item.drawing.height
    same_row = sheet.across == placing.across and sheet.column < sheet.across
    below = sheet.low if same_row else sheet.low + sheet.shelf
    return below + tall <= sheet.height - MARGIN - FOOT + 1e-6


def _put(sheet: _Sheet, placing: Placing) -> None:
    """Next to the last one, if as many are to stand there and there is room; else below."""
    item, across, scale = placing
    sheet.names.append(item.name)
    if sheet.across != across or sheet.column == across:
        sheet.low, sheet.shelf, sheet.column, sheet.across = sheet.low + sheet.shelf, 0.0, 0, across
    column = (sheet.room - (across - 1) * GAP) / across
    left = MARGIN + sheet.column * (column + GAP)
    sheet.column += 1
    sheet.shelf = max(sheet.shelf, sheet.caption + scale * item.drawing.height + GAP)
    base = sheet.low + CAPTION - 3
    for at, line in enumerate(_name_lines(item, column)[: 1 + (sheet.caption > CAPTION)]):
        sheet.shapes.append(_text(line, left, base + at * NAME_LINE, 9, INK, bold=True))
    if item.note:
        sheet.shapes.append(_text(item.note, left + column, base, 8, MUTED, "end"))
    middle = left + (column - scale * item.drawing.width) / 2 if item.alone else left
    sheet.shapes += [moved(shape, middle, sheet.low + sheet.caption, scale) for shape in item.drawing.shapes]


def _caption(items: Sequence[Item], width: float, height: float) -> float:
    """The room above each drawing: for two lines, if a name takes them."""
    room = width - 2 * MARGIN
    for item in items:
        across = _placing(item, width, height, 0.0).across
        if len(_name_lines(item, (room - (across - 1) * GAP) / across)) > 1:
            return CAPTION + NAME_LINE
    return CAPTION


def _name_lines(item: Item, column: float) -> list[str]:
    """The name in one line beside the note, or in two, of which the second is cut where it has no room."""
    beside = column - (text_width(item.note, 8) + 2 if item.note else 0.0)
    first, words = "", item.name.split(" ")
    while words and (not first or _fitting(f"{first} {words[0]}", beside)):
        first = f"{first} {words.pop(0)}" if first else words.pop(0)
    return [_cut(first, beside), *([_cut(" ".join(words), column)] if words else [])]


def _fitting(text: str, room: float, points: float = 9, bold: bool = True) -> bool:
    return text_width(text, points, bold) <= room


def _cut(name: str, room: float, points: float = 9, bold: bool = True) -> str:
    """``name``, shortened to so many millimetres."""
    if _fitting(name, room, points, bold):
        return name
    most = len(name)
    while most > 3 and not _fitting(f"{name[:most]}…", room, points, bold):
        most -= 1
    return f"{name[:most].rstrip()}…"


def _text(text: str, x: float, y: float, points: float, ink: str, anchor: str = "start", bold: bool = False) -> Text:
    return Text(text, x, y, points / POINT, ink, anchor, bold, False)


SMALL, LARGE = 38.0, 84.0
"""Millimetres of the longer side of a solution: of up to so many cells, and of more."""
MANY = 30


def booklet(
    puzzles: Sequence[Puzzle],
    solutions: Sequence[Board | None] = (),
    title: str = "",
    paper: str = "A4",
    *,
    titles: bool = False,
    cover: bool = False,
    contents: bool = False,
    duplex: bool = False,
    notes: Sequence[str] = (),
    several: Collection[int] = (),
) -> bytes:
    """The PDF of ``puzzles``; ``solutions``: theirs in the same order (None: not known), or none for no such pages.

    ``titles``: next to the puzzles, too, not only the solutions. ``cover``: a first page with the ``title``, how many
    puzzles there are and of which sizes. ``contents``: a list of the puzzles with their pages. ``duplex``: for printing
    on both sides: puzzles and solutions begin on right pages, there is room for the binding, and numbers stand outside.
    A puzzle that is the only one fills its page.
    ``notes``: a word about each puzzle, such as its difficulty, next to its size. ``several``: numbers (from 1) of
    puzzles that have other solutions, too; it stands with theirs.

    UnknownNameError: ``paper`` is not one of ``PAPERS``. UnsupportedError: a puzzle is too large for it.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> booklet([Nonogram.from_lengths([[1]], [[1]])])[:5]
    b'%PDF-'
    """
    if paper not in PAPERS:
        raise UnknownNameError("paper", paper, list(PAPERS))
    if not puzzles:
        raise UnsupportedError("no puzzle to print")
    about = [f"{size(puzzle)}{f' · {note}' if note else ''}" for puzzle, note in zip_longest(puzzles, notes)]
    items = [
        Item(
            drawing(paper_svg(puzzle)),
            name(number, puzzle) if titles else str(number),
            note,
            None,
            name(number, puzzle),
            len(puzzles) == 1,
        )
        for number, (puzzle, note) in enumerate(zip(puzzles, about, strict=True), 1)
    ]
    sheets = _sheets(items, paper, "" if cover else title)
    front = [_cover(puzzles, title, paper)] if cover else []
    listed = -(-len(items) // _lines(paper)) if contents else 0
    before = _recto([*front, *[_blank(paper)] * listed], paper, duplex)
    if contents:
        at = {each: len(before) + number for number, sheet in enumerate(sheets, 1) for each in sheet.names}
        kinds = [f"{kind_of(puzzle).name} · {note}" for puzzle, note in zip(puzzles, about, strict=True)]
        before[len(front) : len(front) + listed] = _contents([item.name for item in items], kinds, at, paper)
    pages = [*before, *map(_page, sheets)]
    answers = [
        Item(
            drawing(kind_of(board).svg_picture(board)),
            name(number, puzzle),
            "one of several" if number in several else "",
            most=room(board),
        )
        for number, (puzzle, board) in enumerate(zip(puzzles, solutions, strict=bool(solutions)), 1)
        if board is not None
    ]
    if answers:
        pages = _recto(pages, paper, duplex) + laid_out(answers, paper, "Solutions")
    return pdf(
        numbered(pages, duplex, len(front)), title or ("" if len(puzzles) > 1 or not titles else puzzles[0].title)
    )


def _blank(paper: str) -> Page:
    return Page(*PAPERS[paper], ())


def _recto(pages: list[Page], paper: str, duplex: bool) -> list[Page]:
    """``pages``, and an empty one, if what comes next would stand on a left page of a duplex print."""
    return [*pages, _blank(paper)] if duplex and len(pages) % 2 else pages


FEW = 4
"""So many sizes are named on a cover; of more, from which to which they are."""


def _cover(puzzles: Sequence[Puzzle], title: str, paper: str) -> Page:
    """The first page: the title, how many puzzles, of which sizes."""
    width, height = PAPERS[paper]
    sizes = sorted({puzzle.shape for puzzle in puzzles}, key=lambda shape: (shape[0] * shape[1], shape))
    each = ["{}x{}".format(*shape) for shape in sizes]
    ends = [f"{min(side)} to {max(side)}" for side in zip(*sizes, strict=True)]
    shown = ", ".join(each) if len(each) <= FEW else f"{ends[0]} rows, {ends[1]} columns"
    many = f"{len(puzzles)} puzzle{'s' * (len(puzzles) != 1)}, {shown}"
    middle, room = width / 2, int((width - 2 * MARGIN) / 6)
    lines = wrap(title or "Puzzles", room) or ["Puzzles"]
    shapes = [_text(line, middle, height / 3 + 14 * at, 30, INK, "middle", bold=True) for at, line in enumerate(lines)]
    return Page(width, height, (*shapes, _text(many, middle, height / 3 + 14 * len(lines) + 4, 14, MUTED, "middle")))


LINE = 6.0
"""Millimetres from a line of the contents to the next."""


def _lines(paper: str) -> int:
    """How many lines of contents a page has."""
    return int((PAPERS[paper][1] - 2 * MARGIN - FOOT - HEAD) / LINE)


def _contents(names: Sequence[str], about: Sequence[str], at: Mapping[str, int], paper: str) -> list[Page]:
    """The puzzles, what is said ``about`` each, and its page; dots lead the eye there."""
    width, height = PAPERS[paper]
    note = max(text_width(text, 10) for text in about)
    end = width - MARGIN - text_width(str(max(at.values())), 10) - 2
    room = end - note - LINE - MARGIN
    names_end = MARGIN + LINE + min(room, max(text_width(name, 10) for name in names))
    dots, dot = names_end + note + 2, text_width(". " * 100, 10) / 100
    pages = []
    for first in range(0, len(names), _lines(paper)):
        shapes = [_text("Contents", MARGIN, MARGIN + 7, 18, INK, bold=True)]
        for line, name in enumerate(names[first : first + _lines(paper)]):
            base = MARGIN + HEAD + LINE * (line + 1) - 1.5
            shapes += [
                _text(_cut(name, room, 10, bold=False), MARGIN, base, 10, INK),
                _text(about[first + line], names_end, base, 10, MUTED),
                _text(". " * max(0, int((end - dots) / dot)), dots, base, 10, MUTED),
                _text(str(at[name]), width - MARGIN, base, 10, INK, "end"),
            ]
        pages.append(Page(width, height, tuple(shapes)))
    return pages


def alone(puzzle: Puzzle, picture: Board | None = None) -> bytes:
    """The PDF of one puzzle, a page of its size with nothing else; ``picture`` is drawn on it."""
    plan = scaled(drawing(kind_of(puzzle).svg(puzzle, picture)), 6 / 24)
    return pdf([Page(plan.width, plan.height, tuple(plan.shapes))], puzzle.title)


def paper_svg(puzzle: Puzzle) -> str:
    """The drawing for paper of its kind, or else the usual one."""
    kind = kind_of(puzzle)
    return kind.svg(puzzle, None) if kind.paper is None else kind.paper(puzzle)


def name(number: int, puzzle: Puzzle) -> str:
    """``3  Snail``."""
    title = " ".join(puzzle.title.split())
    return f"{number}  {title}" if title else str(number)


def size(puzzle: Puzzle) -> str:
    """Rows x columns."""
    return "{}x{}".format(*puzzle.shape)


def room(board: Board) -> float:
    """How large the solution is printed."""
    return SMALL if max(board.shape) <= MANY else LARGE
