r"""Text formats of puzzles: one a file in its kind's folder; files are read and written here and nowhere else.

A file's format follows from its suffix, or else (standard input, suffixes such as ``.xml``) by its text.

>>> print(dumps(loads("2 2\n1\n2\n#\n2\n1\n", "mk"), "tournament"), end="")
$1
2
1
1
2
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from nonosat import plugins
from nonosat.errors import FormatError, NonosatError, UnsupportedError
from nonosat.files import Source, printable, read_source, shown, suffix_of, write_atomically
from nonosat.plugins import DerivedTable
from nonosat.puzzles.formats import pictured
from nonosat.puzzles.puzzle import KINDS, Format, Puzzle, puzzle_kind

# Which format is this text of? A format knows its texts by what marks them (``Format.marks``), and no other's.
#
# >>> from nonosat.puzzles.formats import detected
# >>> detected("2 2\n1\n2\n#\n2\n1\n").name, detected("2 2\n1\n2\n2\n1\n").name
# ('mk', 'nin')
# >>> detected("hello") is None
# True


COMMON = (".txt", ".xml", ".dat")
"""Suffixes that many formats' files have: what is in the file says more."""


def among(formats: Iterable[Format], text: str) -> Format | None:
    """The one of ``formats`` that ``text`` is marked as; None: none, or several. Nothing else of it is looked at."""
    found = [known for known in formats if known.marks is not None and known.marks(text)]
    return found[0] if len(found) == 1 else None


def _held() -> dict[str, Format]:
    found: dict[str, Format] = {}
    outside = [known for known, _ in plugins.outside(Format)]
    for known in (*(known for kind in KINDS.known().values() for known in kind.all_formats), *outside):
        for other in found.values():
            if known is other:
                continue
            if known.name == other.name:
                raise NonosatError(f"two formats are called {known.name}{_brought(known, other)}")
            if shared := set(known.suffixes) & set(other.suffixes):
                both = f"{other.name} and {known.name}"
                raise NonosatError(f"{min(shared)} is the suffix of two formats, {both}{_brought(known, other)}")
        found[known.name] = known
    return found


def _brought(*formats: Format) -> str:
    """Which plug-ins brought these, or the kinds that name them."""
    kinds = [kind for kind in KINDS.known().values() if any(known in kind.formats for known in formats)]
    found = [plugins.origin(record) for record in (*formats, *kinds)]
    names = dict.fromkeys(plugin.name for plugin in found if plugin is not None)
    return f" (plug-in {', '.join(names)})" if names else ""


FORMATS = DerivedTable("format", _held)
"""All formats by name: those of each kind of puzzle, JSON, and those from outside."""


def format(name: str) -> Format:  # noqa: A001 - as `encoding(name)` and `solver(name)` of the other registries
    """The format called ``name``."""
    return FORMATS.named(name)


_NO_TEXT = re.compile("[\0\ud800-\udfff]")
_named = format  # for the functions below, whose parameter has the word


def detected(text: str) -> Format | None:
    """The one format that ``text`` looks like; None: none does, or several do. Only what marks it is looked at."""
    return among(FORMATS.values(), text)


def drawn(text: str) -> list[Puzzle] | None:
    """The puzzles that ``text`` draws or that ``solve`` printed; None: it is no drawing.

    A text that begins as a drawing, does not go on as one, and looks like one format is of that format. FormatError:
    it looks like none.
    """
    try:
        return pictured.drawn(text)
    except FormatError:
        if detected(text) is None:
            raise
        return None


def loads(text: str, format: str, source: str | None = None) -> list[Puzzle]:  # noqa: A002 - the word people type
    """The puzzles in ``text`` (at least one); ``source`` is the file name that errors begin with."""
    return _read(_named(format), text, None if source is None else printable(source))


def _read(reader: Format, text: str, source: str | None) -> list[Puzzle]:
    try:
        if (odd := _NO_TEXT.search(text)) is not None:
            raise FormatError("a character that no text has (NUL, half of one)", text.count("\n", 0, odd.start()) + 1)
        return list(reader.read(text.removeprefix("\ufeff")))
    except FormatError as error:
        if source is None or error.source is not None:
            raise
        raise error.at(source) from None


