"""Python's names: all that ``nonosat`` offers, and the modules that pages import from."""

from __future__ import annotations

import inspect
from types import ModuleType

import nonosat

FOREIGN = "str, tuple, Enum, BaseException, Protocol, Generic"
"""Classes whose members are Python's own."""


def names() -> str:
    """Every name of ``nonosat.__all__`` with its docstring, classes with their own members."""
    return "\n\n".join(
        _name("nonosat", name, getattr(nonosat, name)) for name in sorted(nonosat.__all__, key=str.lower)
    )


def _name(module: str, name: str, value: object) -> str:
    kind = "class" if inspect.isclass(value) else "function" if callable(value) else "data"
    if inspect.isclass(value) and issubclass(value, BaseException):
        kind = "exception"
    lines = [f".. auto{kind}:: {module}.{name}"]
    if kind == "class":
        lines += ["   :members:", "   :undoc-members:", f"   :inherited-members: {FOREIGN}"]
    body = "\n".join(lines)
    return f"## `{name}`\n\n```{{eval-rst}}\n{body}\n```"


def module(*wanted: str) -> str:
    """Modules with what they offer: their ``__all__``, else what they define and does not begin with ``_``."""
    return "\n\n".join(_module(__import__(name, fromlist=["_"])) for name in wanted)


def _module(found: ModuleType) -> str:
    name = found.__name__
    body = f".. automodule:: {name}\n   :members:\n   :no-index:"
    return f"## `{name}`\n\n```{{eval-rst}}\n{body}\n```"
