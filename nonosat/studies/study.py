"""Studies as their TOML files state them: which puzzles, encodings and solvers, how often, and under which limits.

``plan.py`` derives the runs. Nothing here runs anything.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from nonosat import plugins
from nonosat.errors import FormatError, NonosatError, UnknownNameError, alike
from nonosat.files import printable, read_text, shown
from nonosat.generators.registry import GENERATORS, Parameter
from nonosat.runs.limits import Limits
from nonosat.studies.plan import Entry, FileEntry, GeneratedEntry, Settings, Study, line_of

ORDERS = ("by-instance", "interleaved", "shuffled")


# TOML read strictly, key by key: every error names the file, its line, the key and the reason, in one line.


def section(text: str, source: str) -> Section:
    """The top level of a file; ``source`` is its name in errors."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason, _, place = str(error).partition(" (at line ")
        line = place.partition(",")[0]
        raise FormatError(f"no TOML: {printable(reason)}", int(line) if line.isdigit() else None, source) from None
    except ValueError:  # of tomllib's int(), which says no line; a TOMLDecodeError is caught above
        raise FormatError("no TOML that can be read: a number of too many digits", source=source) from None
    except RecursionError:
        raise FormatError("no TOML that can be read: nested too deep", source=source) from None
    return Section(values, source, text)


class Section:
    """A table of the file, read key by key. ``place`` is what its keys are named with: ``limits.``."""

    def __init__(self, values: dict[str, Any], source: str, written: str, place: str = "") -> None:
        self.values, self.source, self.written, self.place = values, source, written, place

    def line(self, key: str) -> int | None:
        """The line of a key in the file."""
        return line_of(self.written, self.place, key)

    def fail(self, key: str, reason: str) -> NoReturn:
        """FormatError."""
        raise FormatError(f"{self.place}{printable(key, 60)}: {reason}", self.line(key), self.source)

    def only(self, known: Sequence[str], elsewhere: Sequence[str] = ()) -> None:
        """Refuse keys that are not ``known``; those of ``elsewhere`` belong to the file's top level."""
        for key in self.values:
            if key in known:
                continue
            if key in elsewhere:
                self.fail(key, "belongs above the first [[puzzles]] and [limits]")
            close = alike(key, tuple(known))
            hint = f"did you mean {close!r}?" if close else f"known: {', '.join(known)}"
            self.fail(key, f"unknown key; {hint}")

    def need(self, key: str) -> Any:
        """The value of a key that must be there."""
        if key not in self.values:
            self.fail(key, "missing")
        return self.values[key]

    def text(self, key: str, default: str = "") -> str:
        """A string."""
        value = self.values.get(key, default)
        if not isinstance(value, str):
            self.fail(key, f"must be a string, not {format_value(value)}")
        return value

    def integer(self, key: str, default: int, least: int, most: int) -> int:
        """A whole number from ``least`` to ``most``."""
        return self.whole(key, self.values.get(key, default), least, most)

    def whole(self, key: str, value: Any, least: int, most: int) -> int:
        """``value``, if it is such a number."""
        if not isinstance(value, int) or isinstance(value, bool):
            self.fail(key, f"must be a whole number, not {format_value(value)}")
        if not least <= value <= most:
            self.fail(key, f"must be from {least:,} to {most:,}, not {value:,}")
        return value

    def positive(self, key: str) -> float | None:
        """A positive number, or None if the key is not there."""
        if (value := self.values.get(key)) is None:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool):
            self.fail(key, f"must be a number, not {format_value(value)}")
        if not (math.isfinite(value) and value > 0):
            self.fail(key, f"must be a positive number, not {value}")
        return float(value)  # 10 and 10.0 are the same limit, and must give the same keys

    def items(self, key: str) -> list[Any]:
        """A list with something in it."""
        value = self.need(key)
        if not isinstance(value, list):
            tables = f": write [[{key}]]" if isinstance(value, dict) else ""
            self.fail(key, f"must be a list, not {format_value(value)}{tables}")
        if not value:
            self.fail(key, "is empty")
        return value

    def names(self, key: str, needed: bool = True) -> tuple[str, ...]:
        """A list of strings."""
        if key not in self.values and not needed:
            return ()
        for value in self.items(key):
            if not isinstance(value, str) or not value.strip():
                self.fail(key, f"must hold names, not {format_value(value)}")
        return tuple(self.values[key])

    def each(self, key: str, read: Callable[[Any], Any]) -> tuple[Any, ...]:
        """A list, whose items ``read`` turns into values; its ValueErrors say what is wrong with them."""
        try:
            return tuple(read(value) for value in self.items(key))
        except FormatError:
            raise
        except ValueError as error:
            self.fail(key, str(error))


