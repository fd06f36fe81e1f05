"""Parts from outside: records like ours, from installed distributions, files and programs.

A plug-in is a list ``PARTS`` of frozen records (kinds of puzzle, rules, integer encodings, solvers, generators,
formats) in a module. Installed ones are named by their distribution's entry points of the group ``nonosat``, and looked
for when a name is unknown, or when all names are listed; others are named by the user: a file
``my_parts.py``, or a module. Each axis' table (``tables``) takes its records from here.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Generic, TypeVar

from nonosat.errors import NonosatError, UnknownNameError, with_article, wrong_type

# Code that is named and not imported: a record of such names costs nothing until one of them is used.


Value = TypeVar("Value")


class Code(Generic[Value]):
    """A field of a frozen dataclass that holds code, or says where it is: ``"module:name"``, looked up at first use.

    Without a default the field must be given.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Record:
    ...     root: Code[Any] = Code()
    >>> Record("math:sqrt").root(9.0), Record(abs).root(-1)
    (3.0, 1)
    """

    def __init__(self, *default: Value | str) -> None:
        self.default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, record: object, owner: type | None = None) -> Value:
        if record is None:  # the dataclass asks for the default
            if not self.default:
                raise AttributeError(self.name)
            unresolved: Any = self.default[0]
            return unresolved  # type: ignore[no-any-return]
        value: Any = vars(record)[self.name]
        if isinstance(value, str):
            value = vars(record)[self.name] = resolved(value)
        return value  # type: ignore[no-any-return]

    def __set__(self, record: object, value: Value | str) -> None:
        vars(record)[self.name] = value


def resolved(reference: str) -> Any:
    """What ``"module:name"`` means."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


# The modules of plug-ins: how a file becomes one, the error for a broken one, and its identity.


Stamp = tuple[int, int] | None
"""When a file was changed, in nanoseconds, and its size; None: there is none."""


def module_of(path: Path) -> ModuleType:
    """The file as a module, by a name that is the same in every process, so that what is in it can be pickled.

    A file with other contents is another module. As for a script, files beside it can be imported; what it prints goes
    to standard error, since standard output is the command's.
    """
    from hashlib import sha256  # OpenSSL, which a command without plug-ins does without

    text = path.read_bytes()
    digest = sha256(f"{path}\n".encode() + text).hexdigest()[:8]
    name = f"nonosat_plugin_{''.join(c if c.isalnum() else '_' for c in path.stem)}_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, path)
    assert spec is not None
    module = sys.modules[name] = module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    try:
        with redirect_stdout(sys.stderr):
            # Compiled here: of a file that has changed within a second, Python's cache may be that of its old text.
            exec(compile(text, str(path), "exec", dont_inherit=True), vars(module))
    except SystemExit as error:
        del sys.modules[name]
        raise RuntimeError(f"it calls sys.exit({error.code!r})").with_traceback(error.__traceback__) from None
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        if str(path.parent) in sys.path:
            sys.path.remove(str(path.parent))
    return module


def load_error(error: BaseException, place: str, named: str) -> str:
    """What went wrong while ``place``, ``named`` so, was loaded: "FILE:LINE: reason", or "FILE: reason"."""
    if isinstance(error, FileNotFoundError) and str(error.filename) == place:
        return f"{named}: no such file"
    import traceback

    frames = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == place]
    line = error.lineno if isinstance(error, SyntaxError) else frames[-1] if frames else None
    reason = error.msg if isinstance(error, SyntaxError) else " ".join(str(error).split())
    return f"{named}{'' if line is None else f':{line}'}: {type(error).__name__}: {reason}"


def identified(module: ModuleType, named: str) -> tuple[str, tuple[tuple[Path, Stamp], ...]]:
    """The identity, ``named`` and a SHA-256, and the files: the module's own; of a package, or in one, all of it."""
    path = getattr(module, "__file__", None)
    if path is None:
        return named, ()
    top = sys.modules.get(module.__name__.partition(".")[0], module)
    folders = [Path(folder) for folder in getattr(top, "__path__", [])]
    found = sorted((file.relative_to(folder).as_posix(), file) for folder in folders for file in folder.rglob("*.py"))
    files = found or [("", Path(path))]
    stamps = tuple((file, stamp_of(file)) for _, file in files)  # before it is read: a change after that is seen
    from hashlib import sha256

    digest = sha256()
    for name, file in files:
        digest.update(f"{name}\n".encode() * bool(name) + file.read_bytes())
    return f"{named} sha256:{digest.hexdigest()}", stamps


