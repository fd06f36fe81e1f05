"""The counts in the docs: blocks of formulas, in Python, to be held against what the encodings make."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def blocks(page: str) -> dict[str, dict[str, str]]:
    """Each block of a page by its header's words: its formulas by name, each on one line."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = {}
    for header, body in re.findall(r"^```counts (.+?)\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE):
        assert header not in found, header
        entries = re.split(r"^(\w+): ", body, flags=re.MULTILINE)
        assert not entries[0].strip(), header
        found[header] = {
            name: " ".join(formula.split()) for name, formula in zip(entries[1::2], entries[2::2], strict=True)
        }
    return found
