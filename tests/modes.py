"""The checker's functions as plain Python, in a process that has their machine code."""

from __future__ import annotations

import pytest

from nonosat.certificates.checker import propagation


def no_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """As without numba, until the test ends."""
    monkeypatch.setattr(propagation, "MACHINE_CODE", False)
    for name, function in list(vars(propagation).items()):
        if hasattr(function, "py_func"):
            monkeypatch.setattr(propagation, name, function.py_func)
