"""One table an axis of extension: frozen records by name, ours and those from outside.

Whoever asks by name or goes through all of them finds what plug-ins bring like our own. Installed plug-ins are looked
for only then: when a name is unknown, or when all are wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from nonosat import plugins
from nonosat.errors import NonosatError, UnknownNameError
from nonosat.plugins import Record
from nonosat.references import resolved

R = TypeVar("R", bound=Record)


class Table(Mapping[str, R], Generic[R]):
    """Records of one ``kind`` by name, in order; of ``entries`` that are strings, ``resolved`` tells where they are.

    ``what`` is the word for such a record in errors. ``fault``: why a record from outside cannot stand beside those
    that are there, if it cannot. A name is taken once.
    """

    def __init__(
        self,
        what: str,
        kind: type[R],
        entries: Mapping[str, R | str] | Iterable[R],
        fault: Callable[[R, list[R]], str | None] = lambda record, others: None,
    ) -> None:
        self.what, self.kind, self.fault = what, kind, fault
        own = entries if isinstance(entries, Mapping) else {record.name: record for record in entries}
        self._own: dict[str, R | str] = dict(own)
        self._all: dict[str, R | str] = dict(own)
        self._changes = 0

    def known(self) -> dict[str, R | str]:
        """What is here now: nothing is looked for."""
        if self._changes != (now := plugins.changes()):
            found = dict(self._own)
            for record, plugin in plugins.outside(self.kind):
                if record.name in found:
                    raise NonosatError(f"plug-in {plugin.name}: there is {self._a()} {record.name} already")
                others = [self._resolved(found, name) for name in found]
                if (fault := self.fault(record, others)) is not None:
                    raise NonosatError(f"plug-in {plugin.name}: {self.what} {record.name}: {fault}")
                found[record.name] = record
            self._all, self._changes = found, now
        return self._all

    def named(self, name: str) -> R:
        """The record of that name. UnknownNameError."""
        if name not in self.known() and not (plugins.discover() and name in self.known()):
            raise UnknownNameError(self.what, name, list(self.known()))
        return self._resolved(self._all, name)

    def here(self) -> Iterator[R]:
        """The records that are known now."""
        return (self._resolved(self.known(), name) for name in tuple(self.known()))

    def _resolved(self, entries: dict[str, R | str], name: str) -> R:
        entry = entries[name]
        if isinstance(entry, str):
            entry = entries[name] = self._own[name] = resolved(entry)
        return entry

    def _a(self) -> str:
        return f"an {self.what}" if self.what[0] in "aeiou" else f"a {self.what}"

    def __getitem__(self, name: str) -> R:
        if name not in self.known() and not (plugins.discover() and name in self.known()):
            raise KeyError(name)
        return self._resolved(self._all, name)

    def __iter__(self) -> Iterator[str]:
        plugins.discover()
        return iter(tuple(self.known()))

    def __len__(self) -> int:
        plugins.discover()
        return len(self.known())
