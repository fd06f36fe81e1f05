"""A study's TOML file, read strictly."""

from __future__ import annotations

import re
from pathlib import Path

from nonosat.errors import FormatError, NonosatError, UnknownNameError
from nonosat.experiments import brought
from nonosat.experiments.entries import Entry, Files, Generated
from nonosat.experiments.plan import Settings
from nonosat.experiments.study import ORDERS, Study
from nonosat.experiments.toml import Section, section, told
from nonosat.files import read_text, shown
from nonosat.generators.registry import GENERATORS, Parameter
from nonosat.solvers.isolation.limits import Limits

SHIPPED = Path(__file__).parent / "studies"
MAX_FILE_BYTES = 2**20
MOST = 1_000_000
"""Puzzles of each combination of parameters, and repetitions, at most."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")

TOP = (
    "name",
    "title",
    "plugins",
    "puzzles",
    "encodings",
    "solvers",
    "limits",
    "repetitions",
    "count",
    "order",
    "order_seed",
)
LIMITS = ("wall_s", "cpu_s", "memory_mb")
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
    table = section(text, shown(path))
    table.only(TOP)
    name = table.text("name", path.stem)
    if not NAME.fullmatch(name):
        table.fail("name", f"{told(name)} is no name: letters, digits, '.', '_' and '-', at most 100")
    _load_plugins(table, path)  # first: what follows may name their parts
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


def _load_plugins(table: Section, path: Path) -> None:
    try:
        brought.load(table.names("plugins", needed=False), path.parent)
    except FormatError:
        raise
    except NonosatError as error:
        table.fail("plugins", str(error))


def _limits(table: Section) -> Limits:
    values = table.values.get("limits", {})
    if not isinstance(values, dict):
        table.fail("limits", f"must be a table, [limits], not {told(values)}")
    limits = Section(values, table.source, "limits.")
    limits.only(LIMITS, TOP)
    return Limits(limits.positive("wall_s"), limits.positive("memory_mb"), limits.positive("cpu_s"))


def _puzzles(table: Section, path: Path) -> tuple[Entry, ...]:
    found: list[Entry] = []
    for number, values in enumerate(table.items("puzzles"), 1):
        if not isinstance(values, dict):
            table.fail("puzzles", f"must be tables, [[puzzles]], not {told(values)}")
        entry = Section(values, table.source, f"puzzles[{number}].")
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


def _generated(entry: Section) -> Generated:
    name = entry.text("generator")
    try:
        generator = GENERATORS.named(name)
    except UnknownNameError as error:
        entry.fail("generator", str(error))
    entry.only(("generator", *(parameter.key for parameter in generator.parameters), "count", "seed"), TOP)
    entry.need("count")
    count, seed = entry.integer("count", 1, 1, MOST), entry.integer("seed", 0, 0, 2**62)
    return Generated(name, tuple(_values(entry, each) for each in generator.parameters), count, seed, entry.source)


def _values(entry: Section, parameter: Parameter) -> tuple[str, ...]:
    """The values of a parameter, as names tell them."""
    if parameter.key not in entry.values and parameter.default is not None:
        return (parameter.told(parameter.read(parameter.default)),)
    return entry.each(parameter.key, lambda value: parameter.told(parameter.read(value)))


def _files(entry: Section, path: Path) -> Files:
    entry.only(FILES, TOP)
    index = None
    if "index" in entry.values:
        index = entry.each("index", lambda value: entry.whole("index", value, 1, MOST))
    return Files(entry.names("files"), str(path.parent.absolute()), index, entry.source)
