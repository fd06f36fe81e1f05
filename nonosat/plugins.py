"""Parts from outside: records like ours, from installed distributions, files and programs.

A plug-in is a list ``PARTS`` of frozen records (kinds of puzzle, rules, integer encodings, solvers, generators,
formats) in a module. Installed ones are named by their distribution's entry points of the group ``nonosat``, and looked
for when a name is asked for that we do not have, or when all names are; others are named by the user: a file
``my_parts.py``, or a module. Each axis' table (``tables``) takes its records from here.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import ClassVar, TypeVar

from nonosat.errors import NonosatError
from nonosat.plugin_modules import Stamp, identified, module_of, told
from nonosat.plugin_modules import stamp as stamp_of

GROUP = "nonosat"
VARIABLE = "NONOSAT_PLUGINS"
"""Of the environment: files and modules, with ``:`` between them (``os.pathsep``)."""
LIST = "PARTS"


class Record:
    """What tables hold: a frozen record with a ``name``; ``axis`` is what people call such a record."""

    name: str
    axis: ClassVar[str] = ""


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
"""What people can write in an option and between the parts of an encoding's name."""

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, eq=False)
class Plugin:
    """What a plug-in brought.

    ``source``: what ``load`` finds it by, in other processes too (None: nothing does). ``identity``: its name (of an
    installed one, its distribution and version) and the SHA-256 of its ``files``: what a result with one of its parts
    depends on. A file stands there with what its ``stamp`` was.
    """

    name: str
    source: str | None
    identity: str
    records: tuple[Record, ...]
    files: tuple[tuple[Path, Stamp], ...] = ()


LOADED: list[Plugin] = []
BROKEN: dict[str, str] = {}
"""Installed plug-ins that could not be loaded, by name and version: why."""
_discovered = False
_changes = 0


def changes() -> int:
    """A number that is another one whenever there are other plug-ins than before."""
    return _changes


def sources() -> tuple[str, ...]:
    """What another process must ``load_same`` to know the same parts. NonosatError: a file has changed since.

    Every run in a process of its own asks, so that files are not read again, only looked at.
    """
    for plugin in LOADED:
        if any(stamp_of(file) != stamp for file, stamp in plugin.files):
            raise _changed(plugin.name)
    return tuple(f"{plugin.source}\n{plugin.name}\n{plugin.identity}" for plugin in LOADED if plugin.source is not None)


def load_same(source: str) -> None:
    """Load one of another process's ``sources``. NonosatError: as ``load``; a file is another one than there."""
    place, name, identity = source.split("\n")
    if load(place, None if place.endswith(".py") else name).identity != identity:
        raise _changed(name)


def _changed(name: str) -> NonosatError:
    return NonosatError(f"plug-in {name}: the file has changed since it was loaded")


def outside(kind: type[R]) -> Iterator[tuple[R, Plugin]]:
    """The records of one class, each with the plug-in that brought it."""
    for plugin in LOADED:
        for record in plugin.records:
            if isinstance(record, kind):
                yield record, plugin


def brought(record: Record) -> str:
    """For lists: who brought ``record``, if it is from outside."""
    plugin = origin(record)
    return "" if plugin is None else f"; from {plugin.name}"


def origin(record: object) -> Plugin | None:
    """The plug-in that brought ``record``; None: it is ours."""
    return next((plugin for plugin in LOADED for known in plugin.records if known is record), None)


def load(source: str, distribution: str | None = None) -> Plugin:
    """Load a plug-in: a file (``my_parts.py``), or a module, or ``module:LIST``; once, however often it is asked for.

    ``distribution``: name and version of what it was installed with. NonosatError: there is none, or it is broken; one
    line names it and says why.
    """
    if source.endswith(".py"):
        source = str(Path(source).expanduser().resolve())
    elif not all(word.isidentifier() for word in source.replace(":", ".").split(".")):
        raise NonosatError(f"plug-in {source!r:.80}: neither a file NAME.py nor a module")
    if (known := _loaded(source)) is not None:
        return known
    named = distribution or Path(source).name
    module, records = _records(source, named)
    if (known := _loaded(source)) is not None:  # it has registered its parts itself
        return known
    identity, files = identified(module, named)
    return add(Plugin(named, source, identity, records, files))


def _loaded(source: str) -> Plugin | None:
    return next((plugin for plugin in LOADED if plugin.source == source), None)


def register(*records: Record) -> None:
    """Add parts of a program's own, such as a notebook's.

    Call it in a module that can be imported, which is what a process of a solver's own will do; what ``__main__`` has
    is known in this process alone.
    """
    frame = sys._getframe(1)
    name = str(frame.f_globals.get("__name__"))
    module = sys.modules.get(name)
    identity, files = (name, ()) if module is None else identified(module, name)
    add(Plugin(name, None if name == "__main__" else name, identity, _checked(records, name), files))


@contextmanager
def registered(*records: Record) -> Iterator[None]:
    """``register`` for the time of this context, as tests want it."""
    plugin = add(Plugin("registered", None, "registered", _checked(records, "registered")))
    try:
        yield
    finally:
        remove(plugin)


def discover() -> bool:
    """Load what the environment names, and what is installed; did that bring anything?

    NonosatError: as ``load``, of what the environment names; what is installed and broken is in ``BROKEN``.
    """
    global _discovered
    if _discovered:
        return False
    before, _discovered = _changes, True  # what is loaded may ask for names, too
    try:
        load_named()
        from importlib import metadata  # which takes as long as a small solve

        for entry in metadata.entry_points(group=GROUP):
            about = entry.name if entry.dist is None else f"{entry.dist.name} {entry.dist.version}"
            try:
                load(entry.value, about)
            except NonosatError as error:  # nobody has named it, so that what does not need it goes on
                BROKEN[about] = str(error)
    except BaseException:
        _discovered = False
        raise
    return _changes != before


def load_named() -> None:
    """Load what the environment names."""
    for source in os.environ.get(VARIABLE, "").split(os.pathsep):
        if source:
            load(source)


def add(plugin: Plugin) -> Plugin:
    """Let the tables know what a plug-in has brought."""
    LOADED.append(plugin)
    _count_change()
    return plugin


def remove(plugin: Plugin) -> None:
    """Let the tables forget what a plug-in has brought."""
    LOADED.remove(plugin)
    _count_change()


def _count_change() -> None:
    global _changes
    _changes += 1


def _records(source: str, named: str) -> tuple[ModuleType, tuple[Record, ...]]:
    """The module of a plug-in, and its records."""
    before = _changes
    place, _, attribute = (source, "", "") if source.endswith(".py") else source.partition(":")
    try:
        module = module_of(Path(place)) if place.endswith(".py") else import_module(place)
    except (Exception, SystemExit) as error:
        raise NonosatError(f"plug-in {named}: {told(error, place)}") from None
    found = getattr(module, attribute or LIST, None)
    if found is None and _changes != before:
        return module, ()
    if not isinstance(found, Sequence):
        raise NonosatError(f"plug-in {named}: has no list {attribute or LIST} of its parts")
    return module, _checked(found, named)


def _checked(records: Sequence[object], named: str) -> tuple[Record, ...]:
    for record in records:
        if not isinstance(record, Record):
            raise NonosatError(f"plug-in {named}: {type(record).__name__} is no part (a kind, rule, solver, ...)")
        if not isinstance(record.name, str) or not _NAME.fullmatch(record.name):
            wanted = "letters and digits, then '.', '_' and '-' too"
            raise NonosatError(f"plug-in {named}: {record.axis} {record.name!r}: a name has {wanted}")
    return tuple(record for record in records if isinstance(record, Record))
