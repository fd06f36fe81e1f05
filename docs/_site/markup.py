"""Markdown of what the program tells."""

from __future__ import annotations


def row(*cells: object) -> str:
    """A line of a table."""
    return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def code(text: object) -> str:
    """As code, or nothing if there is nothing."""
    return f"`{text}`" if str(text) else ""


def table(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    """A whole table."""
    return "\n".join([row(*head), "|" + "---|" * len(head), *(row(*cells) for cells in rows)])
