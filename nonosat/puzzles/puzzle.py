"""What all kinds of puzzles have in common, so that encodings, solvers and experiments need not know which one it is.

A kind of puzzle is a frozen class with the attributes of ``Puzzle``, and a ``Board`` for its answers. All else that is
known of it (is this board a solution, formats, drawings, encodings) is found by its ``kind``, in ``kinds``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import index
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeAlias, TypeVar

from nonosat import plugins, references
from nonosat.errors import KindError, PuzzleError, with_article
from nonosat.files import printable
from nonosat.plugins import Code, Record, Table

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Lines = Sequence[tuple[int | None, str]]
"""Rows of a drawn board, each with its line number in the text (None: it has none, as in JSON)."""


class Given(NamedTuple):
    """A cell whose value is known from the start: 0-based ``row`` and ``column``; ``value`` as in the board."""

    row: int
    column: int
    value: int


@dataclass(frozen=True, eq=False)
class Board:
    """The values of all cells, as an answer: a nonogram's ``Picture``, the ``Heights`` of skyscrapers.

    ``cells``: uint8, shape (rows, columns), read-only. ``values``: the same as bytes, row by row. Boards of a kind are
    equal if their cells are.

    A board has one of the two, and makes the other when it is needed: a command that reads, solves and prints a small
    puzzle does without numpy, whose import takes longer than all of that.
    """

    cells: npt.NDArray[np.uint8]

    kind: ClassVar[str]

    def _keep(self, cells: npt.NDArray[np.uint8] | list[bytes]) -> None:
        """Make ``cells``, an array of uint8 that nobody else has or rows of bytes, those of the board."""
        if isinstance(cells, list):
            vars(self).pop("cells", None)
            vars(self).update(bytes=b"".join(cells), height=len(cells))
        else:
            cells.setflags(write=False)
            object.__setattr__(self, "cells", cells)

    def __getstate__(self) -> dict[str, object]:
        """For pickling: bytes, which are sent sooner than an array."""
        kept = {name: value for name, value in vars(self).items() if name != "cells"}
        return kept | {"bytes": self.values, "height": self.shape[0]}

    def __setstate__(self, state: dict[str, object]) -> None:
        vars(self).update(state)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            known = vars(self)
            if name != "cells" or "bytes" not in known:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            import numpy as np

            known["cells"] = np.frombuffer(known["bytes"], dtype=np.uint8).reshape(known["height"], -1)
            return known["cells"]

    @property
    def values(self) -> bytes:
        """The cells row by row, a byte each."""
        known = vars(self)
        if "bytes" not in known:
            known["bytes"] = self.cells.tobytes()
        found: bytes = known["bytes"]
        return found

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        if "cells" in vars(self):
            height, width = self.cells.shape
            return height, width
        height = int(vars(self)["height"])
        return height, len(self.values) // height

    def rows(self) -> list[str]:
        """One string a row."""
        raise NotImplementedError

    def __repr__(self) -> str:
        height, width = self.shape
        return f"<{type(self).__name__} {height}x{width}>"

    def __str__(self) -> str:
        return "\n".join(self.rows())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.shape == other.shape and self.values == other.values

    def __hash__(self) -> int:
        return hash(self.values)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[np.uint8]:
        import numpy as np

        return np.array(self.cells, dtype=dtype) if copy or dtype is not None else self.cells

    def _repr_svg_(self) -> str:
        return kind_of(self).svg_picture(self)


def byte_rows(cells: object) -> list[bytes] | None:
    r"""``cells`` as rows of bytes, if they are lists of lists of numbers from 0 to 255; None: see what numpy says.

    >>> byte_rows([[1, 0], [0, 2]]), byte_rows([[1, 0], [0]]), byte_rows([[1, 256]])
    ([b'\x01\x00', b'\x00\x02'], None, None)
    """
    if not isinstance(cells, list) or not all(isinstance(row, list) and row for row in cells):
        return None
    try:
        rows = [bytes(row) for row in cells]
    except (TypeError, ValueError):
        return None
    return rows if rows and len(set(map(len, rows))) == 1 else None


class Puzzle(Protocol):
    """A puzzle whose answer is a board of small whole numbers."""

    kind: ClassVar[str]

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns) of the board."""

    @property
    def title(self) -> str:
        """What people call it, or nothing."""

    @property
    def given(self) -> tuple[Given, ...]:
        """Cells that are known from the start."""

    @property
    def goal(self) -> Board | None:
        """The board that the puzzle was made from, if that is known; no solver looks at it."""

    def picture(self, cells: npt.ArrayLike) -> Board:
        """The board of these values; PuzzleError (a ValueError) if no board of the puzzle can have them."""

    def facts(self) -> dict[str, int | float]:
        """What records have about it, besides its kind and shape, by field."""

    def contradiction(self) -> str | None:
        """Why no board can solve the puzzle, where its clues say so at a glance; None says nothing."""