def stamp_of(file: Path) -> Stamp:
    """The file's, as it is now."""
    try:
        about = file.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size


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


def from_plugin(record: Record) -> str:
    """For lists: who brought ``record``, if it is from outside."""
    plugin = origin(record)
    return "" if plugin is None else f"; from {plugin.name}"


def origin(record: object) -> Plugin | None:
    """The plug-in that brought ``record``; None: it is ours."""
    return next((plugin for plugin in LOADED for known in plugin.records if known is record), None)


def load(source: str, distribution: str | None = None) -> Plugin:
    """Load a plug-in: a file (``my_parts.py``), or a module, or ``module:LIST``; once, however often it is requested.

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
        raise NonosatError(f"plug-in {load_error(error, place, named)}") from None
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


# One table an axis of extension: frozen records by name, ours and those from outside.
#
# A look-up by name, or going through all of them, finds what plug-ins bring like our own. Installed plug-ins are looked
# for only then: when a name is unknown, or when all are wanted.


Entry = TypeVar("Entry")


class DerivedTable(Mapping[str, Entry]):
    """A table that follows from others: ``make`` says what is in it, anew whenever there are other plug-ins.

    ``what`` is the word for an entry, in errors.
    """

    def __init__(self, what: str, make: Callable[[], dict[str, Entry]]) -> None:
        self.what, self._make = what, make
        self._known: dict[str, Entry] = {}
        self._changes = -1

    def known(self) -> dict[str, Entry]:
        """What is here now: nothing is looked for."""
        if self._changes != (now := changes()):
            self._known, self._changes = self._make(), now
        return self._known

    def named(self, name: str) -> Entry:
        """The entry of that name. UnknownNameError, KindError."""
        if not isinstance(name, str):
            raise wrong_type(f"the name of {with_article(self.what)}", name)
        if name in (known := self.known()):  # every solve asks
            return known[name]
        if name in self:
            return self[name]
        broken = f"; broken is {', '.join(BROKEN.values())}" if BROKEN else ""
        raise UnknownNameError(self.what, name, list(self.known()), broken)

    def __contains__(self, name: object) -> bool:
        return name in self.known() or (discover() and name in self.known())

    def __getitem__(self, name: str) -> Entry:
        if name not in self:
            raise KeyError(name)
        return self.known()[name]

    def __iter__(self) -> Iterator[str]:
        discover()
        return iter(tuple(self.known()))

    def __len__(self) -> int:
        discover()
        return len(self.known())


class Table(DerivedTable[R]):
    """The records of an axis: ``own`` by name, in order (or where they are: ``resolved``), then those from outside.

    ``fault``: why a record from outside conflicts with earlier ones, if so. A name is taken
    once. The first of all is the default.
    """

    def __init__(
        self,
        what: str,
        kind: type[R],
        own: Mapping[str, R | str] | Iterable[R],
        fault: Callable[[R, Mapping[str, R]], str | None] = lambda record, others: None,
    ) -> None:
        super().__init__(what, self._all)
        self.kind, self.fault = kind, fault
        self._entries: dict[str, R | str] = dict(own if isinstance(own, Mapping) else ((r.name, r) for r in own))

    @property
    def own(self) -> tuple[str, ...]:
        """The names of those that are not from outside."""
        return tuple(self._entries)

    def first(self) -> R:
        """The default: the first record."""
        return self[self.own[0]]

    def _all(self) -> dict[str, R]:
        found = {name: resolved(entry) if isinstance(entry, str) else entry for name, entry in self._entries.items()}
        self._entries = dict(found)
        for record, plugin in outside(self.kind):
            if found.get(record.name) is record:  # it was brought twice
                continue
            fault = "there is one of that name already" if record.name in found else self.fault(record, found)
            if fault is not None:
                raise NonosatError(f"plug-in {plugin.name}: {self.what} {record.name}: {fault}")
            found[record.name] = record
        return found
