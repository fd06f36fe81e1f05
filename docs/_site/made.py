"""What pages have of the program itself: a line ``<!-- made: WHAT -->`` becomes Markdown when the site is built.

So a page cannot say other than the program: commands are told by click's own help, encodings by their registry, fields
of records by their list, figures are drawn from the records in results/. ``MADE`` has them all; the rest of the line
is handed to them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import commands
import figures
import names
import registries
import tree

MADE: dict[str, Callable[..., str]] = {
    "commands": commands.told,
    "encodings": registries.encodings,
    "fields": registries.fields,
    "figure": figures.shown,
    "formats": registries.formats,
    "generators": registries.generators,
    "module": names.module,
    "names": names.names,
    "page": tree.page,
    "solvers": registries.solvers,
    "tree": tree.pages,
}
_LINE = re.compile(r"^<!-- made: ([\w-]+)(.*?) -->$", re.MULTILINE)


def filled(text: str) -> str:
    """A page's Markdown with what is made in its place. KeyError: a word that ``MADE`` does not have."""
    return _LINE.sub(lambda match: MADE[match[1]](*match[2].split()), text)


def read(app: Any, name: str, source: list[str]) -> None:
    """Sphinx's event ``source-read``."""
    source[0] = filled(source[0])


def setup(app: Any) -> dict[str, bool]:
    """Sphinx calls this."""
    app.connect("source-read", read, priority=500)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
