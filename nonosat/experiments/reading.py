"""A study's TOML file, read strictly: every error names the file, the key and the reason, in one line."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from nonosat.errors import FormatError, NonosatError
from nonosat.experiments.plan import Settings
from nonosat.experiments.study import ORDERS, Density, Entry, Files, Levels, Study
from nonosat.files import printable, read_text, shown
from nonosat.generators.skyscrapers import DIFFICULTIES
from nonosat.generators.skyscrapers import LEVELS as KNOWN_LEVELS
from nonosat.generators.skyscrapers import MOST as MOST_SIZE
from nonosat.puzzles.nonogram import MAX_CELLS
from nonosat.solvers.isolation.limits import Limits

SHIPPED = Path(__file__).parent / "studies"
MAX_FILE_BYTES = 2**20
MOST = 1_000_000
"""Puzzles of a size and density, and repetitions, at most."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
SIZE = re.compile(r"([0-9]{1,6})[xX]([0-9]{1,6})")

TOP = ("name", "title", "puzzles", "encodings", "solvers", "limits", "repetitions", "count", "order", "order_seed")
LIMITS = ("wall_s", "cpu_s", "memory_mb")
DENSITY = ("generator", "sizes", "densities", "count", "seed")
LEVELS = ("generator", "levels", "sizes", "difficulty", "count", "seed")
FILES = ("files", "index")


def read(name: str) -> Study:
    """The study in the file ``name``, or the shipped study of that name (``castilho2018``)."""
    path = located(name)
    return parse(read_text(path, MAX_FILE_BYTES), path)


def shipped() -> list[str]:
    """The names of the studies that come with the package."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def located(name: str) -> Path:
    """Where the study ``name`` is: a file; if there is none, a shipped study."""
    path = Path(name)
    if path.exists() or path.suffix or len(path.parts) != 1:
        return path
    if name in shipped():
        return SHIPPED / f"{name}.toml"
    raise NonosatError(f"{shown(name)}: no such file, and no shipped study; those are {', '.join(shipped())}")


def parse(text: str, path: Path) -> Study:
    """The study that ``text`` states; ``path`` is its file, for errors and for the puzzle files named in it."""
    source = shown(path)
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
    return _study(Table(values, source), text, path)


class Table:
    """A table of the file, taken apart key by key. ``place`` is what its keys are named with: ``limits.``."""

    def __init__(self, values: dict[str, Any], source: str, place: str = "") -> None:
        self.values, self.source, self.place = values, source, place

    def fail(self, key: str, reason: str) -> NoReturn:
        """FormatError."""
        raise FormatError(f"{self.place}{printable(key, 60)}: {reason}", source=self.source)

    def only(self, known: Sequence[str], elsewhere: Sequence[str] = ()) -> None:
        """Refuse keys that are not ``known``; those of ``elsewhere`` belong to the file's top level."""
        for key in self.values:
            if key in known:
                continue
            if key in elsewhere:
                self.fail(key, "belongs above the first [[puzzles]] and [limits]")
            close = get_close_matches(key, known, 1)
            hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"
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
            self.fail(key, f"must be a string, not {told(value)}")
        return value

    def integer(self, key: str, default: int, least: int, most: int) -> int:
        """A whole number from ``least`` to ``most``."""
        return self.whole(key, self.values.get(key, default), least, most)

    def whole(self, key: str, value: Any, least: int, most: int) -> int:
        """``value``, if it is such a number."""
        if not isinstance(value, int) or isinstance(value, bool):
            self.fail(key, f"must be a whole number, not {told(value)}")
        if not least <= value <= most:
            self.fail(key, f"must be from {least:,} to {most:,}, not {value:,}")
        return value

    def positive(self, key: str) -> float | None:
        """A positive number, or None if the key is not there."""
        if (value := self.values.get(key)) is None:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool):
            self.fail(key, f"must be a number, not {told(value)}")
        if not (math.isfinite(value) and value > 0):
            self.fail(key, f"must be a positive number, not {value}")
        return float(value)  # 10 and 10.0 are the same limit, and must give the same keys

    def items(self, key: str) -> list[Any]:
        """A list with something in it."""
        value = self.need(key)
        if not isinstance(value, list):
            self.fail(key, f"must be a list, not {told(value)}")
        if not value:
            self.fail(key, "is empty")
        return value

    def names(self, key: str, needed: bool = True) -> tuple[str, ...]:
        """A list of strings."""
        if key not in self.values and not needed:
            return ()
        for value in self.items(key):
            if not isinstance(value, str) or not value.strip():
                self.fail(key, f"must hold names, not {told(value)}")
        return tuple(self.values[key])

    def each(self, key: str, read: Callable[[Any], Any]) -> tuple[Any, ...]:
        """A list, whose items ``read`` turns into values; its ValueErrors say what is wrong with them."""
        try:
            return tuple(read(value) for value in self.items(key))
        except FormatError:
            raise
        except ValueError as error:
            self.fail(key, str(error))


def told(value: Any) -> str:
    """A value as an error shows it: short and on one line."""
    kinds = {dict: "a table", list: "a list", str: "the string ", bool: ""}
    kind = kinds.get(type(value), "")
    return kind if kind.startswith("a ") else f"{kind}{printable(repr(value), 60)}"


