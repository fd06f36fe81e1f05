"""Modules of the page as one file: the board in notebooks, and pages that need no server."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

STATIC = Path(__file__).parent / "static"
_IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[\w./]+\.js)";\n', re.MULTILINE)
_SPARE = re.compile(r"^[ \t]*(?://.*\n|/\*(?s:.*?)\*/[ \t]*\n|\n)?", re.MULTILINE)
"""Indentation, comments that stand on lines of their own, empty lines. No text of ours goes over several lines."""
_EXPORT = re.compile(r"^export (?:\{[^}]*\};\n|default .*\n)?", re.MULTILINE)


def bundled(name: str) -> str:
    """The module ``name`` of ``static/`` with all that it imports, as one ES module, which exports what ``name`` does.

    Its files stand one behind the other, without their imports and exports; names at their top are unique.
    """
    written: dict[Path, str] = {}
    _add(STATIC / name, written)
    *others, own = written.values()
    return "\n".join([*(_EXPORT.sub("", text) for text in others), own])


def _add(path: Path, written: dict[Path, str]) -> None:
    text = path.read_text(encoding="utf-8")
    for name in _IMPORT.findall(text):
        imported = (path.parent / name).resolve()
        if imported not in written:
            _add(imported, written)
    written[path] = _IMPORT.sub("", text)


def standalone(title: str, script: str, text: str, styles: tuple[str, ...]) -> bytes:
    """An HTML page of one file, which asks for nothing: the module ``script`` of ``static/``, and ``text``, JSON, in
    the element ``#data``.
    """
    css = _SPARE.sub("", "\n".join((STATIC / name).read_text(encoding="utf-8") for name in styles))
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    head += f'<meta name="color-scheme" content="light dark"><title>{escape(title)}</title><style>{css}</style>'
    data = text.replace("<", "\\u003c")  # no text ends the element
    body = f'<main id="room"></main><p id="notice" role="status"></p><script type="application/json" id="data">{data}'
    code = _SPARE.sub("", bundled(script)).replace("</script", "<\\/script")
    body += f'</script><script type="module">{code}</script>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>\n'.encode()