def format_value(value: Any) -> str:
    """A value as an error shows it: short and on one line."""
    kinds = {dict: "a table", list: "a list", str: "the string ", bool: ""}
    kind = kinds.get(type(value), "")
    return kind if kind.startswith("a ") else f"{kind}{printable(repr(value), 60)}"


# A study's TOML file, read strictly.


EXAMPLES = Path(__file__).parent / "examples"
FOLDERS = "experiments"
"""A folder of this name in the current one holds studies, a folder each."""
MAX_FILE_BYTES = 2**20
MOST = 1_000_000
"""Puzzles of each combination of parameters, and repetitions, at most."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")

TOP = (
    *("name", "title", "plugins", "analysis", "puzzles", "encodings", "solvers", "limits", "repetitions", "count"),
    *("unique", "order", "order_seed"),
)
LIMITS = ("time_limit_s", "cpu_limit_s", "memory_limit_mb")
FILES = ("files", "index")


def read(name: str) -> Study:
    """The study in the file ``name``, or the known study of that name (``encodings-small``)."""
    path = located(name)
    return parse(read_text(path, MAX_FILE_BYTES), path)


def known() -> dict[str, Path]:
    """The files of the studies that have a name: those in the package, and ``experiments/*/NAME.toml`` here."""
    files = [*sorted(Path(FOLDERS).glob("*/*.toml")), *EXAMPLES.glob("*.toml")]
    return {path.stem: path for path in sorted(files, key=lambda path: path.stem)}


def located(name: str) -> Path:
    """The file of the study ``name``: the file of that path, or else the known study of that name."""
    path = Path(name)
    if path.exists() or path.suffix or len(path.parts) != 1:
        return path
    if name in (studies := known()):
        return studies[name]
    raise NonosatError(
        f"{shown(name)}: no such file, and no study of that name in {shown(Path(FOLDERS).absolute())}/*/ or in the "
        f"package; known: {', '.join(studies)}"
    )


def analysis_of(name: str) -> Path | None:
    """The analysis that the known study ``name`` states; None without one, or without such a study."""
    path = known().get(name)
    return None if path is None else _analysis(section(read_text(path, MAX_FILE_BYTES), shown(path)), path)


def parse(text: str, path: Path) -> Study:
    """The study that ``text`` states; ``path`` is its file, for errors and for the puzzle files named in it."""
    table = section(text, shown(path))
    table.only(TOP)
    name = table.text("name", path.stem)
    if not NAME.fullmatch(name):
        table.fail("name", f"{format_value(name)} is no name: letters, digits, '.', '_' and '-', at most 100")
    _load_plugins(table, path)  # first: what follows may name their parts
    count = _count(table)
    order = table.text("order", ORDERS[0])
    if order not in ORDERS:
        table.fail("order", f"must be one of {', '.join(ORDERS)}, not {format_value(order)}")
    if "order_seed" in table.values and order != "shuffled":
        table.fail("order_seed", f"goes with order = 'shuffled', not {order!r}")
    return Study(
        settings=Settings(name, _limits(table), count),
        title=table.text("title"),
        puzzles=_puzzles(table, path),
        encodings=table.names("encodings", needed=False),
        solvers=table.names("solvers"),
        repetitions=table.integer("repetitions", 1, 1, MOST),
        order=order,
        order_seed=table.integer("order_seed", 0, 0, 2**63 - 1),
        path=str(path),
        text=text,
        analysis=_analysis(table, path),
    )


