"""What is said on stderr; what is asked for goes to stdout, so that another program can read it."""

from __future__ import annotations

import contextlib
import sys


def tell(text: str) -> None:
    """Say something on stderr. That nobody can hear it changes no answer."""
    with contextlib.suppress(OSError, ValueError):
        print(text, file=sys.stderr, flush=True)


def complain(text: str) -> None:
    """Say what is wrong."""
    tell(f"nonosat: {text}")
