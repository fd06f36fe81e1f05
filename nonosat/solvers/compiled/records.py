"""Records that are packed for compiled code once, and not at every call that is handed them."""

from __future__ import annotations

from typing import Any, TypeVar

R = TypeVar("R", bound=tuple[Any, ...])


class Packing:
    """What a record remembers: of which kind it was packed, and the words. A copy of it has arrays of its own."""

    _packed: tuple[Any, Any, int] = (None, None, 0)

    def __reduce_ex__(self, _: object) -> tuple[Any, ...]:
        return type(self), tuple(self)  # type: ignore[arg-type] # it is one


def record(fields: type[R]) -> type[R]:
    """A ``NamedTuple`` that compiled code is handed often: it is packed at the first call that has it.

    Its arrays stay where they are in memory as long as it lives: none is resized in place.
    """
    about = {"__module__": fields.__module__, "__qualname__": fields.__qualname__, "__doc__": fields.__doc__}
    return type(fields.__name__, (Packing, fields), about)