def _count(table: Section) -> int | None:
    """How many solutions are looked for at most (None: all); two at least where uniqueness is to be decided."""
    count, unique = table.values.get("count", 1), table.values.get("unique", False)
    if not isinstance(unique, bool):
        table.fail("unique", f"must be true or false, not {format_value(unique)}")
    return None if count == "all" else max(table.whole("count", count, 1, MOST), 2 if unique else 1)


def _analysis(table: Section, path: Path) -> Path | None:
    name = table.text("analysis")
    if name and not name.endswith(".py"):
        table.fail("analysis", f"{format_value(name)} is no file NAME.py")
    return path.parent / name if name else None


def _load_plugins(table: Section, path: Path) -> None:
    """Load the plug-ins that the study names; their files are in its folder."""
    try:
        for source in table.names("plugins", needed=False):
            plugins.load(str(path.parent / source) if source.endswith(".py") else source)
    except FormatError:
        raise
    except NonosatError as error:
        table.fail("plugins", str(error))


def _limits(table: Section) -> Limits:
    values = table.values.get("limits", {})
    if not isinstance(values, dict):
        table.fail("limits", f"must be a table, [limits], not {format_value(values)}")
    limits = Section(values, table.source, table.written, "limits.")
    limits.only(LIMITS, TOP)
    time_s, cpu_s, memory_mb = (limits.positive(key) for key in LIMITS)
    return Limits(time_s, memory_mb, cpu_s)


def _puzzles(table: Section, path: Path) -> tuple[Entry, ...]:
    found: list[Entry] = []
    for number, values in enumerate(table.items("puzzles"), 1):
        if not isinstance(values, dict):
            table.fail("puzzles", f"must be tables, [[puzzles]], not {format_value(values)}")
        entry = Section(values, table.source, table.written, f"puzzles[{number}].")
        if "files" in values and "generator" in values:
            entry.fail("files", "and generator exclude each other")
        if "files" in values:
            found.append(_files(entry, path))
        elif "generator" in values:
            found.append(_generated(entry))
        else:
            entry.only(_all_keys(), TOP)
            entry.fail("generator", "missing; an entry has either a generator or files")
    return tuple(found)


def _all_keys() -> tuple[str, ...]:
    """What an entry can have, whatever it is."""
    keys = (parameter.key for generator in GENERATORS.values() for parameter in generator.parameters)
    return tuple(dict.fromkeys(("generator", *keys, "count", "seed", *FILES)))


def _generated(entry: Section) -> GeneratedEntry:
    name = entry.text("generator")
    try:
        generator = GENERATORS.named(name)
    except UnknownNameError as error:
        entry.fail("generator", str(error))
    entry.only(("generator", *(parameter.key for parameter in generator.parameters), "count", "seed"), TOP)
    entry.need("count")
    count, seed = entry.integer("count", 1, 1, MOST), entry.integer("seed", 0, 0, 2**62)
    return GeneratedEntry(name, tuple(_values(entry, each) for each in generator.parameters), count, seed, entry.source)


def _values(entry: Section, parameter: Parameter) -> tuple[str, ...]:
    """The values of a parameter, as in names of instances."""
    if parameter.key not in entry.values and parameter.default is not None:
        return (parameter.format(parameter.read(parameter.default)),)
    return entry.each(parameter.key, lambda value: parameter.format(parameter.read(value)))


def _files(entry: Section, path: Path) -> FileEntry:
    entry.only(FILES, TOP)
    index = None
    if "index" in entry.values:
        index = entry.each("index", lambda value: entry.whole("index", value, 1, MOST))
    return FileEntry(entry.names("files"), str(path.parent.absolute()), index, entry.source, entry.line("files"))
