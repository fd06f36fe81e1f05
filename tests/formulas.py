"""The counts in the docs: blocks of formulas, in Python, to be held against what the encodings make."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

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


def of(formulas: dict[str, dict[str, str]], word: str, integers: str) -> dict[str, str]:
    """The one block whose header is the word alone, or the word and integer encodings, among them this one."""
    [block] = [
        block
        for header, block in formulas.items()
        if header == word or (header.split()[0] == word and integers in header.split()[1:])
    ]
    return block


def function(formula: str, arguments: str, scope: dict[str, Any]) -> Callable[..., Any]:
    """A formula as a function, which looks all other names up in the scope."""
    return eval(f"lambda {arguments}: {formula}", scope)


def counted(formulas: dict[str, dict[str, str]], integers: str) -> dict[str, Any]:
    """What an integer encoding makes of variables and comparisons, as functions, and the names that these use."""
    scope: dict[str, Any] = {
        "pos": lambda n: max(0, n),
        "digits": int.bit_length,
        "ones": int.bit_count,
        "zeros": lambda value, width: width - value.bit_count(),
    }
    for word, formula in formulas[integers].items():
        scope[word] = function(formula, "x" if word in ("size", "axioms") else "x, a", scope)
    return scope
