"""The solver that is asked for, loaded before the first puzzle waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat.interrupts import plain_interrupts

if TYPE_CHECKING:
    from nonosat.solvers.solver import Solver


def load_solver(
    name: str | None, time_limit: float | None, memory_limit: float | None, cpu_limit: float | None = None
) -> Solver:
    """The solver called ``name`` (None: the default), which is loaded now if it runs here."""
    from importlib import import_module

    from nonosat.solvers import registry
    from nonosat.solvers.running import limits_of

    solver = registry.solver(registry.DEFAULT if name is None else name)
    if limits_of(solver, time_limit, memory_limit, cpu_limit) is None:
        with plain_interrupts():
            import_module(solver.module)
    return solver
