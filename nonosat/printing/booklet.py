"""A booklet: puzzles with titles and sizes, as many a page as are good to read, and their solutions at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from nonosat.errors import UnknownNameError, UnsupportedError
from nonosat.printing.pdf import POINT, Outline, Page, ShapeDrawing, Text, drawing, moved, pdf
from nonosat.puzzles.puzzle import Board, Puzzle, kind_of

# Where drawings stand on pages: as large as is good to read, several side by side where they fit, in their order.


PAPERS = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4), "A3": (297.0, 420.0)}
"""Width and height, in millimetres."""
MARGIN, GAP, CAPTION, HEAD, FOOT = 15.0, 8.0, 7.0, 14.0, 8.0
"""Around the page, between drawings, above each, for a heading, and for the page's number; millimetres."""

USUAL, GOOD, LEAST = 11.0, 7.0, 3.5
"""Points of a drawing's text: as large as that, if there is room; what several side by side must have; what is
refused."""

INK, MUTED = "#000000", "#6b6b6b"


class Item(NamedTuple):
    """A drawing with its ``name`` and a caption in small letters; ``most``: millimetres of its longer side."""

    drawing: ShapeDrawing
    name: str
    note: str = ""
    most: float | None = None


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

    @property
    def room(self) -> float:
        """The width between the margins."""
        return self.width - 2 * MARGIN


def laid_out(items: Sequence[Item], paper: str, heading: str) -> list[Page]:
    """The pages of ``items`` in order, without numbers. UnsupportedError: a drawing's text would be too small."""
    size = PAPERS[paper]
    sheets: list[_Sheet] = []
    for item in items:
        first = HEAD if heading and not sheets else 0.0
        upright, lying = _placing(item, *size, first), _placing(item, size[1], size[0], first)
        if lying.scale > 1.15 * upright.scale and upright.across == 1 and _points(upright) < GOOD:
            sheets.append(_sheet(size[1], size[0], heading if first else ""))
            _put(sheets[-1], lying)
            sheets[-1].low = sheets[-1].height  # a page turned round is its own
            continue
        _readable(upright, paper)
        if not sheets or not _fits(sheets[-1], upright):
            sheets.append(_sheet(*size, heading if first else ""))
        _put(sheets[-1], upright)
    return [Page(sheet.width, sheet.height, tuple(sheet.shapes)) for sheet in sheets]


def numbered(pages: Sequence[Page]) -> list[Page]:
    """The pages with their numbers."""
    done = []
    for number, page in enumerate(pages, 1):
        foot = _text(f"{number} / {len(pages)}", page.width / 2, page.height - MARGIN + 4, 8, MUTED, "middle")
        done.append(Page(page.width, page.height, (*page.shapes, foot)))
    return done


def _placing(item: Item, width: float, height: float, head: float) -> Placing:
    """How large an item is: that most stand side by side whose text is good to read, or else as large as it can be."""
    plan = item.drawing
    low = height - 2 * MARGIN - FOOT - CAPTION - head
    usual = USUAL / (plan.text_size * POINT) if plan.text_size else 6 / 24
    if item.most is not None:
        usual = item.most / max(plan.width, plan.height)
    for across in (3, 2, 1) if item.most is None else (4, 2, 1):
        column = (width - 2 * MARGIN - (across - 1) * GAP) / across
        found = Placing(item, across, min(usual, column / plan.width, low / plan.height))
        if across == 1 or (item.most is None and _points(found) >= GOOD) or (item.most and found.scale == usual):
            return found
    raise AssertionError


def _points(placing: Placing) -> float:
    size = placing.item.drawing.text_size
    return USUAL if size is None else size * placing.scale * POINT


def _readable(placing: Placing, paper: str) -> None:
    if placing.item.most is None and _points(placing) < LEAST:
        room = "" if paper == "A3" else "; A3 has more room"
        raise UnsupportedError(
            f"{placing.item.name}: {placing.item.note}, so its clues would be {_points(placing):.1f} points high on "
            f"{paper}{room}"
        )


