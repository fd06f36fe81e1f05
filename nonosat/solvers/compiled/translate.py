"""From Python to an object file, by numba's front end and LLVM; only processes that compile import this.

numba by itself compiles each function with all that it calls into a library of its own, optimised anew with every
caller. Here its front end (types, then LLVM's language) works on each function once, for the types that it is annotated
with; all functions of a module become one LLVM module, which is optimised once, as a C compiler does with a file. A
function of another module is called by its name, and found when the object files are loaded.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
from llvmlite import binding, ir
from numba.core import cgutils, codegen, cpu, types
from numba.core.extending import typeof_impl
from numba.core.registry import cpu_target
from numba.core.typing.templates import ConcreteTemplate, signature
from numba.extending import lower_builtin
from numba.np import arrayobj

from nonosat.solvers.compiled.kernel import FAILED, Inlined, Instruction, Kernel
from nonosat.solvers.compiled.kinds import Several
from nonosat.solvers.compiled.native_types import (
    BIT,
    BYTE,
    POINTER,
    WORD,
    given,
    machine_function,
    machine_types,
    taken,
    type_of,
)

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
    status, said = context.call_conv.call_function(builder, inner, about.restype, about.argtypes, values)
    with builder.if_then(status.is_error, likely=False):
        builder.store(ir.Constant(WORD, 1), ir.GlobalVariable(module, WORD, FAILED))
    _return(context, builder, kernel, context.cast(builder, said, about.restype, type_of(gives)))
    return binding.parse_assembly(cgutils.normalize_ir_text(str(module)))


def _return(context: Any, builder: Any, kernel: Kernel, said: Any) -> None:
    gives = kernel.kinds[1]
    if gives is None:
        builder.ret_void()
    elif isinstance(gives, Several):
        for i, item in enumerate(cgutils.unpack_tuple(builder, said)):
            slot = builder.load(builder.gep(builder.function.args[-1], [ir.Constant(WORD, i)]))
            builder.store(item, builder.bitcast(slot, item.type.as_pointer()))
        builder.ret_void()
    else:
        builder.ret(builder.zext(said, BYTE) if said.type == BIT else said)


@cache
def _inlined(function: Inlined) -> Any:
    """What numba takes a function for that is built into its callers."""
    ALIVE.append(numba.njit(function.function, forceinline=True, **OPTIONS))
    return types.Dispatcher(ALIVE[-1])


@cache
def _instruction(which: Instruction) -> Any:
    """What numba takes an instruction for: a word in, a number out."""

    @lower_builtin(which, types.uint64)
    def generate(_: Any, builder: Any, __: Any, args: Any) -> Any:
        if which.name == "cttz":
            return builder.cttz(args[0], ir.Constant(BIT, 1))
        return builder.ctpop(args[0])

    cases = [signature(types.int64, types.uint64)]
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
        if isinstance(gives, Several):
            return _several(context, builder, function, flat, gives)
        said = builder.call(function, flat)
        if gives is None:
            return context.get_dummy_value()
        return builder.trunc(said, BIT) if said.type == BYTE else said

    cases = [signature(type_of(gives), *arguments)]
    return types.Function(type(kernel.symbol, (ConcreteTemplate,), {"key": kernel, "cases": cases}))


def _several(context: Any, builder: Any, function: Any, flat: list[Any], gives: Several) -> Any:
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
