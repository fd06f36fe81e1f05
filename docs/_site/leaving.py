"""Links of pages, before Sphinx reads them: what leaves docs/ leads to the repository, pictures are light and dark.

A page stays as people read it in the repository: links are paths there. Those to files that the site does not have
(notebooks, examples) become links to the repository; ``tests/test_docs.py`` holds all of them to be there. An image
``NAME-light.png`` that has a twin ``NAME-dark.png`` (or the other way round) is shown as the reader's page is.
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

from pygments.lexers.special import TextLexer

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
URL = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Repository"]
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!https?:|#|mailto:)([^)\s#]+)(#[^)\s]*)?\)")


def rewritten(text: str, folder: Path) -> str:
    """A page's Markdown with its links as the site needs them; ``folder``: the page's. Code blocks are left alone."""
    parts = re.split(r"(^```.*?^```$|^:::\{toctree.*?^:::$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if index % 2 else _LINK.sub(_of(folder), part) for index, part in enumerate(parts))


def _of(folder: Path) -> Any:
    def link(match: re.Match[str]) -> str:
        image, label, target, anchor = match.groups()
        path = Path(os.path.normpath(folder / target))
        if image:
            return _twins(label, target, path) or match[0]
        if path.is_relative_to(DOCS) and path.suffix == ".md":
            return match[0]
        if not path.exists():
            return match[0]
        kind = "tree" if path.is_dir() else "blob"
        return f"[{label}]({URL}/{kind}/main/{path.relative_to(ROOT).as_posix()}{anchor or ''})"

    return link


def _twins(label: str, target: str, path: Path) -> str | None:
    found = re.fullmatch(r"(.*)-(light|dark)\.(\w+)", target)
    if found is None or not all(path.with_name(f"{_stem(path)}-{mode}{path.suffix}").exists() for mode in MODES):
        return None
    return "\n".join(f"![{label}]({found[1]}-{mode}.{found[3]}){{.only-{mode}}}" for mode in MODES)


MODES = ("light", "dark")
PLAIN = ("cnf", "counts", "opb", "pbm", "sky")
"""Languages of blocks that nobody colours."""


def _stem(path: Path) -> str:
    return path.stem.rpartition("-")[0]


def read(app: Any, name: str, source: list[str]) -> None:
    """Sphinx's event ``source-read``, after ``made``."""
    source[0] = rewritten(source[0], Path(app.srcdir, name).parent)


def setup(app: Any) -> dict[str, bool]:
    """Sphinx calls this."""
    app.connect("source-read", read, priority=600)
    for language in PLAIN:
        app.add_lexer(language, TextLexer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
