"""The machine code of this process: object files, loaded when they are needed, and made first if there are none.

Loading needs neither numba nor a linker: llvmlite's loader takes the files as they are.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any

from nonosat.solvers.compiled.keeping import object_files
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

    def load(self, *modules: str) -> None:
        """Load the kernels of ``modules`` and all that they call."""
        with self.lock:
            if new := [unit for unit in units_for(*modules) if unit not in self.units]:
                for before in before_loading:
                    before(new[0])
                self.add(object_files({unit: name_of(unit) for unit in new}))
                self.units.update(new)

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