def title_of(title: str) -> str:
    """A title as the end of a ``repr``, which fits a line: cut, on one line, or nothing.

    >>> title_of("Hearts and " * 9)
    ": 'Hearts and Hearts and Hearts and Hearts...'"
    """
    return f": {printable(title.strip(), 40)!r}" if title.strip() else ""


def given_cells(
    given: Iterable[tuple[int, int, int]], shape: tuple[int, int], least: int, most: int, value: str = "value"
) -> tuple[Given, ...]:
    """Given cells in order, each once, of Python's whole numbers: compiled code takes numpy's for another type.

    ``least`` and ``most``: the values of a board's cells; ``value`` is the word for one. PuzzleError: a cell is outside
    the board, or has another value, or two.

    >>> import numpy as np
    >>> given_cells([(np.int64(1), 0, np.uint8(2)), Given(0, 1, 1), (1, 0, 2)], (2, 2), 1, 2)
    (Given(row=0, column=1, value=1), Given(row=1, column=0, value=2))
    """
    cells = sorted({Given(*map(index, cell)) for cell in given})
    for row, column, number in cells:
        if not (0 <= row < shape[0] and 0 <= column < shape[1]):
            raise PuzzleError(f"given cell ({row}, {column}) is outside the board")
        if not least <= number <= most:
            board = f"a {shape[0]}x{shape[1]} board"
            raise PuzzleError(f"given {value} {number}: those of {board} are from {least} to {most}")
    for cell, after in pairwise(cells):
        if cell[:2] == after[:2]:
            raise PuzzleError(f"cell ({cell.row}, {cell.column}) is given twice, with different {value}s")
    return tuple(cells)


def given_board(puzzle: Puzzle, still_open: int = 0) -> list[list[int]]:
    """The values of the given cells as rows of a board; ``still_open`` stands for the others."""
    height, width = puzzle.shape
    rows = [[still_open] * width for _ in range(height)]
    for row, column, value in puzzle.given:
        rows[row][column] = int(value)
    return rows


def declared_domains(puzzle: Puzzle) -> list[list[list[int]]] | None:
    """The values that each cell can have, row by row, as ``puzzle.domains()`` says; None: it does not have that.

    A kind whose cells are not all alike may say so: a black cell has one value.
    """
    declare: Callable[[], list[list[list[int]]]] | None = getattr(puzzle, "domains", None)
    return None if declare is None else declare()


def fixed_cells(puzzle: Puzzle) -> list[tuple[int, int, int]]:
    """Row, column and value of the given cells, and of those that can have one value only, such as black ones."""
    closed = [
        (row, column, values[0])
        for row, line in enumerate(declared_domains(puzzle) or ())
        for column, values in enumerate(line)
        if len(values) == 1
    ]
    return list(dict.fromkeys([*puzzle.given, *closed]))


# The kinds of puzzle: one frozen record each, in one table.
#
# All that is known of a kind is found through its record: checking, drawing, formats and encodings ask ``kind_of`` and
# know no kind by name. To add one: a folder here with its ``kind.py``, and a line in ``KINDS``; one that stands
# elsewhere comes from a plug-in. This file is at the bottom of the house: what a record names is imported when it is
# used, so that puzzles can ask for their own drawings, and nothing imports upward.


_PLAIN = "nonosat.puzzles.plain:"


