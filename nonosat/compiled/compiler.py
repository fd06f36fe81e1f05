"""From Python to an object file, by numba's front end and LLVM; only processes that compile import this.

numba by itself compiles each function with all that it calls into a library of its own, optimised anew with every
caller. Here its front end (types, then LLVM's language) works on each function once, for the types that it is annotated
with; all functions of a module become one LLVM module, which is optimised once, as a C compiler does with a file. A
function of another module is called by its name, and found when the object files are loaded.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import signal
import sys
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding, ir
from numba.core import cgutils, codegen, cpu, types
from numba.core.datamodel import models
from numba.core.extending import register_model, typeof_impl
from numba.core.registry import cpu_target
from numba.core.typing.templates import AttributeTemplate, ConcreteTemplate, infer_getattr, signature
from numba.extending import lower_builtin, lower_getattr_generic
from numba.np import arrayobj
from numba.np.arrayobj import make_array, populate_array

from nonosat.compiled.kernel import (
    FAILED,
    ArrayType,
    Inlined,
    Instruction,
    Kernel,
    Kind,
    NumberType,
    RecordType,
    SeveralTypes,
    words,
)
from nonosat.compiled.library import LIBRARY, kernels_of, name_of

# The kinds of values (``kinds.py``) in numba's types and in the machine's; only processes that compile import this.


WORD, BYTE, BIT, DOUBLE = ir.IntType(64), ir.IntType(8), ir.IntType(1), ir.DoubleType()
POINTER = BYTE.as_pointer()


class NumbaRecordType(types.Type):
    """A record, by its address."""

    def __init__(self, record: RecordType) -> None:
        self.at: dict[str, tuple[int, NumberType | ArrayType]] = {}
        where = 0
        for name, kind in record.fields:
            self.at[name] = where, kind
            where += words(kind)
        super().__init__(f"{record.name}{hashlib.sha256(repr(record).encode()).hexdigest()[:8]}")


@register_model(NumbaRecordType)
class _RecordModel(models.PrimitiveModel):
    def __init__(self, manager: Any, of: NumbaRecordType) -> None:
        super().__init__(manager, of, POINTER)


@infer_getattr
class _RecordFields(AttributeTemplate):
    key = NumbaRecordType

    def generic_resolve(self, record: NumbaRecordType, name: str) -> Any:
        return type_of(record.at[name][1]) if name in record.at else None


@lower_getattr_generic(NumbaRecordType)
def _field(context: Any, builder: Any, record: NumbaRecordType, value: Any, name: str) -> Any:
    """The words behind a record's address; they are marked as constant for LLVM, so that a loop need not read them."""
    where, kind = record.at[name]
    base = builder.bitcast(value, WORD.as_pointer())
    row = []
    for i in range(words(kind)):
        row.append(builder.load(builder.gep(base, [ir.Constant(WORD, where + i)])))
        row[-1].set_metadata("invariant.load", builder.module.add_metadata([]))
    if isinstance(kind, NumberType):
        return builder.trunc(row[0], BIT) if kind.name == "boolean" else row[0]
    return _array(context, builder, kind, builder.inttoptr(row[0], POINTER), row[1:])


def _array(context: Any, builder: Any, kind: ArrayType, at: Any, shape: list[Any]) -> Any:
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
    if isinstance(kind, NumberType):
        return getattr(types, kind.name)
    if isinstance(kind, ArrayType):
        return types.Array(getattr(types, kind.dtype), kind.dims, "C")
    if isinstance(kind, SeveralTypes):
        return types.Tuple([type_of(item) for item in kind.items])
    return NumbaRecordType(kind)


def machine_types(kind: Kind) -> list[Any]:
    """How an argument is handed over."""
    if isinstance(kind, NumberType):
        return [{"float64": DOUBLE, "boolean": BYTE}.get(kind.name, WORD)]
    return [POINTER] + [WORD] * kind.dims if isinstance(kind, ArrayType) else [POINTER]


def machine_function(takes: tuple[Kind, ...], gives: Kind) -> Any:
    """The type of a function's machine code; several results go where its last argument points."""
    flat = [each for kind in takes for each in machine_types(kind)]
    if isinstance(gives, SeveralTypes):
        flat.append(POINTER.as_pointer())
    return ir.FunctionType(machine_types(gives)[0] if isinstance(gives, NumberType) else ir.VoidType(), flat)


