"""What compiled functions take and give: the kinds of values, read off their annotations.

A record (a ``NamedTuple`` of numbers and arrays) is handed over as an address: a tuple of fifty arrays, value by value,
is 350 of them, which made compiling and every call several times slower. Behind the address stand words of 64 bits: a
number is one, an array its address and its shape.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Number:
    """A number by its name in numba: int64, uint64, float64 or boolean."""

    name: str


@dataclass(frozen=True)
class Array:
    """An array of ``dtype`` (by name), contiguous, with so many ``dims``."""

    dtype: str
    dims: int


@dataclass(frozen=True)
class Record:
    """A tuple of numbers and arrays with names: (name, kind) of each."""

    name: str
    fields: tuple[tuple[str, Number | Array], ...]


@dataclass(frozen=True)
class Several:
    """Numbers that a function gives at once."""

    items: tuple[Number, ...]


Kind = Number | Array | Record | Several | None
NDARRAY = get_origin(npt.NDArray[np.int64])
"""numpy.ndarray; or a name of its own, from NumPy 2.5 on Python 3.12 on."""
NUMBERS = {int: "int64", bool: "boolean", float: "float64", np.int64: "int64", np.uint64: "uint64"}


WHOLE = tuple(Number(name) for name in ("int64", "uint64", "boolean"))
"""The numbers that a record may have."""


def kinds_of(function: Any) -> tuple[tuple[Kind, ...], Kind]:
    """(the kinds of its arguments, the kind of its result), by its annotations. TypeError: there is no such kind."""
    hints = get_type_hints(function, include_extras=True)
    result = hints.pop("return")
    return tuple(kind_of(hint) for hint in hints.values()), kind_of(result)


def kind_of(hint: Any) -> Kind:
    """The kind that an annotation means."""
    if hint is type(None):
        return None
    if hint in NUMBERS:
        return Number(NUMBERS[hint])
    if hint == int | np.int64:
        return Number("int64")
    if get_origin(hint) is Annotated:
        array, dims = get_args(hint)
        return Array(_dtype(array), dims)
    if get_origin(hint) in (np.ndarray, NDARRAY):
        return Array(_dtype(hint), 1)
    if get_origin(hint) is tuple:
        items = tuple(kind_of(item) for item in get_args(hint))
        if all(isinstance(item, Number) for item in items):
            return Several(items)  # type: ignore[arg-type] # they are numbers
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        return _record_of(hint)
    raise TypeError(f"no kind of value for compiled code: {hint}")


@cache
def _record_of(hint: type) -> Record:
    """The kind of a record, one object for all kernels."""
    hints = get_type_hints(hint, include_extras=True)
    fields = tuple((name, kind_of(hints[name])) for name in hint._fields)  # type: ignore[attr-defined] # it has them
    if not all(isinstance(kind, Array) or kind in WHOLE for _, kind in fields):
        raise TypeError(f"no kind of value for compiled code: {hint}")
    return Record(hint.__qualname__, fields)  # type: ignore[arg-type] # they are


def _dtype(array: Any) -> str:
    items = get_args(array)
    return str(np.dtype(items[0] if get_origin(array) is not np.ndarray else get_args(items[1])[0]).name)


def words(kind: Number | Array) -> int:
    """How many words it takes."""
    return 1 if isinstance(kind, Number) else 1 + kind.dims
