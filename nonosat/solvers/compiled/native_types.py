"""The kinds of values (``kinds.py``) in numba's types and in the machine's; only processes that compile import this."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.extending import register_model
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import lower_getattr_generic
from numba.np.arrayobj import make_array, populate_array

from nonosat.solvers.compiled.kinds import Array, Kind, Number, Record, Several, words

WORD, BYTE, BIT, DOUBLE = ir.IntType(64), ir.IntType(8), ir.IntType(1), ir.DoubleType()
POINTER = BYTE.as_pointer()


class RecordType(types.Type):
    """A record, by its address."""

    def __init__(self, record: Record) -> None:
        self.at: dict[str, tuple[int, Number | Array]] = {}
        where = 0
        for name, kind in record.fields:
            self.at[name] = where, kind
            where += words(kind)
        super().__init__(f"{record.name}{hashlib.sha256(repr(record).encode()).hexdigest()[:8]}")


@register_model(RecordType)
class _RecordModel(models.PrimitiveModel):
    def __init__(self, manager: Any, of: RecordType) -> None:
        super().__init__(manager, of, POINTER)


@infer_getattr
class _RecordFields(AttributeTemplate):
    key = RecordType

    def generic_resolve(self, record: RecordType, name: str) -> Any:
        return type_of(record.at[name][1]) if name in record.at else None


@lower_getattr_generic(RecordType)
def _field(context: Any, builder: Any, record: RecordType, value: Any, name: str) -> Any:
    """The words behind a record's address; LLVM is told that they do not change, so that a loop need not read them."""
    where, kind = record.at[name]
    base = builder.bitcast(value, WORD.as_pointer())
    row = []
    for i in range(words(kind)):
        row.append(builder.load(builder.gep(base, [ir.Constant(WORD, where + i)])))
        row[-1].set_metadata("invariant.load", builder.module.add_metadata([]))
    if isinstance(kind, Number):
        return builder.trunc(row[0], BIT) if kind.name == "boolean" else row[0]
    return _array(context, builder, kind, builder.inttoptr(row[0], POINTER), row[1:])


def _array(context: Any, builder: Any, kind: Array, at: Any, shape: list[Any]) -> Any:
    """Numba's form of a contiguous array."""
    array = type_of(kind)
    made = make_array(array)(context, builder)
    item = context.get_data_type(array.dtype)
    size = ir.Constant(WORD, context.get_abi_sizeof(item))
    step: Any = size
    strides: list[Any] = []
    for length in reversed(shape):
        strides.insert(0, step)
        step = builder.mul(step, length)
    data = builder.bitcast(at, item.as_pointer())
    populate_array(made, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None)
    return made._getvalue()


@cache
def type_of(kind: Kind) -> Any:
    """Numba's type."""
    if kind is None:
        return types.none
    if isinstance(kind, Number):
        return getattr(types, kind.name)
    if isinstance(kind, Array):
        return types.Array(getattr(types, kind.dtype), kind.dims, "C")
    if isinstance(kind, Several):
        return types.Tuple([type_of(item) for item in kind.items])
    return RecordType(kind)


def machine_types(kind: Kind) -> list[Any]:
    """How an argument is handed over."""
    if isinstance(kind, Number):
        return [{"float64": DOUBLE, "boolean": BYTE}.get(kind.name, WORD)]
    return [POINTER] + [WORD] * kind.dims if isinstance(kind, Array) else [POINTER]


def machine_function(takes: tuple[Kind, ...], gives: Kind) -> Any:
    """The type of a function's machine code; several results go where its last argument points."""
    flat = [each for kind in takes for each in machine_types(kind)]
    if isinstance(gives, Several):
        flat.append(POINTER.as_pointer())
    return ir.FunctionType(machine_types(gives)[0] if isinstance(gives, Number) else ir.VoidType(), flat)


def given(context: Any, builder: Any, kind: Kind, value: Any) -> list[Any]:
    """An argument, from numba's form to the machine's."""
    if isinstance(kind, Array):
        array = make_array(type_of(kind))(context, builder, value)
        return [builder.bitcast(array.data, POINTER), *cgutils.unpack_tuple(builder, array.shape, kind.dims)]
    return [builder.zext(value, BYTE)] if value.type == BIT else [value]


def taken(context: Any, builder: Any, kind: Kind, row: list[Any]) -> Any:
    """An argument, from the machine's form to numba's."""
    if isinstance(kind, Array):
        return _array(context, builder, kind, row[0], row[1:])
    return builder.icmp_unsigned("!=", row[0], ir.Constant(BYTE, 0)) if row[0].type == BYTE else row[0]
