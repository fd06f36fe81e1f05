"""axe-core, as the package axe-playwright-python brings it; None where that is not installed."""

from __future__ import annotations

from importlib.resources import files
from typing import Any


def source() -> str | None:
    """The script's text."""
    try:
        return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    except ModuleNotFoundError:
        return None


def violations(page: Any, script: str) -> list[str]:
    """What axe finds on a page: the rule, and the first element that breaks it."""
    page.evaluate(script)
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return [f"{rule['id']}: {rule['nodes'][0]['html'][:200]}" for rule in found["violations"]]
