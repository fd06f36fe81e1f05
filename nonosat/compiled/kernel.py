"""A compiled function as Python sees it: called by its address, with arrays and records handed over by theirs."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, update_wrapper
from math import prod
from typing import Annotated, Any, Generic, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

# What compiled functions take and give: the kinds of values, read off their annotations.
#
# A record (a ``NamedTuple`` of numbers and arrays) is handed over as an address: a tuple of fifty arrays, value by
# value,
# is 350 of them, which made compiling and every call several times slower. Behind the address stand words of 64 bits: a
# number is one, an array its address and its shape.


@dataclass(frozen=True)
class NumberType:
    """A number by its name in numba: int64, uint64, float64 or boolean."""

    name: str


@dataclass(frozen=True)
class ArrayType:
    """An array of ``dtype`` (by name), contiguous, with so many ``dims``."""

    dtype: str
    dims: int


@dataclass(frozen=True)
class RecordType:
    """A tuple of numbers and arrays with names: (name, kind) of each."""

    name: str
    fields: tuple[tuple[str, NumberType | ArrayType], ...]


@dataclass(frozen=True)
class SeveralTypes:
    """Numbers that a function gives at once."""

    items: tuple[NumberType, ...]


Kind = NumberType | ArrayType | RecordType | SeveralTypes | None
NDARRAY = get_origin(npt.NDArray[np.int64])
"""numpy.ndarray; or a name of its own, from NumPy 2.5 on Python 3.12 on."""
NUMBERS = {int: "int64", bool: "boolean", float: "float64", np.int64: "int64", np.uint64: "uint64"}


WHOLE = tuple(NumberType(name) for name in ("int64", "uint64", "boolean"))
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
        return NumberType(NUMBERS[hint])
    if hint == int | np.int64:
        return NumberType("int64")
    if get_origin(hint) is Annotated:
        array, dims = get_args(hint)
        return ArrayType(_dtype(array), dims)
    if get_origin(hint) in (np.ndarray, NDARRAY):
        return ArrayType(_dtype(hint), 1)
    if get_origin(hint) is tuple:
        items = tuple(kind_of(item) for item in get_args(hint))
        if all(isinstance(item, NumberType) for item in items):
            return SeveralTypes(items)  # type: ignore[arg-type] # they are numbers
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        return _record_of(hint)
    raise TypeError(f"no kind of value for compiled code: {hint}")


RECORD_TYPES: dict[RecordType, RecordType] = {}
"""Those of the records so far, by themselves."""


@cache
def _record_of(hint: type) -> RecordType:
    """The kind of a record. Equal kinds are one object: what is packed as one is handed to all kernels of it."""
    hints = get_type_hints(hint, include_extras=True)
    fields = tuple((name, kind_of(hints[name])) for name in hint._fields)  # type: ignore[attr-defined] # it has them
    if not all(isinstance(kind, ArrayType) or kind in WHOLE for _, kind in fields):
        raise TypeError(f"no kind of value for compiled code: {hint}")
    kind = RecordType(hint.__qualname__, fields)  # type: ignore[arg-type] # they are
    return RECORD_TYPES.setdefault(kind, kind)


@cache
def _dtypes(fields: type) -> dict[str, np.dtype[Any]]:
    """The types of a record's arrays."""
    return {name: np.dtype(kind.dtype) for name, kind in _record_of(fields).fields if isinstance(kind, ArrayType)}


def _dtype(array: Any) -> str:
    items = get_args(array)
    return str(np.dtype(items[0] if get_origin(array) is not np.ndarray else get_args(items[1])[0]).name)


def words(kind: NumberType | ArrayType) -> int:
    """How many words it takes."""
    return 1 if isinstance(kind, NumberType) else 1 + kind.dims


# Records that are packed for compiled code once, and not at every call that is handed them.


R = TypeVar("R", bound=tuple[Any, ...])


UNPACKED = None, None
"""What a record remembers that was not packed yet."""


class Packing:
    """What a record remembers: of which kind it was packed, and a pointer. A copy of it has arrays of its own."""

    _packed: tuple[Any, Any] = UNPACKED
    _block: Any = None
    _kept = False

    def __reduce_ex__(self, _: object) -> tuple[Any, ...]:
        return type(self), tuple(self)  # type: ignore[arg-type] # it is one


