"""One table an axis of extension: frozen records by name, ours and those from outside.

Whoever asks by name or goes through all of them finds what plug-ins bring like our own. Installed plug-ins are looked
for only then: when a name is unknown, or when all are wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from nonosat import plugins
from nonosat.errors import NonosatError, UnknownNameError
from nonosat.plugins import Record
from nonosat.references import resolved

Entry = TypeVar("Entry")
R = TypeVar("R", bound=Record)


class View(Mapping[str, Entry]):
    """A table that follows from others: ``make`` says what is in it, anew whenever there are other plug-ins.

    ``what`` is the word for an entry, in errors.
    """

    def __init__(self, what: str, make: Callable[[], dict[str, Entry]]) -> None:
        self.what, self._make = what, make
        self._known: dict[str, Entry] = {}
        self._changes = -1

    def known(self) -> dict[str, Entry]:
        """What is here now: nothing is looked for."""
        if self._changes != (now := plugins.changes()):
            self._known, self._changes = self._make(), now
        return self._known

    def named(self, name: str) -> Entry:
        """The entry of that name. UnknownNameError."""
        if name in self:
            return self[name]
        broken = f"; broken is {', '.join(plugins.BROKEN.values())}" if plugins.BROKEN else ""
        raise UnknownNameError(self.what, name, list(self.known()), broken)

    def __contains__(self, name: object) -> bool:
        return name in self.known() or (plugins.discover() and name in self.known())

    def __getitem__(self, name: str) -> Entry:
        if name not in self:
            raise KeyError(name)
        return self.known()[name]

    def __iter__(self) -> Iterator[str]:
        plugins.discover()
        return iter(tuple(self.known()))

    def __len__(self) -> int:
        plugins.discover()
        return len(self.known())


class Table(View[R]):
    """The records of an axis: ``own`` by name, in order (or where they are: ``resolved``), then those from outside.

    ``fault``: why a record from outside cannot stand beside those that are there before it, if so. A name is taken
    once. The first of all is the one that is meant where none is said.
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
        """The one that is meant where none is said."""
        return self[self.own[0]]

    def _all(self) -> dict[str, R]:
        found = {name: resolved(entry) if isinstance(entry, str) else entry for name, entry in self._entries.items()}
        self._entries = dict(found)
        for record, plugin in plugins.outside(self.kind):
            if found.get(record.name) is record:  # it was brought twice
                continue
            fault = "there is one of that name already" if record.name in found else self.fault(record, found)
            if fault is not None:
                raise NonosatError(f"plug-in {plugin.name}: {self.what} {record.name}: {fault}")
            found[record.name] = record
        return found
