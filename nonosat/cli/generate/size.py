"""The option ``--size``."""

from __future__ import annotations

import click


def size_of(text: str) -> tuple[int, int]:
    """Rows and columns: ``30x20``, or ``30`` for both."""
    words = text.lower().split("x")
    if not 1 <= len(words) <= 2 or not all(word.isascii() and word.isdigit() and len(word) < 7 for word in words):
        raise click.UsageError(f"--size {text}: expected ROWSxCOLUMNS, such as 30x30")
    return int(words[0]), int(words[-1])
