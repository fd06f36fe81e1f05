"""Code that is named and not imported: a record of such names costs nothing until one of them is used."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Generic, TypeVar

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
