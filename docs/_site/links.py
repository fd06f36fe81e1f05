"""Holds the built site together: every link inside leads somewhere, every page is found by the search.

    python docs/_site/links.py docs/_made/site

Nothing is asked of the network. Prints what is wrong, a line each, and ends with 1; else how much was looked at.
"""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Of every element."""
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            if value is not None and (name == "src" or (name == "href" and tag in ("a", "link"))):
                self.links.append(value)


def faults(site: Path) -> list[str]:
    """Links that lead nowhere and pages that the search does not know."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    found = [f"{path.relative_to(site)}: {link}" for path, page in pages.items() for link in page.links
             if not _leads(path, link, pages)]  # fmt: skip
    index = re.search(r"Search.setIndex\((.*)\)", (site / "searchindex.js").read_text(encoding="utf-8"), re.DOTALL)
    known = set(json.loads(index[1])["docnames"]) if index else set()
    made = {path.relative_to(site).with_suffix("").as_posix() for path in pages} - {"genindex", "search", "py-modindex"}
    return found + [f"{name}: the search does not know it" for name in sorted(made - known)]


def _leads(page: Path, link: str, pages: dict[Path, Page]) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return True
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not target.is_file():
        return False
    return not parts.fragment or target not in pages or unquote(parts.fragment) in pages[target].anchors


if __name__ == "__main__":
    site = Path(sys.argv[1]).resolve()
    if wrong := faults(site):
        sys.exit("\n".join(sorted(wrong)))
    print(f"{sum(1 for _ in site.rglob('*.html'))} pages, all links inside lead somewhere")
