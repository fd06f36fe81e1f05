"""What pages have of the program itself, so that they cannot differ from it.

Two kinds of lines ask for it. Figures, tables of contents and pages of the root stand on the site alone: a line
``<!-- made: WHAT ... -->`` is replaced when the site is built. The reference is committed: what is between
``<!-- made: WHAT ... -->`` and ``<!-- made: end -->`` is written by

    python docs/_site/made.py

(``make reference``), and ``tests/test_site.py`` holds it current. ``MADE`` has the words; the rest of the line is
handed to the function.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import figures
import reference
import tree

MADE: dict[str, Callable[..., str]] = {
    "commands": reference.commands,
    "encodings": reference.encodings,
    "fields": reference.fields,
    "figure": figures.shown,
    "formats": reference.formats,
    "generators": reference.generators,
    "module": reference.module,
    "names": reference.names,
    "page": tree.page,
    "results": reference.results,
    "solvers": reference.solvers,
    "techniques": reference.techniques,
    "tree": tree.pages,
}
_LINE = re.compile(
    r"^(<!-- made: (?!end -->)([\w-]+)(.*?) -->\n)(?:(?:(?!<!-- made: ).*\n)*?(<!-- made: end -->\n))?", re.M
)
REFERENCE = sorted((Path(__file__).parents[1] / "reference").glob("*.md"))


def filled(text: str) -> str:
    """A page's Markdown with what is made in its place. KeyError: a word that ``MADE`` does not have."""

    def made(match: re.Match[str]) -> str:
        begin, word, rest, end = match.groups()
        text = MADE[word](*rest.split())
        return f"{text}\n" if end is None else f"{begin}\n{text}\n\n{end}"

    return _LINE.sub(made, text if text.endswith("\n") else f"{text}\n")


def read(app: Any, name: str, source: list[str]) -> None:
    """Sphinx's event ``source-read``."""
    source[0] = filled(source[0])


def setup(app: Any) -> dict[str, bool]:
    """Sphinx calls this."""
    app.connect("source-read", read, priority=500)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


MANUAL = Path(__file__).parents[1] / "reference" / "nonosat.1"
"""Installed as a manual page by the wheel."""

if __name__ == "__main__":
    MANUAL.write_text(reference.manual(), encoding="utf-8")
    for page in REFERENCE:
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