def _study(table: Table, text: str, path: Path) -> Study:
    table.only(TOP)
    name = table.text("name", path.stem)
    if not NAME.fullmatch(name):
        table.fail("name", f"{told(name)} is no name: letters, digits, '.', '_' and '-', at most 100")
    count = table.values.get("count", 1)
    order = table.text("order", ORDERS[0])
    if order not in ORDERS:
        table.fail("order", f"must be one of {', '.join(ORDERS)}, not {told(order)}")
    if "order_seed" in table.values and order != "shuffled":
        table.fail("order_seed", f"goes with order = 'shuffled', not {order!r}")
    return Study(
        settings=Settings(name, _limits(table), None if count == "all" else table.whole("count", count, 1, MOST)),
        title=table.text("title"),
        puzzles=_puzzles(table, path),
        encodings=table.names("encodings", needed=False),
        solvers=table.names("solvers"),
        repetitions=table.integer("repetitions", 1, 1, MOST),
        order=order,
        order_seed=table.integer("order_seed", 0, 0, 2**63 - 1),
        path=str(path),
        text=text,
    )


def _limits(table: Table) -> Limits:
    values = table.values.get("limits", {})
    if not isinstance(values, dict):
        table.fail("limits", f"must be a table, [limits], not {told(values)}")
    limits = Table(values, table.source, "limits.")
    limits.only(LIMITS, TOP)
    return Limits(limits.positive("wall_s"), limits.positive("memory_mb"), limits.positive("cpu_s"))


def _puzzles(table: Table, path: Path) -> tuple[Entry, ...]:
    entries = table.items("puzzles")
    found: list[Entry] = []
    for number, values in enumerate(entries, 1):
        if not isinstance(values, dict):
            table.fail("puzzles", f"must be tables, [[puzzles]], not {told(values)}")
        entry = Table(values, table.source, f"puzzles[{number}].")
        if "files" in values and "generator" in values:
            entry.fail("files", "and generator exclude each other")
        if "files" in values:
            found.append(_files(entry, path))
        elif "generator" in values:
            found.append(_generated(entry))
        else:
            entry.only((*DENSITY, *LEVELS, *FILES), TOP)
            entry.fail("generator", "missing; an entry has either a generator or files")
    return tuple(found)


def _generated(entry: Table) -> Density | Levels:
    generator = entry.text("generator")
    if generator not in ("density", "skyscrapers"):
        entry.fail("generator", f"unknown generator {told(generator)}; known: density, skyscrapers")
    return _levels(entry) if generator == "skyscrapers" else _density(entry)


def _levels(entry: Table) -> Levels:
    entry.only(LEVELS, TOP)
    entry.need("count")
    most = len(KNOWN_LEVELS) - 1
    levels, sizes = (), ()
    difficulty = entry.text("difficulty") or None
    if "levels" in entry.values or "sizes" not in entry.values:
        levels = entry.each("levels", lambda value: entry.whole("levels", value, 0, most))
    if "sizes" in entry.values:
        if difficulty not in DIFFICULTIES:
            entry.fail("difficulty", f"goes with sizes: one of {', '.join(DIFFICULTIES)}, not {told(difficulty)}")
        sizes = entry.each("sizes", lambda value: entry.whole("sizes", value, 1, MOST_SIZE))
    elif difficulty is not None:
        entry.fail("difficulty", "goes with sizes; levels have their own")
    count, seed = entry.integer("count", 1, 1, MOST), entry.integer("seed", 0, 0, 2**62)
    return Levels(levels, sizes, difficulty, count, seed)


def _density(entry: Table) -> Density:
    entry.only(DENSITY, TOP)
    seed = entry.integer("seed", 0, 0, 2**62)
    entry.need("count")
    return Density(entry.each("sizes", size), entry.each("densities", shares), entry.integer("count", 1, 1, MOST), seed)


def _files(entry: Table, path: Path) -> Files:
    entry.only(FILES, TOP)
    index = None
    if "index" in entry.values:
        index = entry.each("index", lambda value: entry.whole("index", value, 1, MOST))
    return Files(entry.names("files"), str(path.parent.absolute()), index)


def size(value: Any) -> tuple[int, int]:
    """``20`` or ``"20x30"`` (rows x columns) as (rows, columns)."""
    if isinstance(value, int) and not isinstance(value, bool):
        height = width = value
    elif isinstance(value, str) and (match := SIZE.fullmatch(value.strip())):
        height, width = int(match[1]), int(match[2])
    else:
        raise ValueError(f"must hold sizes such as 20 or '20x30', not {told(value)}")
    if height < 1 or width < 1 or height * width > MAX_CELLS:
        raise ValueError(f"{told(value)}: a board has 1 to {MAX_CELLS:,} cells")
    return height, width


def shares(value: Any) -> tuple[float, ...]:
    """``0.4``, or ``[0.2, 0.1]`` with a share a colour."""
    found = value if isinstance(value, list) else [value]
    if not all(isinstance(share, int | float) and not isinstance(share, bool) for share in found):
        raise ValueError(f"must hold shares such as 0.4 or [0.2, 0.1], not {printable(repr(value), 60)}")
    if not found or len(found) > 255 or not all(0 <= share <= 1 for share in found) or sum(found) > 1 + 1e-9:
        raise ValueError(f"{printable(repr(value), 60)}: shares lie in 0..1 and add up to at most 1")
    return tuple(float(share) for share in found)
