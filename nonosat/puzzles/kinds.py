"""The kinds of puzzle: one frozen record each, in one table.

All that is known of a kind is found through its record: checking, drawing, formats and encodings ask ``kind_of`` and
know no kind by name. To add one: a folder beside this file with its ``kind.py``, and a line in ``KINDS``; one that
stands elsewhere is brought by a plug-in. This file is at the bottom of the house: what a record names is imported when
it is used, so that puzzles can ask for their own drawings, and nothing imports upward.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from nonosat import plugins
from nonosat.errors import KindError
from nonosat.plugins import Record
from nonosat.references import Code
from nonosat.tables import Table

if TYPE_CHECKING:
    from nonosat.puzzles.check import Fault
    from nonosat.puzzles.drawing.lines import Lines
    from nonosat.puzzles.puzzle import Board, Puzzle

_PLAIN = "nonosat.puzzles.drawing.plain:"


@dataclass(frozen=True, eq=False)
class Format(Record):
    """A text format of puzzles: ``read`` raises ``FormatError`` on a bad text, ``write`` (which gets puzzles of
    ``kinds`` only) ``UnsupportedError`` on what the format can't hold.

    ``holds``: the kinds of puzzle that it is for, beside those that name it. ``marks(text)``: whether a text that
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
    "nonosat.certificates.opb_format:read",
    "nonosat.certificates.opb_format:write",
    marks="nonosat.certificates.opb_format:marks",
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


class Link(NamedTuple):
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
    ``explain``: how it is solved step by step, a ``solvers.explain.explainer.Explainer``. ``counting``: its own
    counters, a ``counting.own.Own``; without them its solutions are counted through an encoding, and not drawn.
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
    pzpr: Code[Link | None] = Code(None)
    formats: tuple[Format, ...] = ()
    encodings: Code[Any] = Code(None)
    strategy: Code[Callable[[Any, int | None], Iterator[Any]] | None] = Code(None)
    statement: Code[Callable[[Any], Any] | None] = Code(None)
    deduction: Code[Callable[[Any, int | None, Any, Any], Any] | None] = Code(None)
    explain: Code[Any] = Code("nonosat.solvers.explain.constraints.explainer:EXPLAINER")
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
    raise KindError(f"a puzzle is expected, not {'an' if found[:1] in 'aeiouAEIOU' else 'a'} {found}")