def record(fields: type[R]) -> type[R]:
    """A ``NamedTuple`` that compiled code is handed often: it is packed at the first call that has it.

    Its arrays stay where they are in memory as long as it lives: none is resized in place.
    """
    about = {"__module__": fields.__module__, "__qualname__": fields.__qualname__, "__doc__": fields.__doc__}
    return type(fields.__name__, (Packing, fields), about)


class RecordLayout(Generic[R]):
    """How records of one kind and size are made: their own arrays lie in one block of memory, and they are packed.

    To allocate twenty arrays, and to ask each for its address, takes longer than many a search that they are for.
    ``common``: the fields that are the same in all of them. ``own``: arrays that each record has a copy of, or the
    shapes of those that begin as zeros. ``unset``: shapes of arrays that are written before they are read.
    ``scratch``: of those that a copy of a record need not have, either.
    """

    def __init__(
        self,
        fields: type[R],
        common: Mapping[str, Any],
        own: Mapping[str, Any],
        unset: Mapping[str, tuple[int, ...]] | None = None,
        scratch: Mapping[str, tuple[int, ...]] | None = None,
    ) -> None:
        self.fields, self.kind = fields, _record_of(fields)
        dtypes = _dtypes(fields)
        copied = {name: what for name, what in own.items() if isinstance(what, np.ndarray)}
        shapes = {name: shape for name, shape in own.items() if name not in copied} | dict(unset or {})
        scratch = scratch or {}
        places: dict[str, tuple[int, int, tuple[int, ...]]] = {}  # of each array: its first word, its size, its shape
        self.size = self.cleared = self.lasting = 0
        for name, shape in ({name: what.shape for name, what in copied.items()} | shapes | dict(scratch)).items():
            size = prod(shape)
            places[name] = self.size, size, shape
            self.size -= -size * dtypes[name].itemsize // WORD
            self.cleared = self.size if name in own else self.cleared
            self.lasting = self.lasting if name in scratch else self.size
        self.begun = np.zeros(sum(-(-what.nbytes // WORD) for what in copied.values()), dtype=np.int64)
        for name, what in copied.items():
            at, size, _ = places[name]
            self.begun[at:].view(what.dtype)[:size] = what.reshape(-1)
        # Fields by their numbers: where each is in the block, seen as words of a type.
        self.parts: dict[str, list[tuple[int, slice]]] = {}
        self.shapes: list[tuple[int, tuple[int, ...]]] = []
        self.values: list[Any] = []
        self.spare: list[Any] = []
        words: list[Any] = []
        offsets: list[int] = []  # the words that are addresses in the block
        for number, (name, kind) in enumerate(self.kind.fields):
            value: Any = common.get(name)
            self.values.append(value)
            if not isinstance(kind, ArrayType):
                words.append(value)
            elif name in places:
                at, size, shape = places[name]
                begin = at * WORD // dtypes[name].itemsize
                self.parts.setdefault(kind.dtype, []).append((number, slice(begin, begin + size)))
                if len(shape) > 1:
                    self.shapes.append((number, shape))
                offsets.append(len(words))
                words.append(WORD * at)
                words += shape
            else:
                words += [_address(value, dtypes[name], kind.dims), *value.shape]
        self.words = np.array(words, dtype=np.int64)
        self.bases = np.zeros(len(words), dtype=np.int64)
        self.bases[offsets] = 1

    def record(self) -> R:
        """A record as all begin: one that was released, if there is one, or a new one."""
        try:
            record = self.spare.pop()
        except IndexError:
            return self._made()
        memory, begun = record._block.memory, self.begun
        memory[: len(begun)] = begun
        memory[len(begun) : self.cleared] = 0
        return record  # type: ignore[no-any-return] # it is one

    def _made(self) -> R:
        memory = np.zeros(self.size, dtype=np.int64)
        memory[: len(self.begun)] = self.begun
        values = self.values.copy()
        for dtype, parts in self.parts.items():
            view = memory if dtype == "int64" else memory.view(dtype)
            for number, part in parts:
                values[number] = view[part]
        for number, shape in self.shapes:
            values[number] = values[number].reshape(shape)
        words = self.bases * _address(memory, memory.dtype, 1)
        words += self.words
        record: Any = self.fields(*values)
        record._packed = self.kind, _pointer(words)
        record._block = RecordMemory(memory, self)
        return record  # type: ignore[no-any-return] # it is one


class RecordMemory(NamedTuple):
    """The memory of a record's own arrays."""

    memory: npt.NDArray[np.int64]
    layout: RecordLayout[Any]


def copy_of(record: R) -> R:
    """Another record of the same layout, whose arrays hold the same, but for scratch."""
    memory, layout = record._block  # type: ignore[attr-defined] # a layout made it
    copied = layout.record()
    copied._block.memory[: layout.lasting] = memory[: layout.lasting]
    return copied  # type: ignore[no-any-return] # it is one


KEPT, SPARE, KEPT_IN_ALL = 1 << 17, 2, 1 << 22
"""The largest memory of a record that is kept, in words, how many of each kind and size, and words of all that are."""
OBJECTS = 512
"""Words that a record's objects take, besides its memory."""


def release(record: Any) -> None:
    """Nobody uses ``record``, nor any array of it, from now on: it may be the next one of its layout.

    Only whoever made a record may release it, once.
    """
    block = record._block
    if block is not None and block.layout.size <= KEPT and len(block.layout.spare) < SPARE:
        if not record._kept:
            record._kept = True
            _KEPT.add(block)
        block.layout.spare.append(record)


class KeptRecords:
    """The memory of all records that are kept. Where it is too much, none of them is, and it begins anew."""

    def __init__(self) -> None:
        self.words, self.spares = 0, list[list[Any]]()

    def add(self, block: RecordMemory) -> None:
        """Another one is kept."""
        words = len(block.memory) + OBJECTS
        self.words += words
        if self.words > KEPT_IN_ALL:
            spares, self.spares, self.words = self.spares, [], words
            for spare in spares:
                spare.clear()
        self.spares.append(block.layout.spare)


_KEPT = KeptRecords()


C_TYPES: dict[str, Any] = {
    "int64": ctypes.c_int64, "uint64": ctypes.c_uint64, "float64": ctypes.c_double, "boolean": ctypes.c_bool,
}  # fmt: skip
WORD = 8
"""Bytes."""
FAILED = "nonosat.failed"
"""The number in machine code that is 1 from an error on, such as an index out of bounds where these are checked."""
NOTHING = ctypes.c_char * 0  # to ask an array for its address, however small it is


class Inlined:
    """A function that is built into compiled ones; called from Python, it is Python."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        """What the function says."""
        return self.function(*args)


class Instruction(Inlined):
    """A function that is one machine instruction, ``name`` of LLVM's, on words; see ``words.py``."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        super().__init__(function)
        self.name = name

    @cached_property
    def gives(self) -> str:
        """The name of numba's type of what it gives: a word, or a number of bits."""
        return "uint64" if kinds_of(self.function)[1] == NumberType("uint64") else "int64"

    def build(self, builder: Any, word: Any) -> Any:
        """Add it to what an LLVM ``builder`` builds."""
        if self.name not in ("cttz", "ctlz"):
            return getattr(builder, self.name)(word)
        from llvmlite import ir

        return getattr(builder, self.name)(word, ir.Constant(ir.IntType(1), 0))


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
    def entry(self) -> Callable[..., Any]:
        """The compiled function, as its library makes it callable from Python."""
        entry: Callable[..., Any] = self.library().entry(self)
        return entry

    def __call__(self, *args: Any) -> Any:
        """The function's result."""
        return self.entry(*args)


def used(function: Any) -> Iterator[tuple[str, Any]]:
    """The globals that a function uses, and their names."""
    for name in function.__code__.co_names:
        if name in function.__globals__:
            yield name, function.__globals__[name]


def machine_entry(kernel: Kernel, address: int, failed: ctypes.c_int64) -> Callable[..., Any]:
    """The machine code of ``kernel`` as a function of Python. ctypes lets go of Python's lock while it runs."""
    takes, gives = kernel.kinds
    types = [each for kind in takes for each in _parameters(kind)]
    result = C_TYPES[gives.name] if isinstance(gives, NumberType) else None
    several = [C_TYPES[item.name] for item in gives.items] if isinstance(gives, SeveralTypes) else []
    code = ctypes.CFUNCTYPE(result, *types, *[ctypes.c_void_p] * bool(several))(address)
    arrays = {i: (np.dtype(kind.dtype), kind.dims) for i, kind in enumerate(takes) if isinstance(kind, ArrayType)}

    def call(*args: Any) -> Any:
        if len(args) != len(takes):  # ctypes passes more of them on
            raise TypeError(f"{kernel.symbol} takes {len(takes)} arguments, not {len(args)}")
        if arrays:
            args = tuple(_flat(args, arrays))
        try:
            if several:
                out = [c_type() for c_type in several]
                slots = (ctypes.c_void_p * len(out))(*map(ctypes.addressof, out))
                code(*args, ctypes.addressof(slots))
                given = tuple(slot.value for slot in out)
            else:
                given = code(*args)
        except ctypes.ArgumentError as error:
            raise TypeError(f"{kernel.symbol}: {error}") from error
        if failed.value:
            failed.value = 0
            raise IndexError(f"{kernel.symbol}: an index out of bounds, or another error in compiled code")
        return given

    return call


def _flat(args: tuple[Any, ...], arrays: dict[int, tuple[np.dtype[Any], int]]) -> Iterator[Any]:
    """The arguments, with an address and a shape for each array."""
    for i, value in enumerate(args):
        if i in arrays:
            yield _address(value, *arrays[i])
            yield from value.shape
        else:
            yield value


def _parameters(kind: Kind) -> list[Any]:
    """What ctypes takes an argument for."""
    if isinstance(kind, NumberType):
        return [C_TYPES[kind.name]]
    if isinstance(kind, ArrayType):
        return [ctypes.c_void_p] + [ctypes.c_int64] * kind.dims
    assert isinstance(kind, RecordType)
    return [_record_parameter(kind)]


class RecordParameter:
    """Takes records of a kind for ctypes: it asks for each argument's pointer, which is there if it is packed."""

    def __init__(self, kind: RecordType) -> None:
        self.kind = kind
        self.arrays = [
            (np.dtype(field.dtype), field.dims) if isinstance(field, ArrayType) else None for _, field in kind.fields
        ]

    def from_param(self, value: Any) -> ctypes.c_void_p:
        """Where its words begin; what this gives keeps them."""
        packed: tuple[Any, Any] = getattr(value, "_packed", UNPACKED)
        pointer: ctypes.c_void_p = packed[1] if packed[0] is self.kind else self.pack(value)
        return pointer

    def pack(self, value: Any) -> ctypes.c_void_p:
        """The same of a record that is not packed as this kind."""
        if len(value) != len(self.arrays):
            raise TypeError(f"{type(value).__name__} for {self.kind.name}")
        words: list[int] = []
        for array, field in zip(self.arrays, value, strict=True):
            if array is None:
                words.append(field)
            else:
                words.append(_address(field, *array))
                words += field.shape
        pointer = _pointer(np.array(words, dtype=np.int64))
        if isinstance(value, Packing):
            value._packed = self.kind, pointer
        return pointer


_record_parameter = cache(RecordParameter)


def _pointer(words: npt.NDArray[np.int64]) -> ctypes.c_void_p:
    """A pointer to ``words``, which keeps them."""
    pointer = ctypes.c_void_p(_address(words, words.dtype, 1))
    pointer.words = words  # type: ignore[attr-defined] # for their life
    return pointer


def _address(array: Any, dtype: np.dtype[Any], dims: int) -> int:
    """Where ``array`` begins. TypeError: it is not of this kind, or not contiguous."""
    if (array.dtype is not dtype and array.dtype != dtype) or array.ndim != dims:
        raise TypeError(f"an array of {array.dtype} with {array.ndim} dimensions for {dims} of {dtype}")
    try:
        return ctypes.addressof(NOTHING.from_buffer(array))
    except TypeError:  # it is read only, or not contiguous
        if not array.flags.c_contiguous:
            raise
        return int(array.__array_interface__["data"][0])
