"""Explanations: from a position to the solution in steps that a person can follow, smallest first, each one checked.

``explain.explain`` is the door; ``steps`` is the data; a kind of puzzle has a room, or takes what its CSP gives.

This package is called as the function ``nonosat.explain``: once a module of it is imported, Python sets the attribute
``explain`` of ``nonosat`` to the package. So the package is that function, too.
"""

import sys
from types import ModuleType
from typing import Any


class CallablePackage(ModuleType):
    """A package that does what its function ``explain`` does when it is called."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """See ``nonosat.explain.explain.explain``."""
        from nonosat.explain.explain import explain

        return explain(*arguments, **named)


sys.modules[__name__].__class__ = CallablePackage
