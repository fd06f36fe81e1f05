"""The solver that is asked for, loaded before the first puzzle waits for it."""

from __future__ import annotations

from nonosat.interrupts import plain_interrupts


def load_solver(
    name: str | None, time_limit: float | None, memory_limit: float | None, cpu_limit: float | None = None
) -> str:
    """The proper name of the solver called ``name`` (None: the default), which is loaded now if it runs here."""
    from importlib import import_module

    from nonosat.solvers import registry
    from nonosat.solvers.solve import limits_of

    entry = registry.solver(registry.DEFAULT if name is None else name)
    if limits_of(entry, time_limit, memory_limit, cpu_limit) is None:
        with plain_interrupts():
            import_module(entry.module)
    return entry.name
