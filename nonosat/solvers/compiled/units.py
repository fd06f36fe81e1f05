"""Units of machine code: the kernels of one module, an object file each; what it rests on, and a name for all of that.

A unit's name tells the code of its functions and of those that are built into them, the numbers that they use, the
layout of what they are handed, and who compiles for which machine. So an edit that changes none of that costs nothing,
and what it does change is compiled anew, wherever it stands.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from nonosat.solvers.compiled.kernel import Inlined, Instruction, Kernel

FORM = "2"
"""Of what is made of kernels: another one for every change of ``translate.py`` that object files tell of."""
SETTINGS = ("NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")


def kernels_of(module: str) -> list[Kernel]:
    """All kernels that an imported module defines."""
    mine = vars(sys.modules[module]).values()
    return [value for value in mine if isinstance(value, Kernel) and value.function.__module__ == module]


def used(function: Any) -> Iterator[tuple[str, Any]]:
    """The globals that a function uses, and their names."""
    for name in function.__code__.co_names:
        if name in function.__globals__:
            yield name, function.__globals__[name]


def units_for(*modules: str) -> list[str]:
    """``modules``, and the others whose kernels those of them call, however far off."""
    found: dict[str, None] = {}
    todo: list[Any] = list(modules)
    seen: set[int] = set()
    while todo:
        each = todo.pop()
        if isinstance(each, str):
            if each not in found:
                found[each] = None
                todo += kernels_of(each)
        elif id(each) not in seen:
            seen.add(id(each))
            for _, value in used(each.function):
                todo += [value.function.__module__] if isinstance(value, Kernel) else []
                todo += [value] if isinstance(value, Inlined) else []
    return list(found)


def name_of(module: str) -> str:
    """The name of a unit's object file."""
    digest = hashlib.sha256(toolchain().encode())
    for line in _told(kernels_of(module)):
        digest.update(line.encode() + b"\n")
    return f"{module}-{digest.hexdigest()[:16]}.o"


@cache
def toolchain() -> str:
    """Who compiles, and for which machine."""
    from llvmlite import binding

    versions = [_version(name) for name in ("numba", "llvmlite")]
    settings = [os.environ.get(name, "") for name in SETTINGS]
    machine = (binding.get_process_triple(), binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten())
    return repr((FORM, sys.implementation.cache_tag, *versions, *settings, *machine))


def _version(package: str) -> str:
    """What tells a package's version, which is not imported for that: numba takes longer than all else here."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return ""
    return Path(spec.origin).with_name("_version.py").read_text()


def _told(kernels: list[Kernel]) -> Iterator[str]:
    """What machine code depends on, line by line."""
    todo: list[Any] = list(kernels)
    seen: set[int] = set()
    while todo:
        each = todo.pop(0)
        if id(each) in seen:
            continue
        seen.add(id(each))
        yield f"{each.function.__qualname__} {each.kinds if isinstance(each, Kernel) else ''}"
        yield from _code(each.function.__code__)
        for name, value in used(each.function):
            if isinstance(value, Kernel):
                yield f"{name} = {value.symbol} {value.kinds}"
            elif isinstance(value, Instruction):
                yield f"{name} = {value.name}"
            elif isinstance(value, Inlined):
                yield f"{name} = {value.function.__qualname__}"
                todo.append(value)
            elif isinstance(value, ModuleType | type):
                yield f"{name} = {value.__name__}"
            else:
                yield f"{name} = {value!r}"


def _code(code: CodeType) -> Iterator[str]:
    yield repr((code.co_code, code.co_names, code.co_varnames, code.co_argcount))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code(constant)
        else:
            yield repr(constant)
