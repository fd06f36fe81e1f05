"""The blocks of code on the pages for people, in the order in which a reader meets them."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
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


def saved(page: str) -> dict[str, str]:
    """The files that a page has its reader write: blocks below a sentence that ends with the name and ":"."""
    written = re.compile(r"`(?P<name>[\w-]+\.(?P<end>\w+))`:\n\n```(?P=end)\n(?P<text>(?s:.*?))^```$", re.MULTILINE)
    return {match["name"]: match["text"] for match in written.finditer(PAGES[page])}


def exit_code(line: str) -> int:
    """What a page's command ends with: as its comment says (``# exit code 20``), else 10 if it finds a solution."""
    if told := re.search(r"# exit code (\d+)", line):
        return int(told[1])
    answers = {"solve", "count", "sample", "backbone"}.intersection(shlex.split(line, comments=True))
    return 10 if answers else 0