@dataclass(frozen=True, eq=False)
class Format(Record):
    """A text format of puzzles: ``read`` raises ``FormatError`` on a bad text, ``write`` (which gets puzzles of
    ``kinds`` only) ``UnsupportedError`` on what the format can't hold.

    ``holds``: the kinds of puzzle that it is for, besides those that name it. ``marks(text)``: whether a text that
    nobody named the format of is of this one, by what no other format has (``formats.detection``; never, if it is left
    out).
    """

    axis: ClassVar[str] = "format"

    name: str
    suffixes: tuple[str, ...]
    description: str
    read: Code[Callable[[str], Sequence[Puzzle]]] = Code()
    write: Code[Callable[[Sequence[Any]], str]] = Code()
    holds: tuple[str, ...] = ()
    marks: Code[Callable[[str], bool] | None] = Code(None)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of puzzle that it holds."""
        return tuple(kind.name for kind in KINDS.known().values() if self in kind.all_formats)


_FORMATS = "nonosat.puzzles.formats."
JSON = Format(
    "json",
    (".json",),
    "our own: everything, given cells too",
    _FORMATS + "native:read",
    _FORMATS + "native:write",
    marks=_FORMATS + "native:marks",
)
"""What holds every kind that says how (``PuzzleKind.json``)."""

SHARE = Format(
    "share",
    (".share",),
    "a short string a puzzle, for links",
    _FORMATS + "share:read",
    _FORMATS + "share:write",
    marks=_FORMATS + "share:marks",
)
"""What holds every kind that says how (``PuzzleKind.share``)."""

PZPR = Format(
    "pzpr",
    (".pzpr", ".url"),
    "links of puzz.link and pzv.jp, a line a puzzle",
    _FORMATS + "pzpr:read",
    _FORMATS + "pzpr:write",
    marks=_FORMATS + "pzpr:marks",
)
"""What holds every kind that says how (``PuzzleKind.pzpr``)."""

OPB = Format(
    "opb",
    (".opb",),
    "for pseudo-Boolean solvers: the statement, with the puzzle in comments",
    references.OPB_READ,
    references.OPB_WRITE,
    marks=references.OPB_MARKS,
)
"""What holds every kind that has a statement and our JSON."""


class Members(NamedTuple):
    """A kind in our JSON: its own ``keys``, ``read(object, texts)``, ``write(puzzle)`` (its members, JSON already)."""

    keys: tuple[str, ...]
    read: Callable[[dict[str, object], dict[str, str]], Puzzle]
    write: Callable[[Any], list[str]]


class Sharing(NamedTuple):
    """A kind in strings to share: its ``letter``, ``read(title, bits)``, ``write(puzzle, bits)``; see ``share.py``."""

    letter: str
    read: Callable[[str, Any], Puzzle]
    write: Callable[[Any, Any], None]


class PzprLink(NamedTuple):
    """A kind in links of puzz.link: what they call it, ``read(columns, rows, body)``, ``write(puzzle)`` (its body)."""

    name: str
    read: Callable[[int, int, str], Puzzle]
    write: Callable[[Any], str]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PuzzleKind(Record):
    """All that is known of a kind of puzzle. Fields of code take the object, or ``"module:name"`` for later.

    ``puzzle`` and ``board``: its classes, whose ``kind`` is ``name``. ``check(puzzle, board)``: the first fault, or
    None. Drawings: see ``nonosat.puzzles.drawing``; what is left out is drawn as plain text or refused in one line.
    ``paper``: the puzzle as SVG to print, if that is not ``svg``; of what ``printing.vectors`` knows.
    ``drawn(lines)``: the puzzle whose board a text draws (None: it draws none); ``image(data, title)``: that of an
    image. ``json``: how our JSON holds it; ``share``: how strings to share do; ``pzpr``: how links of puzz.link do.
    ``formats``: its own text formats.
    ``encodings``: an ``encodings.parts.Kind``.
    ``strategy``: how the solver ``auto`` goes about (puzzle, at most N boards): events (SAT, if there is none).
    ``statement(puzzle)``: what it means, a ``certificates.statement.Statement`` (no certificates, if there is none).
    ``deduction``: how it is certified without an encoding (``certificates.deduction``; by SAT, if there is none).
    ``explain``: how it is solved step by step, an ``explanations.explain.Explainer``. ``counting``: its own
    counters, ``counting.count.NativeCounters``; without them solutions are counted through an encoding, and not drawn.
    """

    axis: ClassVar[str] = "kind of puzzle"

    name: str
    puzzle: Code[type[Any]] = Code()
    board: Code[type[Any]] = Code()
    check: Code[Callable[[Any, Board], Fault | None]] = Code()
    puzzle_text: Code[Callable[[Any, Board | None, bool], str]] = Code(_PLAIN + "puzzle_text")
    picture_text: Code[Callable[[Any, bool], str]] = Code(_PLAIN + "picture_text")
    read_picture: Code[Callable[[str, Any], Board]] = Code(_PLAIN + "read_picture")
    svg: Code[Callable[[Any, Board | None], str]] = Code(_PLAIN + "svg")
    svg_picture: Code[Callable[[Any], str]] = Code(_PLAIN + "svg_picture")
    png: Code[Callable[[Any, Board | None, int | None], bytes]] = Code(_PLAIN + "png")
    png_picture: Code[Callable[[Any, int | None], bytes]] = Code(_PLAIN + "png_picture")
    paper: Code[Callable[[Any], str] | None] = Code(None)
    drawn: Code[Callable[[Lines], Any] | None] = Code(None)
    image: Code[Callable[[bytes, str], Any] | None] = Code(None)
    json: Code[Members | None] = Code(None)
    share: Code[Sharing | None] = Code(None)
    pzpr: Code[PzprLink | None] = Code(None)
    formats: tuple[Format, ...] = ()
    encodings: Code[Any] = Code(None)
    strategy: Code[Callable[[Any, int | None], Iterable[Any]] | None] = Code(None)
    statement: Code[Callable[[Any], Any] | None] = Code(None)
    deduction: Code[Callable[[Any, int | None, Any, Any], Any] | None] = Code(None)
    explain: Code[Any] = Code(references.CONSTRAINT_EXPLAINER)
    counting: Code[Any] = Code(None)

    def __repr__(self) -> str:
        return f"PuzzleKind({self.name!r})"

    def has(self, field: str) -> bool:
        """Whether the record says anything of ``field``; nothing is imported for it."""
        return vars(self)[field] is not None

    @property
    def all_formats(self) -> tuple[Format, ...]:
        """Its own formats, those of all kinds that it says how to write, and those from outside that say so."""
        ours = {JSON: ("json",), SHARE: ("share",), PZPR: ("pzpr",), OPB: ("statement", "json")}
        held = [known for known, fields in ours.items() if all(map(self.has, fields))]
        return (*self.formats, *held, *(known for known, _ in plugins.outside(Format) if self.name in known.holds))


KINDS = Table(
    "kind of puzzle",
    PuzzleKind,
    {
        "nonogram": "nonosat.puzzles.nonogram.kind:KIND",
        "skyscrapers": "nonosat.puzzles.skyscrapers.kind:KIND",
    },
)


def kind_of(what: object) -> PuzzleKind:
    """The kind of a puzzle or a board, or the one of that name.

    >>> kind_of("skyscrapers").puzzle.kind
    'skyscrapers'
    >>> kind_of("skyscraper")
    Traceback (most recent call last):
    nonosat.errors.UnknownNameError: unknown kind of puzzle 'skyscraper'; known: nonogram, ...
    """
    name = what if isinstance(what, str) else getattr(what, "kind", None)
    if not isinstance(name, str):
        raise KindError(f"{type(what).__name__} is no kind of puzzle, nor a board of one")
    return KINDS.named(name)


PuzzleOrFile: TypeAlias = "Puzzle | str | PathLike[str]"
"""What functions for people take: a puzzle, or the name of its file."""


def puzzle_from(given: PuzzleOrFile) -> Puzzle:
    """The puzzle itself, or that in the file of this name, as ``nonosat.load`` reads it."""
    if not isinstance(given, str | PathLike):
        return given
    loaded: Puzzle = plugins.resolved("nonosat.puzzles.formats:load")(Path(given))  # named: nothing imports upward
    return loaded


def puzzle_kind(puzzle: object) -> PuzzleKind:
    """The kind of ``puzzle``. KindError: it is no puzzle.

    >>> puzzle_kind(3)
    Traceback (most recent call last):
    nonosat.errors.KindError: a puzzle is expected, not an int
    """
    name = getattr(puzzle, "kind", None)
    if isinstance(name, str) and not isinstance(puzzle, type):
        kind = KINDS.named(name)
        if isinstance(puzzle, kind.puzzle):
            return kind
    found = type(puzzle).__name__
    own = f": {found} has methods of the same names, such as {found}.solve" if hasattr(puzzle, "solve") else ""
    own = ": nonosat.load(..) reads one from a file" if isinstance(puzzle, str | PathLike) else own
    raise KindError(f"a puzzle is expected, not {with_article(found)}{own}")


# Is this board a solution? Checked by walking the lines; no code here is shared with any encoder or solver.


P = TypeVar("P", bound=Puzzle)


@dataclass(frozen=True)
class Fault:
    """The first thing that is wrong with a board. ``axis`` is "row", "column", or None (size, given cells); ``end``:
    the end of the line that it is seen from ("top", ...), if it matters.
    """

    axis: str | None
    index: int | None
    reason: str
    end: str | None = None

    def __str__(self) -> str:
        if self.axis is None or self.index is None:
            return self.reason
        end = f" from the {self.end}" if self.end else ""
        return f"{self.axis} {self.index + 1}{end}: {self.reason}"


def fault(puzzle: Puzzle, picture: Board) -> Fault | None:
    """The first fault of ``picture`` as a solution of ``puzzle``, or None.

    The ``check.py`` of each kind has the order of checks.

    >>> from nonosat.puzzles.nonogram import Nonogram, Picture
    >>> str(fault(Nonogram.from_lengths([[1], [2]], [[2], [1]]), Picture([[1, 1], [1, 1]])))
    'row 1: has 2, the clue says 1'
    """
    return puzzle_kind(puzzle).check(puzzle, picture)


def is_solution(puzzle: Puzzle, picture: Board) -> bool:
    """Whether ``picture`` solves ``puzzle``."""
    return fault(puzzle, picture) is None


def derived(puzzle: P, **fields: Any) -> P:
    """``puzzle`` with other clues or given cells (``fields``); its goal and its solutions stay if they solve that, too.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> puzzle = Nonogram.from_picture([[1, 0], [0, 1]])
    >>> derived(puzzle, given=((0, 0, 1),)).goal == puzzle.goal, derived(puzzle, given=((0, 0, 0),)).goal
    (True, None)
    """
    data: Any = puzzle
    none = {"goal": None} | ({"solutions": ()} if hasattr(puzzle, "solutions") else {})
    other: Any = replace(data, **none | fields)
    kept = {
        "goal": data.goal if data.goal is not None and is_solution(other, data.goal) else None,
        "solutions": tuple(board for board in getattr(puzzle, "solutions", ()) if is_solution(other, board)),
    }
    again = {name: boards for name, boards in kept.items() if boards and name not in fields}
    changed: P = replace(other, **again) if again else other
    return changed


def known_solutions(puzzle: Puzzle, besides: Collection[Hashable] = ()) -> dict[Board, str]:
    """The solutions that come with ``puzzle``, and what each is: its goal, and others, as far as they solve it.

    Those that are known ``besides`` are left out, unchecked.
    """
    known: dict[Board, str] = {}
    if puzzle.goal is not None and puzzle.goal not in besides:
        known[puzzle.goal] = "the puzzle's goal"
    for board in getattr(puzzle, "solutions", ()):
        if board not in besides:
            known.setdefault(board, "a solution that comes with the puzzle")
    return {board: name for board, name in known.items() if is_solution(puzzle, board)}


def size_fault(puzzle: Puzzle, picture: Board) -> Fault | None:
    """That the board is of another size than the puzzle, or None."""
    if picture.shape == puzzle.shape:
        return None
    (h, w), (ph, pw) = picture.shape, puzzle.shape
    return Fault(None, None, f"the picture is {h}x{w} (rows x columns), the puzzle {ph}x{pw}")


def given_fault(puzzle: Puzzle, rows: Sequence[Sequence[int]] | npt.NDArray[np.uint8]) -> Fault | None:
    """The first given cell that has another value in ``rows``, or None."""
    for row, column, value in puzzle.given:
        if rows[row][column] != value:
            return Fault(None, None, f"the cell in row {row + 1}, column {column + 1} is not as given")
    return None
