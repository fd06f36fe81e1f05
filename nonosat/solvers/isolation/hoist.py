"""No run pays for code that is loaded or compiled: what a child misses, its zygote loads, and the run begins anew.

A solver may import what it needs where it needs it, and machine code is loaded, or compiled, where it is called. On the
clock, and in a process that is killed at its limit before the machine code is kept, that would be a time-out for ever
on a machine that has not compiled yet, and a cost of the first run elsewhere. So a child that comes to an import, to
machine code of ours that is not loaded, or to a compilation by numba says what it needs and ends (``on_demand``); the
zygote does it (``load``), off the clock, and forks a child that has it. This holds for every solver, whatever it
imports, and needs no list of modules.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from nonosat.solvers.isolation.messages import Need

TRIED: set[str] = set()
"""What has been asked for once, in this process or in the one that it was forked from: it is not asked for again."""


def load(need: Need) -> None:
    """Load or compile what a child needs. If that fails, the child that meets it next tells how."""
    TRIED.add(_key(need))
    with contextlib.suppress(Exception):
        module = import_module(need.module)
        if need.machine_code:
            import_module("nonosat.solvers.compiled.library").LIBRARY.load(need.module)
        if need.function is not None:
            getattr(module, need.function).compile(need.signature)


def on_demand(ask: Callable[[Need], None]) -> Callable[[], None]:
    """From now on an import of a new module, and a compilation by numba, ``ask`` for it first, once.

    ``ask`` is not expected to come back. What is returned ends this.
    """

    def ask_once(need: Need) -> None:
        if _key(need) not in TRIED:
            ask(need)

    finder = _Finder(ask_once)
    sys.meta_path.insert(0, finder)
    dispatcher = getattr(sys.modules.get("numba.core.dispatcher"), "Dispatcher", None)
    usual = None if dispatcher is None else dispatcher.compile

    def compile_function(self: Any, signature: Any) -> Any:
        module, name = self.py_func.__module__, self.py_func.__qualname__
        if getattr(sys.modules.get(module), name, None) is self:  # else nobody could find it by its name
            ask_once(Need(module, name, signature))
        return usual(self, signature)  # type: ignore[misc] # there is one

    if dispatcher is not None:
        dispatcher.compile = compile_function

    library = sys.modules.get(
        "nonosat.solvers.compiled.library"
    )  # without it, it is imported first, which is asked for
    before: list[Callable[[str], None]] = [] if library is None else library.before_loading
    before.append(lambda module: ask_once(Need(module, machine_code=True)))

    def end() -> None:
        before.clear()
        sys.meta_path.remove(finder)
        if dispatcher is not None:
            dispatcher.compile = usual

    return end


class _Finder:
    """The first of the import system's finders; it finds nothing, but hears of every module that is not loaded."""

    def __init__(self, ask: Callable[[Need], None]) -> None:
        self.ask = ask

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Ask for ``name``, if there is such a module (many a module is looked for that is not there)."""
        if PathFinder.find_spec(name, path, target) is not None:
            self.ask(Need(name))
        return None


def _key(need: Need) -> str:
    return f"{need} {need.signature} {need.machine_code}"
