"""The blocks of code on the pages for people, in the order in which a reader meets them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
}
NOT_RUN = "not run: "
_BLOCK = re.compile(r"^(?:<!-- (?P<note>.*) -->\n)?```(?P<language>\w*).*\n(?P<code>(?s:.*?))^```$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block; ``reason`` is that of the comment ``<!-- not run: REASON -->`` in the line above it, if any."""

    language: str
    code: str
    line: int
    reason: str | None


def blocks(page: str, language: str | None = None) -> list[Block]:
    """The blocks of a page of ``PAGES``, or those of one language."""
    found = []
    for match in _BLOCK.finditer(PAGES[page]):
        note = match["note"]
        reason = note.removeprefix(NOT_RUN) if note is not None and note.startswith(NOT_RUN) else None
        line = PAGES[page].count("\n", 0, match.start()) + 1
        found.append(Block(match["language"], match["code"], line, reason))
    return [block for block in found if language in (None, block.language)]