def dumps(puzzles: Puzzle | Sequence[Puzzle], format: str) -> str:  # noqa: A002
    """``puzzles`` as text; ``UnsupportedError`` if the format can't hold their kind, clues, colours or given cells."""
    writer = _named(format)
    several = list(puzzles) if isinstance(puzzles, Sequence) else [puzzles]
    if not several:
        raise NonosatError("no puzzle to write")
    for number, puzzle in enumerate(several, start=1):
        kind = puzzle_kind(puzzle).name
        if kind not in writer.kinds:
            which = f"puzzle {number}: " if len(several) > 1 else ""
            holds = " and ".join(map(_plural, writer.kinds))
            raise UnsupportedError(f"{which}{writer.name} holds {holds}, not {_plural(kind)}")
    return writer.write(several)


def load_all(path: str | Path, format: str | None = None) -> list[Puzzle]:  # noqa: A002
    """Every puzzle in the file ``path`` (``-`` is standard input): of ``format``, or of what its suffix or text shows.

    Without ``format`` an image is the puzzle whose picture it is, and so are drawings and what ``nonosat solve``
    printed, in ``.json``, ``.txt``, standard input and files without a suffix.
    """
    return _puzzles_in(read_source(path), format)


def _puzzles_in(source: Source, format: str | None) -> list[Puzzle]:  # noqa: A002
    if format is not None:
        return _read(_named(format), source.text, source.name)
    try:
        if (pictures := pictured.puzzles_of(source)) is not None:
            return pictures
    except FormatError:
        if source.suffix in pictured.IMAGES or detected(source.text) is None:
            raise
    text = source.text
    found = of_suffix(source.suffix)
    if found is None or source.suffix in COMMON:
        found = detected(text) or found
    if found is None:
        raise _no_format(source.name, source.suffix, "--from")
    return _read(found, text, source.name)


def load(path: str | Path, format: str | None = None, index: int | None = None) -> Puzzle:  # noqa: A002
    """The puzzle in the file ``path``; of several, number ``index`` (counted from 1)."""
    source = read_source(path)
    puzzles = _puzzles_in(source, format)
    count = "1 puzzle" if len(puzzles) == 1 else f"{len(puzzles)} puzzles"
    if index is None and len(puzzles) > 1:
        raise NonosatError(f"{source.name}: {count} in this file; an index says which (1 is the first)")
    if index is not None and not 1 <= index <= len(puzzles):
        raise NonosatError(
            f"{source.name}: no puzzle {index}, there are {count} (1 is the first)".replace("are 1 ", "is 1 ")
        )
    return puzzles[0 if index is None else index - 1]


def save(puzzles: Puzzle | Sequence[Puzzle], path: str | Path, format: str | None = None) -> None:  # noqa: A002
    """Write one puzzle or several to the file ``path``, all or nothing (``-`` is standard output)."""
    chosen = format_of(path, "format=") if format is None else _named(format)
    write_atomically(path, dumps(puzzles, chosen.name))


def format_of(path: str | Path, option: str = "--from") -> Format:
    """The format of the suffix of ``path``; ``option`` is what the error advises.

    >>> format_of("examples/Bear.MK").name
    'mk'
    """
    suffix = suffix_of(path)
    name = "standard output" if option != "--from" and str(path) == "-" else shown(path)
    found = of_suffix(suffix)
    if found is None:
        raise _no_format(name, suffix, option)
    return found


def of_suffix(suffix: str) -> Format | None:
    """The format whose files have this suffix, such as ``.mk``; None: there is none."""
    for formats in (FORMATS.known(), FORMATS):  # what is here, then what can be found
        for known in formats.values():
            if suffix in known.suffixes:
                return known
    return None


def _no_format(name: str, suffix: str, option: str) -> NonosatError:
    names = ", ".join(FORMATS)
    if name.startswith("standard "):
        return NonosatError(f"{name} has no suffix: name the format ({names}) with {option}")
    what = f'no format has the suffix "{printable(suffix, 20)}"' if suffix else "the name has no suffix"
    if option == "--from" and suffix in (".py", ".csp"):
        what += ", but models have it: nonosat.load_model reads them"
    elif option == "--from" and suffix == ".toml":
        what += ", but studies have it: `nonosat study run` runs them"
    drawn = "; `nonosat draw` draws it" if option != "--from" and suffix in (".png", ".svg", ".pdf", ".txt") else ""
    return NonosatError(f"{name}: {what}{drawn}; name the format ({names}) with {option}")


def _plural(kind: str) -> str:
    return kind if kind.endswith("s") else kind + "s"