def given(context: Any, builder: Any, kind: Kind, value: Any) -> list[Any]:
    """An argument, from numba's form to the machine's."""
    if isinstance(kind, ArrayType):
        array = make_array(type_of(kind))(context, builder, value)
        return [builder.bitcast(array.data, POINTER), *cgutils.unpack_tuple(builder, array.shape, kind.dims)]
    return [builder.zext(value, BYTE)] if value.type == BIT else [value]


def taken(context: Any, builder: Any, kind: Kind, row: list[Any]) -> Any:
    """An argument, from the machine's form to numba's."""
    if isinstance(kind, ArrayType):
        return _array(context, builder, kind, row[0], row[1:])
    return builder.icmp_unsigned("!=", row[0], ir.Constant(BYTE, 0)) if row[0].type == BYTE else row[0]


ALIVE: list[Any] = []
"""What numba's types point at weakly."""
OPTIONS: Any = {
    "nogil": True,
    "_nrt": False,  # nothing is allocated, so that no references are counted
    "error_model": "numpy",  # a division does not look whether it is one by 0
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


class _Raw(codegen.JITCodeLibrary):
    """A function's LLVM module as the front end made it."""

    def add_llvm_module(self, module: Any) -> None:
        self._final_module.link_in(module)

    def finalize(self) -> None:
        self._finalized = True

    def needs(self, found: dict[Any, None]) -> None:
        """Add this library, and all that it calls, to ``found``."""
        if self not in found:
            found[self] = None
            for library in self._linking_libraries:
                library.needs(found)


def _index(context: Any, builder: Any, number: Any, index: Any, _: Any) -> Any:
    """An index as it is, where numba takes one below 0 as counted from the end."""
    return context.cast(builder, index, number, types.intp)


def take_over() -> None:
    """Make numba's compiler in this process one that writes modules, and calls nothing: not to be undone."""
    codegen.JITCPUCodegen._library_class = _Raw
    arrayobj.fix_integer_index = _index
    # A function that is equal to no other: nothing is called in this process.
    cpu.CPUContext.get_executable = lambda *_: [].append  # type: ignore[method-assign]


def object_file(kernels: list[Kernel]) -> bytes:
    """The machine code of ``kernels``, all those of one module."""
    code = cpu_target.target_context.codegen()
    libraries: dict[Any, None] = {}
    modules = [_entry(kernel, libraries) for kernel in kernels]
    whole = modules[0]
    for module in [*modules[1:], *(library._final_module.clone() for library in libraries)]:
        whole.link_in(module)
    mine = {kernel.symbol for kernel in kernels}
    for each in (*whole.functions, *whole.global_variables):
        if not each.is_declaration and each.name not in mine:
            each.linkage = "internal"
    manager, builder = code._module_pass_manager()
    manager.run(whole, builder)
    made: bytes = code._tm.emit_object(whole)
    return made


def _entry(kernel: Kernel, libraries: dict[Any, None]) -> Any:
    """A kernel's LLVM module, with the function that others call; what it needs goes to ``libraries``."""
    takes, gives = kernel.kinds
    arguments = tuple(map(type_of, takes))
    dispatcher = numba.njit(kernel.function, **OPTIONS)
    dispatcher.compile(arguments)
    made = dispatcher.overloads[arguments]
    made.library._ensure_finalized()
    made.library.needs(libraries)
    context, about = made.target_context, made.fndesc
    module = context.codegen()._create_empty_module(kernel.symbol)
    function = ir.Function(module, machine_function(takes, gives), kernel.symbol)
    builder = ir.IRBuilder(function.append_basic_block())
    rest, values = list(function.args), []
    for kind in takes:
        many = len(machine_types(kind))
        values.append(taken(context, builder, kind, rest[:many]))
        rest = rest[many:]
    inner_type = context.call_conv.get_function_type(about.restype, about.argtypes)
    inner = cgutils.get_or_insert_function(module, inner_type, about.llvm_func_name)
    status, result = context.call_conv.call_function(builder, inner, about.restype, about.argtypes, values)
    with builder.if_then(status.is_error, likely=False):
        builder.store(ir.Constant(WORD, 1), ir.GlobalVariable(module, WORD, FAILED))
    _return(context, builder, kernel, context.cast(builder, result, about.restype, type_of(gives)))
    return binding.parse_assembly(cgutils.normalize_ir_text(str(module)))


def _return(context: Any, builder: Any, kernel: Kernel, result: Any) -> None:
    gives = kernel.kinds[1]
    if gives is None:
        builder.ret_void()
    elif isinstance(gives, SeveralTypes):
        for i, item in enumerate(cgutils.unpack_tuple(builder, result)):
            slot = builder.load(builder.gep(builder.function.args[-1], [ir.Constant(WORD, i)]))
            builder.store(item, builder.bitcast(slot, item.type.as_pointer()))
        builder.ret_void()
    else:
        builder.ret(builder.zext(result, BYTE) if result.type == BIT else result)


@cache
def _inlined(function: Inlined) -> Any:
    """What numba takes a function for that is built into its callers."""
    ALIVE.append(numba.njit(function.function, forceinline=True, **OPTIONS))
    return types.Dispatcher(ALIVE[-1])


@cache
def _instruction(which: Instruction) -> Any:
    """What numba takes an instruction for: a word in, a number out."""
    lower_builtin(which, types.uint64)(lambda _, builder, __, args: which.build(builder, args[0]))
    cases = [signature(getattr(types, which.gives), types.uint64)]
    return types.Function(type(which.name, (ConcreteTemplate,), {"key": which, "cases": cases}))


@cache
def _called(kernel: Kernel) -> Any:
    """What numba takes a kernel for where another function calls it: a function with one signature."""
    takes, gives = kernel.kinds
    arguments = tuple(map(type_of, takes))

    @lower_builtin(kernel, *arguments)
    def generate(context: Any, builder: Any, _: Any, args: Any) -> Any:
        function = cgutils.get_or_insert_function(builder.module, machine_function(takes, gives), kernel.symbol)
        flat = [each for kind, value in zip(takes, args, strict=True) for each in given(context, builder, kind, value)]
        if isinstance(gives, SeveralTypes):
            return _several(context, builder, function, flat, gives)
        result = builder.call(function, flat)
        if gives is None:
            return context.get_dummy_value()
        return builder.trunc(result, BIT) if result.type == BYTE else result

    cases = [signature(type_of(gives), *arguments)]
    return types.Function(type(kernel.symbol, (ConcreteTemplate,), {"key": kernel, "cases": cases}))


def _several(context: Any, builder: Any, function: Any, flat: list[Any], gives: SeveralTypes) -> Any:
    """Call a function that gives several numbers."""
    out = [cgutils.alloca_once(builder, machine_types(item)[0]) for item in gives.items]
    slots = cgutils.alloca_once(builder, POINTER, size=len(out))
    for i, slot in enumerate(out):
        builder.store(builder.bitcast(slot, POINTER), builder.gep(slots, [ir.Constant(WORD, i)]))
    builder.call(function, [*flat, slots])
    return context.make_tuple(builder, type_of(gives), [builder.load(slot) for slot in out])


typeof_impl.register(Inlined)(lambda value, _: _inlined(value))
typeof_impl.register(Instruction)(lambda value, _: _instruction(value))
typeof_impl.register(Kernel)(lambda value, _: _called(value))


# A process that compiles: it reads units from standard input, line by line, and writes their object files.


PR_SET_PDEATHSIG = 1


def main() -> None:
    """Until standard input ends: ``unit``, its source, and where its object file goes."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    LIBRARY.compiling = True
    take_over()
    print("ready", flush=True)
    for line in sys.stdin:
        unit, source, target = line.rstrip("\n").split("\t")
        load(unit, source)
        if name_of(unit) != Path(target).name:
            raise RuntimeError(f"{source} was edited while it was in use")
        fresh = Path(f"{target}.{os.getpid()}")
        fresh.write_bytes(object_file(kernels_of(unit)))
        fresh.replace(target)
        print("made", unit, flush=True)


def load(unit: str, source: str) -> None:
    """Import a module; one that was not imported by its name is loaded from its source."""
    try:
        import_module(unit)
    except ModuleNotFoundError:
        spec = spec_from_file_location(unit, source)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        sys.modules[unit] = module
        spec.loader.exec_module(module)
