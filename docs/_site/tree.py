"""The place of each page: tutorials, how-tos, reference, explanations. A page that is not listed here explains."""

from __future__ import annotations

import os
import re
from pathlib import Path

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent

PAGES = {
    "tutorial": ["tutorial/first-study", "tutorial/first-booklet"],
    "how-to": [
        "how-to/install", "models", "how-to/beside-cpmpy", "how-to/encoding", "how-to/puzzle-kind", "how-to/sat-solver",
        "how-to/cluster", "how-to/cookbook", "extending",
        "studies", "analysis", "generators", "workbench",
    ],
    "reference": [
        "reference/python", "reference/modules", "reference/commands", "formats", "records", "reference/fields",
        "reference/encodings", "reference/registries", "glossary",
    ],
    "explanation": [
        "design", "encodings", "skyscrapers", "propagation", "native", "counting", "certificates", "explain",
        "beside", "gallery",
    ],
    "project": ["contributing", "changelog", "code-of-conduct", "security"],
}  # fmt: skip
"""The pages of each kind, in the order of the tree. Those that are not there yet are left out."""


def pages(kind: str) -> str:
    """A table of contents of the pages of a kind, and for ``explanation`` of those that are named nowhere."""
    there = sorted(path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md"))
    named = {page for each in PAGES.values() for page in each} | {"index"}
    listed = [page for page in PAGES[kind] if page in there]
    if kind == "explanation":
        listed += [page for page in there if page not in named]
    lines = "\n".join(f"/{page}" for page in listed)
    return f":::{{toctree}}\n:hidden:\n:caption: {kind.capitalize()}\n\n{lines}\n:::"


def page(name: str) -> str:
    """A page of the root, such as CONTRIBUTING.md, with its links as they are from ``docs/``."""
    text = (ROOT / name).read_text(encoding="utf-8")

    def link(match: re.Match[str]) -> str:
        path = os.path.relpath(ROOT / match[2], DOCS)
        return f"{match[1]}({PLACES.get(path, path)}{match[3] or ''})"

    return re.sub(r"(\[[^\]]*\])\((?!https?:|#)([^)#]+)(#[^)]*)?\)", link, text)


PLACES = {
    "../CONTRIBUTING.md": "contributing.md",
    "../CHANGELOG.md": "changelog.md",
    "../CODE_OF_CONDUCT.md": "code-of-conduct.md",
    "../SECURITY.md": "security.md",
}
"""Where the site has a page of the root."""
