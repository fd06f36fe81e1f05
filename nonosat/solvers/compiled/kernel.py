"""A compiled function as Python sees it: called by its address, with arrays and records handed over by theirs."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any

import numpy as np

from nonosat.solvers.compiled.kinds import Array, Kind, Number, Record, Several, kinds_of
from nonosat.solvers.compiled.records import Packing

C_TYPES: dict[str, Any] = {
    "int64": ctypes.c_int64, "uint64": ctypes.c_uint64, "float64": ctypes.c_double, "boolean": ctypes.c_bool,
}  # fmt: skip
FAILED = "nonosat.failed"
"""The number in machine code that is 1 from an error on, such as an index out of bounds where these are checked."""
NOTHING = ctypes.c_char * 0  # to ask an array for its address, however small it is

Giver = Callable[[Any, list[Any], list[Any]], None]
"""Adds an argument to a call's flat arguments, and what must live as long as the call to a second list."""


class Inlined:
    """A function that is built into compiled ones; called from Python, it is Python."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        """What the function says."""
        return self.function(*args)


class Instruction(Inlined):
    """A function that is one machine instruction, ``name`` of LLVM's, on words; see ``bits.py``."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        super().__init__(function)
        self.name = name


class Kernel:
    """A function that is compiled; its machine code is loaded, or made, at its first call, by its ``library()``."""

    def __init__(self, function: Callable[..., Any], library: Callable[[], Any]) -> None:
        self.function, self.library = function, library
        self.symbol = f"{function.__module__}.{function.__qualname__}"
        update_wrapper(self, function)

    @cached_property
    def kinds(self) -> tuple[tuple[Kind, ...], Kind]:
        """What it takes, and what it gives."""
        return kinds_of(self.function)

    @cached_property
    def givers(self) -> list[Giver]:
        """How its arguments are handed over."""
        return [_giver(kind) for kind in self.kinds[0]]

    @cached_property
    def entry(self) -> Callable[..., Any]:
        """The machine code. ctypes lets go of Python's lock while it runs."""
        takes, gives = self.kinds
        flat = [c_type for kind in takes for c_type in _c_types(kind)]
        if isinstance(gives, Several):
            flat.append(ctypes.c_void_p)
        result = C_TYPES[gives.name] if isinstance(gives, Number) else None
        library = self.library()
        code = ctypes.CFUNCTYPE(result, *flat)(library.address(self))
        failed = library.failed

        def call(*values: Any) -> Any:
            said = code(*values)
            if failed.value:
                failed.value = 0
                raise IndexError(f"{self.symbol}: an index out of bounds, or another error in compiled code")
            return said

        return call

    def __call__(self, *args: Any) -> Any:
        """What the function says."""
        flat: list[Any] = []
        alive: list[Any] = []
        for give, value in zip(self.givers, args, strict=True):
            give(value, flat, alive)
        gives = self.kinds[1]
        if isinstance(gives, Several):
            out = [C_TYPES[item.name]() for item in gives.items]
            slots = (ctypes.c_void_p * len(out))(*map(ctypes.addressof, out))
            self.entry(*flat, ctypes.addressof(slots))
            return tuple(slot.value for slot in out)
        return self.entry(*flat)


def _c_types(kind: Kind) -> list[Any]:
    if isinstance(kind, Number):
        return [C_TYPES[kind.name]]
    if isinstance(kind, Array):
        return [ctypes.c_void_p] + [ctypes.c_int64] * kind.dims
    return [ctypes.c_void_p]


def _giver(kind: Kind) -> Giver:
    if isinstance(kind, Array):
        return _array_giver(kind)
    if isinstance(kind, Record):
        return _record_giver(kind)
    return lambda value, flat, _: flat.append(value)


def _array_giver(kind: Array) -> Giver:
    dtype, dims = np.dtype(kind.dtype), kind.dims

    def give(value: Any, flat: list[Any], _: list[Any]) -> None:
        flat.append(_address(value, dtype, dims))
        flat.extend(value.shape)

    return give


def _record_giver(kind: Record) -> Giver:
    arrays = [(np.dtype(field.dtype), field.dims) if isinstance(field, Array) else None for _, field in kind.fields]

    def give(value: Any, flat: list[Any], alive: list[Any]) -> None:
        packed = getattr(value, "_packed", Packing._packed)
        if packed[0] is not kind:
            if len(value) != len(arrays):
                raise TypeError(f"{type(value).__name__} for {kind.name}")
            words: list[int] = []
            for array, field in zip(arrays, value, strict=True):
                if array is None:
                    words.append(field)
                else:
                    words.append(_address(field, *array))
                    words += field.shape
            place = np.array(words, dtype=np.int64)
            packed = kind, place, _address(place, place.dtype, 1)
            if isinstance(value, Packing):
                value._packed = packed
        alive.append(packed[1])
        flat.append(packed[2])

    return give


def _address(array: Any, dtype: np.dtype[Any], dims: int) -> int:
    """Where ``array`` begins. TypeError: it is not of this kind, or not contiguous."""
    if (array.dtype is not dtype and array.dtype != dtype) or array.ndim != dims:
        raise TypeError(f"an array of {array.dtype} with {array.ndim} dimensions for {dims} of {dtype}")
    try:
        return ctypes.addressof(NOTHING.from_buffer(array))
    except TypeError:  # it is read only, or not contiguous
        if not array.flags.c_contiguous:
            raise
        return int(array.ctypes.data)