def _sheet(width: float, height: float, heading: str) -> _Sheet:
    sheet = _Sheet(width, height, MARGIN)
    if heading:
        sheet.shapes.append(_text(heading, MARGIN, MARGIN + 7, 18, INK, bold=True))
        sheet.low += HEAD
    return sheet


def _fits(sheet: _Sheet, placing: Placing) -> bool:
    tall = CAPTION + placing.scale * placing.item.drawing.height
    same_row = sheet.across == placing.across and sheet.column < sheet.across
    below = sheet.low if same_row else sheet.low + sheet.shelf
    return below + tall <= sheet.height - MARGIN - FOOT + 1e-6


def _put(sheet: _Sheet, placing: Placing) -> None:
    """Beside the last one, if as many are to stand there and there is room; else below."""
    item, across, scale = placing
    if sheet.across != across or sheet.column == across:
        sheet.low, sheet.shelf, sheet.column, sheet.across = sheet.low + sheet.shelf, 0.0, 0, across
    column = (sheet.room - (across - 1) * GAP) / across
    left = MARGIN + sheet.column * (column + GAP)
    sheet.column += 1
    sheet.shelf = max(sheet.shelf, CAPTION + scale * item.drawing.height + GAP)
    base = sheet.low + CAPTION - 3
    sheet.shapes.append(_text(_cut(item.name, column - len(item.note) * 1.6), left, base, 9, INK, bold=True))
    if item.note:
        sheet.shapes.append(_text(item.note, left + column, base, 8, MUTED, "end"))
    sheet.shapes += [moved(shape, left, sheet.low + CAPTION, scale) for shape in item.drawing.shapes]


def _cut(name: str, room: float) -> str:
    """``name``, shortened to so many millimetres of 9-point letters."""
    most = max(4, int(room / 2.2))
    return name if len(name) <= most else name[: most - 1] + "…"


def _text(text: str, x: float, y: float, points: float, ink: str, anchor: str = "start", bold: bool = False) -> Text:
    return Text(text, x, y, points / POINT, ink, anchor, bold, False)


SMALL, LARGE = 38.0, 84.0
"""Millimetres of the longer side of a solution: of up to so many cells, and of more."""
MANY = 30


def booklet(
    puzzles: Sequence[Puzzle], solutions: Sequence[Board | None] = (), title: str = "", paper: str = "A4"
) -> bytes:
    """The PDF of ``puzzles``; ``solutions``: theirs in the same order (None: not known), or none for no such pages.

    UnknownNameError: ``paper`` is not one of ``PAPERS``. UnsupportedError: a puzzle is too large for it.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> booklet([Nonogram.from_lengths([[1]], [[1]])])[:5]
    b'%PDF-'
    """
    if paper not in PAPERS:
        raise UnknownNameError("paper", paper, list(PAPERS))
    if not puzzles:
        raise UnsupportedError("no puzzle to print")
    items = [
        Item(drawing(paper_svg(puzzle)), name(number, puzzle), size(puzzle)) for number, puzzle in enumerate(puzzles, 1)
    ]
    pages = laid_out(items, paper, title)
    answers = [
        Item(drawing(kind_of(board).svg_picture(board)), name(number, puzzle), most=room(board))
        for number, (puzzle, board) in enumerate(zip(puzzles, solutions, strict=bool(solutions)), 1)
        if board is not None
    ]
    if answers:
        pages += laid_out(answers, paper, "Solutions")
    return pdf(numbered(pages), title or puzzles[0].title)


def paper_svg(puzzle: Puzzle) -> str:
    """The drawing for paper of its kind, or else the usual one."""
    kind = kind_of(puzzle)
    return kind.svg(puzzle, None) if kind.paper is None else kind.paper(puzzle)


def name(number: int, puzzle: Puzzle) -> str:
    """``3  Snail``."""
    title = " ".join(puzzle.title.split())
    return f"{number}  {title}" if title else str(number)


def size(puzzle: Puzzle) -> str:
    """Width by height, as players say it."""
    height, width = puzzle.shape
    return f"{width} × {height}"


def room(board: Board) -> float:
    """How large the solution is printed."""
    return SMALL if max(board.shape) <= MANY else LARGE
