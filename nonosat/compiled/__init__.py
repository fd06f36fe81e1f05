"""Python functions compiled to machine code: by numba, once a machine, and without numba from then on."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar, cast

from nonosat.compiled.kernel import Inlined, Instruction, Kernel
from nonosat.compiled.kernel import record as record
from nonosat.compiled.library import LIBRARY as LIBRARY
from nonosat.compiled.library import before_loading, kernels_of

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """``function`` as machine code for the types that it is annotated with (nopython mode, without the GIL).

    Nothing is counted from the end of an array: an index below 0 is out of bounds.
    """
    return cast(F, Kernel(function, lambda: LIBRARY))


def inlined(function: F) -> F:
    """A function that is always built into the ``compiled`` ones that call it; called from Python, it is Python."""
    return cast(F, Inlined(function))


def instruction(name: str) -> Callable[[F], F]:
    """A function on words that compiled code has as one machine instruction."""

    def decorated(function: F) -> F:
        return cast(F, Instruction(function, name))

    return decorated


def ready(module: str) -> None:
    """Load the machine code of all imported modules that stand in the folder of ``module``; make what is not there.

    A module that searches by them ends with ``ready(__name__)``: it is imported before a limited search starts its
    clock, and before one that reports its own time does. Where code is compiled, nothing is loaded.
    """
    if "nonosat.compiled.compiler" not in sys.modules:
        folder = module.rpartition(".")[0] + "."
        LIBRARY.load(*(name for name in list(sys.modules) if name.startswith(folder) and kernels_of(name)))


def must_be_made(module: str) -> bool:
    """Does the machine code of ``module``, or of what it calls, still have to be compiled?

    Not where it is there or loaded, nor under limits, where that is on no clock. Without numba it never is.
    """
    if LIBRARY.has(module) or before_loading:
        return False
    if find_spec("numba") is None:
        return True
    with LIBRARY.without_loading():
        import_module(module)
    return not LIBRARY.made(module)
