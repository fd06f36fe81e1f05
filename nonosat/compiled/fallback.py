"""Compiles by numba's public interface alone, for versions of numba that ``compiler.py`` was not tested with.

Each function is compiled with all that it calls, as numba does it, and kept in numba's own cache, next to the
source file. That takes longer, and numba is loaded in every process that calls compiled code. numba compiles a function
again after an edit of its own file; after an edit of a function that it calls in another file, remove ``__pycache__``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from types import FunctionType
from typing import Any, get_type_hints

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from nonosat.compiled.kernel import (
    ArrayType,
    Inlined,
    Instruction,
    Kernel,
    Kind,
    NumberType,
    RecordType,
    SeveralTypes,
    kind_of,
    used,
)

DISPATCHERS: dict[Any, Any] = {}
"""What numba made of a function, by our object for it."""
CONVERSIONS: dict[str, Callable[[Any], Any]] = {"int64": int, "uint64": np.uint64, "float64": float, "boolean": bool}


def compile_kernels(kernels: list[Kernel]) -> None:
    """Compile ``kernels`` for the types of their annotations, or load what is in numba's cache."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", numba.NumbaWarning)
        for kernel in kernels:
            dispatcher_of(kernel)


def dispatcher_of(function: Inlined | Kernel) -> Any:
    """Numba's function for one of ours; what it calls is replaced in a copy of its globals."""
    if function in DISPATCHERS:
        return DISPATCHERS[function]
    if isinstance(function, Instruction):
        DISPATCHERS[function] = _instruction(function)
        return DISPATCHERS[function]
    python = function.function
    names = dict(python.__globals__)
    copied = FunctionType(python.__code__, names, python.__name__, python.__defaults__, python.__closure__)
    copied.__module__, copied.__qualname__ = python.__module__, python.__qualname__
    dispatcher = DISPATCHERS[function] = numba.njit(cache=True, nogil=True, error_model="numpy")(copied)
    for name, value in used(python):
        if isinstance(value, Inlined | Kernel):
            names[name] = dispatcher_of(value)
    if isinstance(function, Kernel):
        hints = list(get_type_hints(python, include_extras=True).values())
        takes = [_type_of(kind_of(hint), hint) for hint in hints[:-1]]
        dispatcher.compile(_type_of(kind_of(hints[-1]), hints[-1])(*takes))
    return dispatcher


def entry(kernel: Kernel) -> Callable[..., Any]:
    """The compiled function, for calls from Python: numbers are converted to the types of the annotations."""
    dispatcher = dispatcher_of(kernel)
    conversions = [_conversion(kind) for kind in kernel.kinds[0]]

    def call(*values: Any) -> Any:
        return dispatcher(*[convert(value) for convert, value in zip(conversions, values, strict=True)])

    return call


def _type_of(kind: Kind, hint: Any) -> Any:
    """Numba's type of a kind; ``hint``: the annotation that the kind is of."""
    types: Any = numba.types
    if kind is None:
        return types.none
    if isinstance(kind, NumberType):
        return getattr(types, kind.name)
    if isinstance(kind, ArrayType):
        return types.Array(getattr(types, kind.dtype), kind.dims, "C")
    if isinstance(kind, SeveralTypes):
        return types.Tuple([_type_of(item, None) for item in kind.items])
    return types.BaseTuple.from_types([_type_of(field, None) for _, field in kind.fields], hint)


def _conversion(kind: Kind) -> Callable[[Any], Any]:
    if isinstance(kind, NumberType):
        return CONVERSIONS[kind.name]
    if isinstance(kind, RecordType):
        fields = [_conversion(field) for _, field in kind.fields]
        return lambda value: type(value)(*[convert(each) for convert, each in zip(fields, value, strict=True)])
    return lambda value: value


def _instruction(which: Instruction) -> Any:
    """The machine instruction as numba takes it."""

    @intrinsic
    def instruction(_: Any, word: Any) -> Any:
        def generate(_: Any, builder: Any, __: Any, args: Any) -> Any:
            return which.build(builder, args[0])

        return getattr(types, which.gives)(types.uint64), generate

    return instruction
