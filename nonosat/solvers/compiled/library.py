"""The machine code of this process: object files, loaded when they are needed, and made first if there are none.

Loading needs neither numba nor a linker: llvmlite's loader takes the files as they are.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from nonosat.solvers.compiled.keeping import all_there, object_files
from nonosat.solvers.compiled.kernel import FAILED, Kernel
from nonosat.solvers.compiled.units import name_of, units_for

before_loading: list[Callable[[str], None]] = []
"""Who hears of a module whose code is to be loaded, before it is."""


class Library:
    """What is loaded."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.units: set[str] = set()
        self.engine: Any = None
        self.failed = ctypes.c_int64()
        self.alive: list[Any] = []
        self.gathered: dict[str, None] | None = None

    def load(self, *modules: str) -> None:
        """Load the kernels of ``modules`` and all that they call."""
        with self.lock:
            if self.gathered is not None:
                self.gathered.update(dict.fromkeys(modules))
            elif new := [unit for unit in units_for(*modules) if unit not in self.units]:
                for before in before_loading:
                    before(new[0])
                self.add(object_files({unit: name_of(unit) for unit in new}))
                self.units.update(new)

    def has(self, module: str) -> bool:
        """Is it loaded?"""
        return module in self.units

    def made(self, module: str) -> bool:
        """Is all there that ``load`` would load?"""
        return all_there(name_of(unit) for unit in units_for(module))

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """What is to be loaded within this context is loaded at its end, so that all cores have something to make."""
        with self.lock:
            self.gathered = {}
            try:
                yield
                gathered = self.gathered
            finally:
                self.gathered = None
            self.load(*gathered)

    def add(self, files: list[bytes]) -> None:
        """Add object files, which may call each other and what is there already."""
        from llvmlite import binding

        if self.engine is None:
            binding.initialize_native_target()
            binding.initialize_native_asmprinter()
            machine = binding.Target.from_default_triple().create_target_machine(jit=True)
            self.alive.append(binding.parse_assembly(f'@"{FAILED}" = global i64 0'))
            self.engine = binding.create_mcjit_compiler(self.alive[0], machine)
            self.failed = ctypes.c_int64.from_address(self.engine.get_global_value_address(FAILED))
        for content in files:
            self.alive.append(binding.ObjectFileRef.from_data(content))
            self.engine.add_object_file(self.alive[-1])
        self.engine.finalize_object()

    def address(self, kernel: Kernel) -> int:
        """Where the code of ``kernel`` is."""
        with self.lock:
            if kernel.function.__module__ not in self.units:
                self.load(kernel.function.__module__)
            return int(self.engine.get_function_address(kernel.symbol))


LIBRARY = Library()
